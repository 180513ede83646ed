/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon hot: finds the readers of CXL memory, by sampled loads. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>

#include "base/text.h"
#include "cli/command.h"
#include "cli/common.h"
#include "cli/job.h"
#include "linux/kernel/clock.h"
#include "linux/rights/rights.h"
#include "linux/rights/sudo_user.h"
#include "linux/run/signals.h"
#include "output/sink.h"
#include "platform/clock.h"
#include "probe/hot/hot_block.h"
#include "probe/hot/print.h"
#include "process/intake.h"
#include "process/load_run.h"

struct hot_command {
	const struct options *options;
	const struct hot_format *format;
	struct common_output file;
	struct common_output pages;    /* output of --pages; .out NULL: none */
	struct common_output recorded; /* recording; .out NULL: none */
	struct sink recording;	       /* writes .recorded */
	struct attached_block sampled; /* block that each recorded sample has */
	struct recording_info info;
	struct hot_sheet sheet;
	struct load_run loads;
	struct signals signals;
	struct rlimit files;
	struct sudo_user caller;
	struct command command;
	int ended_by; /* signal that ended the run; 0: none */
};

/* Recording, by --record. */

/* Begins the recording, whose header has the options that the rows do not show. */
static int begin_recording(struct hot_command *c, struct error *err)
{
	const struct options *o = c->options;
	const struct load_run *loads = &c->loads;
	struct recording_info *info = &c->info;

	*info = (struct recording_info){
		.program = CXLMON_VERSION,
		.processor = load_run_processor(loads),
		.interval_ns = o->session.interval_ns,
		.started_ns = loads->p->ops->clock->wall(loads->p),
	};
	if (loads->counting) {
		info->devices = loads->session.machine.devices;
		info->device_count = loads->session.machine.device_count;
		info->memory = loads->session.machine.memory;
	}
	recording_add_option(info, "sim", o->session.sim ? text_last_name(o->session.sim) : NULL);
	recording_add_option(info, "metrics", METRIC_DEFAULTS);
	recording_add_option(info, "per", scope_names[SCOPE_PORT]);
	recording_add_option(info, RECORDED_BY, row_by_names[o->by]);
	recording_add_option(info, "event",
			     o->hot.event ? load_run_event_names[o->hot.event - 1] : NULL);
	recording_add_option(info, "pid", o->hot.pids);
	recording_add_option(info, "node", o->session.view.nodes);
	recording_add_option(info, "device", o->session.view.devices);
	recording_add_option(info, "command", o->command ? text_last_name(o->command[0]) : NULL);
	job_describe(info);
	c->sampled = (struct attached_block){&hot_block, &c->loads.report};
	c->recording = (struct sink){.format = &format_recording,
				     .out = c->recorded.out,
				     .table = c->loads.table,
				     .target = &c->sampled,
				     .info = info};
	return format_recording.begin(&c->recording) ? error_no_memory(err) : 0;
}

/*
 * Returns whether two outputs are one file: only regular files are compared, as a device or a pipe
 * may be several outputs.
 */
static bool is_same_file(const struct common_output *a, const struct common_output *b)
{
	struct stat first, second;

	return a->out && b->out && !fstat(a->fd, &first) && !fstat(b->fd, &second) &&
	       S_ISREG(first.st_mode) && first.st_dev == second.st_dev &&
	       first.st_ino == second.st_ino;
}

static int check_different(const struct hot_command *c, struct error *err)
{
	const struct common_output *const files[] = {&c->file, &c->recorded, &c->pages};

	for (size_t i = 1; i < sizeof(files) / sizeof(files[0]); i++)
		for (size_t j = 0; j < i; j++)
			if (is_same_file(files[i], files[j]))
				return error_set(err, ERROR_USAGE, -EINVAL,
						 "%s: used for two outputs of this run: choose "
						 "another name",
						 files[i]->name);
	return 0;
}

/* Opens the recording first: if another output is the same file, that output must not empty it. */
static int open_outputs(struct hot_command *c, struct error *err)
{
	const struct options *o = c->options;
	const char *recorded = o->hot.record;
	int rc = 0;

	if (recorded)
		rc = common_open_output(recorded, CONTENTS_KEPT, &c->recorded, err);
	if (!rc && recorded)
		rc = output_check_empty(c->recorded.fd, recorded, "hot", err);
	if (!rc)
		rc = common_open_output(o->output, CONTENTS_EMPTIED, &c->file, err);
	if (!rc && o->hot.pages)
		rc = common_open_output(o->hot.pages, CONTENTS_EMPTIED, &c->pages, err);
	return rc ? rc : check_different(c, err);
}

/* Drops rights and opening of files, which the rest of the run does not need. */
static int confine_command(struct hot_command *c, struct error *err)
{
	const struct log *log = &c->options->log;
	const struct rights_use use = {
		.role = RIGHTS_MONITOR,
		.caller = c->caller,
		.child = c->command.pid,
		.child_is_root = c->command.pid && !c->caller.known,
		.root = c->options->session.root,
		.platform = c->loads.p,
		.perf_events = c->loads.handles,
		.perf_event_count = c->loads.handle_count,
		.samples = true,
	};

	tzset(); /* /etc/localtime may still be read: the table has times */
	int rc = rights_drop(&use, log, err);
	if (!rc)
		rc = rights_restrict_files(&use, log, err);
	clock_set_timerslack();
	/* COMMAND runs already: its processes are read now */
	process_intake_read(&c->loads.intake);
	if (!rc)
		rc = rights_filter(&use, log, err);
	process_intake_read(&c->loads.intake);
	return rc;
}

static int begin_output(struct hot_command *c, struct error *err)
{
	const struct options *o = c->options;
	const struct command_inherits inherits = {.mask = c->signals.before, .files = c->files};

	if (c->loads.p->virtual_clock && !o->count && !o->command)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "hot: a virtual clock does not wait: expected COUNT after "
				 "INTERVAL, or --sim without clock=virtual");
	int rc = open_outputs(c, err);
	if (!rc && c->recorded.out)
		rc = begin_recording(c, err);
	if (rc)
		return rc;
	c->format = hot_format_of(common_row_format(o, c->file.fd));
	const struct winsize size = common_table_size(c->file.fd);
	c->sheet =
		(struct hot_sheet){.out = c->file.out, .width = size.ws_col, .height = size.ws_row};
	if (o->command)
		rc = command_start(&c->command, o->command, &c->caller, &inherits, err);
	if (!rc)
		rc = confine_command(c, err);
	if (!rc && c->format->begin)
		c->format->begin(&c->sheet);
	return rc;
}

/* Returns whether a signal ends the run, after a last report. */
static bool signal_ends(struct hot_command *c, int signal_number)
{
	if (signal_number == SIGCHLD)
		return command_poll(&c->command);
	if (signal_number == SIGNAL_KICK ||
	    command_survives(&c->command, signal_number, c->ended_by))
		return false;
	c->ended_by = signal_number;
	c->loads.asked_to_end = true;
	command_forward(&c->command, signal_number);
	return true;
}

/*
 * Shows each interval's report. The whole run is not recorded, because it is the sum of its
 * intervals.
 */
static int show_intervals(struct hot_command *c, struct error *err)
{
	const struct process_report *report = &c->loads.report;

	if (report->time == TIME_RUN && c->pages.out)
		hot_print_pages(c->pages.out, &c->loads.intake);
	if (c->recorded.out && report->time == TIME_RUN)
		format_recording.finish(&c->recording);
	else if (c->recorded.out)
		format_recording.sample(&c->recording, &c->loads.sample);
	if (report->time == TIME_INTERVAL || c->format->sums_up) {
		c->format->report(&c->sheet, report);
		c->sheet.reports++;
	}
	const int rc = common_flush_output(&c->file, err);
	return rc || !c->recorded.out ? rc : common_flush_output(&c->recorded, err);
}

/* Takes reports until COUNT, COMMAND or a signal ends the run. */
static int run_command(struct hot_command *c, struct error *err)
{
	const uint64_t count = c->options->count;
	bool done = false;
	int signal_number, rc = 0;

	for (uint64_t reports = 1; !rc && !done; reports++) {
		while (!done && (rc = load_run_wait(&c->loads, &signal_number, err)) == -EINTR)
			done = signal_ends(c, signal_number);
		if (rc && !done)
			return rc;
		done |= reports == count;
		rc = load_run_take(&c->loads, done, err);
		if (rc <= 0)
			continue;
		rc = show_intervals(c, err);
		if (!rc && !done)
			rc = load_run_next(&c->loads, err);
	}
	if (rc)
		return rc;
	load_run_sum_up(&c->loads);
	return show_intervals(c, err);
}

/* Waits for COMMAND, and takes its exit status. */
static void wait_for_command(struct hot_command *c)
{
	while (c->command.pid && !command_poll(&c->command)) {
		const int signal_number =
			command_wait(&c->command, &c->signals.wake, c->ended_by, &c->options->log);

		if (signal_number >= 0 && signal_number != SIGCHLD &&
		    signal_number != SIGNAL_KICK && signal_number != SIGALRM &&
		    !command_survives(&c->command, signal_number, c->ended_by))
			return;
	}
}

static int status_of(const struct hot_command *c)
{
	if (c->ended_by == SIGINT && c->sheet.reports)
		return EXIT_OK;
	if (c->ended_by)
		return EXIT_SIGNALLED + c->ended_by;
	return c->command.ended ? c->command.status : EXIT_OK;
}

/* Closes the outputs. rc: an earlier failure. */
static int close_outputs(struct hot_command *c, int rc, struct error *err)
{
	struct common_output *const files[] = {&c->pages, &c->recorded, &c->file};

	if (c->recording.state)
		format_recording.end(&c->recording);
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
		if (files[i]->out)
			rc = common_close_output(files[i], rc, err);
	return rc;
}

static int run_hot(struct options *o, struct error *err)
{
	struct hot_command c = {.options = o};
	struct error why;
	struct load_run_options options = {
		.session = o->session,
		.choice = {.nodes = o->session.view.nodes, .devices = o->session.view.devices},
		.event = load_run_event(o->hot.event),
		.by = o->by,
		.period = (uint64_t)o->hot.period,
		.cool_samples = (uint64_t)o->hot.cool,
		.pids = o->hot.pids,
		.cgroup = o->hot.cgroup,
		.wake = &c.signals.wake,
		.caller = &c.caller,
	};

	o->session.interval_ns = NS_PER_S;
	int rc = common_take_interval(o, err);
	if (!rc && o->hot.range && options.by != BY_PAGE && !o->hot.pages)
		rc = error_set(err, ERROR_USAGE, -EINVAL,
			       "hot: --range applies to pages: expected --by=page or --pages=FILE");
	if (!rc)
		rc = sudo_user_find(&c.caller, err);
	if (rc)
		return rc;
	if (o->hot.range)
		heat_detail_parse(o->hot.range, &options.detail);
	options.session.interval_ns = o->session.interval_ns;
	/* ports of all nodes: chosen nodes may be of any memory */
	options.session.view.nodes = options.session.view.devices = NULL;
	/* a recording also has the default metrics of ports, to be compared with the samples */
	options.session.view.groups = o->hot.record ? METRIC_DEFAULTS : "cxl,dram";
	options.session.view.finest = o->hot.record ? SCOPE_PORT : SCOPE_SYSTEM;
	getrlimit(RLIMIT_NOFILE, &c.files);
	signals_block(&c.signals);
	rc = load_run_open(&options, &o->log, &c.loads, err);
	if (!rc) {
		rc = begin_output(&c, err);
		load_run_begin(&c.loads);
	}
	if (!rc)
		rc = run_command(&c, err);
	/* a register that was not restored outweighs another failure */
	const int closed = load_run_close(&c.loads, &why);
	if (closed)
		*err = why;
	wait_for_command(&c);
	o->status = status_of(&c);
	return close_outputs(&c, closed ? closed : rc, err);
}

static int set_recording(const struct option_row *row, void *options, const char *value,
			 struct error *err)
{
	struct options *o = options;

	if (!*value)
		return option_refuse(row, value, err);
	const int rc = options_name_recording(o, value, err);
	o->hot.record = o->recording;
	return rc;
}

static bool is_range(const char *text)
{
	struct heat_detail range;

	return heat_detail_parse(text, &range);
}

static const char *const kinds[] = {"process", "mapping", "function", "cgroup", "container", "vm",
				    "user",    "node",	  "cpu",      "page",	NULL};

static const struct option_row rows[] = {
	{OPTION_BY, .choices = kinds,
	 .help = "show rows by process (default), mapping, function, cgroup, container, vm, user, node, cpu "
		 "or page (of 2 MiB)"},
	OPTIONS_PROCESSES,
	{OPTION_SAMPLED},
	{OPTION_MEMBER(NUMBER, hot.period), .name = "period", .argument = "N", .least = 1,
	 .most = 2147483648, .what = "not a period",
	 .expected = "expected a number from 1 to 2147483648",
	 .help = "sample one of N events (default: so many that it costs 1 % of a CPU at most)"},
	{OPTION_MEMBER(STRING, hot.pages), .name = "pages", .argument = "FILE",
	 .valid = option_not_empty, .what = "no file", .expected = "expected --pages=FILE",
	 .help = "write how hot each range of 2 MiB is to FILE at the end, as CSV"},
	{.set = set_recording,
	 .name = "record",
	 .argument = "FILE",
	 .what = "no file",
	 .expected = "expected --record=FILE",
	 .help = "record in FILE as well, for cxlmon replay, report and explain"},
	{OPTION_MEMBER(STRING, hot.range), .name = "range", .argument = "START-END",
	 .valid = is_range, .what = "not a range of addresses",
	 .expected = "expected START-END as in /proc/PID/maps, such as 7f0000000000-7f0000400000",
	 .help = "divide these addresses (hexadecimal) into pages of 4 KiB in --by=page and --pages"},
	{OPTION_MEMBER(NUMBER, hot.cool), .name = "cool", .argument = "N", .least = 1, .most = 1e12,
	 .what = "not a number of samples", .expected = "expected a number from 1 to 1000000000000",
	 .help = "halve the counts of ranges after each N samples (default 500000)"},
	{OPTION_FORMAT, .choices = options_row_formats,
	 .help = "print as table (default on a terminal), csv (default elsewhere), json"},
	{OPTION_FORMAT_CSV, .help = "print CSV, like --format=csv"},
	{OPTION_FORMAT_JSON,
	 .help = "print JSON Lines, one object per interval, like --format=json"},
	{OPTION_OUTPUT, .help = "write to FILE instead of standard output", OPTION_FILE_EXPECTED},
	OPTIONS_COUNTING,
	{.name = NULL},
};

const struct subcommand cmd_hot = {
	.name = "hot",
	.look_of = &cmd_top,
	.purpose = "show who reads CXL memory, by sampled loads",
	.run = run_hot,
	.usage =
		"Usage: cxlmon hot [OPTION]... [INTERVAL [COUNT]] [-- COMMAND [ARG]...]\n"
		"Shows which processes read CXL memory and DRAM, how much, and how long their reads take:\n"
		"the processor samples one of many loads (PEBS of Intel, IBS of AMD). At the end, or when\n"
		"COMMAND ends, the table has the same of the whole run.\n"
		"\n",
	.options = rows,
	.notes = "\n"
		 "  sudo cxlmon hot 1                  all processes, every second\n"
		 "  sudo cxlmon hot --by=mapping -- ./work\n"
		 "  cxlmon hot --sim=gnr 1             simulated processes\n"
		 "\n"
		 "Samples see only loads, not reads of prefetchers and devices: see man "
		 "cxlmon-hot.\n",
	.operands = 2,
	.runs_command = true,
};
