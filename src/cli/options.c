/* SPDX-License-Identifier: BSD-3-Clause */
/* Table of the monitor's options, and setters of options that have no plain type. */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/job.h"
#include "formula/custom_metric.h"
#include "session/session.h"

struct options options_init(const struct subcommand *subcommand)
{
	return (struct options){
		.subcommand = subcommand,
		.session = {.root = "/", .backend = BACKEND_AUTO},
		.node = -1,
	};
}

void options_free(struct options *options)
{
	strings_free(&options->session.events);
	strings_free(&options->session.event_files);
	strings_free(&options->session.metrics);
	strings_free(&options->session.metric_files);
	strings_free(&options->notes);
	strings_free(&options->conditions);
	free(options->recording);
}

const char *options_output_file(const char *name)
{
	return strcmp(name, "-") ? name : NULL;
}

int options_name_recording(struct options *o, const char *pattern, struct error *err)
{
	free(o->recording);
	return job_file_name(pattern, &o->recording, err);
}

int options_set_recording(struct options *o, const char *name, struct error *err)
{
	if (o->format)
		return options_usage(err, "more than one recording file", name,
				     "expected one FILE");
	o->format = &format_recording;
	const int rc = options_name_recording(o, name, err);
	if (rc)
		return rc;
	o->output = options_output_file(o->recording);
	return *name ? 0 : options_usage(err, "no file", name, "expected a file name");
}

/* Returns whether a value is one of the row's choices; without choices, any implied value is. */
static bool is_choice(const struct option_row *row, const char *value)
{
	const char *const *choice = row->choices;

	while (choice && *choice && strcmp(*choice, value) != 0)
		choice++;
	return !choice || *choice;
}

int options_set_by(const struct option_row *row, void *options, const char *value,
		   struct error *err)
{
	struct options *o = options;

	if (!is_choice(row, value))
		return option_refuse(row, value, err);
	for (o->by = 0; strcmp(value, row_by_names[o->by]) != 0;)
		o->by++;
	return 0;
}

int options_set_format(const struct option_row *row, void *options, const char *value,
		       struct error *err)
{
	struct options *o = options;

	if (o->record)
		return options_usage(err, "record takes no format", value,
				     "expected cxlmon record FILE; cxlmon replay FILE prints it in "
				     "any format");
	o->format = is_choice(row, value) ? format_find(value) : NULL;
	if (!o->format && is_choice(row, "openmetrics") && !strcmp(value, "prometheus"))
		return options_usage(err, row->what, value,
				     "expected openmetrics, which Prometheus reads");
	return o->format ? 0 : option_refuse(row, value, err);
}

int options_set_output(const struct option_row *row, void *options, const char *value,
		       struct error *err)
{
	struct options *o = options;

	if (o->record)
		return options_set_recording(o, value, err);
	o->output = options_output_file(value);
	o->output_given = true;
	if (*value)
		return 0;
	return row->what ? options_usage(err, row->what, value, row->expected)
			 : options_usage(err, "no output file", value, "expected a file name");
}

int options_set_time(const struct option_row *row, void *time, const char *value, struct error *err)
{
	char name[16];

	snprintf(name, sizeof(name), "--%s", row->name);
	return time_point_parse(name, value, time, err);
}

int options_check_metric(const char *value, struct error *err)
{
	char *copy = strdup(value);
	struct custom_text text;
	const int rc = copy ? custom_text_parse(copy, &text, err) : error_no_memory(err);

	free(copy); /* events are known once the processor is: the rest is checked later */
	return rc;
}

bool options_scope(const char *name, enum scope *out)
{
	/*
	 * scopes of events, as metrics have no values for single units; a unit that is not a port
	 * counts as one
	 */
	if (!strcmp(name, "unit") || !strcmp(name, "ccm") || !strcmp(name, TABLE_DOMAIN)) {
		*out = SCOPE_PORT;
		return true;
	}
	for (unsigned s = 0; s < SCOPE_COUNT; s++) {
		if (!strcmp(name, scope_names[s])) {
			*out = s;
			return true;
		}
	}
	return false;
}

int options_set_scope(const struct option_row *row, void *options, const char *value,
		      struct error *err)
{
	struct options *o = options;

	o->scope_chosen = true;
	return options_scope(value, &o->session.view.finest) ? 0 : option_refuse(row, value, err);
}

/* Sets --share and --force. */
static int set_ownership(const struct option_row *row, void *member, const char *value,
			 struct error *err)
{
	enum ownership *ownership = member;

	(void)value;
	if (*ownership != OWNERSHIP_REFUSE && *ownership != (enum ownership)row->value)
		return options_usage(err, "conflicting options", "--share --force",
				     "expected one of them");
	*ownership = row->value;
	return 0;
}

/* Sets --pid. */
static int set_process(const struct option_row *row, void *options, const char *value,
		       struct error *err)
{
	struct options *o = options;
	char *end;
	const unsigned long pid = strtoul(value, &end, 10);

	o->command_alone = !strcmp(value, "command");
	o->session.process = 0;
	if (o->command_alone)
		return 0;
	if (!isdigit((unsigned char)*value) || *end || !pid || pid > INT_MAX)
		return options_usage(err, row->what, value, row->expected);
	o->session.process = (unsigned)pid;
	return 0;
}

static int set_help(const struct option_row *row, void *options, const char *value,
		    struct error *err)
{
	struct options *o = options;

	(void)row;
	(void)err; /* topics are checked where they are printed */
	o->help = true;
	o->help_topic = value;
	return 0;
}

#define NAME_FORMAT(name) #name,
const char *const options_formats[] = {FOR_EACH_FORMAT(NAME_FORMAT) NULL};
const char *const options_row_formats[] = {"table", "csv", "json", NULL};
const char *const options_scopes[] = {"unit", "cpu", "port", "socket", "system", NULL};
const char *const options_backends[] = {
	[BACKEND_RAW] = "raw", [BACKEND_PERF] = "perf", [BACKEND_AUTO] = "auto", NULL};
static const char *const freezes[] = {
	[FREEZE_AUTO] = "auto", [FREEZE_ALWAYS] = "always", [FREEZE_NEVER] = "never", NULL};
static const char *const latencies[] = {
	[LATENCY_SPATIAL] = "spatial", [LATENCY_ROTATE] = "rotate", NULL};

#define NOT_BOTH .not_for = OPTION_NOT_RECORD | OPTION_NOT_SERVE
#define OF_ROWS	 .not_for = OPTION_NOT_RECORD | OPTION_NOT_SERVE | OPTION_NOT_EXPLAIN

const char *options_more_formats(size_t i)
{
	return options_formats[i + 2];
}

const struct option_row monitor_options[] = {
	{OPTION_FORMAT, .topic = "output", .common = true, .choices = options_formats, NOT_BOTH,
	 .names = options_more_formats, .help = "print table (terminal default), csv, @"},
	{OPTION_FORMAT_CSV, .topic = "output", OF_ROWS,
	 .help = "print CSV, like --format=csv (default elsewhere)"},
	{OPTION_FORMAT_JSON, .topic = "output", NOT_BOTH,
	 .help = "print JSON Lines, one object per sample, like --format=json"},
	{OPTION_OUTPUT, .topic = "output", .not_for = OPTION_NOT_SERVE,
	 .help = "write to FILE instead of standard output"},
	{OPTION_MEMBER(FLAG, append), .name = "append", .topic = "output", OF_ROWS,
	 .help = "continue FILE instead of emptying it; as CSV it must have the same header"},
	{OPTION_MEMBER(FLAG, no_header), .name = "no-header", .topic = "output", OF_ROWS,
	 .help = "omit the header row of CSV"},
	OPTIONS_OF_RECORDING,
	{OPTION_METRICS, .topic = "events", .common = true, .argument = "LIST",
	 .help = "show groups (default cxl,latency,dram): queue,link, core,tiering,device,port,health,upi,upilink, stall,path,region,resctrl,all"},
	{OPTION_METRIC, .topic = "events",
	 .help = "add a custom metric: NAME = FORMULA, in the notation of cxlmon list"},
	{OPTION_METRICS_FROM, .topic = "events",
	 .help = "add custom metrics, one on each line of FILE"},
	{OPTION_EVENT, .topic = "events", .common = true, .argument = "SPEC",
	 .help = "count NAME, UNIT/event=N,umask=N/, {A,B} or @FILE"},
	{OPTION_EVENTS_FROM, .topic = "events",
	 .help = "accept the event names of a perfmon JSON file"},
	{OPTION_MEMBER(NUMBER, rotate_ms), .name = "rotate", .argument = "MS", .topic = "events",
	 .least = 0.1, .most = 3600000, .what = "not a rotation period",
	 .expected = "expected milliseconds from 0.1 to 3600000",
	 .help = "count the next event group after MS milliseconds (default: interval / number of groups)"},
	{OPTION_MEMBER(CHOICE, session.view.latency), .name = "latency", .argument = "HOW",
	 .topic = "events", .choices = latencies, .what = "unknown latency method",
	 .help = "measure CXL and DDR latency: spatial, on separate CHAs (default), or rotate, multiplexed on all CHAs"},
	{OPTION_PER, .topic = "rows", .common = true,
	 .help = "show down to unit, cpu, port (default), socket, system"},
	{OPTION_NUMBERS("socket", session.view.sockets), .letter = 's', .topic = "rows",
	 .help = "show only these sockets, such as 0 or 0,2-3"},
	{OPTION_NUMBERS("port", session.view.ports), .topic = "rows",
	 .help = "show only these ports of each socket"},
	{OPTION_DEVICES, .topic = "rows",
	 .help = "show only ports with these memory devices, such as mem0,mem2"},
	{OPTION_NODES, .topic = "rows",
	 .help = "show only ports whose memory is in these NUMA nodes"},
	{OPTION_SIM, .topic = "sim", .common = true,
	 .help = "simulate a processor, such as spr or turin, or FILE"},
	{OPTION_ROOT, .topic = "machine", .help = HELP_ROOT},
	{OPTION_NUMBERS("cpus", session.cpus), .topic = "machine",
	 .help = "read registers on these CPUs, such as 0 or 0,64 (default: one of each socket, not isolated)"},
	{OPTION_MEMBER(CHOICE, session.freeze), .name = "freeze", .argument = "WHEN",
	 .topic = "machine", .choices = freezes, .what = "unknown freeze policy",
	 .help = "freeze counters while they are read: auto (default), always, never"},
	{OPTION_BACKEND, .topic = "machine", .help = HELP_BACKEND},
	{.name = "pid",
	 .topic = "rows",
	 .argument = "PID",
	 .set = set_process,
	 .what = "not a process",
	 .expected = "expected a PID, or 'command'",
	 .help = "count only this process, or COMMAND if PID is 'command' (groups core and stall, by perf)"},
	{OPTION_MEMBER(CALL, session.ownership), .name = "share", .topic = "machine",
	 .set = set_ownership, .value = OWNERSHIP_SHARE,
	 .help = "use only free counters instead of failing when some are in use"},
	{OPTION_MEMBER(CALL, session.ownership), .name = "force", .topic = "machine",
	 .set = set_ownership, .value = OWNERSHIP_FORCE,
	 .help = "take counters that other programs use, and restore their settings at the end"},
	{OPTION_MEMBER(FLAG, session.view.resctrl), .name = "resctrl", .topic = "machine",
	 .help = "count CXL reads by resctrl (AMD); its event configuration is restored at the end"},
	{OPTION_MEMBER(FLAG, plain), .name = "plain", .topic = "output", OF_ROWS,
	 .help = "print a scrolling table on a terminal instead of the live screen"},
	{OPTION_MEMBER(NUMBER, link_GBps), .name = "link-GBps", .argument = "N", .topic = "output",
	 NOT_BOTH, .least = 0.001, .most = 10000, .what = "not a link bandwidth",
	 .expected = "expected GB/s from 0.001 to 10000",
	 .help = "set a port's link bandwidth per direction in GB/s, from which utilisation is computed"},
	{OPTION_SUMMARY, .topic = "output", .not_for = OPTION_NOT_SERVE,
	 .help = "end with a summary on standard error (default with COUNT or COMMAND on a "
		 "terminal, or with a file)"},
	{OPTION_MEMBER(VALUE, summary), .name = "no-summary", .topic = "output",
	 .not_for = OPTION_NOT_SERVE, .value = SUMMARY_NEVER, .help = "end without a summary"},
	{OPTION_QUIET, .topic = "output",
	 .help = "print no messages except errors, and no summary"},
	{OPTION_VERBOSE, .topic = "output",
	 .help = "print more messages: which units are found and how they are read"},
	{.set = set_help,
	 .name = "help",
	 .letter = 'h',
	 .argument = "TOPIC",
	 .optional = true,
	 .topic = "output",
	 .help = "show help, or help on TOPIC"},
	{OPTION_MEMBER(FLAG, version), .name = "version", .letter = 'V', .topic = "output",
	 .not_for = OPTION_NOT_SERVE, .help = "show the version"},
	{.name = NULL},
};

void options_help(FILE *out, const char *topic)
{
	for (const struct option_row *row = monitor_options; row->name; row++)
		if (topic ? !strcmp(topic, row->topic) : row->common)
			option_print_help(row, out);
}
