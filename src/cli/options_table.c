/* SPDX-License-Identifier: BSD-3-Clause */
/* Every option of the monitor: its names, what it sets, and its line of --help. */
#include "cli/options_table.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cli/wrapped.h"
#include "metrics/custom_text.h"
#include "platform/number.h"
#include "platform/numlist.h"
#include "platform/text.h"
#include "session/session.h"

#define MIN_ROTATE_MS 0.1
#define MAX_ROTATE_MS 3600000
#define MIN_LINK_GBPS 0.001
#define MAX_LINK_GBPS 10000
#define HELP_WIDTH    79
#define HELP_INDENT   25 /* of what an option does */

int options_usage(struct error *err, const char *what, const char *value, const char *expected)
{
	return error_set(err, EXIT_USAGE, -EINVAL, "%s '%s': %s", what, quoted(value).text,
			 expected);
}

const char *options_output_file(const char *name)
{
	return strcmp(name, "-") ? name : NULL;
}

int options_set_recording(struct options *o, const char *name, struct error *err)
{
	if (o->format)
		return options_usage(err, "more than one recording file", name,
				     "expected one FILE");
	o->format = &format_recording;
	o->output = options_output_file(name);
	return *name ? 0 : options_usage(err, "no file", name, "expected a file name");
}

static int set_format(struct options *o, const char *value, struct error *err)
{
	if (o->record)
		return options_usage(err, "record takes no format", value,
				     "expected cxlmon record FILE; cxlmon replay FILE prints it in "
				     "any format");
	o->format = format_find(value);
	return o->format ? 0
			 : options_usage(err, "unknown format", value,
					 "expected table, csv, json or openmetrics");
}

static int set_output(struct options *o, const char *value, struct error *err)
{
	if (o->record)
		return options_set_recording(o, value, err);
	o->output = options_output_file(value);
	return *value ? 0 : options_usage(err, "no output file", value, "expected a file name");
}

static int set_append(struct options *o, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	o->append = true;
	return 0;
}

static int set_no_header(struct options *o, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	o->no_header = true;
	return 0;
}

static int set_metrics(struct options *o, const char *value, struct error *err)
{
	o->view.groups = value;
	o->groups_chosen = true;
	return view_check_groups(value, err);
}

static int add_value(const char **values, size_t *count, const char *value, struct error *err)
{
	if (*count == OPTIONS_MOST)
		return options_usage(err, "too many uses of one option", value,
				     "expected 64 at most");
	values[(*count)++] = value;
	return 0;
}

static int set_event(struct options *o, const char *value, struct error *err)
{
	return add_value(o->events, &o->event_count, value, err);
}

static int set_events_from(struct options *o, const char *value, struct error *err)
{
	return add_value(o->event_files, &o->event_file_count, value, err);
}

static int set_metric(struct options *o, const char *value, struct error *err)
{
	char *copy = strdup(value);
	struct custom_text text;
	int rc = copy ? custom_text_parse(copy, &text, err) : error_no_memory(err);

	free(copy); /* events are known once the processor is: the rest is checked then */
	return rc ? rc : add_value(o->metrics, &o->metric_count, value, err);
}

static int set_metrics_from(struct options *o, const char *value, struct error *err)
{
	return add_value(o->metric_files, &o->metric_file_count, value, err);
}

static int set_latency(struct options *o, const char *value, struct error *err)
{
	if (!strcmp(value, "spatial"))
		o->view.latency = LATENCY_SPATIAL;
	else if (!strcmp(value, "rotate"))
		o->view.latency = LATENCY_ROTATE;
	else
		return options_usage(err, "unknown latency method", value,
				     "expected spatial or rotate");
	return 0;
}

static int set_rotate(struct options *o, const char *value, struct error *err)
{
	char *end;
	const double ms = strtod(value, &end);

	if (!*value || *end || value[strspn(value, "0123456789.")] || ms < MIN_ROTATE_MS ||
	    ms > MAX_ROTATE_MS)
		return options_usage(err, "not a rotation period", value,
				     "expected milliseconds from 0.1 to 3600000");
	o->rotate_ns = (uint64_t)round_double(ms * 1e6);
	return 0;
}

int options_scope(const char *value, enum scope *out, struct error *err)
{
	/* of events; metrics have no values for single units. What is no port is counted as one. */
	if (!strcmp(value, "unit") || !strcmp(value, "ccm")) {
		*out = SCOPE_PORT;
		return 0;
	}
	for (unsigned s = 0; s < SCOPE_COUNT; s++) {
		if (!strcmp(value, scope_names[s])) {
			*out = s;
			return 0;
		}
	}
	return options_usage(err, "unknown scope", value,
			     "expected unit, cpu, port, socket or system");
}

static int set_per(struct options *o, const char *value, struct error *err)
{
	return options_scope(value, &o->view.finest, err);
}

static int set_list(const char **list, const char *value, struct error *err)
{
	*list = value;
	return numlist_valid(value) ? 0
				    : options_usage(err, "not a list of numbers", value,
						    "expected such as 0 or 0,2-3");
}

static int set_socket(struct options *o, const char *value, struct error *err)
{
	return set_list(&o->view.sockets, value, err);
}

static int set_port(struct options *o, const char *value, struct error *err)
{
	return set_list(&o->view.ports, value, err);
}

static int set_device(struct options *o, const char *value, struct error *err)
{
	o->view.devices = value;
	return view_devices_valid(value) ? 0
					 : options_usage(err, "not a list of memory devices", value,
							 "expected such as mem0 or mem0,mem2");
}

static int set_node(struct options *o, const char *value, struct error *err)
{
	return set_list(&o->view.nodes, value, err);
}

static int set_sim(struct options *o, const char *value, struct error *err)
{
	(void)err; /* the simulator checks it */
	o->sim = value;
	return 0;
}

static int set_root(struct options *o, const char *value, struct error *err)
{
	o->root = value;
	return *value ? 0 : options_usage(err, "no root", value, "expected a directory");
}

int options_backend(const char *value, enum session_backend *out, struct error *err)
{
	static const char *const names[] = {
		[BACKEND_RAW] = "raw", [BACKEND_PERF] = "perf", [BACKEND_AUTO] = "auto"};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(value, names[i]) != 0)
			continue;
		*out = (enum session_backend)i;
		return 0;
	}
	return options_usage(err, "unknown backend", value, "expected raw, perf or auto");
}

int options_node(const char *value, int *out, struct error *err)
{
	uint64_t number;

	if (!text_number(value, &number) || number > INT16_MAX)
		return options_usage(err, "invalid node", value, "expected the number of a node");
	*out = (int)number;
	return 0;
}

static int set_backend(struct options *o, const char *value, struct error *err)
{
	return options_backend(value, &o->backend, err);
}

static int set_freeze(struct options *o, const char *value, struct error *err)
{
	static const char *const names[] = {
		[FREEZE_AUTO] = "auto", [FREEZE_ALWAYS] = "always", [FREEZE_NEVER] = "never"};

	for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (!strcmp(value, names[i])) {
			o->freeze = i;
			return 0;
		}
	}
	return options_usage(err, "unknown freeze policy", value, "expected auto, always or never");
}

static int set_share(struct options *o, const char *value, struct error *err)
{
	(void)value;
	if (o->ownership == OWNERSHIP_FORCE)
		return options_usage(err, "conflicting options", "--share --force",
				     "expected one of them");
	o->ownership = OWNERSHIP_SHARE;
	return 0;
}

static int set_force(struct options *o, const char *value, struct error *err)
{
	(void)value;
	if (o->ownership == OWNERSHIP_SHARE)
		return options_usage(err, "conflicting options", "--share --force",
				     "expected one of them");
	o->ownership = OWNERSHIP_FORCE;
	return 0;
}

static int set_plain(struct options *o, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	o->plain = true;
	return 0;
}

static int set_link(struct options *o, const char *value, struct error *err)
{
	char *end;
	const double GBps = strtod(value, &end);

	if (!*value || *end || value[strspn(value, "0123456789.")] || !(GBps >= MIN_LINK_GBPS) ||
	    GBps > MAX_LINK_GBPS)
		return options_usage(err, "not a link bandwidth", value,
				     "expected GB/s from 0.001 to 10000");
	o->link_MBps = GBps * 1e3;
	return 0;
}

static int set_summary(struct options *o, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	o->summary = SUMMARY_ALWAYS;
	return 0;
}

static int set_no_summary(struct options *o, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	o->summary = SUMMARY_NEVER;
	return 0;
}

static int set_quiet(struct options *o, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	o->quiet = true;
	o->verbose = false;
	return 0;
}

static int set_verbose(struct options *o, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	o->verbose = true;
	o->quiet = false;
	return 0;
}

static int set_help(struct options *o, const char *value, struct error *err)
{
	(void)err; /* topics are known where they are printed */
	o->help = true;
	o->help_topic = value;
	return 0;
}

static int set_version(struct options *o, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	o->version = true;
	return 0;
}

const struct option_row option_rows[] = {
	{'f', "format", "FMT", "output", set_format,
	 "table (default on a terminal), csv, json, openmetrics", .common = true},
	{0, "csv", NULL, "output", set_format, "same as --format=csv, the default elsewhere",
	 .implied = "csv"},
	{0, "json", NULL, "output", set_format,
	 "same as --format=json: JSON Lines, one object per sample", .implied = "json"},
	{'o', "output", "FILE", "output", set_output, "write to FILE instead of standard output"},
	{0, "append", NULL, "output", set_append,
	 "continue FILE instead of emptying it; as CSV it must have the same header"},
	{0, "no-header", NULL, "output", set_no_header, "CSV without its header row"},
	{'m', "metrics", "LIST", "events", set_metrics,
	 "cxl,latency,dram (default), queue, link, core, device, "
	 "tiering; or all",
	 .common = true},
	{0, "metric", "DEF", "events", set_metric,
	 "a metric of one's own: NAME = FORMULA, as cxlmon list shows formulas"},
	{0, "metrics-from", "FILE", "events", set_metrics_from,
	 "metrics of one's own, one on each line of FILE"},
	{'e', "event", "SPEC", "events", set_event,
	 "an event: NAME, UNIT/event=N,umask=N/, {A,B} or @FILE", .common = true},
	{0, "events-from", "FILE", "events", set_events_from,
	 "also accept the event names of a perfmon JSON file"},
	{0, "rotate", "MS", "events", set_rotate,
	 "multiplexing: milliseconds per event group (default: interval / number of groups)"},
	{0, "latency", "HOW", "events", set_latency,
	 "spatial: CXL and DDR latency on separate CHAs (default); rotate: multiplexed on all CHAs"},
	{'p', "per", "SCOPE", "rows", set_per,
	 "finest rows: unit, cpu, port (default), socket, system", .common = true},
	{'s', "socket", "LIST", "rows", set_socket, "only these sockets, such as 0 or 0,2-3"},
	{0, "port", "LIST", "rows", set_port, "only these ports of each socket"},
	{0, "device", "LIST", "rows", set_device,
	 "only ports with these memory devices, such as mem0,mem2"},
	{0, "node", "LIST", "rows", set_node, "only ports whose memory is in these NUMA nodes"},
	{0, "sim", "SPEC", "sim", set_sim, "simulate a processor, such as spr or turin, or FILE",
	 .common = true},
	{0, "root", "DIR", "machine", set_root,
	 "use dev, sys, proc and run under DIR instead of /"},
	{0, "freeze", "WHEN", "machine", set_freeze,
	 "freeze counters while they are read: auto (default), always, never"},
	{0, "backend", "HOW", "machine", set_backend,
	 "raw registers, perf (the kernel counts), or auto (default)"},
	{0, "share", NULL, "machine", set_share,
	 "use only free counters instead of failing when some are in use"},
	{0, "force", NULL, "machine", set_force,
	 "use counters that are in use by others, and restore their settings at the end"},
	{0, "plain", NULL, "output", set_plain,
	 "on a terminal: a scrolling table instead of the live screen"},
	{0, "link-GBps", "N", "output", set_link,
	 "bandwidth of a port's link in one direction, of which the screen shows percent"},
	{0, "summary", NULL, "output", set_summary,
	 "end with a summary on standard error (default with COUNT or COMMAND on a terminal)"},
	{0, "no-summary", NULL, "output", set_no_summary, "end without one"},
	{'q', "quiet", NULL, "output", set_quiet, "print no messages but errors, and no summary"},
	{'v', "verbose", NULL, "output", set_verbose,
	 "also print which units are found and how they are read"},
	{'h', "help", "TOPIC", "output", set_help, "show help, or that of a topic",
	 .optional = true},
	{'V', "version", NULL, "output", set_version, "show the version"},
	{.name = NULL},
};

_Static_assert(sizeof(option_rows) / sizeof(option_rows[0]) <= OPTION_ROWS_MOST + 1,
	       "OPTION_ROWS_MOST is too small");

void options_help(FILE *out, const char *topic)
{
	for (const struct option_row *row = option_rows; row->name; row++) {
		char name[40];

		if (topic ? strcmp(topic, row->topic) != 0 : !row->common)
			continue;
		snprintf(name, sizeof(name), "--%s%s%s%s", row->name,
			 row->optional	 ? "[="
			 : row->argument ? "="
					 : "",
			 row->argument ? row->argument : "", row->optional ? "]" : "");
		if (row->letter)
			fprintf(out, "  -%c, %-18s ", row->letter, name);
		else
			fprintf(out, "      %-18s ", name);
		wrapped_print(out, row->help, HELP_INDENT, HELP_INDENT, HELP_WIDTH);
	}
}
