/* SPDX-License-Identifier: BSD-3-Clause */
/* A recording turned round: for each row and metric, its values over time. */
#ifndef CXLMON_REPORT_SERIES_H
#define CXLMON_REPORT_SERIES_H

#include <stdint.h>

#include "record/recording_file.h"
#include "report/report_statistics.h"

struct series {
	const struct row *row;
	const struct metric *metric; /* NULL: of an event, its rate */
	double *values;		     /* by sample; NAN: not known. NULL: it never was */
	struct statistics statistics;

	double weighted, seconds; /* as statistics_make() takes them */
};

struct report {
	const struct recording_info *about;
	const struct view *view;
	double *times; /* ends of the samples, in seconds since the start; never falling */
	size_t samples, room;
	uint64_t started_ns, ended_ns; /* since 1970 in UTC */
	uint64_t missed;	       /* deadlines */
	struct series *series;	       /* rows x columns, or a row of events each */
	size_t series_count;
	size_t values; /* kept in all series */
};

/*
 * Reads all samples; file must stay open. What is wrong with the recording is in *flaw (its code is
 * 0 where it is whole), and what is whole is in *out. -ENOMEM, also where there are more values
 * than a report keeps. Freed by report_free(), also after failure.
 */
int report_read(struct recording_file *file, struct report *out, struct error *flaw,
		struct error *err);
void report_free(struct report *report);

/* Of a row and metric (NULL: an event's rate). */
const struct series *report_find(const struct report *report, size_t row, size_t column);

#endif
