/* SPDX-License-Identifier: BSD-3-Clause */
/* Any other Intel processor: core PMU only, no uncore units. */
#include "uncore/models/models.h"

static const struct box no_boxes[] = {{.name = NULL}};
static const struct event no_events[] = {{.name = NULL}};
static const struct formula core_formulas[] = {CORE_FORMULAS, {.metric = NULL}};

const struct model model_intel = {
	.name = "Intel processor",
	.short_name = "intel",
	.boxes = no_boxes,
	.events = no_events,
	.formulas = core_formulas,
};
