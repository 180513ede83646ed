/* SPDX-License-Identifier: BSD-3-Clause */
/* The CPUs on which the calling thread may run. cpu_set_t alone ends at 1024 CPUs. */
#ifndef CXLMON_LINUX_KERNEL_AFFINITY_H
#define CXLMON_LINUX_KERNEL_AFFINITY_H

#include <sched.h>
#include <stdbool.h>

/* The most CPUs that a kernel for x86-64 can be built with: NR_CPUS_RANGE_END, arch/x86/Kconfig */
#define AFFINITY_CPUS 8192

struct affinity {
	cpu_set_t sets[AFFINITY_CPUS / CPU_SETSIZE];
};

/* Empty if the kernel doesn't say. */
struct affinity affinity_get(void);
bool affinity_has(const struct affinity *affinity, unsigned cpu);

/* 0 or a negative errno. */
int affinity_set(const struct affinity *affinity);
int affinity_set_cpu(unsigned cpu);

#endif
