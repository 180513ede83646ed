/* SPDX-License-Identifier: BSD-3-Clause */
/* What is said once, at the start, of values that are estimates, multiplexed, or missing. */
#include <string.h>

#include "metrics/view_private.h"

/* Whether a formula takes what a device was asked for in the place of what it has sent. */
static bool is_estimate(const struct formula *formula)
{
	return formula && formula->fallback && formula->source &&
	       strcmp(formula->source, "cpmu") != 0 && formula_event(formula, 0)->type == PMU_CPMU;
}

/* The formula of a cell that is an estimate; NULL: none. */
static const struct formula *find_estimate(const struct view *view, size_t r, size_t c)
{
	for (unsigned a = 0; a < ALTERNATIVES; a++)
		if (is_estimate(view_alternative(view, r, c, a)))
			return view_alternative(view, r, c, a);
	return NULL;
}

/* Once for all rows. */
static void report_estimates(const struct view *view, const struct selection *selection)
{
	const struct machine *m = selection->machine;

	for (size_t r = 0; r < view->row_count; r++)
		for (size_t c = 0; c < view->column_count; c++) {
			const struct formula *formula = find_estimate(view, r, c);

			if (!formula)
				continue;
			log_write(&m->platform->log, LEVEL_NOTE,
				  "%s of %s is estimated from %s: the data that it sends can't be "
				  "counted%s",
				  view->columns[c]->name, row_device_name(&view->rows[r]),
				  formula_event(formula, 0)->name,
				  m->pmus.count ? " by the kernel" : "");
			return;
		}
}

/* Once for each user-defined metric. */
static void report_multiplexed(const struct view *view, const struct selection *selection)
{
	for (size_t c = 0; c < view->column_count; c++)
		for (size_t r = 0; r < view_metric_rows(view); r++) {
			const struct formula *formula = view_alternative(view, r, c, 1);

			if (!formula || formula->number)
				continue;
			log_write(&selection->machine->platform->log, LEVEL_NOTE,
				  "%s: no counters for all its events at the same time: they are "
				  "multiplexed",
				  view->columns[c]->name);
			break;
		}
}

/* Once for a group, and for each user-defined metric. What devices lack is not missed. */
static void report_without_rows(const struct view *view, const struct selection *selection)
{
	const struct machine *m = selection->machine;
	const char *last = "";

	for (size_t c = 0; c < view->column_count; c++) {
		const struct metric *metric = view->columns[c];
		const bool custom = custom_metric_of(selection->options->custom, metric);
		const char *name = custom ? metric->name : metric->group;

		if (view_has_rows_of(selection->options, metric) || !strcmp(name, last) ||
		    (!custom && !m->cpmu_count))
			continue;
		log_write(&m->platform->log, LEVEL_NOTE,
			  "%s%s stays empty with --per=%s: it has values with --per=%s only",
			  custom ? "" : "group ", name, scope_names[view->finest],
			  scope_names[view_coarsest_scope(metric->scopes)]);
		last = name;
	}
}

static void report_unused(const struct selection *selection)
{
	const struct machine *m = selection->machine;

	for (size_t i = 0; i < selection->type_count; i++)
		if (selection->types[i] == PMU_CPMU && m->cpmu_error.code)
			log_write(&m->platform->log, LEVEL_NOTE, "left out: %s",
				  m->cpmu_error.text);
}

/* Where it is shown. */
static void report_wrong(const struct view *view, const struct selection *selection)
{
	const struct model *model = selection->machine->model;

	for (size_t c = 0; model->wrong_metric && c < view->column_count; c++)
		if (!strcmp(view->columns[c]->name, model->wrong_metric))
			log_write(&selection->machine->platform->log, LEVEL_WARNING,
				  "%s is wrong on this processor: %s", model->wrong_metric,
				  model->wrong_why);
}

void view_report(const struct view *view, const struct selection *selection)
{
	view_report_left_out(selection);
	report_unused(selection);
	report_without_rows(view, selection);
	report_estimates(view, selection);
	report_multiplexed(view, selection);
	report_wrong(view, selection);
}
