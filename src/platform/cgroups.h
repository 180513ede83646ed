/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Control groups (cgroups) of processes, cgroups(7), and their memory by NUMA node. A cgroup has
 * memory by node if it has a file memory.numa_stat, whose numbers include the cgroups below it.
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
	const char *path;      /* path in the tree of cgroups, whose root is "/"; any bytes */
	const uint64_t *bytes; /* by node number; NUMA_NODES_MOST elements */
};

struct cgroup_visitor {
	/* the most cgroups to look at; each user who owns cgroups gets a share: base/share.h */
	size_t most;
	/*
	 * Called for each cgroup with memory by node. True: the cgroup is visited, and the walk
	 * skips all below it. False: it is not visited, and the walk goes on below it. NULL: a
	 * cgroup with memory by node is visited if none below it has memory by node.
	 */
	bool (*stops_at)(void *context, const char *path);
	/*
	 * Called before each cgroup. Returns 0: the walk goes on; -ETIME: the walk leaves out this
	 * cgroup and all below it; any other value ends the walk.
	 */
	int (*go_on)(void *context);
	/*
	 * Called for each visited cgroup, which is valid during the call. Returns 0; any other
	 * value ends the walk.
	 */
	int (*visit)(void *context, const struct listed_cgroup *cgroup);
	void *context; /* first argument of these functions */
};

struct cgroups_walked {
	size_t seen;	/* cgroups with memory by node */
	size_t visited; /* cgroups passed to .visit() */
	size_t refused; /* cgroups that this user may not read, left out with all below */
	size_t unclear; /* cgroups left out because of other errors, such as a malformed file */
	size_t late;	/* cgroups left out by .go_on(), with all below */
	size_t beyond; /* cgroups that are too deep, have too long a path, or are too many for their
			* owner; left out with all below */
	bool v1;       /* version 1, which does not count the kernel's own memory by node */
	/*
	 * the machine has huge pages of hugetlbfs, but a visited cgroup does not count them:
	 * version 1 without the hugetlb controller, or a cgroup of version 2 without it
	 */
	bool no_huge;
};

struct cgroup_ops {
	/*
	 * Walks the tree of cgroups. Sets *out, also after an error. If .go_on() or .visit() ends
	 * the walk, returns its value, without setting *err. ERROR_PERMISSION: cgroups are not
	 * mounted, do not control memory, or have no memory by node.
	 */
	int (*walk)(struct platform *p, const struct cgroup_visitor *visitor,
		    struct cgroups_walked *out, struct error *err);
};

#endif
