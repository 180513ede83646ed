/* SPDX-License-Identifier: BSD-3-Clause */
/* System calls without libnuma, which would read /sys and /proc at the start of every run. */
#include "linux/memory/nodes.h"

#include <errno.h>
#include <linux/mempolicy.h>
#include <math.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/rootfs.h"
#include "linux/kernel/kernel_text.h"
#include "platform/kernel_stats.h"
#include "platform/memory.h"

#define WORD_BITS (8 * sizeof(unsigned long))

int numa_free_bytes(int node, uint64_t *bytes)
{
	char text[4096];
	struct kernel_stats stats = kernel_stats_unknown(0);
	const int length =
		rootfs_read(text, sizeof(text), "/", NODE_DIRECTORY "/node%d/meminfo", node);

	if (length > 0)
		node_stats_parse_meminfo((struct span){text, text + length}, &stats);
	if (isnan(stats.values[NODE_FREE]))
		return -ENODEV;
	*bytes = (uint64_t)stats.values[NODE_FREE];
	return 0;
}

int numa_bind(void *start, size_t length, int node)
{
	unsigned long nodes[NUMA_NODES_MOST / WORD_BITS] = {0};

	if (node < 0 || node >= NUMA_NODES_MOST)
		return -ENODEV;
	nodes[(size_t)node / WORD_BITS] = 1UL << (size_t)node % WORD_BITS;
	/* the kernel uses one bit less than it is given */
	return syscall(SYS_mbind, start, length, MPOL_BIND, nodes, NUMA_NODES_MOST + 1UL, 0UL)
		       ? -errno
		       : 0;
}

int numa_nodes_of(void *const *pages, size_t count, int *nodes)
{
	return syscall(SYS_move_pages, 0, count, pages, NULL, nodes, 0) ? -errno : 0;
}
