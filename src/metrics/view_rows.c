/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of a view: which NUMA nodes have one, and what they are; and terms with their requests. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/view_private.h"
#include "platform/array.h"
#include "platform/text.h"

const struct row row_unknown = {
	.scope = SCOPE_SYSTEM,
	.socket = -1,
	.port = -1,
	.cpu = -1,
	.pci = "",
	.memdev = "",
	.node = -1,
	.interval_s = NAN,
	.counted_pct = NAN,
	.count = NAN,
	.per_s = NAN,
};

static struct row *add_row(struct view *view, enum scope scope, int socket)
{
	struct row *row = &view->rows[view->row_count++];

	*row = row_unknown;
	row->scope = scope;
	row->socket = socket;
	return row;
}

void view_add_row(struct view *view, enum scope scope, int socket, int cpu)
{
	add_row(view, scope, socket)->cpu = cpu;
}

void view_add_port_row(struct view *view, const struct port *port)
{
	struct row *row = add_row(view, SCOPE_PORT, port->socket);

	row->port = (int)port->number;
	row->port_name = port->name;
	if (!port->device)
		return;
	row->device = port->device;
	row->pci = port->pci;
	row->memdev = port->device->name;
	row->node = port->device->node;
}

void view_add_device_row(struct view *view, int socket, const struct cxl_device *device,
			 const char *pci)
{
	struct row *row = add_row(view, SCOPE_PORT, socket);

	row->pci = pci;
	if (!device)
		return;
	row->device = device;
	row->memdev = device->name;
	row->node = device->node;
}

/* The device whose memory a node is; NULL: none, or several. */
static const struct cxl_device *device_of_node(const struct machine *m, int node)
{
	const struct cxl_device *found = NULL;

	for (size_t i = 0; i < m->device_count; i++) {
		if (m->devices[i].node != node)
			continue;
		if (found)
			return NULL;
		found = &m->devices[i];
	}
	return found;
}

/* -1: not known, or several */
static int socket_of_node(const struct machine *m, int node)
{
	int socket = topology_socket_of_node(&m->topology, node);
	bool found = false;

	for (size_t i = 0; socket < 0 && i < m->device_count; i++)
		if (m->devices[i].node == node) {
			socket = topology_socket_of_node(&m->topology, m->devices[i].near_node);
			found = true;
		}
	for (size_t i = 0; found && i < m->device_count; i++)
		if (m->devices[i].node == node &&
		    topology_socket_of_node(&m->topology, m->devices[i].near_node) != socket)
			return -1;
	return socket;
}

void view_add_node_row(struct view *view, const struct machine *m, struct kernel_source *source)
{
	const int node = source->node;
	struct row *row = add_row(view, SCOPE_PORT, socket_of_node(m, node));
	const struct cxl_device *device = device_of_node(m, node);

	row->of_node = true;
	row->kernel = source;
	row->node = node;
	if (!device)
		return;
	row->memdev = device->name;
	row->pci = pci_location_text(device->path[device->depth - 1], source->pci);
}

const char *row_scope_name(const struct row *row)
{
	if (row->of_node)
		return "node";
	if (row_is_device(row))
		return "device";
	return row->scope == SCOPE_PORT && row->port_name ? row->port_name
							  : scope_names[row->scope];
}

const char *row_device_name(const struct row *row)
{
	return *row->memdev ? row->memdev : row->pci;
}

int view_add_term(struct view *view, struct request request)
{
	if (array_room(&view->terms, view->term_count, 1, sizeof(*view->terms)) ||
	    array_room(&view->requests, view->request_count, 1, sizeof(*view->requests)) ||
	    array_room(&view->term_rates, view->term_count, 1, sizeof(*view->term_rates)))
		return -ENOMEM;
	view->term_rates[view->term_count] = NAN;
	view->terms[view->term_count++] = view->request_count;
	view->requests[view->request_count++] = request;
	return 0;
}

/* Whether some metric of a group, the first word of groups, is as asked for. */
static bool group_has(const char *groups, bool (*is)(const struct metric *metric))
{
	const size_t length = strcspn(groups, ",");

	for (const struct metric *m = metric_table; m->name; m++)
		if (strlen(m->group) == length && !strncmp(groups, m->group, length) && is(m))
			return true;
	return false;
}

bool view_needs_units(const struct view_options *options)
{
	if (options->event_count || !options->groups || (options->custom && options->custom->count))
		return true;
	for (const char *at = options->groups; *at; at += strcspn(at, ","), at += *at == ',')
		if (!group_has(at, metric_is_of_kernel))
			return true;
	return false;
}

static bool is_share(const struct metric *metric)
{
	return metric->share_of;
}

bool view_wants_units(const struct view_options *options)
{
	for (const char *at = options->groups; *at; at += strcspn(at, ","), at += *at == ',')
		if (group_has(at, is_share))
			return true;
	return false;
}

static bool has_named_device(const struct machine *m, const char *names, int node)
{
	for (size_t i = 0; i < m->device_count; i++)
		if (m->devices[i].node == node && view_devices_contain(names, m->devices[i].name))
			return true;
	return false;
}

static bool has_selected_port(const struct selection *selection, int node)
{
	const struct machine *m = selection->machine;

	for (size_t i = 0; i < m->port_count; i++)
		if (m->ports[i].device && m->ports[i].device->node == node &&
		    view_port_selected(selection->options, &m->ports[i]))
			return true;
	return false;
}

static bool is_selected(const struct selection *selection, int node)
{
	const struct view_options *o = selection->options;
	const struct machine *m = selection->machine;

	if (!view_selected(o->nodes, node) ||
	    (o->devices && !has_named_device(m, o->devices, node)) ||
	    (o->ports && !has_selected_port(selection, node)))
		return false;
	const int socket = o->sockets ? socket_of_node(m, node) : 0;
	return socket >= 0 && view_selected(o->sockets, socket);
}

static int none_selected(const struct kernel_sources *k, const struct machine *m, struct error *err)
{
	char names[256] = "";

	for (size_t i = 0; i < k->node_count; i++) {
		const struct cxl_device *device = device_of_node(m, k->nodes[i].node);

		text_list(names, sizeof(names), device ? "%d (%s)" : "%d", k->nodes[i].node,
			  device ? device->name : "");
	}
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "no NUMA node is selected by --socket, --port, --device and --node; nodes "
			 "with memory: %s",
			 names);
}

/* Without nodes the group tiering stays empty; it is an error where nothing else is asked for. */
static int no_node(const struct selection *selection, struct error *err)
{
	static const char why[] =
		"no NUMA node is known: sys/devices/system/node is missing, as "
		"where the kernel has no CONFIG_NUMA, or has no vmstat and meminfo";

	if (!view_needs_units(selection->options))
		return error_set(err, EXIT_NO_UNIT, -ENODEV, "%s", why);
	log_write(&selection->machine->platform->log, LEVEL_NOTE, "group tiering stays empty: %s",
		  why);
	return 0;
}

int view_open_nodes(struct view *view, struct selection *selection, struct error *err)
{
	struct kernel_sources *k = &view->kernel;
	int rc = kernel_sources_open_nodes(k, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < k->node_count; i++) {
		k->nodes[i].shown = is_selected(selection, k->nodes[i].node);
		selection->nodes |= k->nodes[i].shown;
	}
	if (selection->nodes)
		return 0;
	if (!k->node_count)
		return no_node(selection, err);
	return view_needs_units(selection->options) ? 0 : none_selected(k, selection->machine, err);
}
