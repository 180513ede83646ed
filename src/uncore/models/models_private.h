/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tables that several processors share, and macros for rows of tables.
 *
 * Terms of Intel: a CHA (caching and home agent) is a unit at a slice of the L3 cache; its TOR is
 * the table of its outstanding requests. CXLCM is the link side of a CXL port, CXLDP its mesh side;
 * TxC and RxC are a CXLCM's directions to and from the device. Tables name the classes of TOR
 * requests by the memory they go to: CXL_ACC is memory of accelerators, CXL_EXP_LOCAL memory of
 * expanders at the same socket.
 */
#ifndef CXLMON_UNCORE_MODELS_MODELS_PRIVATE_H
#define CXLMON_UNCORE_MODELS_MODELS_PRIVATE_H

#include "msr/core_pmu.h"
#include "platform/load_sample.h"
#include "uncore/model/event.h"
#include "uncore/model/model.h"
#include "uncore/model/sim_model.h"
#include "uncore/units/cpmu_events.h"
#include "uncore/units/pmon_unit.h"

/*
 * Models of processors without their own table: Intel's, and AMD's from Zen 4 on. They are not in
 * model_list().
 */
extern const struct model model_intel, model_amd;

/* The model of all other processors, whose units and CPUs are unknown. */
extern const struct model model_other;

/* The PMU of Intel's CPUs, with events that all of them have, named as in perf. */
extern const struct core_model core_intel;
/* The PMU of unknown CPUs: it has no events. */
extern const struct core_model core_unknown;

/* Lists of tables for model.events and sim_model.events. */
#define EVENTS(...)	((const struct event *const[]){__VA_ARGS__, NULL})
#define SIM_EVENTS(...) ((const struct sim_event_rate *const[]){__VA_ARGS__, NULL})

/* A row of intel_events; processors: the lists that have the event, such as SPR_EMR. */
#define ON(processors, ...)                                                                        \
	{                                                                                          \
		__VA_ARGS__, .models = (processors)                                                \
	}

/* The events of Intel's processors; ends with a row without a name. */
extern const struct event intel_events[];

/*
 * Lists for model.load_events. intel_load_events is for P_CORES, and has an event for L3 misses;
 * intel_load_latencies is for Intel's other processors.
 */
extern const struct load_event *const intel_load_events[], *const intel_load_latencies[],
								   *const amd_load_events[];

/* Bits of event.models: published lists of events, in abbreviations of processors. */
enum { SPR = 1 << 0, EMR = 1 << 1, GNR = 1 << 2, SRF = 1 << 3, CWF = 1 << 4 };
#define SPR_EMR (SPR | EMR)
#define P_CORES (SPR_EMR | GNR) /* Golden Cove, Raptor Cove and Redwood Cove */
#define SRF_CWF (SRF | CWF)
#define GNR_ON	(GNR | SRF_CWF) /* from Granite Rapids on */
#define ALL	(SPR_EMR | GNR_ON)

/* Tables of Sapphire Rapids and Emerald Rapids. */
extern const struct package_map spr_packages;
extern const struct pmu_type spr_pmu_types[];

/* PMU types of Granite Rapids, Granite Rapids-D, Sierra Forest and Clearwater Forest. */
extern const struct pmu_type gnr_pmu_types[];

/* PMU types of AMD: df, l3 and umc. */
extern const struct pmu_type amd_pmu_types[];

/*
 * Parts of simulated processors of Intel (uncore/model/sim_model.h): spr for Sapphire and Emerald
 * Rapids, gnr for Granite Rapids, Sierra Forest and Clearwater Forest. All have sim_intel_events.
 */
extern const struct sim_msr_units sim_spr_msr_units[], sim_gnr_msr_units[];
extern const struct sim_pci_units sim_spr_pci_units[], sim_gnr_pci_units[];
extern const struct sim_kernel_name sim_spr_kernel_names[], sim_gnr_kernel_names[];
extern const struct sim_event_rate sim_intel_events[], sim_spr_events[], sim_gnr_events[],
	sim_cache_data_events[], /* events of CXL.cache */
	sim_drd_events[],	 /* events of the TOR, if cores issue DRD: P-cores */
	sim_drd_opt_events[],	 /* events of the TOR, if cores issue DRD_OPT: E-cores */
	sim_kind_events[];	 /* events of the TOR for other kinds of CXL reads, of all cores */

/*
 * Members of struct sim_model. .cha_count_msr of spr is UNC_CBO_CONFIG (source: spr.c), of gnr
 * PMON_CBO_COUNT, bits 8:0 (source: Intel PCM).
 */
#define SIM_SPR_UNCORE                                                                             \
	.half_lines = true, .offcore_pmm = true, .read_kinds = true, .stalls = true,               \
	.cha_count_msr = 0x2FFE, .imc_offset = 0x2800, .msr_units = sim_spr_msr_units,             \
	.pci_units = sim_spr_pci_units, .kernel_cxl = SIM_KERNEL(6, 11),                           \
	.kernel_names = sim_spr_kernel_names

#define SIM_GNR_UNCORE(imc)                                                                        \
	.rxc = true, .halves_of_imcs = true, .cha_count_msr = 0x3FED, .scf_offset = 0x100000,      \
	.imc_offset = (imc), .msr_units = sim_gnr_msr_units, .pci_units = sim_gnr_pci_units,       \
	.kernel_cxl = SIM_KERNEL(6, 14), .backported = true, .kernel_names = sim_gnr_kernel_names
#define SIM_IMC_GNR 0x24E800 /* .imc_offset of Granite Rapids */

/* The general-purpose counters 0 to 3 of a core. */
#define CORE_0_TO_3 (UINT32_C(0xF) << CORE_COUNTER_GENERAL)

/* The general-purpose counters 0 to 7 of a core. */
#define CORE_0_TO_7 (UINT32_C(0xFF) << CORE_COUNTER_GENERAL)

/*
 * model.offcore_rsp_bits. Source: the kernel's intel_glc_extra_regs and intel_rwc_extra_regs,
 * events 0x012A and 0x012B.
 */
#define OFFCORE_RSP_BITS UINT64_C(0x3FFFFFFFFF)

/* Values of event.modifiers for core events. */
#define CORE_ALL_RINGS (PERFEVTSEL_USR | PERFEVTSEL_OS) /* counts in kernel and user mode */
/* counts clocks with at least n events; n 0: counts events */
#define CORE_AT_LEAST(n) (CORE_ALL_RINGS | UINT64_C(n) << 24)

/*
 * Formulas of Sapphire and Emerald Rapids. If a port's device has no CPMU that counts the data that
 * it sends, the port's requests are shown as reads. They are an upper estimate: after a speculative
 * one (MemSpecRd) without data, the read of the same line may follow. An insert into a TxC packing
 * buffer is half a cache line (PCM: CXLBWWrScalingFactor 0.5).
 */
#define SPR_FORMULAS                                                                               \
	CPMU_READS("cxl_mem_read_MBps"),                                                           \
		PORT_REQUESTS("cxl_mem_read_MBps", "UNC_CXLDP_TxC_AGF_INSERTS.M2S_REQ",            \
			      "m2s_req"),                                                          \
		PORT_BYTES("cxl_mem_write_MBps", "UNC_CXLCM_TxC_PACK_BUF_INSERTS.MEM_DATA", 32,    \
			   NULL),                                                                  \
		PORT_BYTES("cxl_cache_h2d_MBps", "UNC_CXLCM_TxC_PACK_BUF_INSERTS.CACHE_DATA", 32,  \
			   NULL),                                                                  \
		LATENCY("ddr_local_read_latency_ns", "DRD_LOCAL_DDR", NULL),                       \
		LATENCY("ddr_remote_read_latency_ns", "DRD_REMOTE_DDR", NULL),                     \
		PERCENT_OF_LINK_CLOCK("rx_mem_data_full_pct",                                      \
				      "UNC_CXLCM_RxC_PACK_BUF_FULL.MEM_DATA"),                     \
		PERCENT_OF_LINK_CLOCK("rx_mem_req_full_pct",                                       \
				      "UNC_CXLCM_RxC_PACK_BUF_FULL.MEM_REQ"),                      \
		PERCENT_OF_LINK_CLOCK("rx_mem_data_busy_pct",                                      \
				      "UNC_CXLCM_RxC_PACK_BUF_NE.MEM_DATA"),                       \
		PERCENT_OF_LINK_CLOCK("rx_mem_req_busy_pct", "UNC_CXLCM_RxC_PACK_BUF_NE.MEM_REQ"), \
		PINNED_EVENTS_PER_SECOND("crc_errors_per_s", "UNC_CXLCM_RxC_MISC.CRC_ERRORS"),     \
		PINNED_EVENTS_PER_SECOND("retries_per_s", "UNC_CXLCM_RxC_MISC.RETRY"),             \
		EVENTS_PER_SECOND("tx_flits_per_s", "UNC_CXLCM_TxC_FLITS.VALID"),                  \
		EVENTS_PER_SECOND("rx_flits_per_s", "UNC_CXLCM_RxC_FLITS.VALID"), UPI_FORMULAS,    \
		CORE_FORMULAS, STALL_FORMULAS, LOAD_FORMULAS

/* model.measured and .candidate_reads of Sapphire and Emerald Rapids. */
#define SPR_MEASURED                                                                               \
	"bandwidth (not CXL.cache from device to host), latency, queues, links, DRAM, cores"

#define SPR_CANDIDATE_READS "OCR.READS_TO_CORE.LOCAL_SOCKET_PMM"

/* Formulas from Granite Rapids on. Events of queues and links are not published for these. */
#define GNR_MEM_FORMULAS                                                                           \
	PORT_BYTES("cxl_mem_read_MBps", "UNC_CXLCM_RxC_PACK_BUF_INSERTS.MEM_DATA", 64, "rxc"),     \
		PORT_BYTES("cxl_mem_write_MBps", "UNC_CXLDP_TxC_AGF_INSERTS.M2S_DATA", 64, NULL),  \
		LINES("dram_read_MBps", "(UNC_M_CAS_COUNT_SCH0.RD + UNC_M_CAS_COUNT_SCH1.RD)"),    \
		LINES("dram_write_MBps", "(UNC_M_CAS_COUNT_SCH0.WR + UNC_M_CAS_COUNT_SCH1.WR)"),   \
		UPI_FORMULAS, CORE_FORMULAS

/*
 * Formulas of UPI links. Intel PCM computes a link's bytes as ALL_DATA / 9 * 64. The events count
 * each of a flit's three slots, but IDLE may count only slot 0 of an idle flit. So the formulas
 * count IDLE three times, and the shares are lower bounds.
 */
#define UPI_FORMULAS                                                                               \
	LINES("upi_read_MBps", "UNC_UPI_RxL_FLITS.ALL_DATA / 9"),                                  \
		LINES("upi_write_MBps", "UNC_UPI_TxL_FLITS.ALL_DATA / 9"),                         \
		UPI_BUSY("upi_read_busy_pct", "UNC_UPI_RxL_FLITS"),                                \
		UPI_BUSY("upi_write_busy_pct", "UNC_UPI_TxL_FLITS")

#define UPI_BUSY(name, flits)                                                                      \
	{                                                                                          \
		.metric = name,                                                                    \
		.text = "(" flits ".ALL_DATA + " flits ".NON_DATA) / (" flits ".ALL_DATA + " flits \
			".NON_DATA + " flits ".ALL_NULL + 3 * " flits ".IDLE)",                    \
		.same_group = true, .any_unit = true                                               \
	}

/*
 * Latency formulas of Sapphire, Emerald and Granite Rapids, by class; leak: formula.leak_ns of
 * CXL_ACC. No document says to which class a memory expander's reads belong. An Emerald Rapids
 * counted them as CXL_ACC. CXL_EXP_LOCAL is published only for Emerald Rapids. Both are measured,
 * and the first that counted enough reads is shown.
 */
#define DRD_LATENCY_FORMULAS(leak)                                                                 \
	LATENCY_OF("cxl_read_latency_ns", "DRD_CXL_ACC", "acc", leak),                             \
		LATENCY("cxl_read_latency_ns", "DRD_CXL_EXP_LOCAL", "exp_local")

/*
 * formula.leak_ns of Sapphire and Emerald Rapids: an assumption, 4 clocks at 2 GHz; selftest
 * measures it. On Sapphire Rapids without CXL memory, in two clouds, the inserts of CXL_ACC
 * were 0 under load, but the occupancy of CXL_ACC was not: it counts a DRAM read until the read's
 * target is known. No publication says for how long.
 */
#define SPR_LEAK_NS 2

/*
 * Latency formulas of Sierra and Clearwater Forest, whose cores issue DRD_OPT, and hardly any DRD.
 * No document says to which class a memory expander's reads belong. Only CXL_ACC is published, and
 * only for DRD. All are measured, and the first that counted enough reads is shown.
 */
#define SRF_LATENCY_FORMULAS                                                                       \
	LATENCY("cxl_read_latency_ns", "DRD_OPT_CXL_ACC", "opt_acc"),                              \
		LATENCY("cxl_read_latency_ns", "DRD_OPT_CXL_EXP_LOCAL", "opt_exp_local"),          \
		LATENCY("cxl_read_latency_ns", "DRD_CXL_ACC", "acc")

/* Formulas of CXL.cache from Granite Rapids on, except Clearwater Forest. */
#define GNR_CACHE_FORMULAS                                                                         \
	PORT_BYTES("cxl_cache_d2h_MBps", "UNC_CXLCM_RxC_PACK_BUF_INSERTS.CACHE_DATA", 64, NULL),   \
		PORT_BYTES("cxl_cache_h2d_MBps", "UNC_CXLCM_TxC_PACK_BUF_INSERTS.CACHE_DATA", 64,  \
			   NULL)

/* Rows of formula tables shared by several processors. */

/* Formula for bytes that a port's link transferred; from: its .source. */
#define PORT_BYTES(name, event, bytes, from)                                                       \
	{                                                                                          \
		BYTES(name, event, bytes), .link_bytes = (bytes), .source = from, .pinned = true   \
	}

/* Formula for bytes of the lines that a port requested, which the link's rate does not limit. */
#define PORT_REQUESTS(name, event, from)                                                           \
	{                                                                                          \
		BYTES(name, event, 64), .source = from, .pinned = true, .compared = true           \
	}

/*
 * Formula for the latency of one class of reads by Little's law: entries in the TORs, divided by
 * inserts per second. TOR_OCCUPANCY is a sum of entries over clocks. Each CHA's sum is divided by
 * its own clocks, because dies may run at different rates. leak: formula.leak_ns
 */
#define LATENCY(name, class, from) LATENCY_OF(name, class, from, 0)
#define LATENCY_OF(name, class, from, leak)                                                        \
	{                                                                                          \
		.metric = name,                                                                    \
		.text = "per_unit(UNC_CHA_TOR_OCCUPANCY.IA_MISS_" class                            \
			" / UNC_CHA_CLOCKTICKS)"                                                   \
			" / UNC_CHA_TOR_INSERTS.IA_MISS_" class,                                   \
		.same_group = true, .any_unit = true, .source = from, .mean_of_reads = true,       \
		.leak_ns = (leak)                                                                  \
	}

/*
 * Formula for bytes of CXL reads, counted in the TORs as in Intel PCM. of_several: true if some
 * reads may be of a class that the events do not count (formula.one_class).
 *   from_cores true   reads by a socket's cores from ports of any socket
 *   from_cores false  reads by cores of any socket from the socket's ports
 */
#define TOR_BYTES(name, from, from_cores, of_several, events)                                      \
	{                                                                                          \
		BYTES(name, "(" events ")", 64),                                                   \
			.source = from, .any_unit = true, .cross_check = true,                     \
			.of_all_sockets = from_cores, .one_class = of_several                      \
	}

/* CXL reads of class CXL_ACC, as PCM counts them on Sapphire Rapids. */
#define TOR_ACC_BYTES(name, of_several)                                                            \
	TOR_BYTES(name, "tor", true, of_several,                                                   \
		  "UNC_CHA_TOR_INSERTS.IA_MISS_CRDMORPH_CXL_ACC"                                   \
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_RFO_CXL_ACC"                                     \
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_DRD_CXL_ACC"                                     \
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_LLCPREFRFO_CXL_ACC"                              \
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_RFO_PREF_CXL_ACC"                                \
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_DRD_PREF_CXL_ACC"                                \
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_LLCPREFDATA_CXL_ACC"                             \
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_LLCPREFCODE_CXL_ACC")

/*
 * Formulas for the share and the bytes of one kind of CXL requests in the TORs; all: the requests
 * of all kinds. A CHA has fewer counters than there are kinds. So each kind is counted on some of
 * the CHAs, over which addresses are hashed evenly, or part of the time. If requests may be of
 * another class, known is UNKNOWN_IF_0(all), which makes bytes unknown while all is 0; else "".
 */
#define TOR(request)	  "UNC_CHA_TOR_INSERTS.IA_MISS_" request
#define UNKNOWN_IF_0(all) " / " all " * " all
#define KIND_BYTES(kind, events, known)                                                            \
	{                                                                                          \
		BYTES("cxl_" kind "_MBps", events known, 64), .any_unit = true                     \
	}
#define KIND(kind, events, all, known)                                                             \
	{.metric = "cxl_" kind "_pct", .text = events " / " all, .any_unit = true},                \
		KIND_BYTES(kind, events, known)

/*
 * Requests for ownership. For CXL memory, event lists interchange the encodings of RFO_PREF and
 * LLCPREFRFO (intel_events.c), which makes no difference here.
 */
#define OWNERSHIP(class)                                                                           \
	"(" TOR("RFO_" class) " + " TOR("RFO_PREF_" class) " + " TOR("LLCPREFRFO_" class) ")"
/* Reads of data and requests for ownership. */
#define DATA(class)                                                                                \
	TOR("DRD_" class)                                                                          \
	" + " TOR("DRD_PREF_" class) " + " TOR("LLCPREFDATA_" class) " + " OWNERSHIP(class)

/* Formulas of the kinds that all lists of P_CORES have. */
#define KINDS(class, all, known)                                                                   \
	KIND("demand", TOR("DRD_" class), all, known),                                             \
		KIND("l2_prefetch", TOR("DRD_PREF_" class), all, known),                           \
		KIND("l3_prefetch", TOR("LLCPREFDATA_" class), all, known),                        \
		KIND("ownership", OWNERSHIP(class), all, known)

/* Latencies of these kinds, except demand reads, which have cxl_read_latency_ns. */
#define KIND_LATENCIES(class)                                                                      \
	LATENCY("cxl_l2_prefetch_latency_ns", "DRD_PREF_" class, NULL), L3_AND_RFO_LATENCIES(class)
#define L3_AND_RFO_LATENCIES(class)                                                                \
	LATENCY("cxl_l3_prefetch_latency_ns", "LLCPREFDATA_" class, NULL),                         \
		LATENCY("cxl_ownership_latency_ns", "RFO_" class, NULL)

/*
 * Formulas for the kinds of requests for which Intel's lists of E-cores have events. Demand reads
 * and L2 prefetches of E-cores are DRD_OPT and DRD_OPT_PREF, for which no event of CXL memory is
 * published. So shares are unknown, and bytes are unknown while no request of the class is counted.
 */
#define E_CORE_KIND(kind, events)                                                                  \
	KIND_BYTES(kind, events,                                                                   \
		   UNKNOWN_IF_0("(" TOR("LLCPREFDATA_CXL_ACC") " + " OWNERSHIP("CXL_ACC") ")"))
#define E_CORE_KINDS                                                                               \
	E_CORE_KIND("l3_prefetch", TOR("LLCPREFDATA_CXL_ACC")),                                    \
		E_CORE_KIND("ownership", OWNERSHIP("CXL_ACC")), L3_AND_RFO_LATENCIES("CXL_ACC")

/* Formulas of the kinds of Sapphire and Emerald Rapids, whose lists also have code reads. */
#define CODE_ACC "(" TOR("CRDMORPH_CXL_ACC") " + " TOR("LLCPREFCODE_CXL_ACC") ")"
#define ALL_ACC	 "(" DATA("CXL_ACC") " + " CODE_ACC ")"
#define KINDS_OF_ACC(known)                                                                        \
	KINDS("CXL_ACC", ALL_ACC, known), KIND("code", CODE_ACC, ALL_ACC, known),                  \
		KIND_LATENCIES("CXL_ACC")

/* Formula for bytes of lines that memory controllers, cores or UPI links have transferred. */
#define LINES(name, events)                                                                        \
	{                                                                                          \
		BYTES(name, events, 64)                                                            \
	}

/* Formula for the share of a link's clocks in which an event of its CXLCM occurs. */
#define PERCENT_OF_LINK_CLOCK(name, event)                                                         \
	{                                                                                          \
		.metric = name, .text = event " / UNC_CXLCM_CLOCKTICKS", .same_group = true        \
	}

/* Formula for the rate of an event that is counted in every round: formula.pinned. */
#define PINNED_EVENTS_PER_SECOND(name, event)                                                      \
	{                                                                                          \
		.metric = name, .text = event, .pinned = true                                      \
	}

/* Formula for a ratio of several events of a CPU, counted at the same time. */
#define OF_CPUS(name, events)                                                                      \
	{                                                                                          \
		.metric = name, .text = events, .same_group = true, .any_unit = true               \
	}

/*
 * Stall formulas of P_CORES. CAMP ("Performance Predictability in Heterogeneous Memory", ASPLOS
 * '26) predicts a slowdown from all of these except read_parallelism, which is from TMA (Intel's
 * perfmon).
 */
#define STALL_FORMULAS                                                                             \
	OF_CPUS("demand_stall_pct", "MEMORY_ACTIVITY.STALLS_L3_MISS / cycles"),                    \
		OF_CPUS("cache_stall_pct", "(MEMORY_ACTIVITY.STALLS_L1D_MISS"                      \
					   " - MEMORY_ACTIVITY.STALLS_L2_MISS) / cycles"),         \
		OF_CPUS("store_stall_pct", "EXE_ACTIVITY.BOUND_ON_STORES / cycles"),               \
		OF_CPUS("prefetched_pct",                                                          \
			"MEM_LOAD_RETIRED.FB_HIT"                                                  \
			" / (MEM_LOAD_RETIRED.FB_HIT + MEM_LOAD_RETIRED.L1_MISS)"),                \
		OF_CPUS("read_parallelism",                                                        \
			"OFFCORE_REQUESTS_OUTSTANDING.DEMAND_DATA_RD"                              \
			" / OFFCORE_REQUESTS_OUTSTANDING.CYCLES_WITH_DEMAND_DATA_RD"),             \
		OF_CPUS("read_cost_cycles",                                                        \
			"OFFCORE_REQUESTS_OUTSTANDING.CYCLES_WITH_DEMAND_DATA_RD"                  \
			" / OFFCORE_REQUESTS.DEMAND_DATA_RD")

/*
 * Formulas for the share of each supplier in the retired loads of P_CORES. At most four of these
 * events are counted at the same time. Sapphire and Emerald Rapids have no event for loads from CXL
 * memory.
 */
#define LOADS_FROM(name, events)                                                                   \
	{                                                                                          \
		.metric = "load_" name "_pct",                                                     \
		.text = events " / (MEM_LOAD_RETIRED.L1_HIT + MEM_LOAD_RETIRED.FB_HIT"             \
			       " + MEM_LOAD_RETIRED.L2_HIT + MEM_LOAD_RETIRED.L3_HIT"              \
			       " + MEM_LOAD_RETIRED.L3_MISS)"                                      \
	}
#define LOAD_FORMULAS                                                                              \
	LOADS_FROM("l1", "MEM_LOAD_RETIRED.L1_HIT"), LOADS_FROM("lfb", "MEM_LOAD_RETIRED.FB_HIT"), \
		LOADS_FROM("l2", "MEM_LOAD_RETIRED.L2_HIT"),                                       \
		LOADS_FROM("l3", "MEM_LOAD_RETIRED.L3_HIT"),                                       \
		LOADS_FROM("l3_miss", "MEM_LOAD_RETIRED.L3_MISS"),                                 \
		LOADS_FROM("dram", "MEM_LOAD_L3_MISS_RETIRED.LOCAL_DRAM"),                         \
		LOADS_FROM("remote", "(MEM_LOAD_L3_MISS_RETIRED.REMOTE_DRAM"                       \
				     " + MEM_LOAD_L3_MISS_RETIRED.REMOTE_HITM"                     \
				     " + MEM_LOAD_L3_MISS_RETIRED.REMOTE_FWD)")

/*
 * Stall formulas of E-cores, by the supplier of the load that a core waits for. E-cores have no
 * event for the number of outstanding reads.
 */
#define E_CORE_CACHE_STALLS OF_CPUS("cache_stall_pct", "MEM_BOUND_STALLS_LOAD.L2_HIT / cycles")
#define E_CORE_STALL_FORMULAS                                                                      \
	OF_CPUS("demand_stall_pct", "MEM_BOUND_STALLS_LOAD.LLC_MISS / cycles"),                    \
		E_CORE_CACHE_STALLS,                                                               \
		OF_CPUS("store_stall_pct", "MEM_BOUND_STALLS_LOAD.SBFULL / cycles")

/*
 * Formulas for the share of each supplier in the retired loads of E-cores. No event tells for
 * certain which memory supplied a load that missed the L3.
 */
#define E_CORE_LOADS_FROM(name, event)                                                             \
	{                                                                                          \
		.metric = "load_" name "_pct", .text = event " / MEM_UOPS_RETIRED.ALL_LOADS"       \
	}
#define E_CORE_LOAD_FORMULAS                                                                       \
	E_CORE_LOADS_FROM("l1", "MEM_LOAD_UOPS_RETIRED.L1_HIT"),                                   \
		E_CORE_LOADS_FROM("l2", "MEM_LOAD_UOPS_RETIRED.L2_HIT"),                           \
		E_CORE_LOADS_FROM("l3", "MEM_LOAD_UOPS_RETIRED.L3_HIT"),                           \
		E_CORE_LOADS_FROM("l3_miss", "MEM_LOAD_UOPS_L3_MISS_RETIRED.ALL")

/* Formulas of CPUs that have the events instructions, cycles, ref-cycles and tsc. */
#define CORE_FORMULAS                                                                              \
	EVENTS_PER_SECOND("instructions_per_s", "instructions"),                                   \
		EVENTS_PER_SECOND("cycles_per_s", "cycles"),                                       \
		OF_CPUS("ipc", "instructions / cycles"),                                           \
		OF_CPUS("frequency_MHz", "cycles / ref-cycles * mean(tsc)")

#endif
