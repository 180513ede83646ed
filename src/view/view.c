/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sets up a view with the other files of this folder, which fill the struct view of view.h;
 * values.c computes its values.
 */
#include "view/view.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "formula/program.h"
#include "view/view_columns.h"
#include "view/view_events.h"
#include "view/view_rows.h"
#include "view/view_select.h"
#include "view/view_terms.h"
#include "view/view_unmeasured.h"

/*
 * Returns the text of a source column: the source of the first formula of its metric that this
 * machine can count.
 */
static const char *source_of(const struct view *view, size_t r, size_t column)
{
	for (unsigned a = 0; column < view->table.column_count && a < ALTERNATIVES; a++) {
		const struct formula *formula = view_alternative(view, r, column, a);

		if (formula)
			return formula->source ? formula->source : "";
	}
	return "";
}

static int make_cell(struct view *view, const struct selection *selection, size_t r, size_t c)
{
	struct row *row = &view->table.rows[r];
	const struct metric *metric = view->table.columns[c].metric;
	struct alternative *alternatives =
		&view->alternatives[(r * table_all_columns(&view->table) + c) * ALTERNATIVES];
	bool counted = false;
	int rc = 0;

	row->values[c] = value_unknown;
	if (metric->kind == METRIC_SOURCE)
		row->values[c].text = source_of(view, r, view->table.columns[c].source_of);
	for (unsigned a = 0; !rc && metric->kind == METRIC_NUMBER && a < ALTERNATIVES; a++) {
		const struct formula *formula = view_row_formula(view, selection, row, metric, a);

		if (formula && ((formula->fallback && counted) ||
				(formula->only_compared && !(counted && selection->compare_dram))))
			continue;
		rc = view_make_alternative(view, selection, row, c, a, &alternatives[a]);
		counted |= alternatives[a].formula != NULL;
	}
	return rc;
}

/* Makes all cells. Cells with a program come after the cells that it may name. */
static int fill_cells(struct view *view, const struct selection *selection)
{
	const size_t columns = table_all_columns(&view->table),
		     cells = view->table.row_count * columns;
	int rc = 0;

	view->request_count = view->terms_count = 0;
	memset(view->alternatives, 0, cells * ALTERNATIVES * sizeof(*view->alternatives));
	for (size_t i = 0; !rc && i < cells; i++)
		if (!view->table.columns[i % columns].metric->program)
			rc = make_cell(view, selection, i / columns, i % columns);
	for (size_t i = 0; !rc && i < cells; i++)
		if (view->table.columns[i % columns].metric->program)
			rc = make_cell(view, selection, i / columns, i % columns);
	return rc;
}

static void add_used(struct formula_list *list, const struct formula *formula)
{
	size_t i = 0;

	while (i < list->count && list->items[i] != formula)
		i++;
	if (formula && i == list->count && i < COLUMN_FORMULAS)
		list->items[list->count++] = formula;
}

/* Returns the formula by which a source shows a number; NULL: counters have it, or it is a text. */
static const struct formula *formula_of_source(const struct metric *metric)
{
	if (metric_is_counted(metric) || metric->kind != METRIC_NUMBER)
		return NULL;
	if (metric->source == SOURCE_REGIONS)
		return &region_rate;
	if (metric->source == SOURCE_GROUPS)
		return &group_stall;
	return metric->family.counter ? &source_rate : &source_level;
}

static void find_used(struct view *view)
{
	const size_t columns = table_all_columns(&view->table);

	for (size_t i = 0; i < view->table.row_count * columns * ALTERNATIVES; i++)
		add_used(&view->table.columns[i / ALTERNATIVES % columns].formulas,
			 view->alternatives[i].formula);
	for (size_t c = 0; c < columns; c++)
		add_used(&view->table.columns[c].formulas,
			 formula_of_source(view->table.columns[c].metric));
	if (view->mbm_column < columns)
		add_used(&view->table.columns[view->mbm_column].formulas, &mbm_rate);
}

/*
 * Makes the cells. CPMUs count parts of sums separately, and events that are only compared, if they
 * have enough counters. Events of -e also take counters, and their number is unknown as yet.
 */
static int make_cells(struct view *view, struct selection *selection, struct error *err)
{
	const size_t columns = table_all_columns(&view->table),
		     cells = view->table.row_count * columns;

	view->alternatives = calloc(cells * ALTERNATIVES, sizeof(*view->alternatives));
	if (!view->alternatives || table_make_values(&view->table))
		return error_no_memory(err);
	bool fits = false;
	for (unsigned left = selection->options->event_count ? 1 : 4; !fits && left--;) {
		selection->split_sums = left & 2;
		selection->compare_dram = left & 1;
		if (fill_cells(view, selection))
			return error_no_memory(err);
		fits = view_cpmus_fit(view);
	}
	find_used(view);
	return table_make_inputs(&view->table) ? error_no_memory(err) : 0;
}

/* Makes the columns' cells: selects units, opens them, and makes rows for those that are open. */
static int make_metrics(struct view *view, struct selection *selection, struct error *err)
{
	int rc = 0;

	if (!selection->nodes && !selection->devices)
		rc = view_check_devices(selection->machine, selection->options, err);
	if (!rc)
		rc = view_check_columns(view, selection, err);
	if (!rc && selection->columns.need_ports)
		rc = view_select_ports(selection, err);
	if (!rc)
		rc = view_open_ports(selection, err);
	if (!rc)
		rc = view_open_units(selection, err);
	if (rc)
		return rc;
	view_prepare_events(selection);
	view_report_unfit(selection);
	view_choose_latency(view, selection);
	rc = view_make_rows(view, selection, err);
	if (!rc)
		rc = make_cells(view, selection, err);
	if (rc)
		return rc;
	view_find_never_known(view, selection);
	if (!selection->options->event_count)
		rc = view_check_values(view, selection, err);
	if (rc)
		return rc;
	view_find_unmeasured(view, selection);
	view_report(view, selection);
	return 0;
}

static int make_links(struct view *view, const struct machine *m, struct error *err)
{
	view->link_count = m->port_count + m->device_count;
	view->links = calloc(view->link_count + 1, sizeof(*view->links));
	if (!view->links)
		return error_no_memory(err);
	for (size_t i = 0; i < m->port_count; i++)
		view->links[i].device = m->ports[i].device;
	for (size_t i = 0; i < m->device_count; i++)
		view->links[m->port_count + i].device = &m->devices[i];
	return 0;
}

int view_make(struct machine *machine, const struct view_options *options, struct view *out,
	      struct error *err)
{
	struct selection selection = {.machine = machine, .options = options};
	const bool metrics = options->groups || (options->custom && options->custom->count);

	*out = (struct view){
		.table = {.model = machine->model->short_name, .memory = &machine->memory},
		.unsure_latency = machine->unsure_latency,
		.has_cpmus = machine->cpmu_count > 0,
		.finest = options->finest,
		.link_rate = options->link_rate,
		.selective = options->sockets || view_selects_ports(options),
		.mbm_column = SIZE_MAX,
		.sockets = options->sockets};
	selection.ports = calloc(machine->port_count + 1, sizeof(*selection.ports));
	selection.formulas = &out->formulas;
	int rc = selection.ports ? formulas_read(&out->formulas, machine->model, err)
				 : error_no_memory(err);

	if (!rc)
		rc = make_links(out, machine, err);
	if (!rc)
		rc = view_check_sockets(machine, options, err);
	if (!rc)
		rc = metrics ? view_choose_columns(out, &selection, err)
			     : view_check_devices(machine, options, err);
	if (!rc)
		rc = view_open_sources(out, &selection, err);
	if (!rc && sources_make_tallies(&out->sources, &out->table.tallies))
		rc = error_no_memory(err);
	if (!rc)
		sources_tally(&out->sources, &out->table.tallies);
	if (!rc && metrics)
		rc = make_metrics(out, &selection, err);
	if (!rc && options->event_count)
		rc = view_make_events(out, &selection, err);
	if (!rc && options->event_count && metrics)
		rc = view_check_values(out, &selection, err);
	free(selection.ports);
	free(selection.needed);
	free(selection.types);
	return rc;
}

void view_free(struct view *view)
{
	table_free(&view->table);
	sources_close(&view->sources);
	formulas_free(&view->formulas);
	free(view->counted);
	free(view->alternatives);
	free(view->terms);
	free(view->links);
	free(view->link_of_request);
	free(view->requests);
	*view = (struct view){.counted = NULL};
}

void view_bind(struct view *view, const struct plan *plan)
{
	view->counters = plan->counter_of_request;
}
