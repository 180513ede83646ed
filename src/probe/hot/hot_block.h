/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampled loads in recordings of cxlmon hot: a report for each interval, and their sum. */
#ifndef CXLMON_PROBE_HOT_HOT_BLOCK_H
#define CXLMON_PROBE_HOT_HOT_BLOCK_H

#include "process/report.h"
#include "record/block_kind.h"
#include "record/recording.h"

/* Option of a recording, whose value is the kind of the rows of sampled loads. */
#define RECORDED_BY "by"

/* Block with the report of the sample's interval. Its encoder takes a struct process_report. */
extern const struct block_kind hot_block;

/*
 * Returns the report of the latest sample, valid until the next recording_decode(); NULL: the
 * sample has none, or hot_block is not among recording->kinds.
 */
const struct process_report *hot_recorded(const struct recording *recording);

/* Adds the latest sample's report, if it has one, to the run's. Call it only once per sample. */
void hot_recorded_sum_up(struct recording *recording);

/*
 * Returns the report of all samples added by hot_recorded_sum_up(), valid until the next
 * recording_decode(); NULL: none was added.
 */
const struct process_report *hot_recorded_run(const struct recording *recording);

#endif
