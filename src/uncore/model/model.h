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

struct formula {
	const char *metric; /* name in the metric table; a metric may have several formulas */
	/* as formula/formula_parser.h describes it; the result has the metric's unit */
	const char *text;
	/*
	 * Bytes that each event transfers over the link of a port or device. A value above the
	 * link's rate is implausible. 0: events are not transfers.
	 */
	unsigned link_bytes;
	const char *source; /* value of the *_source column; NULL: none */
	bool same_group;    /* its events must be counted at the same time, in one event group */
	bool any_unit;	    /* counting on some of the units is enough, because it is an average */
	/*
	 * Its events are counted in every round (events counted at once) that has room for them.
	 * A sum over CHAs needs this: if multiplexed, it would be unknown.
	 */
	bool pinned;
	/*
	 * A cross-check of the metric's other formulas, computed only if its units are open anyway.
	 * It is a sum, but some of the units are enough: lines are hashed evenly over all of them.
	 */
	bool cross_check;
	/*
	 * Used only if no earlier formula of the metric can be counted. The other formulas of a
	 * metric are counted at the same time, and the first known value is shown.
	 */
	bool fallback;
	/* its value is compared with the value of an earlier formula, if there is one */
	bool compared;
	/* as .compared, but its value is never shown, and it takes only counters that are left */
	bool only_compared;
	/* counts one class of requests: a value of 0 does not mean that there were no reads */
	bool one_class;
	/* a latency: its second event counts the reads of which it is the mean */
	bool mean_of_reads;
	/*
	 * The most ns that each DRAM read adds to the occupancy of this latency. 0: DRAM reads add
	 * nothing, or their part is unknown.
	 */
	double leak_ns;
	/* a latency that includes all the time that the core waits; false: it begins at the CHA */
	bool from_core;
	/* a CXL device counts it itself; its 0 is not shown if other units have counted traffic */
	bool of_device;
	/* Its events are counted at the requesting socket: only the sum of all sockets equals
	 * the sum of all ports. */
	bool of_all_sockets;
	bool of_socket; /* its units count a whole socket: rows of ports do not have it */

	/* The members below are set by formula/formulas.h in its copies of a processor's rows. */
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
	PMU_DF = 0x100,	 /* the data fabric of a socket */
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

/* Location of units that are PCI functions: unit n is on device .first_device + n of a bus. */
struct pmu_functions {
	uint16_t device; /* device id; the vendor is Intel */
	/* device number of unit 0, the most units of a bus, and the function number of all units */
	uint8_t first_device, most, function;
	uint16_t control; /* offset of the unit control in configuration space */
	/* bytes from .control to the first counter control, and to the first counter; step: 8 */
	uint8_t control_offset, counter_offset;
	uint8_t counters, width; /* number of counters, and bits per counter */
};

/*
 * The PCI function of each package (its UBOX) that tells the package's number:
 * discovery_functions.c describes the format.
 */
struct package_map {
	uint16_t device; /* device id; the vendor is Intel */
	/* offsets in configuration space: its node id, and the node ids of all packages */
	uint16_t node, nodes;
};

/* A type of units. */
struct pmu_type {
	uint16_t type;
	const char *name; /* as users type it: "cxlcm"; NULL: ends a table */
	/*
	 * Name in the kernel's PMUs, between the prefix and the unit's number. A * in it stands for
	 * another number. NULL: .name
	 */
	const char *perf_name;
	const char *vendor_name; /* another name, in the PMUs of a vendor's kernel; NULL: none */
	/* kernel module with the PMUs of this type; NULL: model.perf_driver */
	const char *perf_driver;
	uint8_t mmio_control_step; /* bytes from one counter control to the next; 0: unknown */
	bool ignored; /* its discovery records are known to be wrong, and are skipped */
	/* PCI functions with the registers of these units, found without records; NULL: none */
	const struct pmu_functions *functions;
	bool may_be_absent; /* a memory channel: without memory it does not respond */
	/*
	 * MSR of a socket with the number of units of this type in each discovery table. Units of
	 * later records do not exist. If the MSR reads as 0 or cannot be read, the number is
	 * unknown. 0: no such MSR
	 */
	uint32_t count_msr;
	const struct control_layout *layout; /* NULL: control_generic */
	bool no_wrap;			     /* counters must not wrap: they are set to 0 in time */
	/* a counter can be written only while one of the unit's controls is enabled */
	bool gated;
	/* bit of a counter control that lets its counter count; 0: controls have no such bit */
	uint64_t enable;
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
	/* function that tells a package's number; NULL: none does */
	const struct package_map *packages;
	/* ids of a type of units are unique in the socket, even on different dies */
	bool ids_of_socket;
	/*
	 * MSR of a CPU that holds the physical address of its die's own discovery table; a value of
	 * 0 means that there is none. The units of such a table are frozen at power-on, by a global
	 * control in memory. 0: no such MSR
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
	 * Smallest size of an L3 cache in bytes with which the time unit of sampled latencies is
	 * certain; with a smaller one, latencies are estimates. 0: the unit is always certain
	 */
	uint64_t sure_l3_bytes;
	/*
	 * Only the kernel counts, whatever the backend: there are no registers. Ports are the root
	 * complexes above CXL regions (uncore/devices/ports.h).
	 */
	bool kernel_counts;
	/*
	 * AMD: number of a socket's ports, or of CCMs instead of ports. They are not units: the
	 * data fabric has an event for each. 0: a port is a unit.
	 */
	unsigned ports_of_df;
	const char *port_name;	       /* "ccm" if .ports_of_df are not ports; else NULL */
	bool far_is_node;	       /* far means another NUMA node, not another socket */
	const char *perf_prefix;       /* prefix of the kernel's PMU names; NULL: "uncore_" */
	const char *perf_driver;       /* the kernel module that has them; NULL: intel_uncore */
	const struct core_model *core; /* NULL: Intel's */
	/*
	 * Events that sample loads; an event with .counts, if there is one, comes first. Ends with
	 * NULL. NULL: none
	 */
	const struct load_event *const *load_events;

	/*
	 * Some CHA records may belong to units that respond but do not exist: half of the 64
	 * records of an Emerald Rapids 6530. Their clocks do not run (session/session_clocks.c).
	 */
	bool chas_may_not_exist;

	/* the first Linux version that counts correctly on the CXL units; NULL: unpublished */
	const char *perf_kernel;

	/* its simulated processor: uncore/model/sim_model.h; NULL: it is not simulated */
	const struct sim_model *simulated;

	/* ends with a row whose name is NULL; empty: the processor is not supported */
	const struct pmu_type *pmu_types;
	const struct formula *formulas; /* ends with a row whose metric is NULL */
	/* tables for model_next_event(); the last one is NULL. NULL: no list is published */
	const struct event *const *events;
	uint8_t event_list; /* its bit in event.models, for a table of several models */
};

/* Returns true if units of the type are the link side of CXL ports. */
bool pmu_type_is_cxlcm(uint16_t type);

/* Returns the layout of a PMU type; control_generic if pmu_type is NULL. */
const struct control_layout *pmu_type_layout(const struct pmu_type *pmu_type);

/* Returns a PMU type by its number; NULL: the model does not have it. */
const struct pmu_type *model_pmu_type(const struct model *model, uint16_t type);
/*
 * Returns the model's event that follows event, which must be of its tables; the first one if event
 * is NULL. NULL: no more.
 */
const struct event *model_next_event(const struct model *model, const struct event *event);
/*
 * Returns the event that counts the clock of a PMU type, whose name ends in _CLOCKTICKS or .cycles.
 * NULL: none is published.
 */
const struct event *model_clock(const struct model *model, uint16_t type);
/* Returns the reason why a metric has no formula of the model: a clause for a message. */
const char *model_why_not(const struct model *model, const char *metric);

#endif
