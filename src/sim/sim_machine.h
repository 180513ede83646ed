/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a simulated machine. Private to src/sim. */
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

#define SIM_MAX_COUNTERS 32
#define SIM_CONFIG_BYTES 4096
#define SIM_COUNTER_BITS 48
#define SIM_COUNTER_MASK ((UINT64_C(1) << SIM_COUNTER_BITS) - 1)

#define SIM_GENERAL_COUNTERS  8
#define SIM_FIXED_COUNTERS    4
#define SIM_AMD_CORE_COUNTERS 6
#define SIM_DF_COUNTERS	      16
#define SIM_UMC_COUNTERS      4 /* of each memory controller */
#define SIM_VERA_COUNTERS     4 /* of each unit */
#define SIM_CPMU_COUNTERS     64
#define SIM_CPMU_GROUPS	      32
#define SIM_CPMU_FILTERS      8
#define SIM_CPMU_WORDS	      (0xC00 / 8) /* of registers before the counters */

#define SIM_GLOBAL_CONTROL_MSR 0x2FF0 /* of a socket's uncore */
#define SIM_TABLE_MSR	       0x710  /* address of the discovery table of a CPU's die */

/* The virtual clock starts here, so that every run prints the same: 2026-01-01T00:00:00Z. */
#define SIM_EPOCH_NS UINT64_C(1767225600000000000)

struct snapshot;
struct sim_cpmu_block;
struct sim_perf;

/* Its value is base and what its event has counted since. */
struct sim_counter {
	uint64_t base;
	uint64_t since; /* ns */
};

/* As the discovery tables number them. */
enum sim_access { SIM_ACCESS_MSR = 0, SIM_ACCESS_MMIO = 1, SIM_ACCESS_PCI = 2 };

struct sim_unit {
	unsigned type; /* as the discovery tables number them */
	unsigned id;
	unsigned socket;
	unsigned die;	  /* within the socket: whose discovery table describes it */
	unsigned cpu_die; /* sim_core.die of the CPUs through which the kernel accesses it */
	int l3;		  /* of an L3 cache: sim_core.l3 of its CPUs */
	unsigned index;	  /* among the units of this type in its socket */
	enum sim_access access;
	uint64_t address;	 /* MSR, physical address, or offset in configuration space */
	struct pci_location pci; /* PCI */
	unsigned counters;
	unsigned control_offset, control_step;
	unsigned counter_offset, counter_step;

	bool dead;	/* reads as all ones, ignores writes */
	uint32_t still; /* a bit for each counter that counts nothing, not even a clock */
	uint64_t control;
	uint64_t controls[SIM_MAX_COUNTERS];
	struct sim_counter counter[SIM_MAX_COUNTERS];
};

/* An L3 domain: see sim_rdt.c. */
struct sim_rdt {
	unsigned socket, die;
	uint64_t address;
	uint64_t wraps[MEMORY_REGIONS]; /* of each counter, when it was last read */
};

struct sim_core {
	unsigned socket;
	int node;	/* NUMA */
	unsigned die;	/* within the socket */
	int l3;		/* the kernel's number of its L3 cache; -1: not known */
	uint64_t table; /* SIM_TABLE_MSR; 0: the die has none */
	bool online, isolated;
	unsigned first_thread; /* the first CPU of its core, which has what the core's threads share
				*/
	uint64_t offcore[OFFCORE_REGISTERS];	   /* shared; only of the first thread */
	uint64_t perfevtsel[SIM_GENERAL_COUNTERS]; /* AMD: PERF_CTL, of which there are fewer */
	struct sim_counter general[SIM_GENERAL_COUNTERS];
	struct sim_counter fixed[SIM_FIXED_COUNTERS];
	uint64_t fixed_ctr_ctrl, global_ctrl, global_status;
	uint64_t debugctl, misc_enable, pebs_enable;
	struct sim_stalls stalls; /* what it waits for */
	int kernel_node; /* of the memory of the kernel that it runs; -1: the machine's program */
};

/* A CPMU of a memory device: see sim_cpmu.h */
struct sim_cpmu {
	struct pci_location at; /* the function that has it */
	unsigned socket, port;	/* of that device */
	uint64_t address;
	bool dead; /* reads as all ones, ignores writes */
	unsigned counter_count, group_count;
	const struct sim_cpmu_block *block; /* as which it begins; NULL: that of a snapshot */
	uint64_t still; /* counters that are frozen: were enabled when their bit was written */
	uint64_t wild;	/* counters whose configuration or filters changed while enabled */
	union {
		uint64_t words[SIM_CPMU_WORDS]; /* the same by their offset */
		struct {
			uint64_t capability, reserved, overflow, freeze;
			uint64_t unused[28];
			uint64_t groups[SIM_CPMU_GROUPS]; /* event capabilities */
			uint64_t configurations[SIM_CPMU_COUNTERS];
			uint32_t filters[SIM_CPMU_COUNTERS]
					[SIM_CPMU_FILTERS]; /* 0: there is none */
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
	uint64_t *words; /* read-only content, owned; NULL: registers */
};

/* A global control: bit 0 freezes the units of a socket, or those of one discovery table of it. */
struct sim_global_control {
	unsigned socket;
	int die;       /* that has the table; SIM_ALL_DIES: the control of a socket */
	uint64_t phys; /* of a table's; that of a socket is SIM_GLOBAL_CONTROL_MSR */
	uint64_t value;
};
#define SIM_ALL_DIES (-1)

/* When an L3 cache's counts of memory traffic were cleared. */
struct sim_clearing {
	uint64_t since; /* ns */
	bool unread;	/* they were not read since */
};

struct sim {
	struct platform base;
	struct sim_spec spec;
	struct sim_loads loads;	   /* of spec */
	struct snapshot *snapshot; /* where the spec names one; else NULL. Owned */
	uint64_t start;		   /* real clock when the machine was made, ns */
	uint64_t virtual_now;	   /* ns */
	uint64_t now;		   /* at the access in progress: see sim_perf.h, ns */
	uint64_t access_time;	   /* of the virtual clock, ns an access */
	uint64_t suspended;	   /* ns */

	size_t socket_count;
	int *packages; /* of a snapshot, by socket: its number to the kernel; NULL: the same */
	struct sim_unit *units;
	size_t unit_count;
	struct sim_core *cores;
	size_t core_count;
	struct sim_function *functions;
	size_t function_count;
	struct sim_region *regions;
	size_t region_count;
	struct sim_global_control *globals; /* those of the sockets, in order, then of tables */
	size_t global_count;
	struct cxl_device *devices;
	size_t device_count;
	struct memory_layout memory;
	struct sim_cpmu *cpmus;
	size_t cpmu_count;

	struct mbm mbm;			/* what L3 caches count, by resctrl; empty: not used yet */
	struct sim_clearing *clearings; /* by its caches */

	/* by die of each socket, its counters of bytes by region: see sim_rdt.c */
	struct sim_rdt *rdt;
	size_t rdt_count; /* 0: firmware describes none */

	uint64_t events; /* of CXL devices, which sim_next_event() has taken */

	struct sim_perf *perf; /* NULL: the kernel's PMUs were not used yet. Owned by sim.c */

	bool swapped;	     /* the memory of neighbouring ports is behind the other one */
	char hypervisor[13]; /* its name in CPUID; empty: none */
};

/* p was made by platform_sim(). */
static inline struct sim *sim_of(struct platform *p)
{
	return (struct sim *)p;
}

/* The number that the kernel gives a socket, its physical_package_id. */
int sim_package(const struct sim *sim, unsigned socket);

/* Whether a CPU of the socket's die, as sim_core.die counts them, is online. */
bool sim_die_online(const struct sim *sim, unsigned socket, unsigned die);

/* The region that has all of [phys, phys + length); NULL: none. */
const struct sim_region *sim_find_region(const struct sim *sim, uint64_t phys, uint64_t length);

/* The PCI function at this place; NULL: none. */
const struct sim_function *sim_find_function(const struct sim *sim, struct pci_location at);

/* The port of a memory device: its number among those of its socket. */
unsigned sim_device_port(const struct sim *sim, size_t device);

/* The port behind which the memory is that is said to be behind this one. */
unsigned sim_swapped_port(const struct sim *sim, unsigned port);

/*
 * ns since the machine was made, by the real clock, or by a virtual one that only sleeping and,
 * where that is set, register accesses advance.
 */
uint64_t sim_now(const struct sim *sim);

/* The NUMA node of a device's memory: behind those of the sockets, one a region. */
int sim_node_of_device(const struct sim_spec *spec, unsigned socket, unsigned port);
/* Sets sim->memory by the devices that it has. 0 or -ENOMEM. */
int sim_lay_out_memory(struct sim *sim);

/*
 * The time of a reading of files. As another thread may access registers meanwhile, it is no access
 * that takes time.
 */
uint64_t sim_time_of(const struct sim *sim, uint64_t wall_ns);

/*
 * As in platform_ops. NUMA nodes of a simulated machine are those of its CPUs, with DRAM, and those
 * of its memory devices. Pages move between a device's node and the node that it is attached to,
 * which counts them, as the kernel does.
 */
int sim_nodes(struct platform *p, int **out, size_t *count, struct error *err);
#define SIM_PAGE_BYTES 4096 /* bytes */
/* Whether a memory device is the first one whose memory is of its node, which has no CPUs. */
bool sim_device_has_node(const struct sim *sim, size_t device);
/* Such nodes, of devices that are attached to a node, or with NODE_MACHINE to any. */
size_t sim_nodes_attached(const struct sim *sim, int node);
/* Pages that promotion and demotion have brought to a node until t; negative: have taken away. */
double sim_node_moved(const struct sim *sim, int node, uint64_t t);
uint64_t sim_node_used(const struct sim *sim, int node, uint64_t t); /* bytes */
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
/* The same on every CPU. Leaves are those of the snapshot, where it has them. */
int sim_cpuid(struct platform *p, unsigned cpu, uint32_t leaf, uint32_t subleaf, uint32_t regs[4],
	      struct error *err);

/*
 * sim_core.c: the registers of a CPU beside those of units, whatever the msr driver permits: 0, or
 * -EIO where the instruction faults. The kernel accesses registers that there are, without reserved
 * bits.
 */
int sim_core_read(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value);
int sim_core_write(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);

/* From sim->now on, the CPU runs a kernel with memory of that node, or with -1 the machine's
 * program. */
void sim_core_run(struct sim *sim, unsigned cpu, const struct sim_stalls *stalls, int node);

/* Sets an initial value without reserved bits. Ignores MSRs that there are not. */
void sim_core_set(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value);

/* What Intel's and AMD's core PMUs differ in. */
struct sim_core_pmu {
	unsigned general, fixed;   /* counters; none on Arm */
	uint32_t control, counter; /* those of counter i are i steps behind these */
	unsigned step;
	uint64_t config; /* bits that the kernel takes of an event's config */
	uint32_t global_ctrl;
	uint64_t global_all; /* in it: every counter is enabled */
};

const struct sim_core_pmu *sim_core_pmu(const struct sim *sim);

/* Whether this general counter of Intel can count the event that the control selects. */
bool sim_core_takes(uint64_t control, unsigned counter);

/* Whether a counter with this control, and offcore response, counts anything. */
bool sim_core_counts(const struct sim *sim, uint64_t control, uint64_t response);

/* The kernel's intel_glc_extra_regs: bits of the offcore response registers. */
#define SIM_OFFCORE_RESERVED (~UINT64_C(0x3FFFFFFFFF))

/* AMD: the registers that leaf 0x80000022 describes are there, which no virtual machine has. */
bool sim_cpuid_perfmon_v2(const struct sim *sim);

/* The socket of the CPUs of a node; SIZE_MAX: it has none. */
size_t sim_socket_of_node(const struct sim *sim, int node);

/*
 * The loads of the memory of a node, over which its addresses are spread evenly, and the unloaded
 * latency there. Returns how many; 0: there is no such node.
 */
size_t sim_loads_of_node(const struct sim *sim, int node, struct sim_load *loads[REGION_MAX_WAYS],
			 double *latency_ns);

/* sim_rdt.c: as in platform_ops. */
extern const struct rdt_ops sim_rdt_ops;
extern const struct task_group_ops sim_task_groups;

/* Adds the counters of a socket's dies. 0 or -ENOMEM. */
int sim_rdt_add(struct sim *sim, unsigned socket);

/* The register in memory of counters of bytes by region at this address at t ns. False: there is
 * none. */
bool sim_rdt_load(const struct sim *sim, uint64_t address, uint64_t t, uint64_t *value);

/*
 * The counts of a simulated machine. The event codes are in a table of its own, so that errors in
 * the monitor's event tables show.
 */

/*
 * Events that the counter control selects, from times[0] to times[1], in ns. 0 if it selects no
 * known event, or one that this counter cannot count.
 */
uint64_t traffic_count(const struct sim_loads *loads, const struct sim_unit *unit, uint64_t control,
		       unsigned counter, const uint64_t times[2]);

/* Whether some counter of these units counts what the control selects: any other event is 0. */
bool traffic_knows(const struct sim_spec *spec, unsigned type, uint64_t control);

/* Cache lines that a CPU has read from CXL memory or DRAM of its own socket, or of another one,
 * from 0 to t ns. */
uint64_t traffic_core_reads(const struct sim_loads *loads, unsigned cpu, bool cxl, bool remote,
			    uint64_t t);

/* Likewise, lines that it has read and written. Not rounded. */
long double traffic_core_lines(const struct sim_loads *loads, unsigned cpu, bool cxl, bool remote,
			       uint64_t t);

/* The registers of simulated uncore units, by their offset from the unit's control. */

/* False where there is no register at this offset. */
bool sim_unit_read(const struct sim *sim, const struct sim_unit *unit, uint64_t offset,
		   uint64_t *value);
bool sim_unit_write(struct sim *sim, struct sim_unit *unit, uint64_t offset, uint64_t value);

/* How the registers of a type of unit behave. */
struct sim_unit_rules {
	unsigned type;
	uint64_t reserved; /* bits of a counter's control */
	bool unit_control; /* the register at offset 0 is the unit's control: it freezes and resets
			    */
	uint64_t enable;   /* bit of a counter's control without which it doesn't count; 0: none */
	bool per_l3;	   /* reached through the CPUs that share the L3 cache */
	bool no_guest;	   /* a virtual machine has none */
	bool saturates;	   /* counters stop at their end, with bit 48 set, instead of wrapping */
	bool gated; /* no counter takes a write while none of the unit's controls is enabled */
};
const struct sim_unit_rules *sim_unit_rules(const struct sim_unit *unit);

/* Whether the kernel may choose this CPU to access the unit; and the one it does: -1, none. */
bool sim_unit_is_served(const struct sim_unit *unit, const struct sim_core *core);
int sim_unit_first_cpu(const struct sim *sim, const struct sim_unit *unit);

/* Bits of the register at offset that are reserved: an MSR refuses them. */
uint64_t sim_unit_reserved(const struct sim_unit *unit, uint64_t offset);

/* From the unit's control to the end of its last register, in units of its address. */
uint64_t sim_unit_size(const struct sim_unit *unit);

/* The global control of a discovery table at this address; NULL: none. */
struct sim_global_control *sim_find_global(const struct sim *sim, uint64_t phys);
void sim_set_global(struct sim *sim, struct sim_global_control *global, uint64_t value);

/* Clears the global control, if there is one in memory, of the table that has the unit. */
void sim_unfreeze_table(struct sim *sim, const struct sim_unit *unit);

/* The unit that has this register; NULL: none. An MSR is that of the CPU's unit. */
struct sim_unit *sim_find_unit(const struct sim *sim, const struct reg *reg);

#endif
