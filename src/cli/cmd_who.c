/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon who: lists the processes, cgroups, containers, VMs or users that have memory on CXL nodes.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>

#include "cli/common.h"
#include "cli/progress.h"
#include "linux/kernel/clock.h"
#include "linux/run/signals.h"
#include "probe/who/print.h"
#include "probe/who/watch.h"
#include "probe/who/who.h"
#include "process/load_run.h"

struct who_command {
	const struct options *options;
	who_printer *print; /* NULL: no output is open yet */
	struct common_output file;
	struct who_sheet sheet;
	struct progress progress; /* line with the progress of the first scan */
	const struct who_scan *scan;
};

static int set_format(const struct option_row *row, void *options, const char *value,
		      struct error *err)
{
	struct options *o = options;

	o->csv = !row->argument;
	return options_set_format(row, options, value, err);
}

/* Checks the format, which --json also is. */
static int check_format(struct options *o, struct error *err)
{
	if (o->json && o->format && o->format != &format_json)
		return options_usage(err, "conflicting options",
				     o->csv ? "--json and --csv" : "--json and --format",
				     "expected one of them");
	if (o->json)
		o->format = &format_json;
	return 0;
}

/* Refuses options that need others, or exclude them; names the first such option. */
static int check_combination(const struct options *o, struct error *err)
{
	const bool once = !o->session.interval_ns, backend = o->session.backend != BACKEND_AUTO;
	const struct {
		bool broken;
		const char *expected, *value;
	} rules[] = {
		{o->who_reads && once, "--reads needs an INTERVAL: expected such as 1", ""},
		{o->who_reads && o->by == BY_RESCTRL,
		 "resctrl groups already count reads: expected no --reads", ""},
		{o->hot.event && !o->who_reads, "--event is what --reads samples: expected --reads",
		 ""},
		{o->hot.pids && row_by_cgroups(o->by),
		 "--pid chooses processes: expected --cgroup, or no --by=", row_by_names[o->by]},
		{(o->hot.pids || o->hot.cgroup) && o->by == BY_RESCTRL,
		 "resctrl groups count for all their tasks: expected no --pid or --cgroup", ""},
		{backend && o->by != BY_PROCESS,
		 "--backend applies to reads by CPU, which are known only by process: expected no "
		 "--by=",
		 row_by_names[o->by]},
		{backend && once,
		 "--backend applies to reads by CPU, which are counted at an INTERVAL: expected "
		 "such as 1",
		 ""},
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].broken)
			return error_set(err, ERROR_USAGE, -EINVAL, "who: %s%s", rules[i].expected,
					 rules[i].value);
	return 0;
}

/* Checks all options together. */
static int check_options(struct options *o, struct error *err)
{
	int rc;

	if (o->session.sim && o->by == BY_RESCTRL)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "who: reads by resctrl group are not simulated: expected no "
				 "--by=resctrl (-m resctrl shows the stall cycles of simulated "
				 "groups)");
	rc = check_format(o, err);
	if (!rc)
		rc = common_take_interval(o, err);
	return rc ? rc : check_combination(o, err);
}

/* Begins the output, after the first scan. */
static int begin_output(struct who_command *c, const struct who *who, struct error *err)
{
	const struct who_options *o = who->options;
	char text[CXL_NODES_TEXT_SIZE];
	const int rc = common_open_output(c->options->output, CONTENTS_EMPTIED, &c->file, err);

	if (rc)
		return rc;
	const struct format *format = common_row_format(c->options, c->file.fd);
	c->print = format == &format_json ? who_json : format == &format_csv ? who_csv : who_table;
	const struct winsize size = common_table_size(c->file.fd);
	c->sheet = (struct who_sheet){.out = c->file.out,
				      .nodes = &who->nodes,
				      .by = o->by,
				      .reads = who->counting || who->groups_count,
				      .stalls = who->groups_stall,
				      .regions = who->watch.regions != NULL,
				      .one_socket = who->one_socket,
				      .sampled = who->samples.open,
				      .no_loads = o->event && o->event->no_loads,
				      .repeats = o->session.interval_ns > 0,
				      .width = size.ws_col,
				      .height = size.ws_row};
	if (c->print == who_table && who->nodes.numa.count > 1 && !who_table_has_nodes(&c->sheet))
		log_write(who->log, LEVEL_NOTE,
			  "the terminal is too narrow for a column for each node: the sum of %s is "
			  "shown (--csv has all)",
			  cxl_nodes_text(&who->nodes.numa, text));
	return 0;
}

/* Shows how far the first scan is. Does nothing in later scans, and in the waits between them. */
static void show_progress(void *context)
{
	struct who_command *c = context;
	const struct who_scan *scan = c->scan;
	const size_t done = scan->read + scan->late + scan->refused + scan->unclear;
	const uint64_t now_ns = clock_monotonic();

	if (c->print || !progress_is_due(&c->progress, now_ns))
		return;
	if (done)
		progress_show(&c->progress, progress_left(&c->progress, now_ns, done, scan->seen),
			      "%zu of %zu processes", done, scan->seen);
	else
		progress_show(&c->progress, PROGRESS_UNKNOWN, "scanning");
}

/* Samples, which need an interval, use the watch's function otherwise. */
static void begin_progress(struct who_command *c, struct who_watch *watch)
{
	c->scan = &watch->scan;
	progress_start(&c->progress, clock_monotonic());
	if (watch->meanwhile)
		return;
	watch->meanwhile = show_progress;
	watch->context = c;
}

static int run_scans(struct who_command *c, struct who *who, struct error *err)
{
	uint64_t scans = 0;
	int rc;

	do {
		rc = who_next(who, err);
		progress_end(&c->progress);
		if (!rc && !scans)
			rc = begin_output(c, who, err);
		if (!rc) {
			c->print(&c->sheet, &who->watch.scan);
			rc = common_flush_output(&c->file, err);
		}
	} while (!rc && ++scans != c->options->count && who->options->session.interval_ns);
	return rc;
}

static int run_who(struct options *o, struct error *err)
{
	const struct session_options *session = &o->session;
	struct who_command c = {.options = o};
	struct signals signals;
	struct error why;
	struct who who;
	int rc = check_options(o, err);
	const struct who_options options = {
		.session = {.sim = session->sim,
			    .root = session->root,
			    .backend = session->backend,
			    .interval_ns = session->interval_ns},
		.by = o->by,
		.pids = o->hot.pids,
		.cgroup = o->hot.cgroup,
		.choice = {.nodes = session->view.nodes, .devices = session->view.devices},
		.sampled = o->who_reads,
		.event = load_run_event(o->hot.event),
		.wake = &signals.wake,
	};

	if (rc)
		return rc;
	signals_block(&signals);
	progress_begin(&c.progress, progress_terminal(o->verbosity), &o->log);
	rc = who_open(&options, &c.progress.log, &who, err);
	if (!rc)
		begin_progress(&c, &who.watch);
	if (!rc)
		rc = run_scans(&c, &who, err);
	/* a register that was not restored outweighs a signal */
	const int closed = who_close(&who, &why);
	if (closed) {
		*err = why;
		rc = closed;
	}
	/* Ctrl-C after a scan is the normal end of a run without COUNT */
	if (rc == -EINTR && who.watch.signal_number) {
		if (who.watch.signal_number != SIGINT || !c.sheet.scans)
			o->status = EXIT_SIGNALLED + who.watch.signal_number;
		rc = 0;
	}
	return c.print ? common_close_output(&c.file, rc, err) : rc;
}

static const char *const kinds[] = {"process", "cgroup",  "container", "vm",
				    "user",    "resctrl", NULL};

static const struct option_row rows[] = {
	{OPTION_BY, .choices = kinds,
	 .help = "show rows by process (default), cgroup, container, vm, user or resctrl group"},
	{OPTION_MEMBER(FLAG, who_reads), .name = "reads",
	 .help = "sample loads as hot does, and show the CXL reads of each row"},
	{OPTION_SAMPLED},
	OPTIONS_PROCESSES,
	{.set = set_format,
	 .name = "format",
	 .letter = 'f',
	 .argument = "FMT",
	 .choices = options_row_formats,
	 .what = "unknown format",
	 .help = "print as table (default on a terminal), csv (default elsewhere), json"},
	{.set = set_format,
	 .name = "csv",
	 .implied = "csv",
	 .help = "print CSV, like --format=csv"},
	{OPTION_JSON, .help = "print JSON Lines, one object per scan, like --format=json"},
	{OPTION_OUTPUT, .help = "write to FILE instead of standard output", OPTION_FILE_EXPECTED},
	{OPTION_ROOT, .help = HELP_ROOT},
	{OPTION_BACKEND, .help = HELP_BACKEND},
	OPTIONS_MESSAGES,
	{OPTION_SIM_SHOWN},
	{.name = NULL},
};

const struct subcommand cmd_who = {
	.name = "who",
	.look_of = &cmd_top,
	.purpose = "show which processes have memory on CXL nodes",
	.run = run_who,
	.usage =
		"Usage: cxlmon who [OPTION]... [INTERVAL [COUNT]]\n"
		"Shows which processes have memory on the NUMA nodes of CXL devices, those with the most\n"
		"first: how much, which share of theirs that is, and how much it has grown. Without\n"
		"INTERVAL it scans once; with it, again at each interval, COUNT times.\n"
		"\n",
	.options = rows,
	.notes = "\n"
		 "  sudo cxlmon who 1                  also their reads, if CPUs count them\n"
		 "  sudo cxlmon who --by=container     containers, of Docker, Kubernetes and "
		 "others\n"
		 "  cxlmon who --sim=gnr               simulated processes\n"
		 "\n"
		 "Exit status 3: no node was found to be CXL memory; --node=N takes any node.\n",
	.operands = 2,
};
