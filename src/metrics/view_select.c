/* SPDX-License-Identifier: BSD-3-Clause */
/* Which ports and units a view needs. Accesses no register. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/expression.h"
#include "metrics/view_private.h"
#include "platform/numlist.h"

bool view_is_port_box(uint16_t box)
{
	return box_is_cxlcm(box) || box == BOX_CXLDP;
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

/* Whether a list such as "mem0,/dev/cxl/mem2" has the name. */
static bool has_name(const char *list, const char *name)
{
	for (const char *at = list; *at; at += strcspn(at, ","), at += *at == ',') {
		at = device_name(at);
		if (strcspn(at, ",") == strlen(name) && !strncmp(at, name, strlen(name)))
			return true;
	}
	return false;
}

static bool device_selected(const struct view_options *o, const struct port *port)
{
	if (!o->devices && !o->nodes)
		return true;
	return port->device && (!o->devices || has_name(o->devices, port->device->name)) &&
	       (!o->nodes ||
		(port->device->node >= 0 && view_selected(o->nodes, port->device->node)));
}

bool view_port_selected(const struct view_options *options, const struct port *port)
{
	return view_selected(options->sockets, port->socket) &&
	       view_selected(options->ports, (int)port->number) && device_selected(options, port);
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
	size_t used = 0;

	if (!m->socket_count || socket_selected(options, m))
		return 0;
	for (size_t i = 0; i < m->socket_count && used < sizeof(names); i++)
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%d",
					 used ? ", " : "", m->sockets[i]);
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "no socket is selected by --socket; known sockets: %s", names);
}

int view_check_devices(const struct machine *m, const struct view_options *options,
		       struct error *err)
{
	char names[256] = "";
	size_t used = 0;

	for (size_t i = 0; i < m->port_count; i++) {
		const struct cxl_device *device = m->ports[i].device;

		if (device_selected(options, &m->ports[i]))
			return 0;
		if (device && used < sizeof(names))
			used += (size_t)snprintf(names + used, sizeof(names) - used,
						 device->node < 0 ? "%s%s" : "%s%s (node %d)",
						 used ? ", " : "", device->name, device->node);
	}
	if (!options->devices && !options->nodes)
		return 0;
	return error_set(err, EXIT_USAGE, -EINVAL, "no CXL port is selected by %s%s; %s%s",
			 options->devices ? "--device" : "",
			 !options->nodes    ? ""
			 : options->devices ? " and --node"
					    : "--node",
			 used ? "known devices: " : "no device is known behind any port", names);
}

struct unit *view_port_unit(const struct port *port, uint16_t box)
{
	return box_is_cxlcm(box)  ? port->cxlcm
	       : box == BOX_CXLDP ? port->cxldp
	       : box == BOX_DF	  ? port->df
				  : NULL;
}

struct unit *view_first_unit(const struct machine *m, uint16_t box, size_t *count)
{
	*count = box == BOX_CORE ? m->cpu_count : m->discovery.unit_count;
	return box == BOX_CORE ? m->cpus : m->discovery.units;
}

void view_each_formula(const struct view *view, struct selection *selection, formula_visitor *visit,
		       void *context)
{
	for (size_t c = 0; c < view->column_count; c++)
		for (unsigned way = 0; way < EXPRESSIONS; way++) {
			const struct formula *formula = model_formula(selection->machine->model,
								      view->columns[c]->name, way);

			if (formula)
				visit(selection, formula, context);
		}
}

const struct event *view_formula_event(const struct selection *selection,
				       const struct formula *formula, unsigned i)
{
	if (i >= FORMULA_EVENTS || !formula->events[i])
		return NULL;
	return model_event(selection->machine->model, formula->events[i]);
}

int view_no_uncore(const struct machine *m, struct error *err)
{
	return error_set(err, m->uncore_error.status, m->uncore_error.code, "%s",
			 m->uncore_error.text);
}

/* "s0 p0-1, s1 p0": the numbers of a socket's ports go from 0. */
static void list_ports(const struct machine *m, char *text, size_t size)
{
	size_t used = 0;

	for (size_t i = 0; i < m->port_count && used < size; i++) {
		const struct port *port = &m->ports[i];

		if (i + 1 == m->port_count || port[1].socket != port->socket)
			used += (size_t)snprintf(text + used, size - used,
						 port->number ? "%ss%d p0-%u" : "%ss%d p%u",
						 used ? ", " : "", port->socket, port->number);
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
	for (unsigned i = 0; (event = view_formula_event(selection, formula, i)); i++)
		if (view_is_port_box(event->box) || !formula->cross_check)
			add_type(selection, event->box);
}

int view_select_types(const struct view *view, struct selection *selection)
{
	const size_t most = view->column_count * EXPRESSIONS * FORMULA_EVENTS;

	selection->types = calloc(most + 1, sizeof(*selection->types));
	if (!selection->types)
		return -ENOMEM;
	view_each_formula(view, selection, add_types, NULL);
	return 0;
}
