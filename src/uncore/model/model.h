/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processor models: a constant table for each processor, with its units, events and formulas. Only
 * files of src/uncore/models depend on a processor; all other code uses its table.
 */
#ifndef CXLMON_UNCORE_MODEL_MODEL_H
#define CXLMON_UNCORE_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "msr/core_pmu.h"
#include "msr/cpuid.h"
#include "platform/load_sample.h"
#include "uncore/model/event.h"

/* Formulas: how a processor's metrics are computed from event rates. */

#define FORMULA_EVENTS 16 /* the most events of a formula */

struct program; /* formula/program.h */

/*
 * Limit of a port whose link is unknown, in bytes per second and direction: 16 lanes at 64 GT/s of
 * PCIe 6.0, the fastest links of CXL.
 */
#define PORT_RATE 128e9

/*
 * A formula of a metric. A metric may have several; their order in the table is the order of
 * preference. A cell, one metric in one row, chooses among them:
 *
 * When the table is set up, each formula is counted if the units of the row can count it, except
 *   .fallback       if an earlier formula is counted
 *   .only_compared  if no earlier formula is counted, or CPMUs may lack counters for it
 *   .cross_check    in rows of ports, if the user selects ports, if no latency is measured, or if
 *                   latencies leave no CHAs for it
 *
 * In each sample, the first formula with a known value is shown, except
 *   .one_class      if its value is 0
 *   .only_compared  always
 *
 * A later formula with .cross_check, .compared or .only_compared is compared with the shown value,
 * and a difference is reported. If the shown formula has .of_device and its device counted nothing,
 * but the later formula counted traffic, the shown value is dropped, and the next known is shown.
 *
 * A CHA (caching and home agent) is an Intel unit at a slice of the L3 cache. Memory addresses are
 * hashed evenly over all CHAs.
 */
struct formula {
	const char *metric; /* name in the metric table */
	/* syntax: formula/formula_parser.h; the result has the metric's unit */
	const char *text;
	/*
	 * Bytes that each event transfers over the link of a port or device. If that is more than
	 * the link's rate, the value is unknown. 0: events are not transfers.
	 */
	unsigned link_bytes;
	const char *source; /* value of the *_source column; NULL: none */
	bool same_group;    /* its events must be counted at the same time, in one event group */
	bool any_unit;	    /* some of the units are enough: their sum is scaled to all units */
	/* its events are counted in every round (events counted at once) that has room for them */
	bool pinned;
	/* checks other formulas of the metric, on units that are open for other metrics */
	bool cross_check;
	bool fallback; /* counted only if no earlier formula is */
	bool compared; /* may be shown, and is compared with an earlier formula that is shown */
	bool only_compared; /* never shown, only compared */
	bool one_class; /* counts one class of reads: 0 does not mean that there were no reads */
	/* a latency, averaged over the reads that its second event (apart from clocks) counts */
	bool mean_of_reads;
	/*
	 * For a latency: the most ns for which the queue that it measures also holds each DRAM
	 * read. 0: none, or unknown
	 */
	double leak_ns;
	/* a latency with all the time that a core waits; false: it begins at the CHA or fabric */
	bool from_core;
	bool of_device; /* counted by a CXL device, not by the processor */
	/*
	 * Counted at the requesting socket, not at the port's socket: comparable only with a sum
	 * over all sockets and ports
	 */
	bool of_all_sockets;
	bool of_socket; /* its units count a whole socket: rows of ports do not have it */

	/* formula/formulas.h sets the members below in its copies of a processor's rows */
	const struct program *program; /* .text, compiled */
	/* from 1, among the formulas of the processor and of devices; 0: a user-defined metric */
	unsigned number;
	/* by event: number of its event group; 0: without a group */
	unsigned groups[FORMULA_EVENTS];
	/* formula of the same traffic as a percentage of the link's rate; NULL: none */
	const struct formula *share;
	bool is_level; /* not counted: its input is a level at the end of an interval */
};

/*
 * PMU types of the discovery tables. Source: the kernel's uncore_discovery.h and uncore_snbep.c
 * (UNCORE_SPR_*, UNCORE_GNR_*, dmr_uncores). A number means the same on every processor.
 */
enum pmu_type_number {
	PMU_CHA = 0,
	PMU_IIO = 1,
	PMU_IRP = 2,
	PMU_M2PCIE = 3,
	PMU_PCU = 4,
	PMU_UBOX = 5,
	PMU_IMC = 6,
	PMU_M2M = 7,
	PMU_UPI = 8,
	PMU_M3UPI = 9,
	PMU_MDF = 11,
	PMU_CXLCM = 12,
	PMU_CXLDP = 13,
	PMU_HBM = 14,
	PMU_B2HOT = 15,
	PMU_B2CMI = 16,
	PMU_B2CXL = 17,
	PMU_B2UPI = 18,
	PMU_MSE = 19,
	PMU_MDF_GNR = 20,
	PMU_PCIE5_X16 = 21,
	PMU_PCIE5_X8 = 22,
	PMU_SCA = 23,
	PMU_CXLCM_DMR = 24,
	PMU_HAMVF = 30,
	PMU_CBO = 31,
	PMU_SANTA = 32,
	PMU_CNCU = 33,
	PMU_SNCU = 34,
	PMU_ULA = 35,
	PMU_DDA = 36,
	PMU_SB2UCIE = 37,
	PMU_SBO = 38,
	PMU_UBR = 43,
	PMU_PCIE4 = 45,
	PMU_CRS = 46,
	PMU_CPC = 47,
	PMU_ITC = 48,
	PMU_OTC = 49,
	PMU_CMS = 50,
	PMU_PCIE6 = 51,
	/* AMD, without discovery tables: numbers that the tables do not use */
	PMU_DF = 0x100,	 /* the data fabric of a node: a socket or a part of it */
	PMU_L3 = 0x101,	 /* an L3 cache, with the cores that share it */
	PMU_UMC = 0x102, /* a memory controller */
	/* NVIDIA, also without tables */
	PMU_UCF = 0x120,      /* the coherence fabric of a socket */
	PMU_CMEM = 0x121,     /* reads of a socket's DRAM */
	PMU_NVDLINK = 0x122,  /* reads of a socket's CXL memory */
	PMU_PCIE_TGT = 0x123, /* a PCIe root complex, for the addresses of a CXL region */
	/* CXL devices, on any processor */
	PMU_CPMU = 0x110,
	PMU_CORE = 0xFFFF, /* not an uncore PMU type: the core PMU of a logical CPU */
};

/*
 * Units of a type that are PCI functions with a vendor id of Intel. Unit n of a bus is function
 * .function of device .first_device + n.
 */
struct pmu_functions {
	uint16_t device;      /* PCI device id */
	uint8_t first_device; /* device number of unit 0 */
	uint8_t most;	      /* the most units of a bus */
	uint8_t function;
	uint16_t control; /* offset of the unit control in configuration space */
	/* bytes from .control to the first counter control, and to the first counter */
	uint8_t control_offset, counter_offset;
	uint8_t counters, width; /* number of counters, which are 8 bytes apart; their bits */
};

/*
 * The UBOX of each package, a PCI function with a vendor id of Intel. Its registers tell the
 * package's number: uncore/discovery/discovery_functions.c describes them.
 */
struct package_map {
	uint16_t device; /* PCI device id */
	uint16_t node;	 /* offset in configuration space: its own node id */
	uint16_t nodes;	 /* offset in configuration space: the node ids of all packages */
};

/* A type of units. */
struct pmu_type {
	uint16_t type;
	const char *name; /* as users type it: "cxlcm"; NULL: ends a table */
	/*
	 * Name in the kernel's PMUs, between the prefix and the unit's number; * stands for a
	 * number. NULL: .name
	 */
	const char *perf_name;
	const char *vendor_name; /* another name, in the PMUs of a vendor's kernel; NULL: none */
	/* kernel module with the PMUs of this type; NULL: model.perf_driver */
	const char *perf_driver;
	/* units in MMIO: bytes from one counter control to the next; 0: unknown, never opened */
	uint8_t mmio_control_step;
	bool ignored; /* its discovery records are wrong, and are skipped */
	/* PCI functions that are units of this type, found without records; NULL: none */
	const struct pmu_functions *functions;
	bool may_be_absent; /* a memory channel: without memory it does not respond */
	/*
	 * MSR with the number n of units of this type that exist in each discovery table: only the
	 * table's first n records of the type are valid. Value 0, or a failed read: unknown. 0: no
	 * MSR has it
	 */
	uint32_t count_msr;
	const struct control_layout *layout; /* NULL: control_generic */
	bool no_wrap;	 /* counters must not wrap: a run sets them to 0 before they do */
	bool gated;	 /* counters can be written only while a control of the unit is enabled */
	uint64_t enable; /* bit of a counter control that enables its counter; 0: none */
};

/* The PMU of a CPU: see uncore/units/core_unit.h */
struct core_model {
	/* events of every CPU; ends with a row without a name; NULL: none */
	const struct event *events;
	const struct control_layout *layout; /* position of the fields in a control */
	bool has_any_thread;		     /* controls have the AnyThread bit */
	/* Reads the PMU's properties from CPUID, without access to an MSR. -ENODEV: no PMU. */
	int (*identify)(struct platform *p, unsigned cpu, struct core_pmu_info *out,
			struct error *err);
};

struct sim_model;

struct model {
	const char *name;	/* "Sapphire Rapids" */
	const char *short_name; /* "spr" */
	const char *vendor;	/* as in CPUID, or "NVIDIA"; NULL: Intel, or unknown */
	/* Arm's numbers in MIDR_EL1; 0: .family and .display_model identify it */
	unsigned implementer, part;
	const char *measured;		/* measured metrics in a few words, for documents */
	unsigned family, display_model; /* as in struct cpu_identity */
	/* the last model of a range from .display_model; 0: only .display_model */
	unsigned last_model;
	/* a metric that these processors count wrongly, and the fault in words; NULL: none */
	const char *wrong_metric, *wrong_why;
	/* a metric without a formula, because its event may not count correctly; NULL: none */
	const char *unreliable_metric;

	/* PCI device id of the functions with discovery tables; 0: DISCOVERY_DEVICE_GENERIC */
	uint16_t discovery_device;
	/* functions that tell the numbers of packages; NULL: none */
	const struct package_map *packages;
	bool ids_of_socket; /* ids of a type's units are unique in the socket, not only in a die */
	/*
	 * MSR with the physical address of a discovery table of the CPU's die. Value 0: its die has
	 * none. A global control in MMIO freezes the units of such a table from power-on. 0: the
	 * MSR does not exist
	 */
	uint32_t discovery_msr;

	/* MSR whose bit 0 freezes every unit of the socket; 0: each unit is frozen separately */
	uint32_t global_freeze_msr;

	/*
	 * Name of a core event that may count lines read from the socket's own CXL memory. No
	 * publication says so; selftest measures it. NULL: none
	 */
	const char *candidate_reads;

	/* writable bits of IA32_OFFCORE_RSP_0 and _1; 0: no event of the table needs them */
	uint64_t offcore_rsp_bits;

	/* AMD: units are found by CPUID, without discovery tables: uncore/units/amd_unit.h */
	bool units_by_cpuid;
	/*
	 * AMD: least bytes of an L3 cache with which the unit of sampled latencies is surely 10 ns.
	 * With fewer, latencies are estimates. 0: any size
	 */
	uint64_t sure_l3_bytes;
	/*
	 * The kernel counts with every backend, as this processor has no counter registers. Ports
	 * are root complexes above CXL regions (uncore/devices/ports.h).
	 */
	bool kernel_counts;
	/*
	 * AMD: number of CXL ports of each data fabric, which has an event for each port. 0: ports
	 * have their own units. Venice has CCMs (core complex masters) in place of ports: each
	 * connects a complex of cores with the data fabric.
	 */
	unsigned ports_of_df;
	const char *port_name;	       /* "ccm" if .ports_of_df counts CCMs; else NULL */
	bool far_is_node;	       /* far means another NUMA node, not another socket */
	const char *perf_prefix;       /* prefix of the kernel's PMU names; NULL: "uncore_" */
	const char *perf_driver;       /* the kernel module that has them; NULL: intel_uncore */
	const struct core_model *core; /* NULL: Intel's */
	/* events that sample loads: first those with .counts; ends with NULL. NULL: none */
	const struct load_event *const *load_events;

	/*
	 * Units in records of CHAs may respond, but not exist: half of the 64 of an Emerald Rapids
	 * 6530. Their clocks do not run (session/session_clocks.c).
	 */
	bool chas_may_not_exist;

	/* the first Linux version that counts correctly on the CXL units; NULL: unpublished */
	const char *perf_kernel;

	/* its simulated processor: uncore/model/sim_model.h; NULL: it is not simulated */
	const struct sim_model *simulated;

	/* ends with a row whose name is NULL; empty: the processor is not supported */
	const struct pmu_type *pmu_types;
	const struct formula *formulas; /* ends with a row whose metric is NULL */
	/* tables of events; the last one is NULL. NULL: no list is published */
	const struct event *const *events;
	uint8_t event_list; /* its bit in event.models, for tables that models share */
};

/* Returns true if units of the type are the link side of CXL ports. */
bool pmu_type_is_cxlcm(uint16_t type);

/* Returns the layout of a PMU type; control_generic if pmu_type is NULL. */
const struct control_layout *pmu_type_layout(const struct pmu_type *pmu_type);

/* Returns a PMU type by its number; NULL: the model does not have it. */
const struct pmu_type *model_pmu_type(const struct model *model, uint16_t type);
/*
 * Returns the event after this one of the model's tables; the first one if event is NULL. NULL: no
 * more.
 */
const struct event *model_next_event(const struct model *model, const struct event *event);
/* Returns the event that counts the clock of a PMU type; NULL: none is published. */
const struct event *model_clock(const struct model *model, uint16_t type);
/* Returns the reason why a metric has no formula of the model: a clause for a message. */
const char *model_why_not(const struct model *model, const char *metric);

#endif
