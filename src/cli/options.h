/* SPDX-License-Identifier: BSD-3-Clause */
/* Options of a command line: the monitor's, and options that subcommands share. */
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

/* Policy of the summary on standard error. */
enum summary_policy {
	SUMMARY_AUTO, /* with COUNT or COMMAND, if standard error is a terminal */
	SUMMARY_ALWAYS,
	SUMMARY_NEVER,
};

/*
 * Options of a command line. Each subcommand uses the members that it has options for; the others
 * stay as options_init() sets them. Strings point into argv.
 */
struct options {
	const struct subcommand *subcommand;
	char **operands; /* in argv; the monitor takes its operands itself */
	size_t operand_count;
	int status; /* exit status if nothing fails */

	struct session_options session; /* options of session_open() */
	enum verbosity verbosity;
	struct log log; /* destination of messages, with the least level */
	bool help, version;
	const char *help_topic; /* topic of --help=TOPIC; NULL: none */

	const struct format *format; /* format of samples; NULL: table on a terminal, else csv */
	void *target;		     /* further data of the format; NULL: none */
	bool json, csv;		     /* formats of subcommands that print no samples */
	const char *output;	     /* NULL: standard output */
	bool output_given;	     /* -o was given, also for standard output */
	bool append;		     /* the output continues an existing file */
	bool no_header;		     /* CSV without its header row */
	struct strings notes;	     /* remarks that a recording keeps */
	bool host;		     /* a recording keeps the host's name */
	bool plain;		     /* a table instead of the screen */
	double link_GBps;	     /* bandwidth of a port's link in one direction; 0: unknown */
	enum summary_policy summary;
	double rotate_ms;   /* interval of rotation; 0: not given */
	bool groups_chosen; /* -m was given */
	bool scope_chosen;  /* --per was given */

	/* operands of the monitor */
	const char *interval_text; /* text of the operand; NULL: not given */
	uint64_t count;		   /* samples; 0: endless */
	char **command;		   /* NULL-terminated; NULL: no COMMAND */
	bool command_alone;	   /* only COMMAND is counted */
	bool record;		   /* cxlmon record: the output is a recording */
	bool explain;		   /* cxlmon explain: the output is findings */
	const char *recorded;	   /* explain: its recording; NULL: it measures */
	const char *weights;	   /* explain: a sweep, to find node weights; NULL: none */
	bool what_if;		   /* explain: predicts the run time with its memory in CXL */
	const char *calibration;   /* calibration of a machine, for this prediction; NULL: none */
	const char *listen_text;   /* cxlmon serve: ADDR:PORT; NULL: the default */
	bool serve;		   /* cxlmon serve: the server of samples */
	struct listen_address listen;

	/* part of the recording to read */
	struct time_point from, to;
	struct strings conditions; /* conditions of --fail-if */
	bool screen;		   /* the recording is shown on the screen */

	/* traffic of selftest and sweep */
	int node;	    /* -1: any */
	const char *device; /* NULL: any */
	uint64_t total_ns;  /* duration; 0: the subcommand's default */
	bool calibrate;	    /* sweep: measures the waiting of programs of known behaviour */

	enum row_by by; /* rows of top, who and hot */

	/* cxlmon who */

	bool who_reads;

	/* sampled loads */
	struct {
		/* number of a chosen event, from 1; 0: the processor's default */
		int event;
		double period;	    /* sampling period; 0: adapted */
		const char *pids;   /* list of pids; NULL: all */
		const char *cgroup; /* directory; NULL: all */
		const char *pages;  /* file for ranges; NULL: none */
		const char *range;  /* range whose pages are shown; NULL: none */
		const char *record; /* file of the recording; NULL: none */
		double cool;	    /* counts are halved after so many samples; 0: the default */
	} hot;

	/* processes on the screen */
	struct {
		/* cxlmon top: the page of processes is shown first */
		bool first;
		bool batch;		       /* cxlmon top: no screen */
		struct cxl_node_choice choice; /* choice of nodes that are CXL memory */
	} top;

	/* access to one register */
	const char *cpu; /* CPU; NULL: 0 */
	int words;	 /* number of 4-byte words to access; 0: the default */
	bool unsafe;
};

/* Options of the monitor. Ends with a row without a name, as all tables of options do. */
extern const struct option_row monitor_options[];

/* Returns the defaults of a subcommand. */
struct options options_init(const struct subcommand *subcommand);
void options_free(struct options *options);

/* Sets the file of cxlmon record ("-": standard output). ERROR_USAGE: a file was already given. */
int options_set_recording(struct options *options, const char *name, struct error *err);

/* Prints the help of each option of a topic; NULL: the most common options. */
void options_help(FILE *out, const char *topic);

/* Returns the file that -o names; NULL: "-", standard output. */
const char *options_output_file(const char *name);

/* Finds a scope by its name. Returns false if there is none. */
bool options_scope(const char *name, enum scope *out);

/* Checks the text of a user-defined metric, except its events. ERROR_USAGE: invalid. */
int options_check_metric(const char *value, struct error *err);
/* Setters, .set of the rows below. */
option_setter options_set_by, options_set_format, options_set_output, options_set_scope,
	options_set_time;
/* Lists of values, .choices of the rows below. */
extern const char *const options_backends[],
	*const options_formats[], *const options_row_formats[], *const options_scopes[];
/*
 * Returns a format's name, for .names of OPTION_FORMAT: not table or csv, on which help says more.
 */
const char *options_more_formats(size_t i);

/* Type and member of a row: OPTION_MEMBER(FLAG, json) */
#define OPTION_MEMBER(TYPE, MEMBER)                                                                \
	.type = OPTION_##TYPE, .offset = offsetof(struct options, MEMBER)

/*
 * Common parts of rows of several tables, such as {OPTION_JSON, .help = "print one JSON object"}.
 * Options without help are accepted, but not shown.
 */
#define OPTION_JSON .name = "json", OPTION_MEMBER(FLAG, json)
#define OPTION_CSV  .name = "csv", OPTION_MEMBER(FLAG, csv)
#define OPTION_FORMAT                                                                              \
	.name = "format", .letter = 'f', .argument = "FMT", .set = options_set_format,             \
	.what = "unknown format"
#define OPTION_FORMAT_CSV  .name = "csv", .implied = "csv", .set = options_set_format
#define OPTION_FORMAT_JSON .name = "json", .implied = "json", .set = options_set_format
#define OPTION_OUTPUT	   .name = "output", .letter = 'o', .argument = "FILE", .set = options_set_output
/* File option that keeps "-" for a later check. */
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

/* Options that choose processes and memory, for who, hot and top. */
#define OPTIONS_PROCESSES                                                                              \
	{OPTION_NUMBERS("pid", hot.pids),                                                              \
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
/* Option of top, who and hot, with .choices of each. */
#define OPTION_BY                                                                                  \
	.set = options_set_by, .name = "by", .argument = "WHAT", .what = "unknown kind of rows"
/* Option of sampled events, for who and hot. */
#define OPTION_SAMPLED                                                                             \
	OPTION_MEMBER(CHOICE, hot.event), .name = "event", .letter = 'e', .argument = "EVENT",     \
					  .value = 1, .choices = load_run_event_names,             \
					  .what = "unknown event",                                 \
					  .help = "sample page-faults, minor-faults or "           \
						  "major-faults instead of loads"

#define HELP_ROOT    "use dev, sys, proc and run under DIR instead of /"
#define HELP_BACKEND "count by raw registers, perf (the kernel counts), or auto (default)"
#define HELP_QUIET   "print no messages except errors"

/* Row of every subcommand. */
#define OPTION_SHOW_HELP                                                                           \
	{                                                                                          \
		.name = "help", .letter = 'h', OPTION_MEMBER(FLAG, help), .help = "show this help" \
	}
/* Rows of subcommands that write messages, open a machine, or count events on it. */
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
/* Rows that subcommands without a machine accept, and do not show. */
#define OPTIONS_IGNORED                                                                            \
	{OPTION_SIM}, {OPTION_ROOT}, {OPTION_BACKEND},                                             \
	{                                                                                          \
		OPTION_JSON                                                                        \
	}

#endif
