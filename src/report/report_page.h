/* SPDX-License-Identifier: BSD-3-Clause */
/* The report: one HTML page that loads no other resource. */
#ifndef CXLMON_REPORT_PAGE_H
#define CXLMON_REPORT_PAGE_H

#include <stdio.h>

#include "report/report_series.h"

/* flaw: what is wrong with the recording; code 0: nothing. 0 or -ENOMEM. */
int report_page(const struct report *report, const struct error *flaw, FILE *out);

/* Parts of it, also of other pages: when and how it was recorded, as a list. */
void report_facts(const struct report *report, FILE *out);
/* An entry of the notes, if lines are drawn through means. */
void report_note_reduced(const struct report *report, FILE *out);

#endif
