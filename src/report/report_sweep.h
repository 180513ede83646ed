/* SPDX-License-Identifier: BSD-3-Clause */
/* What a sweep has measured: loaded-latency curves, and their knees. */
#ifndef CXLMON_REPORT_SWEEP_H
#define CXLMON_REPORT_SWEEP_H

#include <stdio.h>

#include "report/report_series.h"

/* A chart for each node, and a table; nothing if the recording is not of a sweep. 0 or -ENOMEM. */
int report_sweep(const struct report *report, FILE *out);

#endif
