/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Emerald Rapids: Sapphire Rapids' uncore. Its list (emr_events.c) has all of that one's events and
 * those of CXL expanders.
 */
#include "uncore/models/models.h"

const struct model model_emr = {
	.name = "Emerald Rapids",
	.short_name = "emr",
	.family = 6,
	.display_model = 0xCF,
	.global_freeze_msr = 0x2FF0,
	.clock_event = "UNC_CXLDP_CLOCKTICKS",
	.boxes = spr_boxes,
	.events = emr_events,
	.formulas = spr_formulas,
};
