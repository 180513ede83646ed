/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Control groups (cgroups) of processes, and their memory by node. The memory of a cgroup includes
 * the memory of the cgroups below it: cgroups(7).
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
	const uint64_t *bytes; /* by node, below NUMA_NODES_MOST */
};

struct cgroup_visitor {
	size_t most; /* cgroups to look at; the owners of directories share this number */
	/*
	 * Tells if the cgroup of a path is visited instead of those below it; others are not
	 * visited. NULL: cgroups with memory by node are visited if none below them has memory by
	 * node.
	 */
	bool (*stops_at)(void *context, const char *path);
	/* Called before each cgroup. -ETIME leaves out the cgroup and those below; others end the
	 * walk. */
	int (*go_on)(void *context);
	/* 0, or a negative errno that ends the walk. *cgroup is valid during the call. */
	int (*visit)(void *context, const struct listed_cgroup *cgroup);
	void *context;
};

/* Memory that the kernel's numbers by node do not include. */
enum cgroup_lacking {
	CGROUP_ALL,		 /* version 2: nothing */
	CGROUP_NO_KERNEL,	 /* version 1: the kernel's own memory */
	CGROUP_NO_KERNEL_OR_HUGE /* version 1 without its hugetlb controller: also huge pages */
};

struct cgroups_walked {
	size_t seen;	/* cgroups with memory by node */
	size_t visited; /* cgroups passed to .visit() */
	size_t refused; /* cgroups that may not be read, left out with those below */
	size_t unclear; /* cgroups whose file is not as expected */
	size_t late;	/* cgroups left out by .go_on() */
	size_t beyond; /* cgroups that are too deep, have too long a path, or are too many for their
			* owner; left out with those below */
	enum cgroup_lacking lacking;
};

struct cgroup_ops {
	/*
	 * Walks through all cgroups. *out is also set after failure. Returns the error of .go_on()
	 * or .visit(), which set *err. ERROR_PERMISSION: no cgroup has memory by node.
	 */
	int (*walk)(struct platform *p, const struct cgroup_visitor *visitor,
		    struct cgroups_walked *out, struct error *err);
};

#endif
