/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ports and units a view needs. Accesses no register. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/view.h"
#include "metrics/view_private.h"
#include "platform/text.h"
#include "uncore/cpmu.h"

bool view_is_port_pmu_type(uint16_t pmu_type)
{
	return pmu_type_is_cxlcm(pmu_type) || pmu_type == PMU_CXLDP;
}

bool view_selected(const char *list, int number)
{
	return !list || numlist_contains(list, (unsigned)number);
}

/* The beginning of a name in a list of devices, behind "/dev/cxl/" if it is a node. */
static const char *device_name(const char *device)
{
	static const char directory[] = "/dev/cxl/";
	const size_t length = sizeof(directory) - 1;

	return strncmp(device, directory, length) ? device : device + length;
}

bool view_devices_valid(const char *devices)
{
	const char *at = devices;

	do {
		at = device_name(at);
		at += strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789");
	} while (*at == ',' && at++);
	return *devices && !*at;
}

bool view_devices_contain(const char *devices, const char *name)
{
	for (const char *at = devices; *at; at += strcspn(at, ","), at += *at == ',') {
		at = device_name(at);
		if (strcspn(at, ",") == strlen(name) && !strncmp(at, name, strlen(name)))
			return true;
	}
	return false;
}

/* NULL: a device that is not known. */
bool view_device_selected(const struct view_options *o, const struct cxl_device *device)
{
	if (!o->devices && !o->nodes)
		return true;
	return device && (!o->devices || view_devices_contain(o->devices, device->name)) &&
	       (!o->nodes || (device->node >= 0 && view_selected(o->nodes, device->node)));
}

bool view_port_selected(const struct view_options *options, const struct port *port)
{
	return view_selected(options->sockets, port->socket) &&
	       view_selected(options->ports, (int)port->number) &&
	       view_device_selected(options, port->device);
}

bool view_has_device_row(const struct selection *selection, const struct cpmu *cpmu)
{
	const struct view_options *o = selection->options;

	return !cpmu_port(selection->machine, cpmu) && !o->ports &&
	       (!o->sockets || (cpmu->socket >= 0 && view_selected(o->sockets, cpmu->socket))) &&
	       view_device_selected(o, cpmu->device);
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
static bool socket_selected(const struct view_options *options, const struct machine *m)
{
	for (size_t i = 0; i < m->topology.count; i++)
		if (view_selected(options->sockets, m->topology.cpus[i].socket))
			return true;
	for (size_t i = 0; i < m->socket_count; i++)
		if (view_selected(options->sockets, m->sockets[i]))
			return true;
	return false;
}

int view_check_sockets(const struct machine *m, const struct view_options *options,
		       struct error *err)
{
	char names[256] = "";

	if (!m->socket_count || socket_selected(options, m))
		return 0;
	for (size_t i = 0; i < m->socket_count; i++)
		text_list(names, sizeof(names), "%d", m->sockets[i]);
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "no socket is selected by --socket; known sockets: %s", names);
}

#define NAMES_SIZE 256 /* of devices in a message */

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
		if (view_device_selected(options, m->ports[i].device))
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
	return error_set(err, EXIT_USAGE, -EINVAL, "no CXL %s is selected by %s%s; %s%s",
			 m->port_count ? "port" : "device", options->devices ? "--device" : "",
			 !options->nodes    ? ""
			 : options->devices ? " and --node"
					    : "--node",
			 *names ? "known devices: " : "no device is known behind any port", names);
}

struct unit *view_port_unit(const struct port *port, uint16_t pmu_type)
{
	return pmu_type_is_cxlcm(pmu_type) ? port->cxlcm
	       : pmu_type == PMU_CXLDP	   ? port->cxldp
	       : pmu_type == PMU_DF	   ? port->df
					   : NULL;
}

const struct formula *view_formula(const struct selection *selection, const struct metric *metric,
				   unsigned a)
{
	const struct custom_metric *custom = custom_metric_of(selection->options->custom, metric);

	if (!custom)
		return formulas_find(selection->formulas, metric_formulas(metric), a);
	return a == 0				      ? &custom->at_once
	       : a == 1 && custom->at_once.same_group ? &custom->multiplexed
						      : NULL;
}

bool view_has_rows_of(const struct view_options *options, const struct metric *metric)
{
	return metric->scopes >> options->finest;
}

void view_each_formula(const struct view *view, struct selection *selection, formula_visitor *visit,
		       void *context)
{
	const bool devices = view_has_device_rows(selection);

	for (size_t c = 0; c < view->column_count; c++)
		for (unsigned a = 0; a < ALTERNATIVES; a++) {
			if (!view_has_rows_of(selection->options, view->columns[c]))
				break;
			const struct formula *formula =
				view_formula(selection, view->columns[c], a);
			const struct formula *of_device = formulas_find_device(
				selection->formulas, metric_formulas(view->columns[c]), a);

			if (formula)
				visit(selection, formula, context);
			if (of_device && of_device != formula && devices)
				visit(selection, of_device, context);
		}
}

int view_no_cpmu(const struct selection *selection, struct error *err)
{
	const struct error *why = selection->device_error.code ? &selection->device_error
							       : &selection->machine->cpmu_error;

	if (!why->code)
		return error_set(err, EXIT_NO_UNIT, -ENODEV,
				 "no selected CXL device has a performance monitoring unit (CPMU), "
				 "which devices of CXL 3 may have");
	error_set(err, why->status, why->code, "%s", why->text);
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
			return error_set(err, EXIT_IN_USE, -EBUSY,
					 "%s: its counters that could count %s%s are in use: stop "
					 "the program that uses them, such as perf; --share uses "
					 "only free counters, --force takes them over and restores "
					 "them on exit",
					 unit_name(unit, name), event ? "" : "what is asked for",
					 event ? event->name : "");
	return 0;
}

/* "s0 p0-1, s1 p0": the numbers of a socket's ports go from 0. */
static void list_ports(const struct machine *m, char *text, size_t size)
{
	text[0] = '\0';
	for (size_t i = 0; i < m->port_count; i++) {
		const struct port *port = &m->ports[i];

		if (i + 1 == m->port_count || port[1].socket != port->socket)
			text_list(text, size, port->number ? "s%d p0-%u" : "s%d p%u", port->socket,
				  port->number);
	}
}

int view_select_ports(struct selection *selection, struct error *err)
{
	const struct machine *m = selection->machine;
	char known[256];
	size_t selected = 0;

	for (size_t i = 0; i < m->port_count; i++) {
		selection->ports[i] = view_port_selected(selection->options, &m->ports[i]);
		selected += selection->ports[i];
	}
	if (!selected &&
	    (view_has_device_rows(selection) || selection->nodes || selection->devices))
		return 0;
	if (!m->port_count && selection->options->ports)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "this machine has no CXL port that --port could select");
	if (!m->port_count || selected)
		return 0;
	list_ports(m, known, sizeof(known));
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "none of the %zu %ss of this machine is selected by "
			 "--socket and --port%s; known: %s",
			 m->port_count, m->model->port_name ? m->model->port_name : "CXL port",
			 selection->options->devices || selection->options->nodes
				 ? " together with --device and --node"
				 : "",
			 known);
}

static void add_type(struct selection *selection, uint16_t type)
{
	for (size_t i = 0; i < selection->type_count; i++)
		if (selection->types[i] == type)
			return;
	selection->types[selection->type_count++] = type;
}

/* A cross-check takes only what other formulas have opened. */
static void add_types(struct selection *selection, const struct formula *formula, void *context)
{
	const struct event *event;

	(void)context;
	for (unsigned i = 0; (event = formula_event(formula, i)); i++)
		if (view_is_port_pmu_type(event->type) || !formula->cross_check)
			add_type(selection, event->type);
}

int view_select_types(const struct view *view, struct selection *selection)
{
	const size_t most = view->column_count * ALTERNATIVES * FORMULA_EVENTS;

	selection->types = calloc(most + 1, sizeof(*selection->types));
	if (!selection->types)
		return -ENOMEM;
	view_each_formula(view, selection, add_types, NULL);
	return 0;
}
