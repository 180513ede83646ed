/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/kernel/affinity.h"

#include <errno.h>

struct affinity affinity_get(void)
{
	struct affinity affinity;

	if (sched_getaffinity(0, sizeof(affinity.sets), affinity.sets))
		CPU_ZERO_S(sizeof(affinity.sets), affinity.sets);
	return affinity;
}

bool affinity_has(const struct affinity *affinity, unsigned cpu)
{
	return cpu < AFFINITY_CPUS && CPU_ISSET_S(cpu, sizeof(affinity->sets), affinity->sets);
}

int affinity_set(const struct affinity *affinity)
{
	return sched_setaffinity(0, sizeof(affinity->sets), affinity->sets) ? -errno : 0;
}

int affinity_set_cpu(unsigned cpu)
{
	struct affinity one;

	CPU_ZERO_S(sizeof(one.sets), one.sets);
	CPU_SET_S(cpu, sizeof(one.sets), one.sets);
	return affinity_set(&one);
}
