/* SPDX-License-Identifier: BSD-3-Clause */
/* Clocks of CPUs; a software event, which every kernel has, replaces the PMU msr. */
#include "linux/perf/sampler_private.h"

#include <linux/perf_event.h>
#include <math.h>

#include "linux/system/linux_platform.h"
#include "unit.h"

#define NO_CPU (1 << 16) /* more than a kernel may have: NR_CPUS */

static struct linux_platform this_machine = {.root = (char *)"/"};
static struct perf_pmu software = {.name = "msr", .type = PERF_TYPE_SOFTWARE};
static struct cpu_location cpus[] = {{.cpu = 0}, {.cpu = NO_CPU}};
static const struct topology topology = {cpus, COUNT_OF(cpus)};

TEST(test_clocks_that_the_kernel_does_not_say_are_none)
{
	ck_assert_ptr_null(
		core_clock_open(&this_machine.base, &(struct perf_pmus){0}, &topology, 2000));
	core_clock_update(NULL);
	ck_assert_double_nan(core_clock_MHz(NULL, 0));
}

TEST(test_clocks_that_some_cpus_lack_are_none_and_leave_no_event_open)
{
	const struct perf_pmus pmus = {.items = &software, .count = 1};
	const size_t descriptors = count_descriptors();

	ck_assert_ptr_null(core_clock_open(&this_machine.base, &pmus, &topology, 2000));
	ck_assert_uint_eq(count_descriptors(), descriptors);
}
