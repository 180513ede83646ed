/* SPDX-License-Identifier: BSD-3-Clause */
/* Subcommands: their description, how they begin and end. */
#ifndef CXLMON_COMMON_H
#define CXLMON_COMMON_H

#include <jansson.h>
#include <stddef.h>
#include <stdio.h>

#include "cli/options.h"
#include "platform/error.h"
#include "platform/platform.h"

/* Each is a constant in cmd_*.c. */
struct subcommand {
	const char *name;
	const char *purpose; /* as cxlmon --help shows it */
	/* as subcommand_run() takes it; or, if it has more to do, its own main() instead */
	int (*run)(struct options *options, struct error *err);
	int (*main)(int argc, char **argv);

	/* --help: the usage, the options, then the notes, of one kind or none */
	const char *usage;
	const struct option_row *options;
	enum option_not_for monitor; /* it takes the monitor's options, too, but not these; or 0 */
	const char *notes;
	void (*print_notes)(FILE *out);
	size_t operands;     /* at most */
	const char *operand; /* what shells propose: words, or "FILE"; NULL: nothing */
};

/* Whether a subcommand takes a row of the monitor that is not one of its own. */
bool subcommand_shares(const struct subcommand *subcommand, const struct option_row *row);

/* argv[0] is the subcommand's name. Returns the exit status. */
int subcommand_main(const struct subcommand *subcommand, int argc, char **argv);

/* Prints what --help shows. */
void subcommand_help(const struct subcommand *subcommand, FILE *out);

/*
 * Parses options and operands into *options, whose .session is set up first; more of them may
 * follow it. EXIT_USAGE for an unknown option or too many operands.
 */
int subcommand_parse(const struct subcommand *subcommand, int argc, char **argv,
		     struct options *options, struct error *err);

/*
 * Parses the command line, and runs the subcommand. Returns its exit status, which is
 * options->status if nothing fails. -EINTR with a status from EXIT_SIGNALLED on is no failure.
 */
int subcommand_run(const struct subcommand *subcommand, int argc, char **argv,
		   struct options *options, int (*run)(struct options *options, struct error *err));

/* The file of -o may also be given as the operand. EXIT_USAGE for both. */
int common_take_file(struct options *options, const char *name, struct error *err);

/* Opens the machine that the options name, and does one thing with it. */
int common_with_platform(struct options *options,
			 int (*use)(struct options *options, struct platform *p, struct error *err),
			 struct error *err);

/* Writes value (NULL: memory ran out) to standard output, and releases it. */
int common_print_json(const char *name, json_t *value, struct error *err);

/*
 * 0, or the negative errno of a write that has failed, now or earlier. -EPIPE: nobody reads it any
 * more, where signals_block() makes that an error.
 */
int common_flush(FILE *out);

/*
 * Flushes standard output and reports the failure rc, if any. Returns the exit status: of -EPIPE
 * that of SIGPIPE, without a message.
 */
int common_finish(const char *name, int rc, struct error *err);

#endif
