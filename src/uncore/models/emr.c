/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Emerald Rapids: the uncore of Sapphire Rapids. Its event list (intel_events.c) has all of that
 * processor's events, and events of the CXL expander classes.
 */
#include "uncore/models/models_private.h"

/*
 * Formulas with both classes that reads of a memory expander may have, CXL_ACC and CXL_EXP_LOCAL:
 * both are measured, and the one with inserts is used. An 8592+ with an expander of CXL 1.1 counts
 * them all in CXL_ACC; PCM counts the reads of CXL_EXP_LOCAL.
 */
#define ALL_EXP_LOCAL "(" DATA("CXL_EXP_LOCAL") ")"
static const struct formula emr_formulas[] = {
	DRD_LATENCY_FORMULAS(SPR_LEAK_NS),
	SPR_FORMULAS,
	LINES("dram_read_MBps", "UNC_M_CAS_COUNT.RD"),
	LINES("dram_write_MBps", "UNC_M_CAS_COUNT.WR"),
	TOR_ACC_BYTES("cxl_mem_read_MBps", true),
	TOR_BYTES("cxl_mem_read_MBps", "tor_exp_local", false, true,
		  "UNC_CHA_TOR_INSERTS.IA_MISS_RFO_CXL_EXP_LOCAL"
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_DRD_CXL_EXP_LOCAL"
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_LLCPREFRFO_CXL_EXP_LOCAL"
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_RFO_PREF_CXL_EXP_LOCAL"
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_DRD_PREF_CXL_EXP_LOCAL"
		  " + UNC_CHA_TOR_INSERTS.IA_MISS_LLCPREFDATA_CXL_EXP_LOCAL"
		  " + UNC_CHA_TOR_INSERTS.RRQ_MISS_INVXTOM_CXL_EXP_LOCAL"
		  " + UNC_CHA_TOR_INSERTS.RRQ_MISS_RDCUR_CXL_EXP_LOCAL"
		  " + UNC_CHA_TOR_INSERTS.RRQ_MISS_RDCODE_CXL_EXP_LOCAL"
		  " + UNC_CHA_TOR_INSERTS.RRQ_MISS_RDDATA_CXL_EXP_LOCAL"
		  " + UNC_CHA_TOR_INSERTS.RRQ_MISS_RDINVOWN_OPT_CXL_EXP_LOCAL"),
	KINDS_OF_ACC(UNKNOWN_IF_0(ALL_ACC)),
	KINDS("CXL_EXP_LOCAL", ALL_EXP_LOCAL, UNKNOWN_IF_0(ALL_EXP_LOCAL)),
	{.metric = NULL},
};

static const struct sim_model simulated = {
	SIM_SPR_UNCORE,
	.cha_count_is_0 = true,
	.kernel = SIM_KERNEL(6, 2),
	.events = SIM_EVENTS(sim_intel_events, sim_cache_data_events, sim_spr_events,
			     sim_drd_events, sim_kind_events),
};

const struct model model_emr = {
	.name = "Emerald Rapids",
	.short_name = "emr",
	.measured = SPR_MEASURED,
	.family = 6,
	.display_model = 0xCF,
	.perf_kernel = "6.11",
	.chas_may_not_exist = true,
	.packages = &spr_packages,
	.global_freeze_msr = 0x2FF0,
	.offcore_rsp_bits = OFFCORE_RSP_BITS,
	.candidate_reads = SPR_CANDIDATE_READS,
	.unreliable_metric = "cxl_cache_d2h_MBps",
	.pmu_types = spr_pmu_types,
	.events = EVENTS(intel_events),
	.load_events = intel_load_events,
	.event_list = EMR,
	.formulas = emr_formulas,
	.simulated = &simulated,
};
