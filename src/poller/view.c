/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/view.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "platform/numlist.h"

#define NS_PER_S 1e9

/* The events of one value: for each operand of the formula a stretch of terms. */
struct cell {
	const struct formula *formula; /* NULL: this processor can't measure it */
	size_t first_term[FORMULA_EVENTS];
	size_t term_count[FORMULA_EVENTS];
	unsigned operands;
};

static int no_memory(struct error *err)
{
	return error_set(err, EXIT_FAILED, -ENOMEM, "out of memory");
}

static bool word_is(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && !strncmp(word, name, length);
}

/* Whether the comma separated list has this group; "all" stands for every one. */
static bool group_chosen(const char *groups, const char *group)
{
	for (const char *at = groups; *at; at += strcspn(at, ","), at += *at == ',') {
		const size_t length = strcspn(at, ",");

		if (word_is(at, length, group) || word_is(at, length, "all"))
			return true;
	}
	return false;
}

static int check_groups(const char *groups, struct error *err)
{
	for (const char *at = groups;; at++) {
		const size_t length = strcspn(at, ",");

		if (!metric_group_exists(at, length) && !word_is(at, length, "all"))
			return error_set(err, EXIT_USAGE, -EINVAL,
					 "'%.*s' is not a metric group: expected cxl or all",
					 (int)length, at);
		at += length;
		if (!*at)
			return 0;
	}
}

static int choose_columns(struct view *view, const char *groups, struct error *err)
{
	size_t count = 0;
	int rc = check_groups(groups, err);

	if (rc)
		return rc;
	while (metric_table[count].name)
		count++;
	view->columns = calloc(count, sizeof(*view->columns));
	if (!view->columns)
		return no_memory(err);
	for (size_t i = 0; i < count; i++)
		if (group_chosen(groups, metric_table[i].group))
			view->columns[view->column_count++] = &metric_table[i];
	return 0;
}

/* The unit of a port that has this event; NULL where the port has none. */
static struct unit *unit_for(const struct port *port, const struct event *event)
{
	if (port->cxlcm && port->cxlcm->type == event->box)
		return port->cxlcm;
	if (port->cxldp && port->cxldp->type == event->box)
		return port->cxldp;
	return NULL;
}

/* Opens what the columns need of a port. */
static int open_port(struct view *view, const struct machine *m, const struct port *port,
		     struct error *err)
{
	for (size_t c = 0; c < view->column_count; c++) {
		const struct formula *formula = model_formula(m->model, view->columns[c]->name);

		for (unsigned i = 0; formula && i < FORMULA_EVENTS && formula->events[i]; i++) {
			struct unit *unit =
				unit_for(port, model_event(m->model, formula->events[i]));
			int rc = unit ? unit_open(m->platform, unit, err) : 0;

			if (rc)
				return rc;
		}
	}
	return 0;
}

static bool selected(const char *list, int number)
{
	return !list || numlist_contains(list, (unsigned)number);
}

/* Marks in chosen the ports that are asked for and can be opened. */
static int choose_ports(struct view *view, const struct machine *m,
			const struct view_options *options, bool *chosen, struct error *err)
{
	struct error last = {0};
	size_t asked = 0, usable = 0;

	for (size_t i = 0; i < m->port_count; i++) {
		const struct port *port = &m->ports[i];

		if (!selected(options->sockets, port->socket) ||
		    !selected(options->ports, (int)port->number))
			continue;
		asked++;
		chosen[i] = !open_port(view, m, port, &last);
		if (chosen[i])
			usable++;
		else
			log_write(&m->platform->log, LEVEL_WARNING,
				  "socket %d port %u is left out: %s", port->socket, port->number,
				  last.text);
	}
	if (!asked)
		return error_set(
			err, EXIT_USAGE, -EINVAL,
			"none of the %zu CXL ports of this machine is selected by --socket "
			"and --port",
			m->port_count);
	if (!usable)
		return error_set(err, last.status, last.code, "%s", last.text);
	return 0;
}

static void add_row(struct view *view, enum scope scope, int socket, int port)
{
	view->rows[view->row_count++] = (struct row){.scope = scope,
						     .socket = socket,
						     .port = port,
						     .pci = "",
						     .memdev = "",
						     .node = ""};
}

static void make_rows(struct view *view, const struct machine *m, enum scope finest,
		      const bool *chosen)
{
	for (size_t i = 0; finest <= SCOPE_PORT && i < m->port_count; i++)
		if (chosen[i])
			add_row(view, SCOPE_PORT, m->ports[i].socket, (int)m->ports[i].number);
	for (size_t s = 0; finest <= SCOPE_SOCKET && s < m->socket_count; s++) {
		bool any = false;

		for (size_t i = 0; i < m->port_count; i++)
			any |= chosen[i] && m->ports[i].socket == m->sockets[s];
		if (any)
			add_row(view, SCOPE_SOCKET, m->sockets[s], -1);
	}
	add_row(view, SCOPE_SYSTEM, -1, -1);
}

static bool row_covers(const struct row *row, const struct port *port)
{
	return (row->socket < 0 || row->socket == port->socket) &&
	       (row->port < 0 || row->port == (int)port->number);
}

/* Lists what one operand of a cell is the sum of; false where a port can't count it. */
static bool add_terms(struct view *view, const struct machine *m, const bool *chosen,
		      const struct row *row, const struct event *event)
{
	for (size_t i = 0; i < m->port_count; i++) {
		struct unit *unit = unit_for(&m->ports[i], event);

		if (!chosen[i] || !row_covers(row, &m->ports[i]))
			continue;
		if (!unit)
			return false;
		view->terms[view->term_count++] = view->request_count;
		view->requests[view->request_count++] =
			(struct request){.unit = unit, .event = event};
	}
	return true;
}

static void make_cell(struct view *view, const struct machine *m, const bool *chosen,
		      const struct row *row, const struct metric *metric, struct cell *cell)
{
	const struct formula *formula = model_formula(m->model, metric->name);
	const size_t terms = view->term_count, requests = view->request_count;

	for (unsigned i = 0; formula && i < FORMULA_EVENTS && formula->events[i]; i++) {
		cell->first_term[i] = view->term_count;
		if (!add_terms(view, m, chosen, row, model_event(m->model, formula->events[i]))) {
			view->term_count = terms;
			view->request_count = requests;
			return;
		}
		cell->term_count[i] = view->term_count - cell->first_term[i];
		cell->operands = i + 1;
	}
	cell->formula = formula;
}

static const char *source_of(const struct machine *m, const struct metric *metric)
{
	const struct formula *formula = model_formula(m->model, metric->of);

	return formula && formula->source ? formula->source : "";
}

static int make_cells(struct view *view, const struct machine *m, const bool *chosen,
		      struct error *err)
{
	const size_t cells = view->row_count * view->column_count;
	const size_t terms = cells * FORMULA_EVENTS * m->port_count;

	view->cells = calloc(cells, sizeof(*view->cells));
	view->terms = calloc(terms, sizeof(*view->terms));
	view->requests = calloc(terms, sizeof(*view->requests));
	if (!view->cells || !view->terms || !view->requests)
		return no_memory(err);

	for (size_t r = 0; r < view->row_count; r++) {
		struct row *row = &view->rows[r];

		row->values = calloc(view->column_count, sizeof(*row->values));
		if (!row->values)
			return no_memory(err);
		for (size_t c = 0; c < view->column_count; c++) {
			const struct metric *metric = view->columns[c];

			row->values[c] = (struct value){.number = NAN, .text = ""};
			if (metric->kind == METRIC_SOURCE)
				row->values[c].text = source_of(m, metric);
			else
				make_cell(view, m, chosen, row, metric,
					  &view->cells[r * view->column_count + c]);
		}
	}
	return 0;
}

int view_make(struct machine *machine, const struct view_options *options, struct view *out,
	      struct error *err)
{
	bool *chosen = calloc(machine->port_count, sizeof(*chosen));

	*out = (struct view){0};
	out->rows = calloc(machine->port_count + machine->socket_count + 1, sizeof(*out->rows));
	int rc = chosen && out->rows ? 0 : no_memory(err);

	if (!rc)
		rc = choose_columns(out, options->groups, err);
	if (!rc)
		rc = choose_ports(out, machine, options, chosen, err);
	if (!rc) {
		make_rows(out, machine, options->finest, chosen);
		rc = make_cells(out, machine, chosen, err);
	}
	free(chosen);
	return rc;
}

void view_free(struct view *view)
{
	for (size_t r = 0; r < view->row_count; r++)
		free(view->rows[r].values);
	free(view->rows);
	free(view->columns);
	free(view->cells);
	free(view->terms);
	free(view->requests);
	*view = (struct view){0};
}

void view_bind(struct view *view, const struct plan *plan)
{
	for (size_t t = 0; t < view->term_count; t++)
		view->terms[t] = plan->slot_of_request[view->terms[t]];
}

/* Events a second, summed over an operand's slots; NAN where one of them is not known. */
static double operand(const struct view *view, const struct cell *cell, unsigned i,
		      const struct sample *sample, struct row *row)
{
	double sum = 0;

	for (size_t t = 0; t < cell->term_count[i]; t++) {
		const struct count *count = &sample->counts[view->terms[cell->first_term[i] + t]];
		const double seconds = (double)count->counted_ns / NS_PER_S;

		if (!count->known || !count->counted_ns)
			return NAN;
		if (seconds < row->interval_s)
			row->interval_s = seconds;
		sum += (double)count->events / seconds;
	}
	return sum;
}

static double cell_value(const struct view *view, const struct cell *cell,
			 const struct sample *sample, struct row *row)
{
	double per_second[FORMULA_EVENTS];

	if (!cell->formula)
		return NAN;
	for (unsigned i = 0; i < cell->operands; i++)
		per_second[i] = operand(view, cell, i, sample, row);
	return cell->formula->value(cell->formula, per_second);
}

void view_update(struct view *view, const struct sample *sample)
{
	for (size_t r = 0; r < view->row_count; r++) {
		struct row *row = &view->rows[r];

		row->interval_s = INFINITY;
		row->counted_pct = 100;
		for (size_t c = 0; c < view->column_count; c++) {
			const struct cell *cell = &view->cells[r * view->column_count + c];

			if (view->columns[c]->kind == METRIC_NUMBER)
				row->values[c].number = cell_value(view, cell, sample, row);
		}
		/* nothing of this row was counted */
		if (isinf(row->interval_s))
			row->interval_s = NAN;
	}
}
