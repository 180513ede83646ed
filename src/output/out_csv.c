/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * CSV: RFC 4180, with \n line ends. An unknown value is an empty field.
 */
#include "output/fields.h"
#include "output/rows.h"
#include "output/sink.h"

static void put_row(struct sink *sink, enum field_style style, const struct row *row,
		    const struct sample *sample)
{
	struct fields f = {.out = sink->out, .style = style};

	fields_time(&f, "time", sample->wall_ns);
	fields_number(&f, "interval_s", row ? row->interval_s : 0, FIELD_INTERVAL_DECIMALS);
	fields_count(&f, "missed", sample->missed);
	fields_text(&f, "scope", row ? row_scope_name(row) : "");
	out_row(&f, sink->view, row);
	putc('\n', sink->out);
}

static int begin(struct sink *sink)
{
	static const struct sample none = {.missed = 0};

	if (!sink->no_header)
		put_row(sink, FIELDS_NAMES, NULL, &none);
	return 0;
}

static void sample_csv(struct sink *sink, const struct sample *sample)
{
	for (size_t r = 0; r < sink->view->row_count; r++)
		put_row(sink, FIELDS_CSV, &sink->view->rows[r], sample);
}

const struct format format_csv = {
	.name = "csv",
	.begin = begin,
	.sample = sample_csv,
};
