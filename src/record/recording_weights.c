/* SPDX-License-Identifier: BSD-3-Clause */
/* The weights block: what the quotients of the next sample are divided by. */
#include <errno.h>
#include <math.h>

#include "record/block.h"
#include "record/recording_private.h"

#define MAX_ENTRY ((size_t)2 * 10)
#define MAX_COUNT ((size_t)10)

/* At least 1 where it divides something; 0: none. */
static uint64_t weight_of(const struct value *value)
{
	if ((isnan(value->number) && !(value->reads > 0)) || !(value->weight > 0))
		return 0;
	return (uint64_t)fmax(1, round(fmin(value->weight * WEIGHT_PARTS, 0x1p63)));
}

static uint64_t weight_at(const struct view *view, size_t cell)
{
	return weight_of(&view->rows[cell / view->column_count].values[cell % view->column_count]);
}

/* Of rows of metrics. */
static size_t cells(const struct view *view)
{
	return view_metric_rows(view) * view->column_count;
}

void recording_put_weights(struct bytes *out, const struct view *view)
{
	struct bytes b = {.failed = false};
	size_t count = 0, next = 0;
	uint64_t before = 0;

	for (size_t i = 0; i < cells(view); i++)
		count += weight_at(view, i) != 0;
	if (!count)
		return;
	bytes_put_varint(&b, count);
	for (size_t i = 0; i < cells(view); i++) {
		const uint64_t weight = weight_at(view, i);

		if (!weight)
			continue;
		bytes_put_varint(&b, i - next);
		bytes_put_varint(&b, weight == before ? 0 : weight);
		next = i + 1;
		before = weight;
	}
	block_put(out, BLOCK_WEIGHTS, &b);
	bytes_free(&b);
}

size_t recording_max_weights(const struct view *view)
{
	return MAX_COUNT + cells(view) * MAX_ENTRY;
}

void recording_clear_weights(struct recording *recording)
{
	const struct view *view = &recording->view;

	for (size_t i = 0; i < view->row_count * view->column_count; i++)
		recording->values[i].weight = 0;
}

int recording_decode_weights(struct recording *recording, struct error *err)
{
	struct cursor c = {.at = recording->body.data, .left = recording->body.size};
	const size_t all = cells(&recording->view);
	const size_t count = cursor_count(&c, all);
	uint64_t weight = 0;
	size_t next = 0;

	recording_clear_weights(recording);
	for (size_t i = 0; !c.bad && i < count; i++) {
		const size_t skipped = cursor_count(&c, all);
		const uint64_t given = cursor_varint(&c);

		weight = given ? given : weight;
		c.bad |= skipped >= all - next || !weight;
		if (c.bad)
			break;
		recording->values[next + skipped].weight = (double)weight;
		next += skipped + 1;
	}
	return c.bad || c.left
		       ? error_set(err, EXIT_FAILED, -EBADMSG, "weights do not match the header")
		       : 0;
}
