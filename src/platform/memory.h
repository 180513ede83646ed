/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How firmware and the kernel have laid out memory: how fast each NUMA node should be, and which
 * CXL devices share a region.
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

#define NUMA_NODES_MOST 1024 /* MAX_NUMNODES of x86-64 is at most as much */

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
	uint64_t base;		     /* its first physical address; 0: not known */
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

/* The node of this number; NULL: the layout does not have it. */
const struct memory_node *memory_layout_node(const struct memory_layout *layout, int node);
/* The first region that has this device ("mem0"); NULL: none. */
const struct cxl_region *memory_layout_region(const struct memory_layout *layout,
					      const char *device);

/* Tells if memory of a CXL region is on this node. */
bool memory_layout_has_region(const struct memory_layout *layout, int node);

/*
 * The first node without a region that is in the memory tier of this node, so that the kernel
 * neither demotes nor promotes pages between them. NULL: none, or the tier is unknown.
 */
const struct memory_node *memory_layout_same_tier(const struct memory_layout *layout, int node);

/* A range of physical memory, and the NUMA node that it belongs to. */
struct memory_range {
	uint64_t first, end; /* bytes; end is behind it */
	int node;
};

#define MEMORY_REGION_IDS 8 /* PERF_MEM_REGION_MEM0 to MEM7, include/uapi/linux/perf_event.h */

/*
 * A region of memory, as processors tell regions apart, has ranges of this node. The same range is
 * in one region for CPUs of its own socket, and may be in another for those of others.
 */
struct region_node {
	int region, node;
};

struct memory_map {
	struct memory_range *ranges; /* ascending */
	size_t count;
	struct region_node *regions; /* none where firmware defines none */
	size_t region_count;
};

void memory_map_free(struct memory_map *map);
/* 0 or -ENOMEM. *out is to be freed, also after failure. */
int memory_map_copy(const struct memory_map *from, struct memory_map *out);

/*
 * Sorts ranges of any order, and cuts those that overlap: what several nodes share is of the node
 * of the CXL region there, or else of an unknown one (-1). 0 or -ENOMEM.
 */
int memory_map_separate(struct memory_map *map, const struct cxl_region *regions, size_t count);

/* -1: not known. */
int memory_map_node(const struct memory_map *map, uint64_t physical);

/* Memory by node. A platform without this: no node is known. */
struct memory_ops {
	/* Freed by memory_layout_free(), also after failure. */
	int (*layout)(struct platform *p, struct memory_layout *out, struct error *err);
	/*
	 * Which node has which physical memory; no range where the kernel doesn't say it. Freed by
	 * memory_map_free(), also after failure.
	 */
	int (*map)(struct platform *p, struct memory_map *out, struct error *err);
	/*
	 * The NUMA nodes that have memory, ascending; none where the kernel shows no nodes. Opens
	 * their files now, so that they can still be read after rights_drop(). *nodes is freed by
	 * the caller.
	 */
	int (*nodes)(struct platform *p, int **nodes, size_t *count, struct error *err);
	/*
	 * Reads them, of a node that nodes() has listed or of NODE_MACHINE. Some may be unknown;
	 * after an error, all of them are. A virtual clock tells what they were at wall_ns, so that
	 * it does not matter how late they are read; else they are those of now. May be called by
	 * one thread while another one calls any other function.
	 */
	int (*stats)(struct platform *p, int node, uint64_t wall_ns, struct kernel_stats *out);
};

#endif
