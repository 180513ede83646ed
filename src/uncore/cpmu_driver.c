/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/cpmu_driver.h"

#include <stdio.h>

/*
 * Versions of the kernel whose driver was read. Source: drivers/perf/cxl_pmu.c, where
 * cxl_pmu_get_event_idx() never sets *event_idx, so that cxl_pmu_event_start() writes 0 to the
 * index of the event capability; and ORs masks to what the configuration holds. The driver came
 * with 6.5; 7.0 is the last version that was read.
 */
static const struct {
	unsigned first, last;
} first_group_alone[] = {
	{PERF_KERNEL(6, 5), PERF_KERNEL(7, 0)},
};

bool cpmu_driver_takes_first_group(unsigned kernel)
{
	for (size_t i = 0; i < sizeof(first_group_alone) / sizeof(first_group_alone[0]); i++)
		if (kernel >= first_group_alone[i].first && kernel <= first_group_alone[i].last)
			return true;
	return false;
}

const char *cpmu_driver_limits(const struct cpmu *cpmu, char text[CPMU_LIMITS_SIZE])
{
	snprintf(text, CPMU_LIMITS_SIZE,
		 "this kernel's driver cxl_pmu counts no events but those of the device's first "
		 "group (vid=0x%x,gid=0x%x) and of counters with a fixed function; what needs "
		 "others stays empty; to count all, unload the driver (" CPMU_COMMAND_UNLOAD ")",
		 cpmu->groups[0].vendor, cpmu->groups[0].id);
	return text;
}
