/* SPDX-License-Identifier: BSD-3-Clause */
/* Setting up a view; values.c computes what it shows. */
#include "metrics/view.h"

#include <errno.h>
#include <math.h>
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

static bool has_column(const struct view *view, const struct metric *metric)
{
	for (size_t c = 0; c < view->column_count; c++)
		if (view->columns[c] == metric)
			return true;
	return false;
}

/* SIZE_MAX where it is not shown. */
static size_t find_column(const struct view *view, const char *name)
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
			    !has_column(view, m) &&
			    (m->kind != METRIC_CPU || options->finest == SCOPE_CPU))
				view->columns[view->column_count++] = m;
	}
}

/* Columns stand in the order in which their groups were asked for, then those of the user's own. */
static int choose_columns(struct view *view, const struct view_options *options, struct error *err)
{
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
	for (size_t c = 0; c < view->column_count; c++)
		view->source_column[c] = find_column(view, view->columns[c]->of);
	return 0;
}

static bool columns_at(const struct view *view, enum scope scope)
{
	for (size_t c = 0; c < view->column_count; c++)
		if (view->columns[c]->scopes >> scope & 1 &&
		    view->columns[c]->kind == METRIC_NUMBER)
			return true;
	return false;
}

/* Whether some column of sockets is not a sum over ports. */
static bool columns_without_ports(const struct view *view)
{
	for (size_t c = 0; c < view->column_count; c++)
		if (!(view->columns[c]->scopes >> SCOPE_PORT & 1) && !view->columns[c]->node_stat)
			return true;
	return false;
}

/* Whether rows of devices have some column. */
static bool columns_of_devices(const struct view *view, const struct selection *selection)
{
	for (size_t c = 0; c < view->column_count; c++)
		if (view_is_of_devices(selection, view->columns[c]))
			return true;
	return false;
}

static bool columns_of_cpus(const struct view *view)
{
	for (size_t c = 0; c < view->column_count; c++)
		if (view->columns[c]->scopes >> SCOPE_CPU & 1)
			return true;
	return false;
}

static bool socket_is_shown(const struct view *view, const struct selection *selection, int socket)
{
	const struct machine *m = selection->machine;

	if (!view_selected(selection->options->sockets, socket))
		return false;
	for (size_t i = 0; i < m->port_count; i++)
		if (selection->ports[i] && m->ports[i].socket == socket)
			return true;
	return columns_without_ports(view);
}

/* What devices alone count is of those ports whose device has a CPMU. */
static bool port_has_columns(const struct view *view, const struct machine *m,
			     const struct port *port)
{
	if (!columns_at(view, SCOPE_PORT) || columns_at(view, SCOPE_SOCKET))
		return columns_at(view, SCOPE_PORT);
	for (size_t i = 0; i < m->cpmu_count; i++)
		if (cpmu_port(m, &m->cpmus[i]) == port)
			return true;
	return false;
}

/* Whether rows of sockets and of the system have something to show. */
static bool has_sums(const struct view *view, const struct machine *m)
{
	if (m->uncore_error.code && !(m->cpu_count && columns_of_cpus(view)))
		return false;
	return columns_at(view, SCOPE_SOCKET) && (m->port_count || columns_without_ports(view));
}

/* A row for each function that has a CPMU, or several. */
static void add_device_rows(struct view *view, const struct selection *selection)
{
	const struct machine *m = selection->machine;
	const char *last = "";

	for (size_t i = 0; i < m->cpmu_count; i++) {
		const struct cpmu *cpmu = &m->cpmus[i];

		if (!cpmu->unit.open || !view_has_device_row(selection, cpmu) ||
		    !strcmp(cpmu->pci_text, last))
			continue;
		view_add_device_row(view, cpmu);
		last = cpmu->pci_text;
	}
}

static int make_rows(struct view *view, const struct selection *selection, struct error *err)
{
	const struct machine *m = selection->machine;
	const enum scope finest = selection->options->finest;
	const bool sums = has_sums(view, m);

	view->rows = calloc(m->cpu_count + m->port_count + m->cpmu_count + view->tiering.count +
				    m->socket_count + 1,
			    sizeof(*view->rows));
	if (!view->rows)
		return error_no_memory(err);

	for (size_t i = 0; finest <= SCOPE_CPU && i < m->cpu_count; i++)
		if (m->cpus[i].open && columns_at(view, SCOPE_CPU))
			view_add_row(view, SCOPE_CPU, m->cpus[i].socket, (int)m->cpus[i].cpu);
	for (size_t i = 0; finest <= SCOPE_PORT && i < m->port_count; i++)
		if (selection->ports[i] && port_has_columns(view, m, &m->ports[i]))
			view_add_port_row(view, &m->ports[i]);
	if (finest <= SCOPE_PORT && columns_of_devices(view, selection))
		add_device_rows(view, selection);
	for (size_t i = 0; finest <= SCOPE_PORT && i < view->tiering.count; i++)
		if (view->tiering.nodes[i].shown)
			view_add_node_row(view, m, &view->tiering.nodes[i]);
	for (size_t s = 0; sums && finest <= SCOPE_SOCKET && s < m->socket_count; s++)
		if (socket_is_shown(view, selection, m->sockets[s]))
			view_add_row(view, SCOPE_SOCKET, m->sockets[s], -1);
	if (sums || selection->nodes)
		view_add_row(view, SCOPE_SYSTEM, -1, -1);
	return 0;
}

/* Of the column that a source belongs to: that of the first formula that can be counted. */
static const char *source_of(const struct view *view, size_t r, size_t column)
{
	for (unsigned way = 0; column < view->column_count && way < EXPRESSIONS; way++) {
		const struct formula *formula = view_way(view, r, column, way);

		if (formula)
			return formula->source ? formula->source : "";
	}
	return "";
}

static int make_cell(struct view *view, const struct selection *selection, size_t r, size_t c)
{
	struct row *row = &view->rows[r];
	const struct metric *metric = view->columns[c];
	struct expression *ways = &view->expressions[(r * view->column_count + c) * EXPRESSIONS];
	bool counted = false;
	int rc = 0;

	row->values[c] = (struct value){.number = NAN, .text = ""};
	if (metric->kind == METRIC_SOURCE)
		row->values[c].text = source_of(view, r, view->source_column[c]);
	for (unsigned way = 0; !rc && metric->kind == METRIC_NUMBER && way < EXPRESSIONS; way++) {
		const struct formula *formula = view_row_formula(selection, row, metric, way);

		if (formula && formula->fallback && counted)
			continue;
		rc = view_make_expression(view, selection, row, metric, way, &ways[way]);
		counted |= ways[way].formula != NULL;
	}
	return rc;
}

static int make_cells(struct view *view, const struct selection *selection, struct error *err)
{
	const size_t cells = view->row_count * view->column_count;
	int rc = 0;

	view->expressions = calloc(cells * EXPRESSIONS, sizeof(*view->expressions));
	if (!view->expressions)
		return error_no_memory(err);
	for (size_t r = 0; !rc && r < view->row_count; r++) {
		view->rows[r].values = calloc(view->column_count, sizeof(struct value));
		if (!view->rows[r].values)
			return error_no_memory(err);
		for (size_t c = 0; !rc && c < view->column_count; c++)
			rc = make_cell(view, selection, r, c);
	}
	return rc ? error_no_memory(err) : 0;
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

/* Whether a cell of this column has a formula with units that can count its events. */
static bool can_fill(const struct view *view, const struct selection *selection, size_t c)
{
	const struct expression *ways = &view->expressions[c * EXPRESSIONS];
	const size_t step = view->column_count * EXPRESSIONS;

	if (view->columns[c]->kind != METRIC_NUMBER)
		return true;
	if (view->columns[c]->node_stat)
		return selection->nodes &&
		       tiering_can_know(&view->tiering, view->columns[c]->node_stat);
	if (view->columns[c]->remote && !has_remote(selection->machine))
		return false;
	for (size_t r = 0; r < view->row_count; r++)
		for (unsigned way = 0; way < EXPRESSIONS; way++)
			if (ways[r * step + way].formula)
				return true;
	return false;
}

/* Whether a formula takes what a device was asked for in the place of what it has sent. */
static bool is_estimate(const struct selection *selection, const struct formula *formula)
{
	return formula && formula->fallback && formula->source &&
	       strcmp(formula->source, "cpmu") != 0 &&
	       view_formula_event(selection, formula, 0)->box == BOX_CPMU;
}

/* The formula of a cell that is an estimate; NULL: none. */
static const struct formula *find_estimate(const struct view *view,
					   const struct selection *selection, size_t r, size_t c)
{
	for (unsigned way = 0; way < EXPRESSIONS; way++)
		if (is_estimate(selection, view_way(view, r, c, way)))
			return view_way(view, r, c, way);
	return NULL;
}

/* Once for all rows. */
static void report_estimates(const struct view *view, const struct selection *selection)
{
	const struct machine *m = selection->machine;

	for (size_t r = 0; r < view->row_count; r++)
		for (size_t c = 0; c < view->column_count; c++) {
			const struct formula *formula = find_estimate(view, selection, r, c);

			if (!formula)
				continue;
			log_write(&m->platform->log, LEVEL_NOTE,
				  "%s of %s is estimated from %s: the data that it sends can't be "
				  "counted%s",
				  view->columns[c]->name, row_device_name(&view->rows[r]),
				  formula->events[0], m->pmus.count ? " by the kernel" : "");
			return;
		}
}

/* Once for each metric of the user's own. */
static void report_turns(const struct view *view, const struct selection *selection)
{
	for (size_t c = 0; c < view->column_count; c++)
		for (size_t r = 0; r < view_metric_rows(view); r++) {
			const struct formula *formula = view_way(view, r, c, 1);

			if (!formula || !formula->program)
				continue;
			log_write(&selection->machine->platform->log, LEVEL_NOTE,
				  "%s: no counters for all its events at the same time: they are "
				  "counted by turns",
				  view->columns[c]->name);
			break;
		}
}

/* The coarsest scope of a metric's rows. */
static enum scope coarsest_scope(const struct metric *metric)
{
	enum scope scope = SCOPE_SYSTEM;

	while (scope > 0 && !(metric->scopes >> scope & 1))
		scope--;
	return scope;
}

/* Once for a group, and for each metric of the user's own. What devices lack is not missed. */
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
			  "%s%s stays empty with --per=%s: its rows are those of --per=%s",
			  custom ? "" : "group ", name, scope_names[view->finest],
			  scope_names[coarsest_scope(metric)]);
		last = name;
	}
}

static void report_unused(const struct selection *selection)
{
	const struct machine *m = selection->machine;

	for (size_t i = 0; i < selection->type_count; i++)
		if (selection->types[i] == BOX_CPMU && m->cpmu_error.code)
			log_write(&m->platform->log, LEVEL_NOTE, "left out: %s",
				  m->cpmu_error.text);
}

/* For a message. */
static const char *asked_for(const struct view_options *options)
{
	return options->groups ? options->groups : options->custom->items[0]->name;
}

static bool has_device_rows(const struct view *view, const struct selection *selection)
{
	return columns_of_devices(view, selection) && view_has_device_rows(selection);
}

static int expected_ports(const struct selection *selection, struct error *err)
{
	return error_set(
		err, EXIT_USAGE, -EINVAL,
		"metrics of '%s' have rows of ports and devices alone: expected --per=port",
		asked_for(selection->options));
}

static int find_never_known(struct view *view, const struct selection *selection, struct error *err)
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
	if (selection->options->finest > SCOPE_PORT && has_device_rows(view, selection))
		return expected_ports(selection, err);
	if (selection->device_error.code)
		return view_no_cpmu(selection, err);
	return error_set(err, EXIT_NO_UNIT, -ENODEV,
			 "nothing on this machine can measure any metric of '%s'; "
			 "cxlmon list shows what can be measured",
			 asked_for(selection->options));
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

	if (model->events->name || !model->boxes->name || selection->machine->cpmu_count ||
	    selection->nodes)
		return 0;
	for (size_t c = 0; c < view->column_count; c++) {
		const struct formula *formula = view_formula(selection, view->columns[c], 0);

		if (formula && formula != device_formula(view->columns[c]->name, 0))
			return 0;
	}
	error_set(
		err, EXIT_NO_UNIT, -ENOTSUP,
		"%s: no event list is published for this processor, and so no metric but those of "
		"cores (-m core); raw events can be counted: -e cxlcm/event=N,umask=N,port_en=N/",
		model->name);
	error_hint(err, "cxlmon info");
	return -ENOTSUP;
}

/* Whether some column needs units of the uncore: one of CXL devices may do without. */
static bool columns_of_uncore(const struct view *view, bool devices)
{
	for (size_t c = 0; c < view->column_count; c++)
		if (!(view->columns[c]->scopes >> SCOPE_CPU & 1) && !view->columns[c]->node_stat &&
		    !devices)
			return true;
	return false;
}

/* Whether there are units for some column. */
static int check_units(const struct view *view, struct selection *selection, struct error *err)
{
	const struct machine *m = selection->machine;
	const bool devices = has_device_rows(view, selection);

	if (!columns_at(view, SCOPE_SOCKET) && selection->nodes)
		return 0;
	if (!columns_at(view, SCOPE_SOCKET) && !m->cpmu_count)
		return view_no_cpmu(selection, err);
	if (!columns_at(view, SCOPE_SOCKET) && selection->options->finest > SCOPE_PORT)
		return expected_ports(selection, err);
	if (!m->port_count && m->cpmu_count && selection->options->ports)
		return view_select_ports(selection, err);
	if (m->uncore_error.code && columns_of_uncore(view, devices))
		return machine_no_uncore(m, err);
	return m->port_count || columns_without_ports(view) || devices || selection->nodes
		       ? 0
		       : no_port(m, err);
}

static int select_metrics(struct view *view, struct selection *selection, struct error *err)
{
	int rc = choose_columns(view, selection->options, err);

	if (!rc && view_has_node_columns(view))
		rc = view_open_nodes(view, selection, err);
	if (!rc && !selection->nodes)
		rc = view_check_devices(selection->machine, selection->options, err);
	if (!rc)
		rc = check_formulas(view, selection, err);
	if (!rc)
		rc = check_units(view, selection, err);
	if (!rc && columns_at(view, SCOPE_PORT))
		rc = view_select_ports(selection, err);
	if (!rc && view_select_types(view, selection))
		rc = error_no_memory(err);
	return rc;
}

/* In this order: select units, open them, make rows of those that are open. */
static int make_metrics(struct view *view, struct selection *selection, struct error *err)
{
	int rc = select_metrics(view, selection, err);

	if (!rc)
		rc = view_open_ports(selection, err);
	if (!rc)
		rc = view_open_units(selection, err);
	if (rc)
		return rc;
	view_prepare_events(view, selection);
	view_choose_latency(view, selection);
	rc = make_rows(view, selection, err);
	if (!rc)
		rc = make_cells(view, selection, err);
	if (rc)
		return rc;
	rc = find_never_known(view, selection, err);
	if (rc)
		return rc;
	view_report_left_out(selection);
	report_unused(selection);
	report_without_rows(view, selection);
	report_estimates(view, selection);
	report_turns(view, selection);
	return 0;
}

int view_make(struct machine *machine, const struct view_options *options, struct view *out,
	      struct error *err)
{
	struct selection selection = {.machine = machine, .options = options};

	*out = (struct view){.model = machine->model->short_name,
			     .has_cpmus = machine->cpmu_count > 0,
			     .finest = options->finest,
			     .selective = options->sockets || view_selects_ports(options)};
	selection.ports = calloc(machine->port_count + 1, sizeof(*selection.ports));
	int rc = selection.ports ? 0 : error_no_memory(err);

	if (!rc)
		rc = view_check_sockets(machine, options, err);
	const bool metrics = options->groups || custom_count(options);
	if (!rc && !metrics)
		rc = view_check_devices(machine, options, err);
	if (!rc && metrics)
		rc = make_metrics(out, &selection, err);
	if (!rc && options->event_count)
		rc = view_make_events(out, &selection, err);
	free(selection.ports);
	free(selection.types);
	return rc;
}

void view_free(struct view *view)
{
	for (size_t r = 0; r < view_metric_rows(view); r++)
		free(view->rows[r].values);
	tiering_free(&view->tiering);
	free(view->unknown);
	free(view->rows);
	free(view->columns);
	free(view->source_column);
	free(view->never_known);
	free(view->expressions);
	free(view->terms);
	free(view->requests);
	*view = (struct view){0};
}

const char *view_heading(const struct view *view, size_t column)
{
	return view->never_known && view->never_known[column] ? NULL
							      : view->columns[column]->heading;
}

void view_bind(struct view *view, const struct plan *plan)
{
	for (size_t t = 0; t < view->term_count; t++)
		view->terms[t] = plan->slot_of_request[view->terms[t]];
}
