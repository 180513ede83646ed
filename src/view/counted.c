/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/counted.h"

#include <math.h>

#include "base/number.h"

/*
 * Returns the time for which a count was to run: a counter whose last read failed has run for
 * longer than one interval.
 */
static uint64_t enabled_ns(const struct count *count)
{
	return count->time_running > count->time_enabled ? count->time_running
							 : count->time_enabled;
}

void count_times_add(struct count_times *times, const struct count *count, bool *scaled)
{
	const uint64_t ns = enabled_ns(count);
	const double pct = 100 * (double)count->time_running / (double)ns;

	times->interval_s = fmin(times->interval_s, (double)ns / NS_PER_S);
	times->counted_pct = fmin(times->counted_pct, pct);
	*scaled |= count->time_running < ns || count->estimate;
}

void count_times_merge(struct count_times *row, const struct count_times *value)
{
	row->interval_s = fmin(row->interval_s, value->interval_s);
	row->counted_pct = fmin(row->counted_pct, value->counted_pct);
}

bool count_is_valid(const struct count *count)
{
	return count->known && count->time_running;
}

double count_rate(const struct count *count)
{
	return (double)count->events * NS_PER_S / (double)count->time_running;
}

const struct count *counted_term(const struct view *view, const struct alternative *e, unsigned i,
				 size_t t, const struct sample *sample)
{
	return &sample->counts[view->counters[view_terms(view, e)[i].first + t]];
}

/* The sum of units' counts. */
struct count_sum {
	double per_second, events; /* events: in each unit's whole interval */
	double shortest_ns, longest_ns;
	size_t units;
};

static void add_rate(struct count_sum *sum, double per_second, const struct count *count)
{
	const double ns = (double)enabled_ns(count);

	sum->per_second += per_second;
	sum->events += per_second * ns / NS_PER_S;
	sum->shortest_ns = sum->units ? fmin(sum->shortest_ns, ns) : ns;
	sum->longest_ns = fmax(sum->longest_ns, ns);
	sum->units++;
}

/* Scales the sum to the units that did not count: they have as much, or it is unknown. */
static void scale_sum(struct count_sum *sum, size_t units)
{
	const double share = (double)units / (double)sum->units;

	sum->per_second *= share;
	sum->events *= share;
	sum->units = units;
}

/* Returns the input of a sum; see struct input_value. */
static struct input_value input_of(const struct count_sum *sum, bool mean)
{
	struct input_value input = {sum->per_second, sum->units ? sum->shortest_ns : NAN};

	if (sum->longest_ns > sum->shortest_ns && sum->per_second > 0)
		input.ns = sum->events * NS_PER_S / sum->per_second;
	if (mean)
		input.per_second = sum->units ? sum->per_second / (double)sum->units : NAN;
	return input;
}

/* Sums of a formula: by operand, and by part. */
struct sums {
	struct count_sum operands[FORMULA_EVENTS], parts[FORMULA_PARTS];
};

/*
 * Returns the most bytes per second that a link could carry in a sample. A link that was seen to
 * change had more for a part of it. If its trained rate is unknown, this is the rate that both ends
 * support.
 */
static double limit_of(const struct device_source *devices, const struct cxl_device *device)
{
	double rate = device_source_rate_limit(devices, device_source_find(devices, device));

	if (!(rate > 0) && device)
		rate = cxl_device_possible_rate(device);
	return rate > 0 ? rate : PORT_RATE;
}

/*
 * Returns true if some link would have carried more than it can. A term without a known link is not
 * checked.
 */
static bool exceeds_link(const struct view *view, const struct alternative *e,
			 const struct sample *sample)
{
	const struct program *program = e->formula->program;
	bool exceeds = false;

	for (unsigned i = 0; i < program->operand_count; i++)
		for (size_t t = 0; t < view_terms(view, e)[i].count; t++)
			view->links[view->link_of_request[view_terms(view, e)[i].first + t]]
				.counted = 0;
	for (unsigned i = 0; i < program->operand_count; i++)
		for (size_t t = 0; t < view_terms(view, e)[i].count; t++) {
			const size_t link = view->link_of_request[view_terms(view, e)[i].first + t];
			const struct count *count = counted_term(view, e, i, t, sample);
			struct view_link *at = &view->links[link];

			if (link == view->link_count || !count_is_valid(count))
				continue;
			at->counted += count_rate(count) * e->formula->link_bytes;
			exceeds |= at->counted > limit_of(&view->sources.devices, at->device);
		}
	return exceeds;
}

/* Counts an alternative's units whose clock does not run, which have no share in the total. */
static size_t count_stopped_clocks(const struct view *view, const struct alternative *e,
				   const struct sample *sample)
{
	size_t units = 0;

	for (size_t t = 0; t < view_terms(view, e)->count; t++)
		units += counted_term(view, e, 0, t, sample)->clock_stopped;
	return units;
}

/*
 * Adds up a formula with parts for each unit: term t of all operands belongs to the same unit.
 * Units with an unknown count are left out. Returns false if all are.
 */
static bool sum_units(const struct view *view, const struct alternative *e,
		      const struct sample *sample, struct sums *sums)
{
	const struct program *program = e->formula->program;
	const unsigned operands = program->operand_count;

	for (size_t t = 0; t < view_terms(view, e)->count; t++) {
		double rates[FORMULA_EVENTS], parts[FORMULA_PARTS];
		unsigned known = 0;

		while (known < operands &&
		       count_is_valid(counted_term(view, e, known, t, sample))) {
			rates[known] = count_rate(counted_term(view, e, known, t, sample));
			known++;
		}
		if (known < operands || !program_parts(program, rates, parts))
			continue;
		for (unsigned i = 0; i < operands; i++)
			add_rate(&sums->operands[i], rates[i], counted_term(view, e, i, t, sample));
		for (unsigned i = 0; i < program->part_count; i++)
			add_rate(&sums->parts[i], parts[i], counted_term(view, e, 0, t, sample));
	}
	if (!sums->operands[0].units)
		return false;
	const size_t units = view_terms(view, e)->count - count_stopped_clocks(view, e, sample);
	for (unsigned i = 0; e->formula->any_unit && i < operands; i++)
		scale_sum(&sums->operands[i], units);
	for (unsigned i = 0; e->formula->any_unit && i < program->part_count; i++)
		scale_sum(&sums->parts[i], units);
	return true;
}

/*
 * Returns true if a sum can do without a unit that did not count because it counted something else:
 * some units stand for all. A unit whose clock does not run may have any traffic, about which the
 * others tell nothing.
 */
static bool may_miss(const struct formula *formula, const struct count *count)
{
	return formula->any_unit && !(formula->cross_check && count->clock_stopped);
}

/*
 * Adds the events per second of the operand's counters to *out, which is zero. Returns false if
 * they are unknown.
 */
static bool sum_operand(const struct view *view, const struct alternative *e, unsigned i,
			const struct sample *sample, struct count_sum *out)
{
	if (!view_terms(view, e)[i].count)
		return true; /* it is an operand with may_lack */
	size_t units = view_terms(view, e)[i].count;
	for (size_t t = 0; t < view_terms(view, e)[i].count; t++) {
		const struct count *count = counted_term(view, e, i, t, sample);

		if (count_is_valid(count))
			add_rate(out, count_rate(count), count);
		else if (!may_miss(e->formula, count))
			return false;
		units -= count->clock_stopped;
	}
	if (out->units && out->units < units)
		scale_sum(out, units);
	return out->units > 0;
}

static bool sum_all(const struct view *view, const struct alternative *e,
		    const struct sample *sample, struct sums *sums)
{
	const struct program *program = e->formula->program;

	if (program->part_count)
		return sum_units(view, e, sample, sums);
	for (unsigned i = 0; i < program->operand_count; i++)
		if (!sum_operand(view, e, i, sample, &sums->operands[i]))
			return false;
	return true;
}

static void add_times(const struct view *view, const struct alternative *e,
		      const struct sample *sample, struct count_times *times, bool *scaled)
{
	for (unsigned i = 0; i < e->formula->program->operand_count; i++) {
		for (size_t t = 0; t < view_terms(view, e)[i].count; t++) {
			const struct count *count = counted_term(view, e, i, t, sample);

			if (count_is_valid(count))
				count_times_add(times, count, scaled);
		}
	}
}

/* Returns the reads of which a latency is the mean, its second event, as they were counted. */
static double reads_of(const struct view *view, const struct alternative *e,
		       const struct sample *sample)
{
	uint64_t reads = 0;

	for (size_t t = 0; e->formula->mean_of_reads && t < view_terms(view, e)[1].count; t++)
		if (count_is_valid(counted_term(view, e, 1, t, sample)))
			reads += counted_term(view, e, 1, t, sample)->events;
	return (double)reads;
}

/*
 * Sets a program's inputs. Inputs that no unit counts (events that no unit has, and the link) get
 * the shortest time of the others.
 */
static void set_items(const struct program *program, const struct sums *sums, double link_rate,
		      struct input_value *items)
{
	double shortest = INFINITY;

	for (unsigned i = 0; i < program->input_count; i++) {
		const struct program_input *input = &program->inputs[i];

		items[i] = (struct input_value){link_rate, NAN};
		if (input->kind <= INPUT_MEAN)
			items[i] =
				input_of(&sums->operands[input->index], input->kind == INPUT_MEAN);
		else if (input->kind == INPUT_PART)
			items[i] = input_of(&sums->parts[input->index], false);
		shortest = fmin(shortest, items[i].ns);
	}
	for (unsigned i = 0; i < program->input_count; i++)
		if (isnan(items[i].ns) && program->inputs[i].kind != INPUT_METRIC)
			items[i].ns = shortest;
}

bool counted_inputs(const struct view *view, const struct alternative *e,
		    const struct sample *sample, double link_rate, struct inputs *out,
		    struct count_times *times)
{
	struct sums sums = {0};

	out->formula = NULL;
	if (!e->formula)
		return false;
	out->scaled = e->formula->mean_of_reads && view->unsure_latency;
	add_times(view, e, sample, times, &out->scaled);
	if (!sum_all(view, e, sample, &sums))
		return false;
	if (e->formula->link_bytes && exceeds_link(view, e, sample))
		return true;
	out->formula = e->formula;
	out->reads = reads_of(view, e, sample);
	set_items(e->formula->program, &sums, link_rate, out->items);
	return false;
}
