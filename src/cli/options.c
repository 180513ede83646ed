/* SPDX-License-Identifier: BSD-3-Clause */
/* Every option of the monitor, how those are set that are of no plain type, and its command line.
 */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/habits.h"
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
}

const char *options_output_file(const char *name)
{
	return strcmp(name, "-") ? name : NULL;
}

/* The file of cxlmon record ("-": standard output). ERROR_USAGE for a second one. */
static int set_recording(struct options *o, const char *name, struct error *err)
{
	if (o->format)
		return options_usage(err, "more than one recording file", name,
				     "expected one FILE");
	o->format = &format_recording;
	o->output = options_output_file(name);
	return *name ? 0 : options_usage(err, "no file", name, "expected a file name");
}

/* A row without choices takes what the table of options gives it. */
static bool is_choice(const struct option_row *row, const char *value)
{
	const char *const *choice = row->choices;

	while (choice && *choice && strcmp(*choice, value) != 0)
		choice++;
	return !choice || *choice;
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
		return set_recording(o, value, err);
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

	free(copy); /* events are known once the processor is: the rest is checked then */
	return rc;
}

bool options_scope(const char *name, enum scope *out)
{
	/* of events; metrics have no values for single units. What is no port is counted as one. */
	if (!strcmp(name, "unit") || !strcmp(name, "ccm") || !strcmp(name, VIEW_DOMAIN)) {
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

/* --share and --force */
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

/* --pid */
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
	(void)err; /* topics are known where they are printed */
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
	 .names = options_more_formats, .help = "table (default on a terminal), csv, @"},
	{OPTION_FORMAT_CSV, .topic = "output", OF_ROWS,
	 .help = "same as --format=csv, the default elsewhere"},
	{OPTION_FORMAT_JSON, .topic = "output", NOT_BOTH,
	 .help = "same as --format=json: JSON Lines, one object per sample"},
	{OPTION_OUTPUT, .topic = "output", .not_for = OPTION_NOT_SERVE,
	 .help = "write to FILE instead of standard output"},
	{OPTION_MEMBER(FLAG, append), .name = "append", .topic = "output", OF_ROWS,
	 .help = "continue FILE instead of emptying it; as CSV it must have the same header"},
	{OPTION_MEMBER(FLAG, no_header), .name = "no-header", .topic = "output", OF_ROWS,
	 .help = "CSV without its header row"},
	OPTIONS_OF_RECORDING,
	{OPTION_METRICS, .topic = "events", .common = true, .argument = "LIST",
	 .help = "default cxl,latency,dram; queue,link,core,tiering, device,port,health,upi,upilink,stall,region,resctrl,all"},
	{OPTION_METRIC, .topic = "events",
	 .help = "a custom metric: NAME = FORMULA, in the notation of cxlmon list"},
	{OPTION_METRICS_FROM, .topic = "events",
	 .help = "custom metrics, one on each line of FILE"},
	{OPTION_EVENT, .topic = "events", .common = true, .argument = "SPEC",
	 .help = "an event: NAME, UNIT/event=N,umask=N/, {A,B} or @FILE"},
	{OPTION_EVENTS_FROM, .topic = "events",
	 .help = "also accept the event names of a perfmon JSON file"},
	{OPTION_MEMBER(NUMBER, rotate_ms), .name = "rotate", .argument = "MS", .topic = "events",
	 .least = 0.1, .most = 3600000, .what = "not a rotation period",
	 .expected = "expected milliseconds from 0.1 to 3600000",
	 .help = "multiplexing: milliseconds per event group (default: interval / number of groups)"},
	{OPTION_MEMBER(CHOICE, session.view.latency), .name = "latency", .argument = "HOW",
	 .topic = "events", .choices = latencies, .what = "unknown latency method",
	 .help = "spatial: CXL and DDR latency on separate CHAs (default); rotate: multiplexed on all CHAs"},
	{OPTION_PER, .topic = "rows", .common = true,
	 .help = "finest rows: unit, cpu, port (default), socket, system"},
	{OPTION_NUMBERS("socket", session.view.sockets), .letter = 's', .topic = "rows",
	 .help = "only these sockets, such as 0 or 0,2-3"},
	{OPTION_NUMBERS("port", session.view.ports), .topic = "rows",
	 .help = "only these ports of each socket"},
	{OPTION_DEVICES, .topic = "rows",
	 .help = "only ports with these memory devices, such as mem0,mem2"},
	{OPTION_NODES, .topic = "rows", .help = "only ports whose memory is in these NUMA nodes"},
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
	 .help = "count this process alone, or COMMAND ('command'): -m core,stall, by perf"},
	{OPTION_MEMBER(CALL, session.ownership), .name = "share", .topic = "machine",
	 .set = set_ownership, .value = OWNERSHIP_SHARE,
	 .help = "use only free counters instead of failing when some are in use"},
	{OPTION_MEMBER(CALL, session.ownership), .name = "force", .topic = "machine",
	 .set = set_ownership, .value = OWNERSHIP_FORCE,
	 .help = "take counters that other programs use, and restore their settings at the end"},
	{OPTION_MEMBER(FLAG, session.view.resctrl), .name = "resctrl", .topic = "machine",
	 .help = "AMD: CXL reads by resctrl; sets what its events count until the run ends"},
	{OPTION_MEMBER(FLAG, plain), .name = "plain", .topic = "output", OF_ROWS,
	 .help = "on a terminal: a scrolling table instead of the live screen"},
	{OPTION_MEMBER(NUMBER, link_GBps), .name = "link-GBps", .argument = "N", .topic = "output",
	 NOT_BOTH, .least = 0.001, .most = 10000, .what = "not a link bandwidth",
	 .expected = "expected GB/s from 0.001 to 10000",
	 .help = "bandwidth of a port's link in one direction, of which percents are shown"},
	{OPTION_SUMMARY, .topic = "output", .not_for = OPTION_NOT_SERVE,
	 .help = "end with a summary on standard error (default with COUNT or COMMAND on a "
		 "terminal, or with a file)"},
	{OPTION_MEMBER(VALUE, summary), .name = "no-summary", .topic = "output",
	 .not_for = OPTION_NOT_SERVE, .value = SUMMARY_NEVER, .help = "end without one"},
	{OPTION_QUIET, .topic = "output", .help = "print no messages but errors, and no summary"},
	{OPTION_VERBOSE, .topic = "output",
	 .help = "also print which units are found and how they are read"},
	{.set = set_help,
	 .name = "help",
	 .letter = 'h',
	 .argument = "TOPIC",
	 .optional = true,
	 .topic = "output",
	 .help = "show help, or that of a topic"},
	{OPTION_MEMBER(FLAG, version), .name = "version", .letter = 'V', .topic = "output",
	 .not_for = OPTION_NOT_SERVE, .help = "show the version"},
	{.name = NULL},
};

void options_help(FILE *out, const char *topic)
{
	for (const struct option_row *row = monitor_options; row->name; row++)
		if (topic ? !strcmp(topic, row->topic) : row->common)
			option_print_help(row, out, HELP_WIDTH);
}

/* The command line of the monitor. */

/* A number, also with a unit, is meant as INTERVAL or COUNT. */
static bool reads_as_number(const char *text)
{
	char *end;

	strtod(text, &end);
	if (end == text || isalpha((unsigned char)*text))
		return false;
	while (isalpha((unsigned char)*end) && end[-1] != '.')
		end++;
	return !*end;
}

/* After an error: what a user of other tools may have meant. */
static int hint_at(int rc, enum habit_place place, const char *what, const char *text,
		   struct error *err)
{
	const char *hint = rc ? habit_hint(place, text) : NULL;

	return hint ? options_usage(err, what, text, hint) : rc;
}

/* operands: the number of INTERVAL and COUNT so far */
static int parse_operand(struct options *o, unsigned *operands, const char *text, struct error *err)
{
	if (o->record && !o->format && !reads_as_number(text))
		return set_recording(o, text, err);
	if (o->explain && !o->recorded && !reads_as_number(text)) {
		o->recorded = text;
		return *text ? 0 : options_usage(err, "no file", text, "expected a file name");
	}
	switch ((*operands)++) {
	case 0:
		o->interval_text = text;
		return hint_at(interval_parse(text, &o->session.interval_ns, err), HABIT_NUMBER,
			       "not an interval", text, err);
	case 1:
		return hint_at(count_parse(text, &o->count, err), HABIT_NUMBER,
			       "not a count of samples", text, err);
	default:
		return options_usage(err, "unexpected argument", text,
				     "expected at most INTERVAL and COUNT; a command follows --");
	}
}

/* What only registers have. */
static int check_backend(const struct options *o, struct error *err)
{
	if (o->session.backend != BACKEND_PERF)
		return 0;
	if (o->session.ownership == OWNERSHIP_FORCE)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--force: with --backend=perf the kernel assigns counters, so "
				 "none can be taken from other programs");
	if (o->session.freeze == FREEZE_ALWAYS)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--freeze=always: with --backend=perf counters cannot be frozen");
	return 0;
}

/* Whether all that was chosen is what CPUs count. */
static bool chooses_cpus_alone(const struct options *o)
{
	const struct session_options *s = &o->session;
	struct error ignored;

	if (s->events.count || s->metrics.count || s->metric_files.count)
		return false;
	return !o->groups_chosen ||
	       (!view_check_groups(s->view.groups, &ignored) && view_is_of_cpus(s->view.groups));
}

static bool chooses_rows(const struct options *o)
{
	const struct view_options *view = &o->session.view;

	return view->sockets || view->ports || view->devices || view->nodes ||
	       (o->scope_chosen && view->finest != SCOPE_SYSTEM);
}

/* A process has one row, of what CPUs count; the kernel alone can count it. */
static int check_process(struct options *o, struct error *err)
{
	struct session_options *s = &o->session;

	if (!s->process && !o->command_alone)
		return 0;
	if (o->command_alone && !o->command)
		return options_usage(err, "no command for", "--pid=command", "expected -- COMMAND");
	if (s->backend == BACKEND_RAW)
		return options_usage(err, "a process is counted by the kernel", "--backend=raw",
				     "expected --backend=perf");
	if (!chooses_cpus_alone(o))
		return options_usage(err, "not counted by process with", "--pid",
				     "expected -m core, -m stall or both");
	if (chooses_rows(o))
		return options_usage(err, "a process has one row, of the system, with", "--pid",
				     "expected no other selection");
	s->backend = BACKEND_PERF;
	s->view.finest = SCOPE_SYSTEM;
	if (!o->groups_chosen)
		s->view.groups = o->what_if ? "stall" : "core";
	o->groups_chosen = true;
	return 0;
}

/* What can't be told before all options are known. */
static int check_output(const struct options *o, struct error *err)
{
	if (!o->record && (o->host || o->notes.count))
		return options_usage(err, "only a recording has", o->host ? "--host" : "--note",
				     "expected cxlmon record FILE");
	if (o->append && o->record)
		return options_usage(err, "record takes no option", "--append",
				     "expected a new FILE for each recording");
	if (o->append && !o->output)
		return options_usage(err, "no file for option", "--append", "expected -o FILE");
	if (o->append && o->format && o->format->replaces)
		return options_usage(err, "no option for this format", "--append",
				     "expected table, csv or json, since each sample replaces the "
				     "file");
	if (o->no_header && o->format && o->format != &format_csv)
		return options_usage(err, "no option for this format", "--no-header",
				     "expected csv, which alone has a header row");
	return 0;
}

static int unknown_option(const struct option_parser *parser, const char *word, int code,
			  struct error *err)
{
	const char *hint = habit_hint(HABIT_OPTION, word), *nearest = option_nearest(parser, word);

	if (code == ':')
		return options_usage(err, "no value for option", word,
				     !strcmp(word, "--listen") ? "expected ADDR:PORT"
							       : "see cxlmon --help");
	if (hint)
		return options_usage(err, "not an option here", word, hint);
	if (word[0] == '-' && (isdigit((unsigned char)word[1]) || word[1] == '.'))
		return options_usage(err, "not an interval", word, EXPECTED_TIME);
	if (nearest)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "unknown option '%s': did you mean --%s? see cxlmon --help",
				 quoted(word).text, nearest);
	return options_usage(err, "unknown option", word, "see cxlmon --help");
}

/* Options and operands up to a command. dashes: "--" was seen. */
static int parse_words(struct option_parser *parser, int argc, char **argv, struct options *o,
		       bool *dashes, struct error *err)
{
	unsigned operands = 0;
	int rc = 0;

	while (!rc) {
		const int word = optind ? optind : 1;
		const struct option_row *row;
		const int code = option_parser_next(parser, argc, argv, &row);

		*dashes = code == -1 && optind > word; /* getopt has skipped it */
		if (code == -1)
			break;
		if (code == OPTION_OPERAND)
			rc = parse_operand(o, &operands, optarg, err);
		else if (code == OPTION_ROW) /* -silent is no -s with a list of sockets */
			rc = hint_at(option_set(row, o, optarg, err), HABIT_OPTION,
				     "not an option here", argv[word], err);
		else
			rc = unknown_option(parser, argv[word], code, err);
	}
	return rc;
}

static bool chooses_something(const struct session_options *s)
{
	return s->view.groups || s->events.count || s->metrics.count || s->metric_files.count;
}

/* cxlmon record needs a file, which is the output's format; an interval alone is none. */
static int check_recording(const struct options *o, struct error *err)
{
	if (!o->record || o->help || o->version || o->format)
		return 0;
	if (!o->interval_text)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "no recording file: expected cxlmon record FILE");
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "no recording file: '%s' is an interval: expected cxlmon record FILE "
			 "[INTERVAL [COUNT]], or ./%s for a file of that name",
			 quoted(o->interval_text).text, quoted(o->interval_text).text);
}

int options_parse(int argc, char **argv, const struct option_row *own, struct options *o,
		  struct error *err)
{
	struct session_options *s = &o->session;
	struct option_parser parser;
	bool dashes = false;

	s->view.finest = SCOPE_PORT;
	s->view.regions_instead = true;
	s->interval_ns = NS_PER_S;
	option_parser_init(&parser, monitor_options, true);
	for (; own && own->name; own++)
		option_parser_add(&parser, own);
	int rc = parse_words(&parser, argc, argv, o, &dashes, err);
	s->rotation_ns = (uint64_t)round(o->rotate_ms * 1e6);
	o->groups_chosen = s->view.groups;
	if (!chooses_something(s))
		s->view.groups = METRIC_DEFAULTS;
	if (!rc && optind < argc)
		o->command = &argv[optind];
	else if (!rc && dashes)
		rc = options_usage(err, "nothing after", "--", "expected a command");
	if (!rc && !o->help && !o->version)
		rc = check_output(o, err);
	if (!rc)
		rc = check_process(o, err);
	if (!rc)
		rc = check_backend(o, err);
	return rc ? rc : check_recording(o, err);
}
