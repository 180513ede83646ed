/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sierra Forest: the uncore of Granite Rapids with other cores, whose requests have other names.
 * Its published CXLCM and CXLDP events are identical.
 */
#include "uncore/models/models_private.h"

/*
 * Formulas for its cores, which issue DRD_OPT; no occupancy events by DRAM class are published for
 * it.
 */
static const struct formula srf_formulas[] = {
	GNR_MEM_FORMULAS,
	SRF_LATENCY_FORMULAS,
	E_CORE_STALL_FORMULAS,
	E_CORE_LOAD_FORMULAS,
	E_CORE_LOADS_FROM("lfb", "MEM_LOAD_UOPS_RETIRED.WCB_HIT"),
	E_CORE_KINDS,
	GNR_CACHE_FORMULAS,
	{.metric = NULL},
};

static const struct sim_model simulated = {
	SIM_GNR_UNCORE(SIM_IMC_GNR),
	.kernel = SIM_KERNEL(6, 8),
	.read_kinds = true,
	.load_stalls = 0xFF,
	.events = SIM_EVENTS(sim_intel_events, sim_cache_data_events, sim_gnr_events,
			     sim_drd_opt_events, sim_kind_events),
};

const struct model model_srf = {
	.name = "Sierra Forest",
	.short_name = "srf",
	.measured = "bandwidth, latency of CXL, DRAM, cores",
	.family = 6,
	.display_model = 0xAF,
	.perf_kernel = "6.14",
	.pmu_types = gnr_pmu_types,
	.events = EVENTS(intel_events),
	.load_events = intel_load_latencies,
	.event_list = SRF,
	.formulas = srf_formulas,
	.simulated = &simulated,
};
