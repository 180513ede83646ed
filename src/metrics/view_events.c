/* SPDX-License-Identifier: BSD-3-Clause */
/* Views of single events: a row an event and unit. */
#include <errno.h>
#include <stdlib.h>

#include "metrics/view_parts.h"
#include "uncore/core_unit.h"

/* Which port a unit belongs to; NULL: none. */
static const struct port *port_of(const struct machine *m, const struct unit *unit)
{
	for (size_t i = 0; i < m->port_count; i++)
		if (m->ports[i].cxlcm == unit || m->ports[i].cxldp == unit)
			return &m->ports[i];
	return NULL;
}

static int add_event_row(struct view *view, const struct choice *choice,
			 const struct event_choice *wanted, struct unit *unit, struct error *err)
{
	const struct port *port = port_of(choice->machine, unit);
	const struct request request = {.unit = unit, .event = wanted->event, .set = wanted->group};
	int rc;

	if (!view_selected(choice->options->sockets, unit->socket) ||
	    (port && !view_port_selected(choice->options, port)))
		return 0;
	rc = unit_open(choice->machine->platform, unit, err);
	if (rc)
		return rc == -ENOTSUP ? error_set(err, EXIT_USAGE, rc,
						  "%s is not known well enough to count on",
						  unit->box->name)
				      : rc;
	rc = unit->core ? core_unit_check_event(unit, wanted->event, err) : 0;
	if (rc)
		return rc;
	struct row *rows = reallocarray(view->rows, view->row_count + 1, sizeof(*rows));
	if (!rows)
		return error_no_memory(err);
	view->rows = rows;
	if (view_add_term(view, request))
		return error_no_memory(err);
	if (port)
		view_add_port_row(view, port);
	else
		view_add_row(view, unit->core ? SCOPE_CPU : SCOPE_SOCKET, unit->socket,
			     unit->core ? (int)unit->cpu : -1);
	view->rows[view->row_count - 1].unit = unit;
	view->rows[view->row_count - 1].event = wanted->event;
	return 0;
}

int view_make_events(struct view *view, struct choice *choice, struct error *err)
{
	int rc = 0;

	view->by_event = true;
	for (size_t e = 0; !rc && e < choice->options->event_count; e++) {
		const struct event_choice *wanted = &choice->options->events[e];
		const size_t rows = view->row_count;
		size_t count;
		struct unit *units = view_first_unit(choice->machine, wanted->event->box, &count);

		if (wanted->event->box != BOX_CORE && choice->machine->uncore_error.code)
			return view_no_uncore(choice->machine, err);
		for (size_t i = 0; !rc && i < count; i++)
			if (units[i].type == wanted->event->box)
				rc = add_event_row(view, choice, wanted, &units[i], err);
		if (!rc && view->row_count == rows)
			rc = error_set(err, EXIT_USAGE, -ENODEV,
				       "this machine has no unit for '%s', or none is selected",
				       wanted->event->name);
	}
	return rc;
}
