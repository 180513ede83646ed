/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cli_private.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "cli/playback.h"
#include "show/explain/explain.h"
#include "show/explain/weights.h"

#define BUSY_PART 0.9 /* part of the highest traffic, as in the rules of explain */

enum { DRAM_READ, DRAM_WRITE, CXL_READ, CXL_WRITE, MOVED };

static const char *const moved_metrics[MOVED] = {
	[DRAM_READ] = "dram_read_MBps",
	[DRAM_WRITE] = "dram_write_MBps",
	[CXL_READ] = "cxl_mem_read_MBps",
	[CXL_WRITE] = "cxl_mem_write_MBps",
};

/* Returns a metric's values for the whole machine, by sample; NULL: never known. */
static const double *values_of(const struct report *report, const char *metric)
{
	const struct table *table = report->table;
	const size_t row = table_system_row(table), column = table_find(table, metric);

	return row == SIZE_MAX || column == SIZE_MAX ? NULL
						     : report_series(report, row, column)->values;
}

/* Returns the traffic of a sample; NAN: not all of it is known. */
static double moved_in(const double *const values[MOVED], size_t sample)
{
	double sum = 0;

	for (size_t i = 0; i < MOVED; i++)
		sum += values[i] ? values[i][sample] : NAN;
	return sum;
}

/*
 * Returns the means of busy samples: with little traffic, other weights are best than when weights
 * matter.
 */
static struct weights_demand demand_of(const struct report *run)
{
	const double *values[MOVED];
	double sums[MOVED] = {0}, most = 0, all = 0;
	size_t busy = 0;

	for (size_t i = 0; i < MOVED; i++)
		values[i] = values_of(run, moved_metrics[i]);
	for (size_t k = 0; k < run->samples; k++)
		most = fmax(most, moved_in(values, k));
	for (size_t k = 0; k < run->samples; k++) {
		if (!(moved_in(values, k) >= BUSY_PART * most))
			continue;
		busy++;
		for (size_t i = 0; i < MOVED; i++)
			sums[i] += values[i][k];
	}
	for (size_t i = 0; i < MOVED; i++)
		all += sums[i];
	return (struct weights_demand){
		.MBps = all / (double)busy,
		.read_share = (sums[DRAM_READ] + sums[CXL_READ]) / all,
		.cxl_share = (sums[CXL_READ] + sums[CXL_WRITE]) / all,
		.samples = busy,
		.all_samples = run->samples,
	};
}

/* Warns if the sweep is of another machine than the program. */
static void compare_machines(const struct options *options, const struct recording_info *ran,
			     const struct recording_info *swept)
{
	char run[RECORDED_PROCESSOR_SIZE], sweep[RECORDED_PROCESSOR_SIZE];

	if (strcmp(recorded_processor(ran, run), recorded_processor(swept, sweep)) != 0)
		log_write(&options->log, LEVEL_WARNING, "%s was recorded on %s, but %s on %s",
			  options->recorded, run, options->weights, sweep);
}

/* Checks that the one recording is of a program, and the other of a sweep. */
static int check_run(const struct options *options, const struct playback_series *run,
		     const struct playback_series *sweep, struct error *err)
{
	const int rc = playback_check_program(&run->file, err);

	if (rc)
		return rc;
	if (!sweep->report.sweep.count)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "%s: not a sweep: expected a file of cxlmon sweep",
				 options->weights);
	compare_machines(options, &run->file.recording.info, &sweep->file.recording.info);
	return 0;
}

static int print_weights(const struct options *options, const struct weights *weights,
			 struct error *err)
{
	struct common_output output;
	int rc = common_open_output(options->output, CONTENTS_EMPTIED, &output, err);

	if (rc)
		return rc;
	if (options->format == &format_explain_json)
		weights_json(weights, output.out);
	else
		weights_print(weights, output.out);
	return common_close_output(&output, 0, err);
}

static int judge_weights(const struct options *options, const struct playback_series *run,
			 const struct playback_series *sweep, struct weights *weights,
			 struct error *err)
{
	const struct weights_demand demand = demand_of(&run->report);
	int rc = check_run(options, run, sweep, err);

	if (!rc)
		rc = weights_find(&sweep->report.sweep, sweep->report.table,
				  &sweep->file.recording.info.memory, &demand, weights, err);
	return rc ? rc : print_weights(options, weights, err);
}

/*
 * Reports the flaw of a damaged recording after the result of its complete samples.
 */
int explain_weights(struct options *options, struct error *err)
{
	struct playback_series run = {.report = {.samples = 0}}, sweep = run;
	struct weights weights;

	options->session.interval_ns = 0; /* every sample */
	int rc = playback_series_read(options, options->recorded, &run, err);
	if (!rc)
		rc = playback_read_whole(options, options->weights, &sweep, err);
	if (!rc)
		rc = judge_weights(options, &run, &sweep, &weights, err);
	if (!rc)
		rc = messages_pass_on(run.flaw.code ? &run.flaw : &sweep.flaw, err);
	playback_series_close(&run);
	playback_series_close(&sweep);
	return rc;
}
