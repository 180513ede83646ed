/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon sweep: loaded latency, as a recording and as CSV. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/common.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/options_table.h"
#include "cli/subcommands.h"
#include "cli/traffic_command.h"
#include "linux/signals.h"
#include "selftest/result_text.h"
#include "sweep/sweep.h"
#include "sweep/sweep_file.h"
#include "sweep/sweep_text.h"

#define DEFAULT_SECONDS 60

struct sweep_command {
	const struct common_options *common;
	struct selftest_choice choice;
	uint64_t total_ns;
	const char *output; /* NULL: not recorded; "-": on standard output */
	bool csv, shows_progress;
	struct sweep_file file;
	struct sweep_points points;
};

static void help(void)
{
	fputs("Usage: cxlmon sweep [OPTION]... -o FILE\n"
	      "Measures the latency of each NUMA node behind a CXL port, and of DRAM, from no load to\n"
	      "the most that can be had, in steps, with 100, 75, 67 and 50 % of reads: by dependent\n"
	      "reads and by the counters. Records that in FILE, which must be new or empty: cxlmon\n"
	      "report FILE draws the curves. Other programs that use the memory make it wait, and are\n"
	      "made to wait.\n"
	      "\n"
	      "      --node=N           only this NUMA node\n"
	      "      --seconds=S        time for all of it (60)\n"
	      "  -o, --output=FILE      record in FILE\n"
	      "      --csv              print a row for each step; then -o may be left out\n" HELP_COMMON
	      "\n"
	      "  sudo cxlmon sweep -o sweep.cxl && cxlmon report sweep.cxl -o sweep.html\n",
	      stdout);
}

static int set_node(void *context, const char *value, struct error *err)
{
	return options_node(value, &((struct sweep_command *)context)->choice.node, err);
}

static int set_seconds(void *context, const char *value, struct error *err)
{
	return options_interval(value, &((struct sweep_command *)context)->total_ns, err);
}

static int set_output(void *context, const char *value, struct error *err)
{
	((struct sweep_command *)context)->output = value;
	return *value ? 0 : options_usage(err, "no file", value, "expected -o FILE");
}

static int set_csv(void *context, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	((struct sweep_command *)context)->csv = true;
	return 0;
}

static const struct extra_option extra_options[] = {
	{"node", 0, true, set_node},
	{"seconds", 0, true, set_seconds},
	{"output", 'o', true, set_output},
	{"csv", 0, false, set_csv},
	{.name = NULL},
};

static bool is_stdout(const struct sweep_command *c)
{
	return c->output && !options_output_file(c->output);
}

static int begin(void *context, const struct sweep *sweep, struct error *err)
{
	struct sweep_command *c = context;
	const size_t steps = sweep->found.node_count * SWEEP_MIXES * (SWEEP_STEPS + 1);
	const int rc = c->output ? sweep_file_create(&c->file, c->output, sweep, err) : 0;

	if (rc)
		return rc;
	if (!c->common->quiet)
		traffic_announce(&sweep->found, sweep->step_ns * steps);
	if (c->csv)
		sweep_csv_header(stdout);
	return 0;
}

static void show_progress(void *context, const struct selftest_node *node, double read_share,
			  double part)
{
	const struct sweep_command *c = context;
	char name[SELFTEST_NAME_SIZE];

	if (!c->shows_progress)
		return;
	fprintf(stderr, CLEAR_LINE "%s: %.0f %% reads, at %.0f %% of the most",
		selftest_node_name(node, name), 100 * read_share, 100 * part);
	fflush(stderr);
}

/* -EPIPE: nobody reads it. Other failures are reported at the end: the sweep may be recorded. */
static int print_row(const struct sweep_point *point, const struct sweep_counted *counted)
{
	sweep_csv_row(point, counted, stdout);
	return common_flush(stdout) == -EPIPE ? -EPIPE : 0;
}

static int take_point(struct sweep_command *c, const struct sweep *sweep,
		      const struct sweep_point *point, struct error *err)
{
	const struct sweep_counted counted = sweep_counted(&sweep->session.view, point);

	if (c->csv && print_row(point, &counted))
		return error_set(err, EXIT_FAILED, -EPIPE, "sweep: nobody reads its rows");
	return sweep_points_add(&c->points, point, &counted) ? error_no_memory(err) : 0;
}

static int take_sample(void *context, const struct sweep *sweep, const struct sample *sample,
		       const struct sweep_point *point, struct error *err)
{
	struct sweep_command *c = context;
	const int rc = point ? take_point(c, sweep, point, err) : 0;

	return rc || !c->output ? rc : sweep_file_put(&c->file, sweep, sample, point, err);
}

/* Nodes that were to be measured and could not. */
static int report_skipped(const struct sweep_command *c, const struct sweep *sweep,
			  struct error *err)
{
	const struct selftest_result *found = &sweep->found;

	for (size_t i = 0; !c->points.count && i < found->node_count; i++)
		if (found->nodes[i].skipped.code)
			return error_set(err, EXIT_FAILED, found->nodes[i].skipped.code,
					 "no node could be measured: %s",
					 found->nodes[i].skipped.text);
	return 0;
}

static int sweep(struct sweep_command *c, int *signal_number, struct error *err)
{
	const struct common_options *common = c->common;
	const struct log log = messages_log(common->quiet, common->verbose);
	struct signals signals;
	struct sweep run;
	const struct sweep_options options = {
		.sim = common->sim,
		.root = common->root,
		.backend = common->backend,
		.choice = c->choice,
		.total_ns = c->total_ns,
		.wake = &signals.wake,
		.begin = begin,
		.progress = show_progress,
		.sample = take_sample,
		.context = c,
	};

	c->shows_progress = !common->quiet && isatty(STDERR_FILENO);
	signals_block(&signals);
	int rc = sweep_run(&options, &log, &run, err);
	if (c->shows_progress)
		fputs(CLEAR_LINE, stderr);
	/* a sweep that was interrupted is kept, too, or whose rows nobody reads */
	const bool kept = !rc || rc == -EINTR || rc == -EPIPE;
	const int closed = sweep_file_close(&c->file, kept, kept ? err : NULL);
	if (kept && closed)
		rc = closed;
	if (!rc)
		rc = report_skipped(c, &run, err);
	if (!rc && !c->csv && !is_stdout(c))
		sweep_summary(&c->points, stdout);
	*signal_number = run.signal_number;
	sweep_free(&run);
	return rc;
}

static int check(const struct sweep_command *c, struct error *err)
{
	if (c->common->json)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "sweep: it prints no JSON: expected --csv, or -o FILE");
	if (is_stdout(c) && c->csv)
		return options_usage(err, "conflicting options", "--csv and -o -",
				     "expected one of them on standard output");
	if (!c->output && !c->csv)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "sweep: no file: expected -o FILE, or --csv");
	return 0;
}

int cmd_sweep(int argc, char **argv)
{
	struct common_options common;
	struct sweep_command command = {
		.common = &common, .choice = {.node = -1}, .total_ns = DEFAULT_SECONDS * NS_PER_S};
	struct error err = {0};
	int signal_number = 0;
	int rc = common_parse(argc, argv, extra_options, &command, 0, &common, &err);

	if (!rc && common.help)
		help();
	else if (!rc)
		rc = check(&command, &err);
	if (!rc && !common.help)
		rc = sweep(&command, &signal_number, &err);
	sweep_points_free(&command.points);
	if (rc == -EINTR && signal_number)
		return EXIT_SIGNALLED + signal_number;
	return common_finish("sweep", rc, &err);
}
