/* SPDX-License-Identifier: BSD-3-Clause */
/* Every option: how it is typed, what it sets, and what --help says of it. */
#include "cli/options_parts.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/subcommands.h"
#include "platform/number.h"
#include "platform/numlist.h"
#include "platform/text.h"
#include "session/session.h"

#define MIN_TURN_MS	0.1
#define MAX_TURN_MS	3600000
#define MIN_LINK_GBPS	0.001
#define MAX_LINK_GBPS	10000
#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyz0123456789"

int options_usage(struct error *err, const char *what, const char *value, const char *expected)
{
	return error_set(err, EXIT_USAGE, -EINVAL, "%s '%s': %s", what, quoted(value).text,
			 expected);
}

/* A recording has one form and one place, which is its operand. */
static int refuse_of_recording(const char *what, const char *value, struct error *err)
{
	return options_usage(
		err, what, value,
		"expected cxlmon record FILE; cxlmon replay FILE shows it in any form");
}

static int set_format(struct options *o, const char *value, struct error *err)
{
	if (o->record)
		return refuse_of_recording("no format can be chosen of a recording", value, err);
	o->format = format_find(value);
	return o->format ? 0
			 : options_usage(err, "unknown format", value,
					 "expected table, csv, json or openmetrics");
}

static int set_output(struct options *o, const char *value, struct error *err)
{
	if (o->record)
		return refuse_of_recording("no output can be chosen of a recording", value, err);
	o->output = value;
	return *value ? 0 : options_usage(err, "no output file", value, "expected a file name");
}

static int set_metrics(struct options *o, const char *value, struct error *err)
{
	o->view.groups = value;
	o->groups_chosen = true;
	return view_check_groups(value, err);
}

static int add_word(const char **words, size_t *count, const char *value, struct error *err)
{
	if (*count == OPTIONS_MOST)
		return options_usage(err, "too many of one option", value, "expected 64 at most");
	words[(*count)++] = value;
	return 0;
}

static int set_event(struct options *o, const char *value, struct error *err)
{
	return add_word(o->events, &o->event_count, value, err);
}

static int set_events_from(struct options *o, const char *value, struct error *err)
{
	return add_word(o->event_files, &o->event_file_count, value, err);
}

static int set_latency(struct options *o, const char *value, struct error *err)
{
	if (!strcmp(value, "spatial"))
		o->view.latency = LATENCY_SPATIAL;
	else if (!strcmp(value, "rotate"))
		o->view.latency = LATENCY_ROTATE;
	else
		return options_usage(err, "unknown way to measure latency", value,
				     "expected spatial or rotate");
	return 0;
}

static int set_rotate(struct options *o, const char *value, struct error *err)
{
	char *end;
	const double ms = strtod(value, &end);

	if (!*value || *end || value[strspn(value, "0123456789.")] || ms < MIN_TURN_MS ||
	    ms > MAX_TURN_MS)
		return options_usage(err, "not a time for turns", value,
				     "expected milliseconds from 0.1 to 3600000");
	o->rotate_ns = (uint64_t)round_double(ms * 1e6);
	return 0;
}

static int set_per(struct options *o, const char *value, struct error *err)
{
	for (unsigned s = 0; s < SCOPE_COUNT; s++) {
		if (!strcmp(value, scope_names[s])) {
			o->view.finest = s;
			return 0;
		}
	}
	return options_usage(err, "unknown scope", value, "expected cpu, port, socket or system");
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
	return *value && !value[strspn(value, NAME_CHARACTERS ",")]
		       ? 0
		       : options_usage(err, "not a list of memory devices", value,
				       "expected such as mem0 or mem0,mem2");
}

static int set_node(struct options *o, const char *value, struct error *err)
{
	return set_list(&o->view.nodes, value, err);
}

static int set_sim(struct options *o, const char *value, struct error *err)
{
	(void)err; /* the simulator knows its keys */
	o->sim = value;
	return 0;
}

static int set_root(struct options *o, const char *value, struct error *err)
{
	o->root = value;
	return *value ? 0 : options_usage(err, "no root", value, "expected a directory");
}

/* perf_event_open() is not built in, so that "raw if possible, else perf" is raw. */
static int set_backend(struct options *o, const char *value, struct error *err)
{
	(void)o;
	if (!strcmp(value, "raw") || !strcmp(value, "auto"))
		return 0;
	if (!strcmp(value, "perf"))
		return options_usage(err, "no backend in this version", value,
				     "expected raw or auto");
	return options_usage(err, "unknown backend", value, "expected raw or auto");
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
		return options_usage(err, "--share and --force", "--share", "expected one of them");
	o->ownership = OWNERSHIP_SHARE;
	return 0;
}

static int set_force(struct options *o, const char *value, struct error *err)
{
	(void)value;
	if (o->ownership == OWNERSHIP_SHARE)
		return options_usage(err, "--share and --force", "--force", "expected one of them");
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
		return options_usage(err, "not a bandwidth of a link", value,
				     "expected GB/s from 0.001 to 10000");
	o->link_MBps = GBps * 1e3;
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
	(void)value;
	(void)err;
	o->help = true;
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
	{'f', "format", "FMT", set_format,
	 "table, csv (the default where no terminal is), json, openmetrics"},
	{0, "csv", NULL, set_format, "short for --format=csv", "csv"},
	{0, "json", NULL, set_format, "short for --format=json: JSON Lines, an object a sample",
	 "json"},
	{'o', "output", "FILE", set_output, "write there instead of standard output"},
	{'m', "metrics", "LIST", set_metrics,
	 "metric groups, comma separated: cxl, latency, dram (the default), queue, link, core, all"},
	{'e', "event", "SPEC", set_event,
	 "an event instead: a name, or BOX/event=..,umask=../; {a,b} counts both at once; @FILE"},
	{0, "events-from", "FILE", set_events_from, "know the events of Intel's perfmon JSON, too"},
	{0, "rotate", "MS", set_rotate,
	 "how long a group of events counts before the next has its turn, within a sample"},
	{0, "latency", "HOW", set_latency,
	 "spatial: each tier on its own CHAs (default); rotate: on all, in turns"},
	{'p', "per", "SCOPE", set_per, "finest rows: cpu, port (default), socket, system"},
	{'s', "socket", "LIST", set_socket, "only these sockets, such as 0 or 0,2-3"},
	{0, "port", "LIST", set_port, "only these ports of each socket"},
	{0, "device", "LIST", set_device, "only ports with these memory devices, such as mem0"},
	{0, "node", "LIST", set_node, "only ports whose memory is in these NUMA nodes"},
	{0, "sim", "SPEC", set_sim,
	 "simulate a processor: spr, emr, gnr, srf or a snapshot, then key=value behind commas"},
	{0, "root", "DIR", set_root, "find dev, sys and proc under DIR instead of /"},
	{0, "freeze", "WHEN", set_freeze,
	 "freeze counters while reading: auto (default), always, never"},
	{0, "backend", "HOW", set_backend,
	 "how registers are reached: raw (default), or auto, which is raw as yet"},
	{0, "share", NULL, set_share,
	 "measure with what is free where others use counters, instead of refusing"},
	{0, "force", NULL, set_force,
	 "take counters that others use, and put them back as they were at the end"},
	{0, "plain", NULL, set_plain, "on a terminal: a table that scrolls instead of the screen"},
	{0, "link-GBps", "N", set_link,
	 "what a port's link carries in one direction: the screen's bars are shares of it"},
	{'q', "quiet", NULL, set_quiet, "no messages but errors"},
	{'v', "verbose", NULL, set_verbose, "say what is found and how it is measured"},
	{'h', "help", NULL, set_help, "show this help"},
	{'V', "version", NULL, set_version, "show the version"},
	{.name = NULL},
};

_Static_assert(sizeof(option_rows) / sizeof(option_rows[0]) <= OPTION_ROWS_MOST + 1,
	       "the tables for getopt must have room");

void options_help(FILE *out)
{
	fputs("Usage: cxlmon [OPTION]... [INTERVAL [COUNT]] [-- COMMAND [ARG]...]\n"
	      "       cxlmon SUBCOMMAND [OPTION]...\n"
	      "Shows what every CXL port of this machine does, live.\n"
	      "\n"
	      "INTERVAL is in seconds, or 500ms, or 100us (default 1); COUNT is the number of\n"
	      "samples (default: until Ctrl-C, or until COMMAND ends).\n"
	      "\n",
	      out);
	for (const struct option_row *row = option_rows; row->name; row++) {
		char name[40];

		snprintf(name, sizeof(name), "--%s%s%s", row->name, row->argument ? "=" : "",
			 row->argument ? row->argument : "");
		if (row->letter)
			fprintf(out, "  -%c, %-16s %s\n", row->letter, name, row->help);
		else
			fprintf(out, "      %-16s %s\n", name, row->help);
	}
	fputs("\n"
	      "Subcommands (each has a --help of its own):\n",
	      out);
	for (const struct subcommand *s = subcommands; s->name; s++)
		fprintf(out, "      %-16s %s\n", s->name, s->help);
	fputs("\n"
	      "Exit status: 0 fine (or COMMAND's own), 1 failed while running, 2 wrong usage,\n"
	      "3 nothing to monitor on this machine, 4 no permission, 5 counters in use,\n"
	      "128+n ended by signal n (but 0 for Ctrl-C after a sample).\n"
	      "\n"
	      "  sudo cxlmon 1                      a live screen; q leaves it\n"
	      "  sudo cxlmon 0.1 100 --csv > t.csv  a hundred samples, for a script\n"
	      "  sudo cxlmon 1 --csv -- ./work      samples while ./work runs\n"
	      "  cxlmon --sim=spr 1                 the same without hardware or root\n",
	      out);
}
