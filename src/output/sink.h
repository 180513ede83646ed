/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An output format: one file each, and its line in the list of formats. Sinks only print: all
 * values are computed by the table.
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
	int fd;				   /* of the output */
	const char *path;		   /* of the output file; NULL: standard output */
	const struct table *table;	   /* not owned */
	void *target;			   /* further data of a format, see its header */
	const struct recording_info *info; /* about the run; NULL: unknown */
	void *state;			   /* private to the format; freed by .end */
	int inputs[SINK_INPUTS]; /* descriptors to poll for input, set by an interactive format;
				    or -1 */
};

enum input_result {
	INPUT_HANDLED,
	INPUT_SUSPEND,	 /* call .suspend once all is written */
	INPUT_NO_MEMORY, /* the writer ends */
};

struct format {
	const char *name;
	bool replaces; /* in a file, each sample replaces the previous one */
	/* 0 or -ENOMEM */
	int (*begin)(struct sink *sink);
	void (*sample)(struct sink *sink, const struct sample *sample);
	void (*finish)(struct sink *sink); /* after the last sample; may be NULL */
	void (*end)(struct sink *sink);	   /* frees .state; may be NULL */
	/*
	 * Of an interactive format (the screen), else NULL: called in the writer's thread; both may
	 * print. At first, and whenever an input is readable; stops the process (SIGTSTP) until it
	 * is continued.
	 */
	enum input_result (*handle_input)(struct sink *sink);
	void (*suspend)(struct sink *sink);
};

/* The formats that --format takes, a line each, in the order of help: format_NAME. */
#define FOR_EACH_FORMAT(DO)                                                                        \
	DO(table)                                                                                  \
	DO(csv)                                                                                    \
	DO(json)                                                                                   \
	DO(openmetrics)

#define DECLARE_FORMAT(name) extern const struct format format_##name;
FOR_EACH_FORMAT(DECLARE_FORMAT)
/*
 * Used by cxlmon record; not found by format_find(). .target: a struct attached_block, of each
 * sample; NULL: none.
 */
extern const struct format format_recording;

const struct format *format_find(const char *name); /* NULL: unknown */

/*
 * How many columns, from the first, fit on the terminal behind fd. Those without a heading take no
 * room.
 */
size_t out_table_columns(const struct table *table, int fd);

#endif
