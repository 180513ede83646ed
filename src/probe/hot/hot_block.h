/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampled loads in recordings of cxlmon hot. */
#ifndef CXLMON_PROBE_HOT_HOT_BLOCK_H
#define CXLMON_PROBE_HOT_HOT_BLOCK_H

#include "process/report.h"
#include "record/block_kind.h"
#include "record/recording.h"

/* The recorded option with the kind of rows of sampled loads. */
#define RECORDED_BY "by"

/* A struct process_report, written for the interval of the sample. */
extern const struct block_kind hot_block;

/* Returns the report of the latest sample, valid until the next sample; NULL: it has none. */
const struct process_report *hot_recorded(const struct recording *recording);

/* Adds the report of the latest sample to the report of the run. */
void hot_recorded_sum_up(struct recording *recording);

/* Returns the report of the run, valid until the next sample; NULL: it has no sampled loads. */
const struct process_report *hot_recorded_run(const struct recording *recording);

#endif
