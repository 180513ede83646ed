/* SPDX-License-Identifier: BSD-3-Clause */
#include <err.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "commands.h"
#include "linux/kernel/clock.h"
#include "output/sink.h"

/* A text as in the writer: written to memory, and from there to its destination. */
struct text {
	FILE *out;
	char *bytes;
	size_t size;
};

static void open_text(struct text *text)
{
	text->out = open_memstream(&text->bytes, &text->size);
	if (!text->out)
		err(1, "open_memstream");
}

static size_t known_values(const struct view *view)
{
	size_t known = 0;

	for (size_t r = 0; r < view->table.row_count; r++)
		for (size_t c = 0; c < view->table.column_count; c++)
			known += !isnan(view->table.rows[r].values[c].number);
	return known;
}

/* Measures two texts: the rows, and the same bytes as a plain copy. */
static void run(const struct bench_options *options, const struct format *format, size_t samples)
{
	uint64_t bytes = 0, values = 0, made_ns = 0, copied_ns = 0;
	struct text text = {0}, copy = {0};
	struct subject s;

	subject_open(&s, options);
	open_text(&text);
	open_text(&copy);
	struct sink sink = {.format = format, .out = text.out, .fd = -1, .table = &s.view.table};
	if (format->begin(&sink))
		errx(1, "out of memory");
	fflush(text.out);
	rewind(text.out); /* lines above the rows are not counted */
	for (size_t i = 0; i < samples; i++) {
		subject_wait(&s);
		subject_sample(&s);
		const uint64_t start = clock_monotonic();
		const struct sample *sample = subject_decode(&s);
		view_update(&s.view, sample);
		format->sample(&sink, sample);
		fflush(text.out);
		const uint64_t made = clock_monotonic();
		const size_t length = (size_t)ftell(text.out);
		fwrite(text.bytes, 1, length, copy.out);
		fflush(copy.out);
		copied_ns += clock_monotonic() - made;
		made_ns += made - start;
		bytes += length;
		values += known_values(&s.view);
		rewind(text.out);
		rewind(copy.out);
	}
	if (format->end)
		format->end(&sink);
	print_result(json_pack("{s:I, s:I, s:I, s:I, s:I}", "rows",
			       (json_int_t)(samples * s.view.table.row_count), "bytes",
			       (json_int_t)bytes, "values", (json_int_t)values, "made_ns",
			       (json_int_t)made_ns, "copied_ns", (json_int_t)copied_ns));
	fclose(text.out);
	fclose(copy.out);
	free(text.bytes);
	free(copy.bytes);
	subject_close(&s);
}

void run_csv(const struct bench_options *options, size_t samples)
{
	run(options, &format_csv, samples);
}

void run_json(const struct bench_options *options, size_t samples)
{
	run(options, &format_json, samples);
}
