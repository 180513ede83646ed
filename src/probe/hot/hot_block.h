/* SPDX-License-Identifier: BSD-3-Clause */
/* What recordings of cxlmon hot have beyond those of other runs. */
#ifndef CXLMON_PROBE_HOT_HOT_BLOCK_H
#define CXLMON_PROBE_HOT_HOT_BLOCK_H

#include "process/report.h"
#include "record/block_kind.h"
#include "record/recording.h"

/* The option that says what rows of sampled loads are by. */
#define RECORDED_BY "by"

/* Written, a struct process_report of the interval of the sample. */
extern const struct block_kind hot_block;

/* Of the latest sample; NULL: it has none. Valid until the next sample. */
const struct process_report *hot_recorded(const struct recording *recording);

/*
 * That of a run is the sum of the samples for which this was called; NULL: they have none. Valid
 * until the next sample.
 */
void hot_recorded_sum_up(struct recording *recording);
const struct process_report *hot_recorded_run(const struct recording *recording);

#endif
