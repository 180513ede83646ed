/* SPDX-License-Identifier: BSD-3-Clause */
/* Options as rows of tables, for parsing, --help, and proposals after a misspelt option. */
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
	OPTION_TIME,	/* uint64_t: a duration in nanoseconds, as interval_parse() */
};

/* Subcommands that share the monitor's options, as bits. */
enum option_not_for {
	OPTION_NOT_RECORD = 1,
	OPTION_NOT_SERVE = 2,
	OPTION_NOT_MONITOR = 4,
	OPTION_NOT_EXPLAIN = 8,
};

struct option_row;

/*
 * Sets the member at the row's offset by a value. Returns 0 or a negative errno. ERROR_USAGE: the
 * value is refused.
 */
typedef int option_setter(const struct option_row *row, void *member, const char *value,
			  struct error *err);

/* An option. Tables end with a row whose name is NULL. */
struct option_row {
	char letter;	      /* letter of the short option; 0: none */
	const char *name;     /* name of the long option */
	const char *argument; /* name of its argument in --help; NULL: it takes none */
	enum option_type type;
	size_t offset; /* offset of the member in the struct of options */
	/* text of --help, in which lines may end; NULL: the option is not shown */
	const char *help;
	/* names that replace @ in help, by index; NULL after the last */
	const char *(*names)(size_t i);
	bool optional;	   /* the argument may be left out: .set then gets NULL */
	bool common;	   /* shown by cxlmon --help without a topic */
	const char *topic; /* topic of cxlmon help; only for the monitor's options */
	unsigned not_for;  /* OPTION_NOT_...: subcommands without this option of the monitor */

	/*
	 * parts of the message for a refused value: "WHAT 'VALUE': EXPECTED"; expected NULL: the
	 * choices
	 */
	const char *what, *expected;
	/* returns true if a string is valid; NULL: any is */
	bool (*valid)(const char *value);
	/* returns 0 for a valid string, or sets its own message; NULL: any is valid */
	int (*check)(const char *value, struct error *err);
	/* allowed values; ends with NULL. For OPTION_CALL, .set checks them */
	const char *const *choices;
	double least, most;  /* range of a number */
	size_t times;	     /* 0: OPTION_STRINGS_MOST */
	int value;	     /* see the types */
	option_setter *set;  /* only for OPTION_CALL */
	const char *implied; /* value passed to set if the option takes no argument */
};

/* Parser of a command line. The caller sets .tables, .argc, .argv, and .next to the first word. */
struct option_parser {
	/* ends with NULL. The first row with a name holds */
	const struct option_row *const *tables;
	int argc;
	char **argv;
	int at, next;	     /* indices in argv of the word that was read last, and of the next */
	const char *letters; /* rest of a word of short options; NULL: none */
	const char *value;   /* value of the option (NULL: none), or the operand */
};

/* Results of option_parser_next(). */
enum option_code {
	OPTION_END,	 /* end of the words, or "--", which is then argv[at] */
	OPTION_ROW,	 /* an option: *row */
	OPTION_OPERAND,	 /* an operand: parser->value */
	OPTION_UNKNOWN,	 /* argv[at]: no such option, or a value that it does not take */
	OPTION_NO_VALUE, /* argv[at]: an option without its value */
};

/*
 * Reads the next option or operand, as getopt_long() does: letters may share a word, and a unique
 * beginning of a name is enough. A value follows "=" or the letter, or is the next word.
 */
enum option_code option_parser_next(struct option_parser *parser, const struct option_row **row);

/*
 * Sets the row's member in the struct options. value is not copied. Returns 0 or a negative errno.
 * ERROR_USAGE: the value is refused.
 */
int option_set(const struct option_row *row, void *options, const char *value, struct error *err);

/* Returns the name of the option that is most like word, an unknown long option; NULL: none is. */
const char *option_nearest(const struct option_parser *parser, const char *word);

/* Returns the row's help. If it has names, these replace @, and the help is written to text. */
const char *option_help(const struct option_row *row, char *text, size_t size);

/* Prints the row's lines of --help; the row must have a help. */
void option_print_help(const struct option_row *row, FILE *out);

/* Sets ERROR_USAGE, "WHAT 'VALUE': EXPECTED". Returns -EINVAL. */
int options_usage(struct error *err, const char *what, const char *value, const char *expected);

/* Sets ERROR_USAGE, with a row's .what and .expected, or its .choices. Returns -EINVAL. */
int option_refuse(const struct option_row *row, const char *value, struct error *err);

/* Returns true if a string is not empty: for .valid. */
bool option_not_empty(const char *value);

#endif
