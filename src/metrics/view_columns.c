/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a view: which were asked for, and which rows have them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/view_private.h"
#include "platform/text.h"

static bool word_is(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && !strncmp(word, name, length);
}

static int refuse_group(const char *word, size_t length, struct error *err)
{
	char names[128];

	for (const struct metric *m = metric_table; m->name; m++)
		if (word_is(word, length, m->name))
			return error_set(err, EXIT_USAGE, -EINVAL,
					 "'%s' is not a metric group, but a metric of group %s: "
					 "expected -m %s",
					 m->name, m->group, m->group);
	metric_group_names(names, sizeof(names));
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "'%.*s' is not a metric group: expected %s or all",
			 (int)(length < QUOTED_SIZE ? length : QUOTED_SIZE), word, names);
}

int view_check_groups(const char *groups, struct error *err)
{
	for (const char *at = groups;; at++) {
		const size_t length = strcspn(at, ",");

		if (!metric_group_exists(at, length) && !word_is(at, length, "all"))
			return refuse_group(at, length, err);
		at += length;
		if (!*at)
			return 0;
	}
}

size_t view_find_column(const struct view *view, const char *name)
{
	for (size_t c = 0; name && c < view->column_count; c++)
		if (!strcmp(view->columns[c]->name, name))
			return c;
	return SIZE_MAX;
}

static size_t custom_count(const struct view_options *options)
{
	return options->custom ? options->custom->count : 0;
}

static void add_groups(struct view *view, const struct view_options *options)
{
	for (const char *at = options->groups; *at; at += strcspn(at, ","), at += *at == ',') {
		const size_t length = strcspn(at, ",");

		for (const struct metric *m = metric_table; m->name; m++)
			if ((word_is(at, length, m->group) || word_is(at, length, "all")) &&
			    view_find_column(view, m->name) == SIZE_MAX &&
			    (m->kind != METRIC_CPU || options->finest == SCOPE_CPU))
				view->columns[view->column_count++] = m;
	}
}

static void add_facts(struct column_facts *facts, const struct selection *selection,
		      const struct metric *metric)
{
	const bool of_kernel = metric_is_of_kernel(metric);
	const bool of_device = view_is_of_devices(selection, metric);
	const bool at_ports = metric->scopes >> SCOPE_PORT & 1;
	const bool number = metric->kind == METRIC_NUMBER && !of_kernel;

	facts->scopes |= number ? metric->scopes : 0;
	facts->of_ports |= number && at_ports && !of_device;
	facts->of_devices |= of_device;
	facts->without_ports |= !at_ports && !of_kernel;
	facts->of_uncore |= !metric->core && !of_kernel;
	facts->of_cores |= metric->core;
	facts->of_nodes |= of_kernel && !at_ports;
	facts->of_kernel_devices |= of_kernel && at_ports;
}

/* Columns stand in the order in which their groups were asked for, then those of the user's own. */
int view_choose_columns(struct view *view, struct selection *selection, struct error *err)
{
	const struct view_options *options = selection->options;
	size_t count = custom_count(options);
	int rc = options->groups ? view_check_groups(options->groups, err) : 0;

	if (rc)
		return rc;
	for (const struct metric *m = metric_table; m->name; m++)
		count++;
	view->columns = calloc(count, sizeof(*view->columns));
	view->source_column = calloc(count, sizeof(*view->source_column));
	if (!view->columns || !view->source_column)
		return error_no_memory(err);
	if (options->groups)
		add_groups(view, options);
	for (size_t i = 0; i < custom_count(options); i++)
		view->columns[view->column_count++] = &options->custom->items[i]->metric;
	for (size_t c = 0; c < view->column_count; c++) {
		view->source_column[c] = view_find_column(view, view->columns[c]->of);
		add_facts(&selection->columns, selection, view->columns[c]);
	}
	return 0;
}

int view_open_mbm(struct view *view, struct selection *selection, struct error *err)
{
	const struct view_options *o = selection->options;
	const struct machine *m = selection->machine;
	const struct formula *formula = formulas_find(selection->formulas, MBM_METRIC, 0);
	const size_t column = view_find_column(view, MBM_METRIC);

	if (!o->resctrl)
		return 0;
	if (column == SIZE_MAX)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "--resctrl counts " MBM_METRIC ": expected -m cxl");
	if (view_selects_ports(o))
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "--resctrl counts reads of all CXL memory together: expected no "
				 "--port, --device or --node");
	if (formula && formula->number <= selection->formulas->of_model) {
		log_write(
			&m->platform->log, LEVEL_NOTE,
			"--resctrl is not needed, and changes nothing: %s counts CXL reads itself",
			m->model->name);
		return 0;
	}
	view->mbm_column = column;
	view->mbm_sockets = o->sockets;
	selection->mbm = true;
	return mbm_sources_open(&view->kernel.mbm, m->platform, &m->topology, err);
}

enum scope view_coarsest_scope(unsigned scopes)
{
	for (int s = SCOPE_SYSTEM; s >= 0; s--)
		if (scopes >> s & 1)
			return (enum scope)s;
	return SCOPE_COUNT;
}

static void find_port_event(struct selection *selection, const struct formula *formula,
			    void *context)
{
	const struct event *event;
	bool *found = context;

	(void)selection;
	for (unsigned i = 0; (event = formula_event(formula, i)); i++)
		*found |= view_is_port_pmu_type(event->type) || event->type == PMU_CPMU ||
			  formula->program->operands[i].port >= 0;
}

bool view_columns_need_ports(const struct view *view, struct selection *selection)
{
	bool found = view_columns_at(selection, SCOPE_PORT);

	view_each_formula(view, selection, find_port_event, &found);
	return found;
}

/* Whether this machine can measure what a view is to show. */

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
				 "processor; -m latency,dram,core can be measured, and CXL reads "
				 "by --resctrl",
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
	return m->port_count || selection->columns.without_ports || devices || selection->nodes ||
			       selection->mbm
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
	if (c == view->mbm_column)
		return true;
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
