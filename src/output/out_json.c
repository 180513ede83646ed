/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * JSON Lines: an object per sample. Keys are the names of the CSV columns. Every row has all of
 * them: what is unknown or does not apply is null.
 */
#include <inttypes.h>
#include <math.h>

#include "output/fields.h"
#include "output/sink.h"
#include "platform/number.h"

/* Version of the output; grows when a key is removed or changes its meaning. */
#define SCHEMA	1
#define UNKNOWN "null"

static void put_key(FILE *out, const char *key)
{
	fprintf(out, ",\"%s\":", key);
}

static void put_value(FILE *out, const struct row *row, const struct metric *metric,
		      const struct value *value)
{
	put_key(out, metric->name);
	switch (metric->kind) {
	case METRIC_NUMBER:
		field_number(out, value->number, metric->decimals, UNKNOWN);
		break;
	case METRIC_SOURCE:
		field_json_text(out, value->text);
		break;
	case METRIC_CPU:
		field_index(out, row->cpu, UNKNOWN);
		break;
	}
}

static void put_event(FILE *out, const struct row *row)
{
	put_key(out, "unit");
	field_json_text(out, row->event ? row->unit->box->name : "");
	put_key(out, "box");
	field_index(out, row->event && !row->summed ? (int)row->unit->id : -1, UNKNOWN);
	put_key(out, "event");
	field_json_text(out, row->event ? row->event->name : "");
	put_key(out, "count");
	field_number(out, row->count, 0, UNKNOWN);
	put_key(out, "per_s");
	field_number(out, row->per_s, FIELD_RATE_DECIMALS, UNKNOWN);
}

static void put_row(FILE *out, const struct view *view, const struct row *row)
{
	fprintf(out, "{\"scope\":\"%s\"", row_scope_name(row));
	put_key(out, "interval_s");
	field_number(out, row->interval_s, FIELD_INTERVAL_DECIMALS, UNKNOWN);
	put_key(out, "socket");
	field_index(out, row->socket, UNKNOWN);
	put_key(out, "port");
	field_index(out, row->port, UNKNOWN);
	put_key(out, "pci");
	field_json_text(out, row->pci);
	put_key(out, "memdev");
	field_json_text(out, row->memdev);
	put_key(out, "node");
	field_index(out, row->node, UNKNOWN);
	if (view->event_rows)
		put_event(out, row);
	for (size_t c = 0; c < view->column_count; c++)
		put_value(out, row, view->columns[c], &row->values[c]);
	put_key(out, "counted_pct");
	field_share(out, row->counted_pct, UNKNOWN);
	putc('}', out);
}

static int begin(struct sink *sink)
{
	(void)sink;
	return 0;
}

/* The shortest interval of all rows. */
static double interval(const struct view *view)
{
	double shortest = NAN;

	for (size_t r = 0; r < view->row_count; r++)
		shortest = min_double(shortest, view->rows[r].interval_s);
	return shortest;
}

static void sample_json(struct sink *sink, const struct sample *sample)
{
	const struct view *view = sink->view;
	FILE *out = sink->out;

	fprintf(out, "{\"schema\":%d,\"time\":\"", SCHEMA);
	field_time(out, sample->wall_ns);
	fputs("\",\"interval_s\":", out);
	field_number(out, interval(view), FIELD_INTERVAL_DECIMALS, UNKNOWN);
	fprintf(out, ",\"missed\":%" PRIu64 ",\"rows\":[", sample->missed);
	for (size_t r = 0; r < view->row_count; r++) {
		fputs(r ? "," : "", out);
		put_row(out, view, &view->rows[r]);
	}
	fputs("]}\n", out);
}

const struct format format_json = {
	.name = "json",
	.begin = begin,
	.sample = sample_json,
};
