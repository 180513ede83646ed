/* SPDX-License-Identifier: BSD-3-Clause */
/* Subcommands: their description, how they begin, write and end. */
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

/* Each is a constant in cmd_*.c. */
struct subcommand {
	const char *name;
	const char *purpose; /* as cxlmon help all shows it */
	const char *hint;    /* behind its name in cxlmon --help; NULL: none */
	bool for_developers;
	const struct subcommand *look_of; /* in the list of cxlmon --help it follows that one */
	/*
	 * Its exit status is options->status if nothing fails. -EINTR with a status from
	 * EXIT_SIGNALLED on is no failure.
	 */
	int (*run)(struct options *options, struct error *err);

	/* --help: the usage, the options, then the notes, of one kind or none */
	const char *usage;
	const struct option_row *options; /* NULL: only those of the monitor */
	enum option_not_for monitor; /* it takes the monitor's options, too, but not these; or 0 */
	const char *notes;
	void (*print_notes)(FILE *out);
	size_t operands;     /* at most */
	const char *operand; /* proposed by shells: words, or "FILE"; NULL: nothing */
	bool runs_command;   /* behind -- */
	bool simulates;	     /* where there is nothing to show, a simulation is proposed */
};

/* Whether a subcommand takes a row of the monitor that is not one of its own. */
bool subcommand_shares(const struct subcommand *subcommand, const struct option_row *row);

/* Prints what --help shows. */
void subcommand_help(const struct subcommand *subcommand, FILE *out);

/* The file of -o may also be given as the operand. ERROR_USAGE for both. */
int common_take_file(struct options *options, struct error *err);

/* Takes the operands INTERVAL and COUNT; what is not given stays as it is. ERROR_USAGE. */
int common_take_interval(struct options *options, struct error *err);

/* Opens the machine that the options name, and does one thing with it. */
int common_with_platform(struct options *options,
			 int (*use)(struct options *options, struct platform *p, struct error *err),
			 struct error *err);

/* The output of a subcommand. */
struct common_output {
	const char *name; /* for messages */
	FILE *out;
	int fd;
	struct file_place replaced; /* if it has a directory: to be replaced, and out is NULL */
};

enum common_contents {
	CONTENTS_EMPTIED,
	CONTENTS_KEPT,	   /* for now */
	CONTENTS_REPLACED, /* by a format that replaces its file */
};

/*
 * Returns the format of rows on this output: the one that was chosen; else a table on a terminal,
 * and CSV elsewhere, which is said if somebody at a terminal reads it through a pipe.
 */
const struct format *common_row_format(const struct options *options, int fd);

/*
 * The size of a table on this output, in characters: that of the terminal; elsewhere as wide as
 * COLUMNS says, or 80, and no lines.
 */
struct winsize common_table_size(int fd);

/*
 * Opens the file, by the rights of who called sudo; name NULL: standard output. Closed by
 * common_close_output(), which also reports earlier failures to write, unless rc, which it returns
 * then, says that something else has failed already.
 */
int common_open_output(const char *name, enum common_contents contents, struct common_output *out,
		       struct error *err);
int common_close_output(struct common_output *out, int rc, struct error *err);

/* Checks that nodes with CXL memory are known. The error is that of cxl_nodes_find(). */
int common_check_nodes(const struct options *options, const struct cxl_node_choice *choice,
		       struct error *err);

/* ERROR_FAILED: "NAME: cannot be written: ...", of a positive errno. */
int common_cannot_write(const char *name, int code, struct error *err);

/* Writes value (NULL: memory ran out) to standard output, and releases it. */
int common_print_json(const struct options *options, json_t *value, struct error *err);

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

/* Common to selftest and sweep, which move data to and from memory that they allocate. */

/* Before each line of progress on a terminal, and after the last. */
#define CLEAR_LINE "\r\033[K"

/* Says on standard error what will be done with the nodes, how long it takes, and what is left out.
 */
void traffic_announce(const struct load_nodes *found, uint64_t total_ns);

/* The list of subcommands, each of which is in cmd_*.c, and help on them and on topics. */

/* Each subcommand, a line each, in the order of help: cmd_NAME. */
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

/* Without a subcommand: not in the list. Its run is also that of record and serve. */
extern const struct subcommand cmd_monitor;
int monitor_run(struct options *options, struct error *err);

/* Ends with NULL. */
extern const struct subcommand *const subcommands[];

/* Prints the guard's rules for MSRs, as an allowlist for the msr-safe module. */
int register_print_allowlist(struct options *options, struct platform *p, struct error *err);

/* NULL: there is none. */
const struct subcommand *subcommand_named(const char *name);

/* The usage and the most common options (topic NULL), or a topic. ERROR_USAGE: there is none such.
 */
int help_print(const char *topic, FILE *out, struct error *err);

/* The name of a topic; NULL: there are no more. */
const char *help_topic(size_t i);

/* Shows the help on a topic or a subcommand, which becomes that of the run; name NULL: on cxlmon.
 */
int help_show(struct options *options, const char *name, struct error *err);

/*
 * command_line.c. Finds the subcommand, the first word that is not an option or its value, and
 * moves its name to argv[1], before options. &cmd_monitor: there is none, and the line is
 * unchanged.
 */
const struct subcommand *subcommand_find(int argc, char **argv);

/*
 * Reads options and operands of options->subcommand; argv[0] is the subcommand's name. options is
 * as options_init() has made it. The file of cxlmon record ("-": standard output) is the first
 * operand that does not read as a number, or that of -o. ERROR_USAGE, with a message that says what
 * was expected.
 */
int subcommand_parse(int argc, char **argv, struct options *options, struct error *err);

/* Reads the line, of which argv[0] is the subcommand's name, and runs it. Returns its exit status.
 */
int subcommand_main(const struct subcommand *subcommand, int argc, char **argv);

#endif
