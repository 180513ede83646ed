/* SPDX-License-Identifier: BSD-3-Clause */
/* The Linux platform: device files, libpci, physical memory, the kernel's clocks. */
#ifndef CXLMON_LINUX_H
#define CXLMON_LINUX_H

#include <sched.h>
#include <stdbool.h>

#include "platform/kernel_stats.h"
#include "platform/load_sample.h"
#include "platform/memory.h"
#include "platform/platform.h"
#include "platform/simulation.h"

/* On which CPUs the calling thread may run. cpu_set_t alone ends at 1024 CPUs. */

/* The most that a kernel for x86-64 can be built with: its arch/x86/Kconfig, NR_CPUS_RANGE_END */
#define AFFINITY_CPUS 8192

struct affinity {
	cpu_set_t sets[AFFINITY_CPUS / CPU_SETSIZE];
};

/* No CPU where the kernel doesn't say. */
struct affinity affinity_get(void);
bool affinity_has(const struct affinity *affinity, unsigned cpu);

/* 0 or a negative errno. */
int affinity_set(const struct affinity *affinity);
int affinity_set_cpu(unsigned cpu);

/*
 * root is "/", or a directory with dev, sys and proc (--root). Opens nothing: each device is opened
 * at the first access to it. log is copied. Freed by platform_destroy().
 */
int platform_linux(const char *root, const struct log *log, struct platform **out,
		   struct error *err);

struct linux_platform {
	struct platform base;
	char *root;
	struct pci_bus *bus;	 /* opened at first use */
	struct msr_handle *msrs; /* by CPU number; fd -1: not opened yet */
	size_t msr_count;
	struct node_files *nodes; /* opened by nodes() */
	struct cxl_trace *trace;  /* opened by cxl_events_open(); NULL: there is none */
	struct resctrl *resctrl;  /* no file is open before it is used */
	int load_fd;		  /* the socket LOAD_CHANNEL; -1: not connected */
	struct affinity cpus;	  /* of the process at the start */
};

static inline struct linux_platform *linux_of(struct platform *p)
{
	return (struct linux_platform *)p;
}

/*
 * Functions that take a platform are those of platform_ops.
 *
 * CPU topology: socket and NUMA node of each CPU, from root/sys/devices/system.
 */

int linux_topology(struct platform *p, struct topology *out, struct error *err);

/* The lowest-numbered CPU that is present but offline; -1: none. */
int linux_offline_cpu(const char *root);

/*
 * The memory devices of root/sys/bus/cxl, as `cxl list` shows them, without serial numbers.
 *
 * Source: the kernel's Documentation/ABI/testing/sysfs-bus-cxl and sysfs-bus-dax;
 * Documentation/ABI/testing/sysfs-devices-memory.
 *
 * A device's node is the NUMA node of its memory, as `daxctl list` and `numactl` show it. It is
 * found through the region that has a decoder of the device as a target (if several, the
 * lowest-numbered):
 *   - the target_node of a dax device of that region, or in its range of memory, as that of
 *     firmware's Soft Reserved memory is, else
 *   - the node of the memory block at the region's start address, if firmware has onlined it as
 *     system RAM.
 * Else the node is -1. memN/numa_node, the numa_node of `cxl list`, is not used for it: that is the
 * node of the CPUs that the device is attached to.
 */

/* Devices that are not behind PCI, as in the kernel's own tests, are skipped. */
int linux_cxl_devices(struct platform *p, struct cxl_device **out, size_t *count,
		      struct error *err);

/* Nodes of which something is said, and regions of the CXL bus. */
int linux_memory_layout(struct platform *p, struct memory_layout *out, struct error *err);

/* The NUMA node that "cpu/cpu" or "memory/memory" of this number is linked to; -1: none. */
int linux_node_of(const char *root, const char *name, uint64_t number);

/* How many bytes a block of memory has that can be added to a node; 0: there are no blocks. */
uint64_t linux_block_size(const char *root);

/* The regions of the CXL bus by number, in *out, which is freed by the caller. 0 or -ENOMEM. */
int linux_cxl_regions(const char *root, struct cxl_region **out, size_t *count);

/*
 * Detection of containers, which see only the devices passed to them.
 * Source: systemd's src/basic/virt.c, and the container interface that systemd documents.
 */

#define CONTAINER_NAME_SIZE 32

/* Whether this runs in a container; name is its manager, such as "docker", or what shows it. */
bool linux_container(const char *root, char name[CONTAINER_NAME_SIZE]);

/*
 * A machine of files (--root) has no memory to move bytes to and from. A load is injected through
 * the socket dev/cxlmon-load below its root: a SOCK_SEQPACKET socket on which each message is a
 * struct load_message, and so is its answer.
 */

#define LOAD_CHANNEL "dev/cxlmon-load"

struct load_message {
	struct injected_load load;
	int code; /* the answer: 0 or a negative errno */
};

/* -ENOTSUP: root is "/", or there is no such socket. */
int linux_inject_load(struct platform *p, struct injected_load *load, struct error *err);

/*
 * Which NUMA node a physical address belongs to: memory is added to nodes in blocks of one size.
 * Memory in devdax mode is no node's: its addresses have the node that it would be of.
 *
 * Source: the kernel's Documentation/ABI/testing/sysfs-devices-memory and -devices-node.
 */

/* Without blocks (no memory hotplug) there is no range of them. */
int linux_memory_map(struct platform *p, struct memory_map *out, struct error *err);

/*
 * The kernel's CXL trace events, read through perf events with ring buffers of their own: who else
 * traces, such as rasdaemon, loses nothing.
 */

/*
 * A kernel without such events is no error. EXIT_PERMISSION: tracefs or perf events are refused.
 */
int linux_cxl_events_open(struct platform *p, const struct topology *topology, struct error *err);
/* By CPU and then by time. */
bool linux_cxl_events_next(struct platform *p, uint64_t wall_ns, struct cxl_event *out,
			   uint64_t *lost);
void cxl_trace_close(struct cxl_trace *trace); /* NULL does nothing */

/* Sampled loads: a perf event on each CPU, with a ring buffer of its own. */
int linux_sampler_open(struct platform *p, const struct load_sampling *sampling,
		       struct sampler **out, struct error *err);

#endif
