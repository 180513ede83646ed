/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Limits of the kernel: the CPUs on which a thread may run, the files that a process may open, and
 * kernel lockdown.
 */
#ifndef CXLMON_LINUX_KERNEL_LIMITS_H
#define CXLMON_LINUX_KERNEL_LIMITS_H

#include <sched.h>
#include <stdbool.h>

/* The CPUs on which the calling thread may run. A single cpu_set_t ends at 1024 CPUs. */

/* The most CPUs that a kernel for x86-64 can be built with: NR_CPUS_RANGE_END, arch/x86/Kconfig */
#define AFFINITY_CPUS 8192

struct affinity {
	cpu_set_t sets[AFFINITY_CPUS / CPU_SETSIZE];
};

/* Returns the affinity of this thread; empty if it is unknown. */
struct affinity affinity_get(void);
bool affinity_has(const struct affinity *affinity, unsigned cpu);

/* Sets the affinity of this thread. 0 or a negative errno. */
int affinity_set(const struct affinity *affinity);
int affinity_set_cpu(unsigned cpu);

/*
 * Raises the number of files that this process may open: an event takes a file, a count of a group
 * of tasks also, and a large machine has thousands of each. Returns false if it is at the limit
 * already. A limit of 10^9 files, as in containers, is not used up: some programs close all
 * possible files.
 */
bool file_limit_raise(void);

/*
 * Kernel lockdown: it forbids MSR writes and mapping of device memory.
 * Source: the kernel's security/lockdown/lockdown.c.
 */

#define LOCKDOWN_STATE_SIZE 64

/* Disables lockdown if Secure Boot has enabled it; takes effect at the next boot. */
#define LOCKDOWN_COMMAND "sudo mokutil --disable-validation"

/* Tells if lockdown is active; state is then "integrity" or "confidentiality". */
bool lockdown_in_force(const char *root, char state[LOCKDOWN_STATE_SIZE]);

#endif
