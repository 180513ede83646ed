/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rows of a view: CPUs, ports, devices, NUMA nodes and sockets that have one, and their columns'
 * places.
 */
#include "view/view_rows.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "platform/pci.h"
#include "view/view_columns.h"
#include "view/view_select.h"

static struct row *add_row(struct view *view, enum row_kind kind, int socket)
{
	struct row *row = &view->table.rows[view->table.row_count++];

	*row = row_unknown;
	view_counted(view, row)->subject = SIZE_MAX;
	row->place.kind = kind;
	row->place.socket = socket;
	return row;
}

void view_add_row(struct view *view, enum row_kind kind, int socket, int cpu)
{
	add_row(view, kind, socket)->place.cpu = cpu;
}

struct row *view_add_device_row(struct view *view, int socket, const struct cxl_device *device,
				const char *pci)
{
	struct row *row = add_row(view, ROW_DEVICE, socket);

	row->place.pci = pci;
	if (!device)
		return row;
	view_counted(view, row)->subject = device_source_find(&view->sources.devices, device);
	row->place.device = device;
	row->place.memdev = device->name;
	row->place.node = device->node;
	return row;
}

void view_add_port_row(struct view *view, const struct port *port)
{
	struct row *row = view_add_device_row(view, port->socket, port->device,
					      port->device ? port->pci : "");

	row->place.kind = ROW_PORT;
	row->place.port = (int)port->number;
	row->place.port_name = port->name;
}

/* Returns the device whose memory a node is; NULL: none, or several. */
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

/* Returns the socket of a node; -1: unknown, or several. */
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

static void add_node_row(struct view *view, const struct machine *m, size_t i)
{
	struct source_node *source = &view->sources.nodes.nodes[i];
	const int node = source->node;
	struct row *row = add_row(view, ROW_NODE, socket_of_node(m, node));
	const struct cxl_device *device = device_of_node(m, node);

	view_counted(view, row)->subject = i;
	row->place.node = node;
	if (!device)
		return;
	row->place.memdev = device->name;
	row->place.pci = pci_location_text(device->path[device->depth - 1], source->pci);
}

static bool node_is_selected(const struct selection *selection, int node)
{
	const struct view_options *o = selection->options;
	const struct machine *m = selection->machine;
	bool device = !o->devices, port = !o->ports;

	for (size_t i = 0; !device && i < m->device_count; i++)
		device = m->devices[i].node == node &&
			 cxl_device_list_has(o->devices, m->devices[i].name);
	for (size_t i = 0; !port && i < m->port_count; i++)
		port = m->ports[i].device && m->ports[i].device->node == node &&
		       view_port_selected(o, &m->ports[i]);
	const int socket = o->sockets ? socket_of_node(m, node) : 0;
	return view_selected(o->nodes, node) && device && port && socket >= 0 &&
	       view_selected(o->sockets, socket);
}

static int no_node_selected(const struct node_source *nodes, const struct machine *m,
			    struct error *err)
{
	char names[256] = "";

	for (size_t i = 0; i < nodes->count; i++) {
		const struct cxl_device *device = device_of_node(m, nodes->nodes[i].node);

		text_list(names, sizeof(names), device ? "%d (%s)" : "%d", nodes->nodes[i].node,
			  device ? device->name : "");
	}
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "no NUMA node is selected by --socket, --port, --device and --node; nodes "
			 "with memory: %s",
			 names);
}

/* Leaves the group tiering empty without nodes; this is an error if nothing else was requested. */
static int refuse_node(const struct selection *selection, struct error *err)
{
	static const char why[] =
		"no NUMA node is known: sys/devices/system/node is missing, as in a kernel "
		"without CONFIG_NUMA, or has no vmstat and meminfo";

	if (!view_needs_units(selection->options))
		return error_set(err, ERROR_NO_UNIT, -ENODEV, "%s", why);
	log_write(&selection->machine->platform->log, LEVEL_NOTE, "group tiering stays empty: %s",
		  why);
	return 0;
}

static int open_nodes(struct view *view, struct selection *selection, struct error *err)
{
	struct node_source *nodes = &view->sources.nodes;
	int rc = node_source_open(nodes, selection->machine->platform, err);

	if (rc)
		return rc;
	for (size_t i = 0; i < nodes->count; i++) {
		nodes->nodes[i].shown = node_is_selected(selection, nodes->nodes[i].node);
		selection->nodes |= nodes->nodes[i].shown;
	}
	if (selection->nodes)
		return 0;
	if (!nodes->count)
		return refuse_node(selection, err);
	return view_needs_units(selection->options)
		       ? 0
		       : no_node_selected(nodes, selection->machine, err);
}

static bool device_is_selected(const struct selection *selection, const struct cxl_device *device)
{
	const struct machine *m = selection->machine;

	for (size_t i = 0; i < m->port_count; i++)
		if (m->ports[i].device == device)
			return view_port_selected(selection->options, &m->ports[i]);
	return view_portless_selected(selection->options, device,
				      topology_socket_of_device(&m->topology, device->near_node));
}

static int open_mbm(struct view *view, struct selection *selection, struct error *err)
{
	const struct view_options *o = selection->options;
	const struct machine *m = selection->machine;
	const struct formula *formula = formulas_find(selection->formulas, MBM_METRIC, 0);
	const size_t column = table_find(&view->table, MBM_METRIC);

	if (!o->resctrl)
		return 0;
	if (column == SIZE_MAX)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--resctrl counts " MBM_METRIC ": expected -m cxl");
	if (view_selects_ports(o))
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--resctrl counts reads of all CXL memory together: expected no "
				 "--port, --device or --node");
	if (formula && formula->number <= selection->formulas->of_model) {
		log_write(
			&m->platform->log, LEVEL_NOTE,
			"--resctrl is not needed, and changes nothing: %s counts CXL reads itself",
			m->model->name);
		return 0;
	}
	view->mbm_column = column;
	selection->mbm = true;
	return resctrl_source_open(&view->sources.resctrl, m->platform, &m->topology, err);
}

/* Devices are read whatever the columns are: a change of a link is always reported. */
int view_open_sources(struct view *view, struct selection *selection, struct error *err)
{
	const struct machine *m = selection->machine;
	struct device_source *devices = &view->sources.devices;
	int rc = device_source_open(devices, m->platform, m->devices, m->device_count, err);

	if (devices->count)
		view->sources.sample_ns = m->platform->ops->clock->wall(m->platform);
	for (size_t c = 0; !rc && c < view->table.column_count; c++)
		if (view->table.columns[c].metric->source == SOURCE_HEALTH)
			rc = health_source_open(&view->sources.health, devices, err);
	if (!rc)
		rc = open_mbm(view, selection, err);
	if (!rc && selection->columns.of_nodes)
		rc = open_nodes(view, selection, err);
	for (size_t i = 0; selection->columns.of_kernel_devices && i < m->device_count; i++)
		selection->devices |= device_is_selected(selection, &m->devices[i]);
	return rc;
}

/*
 * Returns true if a socket has a row: it has a port that is shown, or there are columns without
 * ports.
 */
static bool socket_is_shown(const struct selection *selection, int socket)
{
	const struct machine *m = selection->machine;

	if (!view_selected(selection->options->sockets, socket))
		return false;
	for (size_t i = 0; i < m->port_count; i++)
		if (selection->ports[i] && m->ports[i].socket == socket)
			return true;
	return selection->columns.without_ports || selection->mbm;
}

/* Returns true if ports or their devices count events of some column. */
static bool ports_count(const struct selection *selection)
{
	const struct event *event;

	for (size_t f = 0; f < selection->needed_count; f++)
		for (unsigned i = 0; (event = formula_event(selection->needed[f], i)); i++)
			if (view_is_port_pmu_type(event->type) ||
			    (event->type == PMU_CPMU && selection->machine->cpmu_count))
				return true;
	return false;
}

/*
 * Returns true if a port has columns: counts of devices only apply to ports whose device has a
 * CPMU.
 */
static bool port_has_columns(const struct selection *selection, const struct port *port)
{
	const struct machine *m = selection->machine;

	if (selection->columns.of_kernel_devices && port->device)
		return true;
	if (selection->regions && !ports_count(selection))
		return false;
	if (!view_columns_at(selection, SCOPE_PORT) || view_columns_at(selection, SCOPE_SOCKET) ||
	    selection->columns.of_ports)
		return view_columns_at(selection, SCOPE_PORT);
	for (size_t i = 0; i < m->cpmu_count; i++)
		if (cpmu_port(m, &m->cpmus[i]) == port)
			return true;
	return false;
}

/* Returns true if rows of sockets, or the row of the system, have values. */
static bool has_sums(const struct selection *selection, enum scope scope)
{
	const struct machine *m = selection->machine;

	if (m->uncore_error.code && !(m->cpu_count && selection->columns.of_cores) &&
	    !selection->regions)
		return false;
	return view_columns_at(selection, scope) &&
	       (m->port_count || selection->columns.without_ports || selection->mbm);
}

/* Adds a row for each function with one or several CPMUs. */
static void add_cpmu_rows(struct view *view, const struct selection *selection)
{
	const struct machine *m = selection->machine;
	const char *last = "";

	for (size_t i = 0; i < m->cpmu_count; i++) {
		const struct cpmu *cpmu = &m->cpmus[i];

		if (!cpmu->unit.open || !view_has_device_row(selection, cpmu) ||
		    !strcmp(cpmu->pci_text, last))
			continue;
		view_add_device_row(view, cpmu->socket, cpmu->device, cpmu->pci_text);
		last = cpmu->pci_text;
	}
}

static bool has_row(const struct view *view, const struct cxl_device *device)
{
	for (size_t r = 0; r < view->table.row_count; r++)
		if (view->table.rows[r].place.device == device)
			return true;
	return false;
}

static void add_kernel_devices(struct view *view, const struct selection *selection)
{
	const struct machine *m = selection->machine;

	for (size_t i = 0; i < view->sources.devices.count; i++) {
		struct source_device *source = &view->sources.devices.devices[i];
		const struct cxl_device *device = source->device;
		const int socket = topology_socket_of_device(&m->topology, device->near_node);

		if (device_is_selected(selection, device) && !has_row(view, device))
			view_add_device_row(
				view, socket, device,
				pci_location_text(device->path[device->depth - 1], source->pci));
	}
}

static void add_cpus(struct view *view, const struct selection *selection)
{
	const struct machine *m = selection->machine;

	if (!view_columns_at(selection, SCOPE_CPU))
		return;
	for (size_t i = 0; i < m->cpu_count; i++)
		if (m->cpus[i].open)
			view_add_row(view, ROW_CPU, m->cpus[i].socket, (int)m->cpus[i].cpu);
}

/* Adds rows of ports, then of devices whose port is unknown, then of NUMA nodes. */
static void add_ports(struct view *view, const struct selection *selection)
{
	const struct machine *m = selection->machine;

	for (size_t i = 0; i < m->port_count; i++)
		if (selection->ports[i] && port_has_columns(selection, &m->ports[i]))
			view_add_port_row(view, &m->ports[i]);
	if (selection->columns.of_devices)
		add_cpmu_rows(view, selection);
	if (selection->columns.of_kernel_devices)
		add_kernel_devices(view, selection);
	for (size_t i = 0; i < view->sources.nodes.count; i++)
		if (view->sources.nodes.nodes[i].shown)
			add_node_row(view, m, i);
}

/*
 * Returns true if the domain's socket also has another one, and so more than this domain's bytes.
 */
static bool is_part(const struct region_counters *counters, size_t domain)
{
	for (size_t d = 0; d < counters->tables.erdt.count; d++)
		if (d != domain && counters->sockets[d] == counters->sockets[domain])
			return true;
	return false;
}

/* Adds rows of L3 domains, which count bytes by region of memory. */
static void add_domains(struct view *view, const struct selection *selection)
{
	const struct region_counters *counters = &view->sources.regions.counters;

	if (!selection->regions || view_selects_ports(selection->options))
		return;
	for (size_t d = 0; d < counters->tables.erdt.count; d++) {
		const int socket = counters->sockets[d];

		if (socket < 0 || !view_selected(selection->options->sockets, socket) ||
		    !is_part(counters, d))
			continue;
		struct row *row = add_row(view, ROW_DOMAIN, socket);
		view_counted(view, row)->subject = d;
		row->place.port = counters->tables.erdt.domains[d].id;
		row->place.port_name = TABLE_DOMAIN;
	}
}

/* Adds rows of resctrl's groups, which are counted on all sockets. */
static void add_groups(struct view *view)
{
	const struct group_source *groups = &view->sources.groups;

	for (size_t g = 0; g < groups->count; g++) {
		struct row *row = add_row(view, ROW_GROUP, -1);

		row->place.group = groups->groups[g].name;
		view_counted(view, row)->subject = g;
	}
}

static void add_sockets(struct view *view, const struct selection *selection)
{
	const struct machine *m = selection->machine;

	if (!has_sums(selection, SCOPE_SOCKET))
		return;
	for (size_t s = 0; s < m->socket_count; s++)
		if (socket_is_shown(selection, m->sockets[s]))
			view_add_row(view, ROW_SOCKET, m->sockets[s], -1);
}

int view_make_rows(struct view *view, const struct selection *selection, struct error *err)
{
	const struct machine *m = selection->machine;
	const enum scope finest = selection->options->finest;

	const size_t most = m->cpu_count + m->port_count + m->cpmu_count + m->device_count +
			    view->sources.nodes.count +
			    view->sources.regions.counters.tables.erdt.count +
			    view->sources.groups.count + m->socket_count + 1;

	view->table.rows = calloc(most, sizeof(*view->table.rows));
	view->counted = calloc(most, sizeof(*view->counted));
	if (!view->table.rows || !view->counted)
		return error_no_memory(err);
	if (finest <= SCOPE_CPU)
		add_cpus(view, selection);
	if (finest <= SCOPE_PORT) {
		add_ports(view, selection);
		add_domains(view, selection);
		add_groups(view);
	}
	if (finest <= SCOPE_SOCKET)
		add_sockets(view, selection);
	if (has_sums(selection, SCOPE_SYSTEM) || selection->nodes)
		view_add_row(view, ROW_SYSTEM, -1, -1);
	return 0;
}
