/* SPDX-License-Identifier: BSD-3-Clause */
/* Options as rows of a table, for parsing, --help, and proposals after a misspelt option. */
#ifndef CXLMON_CLI_PARSE_OPTIONS_H
#define CXLMON_CLI_PARSE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

#define OPTION_STRINGS_MOST 64 /* times that an option may be repeated */
#define OPTION_HELP_SIZE    1024

/* Type of the member that an option sets. */
enum option_type {
	OPTION_CALL,	/* set by .set */
	OPTION_FLAG,	/* bool: set to true */
	OPTION_VALUE,	/* int or enum: set to .value */
	OPTION_STRING,	/* const char * */
	OPTION_STRINGS, /* struct strings: appended to, up to .times */
	OPTION_CHOICE,	/* int or enum: set to .value plus the index in .choices */
	OPTION_INTEGER, /* int from 0 to .most */
	OPTION_NUMBER,	/* double from .least to .most */
	OPTION_TIME,	/* uint64_t, in nanoseconds */
};

enum option_not_for {
	OPTION_NOT_RECORD = 1,
	OPTION_NOT_SERVE = 2,
	OPTION_NOT_MONITOR = 4,
	OPTION_NOT_EXPLAIN = 8,
};

struct option_row;

/* Sets the member at the row's offset. ERROR_USAGE: the value is refused. */
typedef int option_setter(const struct option_row *row, void *member, const char *value,
			  struct error *err);

struct option_row {
	char letter; /* letter of the short option; 0: none */
	const char *name;
	const char *argument; /* argument in --help; NULL: takes none */
	enum option_type type;
	size_t offset; /* offset of the member in the struct of options */
	/* text of --help, maybe of several lines; NULL: not shown */
	const char *help;
	const char *(*names)(size_t i); /* replace @ in help; the last one is NULL */
	bool optional; /* the argument of a long option may be left out: set then gets NULL */
	bool common;   /* is shown by cxlmon --help without a topic */
	const char *topic;
	/* OPTION_NOT_...: subcommands that do not take this option of the monitor */
	unsigned not_for;

	/* parts of the message for a refused value: "WHAT 'VALUE': EXPECTED", or the choices */
	const char *what, *expected;
	/* returns whether a string is valid; NULL: any is */
	bool (*valid)(const char *value);
	int (*check)(const char *value, struct error *err); /* the same, with its own message */
	const char *const *choices; /* allowed values, also for a call; ends with NULL */
	double least, most;
	size_t times; /* 0: OPTION_STRINGS_MOST */
	int value;
	option_setter *set;
	const char *implied; /* value passed to set if the option takes no argument */
};

/* Parser of a command line, by tables of rows. */
struct option_parser {
	const struct option_row *const *tables; /* ended by NULL; a name's first row holds */
	int argc;
	char **argv;
	int at, next;	     /* indices in argv of the word that was read, and of the next */
	const char *letters; /* rest of a word of letters; NULL: none */
	const char *value;   /* value of the option (NULL: none), or the operand */
};

enum option_code {
	OPTION_END, /* end of the words, or "--", which is then argv[at] */
	OPTION_ROW,
	OPTION_OPERAND,
	OPTION_UNKNOWN,
	OPTION_NO_VALUE, /* an option without its value */
};

/*
 * Reads the next option or operand, as getopt_long() does: letters may share a word, and a unique
 * beginning of a name is enough. A value follows "=" or the letter, or is the next word. *row: the
 * option's row.
 */
enum option_code option_parser_next(struct option_parser *parser, const struct option_row **row);

/* Sets the member of the options by the option's value. ERROR_USAGE: the value is refused. */
int option_set(const struct option_row *row, void *options, const char *value, struct error *err);

/* Finds the option that is most like an unknown long option; NULL: none is. */
const char *option_nearest(const struct option_parser *parser, const char *word);

/* Returns the row's help, with names in place of @: in text, or constant without names. */
const char *option_help(const struct option_row *row, char *text, size_t size);

/* Prints the row's lines of --help. */
void option_print_help(const struct option_row *row, FILE *out);

/* Sets ERROR_USAGE, "WHAT 'VALUE': EXPECTED". Returns -EINVAL. */
int options_usage(struct error *err, const char *what, const char *value, const char *expected);

/* Sets ERROR_USAGE, with "WHAT 'VALUE': EXPECTED" of a row. Returns -EINVAL. */
int option_refuse(const struct option_row *row, const char *value, struct error *err);

bool option_not_empty(const char *value);

#endif
