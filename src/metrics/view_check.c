/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether this machine can measure what a view is to show. */
#include <errno.h>
#include <stdlib.h>

#include "metrics/view_private.h"

/* The user's words for what was asked for. */
static const char *asked_for(const struct view_options *options)
{
	return options->groups ? options->groups : options->custom->items[0]->name;
}

static bool has_device_rows(const struct selection *selection)
{
	return selection->columns.of_devices && view_has_device_rows(selection);
}

static int expected_ports(const struct selection *selection, struct error *err)
{
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "metrics of '%s' exist for ports and devices only: expected --per=port",
			 asked_for(selection->options));
}

/* Whether devices alone can count what rows of ports have, and no other rows have a column. */
static bool only_of_devices(const struct selection *selection)
{
	return selection->columns.scopes == 1U << SCOPE_PORT && !selection->columns.of_ports;
}

static int expected_finer(const struct selection *selection, struct error *err)
{
	if (only_of_devices(selection))
		return expected_ports(selection, err);
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "'%s' has no values with --per=%s: expected --per=%s",
			 asked_for(selection->options), scope_names[selection->options->finest],
			 scope_names[view_coarsest_scope(selection->columns.scopes)]);
}

static int no_port(const struct machine *m, struct error *err)
{
	if (m->model->units_by_cpuid)
		return error_set(err, EXIT_NO_UNIT, -ENODEV,
				 "%s: no event is published that counts CXL bandwidth on this "
				 "processor; -m latency,dram,core can be measured",
				 m->model->name);
	return error_set(err, EXIT_NO_UNIT, -ENODEV,
			 "%s: its discovery tables list %zu uncore units, but no CXL port; ports "
			 "appear when firmware trains a link in CXL mode",
			 m->model->name, m->discovery.unit_count);
}

/* Where no event list is published, there is no formula either, but for cores. */
static int check_formulas(const struct view *view, const struct selection *selection,
			  struct error *err)
{
	const struct model *model = selection->machine->model;

	if (model->events || !model->pmu_types->name || selection->machine->cpmu_count ||
	    selection->nodes)
		return 0;
	for (size_t c = 0; c < view->column_count; c++) {
		const struct formula *formula = view_formula(selection, view->columns[c], 0);

		if (formula && formula->number <= selection->formulas->of_model)
			return 0;
	}
	error_set(err, EXIT_NO_UNIT, -ENOTSUP,
		  "%s: no event list is published for this processor, so only cores (-m core) and "
		  "raw events can be measured, as -e cxlcm/event=N,umask=N,port_en=N/",
		  model->name);
	error_hint(err, "cxlmon info");
	return -ENOTSUP;
}

/* Whether there are units for some column. */
static int check_units(struct selection *selection, struct error *err)
{
	const struct machine *m = selection->machine;
	const bool devices = has_device_rows(selection);
	const enum scope coarsest = view_coarsest_scope(selection->columns.scopes);

	if (coarsest == SCOPE_COUNT)
		return 0;
	if (only_of_devices(selection) && selection->nodes)
		return 0;
	if (only_of_devices(selection) && !m->cpmu_count)
		return view_no_cpmu(selection, err);
	if (coarsest < selection->options->finest && !selection->nodes)
		return expected_finer(selection, err);
	if (!m->port_count && m->cpmu_count && selection->options->ports)
		return view_select_ports(selection, err);
	if (m->uncore_error.code && selection->columns.of_uncore && !devices)
		return machine_no_uncore(m, err);
	return m->port_count || selection->columns.without_ports || devices || selection->nodes
		       ? 0
		       : no_port(m, err);
}

/* Whether there is another socket, or node, whose memory can be read. */
static bool has_remote(const struct machine *m)
{
	const struct cpu_location *cpus = m->topology.cpus;
	bool nodes = false;

	for (size_t i = 1; i < m->topology.count; i++)
		nodes |= cpus[i].node != cpus[0].node;
	return m->model->far_is_node ? nodes : m->socket_count > 1;
}

/* Whether a cell of this column has a formula with units that could count its events. */
static bool can_fill(const struct view *view, const struct selection *selection, size_t c)
{
	const struct alternative *alternatives = &view->alternatives[c * ALTERNATIVES];
	const size_t step = view->column_count * ALTERNATIVES;

	if (view->columns[c]->kind != METRIC_NUMBER)
		return true;
	if (view->columns[c]->kernel_stat)
		return view_has_rows_of(selection->options, view->columns[c]) &&
		       kernel_sources_can_know(&view->kernel, view->columns[c]->kernel_stat);
	if (view->columns[c]->remote && !has_remote(selection->machine))
		return false;
	for (size_t r = 0; r < view->row_count; r++)
		for (unsigned a = 0; a < ALTERNATIVES; a++)
			if (alternatives[r * step + a].formula ||
			    alternatives[r * step + a].lacks_unit)
				return true;
	return false;
}

int view_find_never_known(struct view *view, const struct selection *selection, struct error *err)
{
	bool any = false;

	view->never_known = calloc(view->column_count + 1, sizeof(*view->never_known));
	if (!view->never_known)
		return error_no_memory(err);
	for (size_t c = 0; c < view->column_count; c++) {
		view->never_known[c] = !can_fill(view, selection, c);
		any |= !view->never_known[c] && view->columns[c]->kind == METRIC_NUMBER;
	}
	if (any || selection->options->event_count)
		return 0;
	if (selection->options->finest > SCOPE_PORT &&
	    (has_device_rows(selection) || selection->columns.of_kernel_devices))
		return expected_ports(selection, err);
	if (selection->device_error.code)
		return view_no_cpmu(selection, err);
	if (view_find_busy_cpmu(selection, NULL, err))
		return err->code;
	if (selection->core_error.code) {
		*err = selection->core_error;
		return err->code;
	}
	return error_set(err, EXIT_NO_UNIT, -ENODEV,
			 "nothing on this machine can measure any metric of '%s'; "
			 "cxlmon list shows what can be measured",
			 asked_for(selection->options));
}

int view_check_columns(const struct view *view, struct selection *selection, struct error *err)
{
	const int rc = check_formulas(view, selection, err);

	return rc ? rc : check_units(selection, err);
}
