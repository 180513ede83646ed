/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of a simulated machine, and functions of its parts. Private to src/sim and its tests.
 * Sockets, their dies and their ports are numbered from 0. Times are ns since the machine was made:
 * see sim_now(). A region of memory is DRAM or CXL memory, of one socket or of the others.
 */
#ifndef CXLMON_SIM_MACHINE_H
#define CXLMON_SIM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "msr/core_pmu.h"
#include "platform/cxl.h"
#include "platform/device_health.h"
#include "platform/kernel_stats.h"
#include "platform/mbm.h"
#include "platform/memory.h"
#include "platform/pci.h"
#include "platform/rdt.h"
#include "platform/reg.h"
#include "platform/simulation.h"
#include "sim/sim_load.h"
#include "sim/sim_spec.h"
#include "sim/sim_stalls.h"

#define SIM_MAX_COUNTERS 32   /* counters of a unit */
#define SIM_CONFIG_BYTES 4096 /* configuration space of a function */
#define SIM_COUNTER_BITS 48
#define SIM_COUNTER_MASK ((UINT64_C(1) << SIM_COUNTER_BITS) - 1)

#define SIM_GENERAL_COUNTERS  8		  /* general-purpose counters of an Intel CPU */
#define SIM_FIXED_COUNTERS    4		  /* fixed counters of an Intel CPU */
#define SIM_AMD_CORE_COUNTERS 6		  /* counters of an AMD CPU */
#define SIM_DF_COUNTERS	      16	  /* counters of AMD's data fabric */
#define SIM_UMC_COUNTERS      4		  /* counters of an AMD memory controller */
#define SIM_VERA_COUNTERS     4		  /* counters of a unit of Vera */
#define SIM_CPMU_COUNTERS     64	  /* the most counters of a CPMU */
#define SIM_CPMU_GROUPS	      32	  /* the most event groups of a CPMU */
#define SIM_CPMU_FILTERS      8		  /* the most filters of a CPMU's counter */
#define SIM_CPMU_WORDS	      (0xC00 / 8) /* 64-bit words of a CPMU before its counters */

#define SIM_GLOBAL_CONTROL_MSR 0x2FF0 /* the global control of a socket's uncore */
#define SIM_TABLE_MSR	       0x710  /* address of the discovery table of a CPU's die */

/* The start of the virtual clock, 2026-01-01T00:00:00Z, so that every run prints the same. */
#define SIM_EPOCH_NS UINT64_C(1767225600000000000)

struct snapshot;
struct sim_cpmu_block;
struct sim_perf;

/* A counter. Its value is .base plus the events since .since. */
struct sim_counter {
	uint64_t base;
	uint64_t since; /* ns */
};

/* Ways of access to registers. The numbers are those of discovery tables. */
enum sim_access { SIM_ACCESS_MSR = 0, SIM_ACCESS_MMIO = 1, SIM_ACCESS_PCI = 2 };

struct sim_unit {
	unsigned type; /* type number of discovery tables */
	unsigned id;   /* number in the discovery table; without a table, .l3 or .index */
	unsigned socket;
	unsigned die;	  /* die in the socket; this die's discovery table describes the unit */
	unsigned cpu_die; /* sim_core.die of the CPUs through which the kernel accesses it */
	int l3;		  /* unit of an L3 cache: sim_core.l3 of its CPUs */
	unsigned index;	  /* number among the units of this type in its socket */
	enum sim_access access;
	uint64_t address; /* first register: MSR, physical address, or configuration offset */
	struct pci_location pci; /* function of a unit in configuration space */
	unsigned counters;	 /* number of counters */
	/* distances from .address to the first control and counter, and from each to the next */
	unsigned control_offset, control_step;
	unsigned counter_offset, counter_step;

	bool dead;			     /* reads as all ones, ignores writes */
	uint32_t still;			     /* bit i: counter i counts nothing, not even clocks */
	uint64_t control;		     /* value of the unit control */
	uint64_t controls[SIM_MAX_COUNTERS]; /* values of counters' controls */
	struct sim_counter counter[SIM_MAX_COUNTERS];
};

/* A die's counters of bytes by region of memory: see sim_rdt.c. */
struct sim_rdt {
	unsigned socket, die;
	uint64_t address;		/* physical address */
	uint64_t wraps[MEMORY_REGIONS]; /* wraps of each counter until its last read */
};

/* A logical CPU. */
struct sim_core {
	unsigned socket;
	int node;	/* NUMA node */
	unsigned die;	/* die in the socket */
	int l3;		/* the kernel's number of its L3 cache; -1: unknown */
	uint64_t table; /* value of SIM_TABLE_MSR; 0: the die has no table */
	bool online, isolated;
	unsigned first_thread; /* first CPU of its core */
	/* offcore responses; all threads of a core use the registers of .first_thread */
	uint64_t offcore[OFFCORE_REGISTERS];
	uint64_t perfevtsel[SIM_GENERAL_COUNTERS]; /* AMD: the PERF_CTL registers */
	struct sim_counter general[SIM_GENERAL_COUNTERS];
	struct sim_counter fixed[SIM_FIXED_COUNTERS];
	uint64_t fixed_ctr_ctrl, global_ctrl, global_status;
	uint64_t debugctl, misc_enable, pebs_enable;
	struct sim_stalls stalls; /* waits of the program that it runs */
	int kernel_node;	  /* node of its injected kernel's memory; -1: it runs no kernel */
};

/* A CPMU (performance monitor) of a memory device: see sim_cpmu.h. */
struct sim_cpmu {
	struct pci_location at; /* function of the device */
	unsigned socket, port;	/* socket and port of the device */
	uint64_t address;	/* physical address of the registers */
	bool dead;		/* reads as all ones, ignores writes */
	unsigned counter_count, group_count;
	const struct sim_cpmu_block *block; /* initial state; NULL: it is from a snapshot */
	uint64_t still; /* bit i: counter i is frozen: it was enabled when the freeze was written */
	uint64_t wild;	/* bit i: counter i counts nonsense: it was configured while enabled */
	union {
		uint64_t words[SIM_CPMU_WORDS]; /* registers by their offset / 8 */
		struct {
			uint64_t capability, reserved, overflow, freeze;
			uint64_t unused[28];
			uint64_t groups[SIM_CPMU_GROUPS]; /* event capabilities */
			uint64_t configurations[SIM_CPMU_COUNTERS];
			uint32_t filters[SIM_CPMU_COUNTERS]
					[SIM_CPMU_FILTERS]; /* 0: filter is absent */
		};
	};
	struct sim_counter counters[SIM_CPMU_COUNTERS];
};

/* A PCI function, and its configuration space. */
struct sim_function {
	struct pci_function info;
	uint8_t config[SIM_CONFIG_BYTES];
};

/* A range of physical memory: a discovery table, or registers. */
struct sim_region {
	uint64_t phys, length; /* in bytes */
	uint64_t *words;       /* content of a table, read-only and owned; NULL: registers */
};

/* A global control: a register whose bit 0 freezes units of a socket. */
struct sim_global_control {
	unsigned socket;
	int die;       /* die with the units that it freezes; SIM_ALL_DIES: all dies */
	uint64_t phys; /* physical address; 0: the register is SIM_GLOBAL_CONTROL_MSR */
	uint64_t value;
};
#define SIM_ALL_DIES (-1)

/* The time when an L3 cache's counts of memory traffic were cleared. */
struct sim_clearing {
	uint64_t since; /* ns */
	bool unread;	/* the counts were not read since */
};

struct sim {
	struct platform base;
	struct sim_spec spec;
	struct sim_loads loads;	   /* loads of .spec */
	struct snapshot *snapshot; /* snapshot that .spec names, owned; NULL: none */
	uint64_t start;		   /* CLOCK_MONOTONIC when the machine was made, ns */
	uint64_t virtual_now;	   /* time of the virtual clock, ns */
	uint64_t now;		   /* time of the access in progress, ns: see sim_begin_access() */
	uint64_t access_time;	   /* ns by which an access advances the virtual clock */
	uint64_t suspended;	   /* ns for which the machine was suspended */

	/* Arrays, owned. */
	size_t socket_count;
	int *packages; /* the kernel's number of each socket; NULL: 0, 1, ... */
	struct sim_unit *units;
	size_t unit_count;
	struct sim_core *cores;
	size_t core_count;
	struct sim_function *functions;
	size_t function_count;
	struct sim_region *regions;
	size_t region_count;
	struct sim_global_control *globals; /* controls of the sockets, in order, then of tables */
	size_t global_count;
	struct cxl_device *devices;
	size_t device_count;
	struct memory_layout memory;
	struct sim_cpmu *cpmus;
	size_t cpmu_count;

	struct mbm mbm;			/* counts of L3 caches in resctrl; empty: not used yet */
	struct sim_clearing *clearings; /* one per cache of .mbm */

	struct sim_rdt *rdt; /* counters of bytes by region of each die of each socket */
	size_t rdt_count;    /* 0: firmware describes none */

	uint64_t events; /* events of CXL devices that sim_next_event() has returned */

	struct sim_perf *perf; /* the kernel's PMUs, owned; NULL: not used yet */

	bool swapped;	     /* neighbouring ports have each other's memory */
	char hypervisor[13]; /* name of the hypervisor in CPUID; "": none */
};

/* Returns the machine of a platform that platform_sim() has made. */
static inline struct sim *sim_of(struct platform *p)
{
	return (struct sim *)p;
}

/* Returns the kernel's number of a socket: its physical_package_id. */
int sim_package(const struct sim *sim, unsigned socket);

/* Returns true if a CPU of this die is online. die: as in sim_core.die. */
bool sim_die_online(const struct sim *sim, unsigned socket, unsigned die);

/* Returns the range of memory that contains [phys, phys + length); NULL: none. */
const struct sim_region *sim_find_region(const struct sim *sim, uint64_t phys, uint64_t length);

/* Returns the PCI function at this address; NULL: none. */
const struct sim_function *sim_find_function(const struct sim *sim, struct pci_location at);

/* Returns the number of a memory device's port in its socket. device: index in sim->devices. */
unsigned sim_device_port(const struct sim *sim, size_t device);

/*
 * Returns the port that counts the traffic of this port's device: the neighbouring port if
 * sim->swapped, else the same port.
 */
unsigned sim_swapped_port(const struct sim *sim, unsigned port);

/*
 * Returns ns since the machine was made. The clock is real, or virtual (clock=virtual). The virtual
 * clock advances only by sleeps, and by .access_time with each access to a register.
 */
uint64_t sim_now(const struct sim *sim);

/*
 * Returns the NUMA node of a device's memory. The first nodes are the sockets. The others are the
 * regions of CXL memory, each of ways= neighbouring devices.
 */
int sim_node_of_device(const struct sim_spec *spec, unsigned socket, unsigned port);
/* Sets sim->memory from the machine's devices. Returns 0 or -ENOMEM. */
int sim_lay_out_memory(struct sim *sim);

/*
 * Returns the time, in ns since the machine was made, at which the kernel's files are read: wall_ns
 * with a virtual clock, the present with a real one. Does not advance the virtual clock, because
 * another thread may access registers meanwhile.
 */
uint64_t sim_time_of(const struct sim *sim, uint64_t wall_ns);

/*
 * Functions of platform_ops (see there), and helpers. A NUMA node has CPUs and DRAM, or the memory
 * of devices. Pages move between a device's node and the node that the device is attached to. The
 * node with CPUs counts these pages, as in the kernel.
 */
int sim_nodes(struct platform *p, int **out, size_t *count, struct error *err);
#define SIM_PAGE_BYTES 4096
/*
 * Returns true if a memory device is the first one of its node, and the node has no CPUs. device:
 * index in sim->devices.
 */
bool sim_device_has_node(const struct sim *sim, size_t device);
/*
 * Returns the number of nodes without CPUs that belong to a node: their first device is attached to
 * it. node: NODE_MACHINE counts all nodes without CPUs.
 */
size_t sim_nodes_attached(const struct sim *sim, int node);
/* Returns the pages that have moved to a node until t ns; negative: away from it. */
double sim_node_moved(const struct sim *sim, int node, uint64_t t);
/* Returns the used bytes of a node at t ns. */
uint64_t sim_node_used(const struct sim *sim, int node, uint64_t t);
int sim_node_stats(struct platform *p, int node, uint64_t wall_ns, struct kernel_stats *out);
int sim_memory_map(struct platform *p, struct memory_map *out, struct error *err);
int sim_inject_load(struct platform *p, struct injected_load *load, struct error *err);
int sim_device_stats(struct platform *p, const struct cxl_device *listed, uint64_t wall_ns,
		     struct device_stats *out);
int sim_device_health(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
		      struct device_health *out);
int sim_open_events(struct platform *p, const struct topology *topology, struct error *err);
bool sim_next_event(struct platform *p, uint64_t wall_ns, struct cxl_event *out, uint64_t *lost);
int sim_mbm_open(struct platform *p, const struct mbm **out, struct error *err);
int sim_mbm_get(const struct sim *sim, unsigned cache, enum mbm_event event, uint64_t *setting);
int sim_mbm_set(struct sim *sim, unsigned cache, enum mbm_event event, uint64_t setting);
int sim_mbm_read(struct platform *p, enum mbm_event event, uint64_t wall_ns, double *bytes,
		 uint64_t *at_ns);
/*
 * Implements cpu_ops.cpuid. All CPUs have the same leaves. A snapshot's leaves are returned, except
 * leaf 0x40000000, the hypervisor bit of leaf 1, and leaves with more counters than are simulated.
 */
int sim_cpuid(struct platform *p, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4],
	      struct error *err);

/* sim_core.c: MSRs of CPUs, except those of units. */

/*
 * Read and write an MSR as the instructions RDMSR and WRMSR do, without the rules of the msr
 * driver. Return 0, or -EIO if the instruction faults: the MSR does not exist, is read-only, or a
 * reserved bit is written.
 */
int sim_core_read(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
int sim_core_write(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);

/*
 * Lets a CPU run a program with these waits from sim->now on. node: node of an injected kernel's
 * memory; -1: the program is the machine's.
 */
void sim_core_run(struct sim *sim, unsigned cpu, const struct sim_stalls *stalls, int node);

/* Sets an MSR's initial value, without its reserved bits. Ignores MSRs that do not exist. */
void sim_core_set(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);

/* The core PMU: the counters of one CPU. Intel's and AMD's differ in these properties. */
struct sim_core_pmu {
	unsigned general, fixed;   /* numbers of counters; 0 on Arm */
	uint32_t control, counter; /* MSRs of general-purpose counter 0 */
	unsigned step;		   /* distance of a counter's MSRs from the next counter's */
	uint64_t config;	   /* bits that the kernel takes from an event's config */
	uint32_t global_ctrl;	   /* MSR that enables counters; 0: none */
	uint64_t global_all;	   /* value of .global_ctrl that enables every counter */
};

/* Returns the properties for the machine's vendor. */
const struct sim_core_pmu *sim_core_pmu(const struct sim *sim);

/* Returns true if this general-purpose counter can count the event that the control selects. */
bool sim_core_takes(const struct sim *sim, uint64_t control, unsigned counter);

/* Returns true if the machine simulates the event of this control and offcore response. */
bool sim_core_counts(const struct sim *sim, uint64_t control, uint64_t response);

/* Reserved bits of the offcore response registers: the kernel's intel_glc_extra_regs. */
#define SIM_OFFCORE_RESERVED (~UINT64_C(0x3FFFFFFFFF))

/*
 * Returns true if an AMD CPU has PerfMonV2 (CPUID leaf 0x80000022) and its registers. A virtual
 * machine does not have it.
 */
bool sim_cpuid_perfmon_v2(const struct sim *sim);

/* Returns the socket of the CPUs of a node; SIZE_MAX: the node has no CPUs. */
size_t sim_socket_of_node(const struct sim *sim, int node);

/*
 * Finds the loads that carry a node's traffic in equal parts. Sets *latency_ns to the node's
 * latency without load. Returns the number of loads; 0: the node does not exist.
 */
size_t sim_loads_of_node(const struct sim *sim, int node, struct sim_load *loads[REGION_MAX_WAYS],
			 double *latency_ns);

/* Functions of platform_ops in sim_rdt.c. */
extern const struct rdt_ops sim_rdt_ops;
extern const struct task_group_ops sim_task_groups;

/* Adds the counters of bytes by region of a socket's dies. Returns 0 or -ENOMEM. */
int sim_rdt_add(struct sim *sim, unsigned socket);

/*
 * Reads a register of the counters of bytes by region: sets *value to its value at t ns. Returns
 * false if this physical address is not in the registers of these counters.
 */
bool sim_rdt_load(const struct sim *sim, uint64_t address, uint64_t t, uint64_t *value);

/* traffic.c: the counts of a simulated machine. sim_model.events has the events. */

/*
 * Returns the events from times[0] to times[1] ns that a counter of a unit counts with this
 * control. 0: the control selects no known event, or one that this counter cannot count.
 */
uint64_t traffic_count(const struct sim_loads *loads, const struct sim_unit *unit, uint64_t control,
		       unsigned counter, const uint64_t times[2]);

/* Returns true if some counter of units of the type counts the event that the control selects. */
bool traffic_knows(const struct sim_spec *spec, unsigned type, uint64_t control);

/*
 * Returns the cache lines that a CPU has read from 0 to t ns. cxl: from CXL memory; false: from
 * DRAM. remote: from memory of other sockets; false: its own memory.
 */
uint64_t traffic_core_reads(const struct sim_loads *loads, unsigned cpu, bool cxl, bool remote,
			    uint64_t t);

/* Returns the lines that a CPU has read or written, without rounding. */
long double traffic_core_lines(const struct sim_loads *loads, unsigned cpu, bool cxl, bool remote,
			       uint64_t t);

/*
 * sim_unit.c: registers of simulated units of the uncore. offset: distance of a register from
 * unit->address, in MSRs or bytes.
 */

/* Read and write a register. Return false if no register is at this offset. */
bool sim_unit_read(const struct sim *sim, const struct sim_unit *unit, uint64_t offset,
		   uint64_t *value);
bool sim_unit_write(struct sim *sim, struct sim_unit *unit, uint64_t offset, uint64_t value);

/* Rules for the registers of a type of unit. */
struct sim_unit_rules {
	unsigned type;
	uint64_t reserved; /* reserved bits of a counter's control */
	bool unit_control; /* offset 0 has a unit control, which freezes and resets; false: none */
	uint64_t enable;   /* bit of a control without which its counter stands still; 0: none */
	bool per_l3;	   /* only CPUs that share the unit's L3 cache reach its MSRs */
	bool no_guest;	   /* virtual machines do not have these units */
	bool saturates;	   /* a counter stops at its end, with bit 48 set; false: it wraps */
	bool gated;	   /* counters ignore writes while no control of the unit has .enable */
};
/* Returns the rules for the unit's type. */
const struct sim_unit_rules *sim_unit_rules(const struct sim_unit *unit);

/* Returns true if the kernel may access the unit through this CPU, once the CPU is online. */
bool sim_unit_is_served(const struct sim_unit *unit, const struct sim_core *core);
/* Returns the first online CPU through which the kernel may access the unit; -1: none. */
int sim_unit_first_cpu(const struct sim *sim, const struct sim_unit *unit);

/* Returns the reserved bits of the register at offset. A write of them to an MSR fails. */
uint64_t sim_unit_reserved(const struct sim_unit *unit, uint64_t offset);

/* Returns the distance from unit->address to the end of the last register, in MSRs or bytes. */
uint64_t sim_unit_size(const struct sim_unit *unit);

/* Returns the global control of a discovery table at this physical address; NULL: none. */
struct sim_global_control *sim_find_global(const struct sim *sim, uint64_t phys);
/* Writes a global control: from sim->now on its units are frozen if bit 0 is set, else not. */
void sim_set_global(struct sim *sim, struct sim_global_control *global, uint64_t value);

/* Clears the global control of the unit's discovery table, if it is in memory. */
void sim_unfreeze_table(struct sim *sim, const struct sim_unit *unit);

/*
 * Returns the unit that has this register; NULL: none. Each die or socket has the same MSRs:
 * reg->cpu selects one.
 */
struct sim_unit *sim_find_unit(const struct sim *sim, const struct reg *reg);

#endif
