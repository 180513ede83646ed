/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Clearwater Forest. Only its events are published (cwf_events.c), and they are Sierra Forest's,
 * row by row; so its box types are taken from Granite Rapids', and its units, too, are frozen one
 * by one.
 *
 * No CACHE_DATA event is published for it, and nobody is known to program one: what CXL.cache moves
 * stays unknown.
 */
#include "uncore/models/models.h"

static const struct formula cwf_formulas[] = {
	GNR_MEM_FORMULAS,
	{.metric = NULL},
};

const struct model model_cwf = {
	.name = "Clearwater Forest",
	.short_name = "cwf",
	.family = 6,
	.display_model = 0xDD,
	.boxes = gnr_boxes,
	.events = cwf_events,
	.formulas = cwf_formulas,
};
