/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages about the values, once each: sources, mismatches, implausible and missing
 * values, devices that count nothing. */
#ifndef CXLMON_OUTPUT_DIAGNOSTICS_H
#define CXLMON_OUTPUT_DIAGNOSTICS_H

#include <stdbool.h>

#include "base/error.h"
#include "view/view.h"

struct diagnostics {
	const struct log *log; /* not owned */
	bool sources_reported, implausible_reported, mismatch_reported, dram_reported,
		no_counts_reported, lost_events_reported, mbm_reported, overflow_reported,
		totals_reported, too_long_reported, leak_reported;
	uint64_t unknown_health; /* by bit of a device: there was a message that its is unknown */
};

/*
 * Before the first sample of a table: which columns it leaves out, as they can't be measured, or as
 * it shows only so many, from the first.
 */
void diagnostics_report_left_out(const struct log *log, const struct view *view, size_t shown);

/* What has happened since the sample before. times: each with its time, where that is not now. */
void diagnostics_say_marks(const struct log *log, const struct marks *marks, bool times);

/* After each reading of them: why bytes by region are missing. */
void diagnostics_report_regions(struct diagnostics *diagnostics,
				const struct region_counters *regions);

/* After each view_update(). */
void diagnostics_report(struct diagnostics *diagnostics, const struct view *view);

#endif
