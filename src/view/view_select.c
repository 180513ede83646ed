/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Selects the ports and units of the machine that a view needs, and opens them; accesses no
 * register otherwise.
 */
#include "view/view_select.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "platform/cpus.h"
#include "platform/perf.h"
#include "uncore/offcore.h"
#include "uncore/units/core_unit.h"
#include "uncore/units/cpmu.h"
#include "uncore/units/perf_unit.h"

bool view_selected(const char *list, int number)
{
	return !list || numlist_contains(list, (unsigned)number);
}

/* Returns true if a device is selected; NULL is an unknown device. */
static bool device_is_selected(const struct view_options *o, const struct cxl_device *device)
{
	if (!o->devices && !o->nodes)
		return true;
	return device && (!o->devices || cxl_device_list_has(o->devices, device->name)) &&
	       (!o->nodes || (device->node >= 0 && view_selected(o->nodes, device->node)));
}

bool view_port_selected(const struct view_options *options, const struct port *port)
{
	return view_selected(options->sockets, port->socket) &&
	       view_selected(options->ports, (int)port->number) &&
	       device_is_selected(options, port->device);
}

bool view_portless_selected(const struct view_options *o, const struct cxl_device *device,
			    int socket)
{
	return !o->ports && (!o->sockets || (socket >= 0 && view_selected(o->sockets, socket))) &&
	       device_is_selected(o, device);
}

bool view_has_device_row(const struct selection *selection, const struct cpmu *cpmu)
{
	return !cpmu_port(selection->machine, cpmu) &&
	       view_portless_selected(selection->options, cpmu->device, cpmu->socket);
}

bool view_has_device_rows(const struct selection *selection)
{
	for (size_t i = 0; i < selection->machine->cpmu_count; i++)
		if (view_has_device_row(selection, &selection->machine->cpmus[i]))
			return true;
	return false;
}

bool view_unit_selected(const struct selection *selection, const struct unit *unit)
{
	const struct port *port = unit->cpmu ? cpmu_port(selection->machine, unit->cpmu) : NULL;

	if (port)
		return view_port_selected(selection->options, port);
	return unit->cpmu ? view_has_device_row(selection, unit->cpmu)
			  : view_selected(selection->options->sockets, unit->socket);
}

bool view_selects_ports(const struct view_options *options)
{
	return options->ports || options->devices || options->nodes;
}

/* A socket without a discovery table has CPUs that can be measured. */
int view_check_sockets(const struct machine *m, const struct view_options *options,
		       struct error *err)
{
	char names[256] = "";
	bool selected = !m->socket_count;

	for (size_t i = 0; i < m->topology.count; i++)
		selected |= view_selected(options->sockets, m->topology.cpus[i].socket);
	for (size_t i = 0; i < m->socket_count; i++) {
		selected |= view_selected(options->sockets, m->sockets[i]);
		text_list(names, sizeof(names), "%d", m->sockets[i]);
	}
	return selected ? 0
			: error_set(err, ERROR_USAGE, -EINVAL,
				    "no socket is selected by --socket; known sockets: %s", names);
}

#define NAMES_SIZE 256 /* size of a list of devices in a message */

static void add_device(char names[NAMES_SIZE], const struct cxl_device *device)
{
	if (device)
		text_list(names, NAMES_SIZE, device->node < 0 ? "%s" : "%s (node %d)", device->name,
			  device->node);
}

int view_check_devices(const struct machine *m, const struct view_options *options,
		       struct error *err)
{
	const struct selection all = {.machine = (struct machine *)m, .options = options};
	char names[NAMES_SIZE] = "";

	for (size_t i = 0; i < m->port_count; i++) {
		if (device_is_selected(options, m->ports[i].device))
			return 0;
		add_device(names, m->ports[i].device);
	}
	for (size_t i = 0; i < m->cpmu_count; i++) {
		if (view_has_device_row(&all, &m->cpmus[i]))
			return 0;
		if (!cpmu_port(m, &m->cpmus[i]))
			add_device(names, m->cpmus[i].device);
	}
	if (!options->devices && !options->nodes)
		return 0;
	return error_set(err, ERROR_USAGE, -EINVAL, "no CXL %s is selected by %s%s; %s%s",
			 m->port_count ? "port" : "device", options->devices ? "--device" : "",
			 !options->nodes    ? ""
			 : options->devices ? " and --node"
					    : "--node",
			 *names ? "known devices: " : "no device is known behind any port", names);
}

struct unit *view_port_unit(const struct port *port, uint16_t pmu_type, size_t nth)
{
	if (pmu_type == PMU_PCIE_TGT)
		return nth < port->tgt_count ? &port->tgt[nth] : NULL;
	return nth			     ? NULL
	       : pmu_type_is_cxlcm(pmu_type) ? port->cxlcm
	       : pmu_type == PMU_CXLDP	     ? port->cxldp
	       : pmu_type == PMU_DF	     ? port->df
					     : NULL;
}

int view_no_cpmu(const struct selection *selection, struct error *err)
{
	const struct error *why = selection->device_error.code ? &selection->device_error
							       : &selection->machine->cpmu_error;

	if (!why->code)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "no selected CXL device has a performance monitoring unit (CPMU), "
				 "which devices of CXL 3 may have");
	error_set(err, why->kind, why->code, "%s", why->text);
	error_hint(err, why->command);
	return why->code;
}

int view_find_busy_cpmu(const struct selection *selection, const struct event *event,
			struct error *err)
{
	char name[UNIT_NAME_SIZE];
	struct unit *unit;

	for (size_t i = 0; (unit = machine_unit(selection->machine, PMU_CPMU, i)); i++)
		if (unit->open && unit->busy && view_unit_selected(selection, unit) &&
		    (!event || cpmu_counts(unit->cpmu, event)))
			return error_set(err, ERROR_IN_USE, -EBUSY,
					 "%s: its counters that could count %s%s are in use: stop "
					 "the program that uses them, such as perf; --share uses "
					 "only free counters, --force takes them over and restores "
					 "them on exit",
					 unit_name(unit, name), event ? "" : "the requested events",
					 event ? event->name : "");
	return 0;
}

/* Makes the error that no port is selected, with the ports that can be, as "s0 p0-1, s1 p0". */
static int no_port_selected(const struct selection *selection, struct error *err)
{
	const struct machine *m = selection->machine;
	const bool by_device = selection->options->devices || selection->options->nodes;
	char known[256] = "";

	if (!m->port_count)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "this machine has no CXL port that --port could select");
	/* a socket's ports are numbered from 0 */
	for (size_t i = 0; i < m->port_count; i++) {
		const struct port *port = &m->ports[i];

		if (i + 1 == m->port_count || port[1].socket != port->socket)
			text_list(known, sizeof(known), port->number ? "s%d p0-%u" : "s%d p%u",
				  port->socket, port->number);
	}
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "none of the %zu %ss of this machine is selected by "
			 "--socket and --port%s; known: %s",
			 m->port_count, m->model->port_name ? m->model->port_name : "CXL port",
			 by_device ? " together with --device and --node" : "", known);
}

int view_select_ports(struct selection *selection, struct error *err)
{
	const struct machine *m = selection->machine;
	bool selected = view_has_device_rows(selection) || selection->nodes || selection->devices;

	for (size_t i = 0; i < m->port_count; i++) {
		selection->ports[i] = view_port_selected(selection->options, &m->ports[i]);
		selected |= selection->ports[i];
	}
	if (selected || (!m->port_count && !selection->options->ports))
		return 0;
	return no_port_selected(selection, err);
}

static int open_port(const struct selection *selection, const struct port *port, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < selection->type_count; i++) {
		struct unit *unit;

		/* a unit that ports share is opened once, with units of no port */
		for (size_t nth = 0; !rc && view_is_port_pmu_type(selection->types[i]) &&
				     (unit = view_port_unit(port, selection->types[i], nth));
		     nth++)
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

/* Ports without devices that do not respond may be many: they get one message. */
int view_open_ports(struct selection *selection, struct error *err)
{
	const struct machine *m = selection->machine;
	const struct log *log = &m->platform->log;
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
			log_write(log, LEVEL_WARNING,
				  "socket %d port %u is left out: %s; sums that include it stay "
				  "empty (--port selects others)",
				  port->socket, port->number, why.text);
		} else if (!count++) {
			unused = port;
			unused_why = why;
		}
	}
	if (count == 1)
		log_write(log, LEVEL_WARNING, "socket %d port %u is left out: %s", unused->socket,
			  unused->number, unused_why.text);
	else if (count)
		log_write(log, LEVEL_WARNING, "%zu ports are left out, as socket %d port %u: %s",
			  count, unused->socket, unused->number, unused_why.text);
	if (why.code && !open)
		return error_set(err, why.kind, why.code, "%s", why.text);
	return 0;
}

/* Opens a unit, and notes it if it is absent. */
static int open_unit(const struct selection *selection, struct unit *unit,
		     struct missing_units *missing, struct error *err)
{
	const bool known = unit->absent;
	int rc = unit_open(selection->machine->platform, unit, err);

	if (unit->absent && !known)
		missing->absent = missing->absent_count++ ? missing->absent : unit;
	return rc;
}

bool view_leave_uncounted(const struct unit *unit, struct missing_units *missing)
{
	/* with registers, a unit whose clock does not run is absent: see unit_open() */
	const bool still = unit->still && unit->access == ACCESS_PERF;

	if (unit->uncounted && !missing->uncounted_count++)
		missing->uncounted = unit;
	if (still && !missing->still_count++)
		missing->still = unit;
	return unit->uncounted || still;
}

static void report_left_out(const struct log *log, const struct unit *first, size_t count,
			    const char *why)
{
	char name[UNIT_NAME_SIZE], more[48] = "";

	if (!count)
		return;
	if (count > 1)
		snprintf(more, sizeof(more), " and %zu other unit%s", count - 1,
			 count == 2 ? "" : "s");
	log_write(log, LEVEL_WARNING, "left out: %s%s: %s; sums that include them stay empty",
		  unit_name(first, name), more, why);
}

void view_report_missing(const struct selection *selection, const struct missing_units *missing)
{
	const struct log *log = &selection->machine->platform->log;
	const size_t absent = missing->absent_count;
	char name[UNIT_NAME_SIZE];

	if (absent)
		log_write(log, LEVEL_NOTE, "%zu %s unit%s not %s, and count%s as absent; first: %s",
			  absent, missing->absent->pmu_type->name, absent == 1 ? " does" : "s do",
			  missing->absent->pmu_type->count_msr
				  ? "exist, although the discovery table lists them"
				  : "respond, as if without memory",
			  absent == 1 ? "s" : "", unit_name(missing->absent, name));
	report_left_out(log, missing->uncounted, missing->uncounted_count,
			"the kernel does not count there, as on a die without an online CPU");
	report_left_out(
		log, missing->still, missing->still_count,
		"their clocks stand still as the kernel counts them, while others' run: its driver has "
		"not initialised them, or they do not exist");
}

/*
 * Writes one message for all devices, because the reason is mostly the same, and one for all CPUs:
 * either all have a PMU, or none.
 */
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
 * Opens the selected units of a type. A unit that fails is left out; but a missing permission is an
 * error, because all would fail, except CPMUs. CPUs without a PMU are all left out.
 */
static int open_units_of(struct selection *selection, uint16_t type, struct error *err)
{
	struct missing_units missing = {.absent_count = 0};
	struct error why = {0};
	struct unit *unit;

	for (size_t i = 0; (unit = machine_unit(selection->machine, type, i)); i++) {
		if (unit->type != type || !view_unit_selected(selection, unit) ||
		    view_leave_uncounted(unit, &missing) ||
		    !open_unit(selection, unit, &missing, &why) || unit->absent)
			continue;
		if (unit->cpmu && !selection->left_out++)
			selection->device_error = why;
		if (unit->cpmu)
			continue;
		if (type == PMU_CORE && why.kind == ERROR_NO_UNIT) {
			selection->core_error = why;
			break;
		}
		if (why.kind != ERROR_FAILED)
			return error_set(err, why.kind, why.code, "%s", why.text);
		log_write(&selection->machine->platform->log, LEVEL_WARNING,
			  "left out: %s; sums that include it stay empty", why.text);
	}
	view_report_missing(selection, &missing);
	return 0;
}

/* Notes busy core counters: on most servers the NMI watchdog uses some, or perf. */
int view_open_units(struct selection *selection, struct error *err)
{
	const struct machine *m = selection->machine;
	size_t busy = 0;
	int rc = 0;

	for (size_t i = 0; !rc && i < selection->type_count; i++)
		if (!view_is_port_pmu_type(selection->types[i]))
			rc = open_units_of(selection, selection->types[i], err);
	for (size_t i = 0; i < m->cpu_count; i++)
		busy += m->cpus[i].open && m->cpus[i].busy;
	if (busy)
		log_write(
			&m->platform->log, LEVEL_NOTE,
			"%zu CPU%s: some core counters are in use by the NMI watchdog or perf; they "
			"are not touched",
			busy, busy == 1 ? "" : "s");
	return rc;
}

/* Claims the registers or fields that an event needs in addition to a counter. */
static int prepare_event(struct machine *m, struct unit *unit, const struct event *event,
			 struct error *err)
{
	struct perf_event ignored;

	if (unit->access == ACCESS_PERF)
		return perf_unit_encode(unit, event, &ignored, err);
	return event->offcore_rsp ? offcore_claim(m, unit, event, err) : 0;
}

void view_prepare_events(const struct selection *selection)
{
	const struct event *event;
	struct error first, why;
	struct unit *unit;
	size_t left = 0;

	for (size_t f = 0; f < selection->needed_count; f++)
		for (unsigned i = 0; (event = formula_event(selection->needed[f], i)); i++)
			for (size_t u = 0;
			     (unit = machine_unit(selection->machine, event->type, u)); u++)
				if (unit->type == event->type && unit->open &&
				    prepare_event(selection->machine, unit, event, &why) && !left++)
					first = why;
	if (left)
		log_write(&selection->machine->platform->log, LEVEL_WARNING,
			  "%zu value%s cannot be counted, and stay%s empty; first: %s", left,
			  left == 1 ? "" : "s", left == 1 ? "s" : "", first.text);
}

int view_open_event_unit(const struct selection *selection, struct unit *unit,
			 const struct event *event, struct missing_units *missing,
			 struct error *err)
{
	int rc = open_unit(selection, unit, missing, err);

	if (rc == -ENOTSUP)
		return error_set(
			err, ERROR_USAGE, rc,
			"%s: cannot be programmed: its counter layout is unknown on this processor",
			unit->pmu_type->name);
	if (!rc && unit->core)
		rc = core_unit_check_event(unit, event, err);
	return rc ? rc : prepare_event(selection->machine, unit, event, err);
}
