/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sierra Forest: Granite Rapids' uncore around other cores, whose requests have other names. Its
 * published CXLCM and CXLDP events are the same, row by row.
 */
#include "uncore/models/models.h"

/* Its cores issue DRD_OPT: no list has classes of DRAM reads with occupancy for them. */
static const struct formula srf_formulas[] = {
	GNR_MEM_FORMULAS,
	GNR_CACHE_FORMULAS,
	{.metric = NULL},
};

const struct model model_srf = {
	.name = "Sierra Forest",
	.short_name = "srf",
	.family = 6,
	.display_model = 0xAF,
	.boxes = gnr_boxes,
	.events = srf_events,
	.formulas = srf_formulas,
};
