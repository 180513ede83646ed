/* SPDX-License-Identifier: BSD-3-Clause */
/* Opening the units that were selected. Nothing else of a view accesses registers. */
#include <errno.h>
#include <stdio.h>

#include "metrics/view_private.h"
#include "uncore/core_unit.h"
#include "uncore/perf_unit.h"

static int open_port(const struct selection *selection, const struct port *port, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < selection->type_count; i++) {
		struct unit *unit = view_port_unit(port, selection->types[i]);

		/* a unit that ports share is opened once, with those of no port */
		if (unit && view_is_port_pmu_type(unit->type))
			rc = unit_open(selection->machine->platform, unit, err);
	}
	return rc;
}

bool view_port_may_have_memory(const struct machine *m, const struct port *port)
{
	if (port->device)
		return true;
	for (size_t i = 0; i < m->port_count; i++)
		if (m->ports[i].device)
			return false;
	return true;
}

/* Ports without devices that don't respond: one message, as a machine may have many. */
static void report_unused_ports(const struct selection *selection, const struct port *first,
				size_t count, const struct error *why)
{
	const struct log *log = &selection->machine->platform->log;

	if (count == 1)
		log_write(log, LEVEL_WARNING, "socket %d port %u is left out: %s", first->socket,
			  first->number, why->text);
	else if (count)
		log_write(log, LEVEL_WARNING, "%zu ports are left out, as socket %d port %u: %s",
			  count, first->socket, first->number, why->text);
}

int view_open_ports(struct selection *selection, struct error *err)
{
	const struct machine *m = selection->machine;
	const struct port *unused = NULL;
	struct error why = {0}, unused_why = {0};
	size_t open = 0, count = 0;

	for (size_t i = 0; i < m->port_count; i++) {
		const struct port *port = &m->ports[i];

		if (!selection->ports[i])
			continue;
		selection->ports[i] = !open_port(selection, port, &why);
		if (selection->ports[i]) {
			open++;
		} else if (view_port_may_have_memory(m, port)) {
			log_write(&m->platform->log, LEVEL_WARNING,
				  "socket %d port %u is left out: %s; sums that include it stay "
				  "empty (--port selects others)",
				  port->socket, port->number, why.text);
		} else if (!count++) {
			unused = port;
			unused_why = why;
		}
	}
	report_unused_ports(selection, unused, count, &unused_why);
	if (why.code && !open)
		return error_set(err, why.status, why.code, "%s", why.text);
	return 0;
}

/* Counts the unit if it is absent. */
static int open_unit(const struct selection *selection, struct unit *unit, struct absence *absence,
		     struct error *err)
{
	const bool known = unit->absent;
	int rc = unit_open(selection->machine->platform, unit, err);

	if (unit->absent && !known)
		absence->first = absence->count++ ? absence->first : unit;
	return rc;
}

void view_report_absence(const struct selection *selection, const struct absence *absence)
{
	char name[UNIT_NAME_SIZE];
	const bool one = absence->count == 1;

	if (absence->count)
		log_write(&selection->machine->platform->log, LEVEL_NOTE,
			  "%zu %s unit%s not %s, and count%s as absent; first: %s", absence->count,
			  absence->first->pmu_type->name, one ? " does" : "s do",
			  absence->first->pmu_type->count_msr
				  ? "exist, though the discovery table has records"
				  : "respond, as without memory",
			  one ? "s" : "", unit_name(absence->first, name));
}

bool view_leave_uncounted(const struct unit *unit, struct absence *uncounted)
{
	if (unit->uncounted && !uncounted->count++)
		uncounted->first = unit;
	return unit->uncounted;
}

void view_report_uncounted(const struct selection *selection, const struct absence *uncounted)
{
	const size_t others = uncounted->count - 1;
	char name[UNIT_NAME_SIZE], more[48] = "";

	if (!uncounted->count)
		return;
	if (others)
		snprintf(more, sizeof(more), " and %zu other unit%s", others,
			 others == 1 ? "" : "s");
	log_write(&selection->machine->platform->log, LEVEL_WARNING,
		  "left out: %s%s: the kernel cannot count on a die without an online CPU; sums "
		  "that include them stay empty",
		  unit_name(uncounted->first, name), more);
}

/* One message for all devices, as the reason is mostly the same. CPUs have a PMU, or none has. */
void view_report_left_out(const struct selection *selection)
{
	const struct log *log = &selection->machine->platform->log;
	const size_t count = selection->left_out;

	if (selection->core_error.code)
		log_write(log, LEVEL_WARNING, "left out: %s", selection->core_error.text);
	if (count > 1)
		log_write(log, LEVEL_WARNING, "left out, with %zu other%s: %s", count - 1,
			  count == 2 ? "" : "s", selection->device_error.text);
	else if (count)
		log_write(log, LEVEL_WARNING, "left out: %s", selection->device_error.text);
}

/*
 * One that fails is left out; where a right is missing, all of them would fail, but for CPMUs. CPUs
 * without a PMU are all left out.
 */
static int open_units_of(struct selection *selection, uint16_t type, struct error *err)
{
	struct absence absence = {.count = 0}, uncounted = {.count = 0};
	struct error why = {0};
	struct unit *unit;

	for (size_t i = 0; (unit = machine_unit(selection->machine, type, i)); i++) {
		if (unit->type != type || !view_unit_selected(selection, unit) ||
		    view_leave_uncounted(unit, &uncounted) ||
		    !open_unit(selection, unit, &absence, &why) || unit->absent)
			continue;
		if (unit->cpmu && !selection->left_out++)
			selection->device_error = why;
		if (unit->cpmu)
			continue;
		if (type == PMU_CORE && why.status == EXIT_NO_UNIT) {
			selection->core_error = why;
			break;
		}
		if (why.status != EXIT_FAILED)
			return error_set(err, why.status, why.code, "%s", why.text);
		log_write(&selection->machine->platform->log, LEVEL_WARNING,
			  "left out: %s; sums that include it stay empty", why.text);
	}
	view_report_absence(selection, &absence);
	view_report_uncounted(selection, &uncounted);
	return 0;
}

/* Core counters are used by the NMI watchdog on most servers, or by perf. */
static void report_busy(const struct machine *m)
{
	size_t busy = 0;

	for (size_t i = 0; i < m->cpu_count; i++)
		busy += m->cpus[i].open && m->cpus[i].busy;
	if (busy)
		log_write(
			&m->platform->log, LEVEL_NOTE,
			"%zu CPU%s: some core counters are in use by the NMI watchdog or perf; they "
			"are not touched",
			busy, busy == 1 ? "" : "s");
}

int view_open_units(struct selection *selection, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < selection->type_count; i++)
		if (!view_is_port_pmu_type(selection->types[i]))
			rc = open_units_of(selection, selection->types[i], err);
	report_busy(selection->machine);
	return rc;
}

/* Units that an event can't be counted on, and why not on the first of them. */
struct left_empty {
	size_t units;
	struct error first;
};

/* What an event needs besides a counter. */
static int prepare_event(struct machine *m, struct unit *unit, const struct event *event,
			 struct error *err)
{
	struct perf_event ignored;

	if (unit->access == ACCESS_PERF)
		return perf_unit_encode(unit, event, &ignored, err);
	return event->offcore_rsp ? offcore_claim(m, unit, event, err) : 0;
}

static void prepare_formula(struct selection *selection, const struct formula *formula,
			    void *context)
{
	struct left_empty *left = context;
	const struct event *event;
	struct error why;
	struct unit *unit;

	for (unsigned i = 0; (event = formula_event(formula, i)); i++)
		for (size_t u = 0; (unit = machine_unit(selection->machine, event->type, u)); u++)
			if (unit->type == event->type && unit->open &&
			    prepare_event(selection->machine, unit, event, &why) && !left->units++)
				left->first = why;
}

void view_prepare_events(const struct view *view, struct selection *selection)
{
	struct left_empty left = {.units = 0};

	view_each_formula(view, selection, prepare_formula, &left);
	if (left.units)
		log_write(&selection->machine->platform->log, LEVEL_WARNING,
			  "%zu value%s can't be counted, and stay%s empty; first: %s", left.units,
			  left.units == 1 ? "" : "s", left.units == 1 ? "s" : "", left.first.text);
}

int view_open_event_unit(const struct selection *selection, struct unit *unit,
			 const struct event *event, struct absence *absence, struct error *err)
{
	int rc = open_unit(selection, unit, absence, err);

	if (rc == -ENOTSUP)
		return error_set(
			err, EXIT_USAGE, rc,
			"%s: counter layout not known on this processor, cannot be programmed",
			unit->pmu_type->name);
	if (!rc && unit->core)
		rc = core_unit_check_event(unit, event, err);
	return rc ? rc : prepare_event(selection->machine, unit, event, err);
}
