/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Facts that AMD's processors share, and the model of those from Zen 4 on without a table: core PMU
 * only.
 */
#include "uncore/models/amd_models_private.h"

#include "uncore/units/amd_unit.h"

/* Layout of PerfMonV2: an event has 14 bits, a umask 12. */
static const struct control_layout control_amd_df = {.event_bits = 14, .umask_bits = 12};
static const struct control_layout control_amd_l3 = {
	{[CONTROL_CORE_ID] = {42, 3},
	 [CONTROL_ALL_SLICES] = {46, 1},
	 [CONTROL_ALL_CORES] = {47, 1},
	 [CONTROL_SLICE_ID] = {48, 3},
	 [CONTROL_THREAD_MASK] = {56, 2}},
};
static const struct control_layout control_amd_umc = {.umask_bits = 2, .perf_umask = "rdwrmask"};
const struct pmu_type amd_pmu_types[] = {
	{.type = PMU_DF, .name = "df", .layout = &control_amd_df, .enable = AMD_CTL_ENABLE},
	{.type = PMU_L3, .name = "l3", .layout = &control_amd_l3, .enable = AMD_CTL_ENABLE},
	/* The kernel's amd_uncore_umc_read(): these counters do not roll over. FreeBSD's hwpmc:
	 * the clock of a channel's counters is gated. */
	{.type = PMU_UMC,
	 .name = "umc",
	 .layout = &control_amd_umc,
	 .no_wrap = true,
	 .gated = true,
	 .enable = AMD_UMC_CTL_ENABLE},
	{.name = NULL},
};

/*
 * Core events from the kernel's amd_zen4_perfmon_event_map (events/amd/core.c). ref-cycles is
 * ls_not_halted_p0_cyc.p0_freq_cyc: clocks at the rate of P0, which is the rate of the time stamp
 * counter.
 */
static const struct event core_events[] = {
	{"instructions", PMU_CORE, 0xC0, 0x00, 0, CORE_COUNTERS_GENERAL,
	 "instructions that retired", CORE_ALL_RINGS, .limit = LIMIT_RETIRED},
	{"cycles", PMU_CORE, 0x76, 0x00, 0, CORE_COUNTERS_GENERAL, "core clocks while not halted",
	 CORE_ALL_RINGS, .limit = LIMIT_CLOCK},
	{"ref-cycles", PMU_CORE, 0x120, 0x01, 0, CORE_COUNTERS_GENERAL,
	 "clocks at the rate of the time stamp counter while not halted", CORE_ALL_RINGS,
	 .limit = LIMIT_CLOCK},
	{"tsc", PMU_CORE, 0x00, 0x00, 0, CORE_TSC, "the time stamp counter, which always runs", 1,
	 .limit = LIMIT_CLOCK},
	{.name = NULL},
};

const struct core_model core_amd = {
	.events = core_events, .layout = &control_amd_core, .identify = amd_core_identify};

/*
 * Events that AMD's processors from Zen 4 on share. Events of CXL ports are in the file of each
 * processor.
 *
 * Sources: names and codes from the kernel's pmu-events (amdzen4, amdzen5, amdzen6), if an event
 * has a name there. Events of CXL in the data fabric have none: their codes are from Intel
 * PerfSpect's Turin metrics and from Meta's dynolog, which agree on Turin; for Venice only dynolog
 * has codes (see venice.c).
 */

#define L3_ANY	UINT32_C(0x3F)
#define UMC_ANY UINT32_C(0x0F)

/*
 * Modifiers of L3 events. Latencies are sampled with all cores, slices and threads, and slice id 3:
 * without the slice id they read 0.
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

/* Fills of a CPU's L1D, by their source: bits of the umask, of which an event may have several. */
#define CORE_FILLS(name, code, of)                                                                 \
	AMD_CORE(name ".local_l2", code, 0x01, of "its L2"),                                       \
		AMD_CORE(name ".local_ccx", code, 0x02, of "its L3, or another L2 below it"),      \
		AMD_CORE(name ".near_cache", code, 0x04, of "another L3 of the same NUMA node"),   \
		AMD_CORE(name ".dram_io_near", code, 0x08,                                         \
			 of "DRAM or MMIO of the same NUMA node"),                                 \
		AMD_CORE(name ".far_cache", code, 0x10, of "an L3 of another NUMA node"),          \
		AMD_CORE(name ".dram_io_far", code, 0x40, of "DRAM or MMIO of another NUMA node"), \
		AMD_CORE(name ".far_all", code, 0x50, of "an L3, DRAM or MMIO of another node"),   \
		AMD_CORE(name ".alternate_memories", code, 0x80, of "CXL memory")

/*
 * Fills of only the L1: lines that the L2's prefetcher has fetched come from the L2. On streams
 * fills from memory are far fewer than reads.
 *
 * Sources: amdzen4/cache.json, amdzen5/load-store.json and amdzen6/load-store.json, in which
 * alternate_memories is called alt_mem. The first has far_all only for fills of any kind; for
 * demand fills it has the two bits of which it consists.
 */
const struct event amd_fill_events[] = {
	CORE_FILLS("ls_dmnd_fills_from_sys", 0x43, "demand fills from "),
	CORE_FILLS("ls_any_fills_from_sys", 0x44, "fills from "),
	{.name = NULL},
};

static const struct pmu_type no_pmu_types[] = {{.name = NULL}};
static const struct formula core_formulas[] = {CORE_FORMULAS, {.metric = NULL}};

/* Rates of AMD's events. Source: the kernel's pmu-events (amdzen4, amdzen5, amdzen6). */
const struct sim_event_rate sim_amd_events[] = {
	{PMU_L3, 0xAD, 0x01, 0, 0xFFFF, RATE_NEAR_DRAM},
	{PMU_L3, 0xAC, 0x01, 0, 0xFFFF, RATE_NEAR_DRAM_LATENCY},
	{PMU_L3, 0xAD, 0x02, 0, 0xFFFF, RATE_FAR_DRAM},
	{PMU_L3, 0xAC, 0x02, 0, 0xFFFF, RATE_FAR_DRAM_LATENCY},
	{PMU_L3, 0xAD, 0x10, 0, 0xFFFF, RATE_NEAR_CXL},
	{PMU_L3, 0xAC, 0x10, 0, 0xFFFF, RATE_NEAR_CXL_LATENCY},
	{PMU_L3, 0xAD, 0x20, 0, 0xFFFF, RATE_FAR_CXL},
	{PMU_L3, 0xAC, 0x20, 0, 0xFFFF, RATE_FAR_CXL_LATENCY},
	{PMU_UMC, 0x00, 0x0F, 0, 0xFFFF, RATE_DCLK},
	{PMU_UMC, 0x0A, 0x03, 0, 0xFFFF, RATE_DRAM_READS},
	{PMU_UMC, 0x0A, 0x05, 0, 0xFFFF, RATE_DRAM_WRITES},
	{.counters = 0},
};

/* a model number that no processor has */
static const struct sim_model simulated = {
	.vendor = SIM_AMD,
	.family = 0x1A,
	.display_model = 0xFE,
	.no_uncore = true,
};

const struct model model_amd = {
	.name = "AMD processor",
	.short_name = "amd",
	.vendor = "AuthenticAMD",
	.units_by_cpuid = true,
	.core = &core_amd,
	.pmu_types = no_pmu_types,
	.formulas = core_formulas,
	.load_events = amd_load_events,
	.simulated = &simulated,
};
