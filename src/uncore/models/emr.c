/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Emerald Rapids: the uncore of Sapphire Rapids. Its event list (emr_events.c) has all of that
 * processor's events, and those of the CXL expander classes.
 */
#include "uncore/models/models.h"

/*
 * It is not documented whether reads of a memory expander are of class CXL_EXP_LOCAL or CXL_ACC:
 * both are measured, and the class with inserts is used.
 */
static const struct formula emr_formulas[] = {
	LATENCY("cxl_read_latency_ns", "DRD_CXL_EXP_LOCAL", "exp_local"),
	LATENCY("cxl_read_latency_ns", "DRD_CXL_ACC", "acc"),
	SPR_FORMULAS,
	DRAM_BYTES("dram_read_MBps", "UNC_M_CAS_COUNT.RD"),
	DRAM_BYTES("dram_write_MBps", "UNC_M_CAS_COUNT.WR"),
	TOR_BYTES("cxl_mem_read_MBps", false, "UNC_CHA_TOR_INSERTS.IA_MISS_RFO_CXL_EXP_LOCAL",
		  "UNC_CHA_TOR_INSERTS.IA_MISS_DRD_CXL_EXP_LOCAL",
		  "UNC_CHA_TOR_INSERTS.IA_MISS_LLCPREFRFO_CXL_EXP_LOCAL",
		  "UNC_CHA_TOR_INSERTS.IA_MISS_RFO_PREF_CXL_EXP_LOCAL",
		  "UNC_CHA_TOR_INSERTS.IA_MISS_DRD_PREF_CXL_EXP_LOCAL",
		  "UNC_CHA_TOR_INSERTS.IA_MISS_LLCPREFDATA_CXL_EXP_LOCAL",
		  "UNC_CHA_TOR_INSERTS.RRQ_MISS_INVXTOM_CXL_EXP_LOCAL",
		  "UNC_CHA_TOR_INSERTS.RRQ_MISS_RDCUR_CXL_EXP_LOCAL",
		  "UNC_CHA_TOR_INSERTS.RRQ_MISS_RDCODE_CXL_EXP_LOCAL",
		  "UNC_CHA_TOR_INSERTS.RRQ_MISS_RDDATA_CXL_EXP_LOCAL",
		  "UNC_CHA_TOR_INSERTS.RRQ_MISS_RDINVOWN_OPT_CXL_EXP_LOCAL"),
	{.metric = NULL},
};

const struct model model_emr = {
	.name = "Emerald Rapids",
	.short_name = "emr",
	.family = 6,
	.display_model = 0xCF,
	.perf_kernel = "6.11",
	.global_freeze_msr = 0x2FF0,
	.boxes = spr_boxes,
	.events = emr_events,
	.formulas = emr_formulas,
};
