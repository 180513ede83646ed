/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the values of a view from the counts of a sample. Allocates and formats nothing. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "formula/value.h"
#include "view/region_sources.h"
#include "view/view.h"

/* A value and its cross-check may differ by this part; below 1 MB/s a single line is more. */
#define MISMATCH	     0.10
#define CROSS_CHECK_MIN_MBPS 1.0
#define LINE_MB		     (64 / 1e6) /* what checks count are lines */

/* The times of all counts that a row is computed from; see struct row. */
struct count_times {
	double interval_s, counted_pct;
};

/* A counter whose last read failed has run for longer than one interval. */
static uint64_t enabled_ns(const struct count *count)
{
	return count->time_running > count->time_enabled ? count->time_running
							 : count->time_enabled;
}

static void add_times(struct count_times *times, const struct count *count, bool *scaled)
{
	const uint64_t ns = enabled_ns(count);
	const double pct = 100 * (double)count->time_running / (double)ns;

	times->interval_s = fmin(times->interval_s, (double)ns / NS_PER_S);
	times->counted_pct = fmin(times->counted_pct, pct);
	*scaled |= count->time_running < ns;
}

/* Adds those of a cell, or of an event, to those of its row. */
static void add_own_times(struct count_times *row, const struct count_times *value)
{
	row->interval_s = fmin(row->interval_s, value->interval_s);
	row->counted_pct = fmin(row->counted_pct, value->counted_pct);
}

static bool counted(const struct count *count)
{
	return count->known && count->time_running;
}

static double rate_of(const struct count *count)
{
	return (double)count->events * NS_PER_S / (double)count->time_running;
}

static const struct count *count_of(const struct view *view, const struct alternative *e,
				    unsigned i, size_t t, const struct sample *sample)
{
	return &sample->counts[view->counters[e->first_term[i] + t]];
}

/* The sum of what units count. */
struct sum {
	double per_second, events; /* events: in the whole interval of each */
	double shortest_ns, longest_ns;
	size_t units;
};

static void add_rate(struct sum *sum, double per_second, const struct count *count)
{
	const double ns = (double)enabled_ns(count);

	sum->per_second += per_second;
	sum->events += per_second * ns / NS_PER_S;
	sum->shortest_ns = sum->units ? fmin(sum->shortest_ns, ns) : ns;
	sum->longest_ns = fmax(sum->longest_ns, ns);
	sum->units++;
}

/* Scaled to the units that did not count it, which are as many, or it is not known. */
static void scale_sum(struct sum *sum, size_t units)
{
	const double share = (double)units / (double)sum->units;

	sum->per_second *= share;
	sum->events *= share;
	sum->units = units;
}

/* See struct input_value. */
static struct input_value input_of(const struct sum *sum, bool mean)
{
	struct input_value input = {sum->per_second, sum->units ? sum->shortest_ns : NAN};

	if (sum->longest_ns > sum->shortest_ns && sum->per_second > 0)
		input.ns = sum->events * NS_PER_S / sum->per_second;
	if (mean)
		input.per_second = sum->units ? sum->per_second / (double)sum->units : NAN;
	return input;
}

/* Of a formula: of its events, by operand, and of its parts. */
struct sums {
	struct sum operands[FORMULA_EVENTS], parts[FORMULA_PARTS];
};

/*
 * What a link could carry at most in a sample. One that was seen to have changed had more for a
 * part of it. That of both ends where the kernel does not say what it was trained to.
 */
static double limit_of(const struct kernel_sources *kernel, const struct cxl_device *device)
{
	const struct kernel_source *source = kernel_source_of(kernel, device);
	double rate = NAN;

	if (source && source->files.known && !kernel->late)
		rate = source->files.now.values[LINK_RATE];
	if (source && source->files.fresh && source->files.has_before)
		rate = fmax(rate, source->files.before.values[LINK_RATE]);
	if (!(rate > 0) && device)
		rate = cxl_device_possible_rate(device);
	return rate > 0 ? rate : PORT_RATE;
}

/* Whether some link would have carried more than it can: that of no term is not known. */
static bool exceeds_link(const struct view *view, const struct alternative *e,
			 const struct sample *sample)
{
	const struct program *program = e->formula->program;
	bool exceeds = false;

	for (unsigned i = 0; i < program->operand_count; i++)
		for (size_t t = 0; t < e->term_count[i]; t++)
			view->links[view->link_of_request[e->first_term[i] + t]].counted = 0;
	for (unsigned i = 0; i < program->operand_count; i++)
		for (size_t t = 0; t < e->term_count[i]; t++) {
			const size_t link = view->link_of_request[e->first_term[i] + t];
			const struct count *count = count_of(view, e, i, t, sample);
			struct view_link *at = &view->links[link];

			if (link == view->link_count || !counted(count))
				continue;
			at->counted += rate_of(count) * e->formula->link_bytes;
			exceeds |= at->counted > limit_of(&view->kernel, at->device);
		}
	return exceeds;
}

/* Units that have no share of what all count, as their clock stands still. */
static size_t standing(const struct view *view, const struct alternative *e,
		       const struct sample *sample)
{
	size_t units = 0;

	for (size_t t = 0; t < e->term_count[0]; t++)
		units += count_of(view, e, 0, t, sample)->stands;
	return units;
}

/*
 * The sums of a formula whose units each have a part of their own: term t of all operands is of the
 * same unit. Units of which nothing is known are left out. False: all of them.
 */
static bool sum_units(const struct view *view, const struct alternative *e,
		      const struct sample *sample, struct sums *sums)
{
	const struct program *program = e->formula->program;
	const unsigned operands = program->operand_count;

	for (size_t t = 0; t < e->term_count[0]; t++) {
		double rates[FORMULA_EVENTS], parts[FORMULA_PARTS];
		unsigned known = 0;

		while (known < operands && counted(count_of(view, e, known, t, sample))) {
			rates[known] = rate_of(count_of(view, e, known, t, sample));
			known++;
		}
		if (known < operands || !program_parts(program, rates, parts))
			continue;
		for (unsigned i = 0; i < operands; i++)
			add_rate(&sums->operands[i], rates[i], count_of(view, e, i, t, sample));
		for (unsigned i = 0; i < program->part_count; i++)
			add_rate(&sums->parts[i], parts[i], count_of(view, e, 0, t, sample));
	}
	if (!sums->operands[0].units)
		return false;
	const size_t units = e->term_count[0] - standing(view, e, sample);
	for (unsigned i = 0; e->formula->any_unit && i < operands; i++)
		scale_sum(&sums->operands[i], units);
	for (unsigned i = 0; e->formula->any_unit && i < program->part_count; i++)
		scale_sum(&sums->parts[i], units);
	return true;
}

/*
 * Whether a sum is known without a unit that did not count: where some speak for all, as it counts
 * something else. How much passes one whose clock stands still, the others do not say.
 */
static bool may_miss(const struct formula *formula, const struct count *count)
{
	return formula->any_unit && !(formula->cross_check && count->stands);
}

/* Adds events a second of the operand's counters to *out, which is zero. False: not known. */
static bool sum_operand(const struct view *view, const struct alternative *e, unsigned i,
			const struct sample *sample, struct sum *out)
{
	if (!e->term_count[i])
		return true; /* may_lack */
	size_t units = e->term_count[i];
	for (size_t t = 0; t < e->term_count[i]; t++) {
		const struct count *count = count_of(view, e, i, t, sample);

		if (counted(count))
			add_rate(out, rate_of(count), count);
		else if (!may_miss(e->formula, count))
			return false;
		units -= count->stands;
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

static void add_operand_times(const struct view *view, const struct alternative *e,
			      const struct sample *sample, struct count_times *times, bool *scaled)
{
	for (unsigned i = 0; i < e->formula->program->operand_count; i++) {
		for (size_t t = 0; t < e->term_count[i]; t++) {
			const struct count *count = count_of(view, e, i, t, sample);

			if (counted(count))
				add_times(times, count, scaled);
		}
	}
}

/* Reads that a latency is a mean of, its second event, as they were counted. */
static double reads_of(const struct view *view, const struct alternative *e,
		       const struct sample *sample)
{
	uint64_t reads = 0;

	for (size_t t = 0; e->formula->mean_of_reads && t < e->term_count[1]; t++)
		if (counted(count_of(view, e, 1, t, sample)))
			reads += count_of(view, e, 1, t, sample)->events;
	return (double)reads;
}

/* Those that units have not counted are of the same time: events that no unit has, and the link. */
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

/*
 * Collects what was counted for an alternative of a cell. link_rate: bytes a second of the device's
 * link. out->formula is NULL where the value is not known. Returns whether that is since more was
 * counted than a link can carry.
 */
static bool collect(const struct view *view, const struct alternative *e,
		    const struct sample *sample, double link_rate, struct inputs *out)
{
	struct count_times times = {.interval_s = INFINITY};
	struct sums sums = {0};

	out->formula = NULL;
	out->scaled = false;
	if (!e->formula || !sum_all(view, e, sample, &sums))
		return false;
	if (e->formula->link_bytes && exceeds_link(view, e, sample))
		return true;
	out->formula = e->formula;
	out->reads = reads_of(view, e, sample);
	set_items(e->formula->program, &sums, link_rate, out->items);
	add_operand_times(view, e, sample, &times, &out->scaled);
	return false;
}

static const struct alternative *alternatives_of(const struct view *view, size_t r, size_t c)
{
	return &view->alternatives[(r * view_all_columns(view) + c) * ALTERNATIVES];
}

/*
 * The value of alternative a of a cell; inputs->items: room for its inputs. Returns whether it is
 * not known since more was counted than a link can carry.
 */
static bool evaluate(const struct view *view, size_t r, size_t c, unsigned a,
		     const struct sample *sample, double link_rate, struct inputs *inputs,
		     struct value *out)
{
	const struct alternative *e = &alternatives_of(view, r, c)[a];
	const bool implausible = collect(view, e, sample, link_rate, inputs);

	if (inputs->formula)
		inputs_name(inputs, view->rows[r].values, view_named(view, c));
	value_compute(inputs, view->columns[c]->family.counter, out);
	return implausible;
}

static bool differs(double value, double check)
{
	return !isnan(value) && !isnan(check) && fmax(value, check) >= CROSS_CHECK_MIN_MBPS &&
	       fabs(value - check) > MISMATCH * fmax(value, check);
}

/* Compares what a device's DRAM does with what it was asked for. */
static void compare_dram(struct view *view, size_t r, size_t c, double check)
{
	const double value = view->rows[r].values[c].number;

	if (!differs(value, check) || view->dram_mismatches++)
		return;
	view->dram_row = r;
	view->dram_column = c;
	view->dram_MBps[0] = value;
	view->dram_MBps[1] = check;
}

/* Compares a value with its cross-check, of another source. */
static void compare(struct view *view, const struct value *shown, double check, const char *source)
{
	const double value = shown->number;

	if (!differs(value, check))
		return;
	if (!view->mismatches++) {
		view->first_mismatch[0] = value;
		view->first_mismatch[1] = check;
		view->mismatch_sources[0] = shown->text;
		view->mismatch_sources[1] = source;
	}
}

/*
 * Whether some CXL device has counted no read at all, while its port, or whatever counts the same
 * for the processor, has counted more than 1 MB/s. A sum over ports has a device for each.
 */
static bool device_has_no_counts(const struct view *view, const struct alternative *device,
				 const struct alternative *check, const struct sample *sample)
{
	const size_t ports = check->term_count[0];

	if (!device || !device->formula->of_device || !ports || device->term_count[0] % ports)
		return false;
	const size_t parts = device->term_count[0] / ports; /* of a sum that is counted by event */
	for (size_t t = 0; t < ports; t++) {
		const struct count *other = count_of(view, check, 0, t, sample);
		bool counts_nothing =
			counted(other) && rate_of(other) * LINE_MB > CROSS_CHECK_MIN_MBPS;

		for (size_t part = t * parts; counts_nothing && part < (t + 1) * parts; part++) {
			const struct count *count = count_of(view, device, 0, part, sample);

			counts_nothing = counted(count) && !count->events;
		}
		if (counts_nothing)
			return true;
	}
	return false;
}

/* The rate of a device's link all the time of the sample; NAN: it has changed, or is not known. */
static double rate_throughout(const struct kernel_reading *device)
{
	const double now = device->known ? device->now.values[LINK_RATE] : NAN;

	return device->fresh && device->has_before && device->before.values[LINK_RATE] != now ? NAN
											      : now;
}

#define WHOLE_PCT (100 + 1e-6) /* with what was lost by rounding */

/* Bytes a second that the link of a row's device can carry each way; NAN: not known. */
static double link_rate_of(const struct view *view, const struct row *row)
{
	if (view->link_rate > 0)
		return view->link_rate;
	return row->kernel && !view->kernel.late ? rate_throughout(&row->kernel->files) : NAN;
}

/* Shows no share of a link above 1: that is one of requests, more than the link can answer. */
static void check_share(const struct view *view, struct value *value)
{
	if (!(value->number <= WHOLE_PCT || view->link_rate > 0))
		*value = value_unknown;
}

/* Shows a value, and keeps what it was computed from. */
static void show(struct view *view, size_t r, size_t c, const struct value *value)
{
	struct inputs *kept = &view->inputs[r * view_all_columns(view) + c];
	struct input_value *items = kept->items;

	memcpy(items, value->inputs->items,
	       value->inputs->formula->program->input_count * sizeof(*items));
	*kept = *value->inputs;
	kept->items = items;
	view->rows[r].values[c] = *value;
	view->rows[r].values[c].inputs = kept;
}

/*
 * Whether a value is shown in the place of the one so far, which is not known. What is not known
 * itself is kept for longer intervals, where something was counted.
 */
static bool is_better(const struct value *value, const struct value *shown)
{
	return value->inputs &&
	       (!isnan(value->number) || !shown->inputs || !inputs_have_counts(shown->inputs));
}

/* Checks what a cell shows by the value of another formula. */
static void check_value(struct view *view, size_t r, size_t c, const struct alternative *source,
			const struct alternative *check, double number, const struct sample *sample)
{
	struct value *shown = &view->rows[r].values[c];

	if (device_has_no_counts(view, source, check, sample)) {
		if (!view->devices_without_counts++)
			view->first_without_counts = r;
		*shown = value_unknown;
	}
	if (check->formula->only_compared)
		compare_dram(view, r, c, number);
	else if (!view->columns[c]->share_of)
		compare(view, shown, number, check->formula->source);
}

static bool is_check(const struct formula *formula)
{
	return formula->cross_check || formula->compared || formula->only_compared;
}

static void note_implausible(struct view *view, size_t r, size_t c)
{
	if (view->implausible++)
		return;
	view->first_implausible.row = r;
	view->first_implausible.column = c;
}

static void update_counted(struct view *view, size_t r, size_t c, const struct sample *sample,
			   struct count_times *times)
{
	const struct alternative *alternatives = alternatives_of(view, r, c);
	const double link_rate = link_rate_of(view, &view->rows[r]);
	struct value *shown = &view->rows[r].values[c];
	const struct alternative *source = NULL;
	bool scaled = false; /* of any */

	*shown = value_unknown;
	for (unsigned a = 0; a < ALTERNATIVES; a++) {
		const struct formula *formula = alternatives[a].formula;
		struct input_value items[PROGRAM_INPUTS];
		struct inputs inputs = {.items = items};
		struct value value;

		if (!formula || (!isnan(shown->number) && !is_check(formula)))
			continue;
		if (evaluate(view, r, c, a, sample, link_rate, &inputs, &value))
			note_implausible(view, r, c);
		if (formula->one_class && value.number == 0)
			continue;
		if (is_check(formula))
			check_value(view, r, c, source, &alternatives[a], value.number, sample);
		if (formula->only_compared || !isnan(shown->number))
			continue;
		source = isnan(value.number) ? NULL : &alternatives[a];
		if (is_better(&value, shown))
			show(view, r, c, &value);
		add_operand_times(view, &alternatives[a], sample, times, &scaled);
	}
	if (view->columns[c]->share_of)
		check_share(view, shown);
}

static void show_kernel(struct view *view, size_t r, size_t c, const struct kernel_source *kernel)
{
	struct inputs *inputs = &view->inputs[r * view_all_columns(view) + c];
	const struct metric *metric = view->columns[c];

	kernel_sources_inputs(&view->kernel, kernel, metric, inputs);
	value_compute(inputs, metric->family.counter, &view->rows[r].values[c]);
}

/* In place of what units count, if they count it. */
static void show_mbm(struct view *view, size_t r, size_t c)
{
	struct inputs *inputs = &view->inputs[r * view_all_columns(view) + c];

	if (mbm_sources_inputs(&view->kernel.mbm, view->rows[r].socket, view->sockets, inputs))
		value_compute(inputs, view->columns[c]->family.counter, &view->rows[r].values[c]);
}

#define LEAK_SHARE 0.05

/* Where there are few CXL reads beside many of DRAM, the occupancy is that of both. */
double view_mark_leak(const struct view *view, struct row *row)
{
	struct value *value = view->cxl_latency < SIZE_MAX ? &row->values[view->cxl_latency] : NULL;
	double dram_reads = 0;

	if (!value || isnan(value->number) || !value->inputs)
		return 0;
	const struct quotient cxl = inputs_quotient(value->inputs);
	for (unsigned i = 0; i < 2; i++) {
		const size_t ddr = view->ddr_latencies[i];
		const struct inputs *inputs = ddr < SIZE_MAX ? row->values[ddr].inputs : NULL;

		if (inputs)
			dram_reads += inputs_quotient(inputs).divisor;
	}
	if (!(dram_reads * value->inputs->formula->leak_ns >
	      LEAK_SHARE * value->number * cxl.divisor))
		return 0;
	value->scaled = value->raised = true;
	return dram_reads / cxl.divisor;
}

void view_show_sources(const struct view *view, struct row *row)
{
	for (size_t c = 0; c < view->column_count; c++)
		if (view->source_column[c] < view->column_count)
			row->values[c].text = row->values[view->source_column[c]].text;
}

static void mark_leak(struct view *view, size_t r)
{
	const double reads = view_mark_leak(view, &view->rows[r]);

	if (reads > 0 && !view->leaks++) {
		view->first_leak = r;
		view->first_leak_reads = reads;
	}
}

/* Of a row; NULL: the kernel says nothing of it. */
static const struct kernel_source *kernel_of(const struct view *view, const struct row *row)
{
	return row->scope == SCOPE_SYSTEM && view->kernel.node_count ? &view->kernel.machine
								     : row->kernel;
}

/* Columns of the kernel's files. Returns the seconds that they are of; NAN: there are none. */
static double update_kernel_columns(struct view *view, size_t r)
{
	const struct kernel_source *kernel = kernel_of(view, &view->rows[r]);
	double seconds = NAN;

	for (size_t c = 0; c < view_all_columns(view); c++) {
		if (!view->columns[c]->kernel_stat)
			continue;
		show_kernel(view, r, c, kernel);
		if (kernel)
			seconds = kernel_sources_interval_s(&view->kernel, kernel);
	}
	return seconds;
}

/* The column that resctrl counts. Returns the seconds that its value is of; NAN: there is none. */
static double update_mbm_column(struct view *view, size_t r)
{
	const struct row *row = &view->rows[r];
	const size_t c = view->mbm_column;

	if (c == SIZE_MAX || row->scope < SCOPE_SOCKET)
		return NAN;
	show_mbm(view, r, c);
	return isnan(row->values[c].number) ? NAN : row->values[c].seconds;
}

/* Columns of regions of memory. Returns the seconds that they are of; NAN: there are none. */
static double update_region_columns(struct view *view, size_t r)
{
	const struct row *row = &view->rows[r];
	double seconds = NAN;

	for (size_t c = 0; c < view_all_columns(view); c++) {
		const struct metric *metric = view->columns[c];
		const struct region_cell cell = {.region = metric->region,
						 .domain = row->of_domain ? row->domain : SIZE_MAX,
						 .socket = row->socket,
						 .sockets = view->sockets};
		struct inputs *inputs = &view->inputs[r * view_all_columns(view) + c];

		if (!metric->region || (row->scope < SCOPE_SOCKET && !row->of_domain))
			continue;
		row->values[c] = value_unknown;
		if (view->kernel.late ||
		    !region_sources_inputs(&view->kernel.regions, &cell, inputs))
			continue;
		value_compute(inputs, true, &row->values[c]);
		seconds = row->values[c].seconds;
	}
	return seconds;
}

/* Whether units count the column, by a formula of the processor or of a CXL device. */
static bool is_of_units(const struct metric *metric)
{
	return metric->kind == METRIC_NUMBER && !metric->kernel_stat && !metric->region &&
	       !metric->program;
}

/* Where no unit counts, the interval of the row is that of the kernel's files, or of caches. */
static void update_metrics(struct view *view, size_t r, const struct sample *sample,
			   struct count_times *times)
{
	struct row *row = &view->rows[r];

	for (size_t c = 0; c < view_all_columns(view); c++)
		if (is_of_units(view->columns[c]))
			update_counted(view, r, c, sample, times);
	const double kernel_s = update_kernel_columns(view, r);
	const double cache_s = fmin(update_mbm_column(view, r), update_region_columns(view, r));
	mark_leak(view, r);
	if (isinf(times->interval_s) && !(isnan(kernel_s) && isnan(cache_s)))
		times->interval_s = isnan(kernel_s) ? cache_s : kernel_s;
	/* these name others */
	for (size_t c = 0; c < view->column_count; c++)
		if (view->columns[c]->program)
			update_counted(view, r, c, sample, times);
	view_show_sources(view, row);
}

/* A sum of which a part is not known is not known either. */
static void update_event(const struct view *view, struct row *row, const struct sample *sample,
			 struct count_times *times)
{
	double events = 0, per_s = 0;
	bool scaled = false;

	row->count = NAN;
	row->per_s = NAN;
	if (row->lacks_unit)
		return;
	for (size_t t = 0; t < row->term_count; t++)
		if (!counted(&sample->counts[view->counters[row->first_term + t]]))
			return;
	for (size_t t = 0; t < row->term_count; t++) {
		const struct count *count = &sample->counts[view->counters[row->first_term + t]];
		struct count_times own = {.interval_s = INFINITY, .counted_pct = 100};

		add_times(&own, count, &scaled);
		events += rate_of(count) * own.interval_s;
		per_s += rate_of(count);
		add_own_times(times, &own);
	}
	row->count = round(events);
	row->per_s = per_s;
}

void view_update(struct view *view, const struct sample *sample)
{
	view->marks.count = view->marks.more = 0;
	kernel_sources_read(&view->kernel, sample, &view->marks);
	cxl_events_read(&view->cxl_events, sample->wall_ns, &view->marks);
	for (size_t r = 0; r < view->row_count; r++) {
		struct row *row = &view->rows[r];
		struct count_times times = {.interval_s = INFINITY, .counted_pct = 100};

		if (row->event)
			update_event(view, row, sample, &times);
		else
			update_metrics(view, r, sample, &times);
		/* nothing of this row was counted */
		row->interval_s = isinf(times.interval_s) ? NAN : times.interval_s;
		row->counted_pct = isinf(times.interval_s) ? NAN : times.counted_pct;
	}
}

const struct formula *view_alternative(const struct view *view, size_t row, size_t column,
				       unsigned a)
{
	return alternatives_of(view, row, column)[a].formula;
}

/* Of alternative a of a cell; out.items is room for its inputs. */
static void collect_alone(const struct view *view, size_t r, size_t c, unsigned a,
			  const struct sample *sample, struct inputs *out, struct value *value)
{
	evaluate(view, r, c, a, sample, link_rate_of(view, &view->rows[r]), out, value);
}

struct quotient view_alternative_quotient(const struct view *view, size_t row, size_t column,
					  unsigned a, const struct sample *sample)
{
	struct input_value items[PROGRAM_INPUTS];
	struct inputs inputs = {.items = items};
	struct value value;

	collect_alone(view, row, column, a, sample, &inputs, &value);
	return inputs.formula ? inputs_quotient(&inputs) : (struct quotient){0, 0};
}

double view_alternative_value(const struct view *view, size_t row, size_t column, unsigned a,
			      const struct sample *sample)
{
	struct input_value items[PROGRAM_INPUTS];
	struct inputs inputs = {.items = items};
	struct value value;

	collect_alone(view, row, column, a, sample, &inputs, &value);
	return value.number;
}
