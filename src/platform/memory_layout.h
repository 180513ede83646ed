/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How firmware and the kernel have laid out memory: how fast each NUMA node should be, and which
 * CXL devices share a region.
 *
 * Source: the kernel's Documentation/ABI/stable/sysfs-devices-node (initiators: MB/s of 10^6 bytes,
 * and ns), Documentation/ABI/testing/sysfs-bus-cxl (regions),
 * sysfs-kernel-mm-mempolicy-weighted-interleave and sysfs-kernel-mm-memory-tiers.
 */
#ifndef CXLMON_MEMORY_LAYOUT_H
#define CXLMON_MEMORY_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

#define REGION_NAME_SIZE 16
#define REGION_MODE_SIZE 8
#define REGION_MAX_WAYS	 16 /* CXL 3.0, "Interleave Ways" of HDM decoders: 1 to 16 */

/* A node, as its nearest CPUs should see it by HMAT and CDAT. 0: not said. */
struct memory_node {
	int node;
	double read_MBps, write_MBps;
	double read_ns, write_ns;
	unsigned weight; /* of weighted interleave, 1 to 255 */
	int tier;	 /* number of its memory tier, the fastest lowest; -1: none */
};

struct cxl_region {
	char name[REGION_NAME_SIZE]; /* "region0" */
	char mode[REGION_MODE_SIZE]; /* "ram" or "pmem"; "": not known */
	unsigned ways;		     /* devices that its addresses are spread over */
	unsigned granularity;	     /* bytes that follow each other on one of them; 0: not known */
	uint64_t bytes;		     /* 0: not known */
	int node;		     /* -1: none, or not known */
	char devices[REGION_MAX_WAYS][REGION_NAME_SIZE]; /* "mem0"; those that are known */
	size_t device_count;
};

struct memory_layout {
	struct memory_node *nodes; /* ascending */
	size_t node_count;
	struct cxl_region *regions; /* by number */
	size_t region_count;
};

void memory_layout_free(struct memory_layout *layout);
/* 0 or -ENOMEM. *out is to be freed, also after failure. */
int memory_layout_copy(const struct memory_layout *from, struct memory_layout *out);

/* What is said of a node; NULL: nothing. */
const struct memory_node *memory_layout_node(const struct memory_layout *layout, int node);
/* The first region that has this device ("mem0"); NULL: none. */
const struct cxl_region *memory_layout_region(const struct memory_layout *layout,
					      const char *device);

#endif
