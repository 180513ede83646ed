/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The values of all options of cxlmon and its subcommands, and parts of option tables (see
 * parse_options.h) that subcommands share. The monitor is cxlmon without a subcommand; record,
 * serve, explain and top share its options.
 */
#ifndef CXLMON_CLI_OPTIONS_H
#define CXLMON_CLI_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/error.h"
#include "base/text.h"
#include "cli/cli_private.h"
#include "cli/parse_options.h"
#include "cli/times.h"
#include "output/sink.h"
#include "process/report.h"
#include "session/session.h"
#include "show/serve/listener.h"
#include "sim/sim_spec.h"
#include "uncore/devices/cxl_nodes.h"

struct subcommand;

/*
 * Policy of printing a summary to standard error at the end of a run. serve and --quiet print none.
 * SUMMARY_AUTO prints it if both are true:
 * - the screen was shown, or COUNT or COMMAND is given
 * - standard error is a terminal, or the output is a file
 */
enum summary_policy {
	SUMMARY_AUTO,
	SUMMARY_ALWAYS,
	SUMMARY_NEVER,
};

/*
 * Options of a command line. Members for which a subcommand has no option stay as options_init()
 * sets them. Strings point into argv, unless a comment says that they are owned.
 */
struct options {
	const struct subcommand *subcommand;
	/*
	 * operands, in argv. A subcommand that takes the monitor's options has none, except
	 * explain: its recordings
	 */
	char **operands;
	size_t operand_count;
	int status; /* exit status if nothing fails */

	struct session_options session; /* options of session_open() */
	enum verbosity verbosity;
	struct log log; /* log for messages, which drops what .verbosity excludes */
	bool help, version;
	const char *help_topic; /* topic of --help=TOPIC; NULL: none */

	const struct format *format; /* format of samples; NULL: see common_row_format() */
	void *target;		     /* .target of the format's sink; NULL: none */
	bool json, csv;		     /* --json, --csv: for subcommands that print no samples */
	const char *output;	     /* file of -o; NULL: standard output */
	char *recording;	     /* owned; .output or .hot.record points to it; NULL: none */
	bool output_given;	     /* OPTION_OUTPUT was given; always false for record */
	bool append;		     /* --append: the output continues an existing file */
	bool no_header;		     /* CSV has no header row */
	struct strings notes;	     /* remarks that a recording keeps */
	bool host;		     /* a recording keeps the name of this host */
	bool plain;		     /* --plain: a table instead of the screen */
	double link_GBps;	     /* GB/s of a port's link in one direction; 0: not given */
	enum summary_policy summary;
	double rotate_ms;   /* ms after which the next event group is counted; 0: not given */
	bool groups_chosen; /* groups were chosen: by -m, --pid or the screen's file of defaults */
	bool scope_chosen;  /* --per was given */

	/* Operands of the monitor, and options of record, explain and serve. */
	const char *interval_text; /* INTERVAL; NULL: not given */
	uint64_t count;		   /* COUNT, a number of samples; 0: endless */
	char **command;		   /* COMMAND, NULL-terminated; NULL: not given */
	bool command_alone;	   /* only COMMAND is counted (--pid=command) */
	bool record;		   /* record: the output is a recording */
	bool explain;		   /* explain: the output is findings */
	const char *recorded;	   /* explain: file of a recording; NULL: it measures */
	const char *measured;	   /* first option on what is measured, without "--"; NULL: none */
	const char *weights;	   /* explain: file of a sweep, to find node weights; NULL: none */
	bool what_if;		 /* explain: predicts a program's run time with its memory in CXL */
	const char *calibration; /* explain, report: file of a calibration; NULL: none */
	const char *listen_text; /* serve: ADDR:PORT; NULL: the default */
	bool serve;		 /* serve: samples are served by HTTP */
	struct listen_address listen; /* serve: the address to listen on */

	struct time_point from, to; /* --from, --to: part of a recording to read */
	struct strings conditions;  /* compare: conditions of --fail-if */
	bool screen;		    /* replay: samples are shown on the screen */

	/* Options of selftest and sweep. */
	int node;	    /* NUMA node to test; -1: all */
	const char *device; /* memory devices to test; NULL: all */
	uint64_t total_ns;  /* duration in ns; 0: the subcommand's default */
	bool calibrate;	    /* sweep: makes a calibration, from programs of known behaviour */

	enum row_by by; /* kind of rows of top, who and hot */

	bool who_reads; /* who: samples reads */

	/* Options of who and hot, which sample loads. top has .pids and .cgroup too. */
	struct {
		int event;     /* 1 + index in load_run_event_names; 0: the processor's default */
		double period; /* events per sample; 0: adapted to their rate */
		const char *pids;   /* list of processes; NULL: all */
		const char *cgroup; /* directory of a cgroup; NULL: all */
		const char *pages;  /* CSV file for ranges of 2 MiB; NULL: none */
		const char *range;  /* addresses START-END to divide into 4 KiB pages; NULL: none */
		const char *record; /* file to record samples in; NULL: none */
		double cool; /* number of samples after which counts are halved; 0: the default */
	} hot;

	/* Options of top, and of the screen's processes. */
	struct {
		bool first;		       /* top: the screen begins with processes */
		bool batch;		       /* top: prints rows instead of the screen */
		struct cxl_node_choice choice; /* nodes that count as CXL memory */
	} top;

	/* Options of register, which accesses one register. */
	const char *cpu; /* CPU through which the register is accessed; NULL: 0 */
	int words;	 /* width of the register in words of 4 bytes; 0: the default */
	bool unsafe;	 /* writes are not checked by the guard */
};

/* The monitor's options. Like all tables of options, it ends with a row without a name. */
extern const struct option_row monitor_options[];

/* Returns a subcommand's options before its command line is read. Freed by options_free(). */
struct options options_init(const struct subcommand *subcommand);
void options_free(struct options *options);

/*
 * Sets .recording to the file name that job_file_name() makes of pattern. Returns 0 or a negative
 * errno, as job_file_name().
 */
int options_name_recording(struct options *options, const char *pattern, struct error *err);

/*
 * Sets the output to a recording, whose file job_file_name() makes of name ("-": standard output).
 * Returns 0 or a negative errno. ERROR_USAGE: a file was already given, or name is invalid.
 */
int options_set_recording(struct options *options, const char *name, struct error *err);

/* Prints the help on the monitor's options of a topic; NULL: on the most common options. */
void options_help(FILE *out, const char *topic);

/* Returns name; NULL for "-", standard output. */
const char *options_output_file(const char *name);

/* Sets *out to the scope with this name, as for --per. Returns false if there is none. */
bool options_scope(const char *name, enum scope *out);

/*
 * Checks the name and the attributes of a user-defined metric, but not its formula. Returns 0 or a
 * negative errno.
 */
int options_check_metric(const char *value, struct error *err);
/* Setters of options: .set of their rows. */
option_setter options_set_by, options_set_format, options_set_output, options_set_scope,
	options_set_time;
/* Values that options accept: .choices of their rows. Each list ends with NULL. */
extern const char *const options_backends[],
	*const options_formats[], *const options_row_formats[], *const options_scopes[];
/*
 * Returns the name of format i, from 0, without table and csv; NULL: there are no more. Used as
 * .names of an OPTION_FORMAT row. The row's .help names table and csv, and has @ for the others.
 */
const char *options_more_formats(size_t i);

/* Sets a row's type and offset, by a member of struct options: OPTION_MEMBER(FLAG, json). */
#define OPTION_MEMBER(TYPE, MEMBER)                                                                \
	.type = OPTION_##TYPE, .offset = offsetof(struct options, MEMBER)

/*
 * Parts of rows (OPTION_...) that several tables have. Each table completes them: {OPTION_JSON,
 * .help = "print one JSON object"}.
 */
#define OPTION_JSON .name = "json", OPTION_MEMBER(FLAG, json)
#define OPTION_CSV  .name = "csv", OPTION_MEMBER(FLAG, csv)
#define OPTION_FORMAT                                                                              \
	.name = "format", .letter = 'f', .argument = "FMT", .set = options_set_format,             \
	.what = "unknown format"
#define OPTION_FORMAT_CSV  .name = "csv", .implied = "csv", .set = options_set_format
#define OPTION_FORMAT_JSON .name = "json", .implied = "json", .set = options_set_format
#define OPTION_OUTPUT	   .name = "output", .letter = 'o', .argument = "FILE", .set = options_set_output
/* Option -o that, unlike OPTION_OUTPUT, sets .output to "-" for standard output. */
#define OPTION_FILE                                                                                \
	.name = "output", .letter = 'o', .argument = "FILE", OPTION_MEMBER(STRING, output),        \
	.valid = option_not_empty, OPTION_FILE_EXPECTED
#define OPTION_FILE_EXPECTED .what = "no file", .expected = "expected -o FILE"
#define OPTION_METRICS                                                                             \
	.name = "metrics", .letter = 'm', OPTION_MEMBER(STRING, session.view.groups),              \
	.check = view_check_groups
#define OPTION_METRIC                                                                              \
	OPTION_MEMBER(STRINGS, session.metrics), .name = "metric", .argument = "DEF",              \
						 .check = options_check_metric
#define OPTION_METRICS_FROM                                                                        \
	OPTION_MEMBER(STRINGS, session.metric_files), .name = "metrics-from", .argument = "FILE"
#define OPTION_EVENT .name = "event", .letter = 'e', OPTION_MEMBER(STRINGS, session.events)
#define OPTION_EVENTS_FROM                                                                         \
	.name = "events-from", .argument = "FILE", OPTION_MEMBER(STRINGS, session.event_files)
#define OPTION_PER                                                                                 \
	.name = "per", .letter = 'p', .argument = "SCOPE", .set = options_set_scope,               \
	.what = "unknown scope", .choices = options_scopes
#define OPTION_NUMBERS(NAME, MEMBER)                                                               \
	.name = (NAME), .argument = "LIST", OPTION_MEMBER(STRING, MEMBER), .valid = numlist_valid, \
	.what = "not a list of numbers", .expected = "expected such as 0 or 0,2-3"
#define OPTION_NODES OPTION_NUMBERS("node", session.view.nodes)
#define OPTION_NODE                                                                                \
	.name = "node", .argument = "N", OPTION_MEMBER(INTEGER, node), .most = INT16_MAX,          \
	.what = "invalid node", .expected = "expected the number of a node",                       \
	.help = "use only this NUMA node"
#define OPTION_SECONDS .name = "seconds", .argument = "S", OPTION_MEMBER(TIME, total_ns)
#define OPTION_DEVICES                                                                             \
	.name = "device", .argument = "LIST", OPTION_MEMBER(STRING, session.view.devices),         \
	.valid = cxl_device_list_valid, .what = "not a list of memory devices",                    \
	.expected = "expected such as mem0 or mem0,mem2"
#define OPTION_CALIBRATION                                                                         \
	.name = "calibration", .argument = "FILE", OPTION_MEMBER(STRING, calibration)
#define OPTION_SIM .name = "sim", .argument = "SPEC", OPTION_MEMBER(STRING, session.sim)
#define OPTION_SIM_SHOWN                                                                           \
	OPTION_SIM,                                                                                \
		.help = "use a simulated processor, such as spr, or a snapshot: see cxlmon help sim"
#define OPTION_ROOT                                                                                \
	.name = "root", .argument = "DIR", OPTION_MEMBER(STRING, session.root),                    \
	.valid = option_not_empty, .what = "no root", .expected = "expected a directory"
#define OPTION_BACKEND                                                                             \
	.name = "backend", .argument = "HOW", OPTION_MEMBER(CHOICE, session.backend),              \
	.choices = options_backends, .what = "unknown backend"
#define OPTION_SUMMARY .name = "summary", OPTION_MEMBER(VALUE, summary), .value = SUMMARY_ALWAYS
#define OPTION_QUIET   .name = "quiet", .letter = 'q', OPTION_MEMBER(VALUE, verbosity), .value = QUIET
#define OPTION_VERBOSE                                                                             \
	.name = "verbose", .letter = 'v', OPTION_MEMBER(VALUE, verbosity), .value = VERBOSE

/* Rows of options that choose processes and memory, for who, hot and top. */
#define OPTIONS_PROCESSES                                                                              \
	{OPTION_NUMBERS("pid", hot.pids), .letter = 'p',                                               \
	 .help = "show only these processes, such as 1234,1240-1250"},                                 \
		{OPTION_MEMBER(STRING, hot.cgroup),                                                    \
		 .name = "cgroup",                                                                     \
		 .argument = "DIR",                                                                    \
		 .valid = option_not_empty,                                                            \
		 .what = "no cgroup",                                                                  \
		 .expected = "expected a directory",                                                   \
		 .help = "show only processes of this cgroup: a directory of the cgroup file system"}, \
		{OPTION_NODES, .help = "take these NUMA nodes as CXL memory, whatever they are"},      \
	{                                                                                              \
		OPTION_DEVICES, .help = "use only the nodes of these memory devices, such as "         \
					"mem0,mem2"                                                    \
	}
/* Part of a row that chooses kinds of rows, for top, who and hot. Each adds its .choices. */
#define OPTION_BY                                                                                  \
	.set = options_set_by, .name = "by", .argument = "WHAT", .what = "unknown kind of rows"
/* Part of a row that chooses the sampled event, for who and hot. */
#define OPTION_SAMPLED                                                                             \
	OPTION_MEMBER(CHOICE, hot.event), .name = "event", .letter = 'e', .argument = "EVENT",     \
					  .value = 1, .choices = load_run_event_names,             \
					  .what = "unknown event",                                 \
					  .help = "sample page-faults, minor-faults or "           \
						  "major-faults instead of loads"

#define HELP_ROOT    "use dev, sys, proc and run under DIR instead of /"
#define HELP_BACKEND "count by raw registers, perf (the kernel counts), or auto (default)"
#define HELP_QUIET   "print no messages except errors"

/* Row of --help, for every subcommand. */
#define OPTION_SHOW_HELP                                                                           \
	{                                                                                          \
		.name = "help", .letter = 'h', OPTION_MEMBER(FLAG, help), .help = "show this help" \
	}
/*
 * Rows that subcommands share:
 * - OPTIONS_MESSAGES: subcommands that print messages
 * - OPTIONS_MACHINE: subcommands that also open a machine
 * - OPTIONS_COUNTING: subcommands that also count events
 */
#define OPTIONS_MESSAGES                                                                           \
	{OPTION_QUIET, .help = HELP_QUIET}, {OPTION_VERBOSE, .help = "print more messages"},       \
		OPTION_SHOW_HELP
#define OPTIONS_MACHINE {OPTION_SIM_SHOWN}, {OPTION_ROOT, .help = HELP_ROOT}, OPTIONS_MESSAGES
#define OPTIONS_COUNTING                                                                           \
	{OPTION_SIM_SHOWN}, {OPTION_ROOT, .help = HELP_ROOT},                                      \
		{OPTION_BACKEND, .help = HELP_BACKEND}, OPTIONS_MESSAGES
/* Rows of subcommands that read a part of a recording. */
#define OPTIONS_OF_TIME                                                                            \
	{OPTION_MEMBER(CALL, from), .name = "from", .argument = "TIME", .set = options_set_time,   \
	 .help = "read only samples whose middle is at TIME or later: seconds since the\n"         \
		 "start, such as 90, or 07:05:28, or 2026-11-22T07:05:28Z"},                       \
	{                                                                                          \
		OPTION_MEMBER(CALL, to), .name = "to", .argument = "TIME",                         \
					 .set = options_set_time,                                  \
					 .help = "read only samples whose middle is before TIME"   \
	}
/* Rows of subcommands that record samples. */
#define OPTIONS_OF_RECORDING                                                                       \
	{OPTION_MEMBER(STRINGS, notes),                                                            \
	 .name = "note",                                                                           \
	 .argument = "TEXT",                                                                       \
	 .topic = "output",                                                                        \
	 .not_for = OPTION_NOT_SERVE | OPTION_NOT_EXPLAIN,                                         \
	 .times = 8,                                                                               \
	 .what = "too many notes",                                                                 \
	 .expected = "expected 8 at most",                                                         \
	 .help = "keep a remark in a recording, which report shows; repeatable"},                  \
	{                                                                                          \
		OPTION_MEMBER(FLAG, host),                                                         \
			.name = "host", .not_for = OPTION_NOT_SERVE | OPTION_NOT_EXPLAIN,          \
			.topic = "output", .help = "keep the name of this host in a recording"     \
	}
/* Rows that subcommands without a machine accept and ignore. --help does not show them. */
#define OPTIONS_IGNORED                                                                            \
	{OPTION_SIM}, {OPTION_ROOT}, {OPTION_BACKEND},                                             \
	{                                                                                          \
		OPTION_JSON                                                                        \
	}

#endif
