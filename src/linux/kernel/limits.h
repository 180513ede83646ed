/* SPDX-License-Identifier: BSD-3-Clause */
/* Limits of the kernel: CPUs of a thread, files of a process, and kernel lockdown. */
#ifndef CXLMON_LINUX_KERNEL_LIMITS_H
#define CXLMON_LINUX_KERNEL_LIMITS_H

#include <sched.h>
#include <stdbool.h>

#include "base/error.h"

/* The most CPUs that a kernel for x86-64 can be built with: NR_CPUS_RANGE_END, arch/x86/Kconfig */
#define AFFINITY_CPUS 8192

/* The CPUs on which a thread may run. A single cpu_set_t ends at 1024 CPUs. */
struct affinity {
	cpu_set_t sets[AFFINITY_CPUS / CPU_SETSIZE];
};

/* Returns the affinity of the calling thread; empty if it is unknown. */
struct affinity affinity_get(void);
/* Tells if an affinity has a CPU. */
bool affinity_has(const struct affinity *affinity, unsigned cpu);

/* Sets the affinity of the calling thread. 0 or a negative errno. */
int affinity_set(const struct affinity *affinity);
/* Sets the calling thread's affinity to one CPU, below AFFINITY_CPUS. 0 or a negative errno. */
int affinity_set_cpu(unsigned cpu);

/*
 * Raises the number of files that this process may open to 65536, or to its hard limit if that is
 * lower. Each perf event, and each count of a group of tasks, takes a file. Returns true if this
 * raised the number; false also if it was high enough.
 */
bool file_limit_raise(void);

/*
 * Kernel lockdown: it forbids writes of MSRs and of PCI configuration space, and mapping of device
 * memory. Source: the kernel's security/lockdown/lockdown.c, and drivers/pci/pci-sysfs.c.
 */

#define LOCKDOWN_STATE_SIZE 64

/* A shell command that disables the lockdown by Secure Boot; it takes effect at the next boot. */
#define LOCKDOWN_COMMAND "sudo mokutil --disable-validation"

/*
 * Tells if lockdown is active. If so, sets state to "integrity" or "confidentiality"; if not, state
 * means nothing. root is the directory that contains sys.
 */
bool lockdown_in_force(const char *root, char state[LOCKDOWN_STATE_SIZE]);

/*
 * If lockdown is active, sets *out to ERROR_PERMISSION with this code, and returns true. The text
 * says that lockdown forbids `access`, such as "MSR writes", and how to boot without lockdown.
 * If lockdown is not active, returns false, and *out is unchanged.
 */
bool lockdown_explain(const char *root, const char *access, int code, struct error *out);

#endif
