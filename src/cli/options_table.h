/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the monitor's options, for options.c, which parses a command line by it. */
#ifndef CXLMON_OPTIONS_TABLE_H
#define CXLMON_OPTIONS_TABLE_H

#include "cli/options.h"

#define OPTION_ROWS_MOST 64

struct option_row {
	char letter; /* 0: none */
	const char *name;
	const char *argument; /* of --help; NULL: takes none */
	const char *topic;    /* of help */
	int (*set)(struct options *o, const char *value, struct error *err);
	const char *help;
	const char *implied; /* passed to set where the option takes no argument; may be NULL */
	bool optional;	     /* a long option's argument may be left out: then set gets NULL */
	bool common;	     /* shown by --help without a topic */
};

/* Ends with a row without a name. */
extern const struct option_row option_rows[];

/* EXIT_USAGE: "WHAT 'VALUE': EXPECTED". Returns -EINVAL. */
int options_usage(struct error *err, const char *what, const char *value, const char *expected);

/* The file that -o names; NULL: "-", standard output. */
const char *options_output_file(const char *name);

/* The file of cxlmon record ("-": standard output). EXIT_USAGE for a second one. */
int options_set_recording(struct options *o, const char *name, struct error *err);

/* --per of every subcommand: EXIT_USAGE where there is no such scope. */
int options_scope(const char *value, enum scope *out, struct error *err);

/* --backend of every subcommand: EXIT_USAGE where there is no such backend. */
int options_backend(const char *value, enum session_backend *out, struct error *err);

/* --node of subcommands that take one: EXIT_USAGE for anything but a number. */
int options_node(const char *value, int *out, struct error *err);

#endif
