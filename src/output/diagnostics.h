/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages about the values, each written once: sources, mismatches, implausible and missing
 * values, devices that count nothing.
 */
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
	uint64_t unknown_health; /* by device number: the message that its health is unknown was
				    written */
};

/*
 * Reports, before the first sample of a table, the columns that it leaves out: those that cannot be
 * measured, and those after the first .shown ones.
 */
void diagnostics_report_left_out(const struct log *log, const struct view *view, const bool *shown);

/* Reports the marks of a sample. times: each with its time, if that is not now. */
void diagnostics_say_marks(const struct log *log, const struct marks *marks, bool times);

/* Reports why bytes by region are missing; to be called after each reading of them. */
void diagnostics_report_regions(struct diagnostics *diagnostics,
				const struct region_counters *regions);

/* Reports doubts about the values; to be called after each view_update(). */
void diagnostics_report(struct diagnostics *diagnostics, const struct view *view);

#endif
