/* SPDX-License-Identifier: BSD-3-Clause */
#include "series/series.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct series_kept {
	uint32_t row, row_count, column;
	unsigned parts;
	struct series_cell *cell; /* NULL: unknown so far */
};

/* Room for steps at first; then it is doubled. */
#define FEWEST_STEPS 64

struct series_steps {
	/* the open step; ns: time with a known value; if 0, the others are undefined */
	double mean, ns, peak;
	/* means, and maxima if requested; as much room as the series has for ends */
	void *values[2];
	unsigned count;
};

static const struct series_cell never_known = {.weighted = NAN, .seconds = NAN, .amount = NAN};

int series_init(struct series *s, const struct table *table)
{
	*s = (struct series){.table = table};
	s->places =
		calloc(table->row_count * (table_all_columns(table) + 1) + 1, sizeof(*s->places));
	return s->places ? 0 : -ENOMEM;
}

static void free_steps(struct series_steps *steps)
{
	for (unsigned i = 0; steps && i < steps->count; i++)
		free(steps->values[i]);
	free(steps);
}

static void free_cell(struct series_cell *cell)
{
	if (!cell)
		return;
	if (cell->ranks)
		distribution_free(cell->ranks);
	if (cell->inputs)
		value_sum_free(cell->inputs);
	free(cell->ranks);
	free(cell->inputs);
	free_steps(cell->steps);
	free(cell);
}

void series_free(struct series *s)
{
	for (size_t i = 0; i < s->kept_count; i++)
		free_cell(s->kept[i].cell);
	free(s->kept);
	free(s->places);
	free(s->ends_ns);
	*s = (struct series){.samples = 0};
}

static uint32_t *place_of(const struct series *s, size_t row, size_t column)
{
	return &s->places[row * (table_all_columns(s->table) + 1) + column];
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

void series_set_steps(struct series *s, enum series_steps_type type, size_t most, uint64_t step_ns)
{
	s->step_bytes = type == SERIES_FLOATS ? sizeof(float) : sizeof(double);
	s->most_steps = most;
	s->step_ns = step_ns;
}

static void set_step(const struct series *s, void *values, size_t at, double number)
{
	if (s->step_bytes == sizeof(float))
		((float *)values)[at] = (float)number;
	else
		((double *)values)[at] = number;
}

/* Makes room for more values. Returns false if memory is short; then the room is unchanged. */
static bool grow_array(void *array, size_t room, size_t size)
{
	void *elements, *grown;

	memcpy(&elements, array, sizeof(elements));
	grown = reallocarray(elements, room, size);
	if (grown)
		memcpy(array, &grown, sizeof(grown));
	return grown;
}

static bool grow_steps(const struct series *s, struct series_steps *steps, size_t room)
{
	bool ok = true;

	for (unsigned i = 0; ok && i < steps->count; i++)
		ok = grow_array(&steps->values[i], room, s->step_bytes);
	return ok;
}

/* Makes the steps of a cell, NAN before its first known value. NULL: memory is short. */
static struct series_steps *make_steps(const struct series *s, bool with_peaks)
{
	struct series_steps *steps = calloc(1, sizeof(*steps));

	if (!steps)
		return NULL;
	steps->count = with_peaks ? 2 : 1;
	if (s->step_room && !grow_steps(s, steps, s->step_room)) {
		free_steps(steps);
		return NULL;
	}
	for (size_t at = 0; at < s->first_step + s->step_count; at++)
		for (unsigned i = 0; i < steps->count; i++)
			set_step(s, steps->values[i], at, NAN);
	return steps;
}

static bool make_parts(const struct series *s, struct series_cell *cell, unsigned parts)
{
	if (parts & SERIES_RANKS)
		cell->ranks = calloc(1, sizeof(*cell->ranks));
	if (parts & SERIES_INPUTS)
		cell->inputs = calloc(1, sizeof(*cell->inputs));
	if (cell->inputs)
		value_sum_clear(cell->inputs);
	if (parts & SERIES_STEPS)
		cell->steps = make_steps(s, parts & SERIES_PEAKS);
	return !cell->ranks == !(parts & SERIES_RANKS) &&
	       !cell->inputs == !(parts & SERIES_INPUTS) && !cell->steps == !(parts & SERIES_STEPS);
}

/* Returns the cell, made when it is known for the first time. NULL: memory is short. */
static struct series_cell *kept_cell(struct series *s, struct series_kept *kept)
{
	if (kept->cell)
		return kept->cell;
	kept->cell = calloc(1, sizeof(*kept->cell));
	if (kept->cell && !make_parts(s, kept->cell, kept->parts)) {
		free_cell(kept->cell);
		kept->cell = NULL;
	}
	s->failed |= !kept->cell;
	s->known_cells += kept->cell != NULL;
	return kept->cell;
}

/* Contribution of a sample to a cell. */
struct addend {
	double number, seconds, amount;
};

static struct addend addend_of(const struct series *s, const struct series_kept *kept)
{
	const struct row *row = &s->table->rows[kept->row];
	struct addend sum = {.seconds = INFINITY};

	if (!row->event) {
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

/* Adds a number to the open step's mean; the mean of a single sample is exactly its number. */
static void add_to_step(struct series_steps *steps, double number, double ns)
{
	const double before = steps->ns > 0 ? steps->mean : number;

	steps->peak = steps->ns > 0 ? fmax(steps->peak, number) : number;
	steps->ns += ns;
	steps->mean = before + (number - before) * (ns / steps->ns);
}

/*
 * Adds a sample to a cell. Amounts are not rounded, because rounding errors of samples would add
 * up.
 */
static void add_to(struct series_cell *cell, const struct addend *now, double ns)
{
	cell->known++;
	if (now->seconds > 0) {
		cell->weighted += now->number * now->seconds;
		cell->seconds += now->seconds;
	}
	if (isfinite(now->amount))
		cell->amount += now->amount;
	if (cell->ranks)
		distribution_add(cell->ranks, now->number);
	if (cell->steps)
		add_to_step(cell->steps, now->number, ns);
}

/* Adds the inputs of a value, even of an unknown one with too few reads. */
static void add_inputs(struct series *s, struct series_kept *kept)
{
	const struct value *value = &s->table->rows[kept->row].values[kept->column];
	const struct series_cell *cell = value->inputs ? kept_cell(s, kept) : NULL;

	if (cell)
		s->failed |= value_sum_add(cell->inputs, value) != 0;
}

static void add_number(struct series *s, struct series_kept *kept, double ns)
{
	const struct addend now = addend_of(s, kept);
	struct series_cell *cell = isnan(now.number) ? NULL : kept_cell(s, kept);

	if (cell)
		add_to(cell, &now, ns);
	s->known |= !isnan(now.number) && isfinite(now.amount);
}

static struct series_steps *steps_of(const struct series *s, size_t kept)
{
	return s->kept[kept].cell ? s->kept[kept].cell->steps : NULL;
}

/*
 * Makes more room for steps. If the oldest steps have to go, there is room for a few more than are
 * kept: steps are moved to the front once in a while, rather than each time.
 */
static bool grow_all(struct series *s)
{
	const size_t most = s->most_steps ? s->most_steps + s->most_steps / 32 + 1 : SIZE_MAX;
	const size_t twice = s->step_room ? 2 * s->step_room : FEWEST_STEPS;
	const size_t room = twice < most ? twice : most;
	bool ok = grow_array(&s->ends_ns, room, sizeof(*s->ends_ns));

	for (size_t i = 0; ok && i < s->kept_count; i++)
		if (steps_of(s, i))
			ok = grow_steps(s, steps_of(s, i), room);
	if (ok)
		s->step_room = room;
	s->failed |= !ok;
	return ok;
}

static void move_to_front(const struct series *s, void *values, size_t size)
{
	memmove(values, (char *)values + s->first_step * size, s->step_count * size);
}

/* Makes room for a step, for which the oldest one may go. Returns false if memory is short. */
static bool make_step_room(struct series *s)
{
	if (s->most_steps && s->step_count == s->most_steps) {
		s->first_step++;
		s->step_count--;
	}
	if (s->first_step + s->step_count < s->step_room)
		return true;
	if (!s->first_step)
		return grow_all(s);
	move_to_front(s, s->ends_ns, sizeof(*s->ends_ns));
	for (size_t i = 0; i < s->kept_count; i++) {
		const struct series_steps *steps = steps_of(s, i);

		for (unsigned k = 0; steps && k < steps->count; k++)
			move_to_front(s, steps->values[k], s->step_bytes);
	}
	s->first_step = 0;
	return true;
}

/*
 * Ends the open step. If the clock was set back, steps end at the last time until the clock has
 * caught up.
 */
static void end_step(struct series *s, uint64_t wall_ns)
{
	const uint64_t last = s->step_count ? series_ends(s)[s->step_count - 1] : 0;

	if (!make_step_room(s))
		return;
	const size_t at = s->first_step + s->step_count++;
	s->all_steps++;
	s->ends_ns[at] = wall_ns > last ? wall_ns : last;
	for (size_t i = 0; i < s->kept_count; i++) {
		struct series_steps *steps = steps_of(s, i);

		if (!steps)
			continue;
		set_step(s, steps->values[0], at, steps->ns > 0 ? steps->mean : NAN);
		if (steps->count > 1)
			set_step(s, steps->values[1], at, steps->ns > 0 ? steps->peak : NAN);
		steps->ns = 0;
	}
	s->open_ns = 0;
}

void series_add(struct series *s, uint64_t wall_ns, uint64_t ns)
{
	s->samples++;
	s->known = false;
	for (size_t i = 0; i < s->kept_count; i++)
		if (s->kept[i].parts & SERIES_INPUTS)
			add_inputs(s, &s->kept[i]);
		else
			add_number(s, &s->kept[i], ns ? (double)ns : 1);
	if (!s->step_bytes)
		return;
	s->open_ns += ns;
	/* the first sample is shown at once */
	if (s->open_ns >= s->step_ns || !s->step_count)
		end_step(s, wall_ns);
}

int series_statistics(const struct series *s, const struct series_cell *cell,
		      struct statistics *out)
{
	if (s->failed)
		return -ENOMEM;
	if (cell->ranks)
		return distribution_statistics(cell->ranks, cell->weighted, cell->seconds, out);
	const double *steps = series_steps(s, cell);
	return statistics_make(steps, steps ? s->step_count : 0, cell->weighted, cell->seconds,
			       out);
}

const void *series_steps(const struct series *s, const struct series_cell *cell)
{
	return cell->steps && s->step_count
		       ? (char *)cell->steps->values[0] + s->first_step * s->step_bytes
		       : NULL;
}

double series_peak(const struct series *s, const struct series_cell *cell)
{
	const struct series_steps *steps = cell->steps;
	const double *peaks = steps ? steps->values[1] : NULL;
	double peak = steps && steps->ns > 0 ? steps->peak : NAN;

	for (size_t i = 0; peaks && i < s->step_count; i++)
		peak = fmax(peak, peaks[s->first_step + i]);
	return peak;
}

const uint64_t *series_ends(const struct series *s)
{
	return s->step_count ? s->ends_ns + s->first_step : NULL;
}
