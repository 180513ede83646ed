/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads a recording as time series: the values of each row and metric over time. */
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

#define SOURCE_SIZE	24
#define SOURCES_SEVERAL "several sources"

struct plotted {
	const struct row *row;
	const struct metric *metric; /* NULL: an event's rate */
	const double *values;	     /* by sample; NAN: unknown. NULL: never known. Not owned */
	struct statistics statistics;
	/* Source of the values, such as m2s_req; empty: unknown. SOURCES_SEVERAL: it changed. */
	char source[SOURCE_SIZE];
	bool raised; /* a value is an estimate that may be too high: see struct value */
};

/* Return the metric's or event's name, its title for people, and its unit. */
const char *plotted_name(const struct plotted *series);
const char *plotted_title(const struct plotted *series);
const char *plotted_unit(const struct plotted *series);
/* Return the decimals for programs, and for people. */
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

/* Returns a statistic. NAN: unknown, or states have none: see metric_is_state(). */
double statistic_of(const struct plotted *series, enum statistic statistic);
bool plotted_is_state(const struct plotted *series);

/* Percentiles of sampled loads: CXL p50 and p99, DRAM p50 and p99. */
#define REPORT_HOT_SERIES 4

struct report {
	const struct recording_info *info;
	const struct table *table;
	double *times; /* ends of the samples, in seconds since the start, ascending */
	size_t samples;
	uint64_t started_ns, ended_ns; /* since 1970 in UTC */
	uint64_t missed;	       /* deadlines missed */
	struct plotted *series; /* [row][column], the event's column last; then sampled loads */
	size_t series_count;
	struct series cells; /* values of the table */
	struct hot_table {   /* percentiles of sampled loads */
		struct column columns[REPORT_HOT_SERIES];
		struct value values[REPORT_HOT_SERIES];
		struct row row;
		struct table table;
		struct series cells;
	} hot_table;
	struct mark *marks; /* events during the recording, ascending in time */
	size_t mark_count;
	struct sweep_points sweep;	     /* empty: the recording is not of a sweep */
	struct calibration_runs calibration; /* empty: the recording is not of sweep --calibrate */
	const struct process_report *hot;    /* sampled loads of all samples; NULL: none */
	struct explain explain;		     /* findings from the samples */
	struct what_if_samples waited;
	const struct what_if_result *predicted; /* from .waited; not owned; NULL: not wanted */
};

/*
 * Reads all selected samples; times are relative to the start of the first. file must stay open.
 * *flaw describes a flaw of the recording (code 0: none); *out has the valid part. -ENOMEM; -EFBIG
 * if there are too many values. Freed by report_free(), also after failure.
 */
int report_read(struct recording_file *file, struct report *out, struct error *flaw,
		struct error *err);
void report_free(struct report *report);

/* Returns a mark's time in seconds since the start, at least 0. */
double report_mark_time(const struct report *report, const struct mark *mark);

/* Returns the series of a row and column. */
const struct plotted *report_series(const struct report *report, size_t row, size_t column);
/* Tells if a column has any known value. */
bool report_knows(const struct report *report, size_t column);
/* Returns a series of percentiles of sampled loads. */
const struct plotted *report_hot_series(const struct report *report, size_t i);
/* Returns the rate of a row's event. */
const struct plotted *report_event_series(const struct report *report, size_t row);

#endif
