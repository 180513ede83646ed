/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon who: which processes have memory on CXL nodes. */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "cli/common.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/options_table.h"
#include "cli/playback.h"
#include "cli/subcommands.h"
#include "linux/signals.h"
#include "platform/numlist.h"
#include "who/print.h"
#include "who/who.h"

struct who_command {
	const struct common_options *common;
	struct who_choice choice;
	uint64_t interval_ns, count;
	const struct who_format *format; /* NULL: table on a terminal, else csv */
	bool csv;			 /* .format is that of --csv */
	const char *output;		 /* NULL: standard output */
	struct log log;
	struct playback_output file;
	bool opened; /* .file is */
	struct who_sheet sheet;
};

static void help(void)
{
	fputs("Usage: cxlmon who [OPTION]... [INTERVAL [COUNT]]\n"
	      "Shows which processes have memory on the NUMA nodes of CXL devices, those with the most\n"
	      "first: how much, which share of theirs that is, and how much it has grown. Without\n"
	      "INTERVAL it scans once; with it, again at each interval, COUNT times.\n"
	      "\n"
	      "      --node=LIST        these NUMA nodes instead, of whatever memory\n"
	      "      --device=LIST      only the nodes of these memory devices, such as mem0,mem2\n"
	      "  -f, --format=FMT       table (default on a terminal), csv (default elsewhere), json\n"
	      "      --csv              same as --format=csv\n"
	      "      --json             same as --format=json: JSON Lines, one object per scan\n"
	      "  -o, --output=FILE      write to FILE instead of standard output\n" HELP_ROOT
		      HELP_BACKEND HELP_QUIET HELP_VERBOSE HELP_HELP "\n"
	      "  sudo cxlmon who 1                  also what their CPUs read, where these can tell\n"
	      "\n"
	      "Exit status 3: no node is known to be CXL memory; --node=N takes any node.\n",
	      stdout);
}

static int set_node(void *context, const char *value, struct error *err)
{
	((struct who_command *)context)->choice.nodes = value;
	return numlist_valid(value) ? 0
				    : options_usage(err, "not a list of numbers", value,
						    "expected such as 0 or 0,2-3");
}

static int set_device(void *context, const char *value, struct error *err)
{
	((struct who_command *)context)->choice.devices = value;
	return view_devices_valid(value) ? 0
					 : options_usage(err, "not a list of memory devices", value,
							 "expected such as mem0 or mem0,mem2");
}

static int set_format(void *context, const char *value, struct error *err)
{
	struct who_command *c = context;

	c->format = who_format_find(value);
	c->csv = false;
	return c->format
		       ? 0
		       : options_usage(err, "unknown format", value, "expected table, csv or json");
}

static int set_csv(void *context, const char *value, struct error *err)
{
	struct who_command *c = context;

	(void)value;
	(void)err;
	c->format = &who_csv;
	c->csv = true;
	return 0;
}

static int set_output(void *context, const char *value, struct error *err)
{
	((struct who_command *)context)->output = options_output_file(value);
	return *value ? 0 : options_usage(err, "no file", value, "expected -o FILE");
}

static const struct extra_option extra_options[] = {
	{"node", 0, true, set_node},	   {"device", 0, true, set_device},
	{"format", 'f', true, set_format}, {"csv", 0, false, set_csv},
	{"output", 'o', true, set_output}, {.name = NULL},
};

/* What all options together mean. */
static int check(struct who_command *c, struct error *err)
{
	const struct common_options *common = c->common;
	int rc = 0;

	if (common->sim)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "who: a simulated machine runs no processes: expected no --sim");
	if (common->json && c->format && c->format != &who_json)
		return options_usage(err, "conflicting options",
				     c->csv ? "--json and --csv" : "--json and --format",
				     "expected one of them");
	if (common->json)
		c->format = &who_json;
	if (common->operand_count > 0)
		rc = options_interval(common->operands[0], &c->interval_ns, err);
	if (!rc && common->operand_count > 1)
		rc = options_count(common->operands[1], &c->count, err);
	if (!rc && common->backend != BACKEND_AUTO && !c->interval_ns)
		rc = error_set(err, EXIT_USAGE, -EINVAL,
			       "who: --backend is how reads by CPU are counted: expected an "
			       "interval, such as 1");
	return rc;
}

static size_t table_width(int fd)
{
	struct winsize size = {.ws_col = 0};

	return isatty(fd) && !ioctl(fd, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col
									  : WHO_TABLE_WIDTH;
}

static int begin(void *context, const struct who_nodes *nodes, bool reads, struct error *err)
{
	struct who_command *c = context;
	char text[WHO_NODES_TEXT_SIZE];
	int rc = playback_open_output(c->output, false, &c->file, err);

	if (rc)
		return rc;
	c->opened = true;
	if (!c->format)
		c->format = isatty(c->file.fd) ? &who_table : &who_csv;
	c->sheet = (struct who_sheet){.out = c->file.out,
				      .nodes = nodes,
				      .reads = reads,
				      .repeats = c->interval_ns > 0,
				      .width = table_width(c->file.fd)};
	if (c->format->begin)
		c->format->begin(&c->sheet);
	if (c->format == &who_table && nodes->count > 1 && !who_table_has_nodes(&c->sheet))
		log_write(&c->log, LEVEL_NOTE,
			  "no room for a column for each node (see --csv): the sum of %s is shown",
			  who_nodes_text(nodes, text));
	return 0;
}

static int show(void *context, const struct who_scan *scan, struct error *err)
{
	struct who_command *c = context;

	c->format->scan(&c->sheet, scan);
	c->sheet.scans += c->format != &who_table;
	const int rc = common_flush(c->file.out);
	return rc ? error_set(err, EXIT_FAILED, rc, "%s: cannot be written: %s", c->file.name,
			      strerror(-rc))
		  : 0;
}

/* Ctrl-C after a scan is how a run without COUNT ends. */
static int run(struct who_command *c, int *status, struct error *err)
{
	const struct common_options *common = c->common;
	struct signals signals;
	int signal_number;
	const struct who_options options = {
		.root = common->root,
		.backend = common->backend,
		.choice = c->choice,
		.interval_ns = c->interval_ns,
		.count = c->count,
		.wake = &signals.wake,
		.begin = begin,
		.scan = show,
		.context = c,
	};

	c->log = messages_log(common->quiet, common->verbose);
	signals_block(&signals);
	int rc = who_run(&options, &c->log, &signal_number, err);
	if (rc == -EINTR && signal_number) {
		*status = signal_number == SIGINT && c->sheet.scans
				  ? EXIT_OK
				  : EXIT_SIGNALLED + signal_number;
		rc = 0;
	}
	if (!c->opened)
		return rc;
	const int closed = playback_close_output(&c->file, rc ? NULL : err);
	return rc ? rc : closed;
}

int cmd_who(int argc, char **argv)
{
	struct common_options common;
	struct who_command command = {.common = &common};
	struct error err = {0};
	int status = EXIT_OK;
	int rc = common_parse(argc, argv, extra_options, &command, 2, &common, &err);

	if (!rc && common.help)
		help();
	else if (!rc)
		rc = check(&command, &err);
	if (!rc && !common.help)
		rc = run(&command, &status, &err);
	rc = common_finish("who", rc, &err);
	return rc ? rc : status;
}
