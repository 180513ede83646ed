/* SPDX-License-Identifier: BSD-3-Clause */
/* What options.c, which takes a command line apart, and the table of options share. */
#ifndef CXLMON_OPTIONS_PARTS_H
#define CXLMON_OPTIONS_PARTS_H

#include "cli/options.h"

#define OPTION_ROWS_MOST 64

struct option_row {
	char letter; /* 0: none */
	const char *name;
	const char *argument; /* NULL: takes none */
	int (*set)(struct options *o, const char *value, struct error *err);
	const char *help;
	const char *implied; /* its value, where it takes none; may be NULL */
};

/* Ends with a row without a name. */
extern const struct option_row option_rows[];

/* EXIT_USAGE: "WHAT 'VALUE': EXPECTED". Returns -EINVAL. */
int options_usage(struct error *err, const char *what, const char *value, const char *expected);

#endif
