/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/numa.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/mempolicy.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

#define WORD_BITS (8 * sizeof(unsigned long))

/* A line "Node 2 MemFree:  4055988 kB". Source: the kernel's drivers/base/node.c */
int numa_free_bytes(int node, uint64_t *bytes)
{
	char path[64], line[128];
	uint64_t kib;
	int rc = -ENODEV;

	snprintf(path, sizeof(path), "/sys/devices/system/node/node%d/meminfo", node);
	FILE *file = fopen(path, "re");
	if (!file)
		return -ENODEV;
	while (rc && fgets(line, sizeof(line), file))
		if (sscanf(line, "Node %*d MemFree: %" SCNu64, &kib) == 1) {
			*bytes = kib << 10;
			rc = 0;
		}
	fclose(file);
	return rc;
}

int numa_bind(void *start, size_t length, int node)
{
	unsigned long nodes[NUMA_NODES_MOST / WORD_BITS] = {0};

	if (node < 0 || node >= NUMA_NODES_MOST)
		return -ENODEV;
	nodes[(size_t)node / WORD_BITS] = 1UL << (size_t)node % WORD_BITS;
	/* the kernel takes one bit less than it is told of */
	return syscall(SYS_mbind, start, length, MPOL_BIND, nodes, NUMA_NODES_MOST + 1UL, 0UL)
		       ? -errno
		       : 0;
}

int numa_nodes_of(void *const *pages, size_t count, int *nodes)
{
	return syscall(SYS_move_pages, 0, count, pages, NULL, nodes, 0) ? -errno : 0;
}
