/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/explain_weights.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cli/playback.h"
#include "probe/sweep/sweep_block.h"
#include "show/explain/explain.h"
#include "show/explain/weights.h"

/* Of the whole machine. NAN: not known. */
static double mean_of(const struct report *report, const char *metric)
{
	const struct view *view = report->view;
	const size_t column = view_find_column(view, metric);

	for (size_t row = 0; column < view->column_count && row < view_metric_rows(view); row++)
		if (view->rows[row].scope == SCOPE_SYSTEM)
			return statistic_of(report_series(report, row, column), STATISTIC_MEAN);
	return NAN;
}

static int read_demand(const struct options *options, struct weights_demand *out,
		       char processor[RECORDED_PROCESSOR_SIZE], struct error *err)
{
	struct playback_series run = {.report = {.samples = 0}};
	int rc = playback_series_read(options, options->recorded, &run, err);

	if (!rc && recorded_option(&run.file.recording.info, RECORDED_LOAD))
		rc = error_set(err, EXIT_USAGE, -EINVAL,
			       "%s: is a sweep: expected the recording of a program",
			       run.file.name);
	if (!rc)
		*out = (struct weights_demand){
			.dram_read = mean_of(&run.report, "dram_read_MBps"),
			.dram_write = mean_of(&run.report, "dram_write_MBps"),
			.cxl_read = mean_of(&run.report, "cxl_mem_read_MBps"),
			.cxl_write = mean_of(&run.report, "cxl_mem_write_MBps"),
			.samples = run.report.samples,
		};
	if (!rc)
		snprintf(processor, RECORDED_PROCESSOR_SIZE, "%s",
			 run.file.recording.info.processor);
	playback_series_close(&run);
	return rc;
}

/* Curves of another machine say nothing of this one. */
static void compare_machines(const struct options *options, const char *run_processor,
			     const struct playback_series *sweep)
{
	const char *processor = sweep->file.recording.info.processor;

	if (strcmp(processor, run_processor) != 0)
		log_write(&options->log, LEVEL_WARNING, "%s was recorded on %s, but %s on %s",
			  options->recorded, run_processor, options->weights, processor);
}

static int print(const struct options *options, const struct weights *weights, struct error *err)
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

int explain_weights(struct options *options, struct error *err)
{
	struct playback_series sweep = {.report = {.samples = 0}};
	struct options whole = *options; /* --from and --to are of the program */
	struct weights_demand demand;
	struct weights weights;
	char processor[RECORDED_PROCESSOR_SIZE];
	int rc;

	options->session.interval_ns = whole.session.interval_ns = 0; /* every sample */
	rc = read_demand(options, &demand, processor, err);

	whole.from.kind = whole.to.kind = TIME_NOT_GIVEN;
	if (!rc)
		rc = playback_series_read(&whole, options->weights, &sweep, err);
	if (!rc && !sweep.report.sweep.count)
		rc = error_set(err, EXIT_USAGE, -EINVAL,
			       "%s: is no sweep: expected a file that cxlmon sweep has written",
			       options->weights);
	if (!rc)
		compare_machines(options, processor, &sweep);
	if (!rc)
		rc = weights_find(&sweep.report.sweep, sweep.report.view,
				  &sweep.file.recording.info.memory, &demand, &weights, err);
	if (!rc)
		rc = print(options, &weights, err);
	playback_series_close(&sweep);
	return rc;
}
