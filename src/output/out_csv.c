/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CSV: RFC 4180, with \n line ends. An unknown value is an empty field.
 */
#include <inttypes.h>

#include "output/fields.h"
#include "output/sink.h"

#define UNKNOWN	 ""
#define NO_EVENT ",,,,," /* unit, box, event, count and per_s of a row of metrics */

static int begin(struct sink *sink)
{
	if (sink->no_header)
		return 0;
	fputs("time,interval_s,missed,scope,socket,port,pci,memdev,node", sink->out);
	if (sink->view->event_rows)
		fputs(",unit,box,event,count,per_s", sink->out);
	for (size_t c = 0; c < sink->view->column_count; c++)
		fprintf(sink->out, ",%s", sink->view->columns[c]->name);
	fputs(",counted_pct\n", sink->out);
	return 0;
}

static void put_value(FILE *out, const struct row *row, const struct metric *metric,
		      const struct value *value)
{
	putc(',', out);
	switch (metric->kind) {
	case METRIC_NUMBER:
		field_number(out, value->number, metric->decimals, UNKNOWN);
		break;
	case METRIC_SOURCE:
		field_text(out, value->text);
		break;
	case METRIC_CPU:
		field_index(out, row->cpu, UNKNOWN);
		break;
	}
}

static void put_event(FILE *out, const struct row *row)
{
	fprintf(out, ",%s,", row->unit->box->name);
	field_index(out, row->summed ? -1 : (int)row->unit->id, UNKNOWN);
	putc(',', out);
	field_text(out, row->event->name);
	putc(',', out);
	field_number(out, row->count, 0, UNKNOWN);
	putc(',', out);
	field_number(out, row->per_s, FIELD_RATE_DECIMALS, UNKNOWN);
}

static void put_row(FILE *out, const struct view *view, const struct row *row,
		    const struct sample *sample)
{
	field_time(out, sample->wall_ns);
	putc(',', out);
	field_number(out, row->interval_s, FIELD_INTERVAL_DECIMALS, UNKNOWN);
	fprintf(out, ",%" PRIu64 ",%s,", sample->missed, row_scope_name(row));
	field_index(out, row->socket, UNKNOWN);
	putc(',', out);
	field_index(out, row->port, UNKNOWN);
	putc(',', out);
	field_text(out, row->pci);
	putc(',', out);
	field_text(out, row->memdev);
	putc(',', out);
	field_index(out, row->node, UNKNOWN);
	if (row->event)
		put_event(out, row);
	else if (view->event_rows)
		fputs(NO_EVENT, out);
	for (size_t c = 0; c < view->column_count; c++)
		put_value(out, row, view->columns[c], &row->values[c]);
	putc(',', out);
	field_share(out, row->counted_pct, UNKNOWN);
	putc('\n', out);
}

static void sample_csv(struct sink *sink, const struct sample *sample)
{
	for (size_t r = 0; r < sink->view->row_count; r++)
		put_row(sink->out, sink->view, &sink->view->rows[r], sample);
}

const struct format format_csv = {
	.name = "csv",
	.begin = begin,
	.sample = sample_csv,
};
