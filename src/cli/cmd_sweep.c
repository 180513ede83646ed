/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cxlmon sweep: measures loaded latency, as a recording and as CSV. --calibrate: see
 * sweep_calibrate.c.
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>

#include "cli/cli_private.h"
#include "cli/common.h"
#include "cli/progress.h"
#include "linux/run/signals.h"
#include "probe/sweep/sweep.h"
#include "probe/sweep/sweep_file.h"
#include "probe/sweep/sweep_point.h"

#define DEFAULT_SECONDS 60

struct sweep_command {
	struct options *options; /* .output: NULL: not recorded; "-": on standard output */
	struct progress progress;
	struct sweep_file file;
	struct sweep_points points;
};

static bool is_stdout(const struct sweep_command *c)
{
	return c->options->output && !options_output_file(c->options->output);
}

static int begin_output(void *context, const struct sweep *sweep, struct error *err)
{
	struct sweep_command *c = context;
	const size_t steps = sweep->found.count * SWEEP_MIXES * (SWEEP_STEPS + 1);
	const struct sweep_file_info info = {
		.load = RECORDED_SWEEP,
		.step_ns = sweep->step_ns,
		.sim = sweep->options->sim,
		.node = sweep->options->choice.node,
	};
	const int rc = c->options->output ? sweep_file_create(&c->file, c->options->output,
							      &sweep->session, &info, err)
					  : 0;

	if (rc)
		return rc;
	if (c->options->verbosity != QUIET)
		traffic_announce(&sweep->found, sweep->step_ns * steps);
	if (c->options->csv)
		sweep_csv_header(stdout);
	return 0;
}

static void show_progress(void *context, const struct load_node *node, double read_share,
			  double part, uint64_t left_ns)
{
	struct sweep_command *c = context;
	char name[LOAD_NODE_NAME_SIZE], load[24] = "at full load";

	if (!isnan(part))
		snprintf(load, sizeof(load), "at %.0f %% load", 100 * part);
	progress_show(&c->progress, left_ns, "%s: %.0f %% reads, %s", load_node_name(node, name),
		      100 * read_share, load);
}

static int take_point(struct sweep_command *c, const struct sweep_point *point, struct error *err)
{
	if (c->options->csv)
		sweep_csv_row(point, stdout);
	/* other failures are reported at the end, as the sweep may be recorded */
	if (c->options->csv && common_flush(stdout) == -EPIPE)
		return error_set(err, ERROR_FAILED, -EPIPE,
				 "sweep: the program that reads the rows has ended");
	return sweep_points_add(&c->points, point) ? error_no_memory(err) : 0;
}

static int take_sample(void *context, const struct sample *sample, const struct sweep_point *point,
		       struct error *err)
{
	struct sweep_command *c = context;
	const int rc = point ? take_point(c, point, err) : 0;

	return rc || !c->options->output
		       ? rc
		       : sweep_file_put(&c->file, sample, &sweep_block, point, err);
}

/* Reports nodes that were to be measured and could not. */
static int report_skipped(const struct sweep_command *c, const struct sweep *sweep,
			  struct error *err)
{
	const struct load_nodes *found = &sweep->found;

	for (size_t i = 0; !c->points.count && i < found->count; i++)
		if (found->at[i].skipped.code)
			return error_set(err, ERROR_FAILED, found->at[i].skipped.code,
					 "no node could be measured: %s",
					 found->at[i].skipped.text);
	return 0;
}

static int run_points(struct sweep_command *c, struct error *err)
{
	struct signals signals;
	struct sweep sweep;
	const struct sweep_options options = {
		.sim = c->options->session.sim,
		.root = c->options->session.root,
		.backend = c->options->session.backend,
		.choice = {.node = c->options->node},
		.total_ns =
			c->options->total_ns ? c->options->total_ns : DEFAULT_SECONDS * NS_PER_S,
		.wake = &signals.wake,
		.begin = begin_output,
		.progress = show_progress,
		.sample = take_sample,
		.context = c,
	};

	progress_begin(&c->progress, progress_terminal(c->options->verbosity), &c->options->log);
	signals_block(&signals);
	int rc = sweep_run(&options, &c->progress.log, &sweep, err);
	progress_end(&c->progress);
	rc = sweep_file_close(&c->file, rc, err);
	if (!rc)
		rc = report_skipped(c, &sweep, err);
	if (!rc && !c->options->csv && !is_stdout(c))
		sweep_summary(&c->points, stdout);
	if (sweep.under_load.signal_number)
		c->options->status = EXIT_SIGNALLED + sweep.under_load.signal_number;
	sweep_free(&sweep);
	return rc;
}

static int check_options(const struct sweep_command *c, struct error *err)
{
	if (c->options->calibrate && c->options->csv)
		return options_usage(err, "conflicting options", "--calibrate and --csv",
				     "expected cxlmon sweep --calibrate FILE");
	if (c->options->json)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "sweep: JSON is not supported: expected --csv, or a FILE");
	if (is_stdout(c) && c->options->csv)
		return options_usage(err, "conflicting options", "--csv and -o -",
				     "expected one of them on standard output");
	if (!c->options->output && !c->options->csv)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "sweep: no file: expected cxlmon sweep FILE, or --csv");
	return 0;
}

static int run_sweep(struct options *options, struct error *err)
{
	struct sweep_command c = {.options = options};
	int rc = common_take_file(options, err);

	rc = rc ? rc : check_options(&c, err);
	if (!rc)
		rc = options->calibrate ? sweep_calibrate(options, err) : run_points(&c, err);
	sweep_points_free(&c.points);
	return rc;
}

static const struct option_row rows[] = {
	{OPTION_NODE},
	{OPTION_SECONDS, .help = "spend S seconds on the whole sweep (default 60)"},
	{OPTION_FILE, .help = "write to FILE, same as operand FILE"},
	{OPTION_MEMBER(FLAG, calibrate), .name = "calibrate",
	 .help = "measure the stall cycles of known programs in DRAM and in CXL memory instead"},
	{OPTION_CSV, .help = "print a CSV row for each step; FILE is then optional"},
	OPTIONS_COUNTING,
	{OPTION_JSON},
	{.name = NULL},
};

const struct subcommand cmd_sweep = {
	.name = "sweep",
	.purpose = "measure latency under rising load, as a recording",
	.run = run_sweep,
	.usage = "Usage: cxlmon sweep [OPTION]... FILE\n"
		 "Measures the latency of each NUMA node behind a CXL port, and of DRAM, from idle "
		 "to the\n"
		 "maximum bandwidth, in steps, with 100, 75, 67 and 50 % of reads: by a pointer "
		 "chase and\n"
		 "by the counters. Records it in FILE, which must be new or empty: cxlmon report "
		 "FILE\n"
		 "draws the curves. Run it on an idle machine.\n"
		 "\n",
	.options = rows,
	.operands = 1,
	.notes =
		"\n"
		"A simulated port carries 30 GB/s, or limit= of --sim, such as --sim=spr,limit=50.\n"
		"\n"
		"  sudo cxlmon sweep sweep.cxl && cxlmon report sweep.cxl -o sweep.html\n"
		"  sudo cxlmon sweep --calibrate machine.cxl\n",
};
