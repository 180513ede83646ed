/* SPDX-License-Identifier: BSD-3-Clause */
/* The live monitor: the main job. */
#ifndef CXLMON_MONITOR_H
#define CXLMON_MONITOR_H

#include "cli/options.h"

/* Returns the exit status; what failed has been said. */
int monitor_run(const struct options *options);

#endif
