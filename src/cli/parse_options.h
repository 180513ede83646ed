/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Options as rows of a table, which parsing, --help and the search for an option that was meant
 * follow. getopt_long() does the parsing.
 */
#ifndef CXLMON_CLI_PARSE_OPTIONS_H
#define CXLMON_CLI_PARSE_OPTIONS_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

#define OPTION_ROWS_MOST    96
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

/* getopt_long() on rows. */
struct option_parser {
	const struct option_row *rows[OPTION_ROWS_MOST];
	size_t count;
	struct option longs[OPTION_ROWS_MOST + 1];
	char letters[2 * OPTION_ROWS_MOST + 3];
};

#define OPTION_OPERAND 1   /* the code of an operand, if these are returned in order */
#define OPTION_ROW     256 /* and greater: that of a row */

/*
 * rows end with one without a name. in_order: operands are returned as they come; otherwise
 * getopt_long() moves them behind the options. Resets getopt_long().
 */
void option_parser_init(struct option_parser *parser, const struct option_row *rows, bool in_order);
/* Adds a row, unless its name is known. */
void option_parser_add(struct option_parser *parser, const struct option_row *row);
/*
 * -1: the end; OPTION_OPERAND: optarg is an operand; OPTION_ROW: *row with its value in optarg;
 * ':' where a value is missing; '?': an unknown option.
 */
int option_parser_next(struct option_parser *parser, int argc, char **argv,
		       const struct option_row **row);

/*
 * The index in argv of operand nth (from 0), returned in order; argc where there are fewer.
 * Options, their values and what follows -- are no operands; an unknown option is taken as one
 * without value.
 */
int option_parser_operand(struct option_parser *parser, int argc, char **argv, unsigned nth);

/* Sets the member of the options by an option's value. ERROR_USAGE: the value is refused. */
int option_set(const struct option_row *row, void *options, const char *value, struct error *err);

/* The option that is most like a long one that there is not; NULL: none is. */
const char *option_nearest(const struct option_parser *parser, const char *word);

/* The row's help, with its names, if it has any: in text, or constant. */
const char *option_help(const struct option_row *row, char *text, size_t size);

/* The row's lines of --help; words are wrapped at width (0: they are not). */
void option_print_help(const struct option_row *row, FILE *out, int width);

/* ERROR_USAGE: "WHAT 'VALUE': EXPECTED". Returns -EINVAL. */
int options_usage(struct error *err, const char *what, const char *value, const char *expected);

/* ERROR_USAGE: "WHAT 'VALUE': EXPECTED" of a row. Returns -EINVAL. */
int option_refuse(const struct option_row *row, const char *value, struct error *err);

bool option_not_empty(const char *value);

#endif
