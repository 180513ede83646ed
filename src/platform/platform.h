/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The platform: one table of functions for access to registers, PCI, CXL devices and clocks.
 *
 * cxlmon accesses a machine only through these functions. platform_linux() (src/linux) implements
 * them on device files and sysfs, platform_sim() (src/sim) on a simulated processor. Nothing else
 * opens a device file or reads a clock, so that tests control the time.
 *
 * Functions return 0 or a negative errno. They are not thread-safe, except as set_affinity allows.
 */
#ifndef CXLMON_PLATFORM_H
#define CXLMON_PLATFORM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "platform/kernel_stats.h"
#include "platform/load_sample.h"
#include "platform/mbm.h"
#include "platform/pci_link.h"
#include "platform/perf.h"

/*
 * The write guard: which registers may be written. Every register write (platform/reg.h) is checked
 * against its rules; a write that no rule allows never reaches the hardware.
 *
 * Rules are added when a core PMU is detected (core_pmu_detect) and when a unit is opened
 * (unit_open), so registers of anything else cannot be written.
 */

enum reg_space {
	REG_MSR,
	REG_MMIO,
	REG_PCI,
	REG_MBM, /* what an L3 cache's bandwidth monitoring counts: see mbm.h */
};

/* A range of registers of the same kind. */
struct guard_rule {
	enum reg_space space;
	struct pci_location pci; /* PCI */
	uint64_t first, last; /* MSR or event numbers, or the first and the last byte; inclusive */
	uint64_t mask;	      /* bits that monitoring changes; 0: read-only */
	/* bits that may only be restored, never newly set: interrupt enables, status */
	uint64_t denied;
	const char *what; /* name as in the manuals */
};

struct guard {
	struct guard_rule *rules; /* sorted, without duplicates; freed by guard_free() */
	size_t count;
	bool allow_all; /* allow every write: --unsafe, and tests */
};

struct error;
struct reg;

/* Adds a rule, unless that range already has one. 0 or -ENOMEM. */
int guard_allow(struct guard *guard, const struct guard_rule *rule);

/*
 * The same for count registers, from first on, each as wide as that or the next MSR; the rule says
 * the rest. 0 or -ENOMEM.
 */
int guard_allow_registers(struct guard *guard, const struct reg *first, unsigned count,
			  struct guard_rule rule, struct error *err);

/* The rule that covers all bytes of a register; NULL: none. */
const struct guard_rule *guard_find(const struct guard *guard, const struct reg *reg);

void guard_free(struct guard *guard);

/*
 * How firmware and the kernel have laid out memory: how fast each NUMA node should be, and which
 * CXL devices share a region.
 *
 * Source: the kernel's Documentation/ABI/stable/sysfs-devices-node (initiators: MB/s of 10^6 bytes,
 * and ns), Documentation/ABI/testing/sysfs-bus-cxl (regions),
 * sysfs-kernel-mm-mempolicy-weighted-interleave and sysfs-kernel-mm-memory-tiers.
 */

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

#define PCI_BAR_COUNT 6

struct pci_function {
	struct pci_location at;
	uint16_t vendor;
	uint16_t device;
	int numa_node;			  /* -1: not known */
	uint64_t bar_size[PCI_BAR_COUNT]; /* bytes; 0: not known, or no such BAR */
	/*
	 * Of memory, as the kernel maps it; 0: not known. Behind a host bridge that translates
	 * addresses, as on Arm, it differs from what the BAR holds.
	 */
	uint64_t bar_address[PCI_BAR_COUNT];
};

/* Writes "0000:35:00.0", the format of lspci -D and `cxl list`. Returns text. */
#define PCI_TEXT_SIZE 24
const char *pci_location_text(struct pci_location at, char text[PCI_TEXT_SIZE]);

#define CXL_NAME_SIZE 16
#define CXL_PATH_MAX  (2 * CXL_HOPS_MOST)

/* A CXL memory device, with the names of `cxl list`. Its serial number is deliberately not read. */
struct cxl_device {
	char name[CXL_NAME_SIZE]; /* "mem0" */
	/*
	 * The PCI functions from the root bus to the device: path[0] is the root port (or the
	 * device itself for a CXL 1.1 device), path[depth - 1] the device. depth is at least 1.
	 */
	struct pci_location path[CXL_PATH_MAX];
	size_t depth;
	int near_node;	 /* NUMA node of the CPUs it is attached to; -1: not known */
	int node;	 /* NUMA node of its memory; -1: none, or not known */
	uint64_t bytes;	 /* capacity, volatile plus persistent; 0: not known */
	uint64_t serial; /* 0: not known */
	/* The links of the path, from the root port on: a switch is crossed between two of them. */
	struct pci_hop hops[CXL_HOPS_MOST];
	size_t hop_count;
};

/*
 * Sets which functions its hops are between. They are counted from the device: above the root port
 * there may be others, as of Intel VMD, without a link.
 */
void cxl_device_set_hops(struct cxl_device *device);

/* The hop with the lowest rate; NULL: no link is known. */
const struct pci_hop *cxl_device_narrowest(const struct cxl_device *device);
/* The rate of the narrowest hop in bytes a second each way, of which shares of the link are shown;
 * NAN: not known. */
double cxl_device_rate(const struct cxl_device *device);
/* The rate that its link could have at most; NAN: not known. */
double cxl_device_possible_rate(const struct cxl_device *device);

/* The first hop that is degraded; NULL: none. *known: whether any hop says what it could be. */
const struct pci_hop *cxl_device_degraded(const struct cxl_device *device, bool *known);

struct cpu_location {
	unsigned cpu; /* the number in /dev/cpu/N */
	int socket;   /* physical package */
	int node;     /* NUMA node; -1: not known */
	int core;     /* number within the socket, the same for its threads; -1: not known */
	int die;      /* number within the socket, from 0, in the kernel's order; 0: not known */
	int l3; /* the kernel's number of its L3 cache, unique in the machine; -1: not known */
};

/* Online CPUs, ascending by number. */
struct topology {
	struct cpu_location *cpus; /* freed by topology_free() */
	size_t count;
};

/* A range of physical memory mapped by mmio_map(). */
struct mmio_window {
	uint64_t phys;	  /* first byte */
	size_t length;	  /* bytes */
	void *base;	  /* address of the first byte; NULL: only the platform can access it */
	void *map;	  /* the mapped pages around it, as mmap() returned them */
	size_t map_bytes; /* their length */
};

/* An open file whose offsets are registers. */
struct register_file {
	int fd;
	enum reg_space space;	 /* REG_MSR or REG_PCI */
	struct pci_location pci; /* PCI */
};

/* Traffic injected into a simulated machine, as no memory stands behind its nodes: see src/load. */
struct injected_load {
	int node;
	double read, write; /* asked for, bytes a second; more than can be had: the most */
	/* the answer: what was moved since the machine began, in bytes, and how long a read takes
	 */
	uint64_t bytes_read, bytes_written;
	double latency_ns;
};

#define PROCESSOR_NAME_SIZE 64

struct reg;
struct reg_handle;
struct platform;

struct platform_ops {
	/* Closes everything the platform opened, and frees it. */
	void (*destroy)(struct platform *p);

	int (*topology)(struct platform *p, struct topology *out, struct error *err);
	/* regs: EAX, EBX, ECX, EDX. -EOPNOTSUPP: the processor has no CPUID. */
	int (*cpuid)(struct platform *p, unsigned cpu, uint32_t leaf, uint32_t subleaf,
		     uint32_t regs[4], struct error *err);
	/* As the kernel calls a processor without CPUID; empty, or NULL: not known. */
	void (*processor_name)(struct platform *p, char name[PROCESSOR_NAME_SIZE]);

	/*
	 * Access a whole register, of PCI one dword. What is behind it is opened at the first
	 * access if it is not open yet; it stays open. Callers use platform/reg.h.
	 */
	int (*read)(struct platform *p, const struct reg *reg, uint64_t *value);
	int (*write)(struct platform *p, const struct reg *reg, uint64_t value);
	/*
	 * Explains why an access to *reg failed with code (a negative errno): the kernel's report,
	 * and the remedy.
	 */
	void (*explain)(struct platform *p, const struct reg *reg, bool write, int code,
			struct error *out);
	/*
	 * Opens the CPU's MSR device now, so that it can still be accessed after rights_drop().
	 * Failures are reported by the first access. NULL: there is no device to open.
	 */
	void (*msr_open)(struct platform *p, unsigned cpu);
	/*
	 * Whether MSRs of a CPU may be written, found without writing one: 0, or the error of a
	 * write that is refused. -ENOTSUP, or NULL: not known.
	 */
	int (*msr_may_write)(struct platform *p, unsigned cpu);

	/*
	 * The open descriptors through which registers can be written, once they are programmed:
	 * closes what is not needed any more. *out is freed by the caller, also after failure. 0 or
	 * -ENOMEM. NULL: there are none.
	 */
	int (*register_files)(struct platform *p, struct register_file **out, size_t *count);

	/* All PCI functions. *out is freed by the caller. */
	int (*pci_list)(struct platform *p, struct pci_function **out, size_t *count,
			struct error *err);

	/*
	 * The memory devices of the kernel's CXL bus, by number; none if there is no CXL bus.
	 * *out is freed by the caller.
	 */
	int (*cxl_devices)(struct platform *p, struct cxl_device **out, size_t *count,
			   struct error *err);

	/* Freed by memory_layout_free(), also after failure. NULL: nothing is said. */
	int (*memory_layout)(struct platform *p, struct memory_layout *out, struct error *err);

	int (*mmio_map)(struct platform *p, uint64_t phys, size_t length, bool writable,
			struct mmio_window *out, struct error *err);
	void (*mmio_unmap)(struct platform *p, struct mmio_window *window);

	/*
	 * Faster access for registers that are accessed repeatedly; all three NULL: not available.
	 * prepare fills map64, map32, fd and offset of *handle; read_prepared implements
	 * reg_read_all(); write_prepared writes through map64, map32 or fd.
	 */
	void (*prepare)(struct platform *p, struct reg_handle *handle);
	size_t (*read_prepared)(struct platform *p, const struct reg_handle *handles, size_t count,
				uint64_t *values, int *failures);
	int (*write_prepared)(struct platform *p, const struct reg_handle *handle, uint64_t value);

	/*
	 * Pins the calling thread to a CPU; -1 restores the affinity at the time the platform was
	 * created. -ENOENT: the thread may not run there. NULL: pinning is not supported, and
	 * registers may be accessed by one thread only. If not NULL, read_prepared and
	 * write_prepared may be called by several threads at once.
	 */
	int (*set_affinity)(struct platform *p, int cpu);

	/* Monotonic time in ns, and wall-clock time in ns since 1970, UTC. */
	uint64_t (*now)(struct platform *p);
	uint64_t (*wall)(struct platform *p);
	/* Total time in ns that the machine was suspended; now() does not include it. */
	uint64_t (*suspended)(struct platform *p);
	/*
	 * Sleeps until now() reaches deadline (ns). -EINTR: a signal of *wake, which must all be
	 * blocked, was pending; it is consumed, and *signal_number is its number. If wake is NULL,
	 * no signal is consumed, and -EINTR means that a signal handler has run.
	 */
	int (*sleep_until)(struct platform *p, uint64_t deadline, const sigset_t *wake,
			   int *signal_number);

	/*
	 * Counting through the kernel; all NULL: not available. perf_pmus lists its PMUs.
	 * perf_open opens an event, which does not count yet, and returns its handle or a negative
	 * errno; perf_enable starts and stops a group, and perf_read reads it, by the handle of its
	 * first event.
	 */
	int (*perf_pmus)(struct platform *p, struct perf_pmus *out, struct error *err);
	int (*perf_open)(struct platform *p, const struct perf_event *event);
	int (*perf_enable)(struct platform *p, int leader, bool on);
	int (*perf_read)(struct platform *p, int leader, struct perf_reading *out);
	void (*perf_close)(struct platform *p, int handle);
	/* Explains why perf_open failed with code (a negative errno). */
	void (*perf_explain)(struct platform *p, int code, struct error *out);

	/*
	 * The NUMA nodes that have memory, ascending; none where the kernel shows no nodes. Opens
	 * their files now, so that they can still be read after rights_drop(). *nodes is freed by
	 * the caller. NULL: no node is known.
	 */
	int (*nodes)(struct platform *p, int **nodes, size_t *count, struct error *err);
	/*
	 * Reads them, of a node that nodes() has listed or of NODE_MACHINE. Some may be unknown;
	 * after an error, all of them are. A virtual clock tells what they were at wall_ns, so that
	 * it does not matter how late they are read; else they are those of now. May be called by
	 * one thread while another one calls any other function.
	 */
	int (*node_stats)(struct platform *p, int node, uint64_t wall_ns, struct kernel_stats *out);

	/*
	 * The same of a memory device, as cxl_devices() has listed it; -ENODEV: it is gone. NULL:
	 * nothing is known of any device.
	 */
	int (*device_stats)(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
			    struct device_stats *out);

	/*
	 * Asks a memory device for its health, which may take many seconds; with a virtual clock,
	 * it is that of wall_ns. -ENOTTY: the device does not tell it. Threads: as node_stats().
	 */
	int (*device_health)(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
			     struct device_health *out);

	/*
	 * What L3 caches count of memory traffic, by resctrl (mbm.h). mbm_open finds the caches and
	 * their settings, which stay valid until the next call: EXIT_NO_UNIT, EXIT_PERMISSION:
	 * there are none, or resctrl is not mounted. A setting is a register, which can be accessed
	 * also before mbm_open, and after rights_drop() if it was accessed likewise before.
	 * mbm_read reads bytes by cache, in the order of mbm_open: NAN where they are not known, or
	 * are not of MBM_SLOW_READS alone; it opens what it reads when it is called first. -ESTALE:
	 * since mbm_open another program has changed the setting, or groups. Threads: as
	 * node_stats(). Both NULL: there are none.
	 */
	int (*mbm_open)(struct platform *p, const struct mbm **out, struct error *err);
	int (*mbm_read)(struct platform *p, enum mbm_event event, uint64_t wall_ns, double *bytes,
			uint64_t *at_ns);

	/*
	 * Opens the events of CXL devices on these CPUs, so that they can still be read after
	 * rights_drop(). cxl_events_next takes the next one; with a virtual clock, none that is
	 * later than wall_ns. False: there is none left. *lost grows by those for which there was
	 * no room. Threads: as node_stats(). NULL: nothing need be opened; there are none.
	 */
	int (*cxl_events_open)(struct platform *p, const struct topology *topology,
			       struct error *err);
	bool (*cxl_events_next)(struct platform *p, uint64_t wall_ns, struct cxl_event *out,
				uint64_t *lost);

	/*
	 * Samples loads on all CPUs, by events of the kernel: the result is disabled, and must be
	 * destroyed before the platform. Of several events those after the first may be left out,
	 * with a note that says why. EXIT_NO_UNIT, EXIT_PERMISSION: as with perf_open. NULL: not
	 * available.
	 */
	int (*sampler_open)(struct platform *p, const struct load_sampling *sampling,
			    struct sampler **out, struct error *err);
	/* Which node has which physical memory; no range where the kernel doesn't say it. */
	int (*memory_map)(struct platform *p, struct memory_map *out, struct error *err);

	/*
	 * Whether a counter of that type of unit counts with this control (of a CPU: and this
	 * offcore response), where a simulated machine doesn't know every event. NULL: all count.
	 */
	bool (*counts)(struct platform *p, unsigned type, uint64_t control, uint64_t offcore_rsp);

	/*
	 * From now on, a simulated machine's node carries load->read and write, besides other
	 * traffic; both 0 end it. -ENODEV: it has no such node. -ENOTSUP, or NULL: the memory is
	 * real, and must be accessed.
	 */
	int (*inject_load)(struct platform *p, struct injected_load *load, struct error *err);

	/* Whether the kernel's NMI watchdog uses a counter of every CPU; NULL: no watchdog. */
	bool (*has_watchdog)(struct platform *p);
};

struct platform {
	const struct platform_ops *ops;
	struct log log;
	struct guard guard; /* which registers may be written; initially none */
	/*
	 * Time advances only in sleep_until(), which returns at once: no deadline is ever missed.
	 * False: real time.
	 */
	bool virtual_clock;
};

void platform_destroy(struct platform *p); /* NULL does nothing */
bool platform_has_watchdog(struct platform *p);
#define WATCHDOG_COMMAND_OFF "sudo sysctl kernel.nmi_watchdog=0"

void topology_free(struct topology *topology);

/* The first online CPU of a socket; -1: none. Socket-wide MSRs are accessed through it. */
int topology_first_cpu(const struct topology *topology, int socket);

/* The socket of a NUMA node's CPUs; -1: the node has no CPU. */
int topology_socket_of_node(const struct topology *topology, int node);
/*
 * The socket of a device on that NUMA node; where the node is not known (-1), the only socket. -1:
 * not known.
 */
int topology_socket_of_device(const struct topology *topology, int node);

#endif
