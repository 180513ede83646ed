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

#define FORMULA_EVENTS 16 /* of a formula, at most */

struct program; /* formula/program.h */

/*
 * Bytes a second each way of a port whose link is not known: 16 lanes of PCIe 5.0, the fastest of
 * the processors whose ports are units.
 */
#define PORT_RATE 64e9

struct formula {
	const char *metric; /* a name of the metric table */
	/* As formula_parser.c reads it: the unit of the metric says that of the result */
	const char *text;
	/*
	 * Each of its events moves so many bytes of data over the link of a port or device: more
	 * than the link can carry is implausible. 0: events of anything else.
	 */
	unsigned link_bytes;
	const char *source; /* value of the *_source column; or NULL */
	bool same_group;    /* its events must be counted at the same time, in one group */
	bool any_unit;	    /* counting on some of the units is enough: it is an average */
	/*
	 * Its events are counted in every round that they fit in. A sum over CHAs needs that:
	 * beside latencies, which take turns on them, it would not be known.
	 */
	bool pinned;
	/*
	 * A cross-check of the metric's other formulas, computed only if its units are open anyway.
	 * It is a sum, but some of the units are enough: lines are hashed evenly over all of them.
	 */
	bool cross_check;
	/*
	 * Used only where no formula of the metric before it can be counted; others are counted
	 * beside each other, and the first whose value is known is used.
	 */
	bool fallback;
	/* Where a formula before it gave a value, that is compared with this one's. */
	bool compared;
	bool only_compared; /* likewise, but it is never shown, and takes counters that are left */
	/* One class of requests, where reads may be of another: 0 says nothing of them. */
	bool one_class;
	bool mean_of_reads; /* a latency: the second event counts the reads that it is a mean of */
	/*
	 * A latency: entries of other reads, to DRAM, are in the occupancy, too, each for so many
	 * ns at most; 0: none are known to be
	 */
	double leak_ns;
	bool from_core; /* a latency as long as the core waits; else it begins at the CHA */
	bool of_device; /* a CXL device counts it itself; some count nothing */
	/* Counted where requests are made: only the sum of all sockets is that of all ports. */
	bool of_all_sockets;
	bool of_socket; /* its units count a whole socket: rows of ports don't have it */

	/* What formula/formulas.h adds to a row of a processor's table. */
	const struct program *program; /* its text, as it is computed */
	unsigned number; /* from 1, of the processor's and devices'; 0: of a custom metric */
	unsigned groups[FORMULA_EVENTS]; /* by event: it is counted in this group; 0: by itself */
	/* the share of its link's rate that this traffic takes up; NULL: no metric is of that */
	const struct formula *share;
	bool is_level; /* not counted: its input is as at the end of an interval */
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
	/* AMD's, which has no such tables: not used in them */
	PMU_DF = 0x100,	 /* the data fabric of a socket */
	PMU_L3 = 0x101,	 /* an L3 cache, with the cores that share it */
	PMU_UMC = 0x102, /* a memory controller */
	/* NVIDIA's likewise */
	PMU_UCF = 0x120,      /* the coherence fabric of a socket */
	PMU_CMEM = 0x121,     /* reads of its DRAM */
	PMU_NVDLINK = 0x122,  /* reads of its CXL memory */
	PMU_PCIE_TGT = 0x123, /* a PCIe root complex, for the addresses of a CXL region */
	/* a CXL device's, on any processor */
	PMU_CPMU = 0x110,
	PMU_CORE = 0xFFFF, /* not an uncore PMU type: the core PMU of a logical CPU */
};

/* Where units are PCI functions of their own: the nth on the nth device from .first_device on. */
struct pmu_functions {
	uint16_t device; /* id; the vendor is Intel */
	uint8_t first_device, most, function;
	uint16_t control; /* in configuration space; offsets are from it, by 8 bytes a counter */
	uint8_t control_offset, counter_offset;
	uint8_t counters, width;
};

/* The PCI function, one per package, that names its package: discovery_functions.c has the format.
 */
struct package_map {
	uint16_t device;      /* id; the vendor is Intel */
	uint16_t node, nodes; /* in configuration space: its node id, and those of all packages */
};

struct pmu_type {
	uint16_t type;
	const char *name; /* as users type it: "cxlcm" */
	/* in the kernel's PMUs, where * is a number that is not the unit's; NULL: that is name */
	const char *perf_name;
	const char *vendor_name;   /* in those of a vendor's kernel, beside that; NULL: none */
	const char *perf_driver;   /* the module that has it alone; NULL: model.perf_driver */
	uint8_t mmio_control_step; /* bytes from one counter control to the next; 0: not known */
	bool ignored; /* its discovery records are known to be wrong, and are skipped */
	const struct pmu_functions *functions; /* where they are instead; NULL: not known */
	bool may_be_absent; /* a memory channel: without memory it does not respond */
	/*
	 * MSR of a socket with the number of these units in each table: of more records than that,
	 * the last are of units that do not exist. Reads as 0 where it does not say. 0: there is
	 * none
	 */
	uint32_t count_msr;
	const struct control_layout *layout; /* NULL: control_generic */
	bool no_wrap;	 /* counters must not reach the end of their width: set to 0 before */
	bool gated;	 /* no counter takes a write while none of the unit's controls is enabled */
	uint64_t enable; /* of a counter control: its counter counts; 0: the unit is frozen instead
			  */
};

/* The PMU of a CPU: see uncore/units/core_unit.h */
struct core_model {
	const struct event *events; /* on every CPU; ends with a row without a name; NULL: none */
	const struct control_layout *layout; /* where a control has an event and its umask */
	bool has_any_thread;		     /* a control has the AnyThread bit */
	/* as CPUID has it, without an access to a register; -ENODEV: no such PMU */
	int (*identify)(struct platform *p, unsigned cpu, struct core_pmu_info *out,
			struct error *err);
};

struct sim_model;

struct model {
	const char *name;	    /* "Sapphire Rapids" */
	const char *short_name;	    /* "spr" */
	const char *vendor;	    /* in CPUID; NULL: Intel's */
	unsigned implementer, part; /* of Arm, in MIDR_EL1; 0: family and display_model say it */
	const char *measured;	    /* what is, in a few words: for documents */
	unsigned family, display_model;
	unsigned last_model; /* all up to that one; 0: display_model alone */
	/* A metric that this stepping counts wrongly, and how; NULL: none */
	const char *wrong_metric, *wrong_why;
	/* A metric without a formula, though it has an event, as that is not known to count
	 * correctly; NULL: none */
	const char *unreliable_metric;

	/* PCI device id of the functions with discovery tables; 0: DISCOVERY_DEVICE_GENERIC */
	uint16_t discovery_device;
	const struct package_map *packages; /* NULL: no function says which package it is of */
	/* Both IMHs of a socket number their units in one range: an id is unique in the socket. */
	bool ids_of_socket;
	/*
	 * MSR of a CPU with the physical address of its die's own discovery table, or 0. The global
	 * control of such a table is in memory, and freezes its units from power-on. 0: none
	 */
	uint32_t discovery_msr;

	/* MSR whose bit 0 freezes every unit of the socket; 0: freeze each unit by itself */
	uint32_t global_freeze_msr;

	/*
	 * An event of CPUs that may count lines that they read from CXL memory of their socket,
	 * which is published nowhere: selftest measures whether it does. NULL: none
	 */
	const char *candidate_reads;

	/* writable bits of IA32_OFFCORE_RSP_0 and _1; 0: no event of the table needs them */
	uint64_t offcore_rsp_bits;

	/*
	 * There are no discovery tables: CPUID says what units there are, and their registers are
	 * pairs, as those of CPUs (uncore/units/amd_unit.h).
	 */
	bool units_by_cpuid;
	/*
	 * Sampled latencies of L3 caches of less than this many bytes may be of another unit than
	 * the formulas say, and are estimates. 0: of none
	 */
	uint64_t sure_l3_bytes;
	/*
	 * Nor any registers: the kernel alone counts, whatever the backend. Ports are the root
	 * complexes behind which CXL regions are (uncore/devices/ports.h).
	 */
	bool kernel_counts;
	/*
	 * Ports, or what is counted in their place, that have no unit of their own: the data fabric
	 * counts each by an event. 0: a port is a unit.
	 */
	unsigned ports_of_df;
	const char *port_name;	 /* "ccm" where these are no ports; NULL */
	bool far_is_node;	 /* far is another NUMA node, not another socket */
	const char *perf_prefix; /* the names of the kernel's PMUs begin so; NULL: "uncore_" */
	const char *perf_driver; /* the module that has them; NULL: intel_uncore */
	const struct core_model *core; /* NULL: Intel's */
	/* by which loads are sampled: the first that counts, then those of latencies; NULL: none */
	const struct load_event *const *load_events;

	/*
	 * Some records of CHAs may be of units that respond but do not exist: of the 64 of an
	 * Emerald Rapids 6530 half count nothing. Their clocks stand still:
	 * session/session_clocks.c
	 */
	bool chas_may_not_exist;

	/* the first Linux whose perf counts correctly on the CXL units; NULL: not published */
	const char *perf_kernel;

	/* what a simulated one has: uncore/model/sim_model.h; NULL: it is not simulated */
	const struct sim_model *simulated;

	/* each ends with a row whose name (or metric) is NULL */
	const struct pmu_type *pmu_types;
	const struct formula *formulas;
	/* tables, seen by model_next_event(); the last one is NULL. NULL: no list is published */
	const struct event *const *events;
	uint8_t event_list; /* its bit of event.models, in a table of several models */
};

/* Whether units of that type are the link side of CXL ports. */
bool pmu_type_is_cxlcm(uint16_t type);

/* The layout of a PMU type; of NULL, a type in no table, the generic one. */
const struct control_layout *pmu_type_layout(const struct pmu_type *pmu_type);

/* NULL: the model has no such PMU type. */
const struct pmu_type *model_pmu_type(const struct model *model, uint16_t type);
/* The model's event after that one in its tables; of NULL, the first. NULL: that was the last. */
const struct event *model_next_event(const struct model *model, const struct event *event);
/* The event that counts the clock of a PMU type: UNC_.._CLOCKTICKS, or ..cycles. NULL: none is
 * published. */
const struct event *model_clock(const struct model *model, uint16_t type);
/* Why a metric has no formula (formula/formulas.h): a clause for the user. */
const char *model_why_not(const struct model *model, const char *metric);

#endif
