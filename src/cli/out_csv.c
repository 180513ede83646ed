/* SPDX-License-Identifier: BSD-3-Clause */
/* CSV: RFC 4180 with the line ends of Unix. What is not known is an empty field. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <time.h>

#include "cli/sink.h"

#define NS_PER_S UINT64_C(1000000000)

static void put_text(FILE *out, const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

static void put_number(FILE *out, double number, unsigned decimals)
{
	if (isfinite(number))
		fprintf(out, "%.*f", (int)decimals, number);
}

static void put_index(FILE *out, int index)
{
	if (index >= 0)
		fprintf(out, "%d", index);
}

/* RFC 3339 in UTC, with microseconds */
static void put_time(FILE *out, uint64_t wall_ns)
{
	const time_t seconds = (time_t)(wall_ns / NS_PER_S);
	char text[32];
	struct tm tm;

	gmtime_r(&seconds, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%S", &tm);
	fprintf(out, "%s.%06" PRIu64 "Z", text, wall_ns % NS_PER_S / 1000);
}

static int begin(struct sink *sink)
{
	fputs("time,interval_s,missed,scope,socket,port,pci,memdev,node", sink->out);
	if (sink->view->by_event)
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
		put_number(out, value->number, metric->decimals);
		break;
	case METRIC_SOURCE:
		put_text(out, value->text);
		break;
	case METRIC_CPU:
		put_index(out, row->cpu);
		break;
	}
}

static void put_event(FILE *out, const struct row *row)
{
	fprintf(out, ",%s,%u,", row->unit->box->name, row->unit->id);
	put_text(out, row->event->name);
	putc(',', out);
	put_number(out, row->count, 0);
	putc(',', out);
	put_number(out, row->per_s, 3);
}

static void put_row(FILE *out, const struct view *view, const struct row *row,
		    const struct sample *sample)
{
	put_time(out, sample->wall_ns);
	putc(',', out);
	put_number(out, row->interval_s, 6);
	fprintf(out, ",%" PRIu64 ",%s,", sample->missed, scope_names[row->scope]);
	put_index(out, row->socket);
	putc(',', out);
	put_index(out, row->port);
	putc(',', out);
	put_text(out, row->pci);
	putc(',', out);
	put_text(out, row->memdev);
	putc(',', out);
	put_index(out, row->node);
	for (size_t c = 0; c < view->column_count; c++)
		put_value(out, row, view->columns[c], &row->values[c]);
	if (view->by_event)
		put_event(out, row);
	if (isnan(row->counted_pct))
		fputs(",\n", out);
	else
		fprintf(out, ",%.4g\n", row->counted_pct);
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
