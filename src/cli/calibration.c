/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/cli_private.h"

#include <errno.h>

#include "cli/playback.h"

#define CALIBRATE_AGAIN                                                                            \
	"; make another, and let it run to its end: sudo cxlmon sweep --calibrate FILE"

static int fit_runs(const struct options *options, const struct calibration_runs *all,
		    struct what_if *out, struct error *err)
{
	if (!all->count)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "%s: not a calibration: expected a file of cxlmon sweep "
				 "--calibrate",
				 options->calibration);
	*out = (struct what_if){
		.file = options->calibration,
		.dram_node = all->runs[0].dram_node,
		.cxl_node = all->runs[0].cxl_node,
		.log = &options->log,
	};
	struct error why;
	const int rc = slowdown_fit(all, &out->model, &why);
	return rc ? error_set(err, why.kind, rc, "%s: %s%s", options->calibration, why.text,
			      rc == -ENODATA ? CALIBRATE_AGAIN : "")
		  : 0;
}

int calibration_read(const struct options *options, struct what_if *out, struct error *err)
{
	struct playback_series series = {.report = {.samples = 0}};
	int rc = playback_read_whole(options, options->calibration, &series, err);

	if (!rc)
		rc = messages_pass_on(&series.flaw, err);
	if (!rc)
		rc = fit_runs(options, &series.report.calibration, out, err);
	if (!rc)
		recorded_processor(series.report.info, out->processor);
	playback_series_close(&series);
	return rc;
}
