/* SPDX-License-Identifier: BSD-3-Clause */
/* Subcommands: their descriptions, and helpers to begin, write and end them. */
#ifndef CXLMON_CLI_COMMON_H
#define CXLMON_CLI_COMMON_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>

#include "base/error.h"
#include "cli/cli_private.h"
#include "cli/options.h"
#include "output/output_file.h"
#include "platform/platform.h"
#include "probe/load/under_load.h"
#include "uncore/devices/cxl_nodes.h"

/* Description of a subcommand, a constant in cmd_*.c. */
struct subcommand {
	const char *name;
	const char *purpose; /* text in cxlmon help all */
	const char *hint;    /* follows its name in cxlmon --help; NULL: none */
	bool for_developers;
	const struct subcommand *look_of; /* subcommand that it follows in cxlmon --help */
	/*
	 * Runs the subcommand; the exit status is options->status if nothing fails. -EINTR with a
	 * status from EXIT_SIGNALLED on is not a failure.
	 */
	int (*run)(struct options *options, struct error *err);

	/* text of --help before the options; the notes, of one kind or none, follow them */
	const char *usage;
	const struct option_row *options; /* NULL: only the monitor's */
	/* monitor's options that it does not take; 0: takes none of the monitor's */
	enum option_not_for monitor;
	const char *notes;
	void (*print_notes)(FILE *out);
	size_t operands;     /* most operands */
	const char *operand; /* proposals of shells: words, or "FILE"; NULL: nothing */
	bool runs_command;   /* runs COMMAND, after -- */
	bool simulates;	     /* proposes a simulation if there is nothing to show */
};

/* Returns whether a subcommand takes a row of the monitor's options that is not one of its own. */
bool subcommand_shares(const struct subcommand *subcommand, const struct option_row *row);

/* Prints the text of --help. */
void subcommand_help(const struct subcommand *subcommand, FILE *out);

/* Takes the operand as the file of -o. ERROR_USAGE if both are given. */
int common_take_file(struct options *options, struct error *err);

/*
 * Takes the operands INTERVAL and COUNT; a value that is not given stays as it is. ERROR_USAGE:
 * invalid.
 */
int common_take_interval(struct options *options, struct error *err);

/* Opens the machine that the options name, calls use, and closes it. */
int common_with_platform(struct options *options,
			 int (*use)(struct options *options, struct platform *p, struct error *err),
			 struct error *err);

/* The output of a subcommand. */
struct common_output {
	const char *name; /* for messages */
	FILE *out;
	int fd;
	/* place of a file to be replaced, if it has a directory; out is NULL then */
	struct file_place replaced;
};

enum common_contents {
	CONTENTS_EMPTIED,
	CONTENTS_KEPT,	   /* emptied later, if at all */
	CONTENTS_REPLACED, /* replaced, by a format that does so */
};

/*
 * Returns the format of rows on this output: the one that was chosen; else a table on a terminal,
 * and CSV elsewhere, which is said if somebody at a terminal reads it through a pipe.
 */
const struct format *common_row_format(const struct options *options, int fd);

/*
 * Returns the size of a table on this output, in characters: the terminal's; elsewhere the width in
 * COLUMNS, or 80, and no lines.
 */
struct winsize common_table_size(int fd);

/*
 * Opens the file, with the rights of sudo's caller; name NULL: standard output.
 * common_close_output() closes it and reports earlier failures to write. If rc is already a
 * failure, it returns rc instead.
 */
int common_open_output(const char *name, enum common_contents contents, struct common_output *out,
		       struct error *err);
int common_close_output(struct common_output *out, int rc, struct error *err);

/* Checks that there are known CXL nodes. Errors as cxl_nodes_find(). */
int common_check_nodes(const struct options *options, const struct cxl_node_choice *choice,
		       struct error *err);

/* Sets ERROR_FAILED, "NAME: cannot be written: ...", by a positive errno. */
int common_cannot_write(const char *name, int code, struct error *err);

/* Writes value (NULL: memory ran out) to standard output, and releases it. */
int common_print_json(const struct options *options, json_t *value, struct error *err);

/*
 * Flushes. Returns the negative errno of a write that has failed, now or earlier. -EPIPE: nobody
 * reads it any more, an error only after signals_block().
 */
int common_flush(FILE *out);

/*
 * Flushes standard output and reports the failure rc, if any. Returns the exit status; for -EPIPE,
 * the status of SIGPIPE, without a message.
 */
int common_finish(const char *name, int rc, struct error *err);

/* Helpers of selftest and sweep, which move data to and from memory that they allocate. */

/*
 * Announces on standard error the traffic on each node, its duration, and nodes that are left out.
 */
void traffic_announce(const struct load_nodes *found, uint64_t total_ns);

/* List of subcommands, from cmd_*.c, and help on them and on topics. */

/* Names of subcommands, in the order of help: DO(NAME) for each cmd_NAME. */
#define FOR_EACH_SUBCOMMAND(DO)                                                                    \
	DO(doctor)                                                                                 \
	DO(verify)                                                                                 \
	DO(selftest)                                                                               \
	DO(explain)                                                                                \
	DO(record)                                                                                 \
	DO(replay)                                                                                 \
	DO(report)                                                                                 \
	DO(compare)                                                                                \
	DO(info)                                                                                   \
	DO(list)                                                                                   \
	DO(serve)                                                                                  \
	DO(sweep)                                                                                  \
	DO(top)                                                                                    \
	DO(who)                                                                                    \
	DO(hot)                                                                                    \
	DO(snapshot)                                                                               \
	DO(restore)                                                                                \
	DO(register)                                                                               \
	DO(help)                                                                                   \
	DO(version)

#define DECLARE_SUBCOMMAND(name) extern const struct subcommand cmd_##name;
FOR_EACH_SUBCOMMAND(DECLARE_SUBCOMMAND)

/* The monitor without a subcommand, not in the list. record and serve share its run. */
extern const struct subcommand cmd_monitor;
int monitor_run(struct options *options, struct error *err);

/* Ends with NULL. */
extern const struct subcommand *const subcommands[];

/* Prints the guard's rules for MSRs as an allowlist for the msr-safe module. */
int register_print_allowlist(struct options *options, struct platform *p, struct error *err);

/* Finds a subcommand; NULL: no such name. */
const struct subcommand *subcommand_named(const char *name);

/*
 * Prints the usage and the most common options (topic NULL), or a topic. ERROR_USAGE: no such
 * topic.
 */
int help_print(const char *topic, FILE *out, struct error *err);

/* Returns the name of a topic; NULL: no more topics. */
const char *help_topic(size_t i);

/*
 * Shows the help on a topic or a subcommand, which becomes the run's subcommand; name NULL: help on
 * cxlmon.
 */
int help_show(struct options *options, const char *name, struct error *err);

/*
 * command_line.c. Finds the subcommand, the first word that is not an option or its value, and
 * moves its name to argv[1], before options. Returns &cmd_monitor, and leaves the line unchanged,
 * if there is none.
 */
const struct subcommand *subcommand_find(int argc, char **argv);

/*
 * Reads options and operands of options->subcommand; argv[0] is the subcommand's name. options: as
 * options_init() has made it. cxlmon record's file ("-": standard output) is given by -o or is the
 * first operand that does not read as a number. ERROR_USAGE, the message says what was expected.
 */
int subcommand_parse(int argc, char **argv, struct options *options, struct error *err);

/* Reads the line and runs the subcommand, whose name is argv[0]. Returns its exit status. */
int subcommand_main(const struct subcommand *subcommand, int argc, char **argv);

#endif
