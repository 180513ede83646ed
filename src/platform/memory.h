/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Memory as firmware and the kernel report it: the expected speed of NUMA nodes, the CXL devices
 * that share a region, and the node of each physical address.
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

#define NODE_WEIGHT_MOST 255 /* highest weight of weighted interleave */

#define REGION_NAME_SIZE 16
#define REGION_MODE_SIZE 8
#define REGION_MAX_WAYS	 16 /* CXL 3.0, "Interleave Ways" of HDM decoders: 1 to 16 */

/* A NUMA node, with the speeds that firmware (HMAT, CDAT) reports for its nearest CPUs. */
struct memory_node {
	int node;
	double read_MBps, write_MBps; /* 10^6 bytes per second; 0: not reported */
	double read_ns, write_ns;     /* latencies; 0: not reported */
	unsigned weight;	      /* for weighted interleave, 1 to 255; 0: not reported */
	int tier;		      /* number of the memory tier, the fastest lowest; -1: none */
};

/* A CXL region: a range of addresses, spread over one or several devices. */
struct cxl_region {
	char name[REGION_NAME_SIZE]; /* "region0" */
	char mode[REGION_MODE_SIZE]; /* "ram" or "pmem"; "": unknown */
	unsigned ways;		     /* devices that addresses are spread over; 0: unknown */
	unsigned granularity;	     /* consecutive bytes on one device; 0: unknown */
	uint64_t base;		     /* the first physical address; 0: unknown */
	uint64_t bytes;		     /* 0: unknown */
	int node;		     /* NUMA node of its memory; -1: none, or unknown */
	char devices[REGION_MAX_WAYS][REGION_NAME_SIZE]; /* "mem0"; only those that are known */
	size_t device_count;				 /* can be less than .ways */
};

struct memory_layout {
	struct memory_node *nodes; /* by number */
	size_t node_count;
	struct cxl_region *regions; /* by number */
	size_t region_count;
};

void memory_layout_free(struct memory_layout *layout);
/* Copies a layout. 0 or -ENOMEM. The caller frees *out, even after an error. */
int memory_layout_copy(const struct memory_layout *from, struct memory_layout *out);

/* Returns the node of this number; NULL: the layout does not have it. */
const struct memory_node *memory_layout_node(const struct memory_layout *layout, int node);
/* Returns the first region that has this device ("mem0"); NULL: none. */
const struct cxl_region *memory_layout_region(const struct memory_layout *layout,
					      const char *device);

/* Tells if the memory of a CXL region is on this node. */
bool memory_layout_has_region(const struct memory_layout *layout, int node);

/*
 * Returns the first other node in a node's memory tier, except nodes with a CXL region. The kernel
 * neither demotes nor promotes pages within a tier. NULL: none, or the tier is unknown.
 */
const struct memory_node *memory_layout_same_tier(const struct memory_layout *layout, int node);

/* A range of physical memory, and its NUMA node. */
struct memory_range {
	uint64_t first, end; /* addresses; end is the address after the last byte */
	int node;
};

#define MEMORY_REGION_IDS 8 /* PERF_MEM_REGION_MEM0 to MEM7, include/uapi/linux/perf_event.h */

/*
 * A region of memory, and a node with a range of addresses in the region. Processors number such
 * regions from 0; they are not CXL regions. For CPUs of another socket, the same range may be in
 * another region.
 */
struct region_node {
	int region, node;
};

struct memory_map {
	struct memory_range *ranges; /* ascending, without overlaps */
	size_t count;
	struct region_node *regions; /* none if firmware defines none */
	size_t region_count;
};

void memory_map_free(struct memory_map *map);

/*
 * Sorts the ranges of a map, and separates ranges that overlap. Memory in ranges of several nodes
 * gets the node of the CXL region there; -1 if there is none. 0; -ENOMEM: the map is unchanged.
 */
int memory_map_separate(struct memory_map *map, const struct cxl_region *regions, size_t count);

/* Returns the node of a physical address; -1: unknown. */
int memory_map_node(const struct memory_map *map, uint64_t physical);

/* Memory by node. On a platform without this interface, nodes are unknown. */
struct memory_ops {
	/* Reads the layout. The caller frees *out by memory_layout_free(), even after an error. */
	int (*layout)(struct platform *p, struct memory_layout *out, struct error *err);
	/*
	 * Lists the physical memory of each node. The map is empty if the kernel does not report
	 * it. The caller frees *out by memory_map_free(), even after an error.
	 */
	int (*map)(struct platform *p, struct memory_map *out, struct error *err);
	/*
	 * Lists the NUMA nodes that have memory, ascending; none if the kernel shows no nodes. The
	 * caller frees *nodes. Opens the files that .stats reads, so that they can still be read
	 * after rights_drop().
	 */
	int (*nodes)(struct platform *p, int **nodes, size_t *count, struct error *err);
	/*
	 * Reads the statistics of a node that .nodes has listed, or of NODE_MACHINE. After an
	 * error, all are unknown.
	 *
	 * wall_ns: with a virtual clock (platform.h), the wall-clock time of the statistics,
	 * however late they are read; otherwise ignored. Threads: one thread may call this function
	 * while another thread calls any other function of the platform.
	 */
	int (*stats)(struct platform *p, int node, uint64_t wall_ns, struct kernel_stats *out);
};

#endif
