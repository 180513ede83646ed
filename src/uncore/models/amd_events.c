/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events that AMD's processors from Zen 4 on have in common. Those of their ports are in the file
 * of each.
 *
 * Sources: names and codes from the kernel's pmu-events (amdzen4, amdzen5, amdzen6), where an event
 * has a name there. Those of CXL in the data fabric have none: their codes are those of Intel
 * PerfSpect's Turin metrics and of Meta's dynolog, which agree on Turin; on Venice it is dynolog
 * alone (see venice.c).
 */
#include "uncore/models/amd_models_private.h"

#define L3_ANY	UINT32_C(0x3F)
#define UMC_ANY UINT32_C(0x0F)

/*
 * Latencies are sampled with all cores, slices and threads, and slice id 3: without the slice id
 * they read 0.
 */
#define L3_SAMPLED (UINT64_C(1) << 46 | UINT64_C(1) << 47 | UINT64_C(3) << 48 | UINT64_C(3) << 56)
#define L3_ALL	   (UINT64_C(1) << 46 | UINT64_C(1) << 47 | UINT64_C(3) << 56)

#define L3(name, code, umask, help, how, ...)                                                      \
	{                                                                                          \
		name, PMU_L3, code, umask, 0, L3_ANY, help, how, ##__VA_ARGS__                     \
	}
#define UMC(name, code, umask, help, most)                                                         \
	{                                                                                          \
		name, PMU_UMC, code, umask, 0, UMC_ANY, help, .limit = (most)                      \
	}

#define L3_LATENCY(source, umask, of)                                                              \
	L3("l3_xi_sampled_latency." source, 0xAC, umask,                                           \
	   "latencies of sampled fills, in units of 10 ns, from " of, L3_SAMPLED,                  \
	   .limit = LIMIT_L3_LATENCY),                                                             \
		L3("l3_xi_sampled_latency_requests." source, 0xAD, umask,                          \
		   "sampled fills from " of, L3_SAMPLED)

#define UMC_COMMANDS(name, code, what, most)                                                       \
	UMC(name ".all", code, 0, what, most), UMC(name ".rd", code, 1, what " for reads", most),  \
		UMC(name ".wr", code, 2, what " for writes", most)

const struct event amd_events[] = {
	L3("l3_lookup_state.l3_miss", 0x04, 0x01, "L3 misses", L3_ALL),
	L3("l3_lookup_state.l3_hit", 0x04, 0xFE, "L3 hits", L3_ALL),
	L3("l3_lookup_state.all_coherent_accesses_to_l3", 0x04, 0xFF,
	   "L3 requests of coherent accesses", L3_ALL),
	L3_LATENCY("dram_near", 0x01, "DRAM of the same NUMA node"),
	L3_LATENCY("dram_far", 0x02, "DRAM of another NUMA node"),
	L3_LATENCY("near_cache", 0x04, "another L3 of the same NUMA node"),
	L3_LATENCY("far_cache", 0x08, "an L3 of another NUMA node"),
	L3_LATENCY("ext_near", 0x10, "CXL memory of the same NUMA node"),
	L3_LATENCY("ext_far", 0x20, "CXL memory of another NUMA node"),
	L3_LATENCY("all", 0x3F, "anywhere"),

	UMC("umc_mem_clk", 0x00, 0, "memory clocks", LIMIT_CLOCK),
	UMC_COMMANDS("umc_act_cmd", 0x05, "ACTIVATE commands", LIMIT_CLOCK),
	UMC_COMMANDS("umc_pchg_cmd", 0x06, "PRECHARGE commands", LIMIT_CLOCK),
	UMC_COMMANDS("umc_cas_cmd", 0x0A, "CAS commands, of 64 bytes each,", LIMIT_CAS),
	UMC_COMMANDS("umc_data_slot_clks", 0x14, "clocks in which the data bus is used",
		     LIMIT_CLOCK),
	{.name = NULL},
};

const struct event amd_fill_events[] = {
	/*
	 * Fills of the L1 alone: lines that the L2's prefetcher has fetched come from there, and
	 * are none. On streams these are far fewer than the reads. Published for Zen 4
	 * (amdzen4/cache.json), Zen 5 and Zen 6 (amdzen6/load-store.json, by another name).
	 */
	AMD_CORE("ls_any_fills_from_sys.alternate_memories", 0x44, 0x80,
		 "fills from CXL memory; what the L2 has prefetched is none"),
	{.name = NULL},
};
