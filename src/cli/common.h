/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Subcommands of cxlmon: descriptions, command lines, help, and functions that several of them
 * need.
 */
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
	const char *purpose; /* one line in cxlmon help all */
	const char *hint;    /* follows its name in cxlmon --help; NULL: none */
	bool for_developers; /* cxlmon --help lists it apart */
	/* subcommand after which cxlmon --help names it, as a table of the same; NULL: none */
	const struct subcommand *look_of;
	/*
	 * Runs the subcommand. Returns 0 or a negative errno. The exit status is options->status
	 * after 0, and after -EINTR if it is EXIT_SIGNALLED or more; else that of the error, which
	 * is printed.
	 */
	int (*run)(struct options *options, struct error *err);

	const char *usage;		  /* text of --help before the options */
	const struct option_row *options; /* its own options; ends with a row without a name */
	/* it takes the monitor's options without this in .not_for; 0: it takes none of them */
	enum option_not_for monitor;
	const char *notes;		/* text of --help after the options; NULL: none */
	void (*print_notes)(FILE *out); /* prints such text; NULL: none */
	size_t operands;		/* most operands, unless it takes the monitor's options */
	const char *operand; /* operands that shells propose: words, or "FILE"; NULL: none */
	bool runs_command;   /* takes COMMAND after -- */
	bool simulates;	     /* proposes a simulation if the exit status is EXIT_NO_UNIT */
};

/*
 * Returns true if a subcommand takes this row of the monitor's options, and has no row of its own
 * with that name.
 */
bool subcommand_shares(const struct subcommand *subcommand, const struct option_row *row);

/* Prints the text of the subcommand's --help. */
void subcommand_help(const struct subcommand *subcommand, FILE *out);

/* Sets options->output to the operand, if there is one. ERROR_USAGE: -o was also given. */
int common_take_file(struct options *options, struct error *err);

/*
 * Sets options->session.interval_ns and ->count by the operands INTERVAL and COUNT, if these are
 * given. ERROR_USAGE: one is invalid.
 */
int common_take_interval(struct options *options, struct error *err);

/*
 * Opens the real or simulated machine that the options name, calls use() with it, and closes it.
 * Returns the error of opening, or use()'s result.
 */
int common_with_platform(struct options *options,
			 int (*use)(struct options *options, struct platform *p, struct error *err),
			 struct error *err);

/* The output of a subcommand: a file, or standard output. */
struct common_output {
	const char *name; /* name for messages */
	FILE *out;	  /* stream to print to; NULL: .replaced is used */
	int fd;
	struct file_place replaced; /* file to be replaced; .directory -1: none */
};

/* Treatment of the file's old contents. */
enum common_contents {
	CONTENTS_EMPTIED,  /* removed when the file is opened */
	CONTENTS_KEPT,	   /* kept when the file is opened; the caller may remove them */
	CONTENTS_REPLACED, /* replaced by each sample of a format that does so */
};

/*
 * Returns the format of samples on fd: the chosen one, else a table on a terminal and CSV
 * elsewhere. A note tells a user at a terminal who gets CSV through a pipe how to get a table.
 */
const struct format *common_row_format(const struct options *options, int fd);

/*
 * Returns the columns and lines for a table on fd: a terminal's own. Otherwise the columns are
 * those in COLUMNS (if it is from 40 to 1000) or 80, and the lines are 0.
 */
struct winsize common_table_size(int fd);

/*
 * Open an output as output_open() does, and close it. name NULL: standard output, which stays open.
 * common_close_output() returns rc if it is an error; else the error of a write, now or earlier;
 * else 0.
 */
int common_open_output(const char *name, enum common_contents contents, struct common_output *out,
		       struct error *err);
int common_close_output(struct common_output *out, int rc, struct error *err);

/*
 * Checks that there are NUMA nodes of CXL memory, by the choice. Errors as platform_open() and
 * cxl_nodes_find().
 */
int common_check_nodes(const struct options *options, const struct cxl_node_choice *choice,
		       struct error *err);

/* Sets ERROR_FAILED, "NAME: cannot be written: ...", for a positive errno. Returns it negated. */
int common_cannot_write(const char *name, int code, struct error *err);

/*
 * Prints value to standard output, and releases it. NULL: out of memory, which is an error. Returns
 * 0, -EPIPE (nobody reads standard output) or -EIO.
 */
int common_print_json(const struct options *options, json_t *value, struct error *err);

/*
 * Flushes. Returns 0, or the negative errno of a write that failed, now or earlier. -EPIPE: nobody
 * reads it any more; before signals_block(), SIGPIPE ends the process instead.
 */
int common_flush(FILE *out);

/*
 * Flushes standard output if rc is 0, and prints the error, if any. Returns the exit status; for
 * -EPIPE it is as after SIGPIPE, and there is no message. name: the subcommand's.
 */
int common_finish(const char *name, int rc, struct error *err);

/* Functions for selftest and sweep, which transfer data to and from memory that they allocate. */

/*
 * Announces on standard error the traffic on nodes, its duration in ns, the memory that it takes,
 * and the nodes that are left out.
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

/* The monitor: cxlmon without a subcommand. It is not in subcommands[]. */
extern const struct subcommand cmd_monitor;
/*
 * Runs the monitor, also for record, serve, explain and top. Prints its own errors, and returns 0
 * in any case; the result is in options->status.
 */
int monitor_run(struct options *options, struct error *err);

/* All subcommands, in the order of help. Ends with NULL. */
extern const struct subcommand *const subcommands[];

/*
 * Prints the guard's rules, the MSRs and bits that cxlmon may write, as an allowlist of msr-safe.
 */
int register_print_allowlist(struct options *options, struct platform *p, struct error *err);

/* Returns the subcommand with this name; NULL: there is none. */
const struct subcommand *subcommand_named(const char *name);

/*
 * Prints the help on a topic; NULL: the usage and the most common options. ERROR_USAGE: no such
 * topic.
 */
int help_print(const char *topic, FILE *out, struct error *err);

/* Returns the name of topic i, from 0; NULL: there are no more. */
const char *help_topic(size_t i);

/*
 * Prints the help on a subcommand or a topic; NULL: on cxlmon. Sets options->subcommand to the
 * subcommand, else to help. Errors as help_print().
 */
int help_show(struct options *options, const char *name, struct error *err);

/*
 * command_line.c. Returns the subcommand that the first operand names, and moves that word to
 * argv[1], before the options. If it does not name one, returns &cmd_monitor, and leaves argv
 * unchanged.
 */
const struct subcommand *subcommand_find(int argc, char **argv);

/*
 * Reads the options and operands of options->subcommand, after argv[0]. options: as options_init()
 * has made it. The file of cxlmon record is given by -o, or is the first operand that does not read
 * as a number. ERROR_USAGE: a word is refused; the message says what was expected.
 */
int subcommand_parse(int argc, char **argv, struct options *options, struct error *err);

/*
 * Reads the command line after argv[0], and runs the subcommand. Prints its error, if any. Returns
 * the exit status.
 */
int subcommand_main(const struct subcommand *subcommand, int argc, char **argv);

#endif
