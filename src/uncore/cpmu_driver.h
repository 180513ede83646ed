/* SPDX-License-Identifier: BSD-3-Clause */
/* What is known of the kernel's driver cxl_pmu, and how it is unloaded, loaded and used. */
#ifndef CXLMON_CPMU_DRIVER_H
#define CXLMON_CPMU_DRIVER_H

#include "uncore/cpmu.h"

#define CPMU_COMMAND_UNLOAD "sudo modprobe -r cxl_pmu"
#define CPMU_COMMAND_LOAD   "sudo modprobe cxl_pmu"
#define CPMU_COMMAND_PERF   "sudo cxlmon --backend=perf"

/*
 * Whether the driver of this version, a PERF_KERNEL(), is known to select the first group of a
 * CPMU, whatever group is asked for. Of a version that is not in the table nothing is known.
 */
bool cpmu_driver_takes_first_group(unsigned kernel);

/* What a driver can't count that takes the first group alone, and what to do. Returns text. */
#define CPMU_LIMITS_SIZE 320
const char *cpmu_driver_limits(const struct cpmu *cpmu, char text[CPMU_LIMITS_SIZE]);

#endif
