/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/options.h"
#include "cli/subcommands.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "platform/numlist.h"
#include "session/session.h"
#include "uncore/event_text.h"

#define MIN_TURN_MS	0.1
#define MAX_TURN_MS	3600000
#define NAME_CHARACTERS "abcdefghijklmnopqrstuvwxyz0123456789"
#define EXPECTED_TIME	"expected seconds such as 1 or 0.5, or 500ms, or 100us"

static int usage(struct error *err, const char *what, const char *value, const char *expected)
{
	return error_set(err, EXIT_USAGE, -EINVAL, "%s '%s': %s", what, quoted(value).text,
			 expected);
}

static int set_format(struct options *o, const char *value, struct error *err)
{
	o->format = format_find(value);
	return o->format ? 0
			 : usage(err, "unknown format", value,
				 "expected table, csv, json or openmetrics");
}

static int set_output(struct options *o, const char *value, struct error *err)
{
	o->output = value;
	return *value ? 0 : usage(err, "no output file", value, "expected a file name");
}

static int set_metrics(struct options *o, const char *value, struct error *err)
{
	o->view.groups = value;
	return view_check_groups(value, err);
}

static int add_word(const char **words, size_t *count, const char *value, struct error *err)
{
	if (*count == OPTIONS_MOST)
		return usage(err, "too many of one option", value, "expected 64 at most");
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
		return usage(err, "unknown way to measure latency", value,
			     "expected spatial or rotate");
	return 0;
}

static int set_rotate(struct options *o, const char *value, struct error *err)
{
	char *end;
	const double ms = strtod(value, &end);

	if (!*value || *end || value[strspn(value, "0123456789.")] || ms < MIN_TURN_MS ||
	    ms > MAX_TURN_MS)
		return usage(err, "not a time for turns", value,
			     "expected milliseconds from 0.1 to 3600000");
	o->turn_ns = (uint64_t)llround(ms * 1e6);
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
	return usage(err, "unknown scope", value, "expected cpu, port, socket or system");
}

static int set_list(const char **list, const char *value, struct error *err)
{
	*list = value;
	return numlist_valid(value)
		       ? 0
		       : usage(err, "not a list of numbers", value, "expected such as 0 or 0,2-3");
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
		       : usage(err, "not a list of memory devices", value,
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
	return *value ? 0 : usage(err, "no root", value, "expected a directory");
}

/* perf_event_open() is not built in, so that "raw if possible, else perf" is raw. */
static int set_backend(struct options *o, const char *value, struct error *err)
{
	(void)o;
	if (!strcmp(value, "raw") || !strcmp(value, "auto"))
		return 0;
	if (!strcmp(value, "perf"))
		return usage(err, "no backend in this version", value, "expected raw or auto");
	return usage(err, "unknown backend", value, "expected raw or auto");
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
	return usage(err, "unknown freeze policy", value, "expected auto, always or never");
}

static int set_share(struct options *o, const char *value, struct error *err)
{
	(void)value;
	if (o->ownership == OWNERSHIP_FORCE)
		return usage(err, "--share and --force", "--share", "expected one of them");
	o->ownership = OWNERSHIP_SHARE;
	return 0;
}

static int set_force(struct options *o, const char *value, struct error *err)
{
	(void)value;
	if (o->ownership == OWNERSHIP_SHARE)
		return usage(err, "--share and --force", "--force", "expected one of them");
	o->ownership = OWNERSHIP_FORCE;
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

static const struct row_of_options {
	char letter; /* 0: none */
	const char *name;
	const char *argument; /* NULL: takes none */
	int (*set)(struct options *o, const char *value, struct error *err);
	const char *help;
	const char *implied; /* its value, where it takes none; may be NULL */
} table[] = {
	{'f', "format", "FMT", set_format,
	 "table (the default on a terminal), csv (the default elsewhere), json, openmetrics"},
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
	{'q', "quiet", NULL, set_quiet, "no messages but errors"},
	{'v', "verbose", NULL, set_verbose, "say what is found and how it is measured"},
	{'h', "help", NULL, set_help, "show this help"},
	{'V', "version", NULL, set_version, "show the version"},
};

#define TABLE_ROWS (sizeof(table) / sizeof(table[0]))
#define LONG_BASE  256 /* long options are known to getopt by their row, beyond any letter */

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
	for (size_t i = 0; i < TABLE_ROWS; i++) {
		char name[40];

		snprintf(name, sizeof(name), "--%s%s%s", table[i].name,
			 table[i].argument ? "=" : "", table[i].argument ? table[i].argument : "");
		if (table[i].letter)
			fprintf(out, "  -%c, %-16s %s\n", table[i].letter, name, table[i].help);
		else
			fprintf(out, "      %-16s %s\n", name, table[i].help);
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
	      "  sudo cxlmon 1                      a table every second\n"
	      "  sudo cxlmon 0.1 100 --csv > t.csv  a hundred samples, for a script\n"
	      "  sudo cxlmon 1 --csv -- ./work      samples while ./work runs\n"
	      "  cxlmon --sim=spr 1                 the same without hardware or root\n",
	      out);
}

int options_interval(const char *text, uint64_t *ns, struct error *err)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"", 1e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}};
	const size_t digits = strspn(text, "0123456789.");
	char *end;

	/* strtod() would take blanks, signs, exponents, hexadecimals and inf as well */
	double number = strtod(text, &end);
	if (!digits || end != text + digits)
		return usage(err, "not an interval", text, EXPECTED_TIME);
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].name))
			continue;
		number *= units[i].ns;
		if (number < (double)SESSION_MIN_INTERVAL_NS ||
		    number > (double)SESSION_MAX_INTERVAL_NS)
			return usage(err, "interval out of range", text,
				     "expected 100us or more, and a year at most");
		*ns = (uint64_t)llround(number);
		return 0;
	}
	return usage(err, "not an interval", text, EXPECTED_TIME);
}

static int parse_count(const char *text, uint64_t *count, struct error *err)
{
	char *end;

	errno = 0;
	*count = strtoull(text, &end, 10);
	if (errno || *end || !isdigit((unsigned char)*text) || !*count)
		return usage(err, "not a count of samples", text, "expected a whole number from 1");
	return 0;
}

static int take_operand(struct options *o, unsigned index, const char *text, struct error *err)
{
	switch (index) {
	case 0:
		return options_interval(text, &o->interval_ns, err);
	case 1:
		return parse_count(text, &o->count, err);
	default:
		return usage(err, "unexpected argument", text,
			     "expected INTERVAL, COUNT, and a command only behind --");
	}
}

/* What users of PCM type, and what it is here. */
static int refuse_pcm_options(int argc, char **argv, struct error *err)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
		if (!strncmp(argv[i], "-i=", 3))
			return usage(err, "not an option here", argv[i],
				     "the number of samples follows the interval: cxlmon 1 10");
		if (!strncmp(argv[i], "-csv", 4))
			return usage(err, "not an option here", argv[i],
				     "expected --csv, and -o FILE for a file");
	}
	return 0;
}

static int unknown_option(char **argv, int index, int code, struct error *err)
{
	const char *word = argv[index];

	if (code == ':')
		return usage(err, "no value for option", word, "see cxlmon --help");
	if (word[0] == '-' && (isdigit((unsigned char)word[1]) || word[1] == '.'))
		return usage(err, "not an interval", word, EXPECTED_TIME);
	return usage(err, "unknown option", word, "expected one that cxlmon --help lists");
}

/* getopt's view of the table: letters (":" behind one that takes a value), and long names. */
static void describe_options(char letters[2 * TABLE_ROWS + 3], struct option longs[TABLE_ROWS + 1])
{
	char *at = letters;

	*at++ = '-'; /* operands come in their order, so that they may stand between options */
	*at++ = ':'; /* a missing value is told apart from an unknown option */
	for (size_t i = 0; i < TABLE_ROWS; i++) {
		longs[i] = (struct option){
			.name = table[i].name,
			.has_arg = table[i].argument ? required_argument : no_argument,
			.val = LONG_BASE + (int)i,
		};
		if (!table[i].letter)
			continue;
		*at++ = table[i].letter;
		if (table[i].argument)
			*at++ = ':';
	}
	*at = '\0';
	longs[TABLE_ROWS] = (struct option){0};
}

static const struct row_of_options *row_of(int code)
{
	for (size_t i = 0; i < TABLE_ROWS; i++)
		if (code == LONG_BASE + (int)i || (table[i].letter && code == table[i].letter))
			return &table[i];
	return NULL;
}

int options_parse(int argc, char **argv, struct options *out, struct error *err)
{
	struct option longs[TABLE_ROWS + 1];
	char letters[2 * TABLE_ROWS + 3];
	unsigned operands = 0;
	bool dashes = false;
	int code, rc = refuse_pcm_options(argc, argv, err);

	*out = (struct options){
		.interval_ns = UINT64_C(1000000000),
		.root = "/",
		.view = {.groups = SESSION_METRICS, .finest = SCOPE_PORT},
	};
	describe_options(letters, longs);
	optind = 0; /* makes getopt forget an earlier command line */
	opterr = 0;
	while (!rc) {
		const int word = optind ? optind : 1;
		const struct row_of_options *row;

		code = getopt_long(argc, argv, letters, longs, NULL);
		if (code == -1) {
			dashes = optind > word; /* what it passed was "--" */
			break;
		}
		row = row_of(code);
		if (code == 1)
			rc = take_operand(out, operands++, optarg, err);
		else if (row)
			rc = row->set(out, row->argument ? optarg : row->implied, err);
		else
			rc = unknown_option(argv, word, code, err);
	}
	if (!rc && optind < argc)
		out->command = &argv[optind];
	else if (!rc && dashes)
		rc = usage(err, "nothing behind", "--", "expected a command");
	return rc;
}
