/* SPDX-License-Identifier: BSD-3-Clause */
/* CXL devices of a view: which have rows of their own, for what the kernel says of them. */
#include "metrics/view_private.h"

int view_open_devices(struct view *view, const struct selection *selection, struct error *err)
{
	const struct machine *m = selection->machine;

	return kernel_sources_open_devices(&view->kernel, m->devices, m->device_count, err);
}

int view_open_health(struct view *view, struct error *err)
{
	for (size_t c = 0; c < view->column_count; c++)
		if (kernel_stat_is_of_health(view->columns[c]->kernel_stat))
			return kernel_sources_open_health(&view->kernel, err);
	return 0;
}

static const struct port *port_of(const struct machine *m, const struct cxl_device *device)
{
	for (size_t i = 0; i < m->port_count; i++)
		if (m->ports[i].device == device)
			return &m->ports[i];
	return NULL;
}

static bool is_selected(const struct selection *selection, const struct cxl_device *device)
{
	const struct view_options *o = selection->options;
	const struct machine *m = selection->machine;
	const struct port *port = port_of(m, device);

	if (port)
		return view_port_selected(o, port);
	const int socket = topology_socket_of_device(&m->topology, device->near_node);
	return !o->ports && (!o->sockets || (socket >= 0 && view_selected(o->sockets, socket))) &&
	       view_device_selected(o, device);
}

bool view_selects_kernel_device(const struct selection *selection)
{
	const struct machine *m = selection->machine;

	for (size_t i = 0; selection->columns.of_kernel_devices && i < m->device_count; i++)
		if (is_selected(selection, &m->devices[i]))
			return true;
	return false;
}

static bool has_row(const struct view *view, const struct cxl_device *device)
{
	for (size_t r = 0; r < view->row_count; r++)
		if (view->rows[r].device == device && !view->rows[r].of_node)
			return true;
	return false;
}

void view_add_kernel_devices(struct view *view, const struct selection *selection)
{
	const struct machine *m = selection->machine;

	for (size_t i = 0; i < view->kernel.device_count; i++) {
		struct kernel_source *source = &view->kernel.devices[i];
		const struct cxl_device *device = source->device;
		const int socket = topology_socket_of_device(&m->topology, device->near_node);

		if (is_selected(selection, device) && !has_row(view, device))
			view_add_device_row(
				view, socket, device,
				pci_location_text(device->path[device->depth - 1], source->pci));
	}
}

void view_set_kernel_devices(struct view *view)
{
	for (size_t r = 0; r < view->row_count; r++)
		if (!view->rows[r].of_node)
			view->rows[r].kernel =
				kernel_source_of(&view->kernel, view->rows[r].device);
}
