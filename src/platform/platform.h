/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The platform: access to a machine by interfaces, each with a header. platform_linux() (src/linux)
 * implements the interfaces on device files and sysfs, platform_sim() (src/sim) on a simulated
 * processor.
 *
 * The file src/layers lists the folders. Those from uncore to view use device files and clocks only
 * through a platform, so that tests control the time. Other folders also use linux/kernel/clock.h,
 * to wait for people and processes, and to time themselves. cxlmon who also reads files of devdax
 * devices without a platform.
 *
 * If a function of an interface returns int, it returns 0 or a negative errno, unless its comment
 * says otherwise. One thread calls all functions, with the exceptions that cpu_ops.set_affinity and
 * memory_ops.stats describe.
 */
#ifndef CXLMON_PLATFORM_PLATFORM_H
#define CXLMON_PLATFORM_PLATFORM_H

#include <stdbool.h>

#include "base/error.h"
#include "platform/guard.h"

struct platform;

/* The interfaces of a platform. */
struct platform_ops {
	/* Closes everything the platform opened, and frees it. Callers use platform_destroy(). */
	void (*destroy)(struct platform *p);

	/* Interfaces that every platform has. */
	const struct clock_ops *clock;	      /* platform/clock.h */
	const struct cpu_ops *cpus;	      /* platform/cpus.h */
	const struct register_ops *registers; /* platform/reg.h */
	const struct pci_ops *pci;	      /* platform/pci.h */
	const struct cxl_ops *cxl;	      /* platform/cxl.h */

	/* Interfaces that may be missing (NULL). */
	const struct perf_ops *perf;		  /* platform/perf.h: counting through the kernel */
	const struct memory_ops *memory;	  /* platform/memory.h */
	const struct mbm_ops *mbm;		  /* platform/mbm.h: traffic counted by L3 caches */
	const struct rdt_ops *rdt;		  /* platform/rdt.h: bytes by region of memory */
	const struct task_group_ops *task_groups; /* platform/task_groups.h: groups of resctrl */
	const struct sampling_ops *samples;	  /* platform/load_sample.h */
	const struct process_ops *processes;	  /* platform/process.h */
	const struct cgroup_ops *cgroups;	  /* platform/cgroups.h */
	const struct simulation_ops *simulation;  /* platform/simulation.h */
};

struct platform {
	const struct platform_ops *ops;
	struct log log;
	struct guard guard; /* registers that may be written; initially none */
	/*
	 * true: clock_ops.sleep_until returns at once, and only this function advances the time. No
	 * deadline is ever missed. false: real time
	 */
	bool virtual_clock;
	/* list of CPUs for topology_name_readers(); NULL: the user has named none. Not owned */
	const char *reader_cpus;
};

/* Destroys a platform; NULL does nothing. */
static inline void platform_destroy(struct platform *p)
{
	if (!p)
		return;
	guard_free(&p->guard);
	p->ops->destroy(p);
}

#endif
