/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory of NUMA nodes, by system calls: libnuma would read /sys and /proc at the start of every
 * run. 0 or a negative errno; -ENOSYS: the kernel has no NUMA support, and so one node.
 */
#ifndef CXLMON_LINUX_MEMORY_NUMA_H
#define CXLMON_LINUX_MEMORY_NUMA_H

#include <stddef.h>
#include <stdint.h>

/* Memory of the node that holds nothing, in bytes. -ENODEV: there is no such node, or no memory. */
int numa_free_bytes(int node, uint64_t *bytes);

/* Pages of [start, start + length) will come from this node and from no other. */
int numa_bind(void *start, size_t length, int node);

/* The node of each page that is there; of one that is not, a negative errno. */
int numa_nodes_of(void *const *pages, size_t count, int *nodes);

#endif
