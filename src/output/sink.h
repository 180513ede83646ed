/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Output of samples. A format (table, CSV, JSON, ...) prints them, from a table that has all values
 * already. A sink is the output of one run in one format.
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

/* The output of a run. The format sets .state and .inputs, the caller the rest. */
struct sink {
	const struct format *format;
	FILE *out;	/* stream to print to; not owned */
	bool terminal;	/* out is written to a terminal */
	bool no_header; /* CSV has no header row */
	int fd;		/* descriptor of the output */
	/* name of the output file, as the user gave it; NULL: standard output */
	const char *path;
	const struct table *table; /* not owned */
	/* further data for the format, described at its declaration; NULL: none */
	void *target;
	const struct recording_info *info; /* facts about the run; NULL: unknown */
	void *state;			   /* private to the format; freed by .end */
	int inputs[SINK_INPUTS];	   /* descriptors to poll for input, or -1 */
};

/* Result of handling input. */
enum input_result {
	INPUT_HANDLED,	 /* nothing is left to do */
	INPUT_SUSPEND,	 /* the caller must flush the output, and then call .suspend */
	INPUT_NO_MEMORY, /* out of memory: the writer ends */
};

/* An output format: a constant in output/out_*.c, show/screen, show/serve or show/explain. */
struct format {
	const char *name; /* name that --format takes */
	bool replaces;	  /* in a file, each sample replaces the previous one */
	/*
	 * Makes .state, and prints the header, if the format has one. Called again, after .end, if
	 * the output file is opened again. Returns 0, -ENOMEM, or -E2BIG: the table is too large
	 * for the format.
	 */
	int (*begin)(struct sink *sink);
	/* Prints a sample, whose values the table already has. */
	void (*sample)(struct sink *sink, const struct sample *sample);
	void (*finish)(struct sink *sink); /* after the last sample; may be NULL */
	void (*end)(struct sink *sink);	   /* frees .state; may be NULL */
	/*
	 * Handles input of an interactive format (the screen), and may print. The writer's thread
	 * calls it when it starts, and then whenever an input is readable. NULL: the format is not
	 * interactive.
	 */
	enum input_result (*handle_input)(struct sink *sink);
	/* Stops the process (SIGTSTP) until it is continued. NULL: not interactive. */
	void (*suspend)(struct sink *sink);
};

/* Names of the formats that --format takes, in the order of its help. */
#define FOR_EACH_FORMAT(DO)                                                                        \
	DO(table)                                                                                  \
	DO(csv)                                                                                    \
	DO(json)                                                                                   \
	DO(openmetrics)

#define DECLARE_FORMAT(name) extern const struct format format_##name;
FOR_EACH_FORMAT(DECLARE_FORMAT)
/*
 * The format of cxlmon record; format_find() does not find it. .target of its sink is a struct
 * attached_block (record/recording.h), which is written with each sample; NULL: none.
 */
extern const struct format format_recording;

/* Returns the format with this name in FOR_EACH_FORMAT; NULL: unknown. */
const struct format *format_find(const char *name);

/*
 * Sets shown[column] to true for the columns that fit in lines of this width. Tries columns in
 * their order, minor metrics last, up to the first that does not fit. A column without a
 * table_heading() is not shown. shown[] has table->column_count elements.
 */
void out_table_fit(const struct table *table, int width, bool *shown);

#endif
