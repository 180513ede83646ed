/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a recording as series, for reports, comparisons and predictions. A series has the values of
 * a metric, or of an event, in one row over time.
 */
#ifndef CXLMON_SHOW_PAGE_PLOTTED_H
#define CXLMON_SHOW_PAGE_PLOTTED_H

#include <stdint.h>

#include "base/distribution.h"
#include "probe/sweep/calibration.h"
#include "probe/sweep/sweep_point.h"
#include "record/recording_file.h"
#include "series/series.h"
#include "show/explain/explain.h"
#include "show/explain/what_if.h"

#define SOURCE_SIZE	24 /* bytes of plotted.source */
#define SOURCES_SEVERAL "several sources"

/* A series. */
struct plotted {
	const struct row *row;
	const struct metric *metric; /* NULL: the rate of the row's event */
	const double *values; /* by sample, not owned; NAN: unknown. NULL: no value is known */
	struct statistics statistics;
	/* source of the values, such as m2s_req; "": unknown; SOURCES_SEVERAL: it changed */
	char source[SOURCE_SIZE];
	bool raised; /* some value may be too high: .raised of struct value */
};

/* Return the name of the metric or event, its title for people, and its unit ("": none). */
const char *plotted_name(const struct plotted *series);
const char *plotted_title(const struct plotted *series);
const char *plotted_unit(const struct plotted *series);
/* Return how many decimals values are printed with: for programs, and for people. */
unsigned plotted_decimals(const struct plotted *series);
unsigned plotted_shown_decimals(const struct plotted *series);

/* Returns a statistic of a series; NAN: unknown, or the values are states. */
double statistic_of(const struct plotted *series, enum statistic statistic);
/* Returns true if the values are states: see metric_is_state(). */
bool plotted_is_state(const struct plotted *series);

/* Number of series of sampled loads: the p50 and p99 latencies of CXL memory, then of DRAM. */
#define REPORT_HOT_SERIES 4

/* A recording that was read. It must not be moved, because it points into itself. */
struct report {
	const struct recording_info *info; /* owned by the recording */
	const struct table *table;	   /* owned by the recording */
	double *times;	/* ends of samples, in seconds since .started_ns; they never fall */
	size_t samples; /* number of samples */
	uint64_t started_ns, ended_ns; /* time of the samples, in ns since 1970 */
	uint64_t missed;	       /* number of missed deadlines */
	/* series of cells and events, then of sampled loads: use report_series() and so on */
	struct plotted *series;
	size_t series_count;
	struct series cells; /* owns the values of series of cells and events */
	struct hot_table {   /* owns the values of series of sampled loads */
		struct column columns[REPORT_HOT_SERIES];
		struct value values[REPORT_HOT_SERIES];
		struct row row;
		struct table table;
		struct series cells;
	} hot_table;
	struct mark *marks; /* marks (logged events), in the recording's order */
	size_t mark_count;
	struct sweep_points sweep;	     /* empty: the recording is not of a sweep */
	struct calibration_runs calibration; /* empty: the recording is not of sweep --calibrate */
	const struct process_report *hot;    /* sum of all sampled loads; NULL: none */
	struct explain explain;		     /* sums for findings */
	struct what_if_samples what_if;	     /* sums for a prediction */
	/* a prediction from .what_if, set by the caller; not owned; NULL: none */
	const struct what_if_result *predicted;
};

/*
 * Reads the selected samples of an open file, which must stay open. Returns 0, -ENOMEM, or -EFBIG:
 * too many values. If the recording is damaged, returns 0: *out has the samples before the damage,
 * and *flaw says what it is (.code 0: none). Freed by report_free(), also after failure.
 */
int report_read(struct recording_file *file, struct report *out, struct error *flaw,
		struct error *err);
void report_free(struct report *report);

/* Returns a mark's time in seconds since .started_ns, at least 0. */
double report_mark_time(const struct report *report, const struct mark *mark);

/* Returns the series of a cell of the table, by the indices of its row and column. */
const struct plotted *report_series(const struct report *report, size_t row, size_t column);
/* Returns true if any value of a column is known. */
bool report_knows(const struct report *report, size_t column);
/* Returns series i of sampled loads. i: below REPORT_HOT_SERIES. */
const struct plotted *report_hot_series(const struct report *report, size_t i);
/* Returns the series of a row's event: events per second. */
const struct plotted *report_event_series(const struct report *report, size_t row);

#endif
