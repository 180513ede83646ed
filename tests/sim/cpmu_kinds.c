/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CPMUs with made-up counters: their number and setup are up to a device's maker. Source of the
 * events: CXL specification 3.1 and (groups from 8001h on) 4.0, table 13-5.
 */
#include "tests/sim/cpmu_kinds.h"

#include <stddef.h>

#define GROUP(id, events)      SIM_CPMU_GROUP(id, events)
#define RUNNING(group, events) SIM_CPMU_RUNS(group, events)
#define FIXED(group, events)   SIM_CPMU_FIXES(group, events)
#define ANY		       SIM_CPMU_CONFIGURABLE

#define CLOCK	  GROUP(0x0000, 0x1)
#define M2S_REQ	  GROUP(0x0020, 0x71F)
#define M2S_RWD	  GROUP(0x0021, 0x236)
#define S2M_NDR	  GROUP(0x0024, 0xF)
#define S2M_DRS	  GROUP(0x0025, 0x7)
#define DDR	  GROUP(0x8000, 0x7F)
#define DDR_APART GROUP(0x8000, 0xC1FF)
#define MEM_DATA  GROUP(0x0025, 0x1)
#define MEM_WR	  GROUP(0x0021, 0x2)
#define CAS_READ  GROUP(0x8000, 0x4)
#define CAS_WRITE GROUP(0x8000, 0x8)

#define BOTH SIM_CPMU_BOTH

static const uint64_t fixed_groups[] = {MEM_DATA, MEM_WR, CAS_READ, CAS_WRITE, SIM_CPMU_END};
static const uint64_t fixed_counters[] = {FIXED(0, 0x1), FIXED(1, 0x2), FIXED(2, 0x4),
					  FIXED(3, 0x8), SIM_CPMU_END};

static const uint64_t one_groups[] = {M2S_REQ, M2S_RWD, S2M_NDR, S2M_DRS, DDR, SIM_CPMU_END};
static const uint64_t one_counter[] = {ANY, SIM_CPMU_END};

static const uint64_t estimate_groups[] = {CLOCK, M2S_REQ, M2S_RWD, S2M_NDR, DDR, SIM_CPMU_END};
static const uint64_t estimate_counters[] = {RUNNING(0, 0x1), ANY, ANY, ANY, ANY, SIM_CPMU_END};

static const uint64_t cxl4_groups[] = {CLOCK,
				       M2S_REQ,
				       M2S_RWD,
				       S2M_NDR,
				       S2M_DRS,
				       DDR,
				       GROUP(0x8001, 0x7),
				       GROUP(0x8002, 0x3),
				       GROUP(0x8003, 0xF),
				       GROUP(0x8004, 0x3),
				       SIM_CPMU_END};
static const uint64_t cxl4_counters[] = {RUNNING(0, 0x1), ANY, ANY, ANY, ANY, ANY, ANY, ANY, ANY,
					 SIM_CPMU_END};

/* Threshold 1: clocks with at least one event count. */
#define ONE (UINT64_C(1) << 16)

/* Groups whose events for each metric fit on eight counters. */
static const uint64_t precharge_groups[] = {CLOCK,   M2S_REQ,	M2S_RWD,     S2M_NDR,
					    S2M_DRS, DDR_APART, SIM_CPMU_END};

static const uint64_t threshold_counters[] = {FIXED(0, 0x1) | ONE, RUNNING(1, 0x1), ANY | ONE,
					      ANY | ONE,	   ANY | ONE,	    ANY | ONE,
					      SIM_CPMU_END};

static const uint64_t mem_groups[] = {CLOCK, M2S_REQ, M2S_RWD, S2M_NDR, S2M_DRS, SIM_CPMU_END};
static const uint64_t ddr_groups[] = {CLOCK, DDR, SIM_CPMU_END};
static const uint64_t four_counters[] = {RUNNING(0, 0x1), ANY, ANY, ANY, ANY, SIM_CPMU_END};
static const uint64_t two_counters[] = {RUNNING(0, 0x1), ANY, ANY, SIM_CPMU_END};

#define MEM                                                                                        \
	{                                                                                          \
		four_counters, mem_groups, BOTH                                                    \
	}
#define SILENT                                                                                     \
	{                                                                                          \
		sim_cpmu_counters, sim_cpmu_groups, BOTH, .silent = true                           \
	}

enum {
	KIND_FULL,
	KIND_FIXED,
	KIND_ONE,
	KIND_READONLY,
	KIND_NOFREEZE,
	KIND_OVERFLOW,
	KIND_FILTERS,
	KIND_SILENT,
	KIND_CXL4,
	KIND_ESTIMATE,
	KIND_TWO,
	KIND_THRESHOLD,
	KIND_NARROW,
	KIND_PART,
	KIND_THROTTLED,
	KIND_PRECHARGE,
	KIND_CONTAINED,
	KIND_ZERO,
	KINDS
};

const char *const cpmu_kind_names[] = {
	[KIND_FULL] = "full",
	[KIND_FIXED] = "fixed",
	[KIND_ONE] = "one",
	[KIND_READONLY] = "readonly",
	[KIND_NOFREEZE] = "nofreeze",
	[KIND_OVERFLOW] = "overflow",
	[KIND_FILTERS] = "filters",
	[KIND_SILENT] = "silent",
	[KIND_CXL4] = "cxl4",
	[KIND_ESTIMATE] = "estimate",
	[KIND_TWO] = "two",
	[KIND_THRESHOLD] = "threshold",
	[KIND_NARROW] = "narrow",
	[KIND_PART] = "part",
	[KIND_THROTTLED] = "throttled",
	[KIND_PRECHARGE] = "precharge",
	[KIND_CONTAINED] = "contained",
	[KIND_ZERO] = "zero",
	[KINDS] = NULL,
};

/* CPMUs of each kind; a list ends with one without configurations. */
static const struct sim_cpmu_block kinds[KINDS][SIM_CPMU_BLOCKS] = {
	[KIND_FULL] = {{sim_cpmu_counters, sim_cpmu_groups, BOTH}},
	[KIND_FIXED] = {{fixed_counters, fixed_groups, BOTH}},
	[KIND_ONE] = {{one_counter, one_groups, BOTH}},
	[KIND_READONLY] = {{sim_cpmu_counters, sim_cpmu_groups, SIM_CPMU_FREEZE}},
	[KIND_NOFREEZE] = {{sim_cpmu_counters, sim_cpmu_groups}},
	/* all counters except the free-running one */
	[KIND_OVERFLOW] = {{sim_cpmu_counters, sim_cpmu_groups, BOTH, .overflow = 0x3D}},
	[KIND_FILTERS] = {{sim_cpmu_counters, sim_cpmu_groups, BOTH, .filters = 0x3}},
	[KIND_SILENT] = {SILENT},
	[KIND_CXL4] = {{cxl4_counters, cxl4_groups, BOTH}},
	[KIND_ESTIMATE] = {{estimate_counters, estimate_groups, BOTH}},
	[KIND_TWO] = {MEM, {two_counters, ddr_groups, BOTH}},
	[KIND_THRESHOLD] = {{threshold_counters, sim_cpmu_groups, BOTH,
			     .held = UINT64_C(0xFF) << 16}},
	[KIND_NARROW] = {{sim_cpmu_counters, sim_cpmu_groups, BOTH, .width = 24}},
	[KIND_PART] = {MEM, SILENT},
	[KIND_THROTTLED] = {{cxl4_counters, cxl4_groups, BOTH, .throttled_pct = 25}},
	[KIND_PRECHARGE] = {{cxl4_counters, precharge_groups, BOTH, .precharge_pct = 40}},
	[KIND_CONTAINED] = {{cxl4_counters, precharge_groups, BOTH, .precharge_pct = 40,
			     .contains_precharge = true}},
	[KIND_ZERO] = {{sim_cpmu_counters, sim_cpmu_groups, BOTH, .counts_nothing = true}},
};

const struct sim_cpmu_block *cpmu_kind_blocks(unsigned kind)
{
	return kind < KINDS ? kinds[kind] : NULL;
}
