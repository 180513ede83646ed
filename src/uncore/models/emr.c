/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Emerald Rapids: Sapphire Rapids' uncore. Its list (emr_events.c) has all of that one's events and
 * those of CXL expanders.
 */
#include "uncore/models/models.h"

/*
 * Whether a memory expander's reads are of the class CXL_EXP_LOCAL or CXL_ACC is documented
 * nowhere: both are measured, and the one that has inserts is taken.
 */
static const struct formula emr_formulas[] = {
	LATENCY("cxl_read_latency_ns", "DRD_CXL_EXP_LOCAL", "exp_local"),
	LATENCY("cxl_read_latency_ns", "DRD_CXL_ACC", "acc"),
	SPR_FORMULAS,
	{.metric = NULL},
};

const struct model model_emr = {
	.name = "Emerald Rapids",
	.short_name = "emr",
	.family = 6,
	.display_model = 0xCF,
	.global_freeze_msr = 0x2FF0,
	.clock_event = "UNC_CXLDP_CLOCKTICKS",
	.boxes = spr_boxes,
	.events = emr_events,
	.formulas = emr_formulas,
};
