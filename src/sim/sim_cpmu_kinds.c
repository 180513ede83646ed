/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Source: CXL specification 3.1 and (groups from 8001h on) 4.0, table 13-5. Which counters a device
 * has, and how they are set up, is up to its maker: these are made up.
 */
#include "sim/sim_cpmu.h"

#include <stddef.h>

#define VENDOR	UINT64_C(0x1E98)
#define ENABLED (UINT64_C(1) << 8)

#define GROUP(id, events) (VENDOR << 48 | UINT64_C(id) << 32 | (events))
#define SELECT(group, events)                                                                      \
	(UINT64_C(events) << 24 | UINT64_C(group) << 59) /* group: the number of the capability */

#define RUNNING(group, events) (SIM_CPMU_RUNNING | ENABLED | SELECT(group, events))
#define FIXED(group, events)   (SIM_CPMU_FIXED | SELECT(group, events))
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

#define BOTH (SIM_CPMU_WRITABLE | SIM_CPMU_FREEZE)

/* The first capability is of the fixed counter alone. */
static const uint64_t full_groups[] = {MEM_DATA, CLOCK,	  M2S_REQ, M2S_RWD,
				       S2M_NDR,	 S2M_DRS, DDR,	   SIM_CPMU_END};
static const uint64_t full_counters[] = {FIXED(0, 0x1), RUNNING(1, 0x1), ANY, ANY, ANY,
					 ANY,		SIM_CPMU_END};

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

/* Threshold 1: at least one event of a clock counts. */
#define ONE (UINT64_C(1) << 16)

/* Eight counters hold what each metric needs. */
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
		full_counters, full_groups, BOTH, .silent = true                                   \
	}

static const struct sim_cpmu_kind kinds[] = {
	{"full", {{full_counters, full_groups, BOTH}}},
	{"fixed", {{fixed_counters, fixed_groups, BOTH}}},
	{"one", {{one_counter, one_groups, BOTH}}},
	{"readonly", {{full_counters, full_groups, SIM_CPMU_FREEZE}}},
	{"nofreeze", {{full_counters, full_groups}}},
	/* not of the free-running one */
	{"overflow", {{full_counters, full_groups, BOTH, .overflow = 0x3D}}},
	{"filters", {{full_counters, full_groups, BOTH, .filters = 0x3}}},
	{"silent", {SILENT}},
	{"cxl4", {{cxl4_counters, cxl4_groups, BOTH}}},
	{"estimate", {{estimate_counters, estimate_groups, BOTH}}},
	{"two", {MEM, {two_counters, ddr_groups, BOTH}}},
	{"threshold", {{threshold_counters, full_groups, BOTH, .held = UINT64_C(0xFF) << 16}}},
	{"narrow", {{full_counters, full_groups, BOTH, .width = 24}}},
	{"part", {MEM, SILENT}},
	{"throttled", {{cxl4_counters, cxl4_groups, BOTH, .throttled_pct = 25}}},
	{"precharge", {{cxl4_counters, precharge_groups, BOTH, .precharge_pct = 40}}},
	{"contained",
	 {{cxl4_counters, precharge_groups, BOTH, .precharge_pct = 40,
	   .contains_precharge = true}}},
	{"zero", {{full_counters, full_groups, BOTH, .counts_nothing = true}}},
};

const struct sim_cpmu_kind *sim_cpmu_kind(unsigned n)
{
	return n < sizeof(kinds) / sizeof(kinds[0]) ? &kinds[n] : NULL;
}
