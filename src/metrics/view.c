/* SPDX-License-Identifier: BSD-3-Clause */
/* Setting up a view; values.c computes what it shows. */
#include "metrics/view.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/expression.h"
#include "metrics/view_private.h"
#include "plan/schedule.h"
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

/* Columns stand in the order in which their groups were asked for. */
static int choose_columns(struct view *view, const struct view_options *options, struct error *err)
{
	size_t count = 0;
	int rc = view_check_groups(options->groups, err);

	if (rc)
		return rc;
	while (metric_table[count].name)
		count++;
	view->columns = calloc(count, sizeof(*view->columns));
	view->source_column = calloc(count, sizeof(*view->source_column));
	if (!view->columns || !view->source_column)
		return error_no_memory(err);
	for (const char *at = options->groups; *at; at += strcspn(at, ","), at += *at == ',') {
		const size_t length = strcspn(at, ",");

		for (const struct metric *m = metric_table; m->name; m++)
			if ((word_is(at, length, m->group) || word_is(at, length, "all")) &&
			    !has_column(view, m) &&
			    (m->kind != METRIC_CPU || options->finest == SCOPE_CPU))
				view->columns[view->column_count++] = m;
	}
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
		if (!(view->columns[c]->scopes >> SCOPE_PORT & 1))
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

static void make_rows(struct view *view, const struct selection *selection)
{
	const struct machine *m = selection->machine;
	const enum scope finest = selection->options->finest;

	for (size_t i = 0; finest <= SCOPE_CPU && i < m->cpu_count; i++)
		if (m->cpus[i].open && columns_at(view, SCOPE_CPU))
			view_add_row(view, SCOPE_CPU, m->cpus[i].socket, (int)m->cpus[i].cpu);
	for (size_t i = 0; finest <= SCOPE_PORT && i < m->port_count; i++)
		if (selection->ports[i] && columns_at(view, SCOPE_PORT))
			view_add_port_row(view, &m->ports[i]);
	for (size_t s = 0; finest <= SCOPE_SOCKET && s < m->socket_count; s++)
		if (socket_is_shown(view, selection, m->sockets[s]))
			view_add_row(view, SCOPE_SOCKET, m->sockets[s], -1);
	view_add_row(view, SCOPE_SYSTEM, -1, -1);
}

/* Besides -ENOMEM: some unit can't count an event of the formula. */
#define CANT_COUNT 1

/* Event i of a formula; where it is that of a port, of that port alone. */
static int add_port_terms(struct view *view, const struct selection *selection,
			  const struct row *row, struct request request,
			  const struct formula *formula, unsigned i)
{
	const struct machine *m = selection->machine;
	int rc = 0;

	for (size_t p = 0; !rc && p < m->port_count; p++) {
		const struct port *port = &m->ports[p];

		if (!selection->ports[p] || row->cpu >= 0 ||
		    (formula->by_port && port->number != i) ||
		    (row->socket >= 0 && row->socket != port->socket) ||
		    (row->port >= 0 && row->port != (int)port->number))
			continue;
		request.unit = view_port_unit(port, request.event->box);
		rc = request.unit && request.unit->open ? view_add_term(view, request) : CANT_COUNT;
	}
	return rc;
}

/* The operands of a ratio must be counted on the same units, so each unit must fit all of them. */
static bool can_count(const struct selection *selection, const struct formula *formula,
		      const struct event *event, const struct unit *unit)
{
	uint32_t allowed[FORMULA_EVENTS];
	unsigned counters[FORMULA_EVENTS];
	size_t count = 0, unassigned;

	if (!unit->open || !unit_can_count(unit, event))
		return false;
	if (!formula->same_group)
		return event->counters & unit->usable;
	for (unsigned i = 0; (event = view_formula_event(selection, formula, i)); i++)
		if (event->box == unit->type)
			allowed[count++] = event->counters & unit->usable;
	return !schedule_events(allowed, count, counters, &unassigned);
}

static int add_unit_terms(struct view *view, const struct selection *selection,
			  const struct row *row, struct request request,
			  const struct formula *formula)
{
	size_t count;
	struct unit *units = view_first_unit(selection->machine, request.event->box, &count);
	int rc = 0;

	for (size_t i = 0; !rc && i < count; i++) {
		struct unit *unit = &units[i];

		if (unit->type != request.event->box || unit->absent ||
		    !view_selected(selection->options->sockets, unit->socket) ||
		    (row->socket >= 0 && row->socket != unit->socket) ||
		    (row->cpu >= 0 && row->cpu != (int)unit->cpu))
			continue;
		request.unit = unit;
		if (can_count(selection, formula, request.event, unit))
			rc = view_add_term(view, request);
		else if (!formula->any_unit)
			rc = CANT_COUNT; /* a sum without it would be too small */
	}
	return rc;
}

/* Whether the formula counts the same traffic as the ports of the row do. */
static bool can_cross_check(const struct selection *selection, const struct row *row,
			    const struct formula *formula)
{
	const struct view_options *options = selection->options;

	if (!selection->cross_check || view_selects_ports(options) || row->scope == SCOPE_PORT)
		return false;
	return !formula->of_all_sockets || (row->scope == SCOPE_SYSTEM && !options->sockets);
}

static int make_expression(struct view *view, const struct selection *selection,
			   const struct row *row, const struct metric *metric, unsigned way,
			   struct expression *out)
{
	const struct model *model = selection->machine->model;
	const struct formula *formula = model_formula(model, metric->name, way);
	const size_t terms = view->term_count, requests = view->request_count;
	const struct event *event;
	int rc = 0;

	if (!formula || !(metric->scopes >> row->scope & 1) ||
	    (formula->cross_check && !can_cross_check(selection, row, formula)))
		return 0;
	for (unsigned i = 0; !rc && (event = view_formula_event(selection, formula, i)); i++) {
		const struct request request = {
			.event = event,
			.set = formula->same_group ? (unsigned)(formula - model->formulas) + 1 : 0,
			.staggered =
				selection->staggered && formula->any_unit && event->box == BOX_CHA,
			.pinned = formula->pinned,
		};

		out->first_term[i] = view->term_count;
		rc = view_is_port_box(event->box) || formula->by_port
			     ? add_port_terms(view, selection, row, request, formula, i)
			     : add_unit_terms(view, selection, row, request, formula);
		out->term_count[i] = view->term_count - out->first_term[i];
		out->operands = i + 1;
		if (!rc && !out->term_count[i] && !formula->absent_is_0 && !formula->by_port)
			rc = CANT_COUNT;
	}
	if (!rc && view->term_count == terms)
		rc = CANT_COUNT;
	if (!rc)
		out->formula = formula;
	if (rc == CANT_COUNT) {
		view->term_count = terms;
		view->request_count = requests;
		*out = (struct expression){0};
		rc = 0;
	}
	return rc;
}

static const char *source_of(const struct selection *selection, const struct metric *metric)
{
	const struct formula *formula = model_formula(selection->machine->model, metric->of, 0);

	return formula && formula->source ? formula->source : "";
}

static int make_cell(struct view *view, const struct selection *selection, size_t r, size_t c)
{
	struct row *row = &view->rows[r];
	const struct metric *metric = view->columns[c];
	int rc = 0;

	row->values[c] = (struct value){.number = NAN, .text = ""};
	if (metric->kind == METRIC_SOURCE && metric->scopes >> row->scope & 1)
		row->values[c].text = source_of(selection, metric);
	for (unsigned way = 0; !rc && metric->kind == METRIC_NUMBER && way < EXPRESSIONS; way++)
		rc = make_expression(
			view, selection, row, metric, way,
			&view->expressions[(r * view->column_count + c) * EXPRESSIONS + way]);
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
	if (view->columns[c]->remote && !has_remote(selection->machine))
		return false;
	for (size_t r = 0; r < view->row_count; r++)
		for (unsigned way = 0; way < EXPRESSIONS; way++)
			if (ways[r * step + way].formula)
				return true;
	return false;
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
	return any || selection->options->event_count
		       ? 0
		       : error_set(err, EXIT_NO_UNIT, -ENODEV,
				   "nothing on this machine can measure any metric of '%s'; "
				   "cxlmon list shows what can be measured",
				   selection->options->groups);
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
static int check_formulas(const struct view *view, const struct model *model, struct error *err)
{
	if (model->events->name || !model->boxes->name)
		return 0;
	for (size_t c = 0; c < view->column_count; c++)
		if (model_formula(model, view->columns[c]->name, 0))
			return 0;
	error_set(
		err, EXIT_NO_UNIT, -ENOTSUP,
		"%s: no event list is published for this processor, and so no metric but those of "
		"cores (-m core); raw events can be counted: -e cxlcm/event=N,umask=N,port_en=N/",
		model->name);
	error_hint(err, "cxlmon info");
	return -ENOTSUP;
}

/* Whether some column needs units of the uncore. */
static bool columns_of_uncore(const struct view *view)
{
	for (size_t c = 0; c < view->column_count; c++)
		if (!(view->columns[c]->scopes >> SCOPE_CPU & 1))
			return true;
	return false;
}

static int select_metrics(struct view *view, struct selection *selection, struct error *err)
{
	const struct machine *m = selection->machine;
	int rc = choose_columns(view, selection->options, err);

	if (!rc)
		rc = check_formulas(view, m->model, err);
	if (!rc && m->uncore_error.code && columns_of_uncore(view))
		rc = view_no_uncore(m, err);
	if (!rc && !m->port_count && !columns_without_ports(view))
		rc = no_port(m, err);
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
	make_rows(view, selection);
	rc = make_cells(view, selection, err);
	return rc ? rc : find_never_known(view, selection, err);
}

int view_make(struct machine *machine, const struct view_options *options, struct view *out,
	      struct error *err)
{
	struct selection selection = {.machine = machine, .options = options};

	*out = (struct view){.model = machine->model->short_name};
	selection.ports = calloc(machine->port_count + 1, sizeof(*selection.ports));
	out->rows = calloc(machine->cpu_count + machine->port_count + machine->socket_count + 1,
			   sizeof(*out->rows));
	int rc = selection.ports && out->rows ? 0 : error_no_memory(err);

	if (!rc)
		rc = view_check_sockets(machine, options, err);
	if (!rc)
		rc = view_check_devices(machine, options, err);
	if (!rc && options->groups)
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
