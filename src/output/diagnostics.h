/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Messages about doubtful and missing values, and about their sources. Each is written once per
 * run, except messages about marks (table/mark.h).
 */
#ifndef CXLMON_OUTPUT_DIAGNOSTICS_H
#define CXLMON_OUTPUT_DIAGNOSTICS_H

#include <stdbool.h>

#include "base/error.h"
#include "view/view.h"

/* The messages that a run has written. Initially zero except for .log. */
struct diagnostics {
	const struct log *log; /* not owned */
	bool sources_reported, implausible_reported, mismatch_reported, dram_reported,
		no_counts_reported, lost_events_reported, mbm_reported, overflow_reported,
		totals_reported, too_long_reported, leak_reported;
	uint64_t unknown_health; /* bit i: the unknown health of device i was reported */
};

/*
 * Lists columns that the table leaves out, before the first sample:
 *
 * - columns without values on this machine or for the selection, unless another message names them
 * - columns with values for which shown[column] is false: the terminal is too narrow
 *
 * Metrics without a heading are not listed.
 */
void diagnostics_report_left_out(const struct log *log, const struct view *view, const bool *shown);

/* Writes a warning for each mark of a sample. times: the warning begins with the mark's time. */
void diagnostics_say_marks(const struct log *log, const struct marks *marks, bool times);

/* Reports why bytes by region of memory are missing, after each reading of their counters. */
void diagnostics_report_regions(struct diagnostics *diagnostics,
				const struct region_counters *regions);

/* Reports the sample's marks, and doubts about its values, after each view_update(). */
void diagnostics_report(struct diagnostics *diagnostics, const struct view *view);

#endif
