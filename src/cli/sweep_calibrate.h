/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon sweep --calibrate: what known programs wait for in DRAM and in CXL memory. */
#ifndef CXLMON_CLI_SWEEP_CALIBRATE_H
#define CXLMON_CLI_SWEEP_CALIBRATE_H

#include "cli/options.h"

/* Into the recording options->output ("-": standard output). */
int sweep_calibrate(struct options *options, struct error *err);

#endif
