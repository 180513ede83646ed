/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "platform/text.h"

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
	spell(row, full, text);
	if (row->unit && !row->summed && row->scope != SCOPE_CPU)
		text_append(text, LOCATION_SIZE, " %.32s %u", row->unit->pmu_type->name,
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

static void put_event(struct fields *f, const struct row *row)
{
	const bool one_unit = row->event && !row->summed;

	fields_text(f, "type", row->event ? row->unit->pmu_type->name : "");
	fields_index(f, "id", one_unit ? (int)row->unit->id : -1);
	fields_text(f, "event", row->event ? row->event->name : "");
	fields_number(f, "count", row->event ? row->count : NAN, 0);
	fields_number(f, "per_s", row->event ? row->per_s : NAN, FIELD_RATE_DECIMALS);
}

static void put_value(struct fields *f, const struct metric *metric, const struct row *row,
		      const struct value *value)
{
	switch (metric->kind) {
	case METRIC_NUMBER:
		fields_number(f, metric->name, value->number, metric->decimals);
		break;
	case METRIC_SOURCE:
		fields_text(f, metric->name, value->text);
		break;
	case METRIC_CPU:
		fields_index(f, metric->name, row->cpu);
		break;
	}
}

void out_row(struct fields *f, const struct view *view, const struct row *row)
{
	static const struct row no_row = {.pci = "", .memdev = ""};
	static const struct value no_value = {.text = ""};

	row = row ? row : &no_row;
	fields_index(f, "socket", row->socket);
	fields_index(f, "port", row->port);
	fields_text(f, "pci", row->pci);
	fields_text(f, "memdev", row->memdev);
	fields_index(f, "node", row->node);
	if (view->event_rows)
		put_event(f, row);
	for (size_t c = 0; c < view->column_count; c++)
		put_value(f, view->columns[c], row, row->values ? &row->values[c] : &no_value);
	fields_share(f, "counted_pct", row->counted_pct);
}
