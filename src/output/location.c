/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/location.h"

#include <stdio.h>
#include <string.h>

#define MIN_WIDTH 7

const char *location(const struct row *row, char text[LOCATION_SIZE])
{
	snprintf(text, LOCATION_SIZE, "system");
	if (row->scope == SCOPE_CPU)
		snprintf(text, LOCATION_SIZE, "cpu%d", row->cpu);
	else if (row->of_node)
		snprintf(text, LOCATION_SIZE, "node%d%s%s", row->node, *row->memdev ? " " : "",
			 row->memdev);
	else if (row_is_device(row))
		snprintf(text, LOCATION_SIZE, "%s", row_device_name(row));
	else if (row->scope == SCOPE_PORT)
		snprintf(text, LOCATION_SIZE, "s%d %s%d%s%s", row->socket,
			 row->port_name ? row->port_name : "p", row->port, *row->memdev ? " " : "",
			 row->memdev);
	else if (row->scope == SCOPE_SOCKET)
		snprintf(text, LOCATION_SIZE, "s%d", row->socket);
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
