/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events and formulas that AMD's processors from Zen 4 on share.
 *
 * Sources: names and codes from the kernel's pmu-events (amdzen4, amdzen5, amdzen6), where an event
 * has a name there. Those of CXL in the data fabric have none: their codes are those of Intel
 * PerfSpect's Turin metrics and of Meta's dynolog, which agree on Turin; on Venice it is dynolog
 * alone. Latencies: the formulas of the kernel's recommended metrics.
 */
#ifndef CXLMON_AMD_EVENTS_H
#define CXLMON_AMD_EVENTS_H

#include "msr/core_pmu.h"
#include "uncore/core_unit.h"
#include "uncore/models/models.h"

#define DF_ANY	UINT32_C(0xFFFF)
#define L3_ANY	UINT32_C(0x3F)
#define UMC_ANY UINT32_C(0x0F)

/*
 * Latencies are sampled with all cores, slices and threads, and slice id 3: without the slice id
 * they read 0.
 */
#define L3_SAMPLED (UINT64_C(1) << 46 | UINT64_C(1) << 47 | UINT64_C(3) << 48 | UINT64_C(3) << 56)
#define L3_ALL	   (UINT64_C(1) << 46 | UINT64_C(1) << 47 | UINT64_C(3) << 56)

#define L3_LATENCY(source, umask, of)                                                              \
	{"l3_xi_sampled_latency." source,                                                          \
	 BOX_L3,                                                                                   \
	 0xAC,                                                                                     \
	 umask,                                                                                    \
	 0,                                                                                        \
	 L3_ANY,                                                                                   \
	 "latencies of sampled fills, in units of 10 ns, from " of,                                \
	 L3_SAMPLED},                                                                              \
	{                                                                                          \
		"l3_xi_sampled_latency_requests." source, BOX_L3, 0xAD, umask, 0, L3_ANY,          \
			"sampled fills from " of, L3_SAMPLED                                       \
	}

#define AMD_L3_EVENTS                                                                              \
	{"l3_lookup_state.l3_miss", BOX_L3, 0x04, 0x01, 0, L3_ANY, "L3 misses", L3_ALL},           \
		{"l3_lookup_state.l3_hit", BOX_L3, 0x04, 0xFE, 0, L3_ANY, "L3 hits", L3_ALL},      \
		{"l3_lookup_state.all_coherent_accesses_to_l3",                                    \
		 BOX_L3,                                                                           \
		 0x04,                                                                             \
		 0xFF,                                                                             \
		 0,                                                                                \
		 L3_ANY,                                                                           \
		 "L3 requests of coherent accesses",                                               \
		 L3_ALL},                                                                          \
		L3_LATENCY("dram_near", 0x01, "DRAM of the same NUMA node"),                       \
		L3_LATENCY("dram_far", 0x02, "DRAM of another NUMA node"),                         \
		L3_LATENCY("near_cache", 0x04, "another L3 of the same NUMA node"),                \
		L3_LATENCY("far_cache", 0x08, "an L3 of another NUMA node"),                       \
		L3_LATENCY("ext_near", 0x10, "CXL memory of the same NUMA node"),                  \
		L3_LATENCY("ext_far", 0x20, "CXL memory of another NUMA node"),                    \
		L3_LATENCY("all", 0x3F, "anywhere")

#define UMC_COMMANDS(name, code, what)                                                             \
	{name ".all", BOX_UMC, code, 0, 0, UMC_ANY, what, 0},                                      \
		{name ".rd", BOX_UMC, code, 1, 0, UMC_ANY, what " for reads", 0},                  \
	{                                                                                          \
		name ".wr", BOX_UMC, code, 2, 0, UMC_ANY, what " for writes", 0                    \
	}

#define AMD_UMC_EVENTS                                                                             \
	{"umc_mem_clk", BOX_UMC, 0x00, 0, 0, UMC_ANY, "memory clocks", 0},                         \
		UMC_COMMANDS("umc_act_cmd", 0x05, "ACTIVATE commands"),                            \
		UMC_COMMANDS("umc_pchg_cmd", 0x06, "PRECHARGE commands"),                          \
		UMC_COMMANDS("umc_cas_cmd", 0x0A, "CAS commands, of 64 bytes each,"),              \
		UMC_COMMANDS("umc_data_slot_clks", 0x14, "clocks in which the data bus is used")

/* Fills of a CPU's data cache, by their source. */
#define CORE_FILLS(name, code, of)                                                                 \
	{name ".local_l2",	BOX_CORE,    code,	    0x01, 0,                               \
	 CORE_COUNTERS_GENERAL, of "its L2", CORE_ALL_RINGS},                                      \
		{name ".local_ccx",                                                                \
		 BOX_CORE,                                                                         \
		 code,                                                                             \
		 0x02,                                                                             \
		 0,                                                                                \
		 CORE_COUNTERS_GENERAL,                                                            \
		 of "its L3, or another L2 below it",                                              \
		 CORE_ALL_RINGS},                                                                  \
		{name ".near_cache",                                                               \
		 BOX_CORE,                                                                         \
		 code,                                                                             \
		 0x04,                                                                             \
		 0,                                                                                \
		 CORE_COUNTERS_GENERAL,                                                            \
		 of "another L3 of the same NUMA node",                                            \
		 CORE_ALL_RINGS},                                                                  \
		{name ".dram_io_near",                                                             \
		 BOX_CORE,                                                                         \
		 code,                                                                             \
		 0x08,                                                                             \
		 0,                                                                                \
		 CORE_COUNTERS_GENERAL,                                                            \
		 of "DRAM or MMIO of the same NUMA node",                                          \
		 CORE_ALL_RINGS},                                                                  \
		{name ".far_cache",                                                                \
		 BOX_CORE,                                                                         \
		 code,                                                                             \
		 0x10,                                                                             \
		 0,                                                                                \
		 CORE_COUNTERS_GENERAL,                                                            \
		 of "an L3 of another NUMA node",                                                  \
		 CORE_ALL_RINGS},                                                                  \
		{name ".dram_io_far",                                                              \
		 BOX_CORE,                                                                         \
		 code,                                                                             \
		 0x40,                                                                             \
		 0,                                                                                \
		 CORE_COUNTERS_GENERAL,                                                            \
		 of "DRAM or MMIO of another NUMA node",                                           \
		 CORE_ALL_RINGS},                                                                  \
	{                                                                                          \
		name ".alternate_memories", BOX_CORE, code, 0x80, 0, CORE_COUNTERS_GENERAL,        \
			of "CXL memory", CORE_ALL_RINGS                                            \
	}

/* 10 ns a unit; both events on the same L3 at the same time. */
#define L3_SAMPLED_LATENCY(name, of, from)                                                         \
	{                                                                                          \
		.metric = name,                                                                    \
		.events = {"l3_xi_sampled_latency." of, "l3_xi_sampled_latency_requests." of},     \
		.value = formula_ratio, .factor = 10, .same_group = true, .any_unit = true,        \
		.source = from                                                                     \
	}

#define AMD_FORMULAS                                                                               \
	L3_SAMPLED_LATENCY("cxl_read_latency_ns", "ext_near", "l3"),                               \
		L3_SAMPLED_LATENCY("ddr_local_read_latency_ns", "dram_near", NULL),                \
		L3_SAMPLED_LATENCY("ddr_remote_read_latency_ns", "dram_far", NULL),                \
		L3_SAMPLED_LATENCY("cxl_far_read_latency_ns", "ext_far", NULL),                    \
		DRAM_BYTES("dram_read_MBps", "umc_cas_cmd.rd"),                                    \
		DRAM_BYTES("dram_write_MBps", "umc_cas_cmd.wr"), CORE_FORMULAS

/* Of what is counted by an event for each port of a socket. */
#define DF_BYTES(name, bytes, from, ...)                                                           \
	{                                                                                          \
		.metric = name, .events = {__VA_ARGS__}, .value = formula_sum, .factor = bytes,    \
		.source = from, .by_port = true                                                    \
	}

/* From Zen 4 on. */
extern const struct core_model core_amd;

#endif
