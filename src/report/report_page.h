/* SPDX-License-Identifier: BSD-3-Clause */
/* A report as one HTML page that needs nothing else: no network, no font, no file. */
#ifndef CXLMON_REPORT_PAGE_H
#define CXLMON_REPORT_PAGE_H

#include <stdio.h>

#include "report/report_series.h"

/* flaw: what was wrong with the recording; its code is 0 where it was whole. 0 or -ENOMEM. */
int report_page(const struct report *report, const struct error *flaw, FILE *out);

#endif
