/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening the units that were selected. Nothing else of a view accesses registers. */
#include <errno.h>

#include "metrics/view_parts.h"
#include "uncore/core_unit.h"
#include "uncore/offcore.h"

static int open_port(const struct choice *choice, const struct port *port, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < choice->type_count; i++) {
		struct unit *unit = view_port_unit(port, choice->types[i]);

		if (unit)
			rc = unit_open(choice->machine->platform, unit, err);
	}
	return rc;
}

int view_open_ports(struct choice *choice, struct error *err)
{
	const struct machine *m = choice->machine;
	struct error last = {0};
	size_t open = 0;

	for (size_t i = 0; i < m->port_count; i++) {
		const struct port *port = &m->ports[i];

		if (!choice->ports[i])
			continue;
		choice->ports[i] = !open_port(choice, port, &last);
		if (choice->ports[i])
			open++;
		else
			log_write(&m->platform->log, LEVEL_WARNING,
				  "socket %d port %u is left out: %s", port->socket, port->number,
				  last.text);
	}
	if (last.code && !open)
		return error_set(err, last.status, last.code, "%s", last.text);
	return 0;
}

/* One that fails is left out; where a right is missing, all of them would fail. */
static int open_units_of(const struct choice *choice, uint16_t type, struct error *err)
{
	struct platform *p = choice->machine->platform;
	struct error why = {0};
	size_t count;
	struct unit *units = view_first_unit(choice->machine, type, &count);

	for (size_t i = 0; i < count; i++) {
		if (units[i].type != type ||
		    !view_selected(choice->options->sockets, units[i].socket) ||
		    !unit_open(p, &units[i], &why))
			continue;
		if (why.status != EXIT_FAILED)
			return error_set(err, why.status, why.code, "%s", why.text);
		log_write(&p->log, LEVEL_WARNING, "left out: %s", why.text);
	}
	return 0;
}

/* The NMI watchdog, on most servers, or perf. */
static void report_busy(const struct machine *m)
{
	size_t busy = 0;

	for (size_t i = 0; i < m->cpu_count; i++)
		busy += m->cpus[i].open && m->cpus[i].busy;
	if (busy)
		log_write(
			&m->platform->log, LEVEL_NOTE,
			"on %zu CPU%s core counters are in use, by the NMI watchdog or perf, and left "
			"alone",
			busy, busy == 1 ? "" : "s");
}

int view_open_units(const struct choice *choice, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < choice->type_count; i++)
		if (!view_is_port_box(choice->types[i]))
			rc = open_units_of(choice, choice->types[i], err);
	report_busy(choice->machine);
	return rc;
}

/* CPUs that an event can't be counted on, and why not on the first of them. */
struct left_empty {
	size_t cpus;
	struct error first;
};

static void claim_offcore(struct choice *choice, const struct formula *formula, void *context)
{
	const struct machine *m = choice->machine;
	struct left_empty *left = context;
	const struct event *event;
	struct error why;

	for (unsigned i = 0; (event = view_formula_event(choice, formula, i)); i++)
		for (size_t c = 0; event->offcore_rsp && c < m->cpu_count; c++)
			if (m->cpus[c].open &&
			    offcore_claim(choice->machine, &m->cpus[c], event, &why) &&
			    !left->cpus++)
				left->first = why;
}

void view_claim_offcore(const struct view *view, struct choice *choice)
{
	struct left_empty left = {.cpus = 0};

	view_each_formula(view, choice, claim_offcore, &left);
	if (left.cpus)
		log_write(&choice->machine->platform->log, LEVEL_WARNING,
			  "%zu value%s of CPUs can't be counted, and stay%s empty; first: %s",
			  left.cpus, left.cpus == 1 ? "" : "s", left.cpus == 1 ? "s" : "",
			  left.first.text);
}

int view_open_event_unit(const struct choice *choice, struct unit *unit, const struct event *event,
			 struct error *err)
{
	int rc = unit_open(choice->machine->platform, unit, err);

	if (rc == -ENOTSUP)
		return error_set(err, EXIT_USAGE, rc, "%s is not known well enough to count on",
				 unit->box->name);
	if (!rc && unit->core)
		rc = core_unit_check_event(unit, event, err);
	return rc || !unit->core ? rc : offcore_claim(choice->machine, unit, event, err);
}
