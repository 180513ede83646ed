/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processor models: one constant table per processor. Only src/uncore/models depends on the
 * processor; all other code uses its table.
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
 * Bytes per second, in each direction, of a port whose link is unknown: 16 lanes of PCIe 5.0, the
 * fastest of the processors whose ports are units.
 */
#define PORT_RATE 64e9

struct formula {
	const char *metric; /* a name of the metric table */
	/* read by formula_parser.c; the metric's unit is the unit of its result */
	const char *text;
	/*
	 * Bytes of data that each of its events transfers over the link of a port or device: a
	 * value above the link's rate is implausible. 0: its events are not transfers.
	 */
	unsigned link_bytes;
	const char *source; /* value of the *_source column; NULL: none */
	bool same_group;    /* its events must be counted at the same time, in one event group */
	bool any_unit;	    /* counting on some of the units is enough, because it is an average */
	/*
	 * Its events are counted in every round in which they fit. A sum over CHAs needs this: with
	 * latencies, which are multiplexed on them, it would be unknown.
	 */
	bool pinned;
	/*
	 * A cross-check of the metric's other formulas, computed only if its units are open anyway.
	 * It is a sum, but some of the units are enough: lines are hashed evenly over all of them.
	 */
	bool cross_check;
	/*
	 * Used only if no earlier formula of the metric can be counted. Other formulas are counted
	 * at the same time, and the first with a known value is used.
	 */
	bool fallback;
	/* its value is compared with the value of an earlier formula, if there is one */
	bool compared;
	/* is compared, but never shown, and only takes counters that are left */
	bool only_compared;
	/* counts one class of requests, while reads may be of another: 0 says nothing about
	 * reads */
	bool one_class;
	/* a latency: its second event counts the reads of which it is the mean */
	bool mean_of_reads;
	/*
	 * Only for a latency whose occupancy includes DRAM reads: the most ns that each of them
	 * adds. 0: none are included, or it is unknown if they are.
	 */
	double leak_ns;
	/* a latency that includes all the time that the core waits; false: it begins at the CHA */
	bool from_core;
	bool of_device; /* a CXL device counts it itself; some devices count nothing */
	/* Its events are counted at the requesting socket: only the sum of all sockets equals
	 * the sum of all ports. */
	bool of_all_sockets;
	bool of_socket; /* its units count a whole socket: rows of ports do not have it */

	/* The rest is set by formula/formulas.h in its copies of a processor's rows. */
	const struct program *program; /* .text, compiled */
	unsigned number; /* from 1, among the processor's and devices'; 0: a user-defined metric */
	/* by event: number of its event group; 0: without a group */
	unsigned groups[FORMULA_EVENTS];
	/* formula for the share of the link's rate that this traffic uses; NULL: no metric has
	 * it */
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
	/* AMD, which has no such tables: numbers that they do not use */
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

/* Location of units that are PCI functions: the nth is on the nth device from .first_device on. */
struct pmu_functions {
	uint16_t device; /* device id; the vendor is Intel */
	uint8_t first_device, most, function;
	/* offset in configuration space; the others are relative to it, 8 bytes per counter */
	uint16_t control;
	uint8_t control_offset, counter_offset;
	uint8_t counters, width;
};

/*
 * The PCI function, one per package, that tells the package's number: discovery_functions.c has the
 * format.
 */
struct package_map {
	uint16_t device; /* device id; the vendor is Intel */
	/* offsets in configuration space of its node id, and of the node ids of all packages */
	uint16_t node, nodes;
};

struct pmu_type {
	uint16_t type;
	const char *name; /* as users type it: "cxlcm" */
	/* name in the kernel's PMUs; * stands for a number that is not the unit's. NULL: .name */
	const char *perf_name;
	const char *vendor_name; /* another name in the PMUs of a vendor's kernel; NULL: none */
	/* the kernel module that has only this type; NULL: model.perf_driver */
	const char *perf_driver;
	uint8_t mmio_control_step; /* bytes from one counter control to the next; 0: unknown */
	bool ignored; /* its discovery records are known to be wrong, and are skipped */
	/* PCI functions that have them instead of records; NULL: unknown */
	const struct pmu_functions *functions;
	bool may_be_absent; /* a memory channel: without memory it does not respond */
	/*
	 * MSR of a socket with the number of these units in each discovery table; records beyond it
	 * are units that do not exist. The MSR reads as 0 if the number is unknown. 0: no such MSR
	 */
	uint32_t count_msr;
	const struct control_layout *layout; /* NULL: control_generic */
	bool no_wrap;			     /* counters must not wrap: they are set to 0 before */
	/* a counter can be written only while one of the unit's controls is enabled */
	bool gated;
	/* bit of a counter control that lets its counter count; 0: the unit is frozen instead */
	uint64_t enable;
};

/* The PMU of a CPU: see uncore/units/core_unit.h */
struct core_model {
	/* events of every CPU; ends with a row without a name; NULL: none */
	const struct event *events;
	const struct control_layout *layout; /* position of the fields in a control */
	bool has_any_thread;		     /* controls have the AnyThread bit */
	/* reads the PMU's properties from CPUID, without access to a register; -ENODEV: no such
	 * PMU */
	int (*identify)(struct platform *p, unsigned cpu, struct core_pmu_info *out,
			struct error *err);
};

struct sim_model;

struct model {
	const char *name;	/* "Sapphire Rapids" */
	const char *short_name; /* "spr" */
	const char *vendor;	/* as in CPUID; NULL: Intel's */
	/* Arm's numbers in MIDR_EL1; 0: .family and .display_model identify it */
	unsigned implementer, part;
	const char *measured; /* measured metrics in a few words, for documents */
	unsigned family, display_model;
	/* the last model of a range from .display_model; 0: only .display_model */
	unsigned last_model;
	/* a metric that this stepping counts wrongly, and how; NULL: none */
	const char *wrong_metric, *wrong_why;
	/* A metric without a formula although it has an event, because the event may not count
	 * correctly; NULL: none */
	const char *unreliable_metric;

	/* PCI device id of the functions with discovery tables; 0: DISCOVERY_DEVICE_GENERIC */
	uint16_t discovery_device;
	/* function that tells a package's number; NULL: none does */
	const struct package_map *packages;
	/* Both IMHs of a socket number their units in one range: an id is unique in the socket. */
	bool ids_of_socket;
	/*
	 * MSR of a CPU with the physical address of its die's own discovery table, or 0. Such a
	 * table's global control is in memory, and freezes its units from power-on. 0: no such MSR
	 */
	uint32_t discovery_msr;

	/* MSR whose bit 0 freezes every unit of the socket; 0: each unit is frozen separately */
	uint32_t global_freeze_msr;

	/*
	 * An event of CPUs that may count lines that they read from CXL memory of their socket: no
	 * publication says so, but selftest measures it. NULL: none
	 */
	const char *candidate_reads;

	/* writable bits of IA32_OFFCORE_RSP_0 and _1; 0: no event of the table needs them */
	uint64_t offcore_rsp_bits;

	/*
	 * Units are found by CPUID, not by discovery tables, and their registers are pairs, as in
	 * CPUs (uncore/units/amd_unit.h).
	 */
	bool units_by_cpuid;
	/*
	 * Size in bytes of L3 caches below which sampled latencies may have another unit than the
	 * formulas assume, and are estimates. 0: none are
	 */
	uint64_t sure_l3_bytes;
	/*
	 * Only the kernel counts, whatever the backend: there are no registers. Ports are the root
	 * complexes above CXL regions (uncore/devices/ports.h).
	 */
	bool kernel_counts;
	/*
	 * Number of a socket's ports, or of CCMs, that have no unit: the data fabric counts each by
	 * an event. 0: a port is a unit.
	 */
	unsigned ports_of_df;
	const char *port_name;	       /* "ccm" if .ports_of_df are not ports; else NULL */
	bool far_is_node;	       /* far means another NUMA node, not another socket */
	const char *perf_prefix;       /* prefix of the kernel's PMU names; NULL: "uncore_" */
	const char *perf_driver;       /* the kernel module that has them; NULL: intel_uncore */
	const struct core_model *core; /* NULL: Intel's */
	/* events that sample loads: first the one that counts, then those with latencies; NULL:
	 * none */
	const struct load_event *const *load_events;

	/*
	 * Some records of CHAs may be of units that respond but do not exist: half of the 64 of an
	 * Emerald Rapids 6530 count nothing. Their clocks do not run: session/session_clocks.c
	 */
	bool chas_may_not_exist;

	/* the first Linux version whose perf counts correctly on the CXL units; NULL:
	 * unpublished */
	const char *perf_kernel;

	/* its simulated processor: uncore/model/sim_model.h; NULL: it is not simulated */
	const struct sim_model *simulated;

	/* both end with a row whose name (or metric) is NULL */
	const struct pmu_type *pmu_types;
	const struct formula *formulas;
	/* tables for model_next_event(); the last one is NULL. NULL: no list is published */
	const struct event *const *events;
	uint8_t event_list; /* its bit in event.models, for a table of several models */
};

/* Returns true if units of the type are the link side of CXL ports. */
bool pmu_type_is_cxlcm(uint16_t type);

/* Returns the layout of a PMU type; for NULL, a type in no table, the generic one. */
const struct control_layout *pmu_type_layout(const struct pmu_type *pmu_type);

/* Returns a PMU type by its number; NULL: the model does not have it. */
const struct pmu_type *model_pmu_type(const struct model *model, uint16_t type);
/*
 * Returns the model's event after event in its tables, the first one if event is NULL. NULL: no
 * more.
 */
const struct event *model_next_event(const struct model *model, const struct event *event);
/*
 * Returns the event that counts the clock of a PMU type: UNC_.._CLOCKTICKS, or ..cycles. NULL: none
 * is published.
 */
const struct event *model_clock(const struct model *model, uint16_t type);
/* Returns the reason why a metric has no formula (formula/formulas.h): a clause for the user. */
const char *model_why_not(const struct model *model, const char *metric);

#endif
