/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of AMD's processors from Zen 4 on. One row an event, with the processors that have it.
 *
 * Sources: names and codes from the kernel's pmu-events (amdzen4, amdzen5, amdzen6), where an event
 * has a name there. Those of CXL in the data fabric have none: their codes are those of Intel
 * PerfSpect's Turin metrics and of Meta's dynolog, which agree on Turin; on Venice it is dynolog
 * alone (see venice.c).
 */
#include "uncore/models/amd_models.h"

#define DF_ANY	UINT32_C(0xFFFF)
#define L3_ANY	UINT32_C(0x3F)
#define UMC_ANY UINT32_C(0x0F)

/*
 * Latencies are sampled with all cores, slices and threads, and slice id 3: without the slice id
 * they read 0.
 */
#define L3_SAMPLED (UINT64_C(1) << 46 | UINT64_C(1) << 47 | UINT64_C(3) << 48 | UINT64_C(3) << 56)
#define L3_ALL	   (UINT64_C(1) << 46 | UINT64_C(1) << 47 | UINT64_C(3) << 56)

/* clang-format off: a row a line */
#define DF(on, name, code, umask, ...)                                                             \
	ON(on, name, PMU_DF, code, umask, 0, DF_ANY, __VA_ARGS__, .max_rate = CLOCK_RATE)
#define L3(name, code, umask, help, how) ON(AMD, name, PMU_L3, code, umask, 0, L3_ANY, help, how)
#define UMC(name, code, umask, help, most)                                                         \
	ON(AMD, name, PMU_UMC, code, umask, 0, UMC_ANY, help, .max_rate = most)
#define CORE(on, name, code, umask, help)                                                          \
	ON(on, name, PMU_CORE, code, umask, 0, CORE_COUNTERS_GENERAL, help, CORE_ALL_RINGS,        \
	   .max_rate = CLOCK_RATE)

#define PORT(n, code)                                                                              \
	DF(TURIN, "cxl_port_read_data_beats_" n, code, 0xFFE,                                      \
	   "64 bytes read from CXL master port " n),                                               \
		DF(TURIN, "cxl_port_write_data_beats_" n, code, 0xCFD,                             \
		   "64 bytes written to CXL master port " n)

#define CCM(n, code)                                                                               \
	DF(VENICE, "ccm_cxl_read_data_beats_" n, code, 0xFE0,                                      \
	   "32 bytes that the cores of CCM " n " read from CXL memory", .one_source = true),       \
		DF(VENICE, "ccm_cxl_write_data_beats_" n, code, 0xFE1,                             \
		   "64 bytes that the cores of CCM " n " write to CXL memory", .one_source = true)

#define L3_LATENCY(source, umask, of)                                                              \
	L3("l3_xi_sampled_latency." source, 0xAC, umask,                                           \
	   "latencies of sampled fills, in units of 10 ns, from " of, L3_SAMPLED),                 \
		L3("l3_xi_sampled_latency_requests." source, 0xAD, umask,                          \
		   "sampled fills from " of, L3_SAMPLED)

#define UMC_COMMANDS(name, code, what, most)                                                       \
	UMC(name ".all", code, 0, what, most), UMC(name ".rd", code, 1, what " for reads", most),  \
		UMC(name ".wr", code, 2, what " for writes", most)

/* Fills of a CPU's data cache, by their source. */
#define CORE_FILLS(name, code, of)                                                                 \
	CORE(TURIN, name ".local_l2", code, 0x01, of "its L2"),                                    \
		CORE(TURIN, name ".local_ccx", code, 0x02, of "its L3, or another L2 below it"),   \
		CORE(TURIN, name ".near_cache", code, 0x04,                                        \
		     of "another L3 of the same NUMA node"),                                       \
		CORE(TURIN, name ".dram_io_near", code, 0x08,                                      \
		     of "DRAM or MMIO of the same NUMA node"),                                     \
		CORE(TURIN, name ".far_cache", code, 0x10, of "an L3 of another NUMA node"),       \
		CORE(TURIN, name ".dram_io_far", code, 0x40,                                       \
		     of "DRAM or MMIO of another NUMA node"),                                      \
		CORE(TURIN, name ".alternate_memories", code, 0x80, of "CXL memory")

const struct event amd_events[] = {
	PORT("0", 0x31F),
	PORT("1", 0x35F),
	PORT("2", 0x39F),
	PORT("3", 0x3DF),

	CCM("0", 0x41E),
	CCM("1", 0x45E),
	CCM("2", 0x49E),
	CCM("3", 0x4DE),
	CCM("4", 0x51E),
	CCM("5", 0x55E),
	CCM("6", 0x59E),
	CCM("7", 0x5DE),
	CCM("8", 0x61E),
	CCM("9", 0x65E),
	CCM("10", 0x69E),
	CCM("11", 0x6DE),
	CCM("12", 0x71E),
	CCM("13", 0x75E),
	CCM("14", 0x79E),
	CCM("15", 0x7DE),

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

	UMC("umc_mem_clk", 0x00, 0, "memory clocks", CLOCK_RATE),
	UMC_COMMANDS("umc_act_cmd", 0x05, "ACTIVATE commands", CLOCK_RATE),
	UMC_COMMANDS("umc_pchg_cmd", 0x06, "PRECHARGE commands", CLOCK_RATE),
	UMC_COMMANDS("umc_cas_cmd", 0x0A, "CAS commands, of 64 bytes each,", CAS_RATE),
	UMC_COMMANDS("umc_data_slot_clks", 0x14, "clocks in which the data bus is used",
		     CLOCK_RATE),

	/* amdzen5/load-store.json */
	CORE_FILLS("ls_dmnd_fills_from_sys", 0x43, "demand fills from "),
	CORE_FILLS("ls_any_fills_from_sys", 0x44, "fills from "),
	/*
	 * Fills of the L1 alone: lines that the L2's prefetcher has fetched come from there, and
	 * are none. On streams these are far fewer than the reads. Published for Zen 4
	 * (amdzen4/cache.json), Zen 5 and Zen 6 (amdzen6/load-store.json, by another name).
	 */
	CORE(VENICE | ZEN_4, "ls_any_fills_from_sys.alternate_memories", 0x44, 0x80,
	     "fills from CXL memory; what the L2 has prefetched is none"),
	{.name = NULL},
};
/* clang-format on */
