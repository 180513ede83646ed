/* SPDX-License-Identifier: BSD-3-Clause */
/* What subcommands have in common: options that choose a machine and its output, and their end. */
#ifndef CXLMON_COMMON_H
#define CXLMON_COMMON_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "platform/error.h"
#include "platform/platform.h"
#include "session/session.h"

struct common_options {
	const char *sim;  /* NULL: real hardware */
	const char *root; /* "/" */
	enum session_backend backend;
	bool json, help;
	bool quiet, verbose; /* one of them at most */
	char **operands;     /* in argv */
	size_t operand_count;
};

#define EXTRA_OPTIONS_MAX 8

/* An option that only one subcommand has. */
struct extra_option {
	const char *name; /* NULL ends the list */
	char letter;	  /* 0: none */
	bool valued;
	int (*set)(void *context, const char *value, struct error *err);
};

/* The common options' lines of --help. */
#define HELP_JSON "      --json             print one JSON object\n"
#define HELP_SIM                                                                                   \
	"      --sim=SPEC         use a simulated processor: spr, emr, gnr, gnr-d, srf, cwf,\n"    \
	"                         dmr, turin, venice, genoa, intel, amd, arm, or a snapshot\n"
#define HELP_ROOT "      --root=DIR         use dev, sys, proc and run under DIR instead of /\n"
#define HELP_BACKEND                                                                               \
	"      --backend=HOW      raw registers, perf (the kernel counts), or auto (default)\n"
#define HELP_QUIET   "  -q, --quiet            print no messages but errors\n"
#define HELP_VERBOSE "  -v, --verbose          print more messages\n"
#define HELP_HELP    "  -h, --help             show this help\n"
#define HELP_COMMON  HELP_SIM HELP_ROOT HELP_BACKEND HELP_QUIET HELP_VERBOSE HELP_HELP
/* Those of a machine_command. */
#define HELP_MACHINE HELP_SIM HELP_ROOT HELP_QUIET HELP_VERBOSE HELP_HELP

/*
 * argv[0] is the subcommand's name; extra (NULL: none) has at most EXTRA_OPTIONS_MAX rows.
 * EXIT_USAGE for an unknown option or too many operands. Strings in *out point into argv.
 */
int common_parse(int argc, char **argv, const struct extra_option *extra, void *context,
		 size_t max_operands, struct common_options *out, struct error *err);

struct option;

/* The name of the option that is most like a long option that there is not; NULL: none is. */
const char *common_nearest_option(const char *word, const struct option *longs);

/* EXIT_USAGE: a word that is no option of the subcommand, or lacks its value. */
int common_refuse_option(const char *subcommand, const char *word, const struct option *longs,
			 struct error *err);

/*
 * A subcommand that opens a machine and does one thing with it. It counts nothing, and so takes no
 * --backend.
 */
struct machine_command {
	void (*help)(const void *context);
	const struct extra_option *extra; /* NULL: none */
	size_t max_operands;
	void *context;
	/* EXIT_USAGE before the machine is opened; NULL: nothing to check */
	int (*check)(const struct common_options *options, void *context, struct error *err);
	int (*run)(const struct common_options *options, struct platform *p, void *context,
		   struct error *err);
};

/* Parses the options, runs the command on the machine they name, and returns the exit status. */
int common_run(int argc, char **argv, const struct machine_command *command);

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
