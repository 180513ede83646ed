/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the subcommands share: the options that choose a machine and a form of output, and the way
 * in which they end.
 */
#ifndef CXLMON_TARGET_H
#define CXLMON_TARGET_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "platform/error.h"
#include "platform/platform.h"

struct target {
	const char *sim;  /* NULL: real hardware */
	const char *root; /* "/" */
	bool json, help;
	char **operands; /* in argv */
	size_t operand_count;
};

#define TARGET_OWN_OPTIONS 8

/* An option that one subcommand has besides. */
struct own_option {
	const char *name; /* NULL ends the list */
	char letter;	  /* 0: none */
	bool valued;
	int (*set)(void *context, const char *value, struct error *err);
};

/* The lines of --help for the options that all have. */
#define TARGET_HELP                                                                                \
	"      --json             as one JSON object\n"                                            \
	"      --sim=SPEC         of a simulated processor: spr, emr, gnr, srf or a snapshot\n"    \
	"      --root=DIR         find dev, sys and proc under DIR instead of /\n"

/*
 * argv[0] is the subcommand's name; own (NULL: none) has TARGET_OWN_OPTIONS rows at most.
 * EXIT_USAGE where an option isn't known or more operands are given. Strings in *out point into
 * argv.
 */
int target_parse(int argc, char **argv, const struct own_option *own, void *context,
		 size_t most_operands, struct target *out, struct error *err);

/* A subcommand that does one thing with one machine. */
struct target_command {
	void (*help)(const void *context);
	const struct own_option *own; /* NULL: none */
	size_t most_operands;
	void *context;
	/* EXIT_USAGE before the machine is opened; NULL: nothing to check */
	int (*check)(const struct target *target, void *context, struct error *err);
	int (*run)(const struct target *target, struct platform *p, void *context,
		   struct error *err);
};

/* From the words behind its name to the exit status. */
int target_run(int argc, char **argv, const struct target_command *command);

/* Writes value (NULL: memory ran out) to standard output, and releases it. */
int target_print_json(const char *name, json_t *value, struct error *err);

/* Ends a subcommand that came to rc: says what failed, and returns the exit status. */
int target_finish(const char *name, int rc, struct error *err);

#endif
