/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/out_rows.h"

#include <math.h>

static void put_event(struct fields *f, const struct row *row)
{
	const bool one_unit = row->event && !row->summed;

	fields_text(f, "type", row->event ? row->unit->box->name : "");
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
