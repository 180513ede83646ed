/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of single events: for each unit, or for the sum over the units of a socket or of the system.
 */
#include "view/view_events.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "uncore/units/cpmu.h"
#include "view/view_rows.h"
#include "view/view_select.h"
#include "view/view_terms.h"

/* Highest request.group of formulas, which begin at 1; groups of -e come after it. */
#define FORMULA_GROUPS_MOST 1024

/* Makes room for one more row. */
static int grow_rows(struct view *view, struct error *err)
{
	const size_t count = view->table.row_count + 1;
	struct row *rows = reallocarray(view->table.rows, count, sizeof(*rows));

	if (!rows)
		return error_no_memory(err);
	view->table.rows = rows;
	struct counted_row *counted = reallocarray(view->counted, count, sizeof(*counted));

	if (!counted)
		return error_no_memory(err);
	view->counted = counted;
	counted[count - 1] = (struct counted_row){0};
	return 0;
}

/* Makes the last row, which was just added, a row for an event on a unit. */
static void describe_row(struct view *view, const struct event_choice *wanted,
			 const struct unit *unit)
{
	struct row *row = &view->table.rows[view->table.row_count - 1];

	row->event = wanted->event;
	row->unit = unit;
	view->table.event_rows++;
	view_counted(view, row)->first_term = view->request_count;
	row->values = table_unknown(&view->table);
}

/* Adds this unit to those on which the last row counts the event. */
static int add_unit(struct view *view, const struct event_choice *wanted, struct unit *unit,
		    struct error *err)
{
	const struct request request = {
		.unit = unit,
		.event = wanted->event,
		.group = wanted->group ? FORMULA_GROUPS_MOST + wanted->group : 0,
	};

	view->counted[view->table.row_count - 1].term_count++;
	return view_add_term(view, request) ? error_no_memory(err) : 0;
}

static int add_unit_row(struct view *view, const struct event_choice *wanted, struct unit *unit,
			const struct port *port, struct error *err)
{
	const bool core = unit->type == PMU_CORE;
	int rc = grow_rows(view, err);

	if (rc)
		return rc;
	if (port)
		view_add_port_row(view, port);
	else if (unit->cpmu)
		view_add_device_row(view, unit->cpmu->socket, unit->cpmu->device,
				    unit->cpmu->pci_text);
	else
		view_add_row(view, core ? ROW_CPU : ROW_SOCKET, unit->socket,
			     core ? (int)unit->cpu : -1);
	describe_row(view, wanted, unit);
	return add_unit(view, wanted, unit, err);
}

static bool is_wanted(const struct selection *selection, const struct event_choice *wanted,
		      const struct unit *unit, const struct port *port)
{
	return unit->type == wanted->event->type && view_unit_selected(selection, unit) &&
	       (!port || view_port_selected(selection->options, port));
}

/*
 * Returns true if it could count the event, but the kernel does not, or another program uses its
 * counters.
 */
static bool is_lacking(const struct unit *unit, const struct event *event)
{
	return unit->uncounted || (unit->still && unit->access == ACCESS_PERF) ||
	       (unit->cpmu && unit->open && !unit_event_counters(unit, event) &&
		cpmu_counts(unit->cpmu, event));
}

/* Adds a row for the sum of the open units of a socket, or of the system (-1), if there are any. */
static int add_sum_row(struct view *view, const struct selection *selection,
		       const struct event_choice *wanted, int socket, struct error *err)
{
	const struct machine *m = selection->machine;
	bool begun = false, lacks = false;
	struct unit *unit;
	int rc = 0;

	for (size_t i = 0; !rc && (unit = machine_unit(m, wanted->event->type, i)); i++) {
		if (!is_wanted(selection, wanted, unit, unit_port(m, unit)) ||
		    (socket >= 0 && unit->socket != socket))
			continue;
		lacks |= is_lacking(unit, wanted->event);
		if (!unit->open || (unit->cpmu && !unit_event_counters(unit, wanted->event)))
			continue;
		if (!begun) {
			rc = grow_rows(view, err);
			if (rc)
				return rc;
			view_add_row(view, socket < 0 ? ROW_SYSTEM : ROW_SOCKET, socket, -1);
			describe_row(view, wanted, unit);
			view->table.rows[view->table.row_count - 1].summed = true;
			begun = true;
		}
		rc = add_unit(view, wanted, unit, err);
	}
	if (begun)
		view->counted[view->table.row_count - 1].lacks_unit = lacks;
	return rc;
}

static int add_sum_rows(struct view *view, const struct selection *selection,
			const struct event_choice *wanted, struct error *err)
{
	const struct machine *m = selection->machine;
	int rc = 0;

	for (size_t s = 0; !rc && selection->options->finest == SCOPE_SOCKET && s < m->socket_count;
	     s++)
		rc = add_sum_row(view, selection, wanted, m->sockets[s], err);
	return rc ? rc : add_sum_row(view, selection, wanted, -1, err);
}

/*
 * Returns true if a unit can count the event. CXL devices differ in the events that they can count:
 * one that cannot is left out.
 */
static bool can_count(const struct selection *selection, const struct unit *unit,
		      const struct event *event)
{
	char name[UNIT_NAME_SIZE];

	if (!unit->cpmu || unit_event_counters(unit, event))
		return true;
	log_write(&selection->machine->platform->log, LEVEL_NOTE, "%s %s %s", unit_name(unit, name),
		  unit->busy && cpmu_counts(unit->cpmu, event) ? "has no free counter for"
							       : "cannot count",
		  event->name);
	return false;
}

/* Opens the unit and adds its row, if it is selected. -ENXIO: it is absent, and has no row. */
static int select_unit(struct view *view, const struct selection *selection,
		       const struct event_choice *wanted, struct unit *unit,
		       struct missing_units *missing, struct error *err)
{
	const struct port *port = unit_port(selection->machine, unit);

	if (!is_wanted(selection, wanted, unit, port) || view_leave_uncounted(unit, missing))
		return 0;
	int rc = view_open_event_unit(selection, unit, wanted->event, missing, err);
	if (!rc && !can_count(selection, unit, wanted->event))
		return 0;
	return rc || selection->options->finest >= SCOPE_SOCKET
		       ? rc
		       : add_unit_row(view, wanted, unit, port, err);
}

static int no_row(const struct selection *selection, const struct event *event, struct error *err)
{
	const struct machine *m = selection->machine;
	bool selected = false;
	struct unit *unit;

	if (m->pmus.count)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "this kernel has no PMU for '%s', or no unit of it is selected",
				 event->name);
	if (event->type != PMU_CPMU)
		return error_set(err, ERROR_USAGE, -ENODEV,
				 "this machine has no unit for '%s', or none is selected",
				 event->name);
	for (size_t i = 0; (unit = machine_unit(m, PMU_CPMU, i)); i++)
		selected |= view_unit_selected(selection, unit);
	if (!selected)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "no CXL device with a CPMU is selected by --socket, --port, "
				 "--device and --node");
	const int rc = view_find_busy_cpmu(selection, event, err);
	return rc ? rc
		  : error_set(err, ERROR_NO_UNIT, -ENODEV,
			      "no selected CXL device can count '%s'; cxlmon info shows what they "
			      "have",
			      event->name);
}

/* Checks that the machine has units of the event's kind. */
static int check_machine(const struct selection *selection, const struct event *event,
			 struct error *err)
{
	const struct machine *m = selection->machine;

	if (event->type == PMU_CPMU)
		return m->cpmu_count ? 0 : view_no_cpmu(selection, err);
	return event->type != PMU_CORE && m->uncore_error.code ? machine_no_uncore(m, err) : 0;
}

/*
 * Adds a row for each selected unit of the event's type, or for their sums. It is an error if all
 * units are absent.
 */
static int select_event(struct view *view, const struct selection *selection,
			const struct event_choice *wanted, struct error *err)
{
	const uint16_t type = wanted->event->type;
	const size_t rows = view->table.row_count;
	struct missing_units missing = {.absent_count = 0};
	struct unit *unit;
	int rc = check_machine(selection, wanted->event, err), no_response = 0;

	if (rc)
		return rc;
	for (size_t i = 0; !rc && (unit = machine_unit(selection->machine, type, i)); i++) {
		rc = select_unit(view, selection, wanted, unit, &missing, err);
		if (rc && unit->absent) {
			no_response = rc;
			rc = 0;
		}
	}
	view_report_missing(selection, &missing);
	if (!rc && selection->options->finest >= SCOPE_SOCKET)
		rc = add_sum_rows(view, selection, wanted, err);
	if (rc || view->table.row_count > rows)
		return rc;
	return no_response ? no_response : no_row(selection, wanted->event, err);
}

/* Returns true if an event cannot be counted because this kernel's PMUs lack it. */
static bool kernel_lacks(const struct machine *m, const struct error *why)
{
	return m->pmus.count && (why->code == -ENODEV || why->kind == ERROR_NO_UNIT);
}

/* Leaves out events whose PMU this kernel lacks: that is not the user's mistake. */
int view_make_events(struct view *view, struct selection *selection, struct error *err)
{
	const struct machine *m = selection->machine;
	const size_t rows = view->table.row_count;
	struct error left_out = {.code = 0};
	int rc = 0;

	if (!view->table.values && table_make_values(&view->table))
		return error_no_memory(err);
	for (size_t e = 0; !rc && e < selection->options->event_count; e++) {
		const size_t before = view->table.row_count;

		rc = select_event(view, selection, &selection->options->events[e], err);
		if (!rc || view->table.row_count > before || !kernel_lacks(m, err))
			continue;
		left_out = *err;
		log_write(&m->platform->log, LEVEL_WARNING, "an event is left out: %s", err->text);
		rc = 0;
	}
	if (rc || !left_out.code || view->table.row_count > rows || view->table.column_count)
		return rc;
	*err = left_out;
	return err->code;
}
