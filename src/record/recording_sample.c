/* SPDX-License-Identifier: BSD-3-Clause */
/* The sample block: the values of each row; and the doubt block, of samples before it. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "record/block.h"
#include "record/recording_private.h"

/* The first byte of a cell: flags, and the length of the number. */
#define CELL_LENGTH  0x0F
#define CELL_SCALED  0x10
#define CELL_SECONDS 0x20 /* its interval differs from the row's, and follows */
#define CELL_TEXT    0x40 /* a text follows */

#define MAX_NUMBER ((size_t)9)
#define MAX_CELL   (1 + 8 + MAX_NUMBER + BYTES_TEXT_MAX + 1)
#define MAX_ROW	   (4 * MAX_NUMBER)
#define MAX_LEAD   ((size_t)4 * 10)

/* Bitwise equal, or both NAN. */
static bool same(double a, double b)
{
	return (isnan(a) && isnan(b)) || !memcmp(&a, &b, sizeof(a));
}

/* The interval of a cell without CELL_SECONDS. */
static double usual_seconds(const struct row *row, double number)
{
	return isnan(number) ? NAN : row->interval_s;
}

static void put_cell(struct bytes *b, const struct row *row, const struct value *value)
{
	const unsigned length = bytes_number_length(value->number);
	const bool own = !same(value->seconds, usual_seconds(row, value->number));

	bytes_put_u8(b, (uint8_t)(length | (value->scaled ? CELL_SCALED : 0) |
				  (own ? CELL_SECONDS : 0) | (*value->text ? CELL_TEXT : 0)));
	bytes_put_digits(b, value->number, length);
	if (own)
		bytes_put_number(b, value->seconds);
	if (*value->text)
		bytes_put_text(b, value->text);
}

static void put_doubt(struct bytes *out, uint64_t since_ns)
{
	struct bytes b = {.failed = false};

	bytes_put_varint(&b, since_ns);
	block_put(out, BLOCK_DOUBT, &b);
	bytes_free(&b);
}

int recording_decode_doubt(struct recording *recording, struct error *err)
{
	struct cursor c = {.at = recording->body.data, .left = recording->body.size};

	recording->doubtful_since_ns = cursor_varint(&c);
	return c.bad || c.left ? error_set(err, EXIT_FAILED, -EBADMSG,
					   "a time of doubtful samples is not valid")
			       : 0;
}

void recording_put_sample(struct bytes *out, const struct view *view, const struct sample *sample)
{
	struct bytes b = {.failed = false};

	if (sample->doubtful_since_ns)
		put_doubt(out, sample->doubtful_since_ns);
	recording_put_inputs(out, view);
	recording_put_weights(out, view);
	bytes_put_varint(&b, sample->wall_ns);
	bytes_put_varint(&b, sample->missed);
	bytes_put_varint(&b, sample->frozen_ns);
	bytes_put_varint(&b, sample->failed_reads);
	for (size_t r = 0; r < view->row_count; r++) {
		const struct row *row = &view->rows[r];

		bytes_put_number(&b, row->interval_s);
		bytes_put_number(&b, row->counted_pct);
		if (row->event) {
			bytes_put_number(&b, row->count);
			bytes_put_number(&b, row->per_s);
		}
		for (size_t c = 0; !row->event && c < view->column_count; c++)
			put_cell(&b, row, &row->values[c]);
	}
	block_put(out, BLOCK_SAMPLE, &b);
	bytes_free(&b);
}

size_t recording_max_sample(const struct view *view)
{
	const size_t max = MAX_LEAD + view->row_count * (MAX_ROW + view->column_count * MAX_CELL);

	return max < BLOCK_MAX ? max : BLOCK_MAX;
}

static void decode_cell(struct cursor *c, const struct row *row, struct value *value)
{
	const uint8_t flags = cursor_u8(c);

	c->bad |= flags > (CELL_LENGTH | CELL_SCALED | CELL_SECONDS | CELL_TEXT);
	value->number = cursor_digits(c, flags & CELL_LENGTH);
	value->scaled = flags & CELL_SCALED;
	value->seconds =
		flags & CELL_SECONDS ? cursor_number(c) : usual_seconds(row, value->number);
	value->text = flags & CELL_TEXT ? cursor_text(c) : "";
}

int recording_decode_sample(struct recording *recording, struct error *err)
{
	struct cursor c = {.at = recording->body.data, .left = recording->body.size};
	struct view *view = &recording->view;

	recording->sample = (struct sample){.wall_ns = cursor_varint(&c)};
	recording->sample.doubtful_since_ns = recording->doubtful_since_ns;
	recording->doubtful_since_ns = 0;
	recording->sample.missed = cursor_varint(&c);
	recording->sample.frozen_ns = cursor_varint(&c);
	recording->sample.failed_reads = cursor_count(&c, SIZE_MAX);
	for (size_t r = 0; r < view->row_count; r++) {
		struct row *row = &view->rows[r];

		row->interval_s = cursor_number(&c);
		row->counted_pct = cursor_number(&c);
		if (row->event) {
			row->count = cursor_number(&c);
			row->per_s = cursor_number(&c);
		}
		for (size_t i = 0; !row->event && i < view->column_count; i++)
			decode_cell(&c, row, &row->values[i]);
	}
	return c.bad || c.left
		       ? error_set(err, EXIT_FAILED, -EBADMSG, "a sample does not match the header")
		       : 0;
}
