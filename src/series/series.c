/* SPDX-License-Identifier: BSD-3-Clause */
#include "series/series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/array.h"

struct series_kept {
	uint32_t row, row_count, column;
	unsigned parts;
	struct series_cell *cell; /* NULL: not known so far */
};

static const struct series_cell never_known = {.weighted = NAN, .amount = NAN};

int series_init(struct series *s, const struct table *table)
{
	*s = (struct series){.table = table};
	s->places = calloc(table->row_count * (table->column_count + 1) + 1, sizeof(*s->places));
	return s->places ? 0 : -ENOMEM;
}

static void free_cell(struct series_cell *cell)
{
	if (cell && cell->ranks) {
		distribution_free(cell->ranks);
		free(cell->ranks);
	}
	free(cell);
}

void series_free(struct series *s)
{
	for (size_t i = 0; i < s->kept_count; i++)
		free_cell(s->kept[i].cell);
	free(s->kept);
	free(s->places);
	*s = (struct series){.samples = 0};
}

static uint32_t *place_of(const struct series *s, size_t row, size_t column)
{
	return &s->places[row * (s->table->column_count + 1) + column];
}

int series_keep(struct series *s, size_t row, size_t row_count, size_t column, unsigned parts)
{
	if (array_room(&s->kept, s->kept_count, 1, sizeof(*s->kept)))
		return -ENOMEM;
	s->kept[s->kept_count++] = (struct series_kept){.row = (uint32_t)row,
							.row_count = (uint32_t)row_count,
							.column = (uint32_t)column,
							.parts = parts};
	*place_of(s, row, column) = (uint32_t)s->kept_count;
	return 0;
}

int series_keep_all(struct series *s, unsigned parts)
{
	const struct table *table = s->table;
	int rc = 0;

	for (size_t i = 0; !rc && i < table_metric_rows(table) * table->column_count; i++) {
		const size_t r = i / table->column_count, c = i % table->column_count;
		const struct metric *metric = table->columns[c].metric;

		if (metric->kind == METRIC_NUMBER && row_can_have(&table->rows[r], metric))
			rc = series_keep(s, r, 1, c, parts);
	}
	for (size_t r = table_metric_rows(table); !rc && r < table->row_count; r++)
		rc = series_keep(s, r, 1, series_event(table), 0);
	return rc;
}

const struct series_cell *series_cell(const struct series *s, size_t row, size_t column)
{
	const uint32_t place = *place_of(s, row, column);

	return place && s->kept[place - 1].cell ? s->kept[place - 1].cell : &never_known;
}

static struct series_cell *make_cell(unsigned parts)
{
	struct series_cell *cell = calloc(1, sizeof(*cell));

	if (cell && parts & SERIES_RANKS) {
		cell->ranks = calloc(1, sizeof(*cell->ranks));
		if (!cell->ranks) {
			free(cell);
			cell = NULL;
		}
	}
	return cell;
}

/* What a sample says of a cell. */
struct addend {
	double number, seconds, amount;
};

static struct addend addend_of(const struct series *s, const struct series_kept *kept)
{
	const struct row *row = &s->table->rows[kept->row];
	struct addend sum = {.seconds = INFINITY};

	if (kept->column < s->table->column_count) {
		const struct value *value = &row->values[kept->column];
		const double factor = s->table->columns[kept->column].metric->family.factor;

		return (struct addend){value->number, value->seconds,
				       value->number * factor * value->seconds};
	}
	for (size_t i = 0; i < kept->row_count; i++) {
		sum.number += row[i].per_s;
		sum.amount += row[i].count;
		sum.seconds = fmin(sum.seconds, row[i].interval_s);
	}
	return sum;
}

/* Amounts are not rounded: rounding errors of samples would add up. */
static void add_to(struct series_cell *cell, const struct addend *now)
{
	cell->known++;
	cell->weighted += now->number * now->seconds;
	if (isfinite(now->amount))
		cell->amount += now->amount;
	if (cell->ranks)
		distribution_add(cell->ranks, now->number, now->seconds);
}

void series_add(struct series *s)
{
	s->samples++;
	s->known = false;
	for (size_t i = 0; i < s->kept_count; i++) {
		struct series_kept *kept = &s->kept[i];
		const struct addend now = addend_of(s, kept);

		if (isnan(now.number))
			continue;
		s->known |= isfinite(now.amount);
		if (!kept->cell)
			kept->cell = make_cell(kept->parts);
		if (kept->cell)
			add_to(kept->cell, &now);
		s->failed |= !kept->cell;
	}
}

int series_statistics(const struct series *s, const struct series_cell *cell,
		      struct statistics *out)
{
	if (s->failed)
		return -ENOMEM;
	return cell->ranks ? distribution_statistics(cell->ranks, out)
			   : statistics_make(NULL, 0, 0, 0, out);
}
