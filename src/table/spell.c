/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/spell.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "uncore/model/event.h"
#include "uncore/units/unit.h"

const char *const row_kind_names[ROW_KINDS] = {
	[ROW_CPU] = "cpu",	 [ROW_PORT] = "port",	  [ROW_DEVICE] = "device",
	[ROW_NODE] = "node",	 [ROW_DOMAIN] = "domain", [ROW_GROUP] = "group",
	[ROW_SOCKET] = "socket", [ROW_SYSTEM] = "system",
};

const char *row_scope_name(const struct row *row)
{
	return row->kind == ROW_PORT && row->port_name ? row->port_name : row_kind_names[row->kind];
}

/* "socket 0 port 1 mem1", or "s0 p1 mem1". */
static void spell_port(const struct row *row, bool full, char text[LOCATION_SIZE])
{
	const char *before_device = *row->memdev ? " " : "";

	if (full)
		snprintf(text, LOCATION_SIZE, "socket %d %s %d%s%.64s", row->socket,
			 row_scope_name(row), row->port, before_device, row->memdev);
	else
		snprintf(text, LOCATION_SIZE, "s%d %s%d%s%.64s", row->socket,
			 row->port_name ? row->port_name : "p", row->port, before_device,
			 row->memdev);
}

static const char *spell_place(const struct row *row, bool full, char text[LOCATION_SIZE])
{
	if (row->kind == ROW_CPU)
		snprintf(text, LOCATION_SIZE, "%s%d", full ? "CPU " : "cpu", row->cpu);
	else if (row->kind == ROW_NODE)
		snprintf(text, LOCATION_SIZE, "node%s%d%s%.64s", full ? " " : "", row->node,
			 *row->memdev ? " " : "", row->memdev);
	else if (row->kind == ROW_GROUP)
		snprintf(text, LOCATION_SIZE, "group %.*s", GROUP_NAME_SIZE, row->group);
	else if (row->kind == ROW_DEVICE)
		snprintf(text, LOCATION_SIZE, "%s%.64s", full ? "device " : "",
			 row_device_name(row));
	else if (row_scope(row) == SCOPE_PORT)
		spell_port(row, full, text);
	else if (row->kind == ROW_SOCKET)
		snprintf(text, LOCATION_SIZE, "%s%d", full ? "socket " : "s", row->socket);
	else
		snprintf(text, LOCATION_SIZE, "system");
	return text;
}

const char *location(const struct row *row, char text[LOCATION_SIZE])
{
	return spell_place(row, false, text);
}

const char *location_with_unit(const struct row *row, bool full, char text[LOCATION_SIZE])
{
	spell_place(row, full, text);
	if (row->unit && !row->summed && row->kind != ROW_CPU)
		text_append(text, LOCATION_SIZE, " %.32s %u", row->unit->pmu_type->name,
			    row->unit->id);
	return text;
}

const char *location_title(const struct row *row, char text[LOCATION_SIZE])
{
	char node[24] = "";

	if (row->node >= 0)
		snprintf(node, sizeof(node), "  node %d", row->node);
	if (row->kind == ROW_NODE)
		snprintf(text, LOCATION_SIZE, "node %d%s%.20s", row->node, *row->memdev ? "  " : "",
			 row->memdev);
	else if (row->kind == ROW_GROUP)
		snprintf(text, LOCATION_SIZE, "group %.60s", row->group);
	else if (row->kind == ROW_DEVICE)
		snprintf(text, LOCATION_SIZE, "%.20s%s", row_device_name(row), node);
	else if (row_scope(row) == SCOPE_PORT)
		snprintf(text, LOCATION_SIZE, "s%d %s%d%s%.20s%s%s%.16s", row->socket,
			 row->port_name ? row->port_name : "p", row->port, *row->memdev ? "  " : "",
			 row->memdev, node, *row->pci ? "  " : "", row->pci);
	else
		spell_place(row, true, text);
	return text;
}

const char *row_device_label(const struct row *row)
{
	return row->kind == ROW_DEVICE ? row_device_name(row) : row->memdev;
}

int row_node_index(const struct row *row)
{
	return row->kind == ROW_NODE ? row->node : -1;
}

/* A text that may be NULL, which is less than any other. */
static int compare_text(const char *a, const char *b)
{
	return a && b ? strcmp(a, b) : (a != NULL) - (b != NULL);
}

static int compare_number(int a, int b)
{
	return (a > b) - (a < b);
}

static const char *pmu_type_name(const struct row *row)
{
	return row->unit && !row->summed ? row->unit->pmu_type->name : NULL;
}

static int pmu_type_number(const struct row *row)
{
	return row->unit && !row->summed ? (int)row->unit->id : -1;
}

/* A row of a device has no other number: devices change places between runs. */
static const char *device_name(const struct row *row)
{
	return row->kind == ROW_DEVICE ? row_device_name(row) : NULL;
}

int row_compare(const struct row *a, const struct row *b)
{
	int order =
		compare_text(a->event ? a->event->name : NULL, b->event ? b->event->name : NULL);

	order = order ? order : compare_number((int)a->kind, (int)b->kind);
	order = order ? order : compare_text(a->port_name, b->port_name);
	order = order ? order : compare_number(a->socket, b->socket);
	order = order ? order : compare_number(a->port, b->port);
	order = order ? order : compare_number(a->cpu, b->cpu);
	order = order ? order : compare_number(row_node_index(a), row_node_index(b));
	order = order ? order : compare_text(device_name(a), device_name(b));
	order = order ? order : compare_text(a->group, b->group);
	order = order ? order : compare_number(a->summed, b->summed);
	order = order ? order : compare_text(pmu_type_name(a), pmu_type_name(b));
	return order ? order : compare_number(pmu_type_number(a), pmu_type_number(b));
}

/* A ratio without a unit would be left with next to nothing. */
struct decimals decimals_of(const struct metric *metric)
{
	const unsigned exact = metric ? metric->decimals : RATE_DECIMALS;
	const bool fewer = exact > 1 && *unit_text(metric);

	return (struct decimals){exact, fewer ? exact - 2 : exact};
}

const char *unit_text(const struct metric *metric)
{
	if (!metric)
		return "1/s";
	return metric->unit ? metric->unit : "";
}
