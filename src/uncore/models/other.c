/* SPDX-License-Identifier: BSD-3-Clause */
/* A processor of any other vendor: neither its uncore nor its core PMU is known. */
#include <errno.h>

#include "uncore/models/models.h"

static int no_core_pmu(struct platform *p, unsigned cpu, struct core_pmu_info *out,
		       struct error *err)
{
	(void)p;
	(void)cpu;
	*out = (struct core_pmu_info){.general = 0};
	return error_set(err, EXIT_NO_UNIT, -ENODEV,
			 "cxlmon does not know the counters of this processor's CPUs");
}

static const struct event no_events[] = {{.name = NULL}};
static const struct control_layout no_layout;
static const struct core_model no_core = {
	.events = no_events, .layout = &no_layout, .identify = no_core_pmu};
static const struct box no_boxes[] = {{.name = NULL}};
static const struct formula no_formulas[] = {{.metric = NULL}};

const struct model model_other = {
	.name = "unknown processor",
	.short_name = "other",
	.core = &no_core,
	.boxes = no_boxes,
	.events = no_events,
	.formulas = no_formulas,
};
