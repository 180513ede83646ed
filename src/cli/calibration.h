/* SPDX-License-Identifier: BSD-3-Clause */
/* The calibration of a machine, of a file of cxlmon sweep --calibrate. */
#ifndef CXLMON_CLI_CALIBRATION_H
#define CXLMON_CLI_CALIBRATION_H

#include "cli/options.h"
#include "show/explain/what_if.h"

/*
 * Reads the file in options->calibration. processor: room for the name in *out. ERROR_USAGE: it is
 * no calibration; ERROR_FAILED: as playback_series_read(), it is damaged, or see slowdown_fit().
 */
int calibration_read(const struct options *options, struct what_if *out,
		     char processor[RECORDED_PROCESSOR_SIZE], struct error *err);

#endif
