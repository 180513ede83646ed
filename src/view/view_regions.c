/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/view_regions.h"

#include <errno.h>

static int open_counters(struct view *view, struct selection *selection, struct error *err)
{
	const struct machine *m = selection->machine;
	const int rc = region_source_open(&view->sources.regions, m->platform, &m->topology, err);

	selection->regions_tried = true;
	selection->regions = !rc;
	return rc;
}

/* Logs the reason; most machines do not have these counters, which is not logged. */
static int say_why_not(const struct selection *selection, const struct error *why,
		       struct error *err)
{
	if (why->code == -ENOMEM)
		return error_no_memory(err);
	if (why->code != -ENODEV)
		log_write(&selection->machine->platform->log, LEVEL_WARNING,
			  "group " REGION_GROUP " stays empty: %s", why->text);
	return 0;
}

int view_open_regions_instead(struct view *view, struct selection *selection, struct error *err)
{
	const struct formula *formula = formulas_find(selection->formulas, MBM_METRIC, 0);
	const bool counted = formula && formula->number <= selection->formulas->of_model;
	struct error why;

	if (counted || !open_counters(view, selection, &why))
		return 0;
	return say_why_not(selection, &why, err);
}

int view_open_regions(struct view *view, struct selection *selection, bool with_units,
		      struct error *err)
{
	bool wanted = false;
	struct error why;

	for (size_t c = 0; c < table_all_columns(&view->table); c++)
		wanted |= view->table.columns[c].metric->source == SOURCE_REGIONS;
	if (!wanted || selection->regions_tried || !open_counters(view, selection, &why))
		return 0;
	if (with_units)
		return say_why_not(selection, &why, err);
	*err = why;
	return why.code;
}
