/* SPDX-License-Identifier: BSD-3-Clause */
/* The monitor: cxlmon without a subcommand, and record and serve. */
#ifndef CXLMON_MONITOR_H
#define CXLMON_MONITOR_H

#include "cli/options.h"

/* Returns the exit status; errors have been printed. */
int monitor_run(const struct options *options);

#endif
