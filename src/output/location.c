/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/location.h"

#include <stdio.h>
#include <string.h>

#define MIN_WIDTH 7

static const char *spell(const struct row *row, bool full, char text[LOCATION_SIZE])
{
	const char *port = row->port_name ? row->port_name : "p";

	snprintf(text, LOCATION_SIZE, "system");
	if (row->scope == SCOPE_CPU)
		snprintf(text, LOCATION_SIZE, "%s%d", full ? "CPU " : "cpu", row->cpu);
	else if (row->of_node)
		snprintf(text, LOCATION_SIZE, "node%s%d%s%.64s", full ? " " : "", row->node,
			 *row->memdev ? " " : "", row->memdev);
	else if (row_is_device(row))
		snprintf(text, LOCATION_SIZE, "%s%.64s", full ? "device " : "",
			 row_device_name(row));
	else if (row->scope == SCOPE_PORT)
		snprintf(text, LOCATION_SIZE, "%s%d %s%s%d%s%.64s", full ? "socket " : "s",
			 row->socket, full ? row_scope_name(row) : port, full ? " " : "", row->port,
			 *row->memdev ? " " : "", row->memdev);
	else if (row->scope == SCOPE_SOCKET)
		snprintf(text, LOCATION_SIZE, "%s%d", full ? "socket " : "s", row->socket);
	return text;
}

const char *location(const struct row *row, char text[LOCATION_SIZE])
{
	return spell(row, false, text);
}

const char *location_with_unit(const struct row *row, bool full, char text[LOCATION_SIZE])
{
	const size_t used = strlen(spell(row, full, text));

	if (row->unit && !row->summed && row->scope != SCOPE_CPU)
		snprintf(text + used, LOCATION_SIZE - used, " %.32s %u", row->unit->box->name,
			 row->unit->id);
	return text;
}

int location_width(const struct view *view)
{
	char text[LOCATION_SIZE];
	int width = MIN_WIDTH;

	for (size_t r = 0; r < view->row_count; r++) {
		const int length = (int)strlen(location(&view->rows[r], text));

		width = length > width ? length : width;
	}
	return width;
}
