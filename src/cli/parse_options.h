/* SPDX-License-Identifier: BSD-3-Clause */
/* Options as rows of tables, for parsing, --help, and proposals after a misspelt option. */
#ifndef CXLMON_CLI_PARSE_OPTIONS_H
#define CXLMON_CLI_PARSE_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/error.h"

#define OPTION_STRINGS_MOST 64 /* most uses of an OPTION_STRINGS option */
#define OPTION_HELP_SIZE    1024

/* Type of the member that an option sets. */
enum option_type {
	OPTION_CALL,	/* set by .set */
	OPTION_FLAG,	/* bool: set to true */
	OPTION_VALUE,	/* int or enum: set to .value */
	OPTION_STRING,	/* const char * */
	OPTION_STRINGS, /* struct strings: appended to, at most .times */
	OPTION_CHOICE,	/* int or enum: set to .value plus the value's index in .choices */
	OPTION_INTEGER, /* int from 0 to .most */
	OPTION_NUMBER,	/* double from .least to .most */
	OPTION_TIME,	/* uint64_t: set to a duration in ns, by interval_parse() */
};

/* Subcommands that share the monitor's options. A set bit excludes an option from one of them. */
enum option_not_for {
	OPTION_NOT_RECORD = 1,
	OPTION_NOT_SERVE = 2,
	OPTION_NOT_MONITOR = 4,
	OPTION_NOT_EXPLAIN = 8,
};

struct option_row;

/*
 * Sets the member of an option by its value. Returns 0 or a negative errno. ERROR_USAGE: the value
 * is refused.
 */
typedef int option_setter(const struct option_row *row, void *member, const char *value,
			  struct error *err);

/* An option: a row of a table. Tables end with a row whose name is NULL. */
struct option_row {
	char letter;	      /* letter of the short option; 0: none */
	const char *name;     /* name of the long option, without "--" */
	const char *argument; /* name of the argument in --help; NULL: the option takes none */
	enum option_type type;
	size_t offset;	  /* offset of the member in the struct of options */
	const char *help; /* text of --help, which may have newlines; NULL: not shown there */
	/*
	 * returns name i, from 0, of the list that replaces @ in .help, and NULL after the last
	 * name; .names NULL: .help has no @
	 */
	const char *(*names)(size_t i);
	bool optional;	   /* the argument may be left out: .set then gets NULL */
	bool common;	   /* shown by cxlmon --help without a topic */
	const char *topic; /* topic of cxlmon help; only for the monitor's options */
	unsigned not_for;  /* OPTION_NOT_...: subcommands without this option of the monitor */

	/*
	 * parts of the message if a value is refused, "WHAT 'VALUE': EXPECTED"; .expected NULL: the
	 * message lists .choices
	 */
	const char *what, *expected;
	/* returns true if a string is valid; NULL: any string is */
	bool (*valid)(const char *value);
	/* returns 0 for a valid string, or sets *err; NULL: any string is valid */
	int (*check)(const char *value, struct error *err);
	/* allowed values, then NULL; for OPTION_CALL, .set checks that the value is one of them */
	const char *const *choices;
	double least, most;  /* range of OPTION_NUMBER; .most also for OPTION_INTEGER */
	size_t times;	     /* most uses of OPTION_STRINGS; 0: OPTION_STRINGS_MOST */
	int value;	     /* for OPTION_VALUE and OPTION_CHOICE */
	option_setter *set;  /* for OPTION_CALL */
	const char *implied; /* value for .set if the option takes no argument */
};

/*
 * Parser of a command line. The caller sets .tables, .argc and .argv, sets .next to the first
 * index, and zeroes the other members.
 */
struct option_parser {
	/* ends with NULL. If several tables have an option, the first one counts */
	const struct option_row *const *tables;
	int argc;
	char **argv;
	int at, next;	     /* indices in argv of the latest word, and of the next */
	const char *letters; /* rest of a word of short options; NULL: none */
	const char *value;   /* value of the option (NULL: none), or the operand */
};

/* Results of option_parser_next(). */
enum option_code {
	OPTION_END,	 /* no more words, or argv[at] is "--" */
	OPTION_ROW,	 /* an option: *row, with parser->value */
	OPTION_OPERAND,	 /* an operand: parser->value */
	OPTION_UNKNOWN,	 /* argv[at] is unknown, ambiguous, or has a value but takes none */
	OPTION_NO_VALUE, /* argv[at] is an option whose value is missing */
};

/*
 * Reads the next option or operand. Letters may share a word, and a unique beginning of a name is
 * enough, as for getopt_long(). A value follows "=" or the letter, or is the next word. If the row
 * is .optional, only a value after "=" is read.
 */
enum option_code option_parser_next(struct option_parser *parser, const struct option_row **row);

/*
 * Sets the row's member in the struct options, by a value that must stay valid. Returns 0 or a
 * negative errno. ERROR_USAGE: the value is refused.
 */
int option_set(const struct option_row *row, void *options, const char *value, struct error *err);

/*
 * Returns the name of the option most similar to word, without "--". word: "--NAME" or
 * "--NAME=VALUE". NULL: none is similar, or word does not begin with "--".
 */
const char *option_nearest(const struct option_parser *parser, const char *word);

/* Returns the row's help. If the row has .names, writes it to text, and returns text. */
const char *option_help(const struct option_row *row, char *text, size_t size);

/* Prints the row's lines of --help. row->help must not be NULL. */
void option_print_help(const struct option_row *row, FILE *out);

/* Sets an error (ERROR_USAGE), "WHAT 'VALUE': EXPECTED". Returns -EINVAL. */
int options_usage(struct error *err, const char *what, const char *value, const char *expected);

/* Sets the same error, with the row's .what and .expected. Returns -EINVAL. */
int option_refuse(const struct option_row *row, const char *value, struct error *err);

/* Returns true if a string is not empty. For .valid. */
bool option_not_empty(const char *value);

#endif
