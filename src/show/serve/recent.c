/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/serve/serving_private.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a cell, in the step that is not complete. */
struct recent_sum {
	double sum, max; /* max: once it is known */
	size_t known;
};

static size_t cells_of(const struct recent *r)
{
	return table_metric_rows(r->table) * r->table->column_count;
}

int recent_init(struct recent *recent, const struct table *table)
{
	*recent = (struct recent){.table = table};
	const size_t cells = cells_of(recent);

	recent->values = calloc(cells * RECENT_STEPS + 1, sizeof(*recent->values));
	recent->maxima = calloc(cells * RECENT_STEPS + 1, sizeof(*recent->maxima));
	recent->sums = calloc(cells + 1, sizeof(*recent->sums));
	return recent->values && recent->maxima && recent->sums ? 0 : -ENOMEM;
}

void recent_free(struct recent *recent)
{
	free(recent->values);
	free(recent->maxima);
	free(recent->sums);
	*recent = (struct recent){.count = 0};
}

double *recent_values(const struct recent *r, size_t row, size_t column)
{
	return r->values + (row * r->table->column_count + column) * RECENT_STEPS;
}

double recent_max(const struct recent *r, size_t row, size_t column)
{
	const size_t cell = row * r->table->column_count + column;
	double max = r->sums[cell].known ? r->sums[cell].max : NAN;

	for (size_t i = 0; i < r->count; i++)
		max = fmax(max, r->maxima[cell * RECENT_STEPS + i]);
	return max;
}

/* Samples are as long as each other, but for what was missed: each counts once. */
static void add_values(struct recent *r)
{
	for (size_t i = 0; i < cells_of(r); i++) {
		const struct row *row = &r->table->rows[i / r->table->column_count];
		const double number = row->values[i % r->table->column_count].number;

		if (isnan(number))
			continue;
		r->sums[i].max = r->sums[i].known ? fmax(r->sums[i].max, number) : number;
		r->sums[i].sum += number;
		r->sums[i].known++;
	}
}

/* The oldest step makes room. If the clock was set back, time stands until it has caught up. */
static void end_step(struct recent *r, uint64_t wall_ns)
{
	const size_t drop = r->count == RECENT_STEPS, kept = r->count - drop;
	const uint64_t last = r->count ? r->ends_ns[r->count - 1] : 0;

	memmove(r->ends_ns, r->ends_ns + drop, kept * sizeof(*r->ends_ns));
	r->ends_ns[kept] = wall_ns > last ? wall_ns : last;
	for (size_t i = 0; i < cells_of(r); i++) {
		double *values = r->values + i * RECENT_STEPS;
		double *maxima = r->maxima + i * RECENT_STEPS;
		struct recent_sum *sum = &r->sums[i];

		memmove(values, values + drop, kept * sizeof(*values));
		memmove(maxima, maxima + drop, kept * sizeof(*maxima));
		maxima[kept] = sum->known ? sum->max : NAN;
		values[kept] = sum->known ? sum->sum / (double)sum->known : NAN;
		*sum = (struct recent_sum){.known = 0};
	}
	r->count = kept + 1;
	r->open_ns = 0;
}

void recent_add(struct recent *r, const struct sample *sample, uint64_t interval_ns)
{
	add_values(r);
	r->open_ns += interval_ns * (1 + sample->missed);
	/* the first sample is shown at once */
	if (r->open_ns >= RECENT_STEP_NS || !r->count)
		end_step(r, sample->wall_ns);
}
