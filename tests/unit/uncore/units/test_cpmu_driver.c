/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/units/cpmu.h"

#include "platform/perf.h"
#include "unit.h"

TEST(test_versions_of_the_driver_that_were_read_are_known)
{
	ck_assert(!cpmu_driver_takes_first_group(0));
	ck_assert(!cpmu_driver_takes_first_group(PERF_KERNEL(6, 4)));
	ck_assert(cpmu_driver_takes_first_group(PERF_KERNEL(6, 5)));
	ck_assert(cpmu_driver_takes_first_group(PERF_KERNEL(6, 12)));
	ck_assert(cpmu_driver_takes_first_group(PERF_KERNEL(7, 2)));
	ck_assert(!cpmu_driver_takes_first_group(PERF_KERNEL(7, 3)));
}

TEST(test_its_limits_name_the_group_that_it_counts)
{
	/* the longest vendor and id */
	const struct cpmu cpmu = {.group_count = 1, .groups = {{.vendor = 0xFFFF, .id = 0xFFFF}}};
	char text[CPMU_LIMITS_SIZE];

	assert_contains(cpmu_driver_limits(&cpmu, text), "(vid=0xffff,gid=0xffff)");
	assert_contains(text, "unload the driver (sudo modprobe -r cxl_pmu)");
}
