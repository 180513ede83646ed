/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads a recording as time series, for reports, comparisons and predictions: the values of each
 * row and metric over time.
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

/* A series: the values of a metric or an event in a row. */
struct plotted {
	const struct row *row;
	const struct metric *metric; /* NULL: an event's rate */
	const double *values;	     /* by sample; NAN: unknown. NULL: never known. Not owned */
	struct statistics statistics;
	/* Source of the values, such as m2s_req; empty: unknown. SOURCES_SEVERAL: it changed. */
	char source[SOURCE_SIZE];
	bool raised; /* a value is an estimate that may be too high: see struct value */
};

/* Return the name of the metric or event, its title for people, and its unit ("": none). */
const char *plotted_name(const struct plotted *series);
const char *plotted_title(const struct plotted *series);
const char *plotted_unit(const struct plotted *series);
/* Return the numbers of decimals for programs, and for people. */
unsigned plotted_decimals(const struct plotted *series);
unsigned plotted_shown_decimals(const struct plotted *series);

/* The statistics of a series that are shown. */
enum statistic {
	STATISTIC_MEAN,
	STATISTIC_P50,
	STATISTIC_P95,
	STATISTIC_P99,
	STATISTIC_MAX,
	STATISTICS
};

extern const char *const statistic_names[STATISTICS]; /* "mean", "p50", ... */

/* Returns a statistic of a series. NAN: unknown, or the values are states, which have none. */
double statistic_of(const struct plotted *series, enum statistic statistic);
/* Returns true if the values are states: see metric_is_state(). */
bool plotted_is_state(const struct plotted *series);

/* Number of series of sampled loads: latencies of CXL (p50, p99) and of DRAM (p50, p99). */
#define REPORT_HOT_SERIES 4

/* A recording that was read. It must stay at its address, because members point to others. */
struct report {
	const struct recording_info *info; /* the recording's */
	const struct table *table;	   /* the recording's */
	double *times;	/* ends of the samples, in seconds since .started_ns, ascending */
	size_t samples; /* number of samples */
	uint64_t started_ns, ended_ns; /* ns since 1970 */
	uint64_t missed;	       /* missed deadlines */
	/*
	 * by row and column, with a last column for events if there are any; then sampled loads.
	 * See report_series()
	 */
	struct plotted *series;
	size_t series_count;
	struct series cells; /* owns the values of these series */
	struct hot_table {   /* values of the series of sampled loads */
		struct column columns[REPORT_HOT_SERIES];
		struct value values[REPORT_HOT_SERIES];
		struct row row;
		struct table table;
		struct series cells;
	} hot_table;
	struct mark *marks; /* marks in the recording, in its order */
	size_t mark_count;
	struct sweep_points sweep;	     /* empty: the recording is not of a sweep */
	struct calibration_runs calibration; /* empty: the recording is not of sweep --calibrate */
	/* sum of the sampled loads of all samples; NULL: none */
	const struct process_report *hot;
	struct explain explain;	       /* sums for findings from all samples */
	struct what_if_samples waited; /* sums for a prediction */
	/* a prediction from .waited, set by the caller; not owned; NULL: none */
	const struct what_if_result *predicted;
};

/*
 * Reads all selected samples of an open file, which must stay open. If the recording is damaged,
 * returns 0, *flaw describes the damage (code 0: none), and *out has the samples before it.
 * -ENOMEM; -EFBIG: there are too many values. Freed by report_free(), also after failure.
 */
int report_read(struct recording_file *file, struct report *out, struct error *flaw,
		struct error *err);
void report_free(struct report *report);

/* Returns a mark's time in seconds since .started_ns, at least 0. */
double report_mark_time(const struct report *report, const struct mark *mark);

/* Returns the series of a row and column of the table. */
const struct plotted *report_series(const struct report *report, size_t row, size_t column);
/* Returns true if a column has any known value. */
bool report_knows(const struct report *report, size_t column);
/* Returns series i of sampled loads, below REPORT_HOT_SERIES. */
const struct plotted *report_hot_series(const struct report *report, size_t i);
/* Returns the series of a row's event: its rate per second. */
const struct plotted *report_event_series(const struct report *report, size_t row);

#endif
