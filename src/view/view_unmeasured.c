/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/view_unmeasured.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "uncore/discovery/discovery.h"
#include "view/view_columns.h"
#include "view/view_select.h"

static bool has_unit(const struct machine *m, uint16_t type)
{
	const struct unit *unit;

	for (size_t i = 0; (unit = machine_unit(m, type, i)); i++)
		if (unit->type == type)
			return true;
	return false;
}

/* Writes the reason why the machine shows no unit of a type. */
static void say_no_unit(const struct machine *m, const char *type, char why[UNMEASURED_WHY_SIZE])
{
	if (m->pmus.count || m->model->kernel_counts)
		snprintf(why, UNMEASURED_WHY_SIZE, "the kernel shows no PMU of %s", type);
	else if (m->model->units_by_cpuid)
		snprintf(why, UNMEASURED_WHY_SIZE, "CPUID shows no counters of %s", type);
	else
		snprintf(why, UNMEASURED_WHY_SIZE, "the discovery tables list no %s unit", type);
}

/* Returns the first formula of a column whose events the processor counts; NULL: none. */
static const struct formula *formula_of_model(const struct selection *selection,
					      const struct metric *metric)
{
	const struct formula *formula;
	unsigned a = 0;

	while ((formula = view_formula(selection, metric, a)) &&
	       !model_pmu_type(selection->machine->model, formula_event(formula, 0)->type))
		a++;
	return formula;
}

/*
 * Writes the reason why a column cannot be measured. Returns true if the processor could count it.
 */
static bool find_reason(const struct view *view, const struct selection *selection, size_t c,
			char why[UNMEASURED_WHY_SIZE])
{
	const struct machine *m = selection->machine;
	const struct formula *formula = formula_of_model(selection, view->table.columns[c].metric);
	const struct pmu_type *type = NULL;
	const struct event *event;

	for (unsigned i = 0; formula && (event = formula_event(formula, i)); i++) {
		type = model_pmu_type(m->model, event->type);
		if (type && !has_unit(m, event->type)) {
			say_no_unit(m, type->name, why);
			return true;
		}
	}
	if (!type)
		snprintf(why, UNMEASURED_WHY_SIZE, "%s",
			 model_why_not(m->model, view->table.columns[c].metric->name));
	else if (!view->selective)
		snprintf(why, UNMEASURED_WHY_SIZE, "its events cannot be counted on %s units",
			 type->name);
	return type;
}

static bool is_expected(const struct view *view, const struct selection *selection, size_t c)
{
	const struct metric *metric = view->table.columns[c].metric;

	return metric_is_default(metric) && metric->kind == METRIC_NUMBER && metric->heading &&
	       !metric->extra && !metric->remote && view_has_rows_of(selection->options, metric);
}

/* Returns true if some column of the column's group can be measured. */
static bool group_is_known(const struct view *view, size_t column)
{
	for (size_t c = 0; c < view->table.column_count; c++)
		if (view->table.columns[c].metric->kind == METRIC_NUMBER &&
		    !view->table.columns[c].never_known &&
		    !strcmp(view->table.columns[c].metric->group,
			    view->table.columns[column].metric->group))
			return true;
	return false;
}

void view_find_unmeasured(struct view *view, const struct selection *selection)
{
	for (size_t c = 0; c < view->table.column_count; c++) {
		struct column *at = &view->table.columns[c];

		if (at->never_known && is_expected(view, selection, c))
			at->told = find_reason(view, selection, c, at->why) ||
				   !group_is_known(view, c);
		at->told &= *at->why != '\0';
	}
}

void view_list_unmeasured(const struct view *view, bool all, char text[UNMEASURED_TEXT_SIZE])
{
	const struct column *last = NULL;

	text[0] = '\0';
	for (size_t c = 0; c < view->table.column_count; c++) {
		const struct column *at = &view->table.columns[c];
		const char *name = at->metric->name;

		if (!*at->why || !(all || at->told))
			continue;
		if (last && !strcmp(last->why, at->why))
			text_list(text, UNMEASURED_TEXT_SIZE, "%s", name);
		else if (last)
			text_append(text, UNMEASURED_TEXT_SIZE, " (%s); %s", last->why, name);
		else
			text_list(text, UNMEASURED_TEXT_SIZE, "%s", name);
		last = at;
	}
	if (last)
		text_append(text, UNMEASURED_TEXT_SIZE, " (%s)", last->why);
}
