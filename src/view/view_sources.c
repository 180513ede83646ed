/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/view_sources.h"

#include <errno.h>

#include "view/view_select.h"

/* Returns true if some column has its values from a source. */
static bool has_column_of(const struct view *view, enum source_id source)
{
	for (size_t c = 0; c < table_all_columns(&view->table); c++)
		if (view->table.columns[c].metric->source == source)
			return true;
	return false;
}

static int open_regions(struct view *view, struct selection *selection, struct error *err)
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

	if (counted || !open_regions(view, selection, &why))
		return 0;
	return say_why_not(selection, &why, err);
}

int view_open_regions(struct view *view, struct selection *selection, bool with_units,
		      struct error *err)
{
	struct error why;

	if (!has_column_of(view, SOURCE_REGIONS) || selection->regions_tried ||
	    !open_regions(view, selection, &why))
		return 0;
	if (with_units)
		return say_why_not(selection, &why, err);
	*err = why;
	return why.code;
}

static int open_groups(struct view *view, const struct selection *selection, struct error *err)
{
	const struct view_options *options = selection->options;

	if (options->finest > SCOPE_PORT)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "metrics of '" GROUPS_GROUP "' exist for groups of tasks only: "
				 "expected --per=port");
	if (options->sockets || view_selects_ports(options))
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "groups of tasks are counted in all sockets together: expected no "
				 "--socket, --port, --device or --node");
	return group_source_open(&view->sources.groups, selection->machine->platform, err);
}

int view_open_groups(struct view *view, const struct selection *selection, bool with_units,
		     bool named, struct error *err)
{
	struct error why;

	if (!has_column_of(view, SOURCE_GROUPS) || !open_groups(view, selection, &why))
		return 0;
	if (why.code == -ENOMEM || !with_units) {
		*err = why;
		return why.code;
	}
	if (named)
		log_write(&selection->machine->platform->log, LEVEL_WARNING,
			  "group " GROUPS_GROUP " stays empty: %s", why.text);
	return 0;
}
