/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The state of a simulated machine, and functions of its parts. Private to src/sim. Sockets, dies
 * and ports are numbered from 0. Times are ns since the machine was made: see sim_now().
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

#define SIM_GENERAL_COUNTERS  8
#define SIM_FIXED_COUNTERS    4
#define SIM_AMD_CORE_COUNTERS 6
#define SIM_DF_COUNTERS	      16
#define SIM_UMC_COUNTERS      4 /* counters per memory controller */
#define SIM_VERA_COUNTERS     4 /* counters per unit */
#define SIM_CPMU_COUNTERS     64
#define SIM_CPMU_GROUPS	      32
#define SIM_CPMU_FILTERS      8
#define SIM_CPMU_WORDS	      (0xC00 / 8) /* words of registers before the counters */

#define SIM_GLOBAL_CONTROL_MSR 0x2FF0 /* the global control of a socket's uncore */
#define SIM_TABLE_MSR	       0x710  /* address of the discovery table of a CPU's die */

/* The start of the virtual clock, 2026-01-01T00:00:00Z, so that every run prints the same. */
#define SIM_EPOCH_NS UINT64_C(1767225600000000000)

struct snapshot;
struct sim_cpmu_block;
struct sim_perf;

/* A counter, whose value is .base plus its events since the time .since. */
struct sim_counter {
	uint64_t base;
	uint64_t since; /* ns */
};

/* Kinds of access, with the numbers of discovery tables. */
enum sim_access { SIM_ACCESS_MSR = 0, SIM_ACCESS_MMIO = 1, SIM_ACCESS_PCI = 2 };

struct sim_unit {
	unsigned type; /* type number of discovery tables */
	unsigned id;
	unsigned socket;
	unsigned die;	  /* the die within the socket whose discovery table describes it */
	unsigned cpu_die; /* sim_core.die of the CPUs through which the kernel accesses it */
	int l3;		  /* only for a unit of an L3 cache: sim_core.l3 of its CPUs */
	unsigned index;	  /* number among the units of this type in its socket */
	enum sim_access access;
	uint64_t address; /* its first register: MSR, physical address, or configuration offset */
	struct pci_location pci; /* location of a unit in configuration space */
	unsigned counters;	 /* number of counters */
	/* first register, as distance from .address, and the step to the next one */
	unsigned control_offset, control_step;
	unsigned counter_offset, counter_step;

	bool dead;			     /* reads as all ones, ignores writes */
	uint32_t still;			     /* bit i: counter i counts nothing, not even a clock */
	uint64_t control;		     /* value of the unit control */
	uint64_t controls[SIM_MAX_COUNTERS]; /* values of counters' controls */
	struct sim_counter counter[SIM_MAX_COUNTERS];
};

/* The counters of bytes by region of memory of a die, an L3 domain: see sim_rdt.c. */
struct sim_rdt {
	unsigned socket, die;
	uint64_t address;		/* physical address */
	uint64_t wraps[MEMORY_REGIONS]; /* wraps of each counter until its last read */
};

/* A logical CPU. */
struct sim_core {
	unsigned socket;
	int node;	/* NUMA node */
	unsigned die;	/* die within the socket */
	int l3;		/* the kernel's number of its L3 cache; -1: unknown */
	uint64_t table; /* value of SIM_TABLE_MSR; 0: the die has no table */
	bool online, isolated;
	/* first CPU of its core; it has the registers that the core's threads share */
	unsigned first_thread;
	/* offcore response registers; used only in .first_thread */
	uint64_t offcore[OFFCORE_REGISTERS];
	uint64_t perfevtsel[SIM_GENERAL_COUNTERS]; /* AMD: PERF_CTL, which has fewer registers */
	struct sim_counter general[SIM_GENERAL_COUNTERS];
	struct sim_counter fixed[SIM_FIXED_COUNTERS];
	uint64_t fixed_ctr_ctrl, global_ctrl, global_status;
	uint64_t debugctl, misc_enable, pebs_enable;
	struct sim_stalls stalls; /* the waits of the program that it runs */
	/* node whose memory its injected kernel uses; -1: it runs the machine's program */
	int kernel_node;
};

/* A CPMU of a memory device: see sim_cpmu.h */
struct sim_cpmu {
	struct pci_location at; /* the function that has it */
	unsigned socket, port;	/* socket and port of that device */
	uint64_t address;
	bool dead; /* reads as all ones, ignores writes */
	unsigned counter_count, group_count;
	const struct sim_cpmu_block *block; /* its initial state; NULL: it is from a snapshot */
	/* bit i: counter i is frozen, because it was enabled when its freeze bit was written */
	uint64_t still;
	/* bit i: counter i counts nonsense, because it was configured while it was enabled */
	uint64_t wild;
	union {
		uint64_t words[SIM_CPMU_WORDS]; /* the registers by their offset */
		struct {
			uint64_t capability, reserved, overflow, freeze;
			uint64_t unused[28];
			uint64_t groups[SIM_CPMU_GROUPS]; /* event capabilities */
			uint64_t configurations[SIM_CPMU_COUNTERS];
			uint32_t filters[SIM_CPMU_COUNTERS]
					[SIM_CPMU_FILTERS]; /* 0: no such filter */
		};
	};
	struct sim_counter counters[SIM_CPMU_COUNTERS];
};

struct sim_function {
	struct pci_function info;
	uint8_t config[SIM_CONFIG_BYTES];
};

/* A range of physical memory: a discovery table, or the registers of units. */
struct sim_region {
	uint64_t phys, length;
	uint64_t *words; /* read-only content, owned; NULL: the range has registers */
};

/* A global control register: bit 0 freezes the units of a socket, or of a discovery table. */
struct sim_global_control {
	unsigned socket;
	int die;       /* the die that has the table; SIM_ALL_DIES: the control is a socket's */
	uint64_t phys; /* address of a table's control, or SIM_GLOBAL_CONTROL_MSR for a socket's */
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
	struct sim_loads loads;	   /* loads of spec */
	struct snapshot *snapshot; /* the snapshot that the spec names, owned; NULL: none */
	uint64_t start;		   /* CLOCK_MONOTONIC when the machine was made, ns */
	uint64_t virtual_now;	   /* time of the virtual clock, ns */
	uint64_t now;		   /* time of the access in progress, ns: see sim_begin_access() */
	uint64_t access_time;	   /* ns by which an access advances the virtual clock */
	uint64_t suspended;	   /* ns for which the machine was suspended */

	size_t socket_count;
	/* the kernel's number of each socket of a snapshot; NULL: the same numbers */
	int *packages;
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
	struct sim_clearing *clearings; /* one per cache of mbm */

	/* Counters of bytes by region, one element per die of each socket: see sim_rdt.c. */
	struct sim_rdt *rdt;
	size_t rdt_count; /* 0: firmware describes none */

	uint64_t events; /* events of CXL devices that sim_next_event() has returned */

	struct sim_perf *perf; /* the kernel's PMUs, owned by sim.c; NULL: they were not used yet */

	bool swapped;	     /* neighbouring ports have each other's memory */
	char hypervisor[13]; /* its name in CPUID; empty: none */
};

/* Returns the machine whose platform platform_sim() has made. */
static inline struct sim *sim_of(struct platform *p)
{
	return (struct sim *)p;
}

/* Returns the kernel's number of a socket: its physical_package_id. */
int sim_package(const struct sim *sim, unsigned socket);

/* Returns true if a CPU of the socket's die, in the numbering of sim_core.die, is online. */
bool sim_die_online(const struct sim *sim, unsigned socket, unsigned die);

/* Returns the region that contains [phys, phys + length); NULL: none. */
const struct sim_region *sim_find_region(const struct sim *sim, uint64_t phys, uint64_t length);

/* Returns the PCI function at this place; NULL: none. */
const struct sim_function *sim_find_function(const struct sim *sim, struct pci_location at);

/* Returns the port of a memory device, an index of sim->devices: its number in its socket. */
unsigned sim_device_port(const struct sim *sim, size_t device);

/* Returns the port that counts the traffic of this port's device: another one if sim->swapped. */
unsigned sim_swapped_port(const struct sim *sim, unsigned port);

/*
 * Returns ns since the machine was made. The clock is the real one, or a virtual one. Only sleeping
 * and, if .access_time is not 0, accesses to registers advance the virtual clock.
 */
uint64_t sim_now(const struct sim *sim);

/*
 * Returns the NUMA node of a device's memory. Nodes are first the sockets, then the regions, each
 * of one device or of several neighbouring ones (ways=).
 */
int sim_node_of_device(const struct sim_spec *spec, unsigned socket, unsigned port);
/* Sets sim->memory from the machine's devices. 0 or -ENOMEM. */
int sim_lay_out_memory(struct sim *sim);

/*
 * Returns the time in ns for a reading of files at a wall-clock time, which a virtual clock
 * follows. A real clock ignores wall_ns, and the time is the present. Does not advance the virtual
 * clock, because another thread may access registers meanwhile.
 */
uint64_t sim_time_of(const struct sim *sim, uint64_t wall_ns);

/*
 * Functions of platform_ops, and helpers. The NUMA nodes of a simulated machine have CPUs and DRAM,
 * or the memory of its devices. Pages move between a device's node and the node that the device is
 * attached to. The latter node counts them, as in the kernel.
 */
int sim_nodes(struct platform *p, int **out, size_t *count, struct error *err);
#define SIM_PAGE_BYTES 4096
/*
 * Returns true if a memory device, an index of sim->devices, is the first one of its node, and the
 * node has no CPUs.
 */
bool sim_device_has_node(const struct sim *sim, size_t device);
/*
 * Returns the number of nodes without CPUs whose first device is attached to a node. NODE_MACHINE:
 * to any node.
 */
size_t sim_nodes_attached(const struct sim *sim, int node);
/*
 * Returns the pages that promotion and demotion have moved to a node until t ns; negative: away
 * from it.
 */
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
 * Implements cpu_ops.cpuid. Each CPU has the same leaves; a snapshot's leaves are returned as they
 * are.
 */
int sim_cpuid(struct platform *p, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4],
	      struct error *err);

/*
 * sim_core.c: read and write MSRs of a CPU, except those of units, as the instructions RDMSR and
 * WRMSR do, without the rules of the msr driver. Return 0, or -EIO if the instruction faults: there
 * is no such register, or a reserved bit is written.
 */
int sim_core_read(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
int sim_core_write(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);

/*
 * Lets a CPU run a program with these waits from sim->now on. node: the program is an injected
 * kernel with memory of that node; -1: it is the machine's program.
 */
void sim_core_run(struct sim *sim, unsigned cpu, const struct sim_stalls *stalls, int node);

/* Sets an MSR's value, without reserved bits, before the run. Ignores MSRs that do not exist. */
void sim_core_set(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);

/* Properties in which core PMUs of Intel and of AMD differ. */
struct sim_core_pmu {
	unsigned general, fixed;   /* numbers of counters; 0 on Arm */
	uint32_t control, counter; /* MSRs of counter 0 */
	unsigned step;		   /* from an MSR of one counter to the next counter's */
	uint64_t config;	   /* bits that the kernel takes from an event's config */
	uint32_t global_ctrl;	   /* MSR that enables counters; 0: none */
	uint64_t global_all;	   /* value of .global_ctrl that enables every counter */
};

const struct sim_core_pmu *sim_core_pmu(const struct sim *sim);

/* Returns true if this general-purpose counter can count the event that the control selects. */
bool sim_core_takes(const struct sim *sim, uint64_t control, unsigned counter);

/* Returns true if a CPU counts something with this control and offcore response. */
bool sim_core_counts(const struct sim *sim, uint64_t control, uint64_t response);

/* Reserved bits of the offcore response registers: the kernel's intel_glc_extra_regs. */
#define SIM_OFFCORE_RESERVED (~UINT64_C(0x3FFFFFFFFF))

/*
 * Returns true if the registers of AMD's PerfMonV2 exist, which CPUID leaf 0x80000022 describes. A
 * virtual machine has none.
 */
bool sim_cpuid_perfmon_v2(const struct sim *sim);

/* Returns the socket of the CPUs of a node; SIZE_MAX: the node has no CPUs. */
size_t sim_socket_of_node(const struct sim *sim, int node);

/*
 * Finds the loads that carry a node's traffic, which is spread over them evenly, and the node's
 * unloaded latency. Returns the number of loads; 0: there is no such node.
 */
size_t sim_loads_of_node(const struct sim *sim, int node, struct sim_load *loads[REGION_MAX_WAYS],
			 double *latency_ns);

/* Functions of platform_ops in sim_rdt.c. */
extern const struct rdt_ops sim_rdt_ops;
extern const struct task_group_ops sim_task_groups;

/* Adds the counters of bytes by region of a socket's dies. 0 or -ENOMEM. */
int sim_rdt_add(struct sim *sim, unsigned socket);

/*
 * Sets *value to the register at this physical address, at t ns. Returns false if it is not one of
 * counters of bytes by region.
 */
bool sim_rdt_load(const struct sim *sim, uint64_t address, uint64_t t, uint64_t *value);

/*
 * traffic.c: the counts of a simulated machine. They come from tables of sim_model, with their own
 * event codes, so that errors in the model's tables of events show.
 */

/*
 * Returns how many of the events that a unit's counter control selects happen from times[0] to
 * times[1] ns. 0: it selects no known event, or one that this counter cannot count.
 */
uint64_t traffic_count(const struct sim_loads *loads, const struct sim_unit *unit, uint64_t control,
		       unsigned counter, const uint64_t times[2]);

/*
 * Returns true if some counter of units of the type counts the event that the control selects. The
 * count of any other event is always 0.
 */
bool traffic_knows(const struct sim_spec *spec, unsigned type, uint64_t control);

/*
 * Returns the cache lines that a CPU has read from 0 to t ns. cxl: from CXL memory; false: from
 * DRAM. remote: memory of another socket; false: memory of its own.
 */
uint64_t traffic_core_reads(const struct sim_loads *loads, unsigned cpu, bool cxl, bool remote,
			    uint64_t t);

/* Does the same for lines that it has read or written, and does not round. */
long double traffic_core_lines(const struct sim_loads *loads, unsigned cpu, bool cxl, bool remote,
			       uint64_t t);

/* sim_unit.c: registers of simulated units of the uncore. offset: distance from unit->address. */

/* Read and write a register. Return false if there is none at this offset. */
bool sim_unit_read(const struct sim *sim, const struct sim_unit *unit, uint64_t offset,
		   uint64_t *value);
bool sim_unit_write(struct sim *sim, struct sim_unit *unit, uint64_t offset, uint64_t value);

/* Rules for the registers of a type of unit. */
struct sim_unit_rules {
	unsigned type;
	uint64_t reserved; /* reserved bits of a counter's control */
	/*
	 * the register at offset 0 is a unit control, which freezes and resets; false: a counter's
	 */
	bool unit_control;
	uint64_t enable; /* bit of a counter's control without which it does not count; 0: none */
	bool per_l3;	 /* its MSRs are reached only through CPUs that share its L3 cache */
	bool no_guest;	 /* a virtual machine has no such unit */
	bool saturates;	 /* counters stop at their end, with bit 48 set, instead of wrapping */
	bool gated;	 /* counters ignore writes while none of the unit's controls is enabled */
};
const struct sim_unit_rules *sim_unit_rules(const struct sim_unit *unit);

/* Returns true if the kernel may choose this CPU, if it is online, to access the unit. */
bool sim_unit_is_served(const struct sim_unit *unit, const struct sim_core *core);
/* Returns the first online CPU through which the kernel may access the unit; -1: none. */
int sim_unit_first_cpu(const struct sim *sim, const struct sim_unit *unit);

/* Returns the reserved bits of the register at offset; a write of them to an MSR fails. */
uint64_t sim_unit_reserved(const struct sim_unit *unit, uint64_t offset);

/* Returns the distance from unit->address to the end of the last register: bytes, or MSRs. */
uint64_t sim_unit_size(const struct sim_unit *unit);

/* Returns the global control of a discovery table at this physical address; NULL: none. */
struct sim_global_control *sim_find_global(const struct sim *sim, uint64_t phys);
/* Writes a global control, and so freezes or unfreezes its units at sim->now. */
void sim_set_global(struct sim *sim, struct sim_global_control *global, uint64_t value);

/* Unfreezes the units of the unit's table, if the table has a global control in memory. */
void sim_unfreeze_table(struct sim *sim, const struct sim_unit *unit);

/*
 * Returns the unit that has this register; for an MSR, the unit that reg->cpu reaches. NULL: none.
 */
struct sim_unit *sim_find_unit(const struct sim *sim, const struct reg *reg);

#endif
