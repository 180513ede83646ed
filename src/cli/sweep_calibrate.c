/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cli_private.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "cli/common.h"
#include "cli/progress.h"
#include "linux/run/signals.h"
#include "probe/sweep/calibrate.h"
#include "probe/sweep/calibration.h"
#include "probe/sweep/slowdown.h"
#include "probe/sweep/sweep_file.h"

#define DEFAULT_SECONDS 60
#define MIB		(UINT64_C(1) << 20)

struct calibrate_command {
	struct options *options;
	struct progress progress;
	struct sweep_file file;
	struct calibration_runs runs;
};

static void announce_calibration(const struct calibrate *c)
{
	fprintf(stderr,
		"cxlmon: runs on %zu CPU%s, with memory of node %d and of node %d in turn, for "
		"about %.0f s; Ctrl-C stops it\n",
		c->place.cpu_count, c->place.cpu_count == 1 ? "" : "s", c->place.nodes[IN_DRAM],
		c->place.nodes[IN_CXL],
		(double)(c->step_ns * CALIBRATE_MEMORIES * CALIBRATE_RUNS) / (double)NS_PER_S);
	if (c->memory_bytes[IN_DRAM])
		fprintf(stderr,
			"cxlmon: takes %" PRIu64 " and %" PRIu64 " MiB of their free memory\n",
			c->memory_bytes[IN_DRAM] / MIB, c->memory_bytes[IN_CXL] / MIB);
}

static int begin_calibration(void *context, const struct calibrate *calibrate, struct error *err)
{
	struct calibrate_command *c = context;
	const struct sweep_file_info info = {
		.load = RECORDED_CALIBRATION,
		.step_ns = calibrate->step_ns,
		.sim = calibrate->options->sim,
		.node = calibrate->options->node,
	};
	const int rc =
		sweep_file_create(&c->file, c->options->output, &calibrate->session, &info, err);

	if (!rc && c->options->verbosity != QUIET)
		announce_calibration(calibrate);
	return rc;
}

static void show_progress(void *context, const struct calibration_run *run, int node,
			  uint64_t left_ns)
{
	struct calibrate_command *c = context;
	char name[CALIBRATION_NAME_SIZE];

	progress_show(&c->progress, left_ns, "%s on node %d", calibration_name(run, name), node);
}

static int take_sample(void *context, const struct sample *sample,
		       const struct calibration_run *run, struct error *err)
{
	struct calibrate_command *c = context;

	if (run && calibration_runs_add(&c->runs, run))
		return error_no_memory(err);
	return sweep_file_put(&c->file, sample, &calibration_block, run, err);
}

/* Checks that programs can be predicted by the measurements, so that doubts are reported now. */
static void check_runs(const struct calibrate_command *c)
{
	struct slowdown_model model;
	struct error why;

	if (slowdown_fit(&c->runs, &model, &why))
		log_write(&c->options->log, LEVEL_WARNING,
			  "this calibration cannot be used for "
			  "predictions: %s",
			  why.text);
}

int sweep_calibrate(struct options *options, struct error *err)
{
	struct calibrate_command c = {
		.options = options,
	};
	struct signals signals;
	struct calibrate calibrate;
	const struct calibrate_options wanted = {
		.sim = options->session.sim,
		.root = options->session.root,
		.backend = options->session.backend,
		.node = options->node,
		.total_ns = options->total_ns ? options->total_ns : DEFAULT_SECONDS * NS_PER_S,
		.wake = &signals.wake,
		.begin = begin_calibration,
		.progress = show_progress,
		.sample = take_sample,
		.context = &c,
	};

	signals_block(&signals);
	progress_begin(&c.progress, progress_terminal(options->verbosity), &options->log);
	int rc = calibrate_run(&wanted, &c.progress.log, &calibrate, err);
	progress_end(&c.progress);
	rc = sweep_file_close(&c.file, rc, err);
	if (!rc && options_output_file(options->output))
		calibrate_print(&c.runs, stdout);
	if (!rc || rc == -EINTR)
		check_runs(&c);
	if (calibrate.under_load.signal_number)
		options->status = EXIT_SIGNALLED + calibrate.under_load.signal_number;
	calibration_runs_free(&c.runs);
	calibrate_free(&calibrate);
	return rc;
}
