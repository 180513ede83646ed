/* SPDX-License-Identifier: BSD-3-Clause */
/* What AMD's processors have in common, and those from Zen 4 on without a table: core PMU only. */
#include "uncore/models/amd_models_private.h"
#include "uncore/units/amd_unit.h"

/* PerfMonV2: an event has 14 bits, a umask 12. */
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
	/* the kernel's amd_uncore_umc_read(): these counters do not roll over; FreeBSD's hwpmc: the
	 * clock of a channel's counters is gated */
	{.type = PMU_UMC,
	 .name = "umc",
	 .layout = &control_amd_umc,
	 .no_wrap = true,
	 .gated = true,
	 .enable = AMD_UMC_CTL_ENABLE},
	{.name = NULL},
};

/*
 * The kernel's amd_zen4_perfmon_event_map (events/amd/core.c). ref-cycles is
 * ls_not_halted_p0_cyc.p0_freq_cyc: clocks at the rate of P0, which is that of the time stamp
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

static const struct pmu_type no_pmu_types[] = {{.name = NULL}};
static const struct formula core_formulas[] = {CORE_FORMULAS, {.metric = NULL}};

/* The kernel's pmu-events (amdzen4, amdzen5, amdzen6). */
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

/* a number that no processor has */
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
