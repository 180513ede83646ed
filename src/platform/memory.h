/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The layout of memory that firmware and the kernel report: the expected speed of each NUMA node,
 * and the CXL devices that share a region.
 *
 * Source: the kernel's Documentation/ABI/stable/sysfs-devices-node (initiators: MB/s of 10^6 bytes,
 * and ns), Documentation/ABI/testing/sysfs-bus-cxl (regions),
 * sysfs-kernel-mm-mempolicy-weighted-interleave and sysfs-kernel-mm-memory-tiers.
 */
#ifndef CXLMON_PLATFORM_MEMORY_H
#define CXLMON_PLATFORM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct kernel_stats;
struct platform;

#define NUMA_NODES_MOST 1024 /* the most that MAX_NUMNODES of x86-64 can be */

#define REGION_NAME_SIZE 16
#define REGION_MODE_SIZE 8
#define REGION_MAX_WAYS	 16 /* CXL 3.0, "Interleave Ways" of HDM decoders: 1 to 16 */

/* A node, as HMAT and CDAT report it for its nearest CPUs. 0: not reported. */
struct memory_node {
	int node;
	double read_MBps, write_MBps;
	double read_ns, write_ns;
	unsigned weight; /* for weighted interleave, 1 to 255 */
	int tier;	 /* number of the memory tier, the fastest lowest; -1: none */
};

struct cxl_region {
	char name[REGION_NAME_SIZE]; /* "region0" */
	char mode[REGION_MODE_SIZE]; /* "ram" or "pmem"; "": unknown */
	unsigned ways;		     /* number of devices that addresses are spread over */
	unsigned granularity;	     /* consecutive bytes on one device; 0: unknown */
	uint64_t base;		     /* the first physical address; 0: unknown */
	uint64_t bytes;		     /* 0: unknown */
	int node;		     /* -1: none, or unknown */
	char devices[REGION_MAX_WAYS][REGION_NAME_SIZE]; /* "mem0"; without unknown ones */
	size_t device_count;
};

struct memory_layout {
	struct memory_node *nodes; /* ascending */
	size_t node_count;
	struct cxl_region *regions; /* by number */
	size_t region_count;
};

void memory_layout_free(struct memory_layout *layout);
/* Copies a layout. 0 or -ENOMEM. The caller frees *out, also after failure. */
int memory_layout_copy(const struct memory_layout *from, struct memory_layout *out);

/* Returns the node of this number; NULL: the layout does not have it. */
const struct memory_node *memory_layout_node(const struct memory_layout *layout, int node);
/* Returns the first region that has this device ("mem0"); NULL: none. */
const struct cxl_region *memory_layout_region(const struct memory_layout *layout,
					      const char *device);

/* Tells if memory of a CXL region is on this node. */
bool memory_layout_has_region(const struct memory_layout *layout, int node);

/*
 * Returns the first node without a region that is in the memory tier of this node, so that the
 * kernel neither demotes nor promotes pages between them. NULL: none, or the tier is unknown.
 */
const struct memory_node *memory_layout_same_tier(const struct memory_layout *layout, int node);

/* A range of physical memory, and its NUMA node. */
struct memory_range {
	uint64_t first, end; /* bytes; end is the address after the last byte */
	int node;
};

#define MEMORY_REGION_IDS 8 /* PERF_MEM_REGION_MEM0 to MEM7, include/uapi/linux/perf_event.h */

/*
 * A node that has ranges in a region of memory, as processors distinguish regions. A range is in
 * one region for CPUs of its own socket, and may be in another region for CPUs of other sockets.
 */
struct region_node {
	int region, node;
};

struct memory_map {
	struct memory_range *ranges; /* ascending */
	size_t count;
	struct region_node *regions; /* empty if firmware defines none */
	size_t region_count;
};

void memory_map_free(struct memory_map *map);
/* Copies a map. 0 or -ENOMEM. The caller frees *out, also after failure. */
int memory_map_copy(const struct memory_map *from, struct memory_map *out);

/*
 * Sorts ranges, and cuts overlapping ones: memory that several nodes share gets the node of the CXL
 * region there, or else an unknown node (-1). 0 or -ENOMEM.
 */
int memory_map_separate(struct memory_map *map, const struct cxl_region *regions, size_t count);

/* Returns the node of a physical address; -1: unknown. */
int memory_map_node(const struct memory_map *map, uint64_t physical);

/* Memory by node. On a platform without this interface, nodes are unknown. */
struct memory_ops {
	/* Reads the layout. The caller frees *out with memory_layout_free(), also after failure. */
	int (*layout)(struct platform *p, struct memory_layout *out, struct error *err);
	/*
	 * Lists the physical memory of each node; empty if the kernel does not report it. The
	 * caller frees *out with memory_map_free(), also after failure.
	 */
	int (*map)(struct platform *p, struct memory_map *out, struct error *err);
	/*
	 * Lists the NUMA nodes that have memory, ascending; none if the kernel shows no nodes.
	 * Opens their files, so that they can still be read after rights_drop(). The caller frees
	 * *nodes.
	 */
	int (*nodes)(struct platform *p, int **nodes, size_t *count, struct error *err);
	/*
	 * Reads the statistics of a node that nodes() has listed, or of NODE_MACHINE. Some may be
	 * unknown; after an error, all are. With a virtual clock they are those at wall_ns, however
	 * late they are read; else the present ones. One thread may call this while another one
	 * calls any other function.
	 */
	int (*stats)(struct platform *p, int node, uint64_t wall_ns, struct kernel_stats *out);
};

#endif
