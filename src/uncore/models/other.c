/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processors without a table. An Intel processor's core PMU is known; any other vendor's is not.
 * AMD's processors are in amd.c.
 */
#include <errno.h>

#include "uncore/models/models_private.h"

/* Intel SDM vol. 3B: fixed counters, and the architectural events equivalent to them */
static const struct event intel_core_events[] = {
	{"instructions", PMU_CORE, 0xC0, 0x00, 0, CORE_FIXED(0) | CORE_COUNTERS_GENERAL,
	 "instructions that retired", CORE_ALL_RINGS, .limit = LIMIT_RETIRED},
	{"cycles", PMU_CORE, 0x3C, 0x00, 0, CORE_FIXED(1) | CORE_COUNTERS_GENERAL,
	 "core clocks while not halted", CORE_ALL_RINGS, .limit = LIMIT_CLOCK},
	{"ref-cycles", PMU_CORE, 0x3C, 0x01, 0, CORE_FIXED(2),
	 "clocks at the rate of the time stamp counter while not halted", CORE_ALL_RINGS,
	 .limit = LIMIT_CLOCK},
	{"tsc", PMU_CORE, 0x00, 0x00, 0, CORE_TSC, "the time stamp counter, which always runs", 1,
	 .limit = LIMIT_CLOCK},
	{.name = NULL},
};
const struct core_model core_intel = {.events = intel_core_events,
				      .layout = &control_generic,
				      .has_any_thread = true,
				      .identify = core_pmu_identify};

static int no_core_pmu(struct platform *p, unsigned cpu, struct core_pmu_info *out,
		       struct error *err)
{
	(void)p;
	(void)cpu;
	*out = (struct core_pmu_info){.general = 0};
	return error_set(err, ERROR_NO_UNIT, -ENODEV,
			 "cxlmon does not know the counters of this processor's CPUs");
}

static const struct control_layout no_layout;
const struct core_model core_unknown = {.layout = &no_layout, .identify = no_core_pmu};
static const struct pmu_type no_pmu_types[] = {{.name = NULL}};
static const struct formula no_formulas[] = {{.metric = NULL}};

static const struct formula core_formulas[] = {CORE_FORMULAS, {.metric = NULL}};

/* a model number that no processor has */
static const struct sim_model simulated_intel = {
	.family = 6,
	.display_model = 0xFE,
	.no_uncore = true,
};
static const struct sim_model simulated_arm = {
	.name = "arm",
	.vendor = SIM_ARM,
	.no_uncore = true,
};

const struct model model_intel = {
	.name = "Intel processor",
	.short_name = "intel",
	.pmu_types = no_pmu_types,
	.load_events = intel_load_latencies,
	.formulas = core_formulas,
	.simulated = &simulated_intel,
};

const struct model model_other = {
	.name = "unknown processor",
	.short_name = "other",
	.core = &core_unknown,
	.pmu_types = no_pmu_types,
	.formulas = no_formulas,
	.simulated = &simulated_arm,
};
