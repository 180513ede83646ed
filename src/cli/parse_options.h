/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Options as rows of a table, which parsing, --help and the search for an option that was meant
 * follow.
 */
#ifndef CXLMON_CLI_PARSE_OPTIONS_H
#define CXLMON_CLI_PARSE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

#define OPTION_STRINGS_MOST 64 /* times that an option may be repeated */
#define OPTION_HELP_SIZE    1024

/* The type of the member that an option sets. */
enum option_type {
	OPTION_CALL,	/* whatever .set sets */
	OPTION_FLAG,	/* bool: becomes true */
	OPTION_VALUE,	/* int or enum: becomes .value */
	OPTION_STRING,	/* const char * */
	OPTION_STRINGS, /* struct strings: one more, up to .times */
	OPTION_CHOICE,	/* int or enum: .value and the index in .choices */
	OPTION_INTEGER, /* int, from 0 to .most */
	OPTION_NUMBER,	/* double, from .least to .most */
	OPTION_TIME,	/* uint64_t, in nanoseconds */
};

enum option_not_for {
	OPTION_NOT_RECORD = 1,
	OPTION_NOT_SERVE = 2,
	OPTION_NOT_MONITOR = 4,
	OPTION_NOT_EXPLAIN = 8,
};

struct option_row;

/* Sets what offset says of the options. ERROR_USAGE: the value is refused. */
typedef int option_setter(const struct option_row *row, void *member, const char *value,
			  struct error *err);

struct option_row {
	char letter; /* 0: none */
	const char *name;
	const char *argument; /* as --help shows it; NULL: takes none */
	enum option_type type;
	size_t offset;			/* the member in the struct of options */
	const char *help;		/* NULL: not shown. A new line continues below the first */
	const char *(*names)(size_t i); /* stand for @ in help; the last one is NULL */
	bool optional; /* a long option's argument may be left out: then set gets NULL */
	bool common;   /* shown by cxlmon --help without a topic */
	const char *topic;
	unsigned not_for; /* OPTION_NOT_...: the monitor's, but not of these subcommands */

	/* A refused value is reported as "WHAT 'VALUE': EXPECTED", or with the choices */
	const char *what, *expected;
	bool (*valid)(const char *value);		    /* NULL: any string is */
	int (*check)(const char *value, struct error *err); /* the same, with a message */
	const char *const *choices; /* the values, of a call, too; ends with NULL */
	double least, most;
	size_t times; /* 0: OPTION_STRINGS_MOST */
	int value;
	option_setter *set;
	const char *implied; /* passed to set where the option takes no argument */
};

/* Reads a command line by tables of rows. */
struct option_parser {
	const struct option_row *const *tables; /* NULL ends them; a name's first row holds */
	int argc;
	char **argv;
	int at, next;	     /* indices in argv: the word that was read, and the one after it */
	const char *letters; /* the rest of a word of letters; NULL: none */
	const char *value;   /* the option's value (NULL: none), or the operand */
};

enum option_code {
	OPTION_END, /* no more words, or "--", which is then argv[at] */
	OPTION_ROW,
	OPTION_OPERAND,
	OPTION_UNKNOWN,
	OPTION_NO_VALUE, /* its value is missing */
};

/*
 * Reads the next option or operand, as getopt_long() does: letters may share a word, a name may be
 * cut off where it is unique, and a value follows "=", its letter, or in the next word. *row is the
 * option's row.
 */
enum option_code option_parser_next(struct option_parser *parser, const struct option_row **row);

/* Sets the member of the options by an option's value. ERROR_USAGE: the value is refused. */
int option_set(const struct option_row *row, void *options, const char *value, struct error *err);

/* The option that is most like a long one that there is not; NULL: none is. */
const char *option_nearest(const struct option_parser *parser, const char *word);

/* The row's help, with its names, if it has any: in text, or constant. */
const char *option_help(const struct option_row *row, char *text, size_t size);

/* The row's lines of --help. */
void option_print_help(const struct option_row *row, FILE *out);

/* ERROR_USAGE: "WHAT 'VALUE': EXPECTED". Returns -EINVAL. */
int options_usage(struct error *err, const char *what, const char *value, const char *expected);

/* ERROR_USAGE: "WHAT 'VALUE': EXPECTED" of a row. Returns -EINVAL. */
int option_refuse(const struct option_row *row, const char *value, struct error *err);

bool option_not_empty(const char *value);

#endif
