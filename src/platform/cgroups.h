/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Control groups (cgroups) of processes, cgroups(7), and their memory by NUMA node. Only cgroups
 * with a file memory.numa_stat have memory by node. The numbers in this file include all cgroups
 * below.
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
	/* the most cgroups to look at; users who own cgroups share this number: base/share.h */
	size_t most;
	/*
	 * Chooses the cgroups to visit. Called for each cgroup with memory by node.
	 *
	 * - returns true: the walk visits this cgroup, and skips all below it
	 * - returns false: the walk does not visit this cgroup, and goes on below it
	 * - no function (NULL): the walk visits the innermost cgroups with memory by node
	 */
	bool (*stops_at)(void *context, const char *path);
	/*
	 * Called before the walk looks at a cgroup, even if it will not visit the cgroup.
	 *
	 * - returns 0: the walk goes on
	 * - returns -ETIME: the walk leaves out this cgroup and all below it
	 * - returns any other value: the walk ends
	 */
	int (*go_on)(void *context);
	/*
	 * Called for each visited cgroup. *cgroup is valid during the call. Returns 0; any other
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
	/*
	 * cgroups left out, with all below: too deep, with too long a path, or more than their
	 * owner's share of .most
	 */
	size_t beyond;
	bool v1; /* version 1, which does not count the kernel's own memory by node */
	/*
	 * the machine may have huge pages of hugetlbfs, and a visited cgroup does not count them
	 * because it lacks the hugetlb controller
	 */
	bool no_huge;
};

struct cgroup_ops {
	/*
	 * Walks the tree of cgroups. Sets *out even after an error. If .go_on() or .visit() ends
	 * the walk, returns the value of that function, and does not set *err.
	 *
	 * ERROR_PERMISSION: no cgroups are mounted, the memory controller is missing, or no cgroup
	 * has memory by node.
	 */
	int (*walk)(struct platform *p, const struct cgroup_visitor *visitor,
		    struct cgroups_walked *out, struct error *err);
};

#endif
