/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The platform: access to a machine by interfaces, each with a header of its own.
 *
 * All measured things are accessed only through these. platform_linux() (src/linux) implements them
 * on device files and sysfs, platform_sim() (src/sim) on a simulated processor. No layer from
 * uncore up to view opens a device file or reads another clock, so that tests control the time.
 * Code that waits for people or other processes (such as the writer, the screen, servers and loads)
 * or measures its own time uses linux/kernel/clock.h. cxlmon who reads the files of devdax devices
 * itself.
 *
 * Functions of the interfaces that return int return 0 or a negative errno, unless they say
 * otherwise. One thread calls them, except as cpu_ops.set_affinity and memory_ops.stats say.
 */
#ifndef CXLMON_PLATFORM_PLATFORM_H
#define CXLMON_PLATFORM_PLATFORM_H

#include <stdbool.h>

#include "base/error.h"
#include "platform/guard.h"

struct platform;

/* Interfaces of a platform; NULL: it does not have the interface. */
struct platform_ops {
	/* Closes everything the platform opened, and frees it. Callers use platform_destroy(). */
	void (*destroy)(struct platform *p);

	/* Interfaces of every platform. */
	const struct clock_ops *clock;	      /* platform/clock.h */
	const struct cpu_ops *cpus;	      /* platform/cpus.h */
	const struct register_ops *registers; /* platform/reg.h */
	const struct pci_ops *pci;	      /* platform/pci.h */
	const struct cxl_ops *cxl;	      /* platform/cxl.h */

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
	 * Time advances only in clock_ops.sleep_until, which returns at once: no deadline is ever
	 * missed. False: real time.
	 */
	bool virtual_clock;
	/* list of CPUs for topology_name_readers(); not owned. NULL: the user has named none */
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
