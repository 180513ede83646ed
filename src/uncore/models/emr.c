/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Emerald Rapids: Sapphire Rapids' uncore. Its published CXLCM and CXLDP events
 * (emeraldrapids_uncore and emeraldrapids_uncore_experimental) are the same, row by row.
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
	.events = spr_events,
	.formulas = spr_formulas,
};
