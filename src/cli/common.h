/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Subcommands of cxlmon: descriptions, command lines, help, and functions that several of them use.
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
	/*
	 * Subcommand that shows the same rows on the screen; NULL: none. For who, it is top: so
	 * cxlmon --help names who only in the parentheses after top.
	 */
	const struct subcommand *look_of;
	/*
	 * Runs the subcommand. Returns 0 or a negative errno. The exit status is options->status if
	 * run() returns 0 and standard output can be flushed, or if run() returns -EINTR and
	 * .status is EXIT_SIGNALLED or more. Otherwise it is the result of common_finish(), which
	 * prints the error.
	 */
	int (*run)(struct options *options, struct error *err);

	const char *usage;		  /* text of --help before the options */
	const struct option_row *options; /* its own options; ends with a row without a name */
	/*
	 * not 0: takes the monitor's options, except those whose .not_for has this bit; 0: takes
	 * none of the monitor's options
	 */
	enum option_not_for monitor;
	const char *notes;		/* text of --help after the options; NULL: none */
	void (*print_notes)(FILE *out); /* prints more text after .notes; NULL: none */
	size_t operands;		/* most operands; not used if .monitor is set */
	const char *operand; /* operands that shells propose: words, or "FILE"; NULL: none */
	bool runs_command;   /* takes COMMAND after --, as all with .monitor do */
	bool simulates;	     /* proposes a simulation if the exit status is EXIT_NO_UNIT */
};

/*
 * Returns true if a subcommand takes this option of the monitor, and does not replace it by its
 * own.
 */
bool subcommand_shares(const struct subcommand *subcommand, const struct option_row *row);

/* Prints a subcommand's --help, with its own options. */
void subcommand_help(const struct subcommand *subcommand, FILE *out);

/*
 * Sets options->output to the first operand, if there is one. Returns 0 or -EINVAL (ERROR_USAGE):
 * -o was also given.
 */
int common_take_file(struct options *options, struct error *err);

/*
 * Sets options->session.interval_ns and options->count by the operands INTERVAL and COUNT, as far
 * as they are given. Returns 0 or -EINVAL (ERROR_USAGE): one is invalid.
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
	const char *name;	    /* name for messages */
	FILE *out;		    /* stream to print to; NULL: .replaced is used */
	int fd;			    /* descriptor of the output */
	struct file_place replaced; /* file that samples replace; .directory -1: none */
};

/* Treatment of an output file's old contents. */
enum common_contents {
	CONTENTS_EMPTIED,  /* removed when the file is opened */
	CONTENTS_KEPT,	   /* kept when the file is opened; the caller may remove them */
	CONTENTS_REPLACED, /* replaced by each sample, for formats with .replaces */
};

/*
 * Returns the format of samples on fd: the chosen one or, without a choice, a table on a terminal
 * and CSV elsewhere. If CSV goes from a terminal into a pipe, a note says how to get a table.
 */
const struct format *common_row_format(const struct options *options, int fd);

/*
 * Returns the columns and rows for a table on fd. If fd is not a terminal, the columns are the
 * environment variable COLUMNS (if that is from 40 to 1000) or 80, and the rows are 0.
 */
struct winsize common_table_size(int fd);

/*
 * Opens an output, as output_open() does. name: file name; NULL: standard output. Returns 0 or a
 * negative errno. Closed by common_close_output().
 */
int common_open_output(const char *name, enum common_contents contents, struct common_output *out,
		       struct error *err);
/*
 * Closes an output; standard output is flushed and stays open. Returns rc if it is not 0; else the
 * negative errno of a write that failed, now or earlier; else 0.
 */
int common_close_output(struct common_output *out, int rc, struct error *err);

/*
 * Checks that there are NUMA nodes that count as CXL memory. Returns 0 or an error of
 * platform_open() or cxl_nodes_find().
 */
int common_check_nodes(const struct options *options, const struct cxl_node_choice *choice,
		       struct error *err);

/*
 * Prints value to standard output, and releases it. Returns 0; -EPIPE: nobody reads standard
 * output; -EIO: another error, or value is NULL (out of memory). The end of the output may still be
 * buffered: common_finish() flushes it.
 */
int common_print_json(const struct options *options, json_t *value, struct error *err);

/*
 * Flushes a stream. Returns 0 or the negative errno of a write that failed, now or earlier. -EPIPE:
 * nobody reads the stream any more. Before signals_block(), SIGPIPE ends the process instead.
 */
int common_flush(FILE *out);
/* Flushes an output as common_flush(); *err names the output. */
int common_flush_output(const struct common_output *output, struct error *err);

/*
 * Ends a subcommand with the result rc. If rc is 0, flushes standard output. Prints the error,
 * except -EPIPE, and returns the exit status; for -EPIPE, the status after SIGPIPE. name: the
 * subcommand's.
 */
int common_finish(const char *name, int rc, struct error *err);

/* Functions for selftest and sweep, which transfer data to and from memory that they allocate. */

/*
 * Prints to standard error the duration of traffic on nodes, the memory and threads that it takes,
 * and the nodes that are left out. total_ns: duration on all nodes together.
 */
void traffic_announce(const struct load_nodes *found, uint64_t total_ns);

/* List of subcommands, from cmd_*.c, and help on them and on topics. */

/* Calls DO(NAME) for each subcommand cmd_NAME, in the order of help. */
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
 * Runs the monitor, also for record, serve, explain and top. Prints its errors, sets
 * options->status, and returns 0 in any case.
 */
int monitor_run(struct options *options, struct error *err);

/* All subcommands, in the order of help. Ends with NULL. */
extern const struct subcommand *const subcommands[];

/*
 * Prints the MSRs and bits that cxlmon may write (the guard's rules), as an allowlist of msr-safe.
 * Returns 0 or a negative errno. ERROR_PERMISSION: the uncore is not readable, so the list would be
 * incomplete.
 */
int register_print_allowlist(struct options *options, struct platform *p, struct error *err);

/* Returns the subcommand with this name; NULL: there is none. */
const struct subcommand *subcommand_named(const char *name);

/*
 * Prints the help on a topic; NULL: usage and the most common options. Returns 0 or -EINVAL
 * (ERROR_USAGE): the topic is unknown.
 */
int help_print(const char *topic, FILE *out, struct error *err);

/* Returns the name of topic i, from 0; NULL: there are no more. */
const char *help_topic(size_t i);

/*
 * Prints the help on a subcommand or a topic; NULL: on cxlmon. Sets options->subcommand to that
 * subcommand, or to cmd_help. Errors as help_print().
 */
int help_show(struct options *options, const char *name, struct error *err);

/*
 * command_line.c. Returns the subcommand that the first operand names, and moves that operand to
 * argv[1], before the options. If it names none, returns &cmd_monitor.
 */
const struct subcommand *subcommand_find(int argc, char **argv);

/*
 * Reads the options and operands of options->subcommand, after argv[0]. options: from
 * options_init(). The file of cxlmon record is given by -o, or by the first operand that is not a
 * number. Returns 0 or a negative errno. ERROR_USAGE: a word is refused.
 */
int subcommand_parse(int argc, char **argv, struct options *options, struct error *err);

/*
 * Reads the command line after argv[0], and runs the subcommand. Prints its error, if any. Returns
 * the exit status.
 */
int subcommand_main(const struct subcommand *subcommand, int argc, char **argv);

#endif
