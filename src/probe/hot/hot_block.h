/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampled loads in recordings of cxlmon hot: a report of each interval, and one of the run. */
#ifndef CXLMON_PROBE_HOT_HOT_BLOCK_H
#define CXLMON_PROBE_HOT_HOT_BLOCK_H

#include "process/report.h"
#include "record/block_kind.h"
#include "record/recording.h"

/* Name of a recording's option whose value is the kind of rows, one of row_by_names. */
#define RECORDED_BY "by"

/* Block before a sample, with the report of its interval. Encodes a struct process_report. */
extern const struct block_kind hot_block;

/*
 * Returns the report of the latest sample, valid until the next recording_decode(). NULL: the
 * sample has no report, or hot_block is not among recording->kinds.
 */
const struct process_report *hot_recorded(const struct recording *recording);

/*
 * Adds the report of the latest sample to the report of the run. If the sample has none, does
 * nothing. The caller must call it only once per sample.
 */
void hot_recorded_sum_up(struct recording *recording);

/*
 * Returns the report of the run: the sum that hot_recorded_sum_up() has made. It is valid until the
 * next recording_decode(). NULL: no report was added.
 */
const struct process_report *hot_recorded_run(const struct recording *recording);

#endif
