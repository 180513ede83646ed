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
	return row->place.kind == ROW_PORT && row->place.port_name
		       ? row->place.port_name
		       : row_kind_names[row->place.kind];
}

/* Writes "socket 0 port 1 mem1", or "s0 p1 mem1". */
static void spell_port(const struct row *row, bool full, char text[LOCATION_SIZE])
{
	const struct place *at = &row->place;
	const char *before_device = *at->memdev ? " " : "";

	if (full)
		snprintf(text, LOCATION_SIZE, "socket %d %s %d%s%.64s", at->socket,
			 row_scope_name(row), at->port, before_device, at->memdev);
	else
		snprintf(text, LOCATION_SIZE, "s%d %s%d%s%.64s", at->socket,
			 at->port_name ? at->port_name : "p", at->port, before_device, at->memdev);
}

static const char *spell_place(const struct row *row, bool full, char text[LOCATION_SIZE])
{
	const struct place *at = &row->place;

	if (at->kind == ROW_CPU)
		snprintf(text, LOCATION_SIZE, "%s%d", full ? "CPU " : "cpu", at->cpu);
	else if (at->kind == ROW_NODE)
		snprintf(text, LOCATION_SIZE, "node%s%d%s%.64s", full ? " " : "", at->node,
			 *at->memdev ? " " : "", at->memdev);
	else if (at->kind == ROW_GROUP)
		snprintf(text, LOCATION_SIZE, "group %.*s", GROUP_NAME_SIZE, at->group);
	else if (at->kind == ROW_DEVICE)
		snprintf(text, LOCATION_SIZE, "%s%.64s", full ? "device " : "",
			 place_device_name(at));
	else if (at->kind == ROW_SOCKET)
		snprintf(text, LOCATION_SIZE, "%s%d", full ? "socket " : "s", at->socket);
	else if (at->kind == ROW_SYSTEM)
		snprintf(text, LOCATION_SIZE, "system");
	else
		spell_port(row, full, text);
	return text;
}

const char *location(const struct row *row, char text[LOCATION_SIZE])
{
	return spell_place(row, false, text);
}

const char *location_with_unit(const struct row *row, bool full, char text[LOCATION_SIZE])
{
	spell_place(row, full, text);
	if (row->unit && !row->summed && row->place.kind != ROW_CPU)
		text_append(text, LOCATION_SIZE, " %.32s %u", row->unit->pmu_type->name,
			    row->unit->id);
	return text;
}

const char *location_title(const struct row *row, char text[LOCATION_SIZE])
{
	const struct place *at = &row->place;
	char node[24] = "";

	if (at->node >= 0)
		snprintf(node, sizeof(node), "  node %d", at->node);
	if (at->kind == ROW_NODE)
		snprintf(text, LOCATION_SIZE, "node %d%s%.20s", at->node, *at->memdev ? "  " : "",
			 at->memdev);
	else if (at->kind == ROW_GROUP)
		snprintf(text, LOCATION_SIZE, "group %.60s", at->group);
	else if (at->kind == ROW_DEVICE)
		snprintf(text, LOCATION_SIZE, "%.20s%s", place_device_name(at), node);
	else if (at->kind == ROW_PORT || at->kind == ROW_DOMAIN)
		snprintf(text, LOCATION_SIZE, "s%d %s%d%s%.20s%s%s%.16s", at->socket,
			 at->port_name ? at->port_name : "p", at->port, *at->memdev ? "  " : "",
			 at->memdev, node, *at->pci ? "  " : "", at->pci);
	else
		spell_place(row, true, text);
	return text;
}

const char *place_device_label(const struct place *place)
{
	return place->kind == ROW_DEVICE ? place_device_name(place) : place->memdev;
}

int place_node_number(const struct place *place)
{
	return place->kind == ROW_NODE ? place->node : -1;
}

/* Compares strings; NULL is less than any other. */
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

/*
 * Returns the name that identifies a device, which has no number: devices change places between
 * runs.
 */
static const char *device_name(const struct place *place)
{
	return place->kind == ROW_DEVICE ? place_device_name(place) : NULL;
}

int place_compare(const struct place *a, const struct place *b)
{
	int order = compare_number((int)a->kind, (int)b->kind);

	order = order ? order : compare_text(a->port_name, b->port_name);
	order = order ? order : compare_number(a->socket, b->socket);
	order = order ? order : compare_number(a->port, b->port);
	order = order ? order : compare_number(a->cpu, b->cpu);
	order = order ? order : compare_number(place_node_number(a), place_node_number(b));
	order = order ? order : compare_text(device_name(a), device_name(b));
	return order ? order : compare_text(a->group, b->group);
}

int row_compare(const struct row *a, const struct row *b)
{
	int order =
		compare_text(a->event ? a->event->name : NULL, b->event ? b->event->name : NULL);

	order = order ? order : place_compare(&a->place, &b->place);
	order = order ? order : compare_number(a->summed, b->summed);
	order = order ? order : compare_text(pmu_type_name(a), pmu_type_name(b));
	return order ? order : compare_number(pmu_type_number(a), pmu_type_number(b));
}

/*
 * Shows people fewer decimals, except of a ratio without a unit, which would be left with next to
 * nothing.
 */
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
