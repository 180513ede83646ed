/* SPDX-License-Identifier: BSD-3-Clause */
/* Adds rows to a view, and terms with their requests. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "metrics/view_private.h"

static struct row *add_row(struct view *view, enum scope scope, int socket)
{
	struct row *row = &view->rows[view->row_count++];

	*row = (struct row){
		.scope = scope,
		.socket = socket,
		.port = -1,
		.cpu = -1,
		.pci = "",
		.memdev = "",
		.node = -1,
		.interval_s = NAN,
		.count = NAN,
		.per_s = NAN,
	};
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

void view_add_node_row(struct view *view, const struct machine *m, struct kernel_source *source)
{
	const int node = source->node;
	struct row *row = add_row(view, SCOPE_PORT, view_socket_of_node(m, node));
	const struct cxl_device *device = view_device_of_node(m, node);

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
	if (view->term_count == view->term_room) {
		const size_t room = view->term_room ? 2 * view->term_room : 64;
		size_t *terms = reallocarray(view->terms, room, sizeof(*terms));
		if (terms)
			view->terms = terms;
		struct request *requests = reallocarray(view->requests, room, sizeof(*requests));
		if (requests)
			view->requests = requests;
		if (!terms || !requests)
			return -ENOMEM;
		view->term_room = room;
	}
	view->terms[view->term_count++] = view->request_count;
	view->requests[view->request_count++] = request;
	return 0;
}
