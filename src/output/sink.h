/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An output format: each has a file of its own, and a line in the list of formats. Sinks only
 * print: all values are computed by the table.
 */
#ifndef CXLMON_OUTPUT_SINK_H
#define CXLMON_OUTPUT_SINK_H

#include <stdbool.h>
#include <stdio.h>

#include "base/error.h"
#include "counts/sample.h"
#include "record/recording.h"
#include "table/table.h"
#include "uncore/machine.h"

#define SINK_INPUTS 3

struct sink {
	const struct format *format;
	FILE *out;			   /* not owned */
	bool terminal;			   /* out is written to a terminal */
	bool no_header;			   /* CSV: without its header row */
	int fd;				   /* descriptor of the output */
	const char *path;		   /* name of the output file; NULL: standard output */
	const struct table *table;	   /* not owned */
	void *target;			   /* further data for a format, see its header */
	const struct recording_info *info; /* about the run; NULL: unknown */
	void *state;			   /* private to the format; freed by .end */
	int inputs[SINK_INPUTS]; /* descriptors to poll for input, or -1; set by an interactive
				    format */
};

enum input_result {
	INPUT_HANDLED,
	INPUT_SUSPEND,	 /* call .suspend once all is written */
	INPUT_NO_MEMORY, /* out of memory: the writer ends */
};

struct format {
	const char *name;
	bool replaces; /* in a file, each sample replaces the previous one */
	/* 0 or -ENOMEM. */
	int (*begin)(struct sink *sink);
	void (*sample)(struct sink *sink, const struct sample *sample);
	void (*finish)(struct sink *sink); /* after the last sample; may be NULL */
	void (*end)(struct sink *sink);	   /* frees .state; may be NULL */
	/*
	 * Handles input of an interactive format (the screen); else NULL. Called in the writer's
	 * thread at first, and whenever an input is readable; may print.
	 */
	enum input_result (*handle_input)(struct sink *sink);
	/* Stops the process (SIGTSTP) until it is continued; may print. NULL: as .handle_input. */
	void (*suspend)(struct sink *sink);
};

/* Formats that --format takes, one per line, in the order of help: format_NAME. */
#define FOR_EACH_FORMAT(DO)                                                                        \
	DO(table)                                                                                  \
	DO(csv)                                                                                    \
	DO(json)                                                                                   \
	DO(openmetrics)

#define DECLARE_FORMAT(name) extern const struct format format_##name;
FOR_EACH_FORMAT(DECLARE_FORMAT)
/*
 * The format of cxlmon record; format_find() does not find it. .target: a struct attached_block for
 * each sample; NULL: none.
 */
extern const struct format format_recording;

const struct format *format_find(const char *name); /* NULL: unknown */

/*
 * Sets for each column whether lines of this width have room for it: the first ones do, and minor
 * metrics only after all others. Columns without a heading are not shown.
 */
void out_table_fit(const struct table *table, int width, bool *shown);

#endif
