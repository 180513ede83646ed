/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Control groups (cgroups) of processes, and their memory by node. That of a cgroup contains what
 * those below it have: cgroups(7).
 */
#ifndef CXLMON_PLATFORM_CGROUPS_H
#define CXLMON_PLATFORM_CGROUPS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "platform/memory.h"

struct error;
struct platform;

#define CGROUPS_DEPTH_MOST 32 /* each level has a directory open */

struct listed_cgroup {
	const char *path;      /* below the root of their file system, which is "/"; any bytes */
	const uint64_t *bytes; /* of each node below NUMA_NODES_MOST */
};

struct cgroup_visitor {
	size_t most; /* cgroups that are looked at: owners of their directories share them */
	/*
	 * Whether a cgroup, by its path, is visited instead of those below it; then no others are.
	 * NULL: those with memory by node are visited that have none such below them.
	 */
	bool (*stops_at)(void *context, const char *path);
	/* Called before each. -ETIME: it is left out, with those below it; else not 0: it ends. */
	int (*go_on)(void *context);
	/* 0 or a negative errno, which ends it. What it gets is valid until it returns. */
	int (*visit)(void *context, const struct listed_cgroup *cgroup);
	void *context;
};

/* What the kernel's numbers of memory by node lack. */
enum cgroup_lacking {
	CGROUP_ALL,		 /* version 2: nothing */
	CGROUP_NO_KERNEL,	 /* version 1: the kernel's own memory */
	CGROUP_NO_KERNEL_OR_HUGE /* likewise, without its controller of huge pages */
};

struct cgroups_walked {
	size_t seen;	/* cgroups with memory by node */
	size_t visited; /* how many of them were passed on */
	size_t refused; /* which may not be read, as what is below them */
	size_t unclear; /* whose numbers are not as expected */
	size_t late;	/* left out by .go_on() */
	size_t beyond; /* too deep, too many of their owner, or with too long a path; both with what
			* is below */
	enum cgroup_lacking lacking;
};

struct cgroup_ops {
	/*
	 * Walks through all cgroups; *out says how far, also after failure. Returns what .go_on()
	 * or .visit() did, who then have set *err. ERROR_PERMISSION: no cgroup has memory by node.
	 */
	int (*walk)(struct platform *p, const struct cgroup_visitor *visitor,
		    struct cgroups_walked *out, struct error *err);
};

#endif
