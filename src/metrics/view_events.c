/* SPDX-License-Identifier: BSD-3-Clause */
/* Views of single events: a row for each event and unit. */
#include <errno.h>
#include <stdlib.h>

#include "metrics/view_private.h"

/* Which port a unit belongs to; NULL: none. */
static const struct port *port_of(const struct machine *m, const struct unit *unit)
{
	for (size_t i = 0; i < m->port_count; i++)
		if (m->ports[i].cxlcm == unit || m->ports[i].cxldp == unit)
			return &m->ports[i];
	return NULL;
}

static int add_event_row(struct view *view, const struct event_choice *wanted, struct unit *unit,
			 const struct port *port, struct error *err)
{
	const struct request request = {.unit = unit, .event = wanted->event, .set = wanted->group};
	struct row *rows = reallocarray(view->rows, view->row_count + 1, sizeof(*rows));

	if (!rows)
		return error_no_memory(err);
	view->rows = rows;
	if (view_add_term(view, request))
		return error_no_memory(err);
	if (port)
		view_add_port_row(view, port);
	else
		view_add_row(view, unit->type == BOX_CORE ? SCOPE_CPU : SCOPE_SOCKET, unit->socket,
			     unit->type == BOX_CORE ? (int)unit->cpu : -1);
	view->rows[view->row_count - 1].unit = unit;
	view->rows[view->row_count - 1].event = wanted->event;
	return 0;
}

static bool is_wanted(const struct selection *selection, const struct event_choice *wanted,
		      const struct unit *unit, const struct port *port)
{
	return unit->type == wanted->event->box &&
	       view_selected(selection->options->sockets, unit->socket) &&
	       (!port || view_port_selected(selection->options, port));
}

/* Adds the unit's row, if it is wanted. -ENXIO if it is absent, and has none. */
static int select_unit(struct view *view, const struct selection *selection,
		       const struct event_choice *wanted, struct unit *unit,
		       struct absence *absence, struct error *err)
{
	const struct port *port = port_of(selection->machine, unit);

	if (!is_wanted(selection, wanted, unit, port))
		return 0;
	int rc = view_open_event_unit(selection, unit, wanted->event, absence, err);
	return rc ? rc : add_event_row(view, wanted, unit, port, err);
}

/* A row for each selected unit of the event's type; where all are absent, that is an error. */
static int select_event(struct view *view, const struct selection *selection,
			const struct event_choice *wanted, struct error *err)
{
	const struct machine *m = selection->machine;
	const size_t rows = view->row_count;
	struct absence absence = {.count = 0};
	size_t count;
	struct unit *units = view_first_unit(m, wanted->event->box, &count);
	int rc = 0, no_response = 0;

	if (wanted->event->box != BOX_CORE && m->uncore_error.code)
		return view_no_uncore(m, err);
	for (size_t i = 0; !rc && i < count; i++) {
		rc = select_unit(view, selection, wanted, &units[i], &absence, err);
		if (rc && units[i].absent) {
			no_response = rc;
			rc = 0;
		}
	}
	view_report_absence(selection, &absence);
	if (!rc && view->row_count == rows && no_response)
		return no_response;
	if (!rc && view->row_count == rows)
		rc = error_set(err, EXIT_USAGE, -ENODEV,
			       "this machine has no unit for '%s', or none is selected",
			       wanted->event->name);
	return rc;
}

int view_make_events(struct view *view, struct selection *selection, struct error *err)
{
	int rc = 0;

	view->by_event = true;
	for (size_t e = 0; !rc && e < selection->options->event_count; e++)
		rc = select_event(view, selection, &selection->options->events[e], err);
	return rc;
}
