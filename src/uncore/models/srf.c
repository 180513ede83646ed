/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sierra Forest: Granite Rapids' uncore around other cores. Its published CXL events
 * (sierraforest_uncore) are the same, row by row.
 */
#include "uncore/models/models.h"

const struct model model_srf = {
	.name = "Sierra Forest",
	.short_name = "srf",
	.family = 6,
	.display_model = 0xAF,
	.boxes = gnr_boxes,
	.events = gnr_events,
	.formulas = gnr_formulas,
};
