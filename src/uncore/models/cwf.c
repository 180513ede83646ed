/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clearwater Forest. Only its events are published (intel_events.c), and they are identical to
 * Sierra Forest's; so it has the PMU types of Granite Rapids, and its units are also frozen one by
 * one. Its cores have fewer events: none counts the stalls on all loads that missed the L3.
 *
 * No CACHE_DATA event is published or known, so CXL.cache bandwidth is unknown.
 */
#include "uncore/models/models_private.h"

static const struct formula cwf_formulas[] = {
	GNR_MEM_FORMULAS,     SRF_LATENCY_FORMULAS, E_CORE_CACHE_STALLS,
	E_CORE_LOAD_FORMULAS, E_CORE_KINDS,	    {.metric = NULL},
};

static const struct sim_model simulated = {
	SIM_GNR_UNCORE(SIM_IMC_GNR),
	.kernel = SIM_KERNEL(6, 12),
	.read_kinds = true,
	.load_stalls = 0x1F,
	.events = SIM_EVENTS(sim_intel_events, sim_gnr_events, sim_drd_opt_events, sim_kind_events),
};

const struct model model_cwf = {
	.name = "Clearwater Forest",
	.short_name = "cwf",
	.measured = "as Sierra Forest, but without CXL.cache",
	.family = 6,
	.display_model = 0xDD,
	.perf_kernel = "6.14",
	.pmu_types = gnr_pmu_types,
	.events = EVENTS(intel_events),
	.load_events = intel_load_latencies,
	.event_list = CWF,
	.formulas = cwf_formulas,
	.simulated = &simulated,
};
