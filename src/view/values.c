/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the values of a view from the counts of a sample. Allocates and formats nothing. */
#include <math.h>

#include "base/number.h"
#include "formula/program.h"
#include "view/view.h"

/* A value and its cross-check may differ by this part; below 1 MB/s a single line is more. */
#define MISMATCH	     0.10
#define CROSS_CHECK_MIN_MBPS 1.0
#define LINE_MB		     (64 / 1e6) /* what checks count are lines */

/*
 * The noise of a mean of n reads. Their latencies differ: behind a single queue, which is the
 * worst, as widely as an exponential distribution, whose deviation is its mean W. So that of the
 * mean is W / sqrt(n). Besides, occupancy lacks the end of reads that outlast the interval T, and
 * has that of reads which began before it: at each end some n W / T reads, each with a part of W
 * that is uniform. They cancel but for a deviation of sqrt(2 n W / (3 T)) W, which adds W / (3 T)
 * of the noise: 0.1 % of it at the shortest intervals of 100 us. So the noise is 1 / sqrt(n): below
 * FEWEST_READS it is a third of the value, which is empty, and below ENOUGH_READS 2 %, and the
 * value is an estimate.
 */

/* The times of all counts that a row or a value is computed from; see struct row. */
struct count_times {
	double interval_s, counted_pct;
	double longest_s;
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
	times->longest_s = fmax(times->longest_s, (double)ns / NS_PER_S);
	times->counted_pct = fmin(times->counted_pct, pct);
	*scaled |= count->time_running < ns;
}

/* Adds those of a value to those of its row. */
static void add_value_times(struct count_times *row, const struct count_times *value)
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

/* Scaled to the units that did not count it, which are as many, or it is not known. */
static void scale_operand(struct operand *operand, size_t units)
{
	const double share = (double)units / operand->units;

	operand->per_second *= share;
	operand->events *= share;
	operand->units = (unsigned)units;
}

/* Judges one of the counts of operand i. */
static bool is_implausible(const struct alternative *e, unsigned i, double rate)
{
	return e->formula->max_rate > 0 && i + 1 == e->formula->program->operand_count &&
	       rate > e->formula->max_rate;
}

/*
 * What a link could carry at most in a sample. One that was seen to have changed had more for a
 * part of it. That of both ends where the kernel does not say what it was trained to.
 */
static double limit_of(const struct kernel_sources *kernel, const struct cxl_device *device)
{
	const struct kernel_source *source = kernel_source_of(kernel, device);
	double rate = NAN;

	if (source && source->files.known)
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
 * The operands of a formula whose units each have a part of their own: term t of all operands is of
 * the same unit. Units of which nothing is known are left out. False: all of them.
 */
static bool sum_units(const struct view *view, const struct alternative *e,
		      const struct sample *sample, struct operand *operands, bool *implausible)
{
	const unsigned operand_count = e->formula->program->operand_count;

	for (size_t t = 0; t < e->term_count[0]; t++) {
		double rates[FORMULA_EVENTS], parts[FORMULA_OPERANDS] = {0};
		unsigned known = 0;

		while (known < operand_count && counted(count_of(view, e, known, t, sample))) {
			rates[known] = rate_of(count_of(view, e, known, t, sample));
			known++;
		}
		if (known < operand_count || !program_parts(e->formula->program, rates, parts))
			continue;
		*implausible |= is_implausible(e, known - 1, rates[known - 1]);
		for (unsigned i = 0; i < FORMULA_OPERANDS; i++) {
			const unsigned event = i < operand_count ? i : 0;

			operands[i].per_second += parts[i];
			operands[i].events +=
				parts[i] * (double)enabled_ns(count_of(view, e, event, t, sample)) /
				NS_PER_S;
			operands[i].units++;
		}
	}
	if (!operands[0].units)
		return false;
	for (unsigned i = 0; e->formula->any_unit && i < FORMULA_OPERANDS; i++)
		scale_operand(&operands[i], e->term_count[0] - standing(view, e, sample));
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
			const struct sample *sample, struct operand *out, bool *implausible)
{
	if (!e->term_count[i])
		return true; /* may_lack */
	size_t units = e->term_count[i];
	for (size_t t = 0; t < e->term_count[i]; t++) {
		const struct count *count = count_of(view, e, i, t, sample);

		if (counted(count)) {
			const double rate = rate_of(count);

			/* one implausible part makes the sum implausible */
			*implausible |= is_implausible(e, i, rate);
			out->per_second += rate;
			out->events += rate * (double)enabled_ns(count) / NS_PER_S;
			out->units++;
		} else if (!may_miss(e->formula, count)) {
			return false;
		}
		units -= count->stands;
	}
	if (out->units && out->units < units)
		scale_operand(out, units);
	return out->units > 0;
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

/* What the formula of a rate is of the events of the whole interval, instead of those a second. */
static double total_of(const struct formula *formula, const struct operand *operands)
{
	struct operand totals[FORMULA_OPERANDS];

	for (unsigned i = 0; i < FORMULA_OPERANDS; i++) {
		totals[i] = operands[i];
		totals[i].per_second = operands[i].events;
	}
	return program_value(formula->program, totals);
}

struct result {
	double number;		  /* NAN: not known, or implausible */
	double total;		  /* of a rate, see total_of() */
	double weight, undivided; /* see struct value; a weight that is NAN: the time */
	double reads;		  /* likewise */
	double *inputs; /* of a program, behind room for their interval; NULL: not known */
	bool implausible;
};

/*
 * Sets the operands of a metric that a formula names: a rate, or dividend and divisor of a
 * quotient, whose weight is a divisor. False: nothing of it is known.
 */
static bool set_metric_operands(const struct value *named, double row_s, struct operand *operands)
{
	const bool undivided = isnan(named->number) && named->undivided > 0;
	const double seconds = undivided ? row_s : named->seconds;
	const double amounts[2] = {undivided	       ? named->undivided
				   : named->weight > 0 ? named->number * named->weight
						       : named->number * seconds,
				   named->weight};

	for (unsigned i = 0; i < 2; i++)
		operands[i] = (struct operand){
			.per_second = amounts[i] / seconds, .units = 1, .events = amounts[i]};
	return isfinite(operands[0].per_second);
}

/*
 * Sets the operands of the columns that the formula of a cell names. False: one is not known.
 * *known: all have a number, and not only what longer intervals are computed from.
 */
static bool set_named_operands(const struct view *view, size_t r, size_t c, double row_s,
			       struct operand *operands, bool *known)
{
	const struct program *program = view->columns[c]->program;
	bool all = true;

	for (unsigned k = 0; program && k < program->metric_count; k++) {
		const struct value *named = &view->rows[r].values[view->named[c][k]];

		all &= set_metric_operands(named, row_s, &operands[METRIC_OPERAND + 2 * k]);
		*known &= !isnan(named->number);
	}
	return all;
}

static void add_named_times(const struct view *view, size_t r, size_t c, double row_s,
			    struct count_times *times, bool *scaled)
{
	const struct program *program = view->columns[c]->program;

	for (unsigned k = 0; program && k < program->metric_count; k++) {
		const struct value *named = &view->rows[r].values[view->named[c][k]];
		const double seconds = isnan(named->seconds) ? row_s : named->seconds;

		times->interval_s = fmin(times->interval_s, seconds);
		times->longest_s = fmax(times->longest_s, seconds);
		*scaled |= named->scaled;
	}
}

static const struct alternative *alternatives_of(const struct view *view, size_t r, size_t c)
{
	return &view->alternatives[(r * view_all_columns(view) + c) * ALTERNATIVES];
}

/* Alternative a of a cell. row_s: the shortest interval of the columns that it may name. */
static struct result evaluate(const struct view *view, size_t r, size_t c, unsigned a, double row_s,
			      const struct sample *sample)
{
	const struct alternative *e = &alternatives_of(view, r, c)[a];
	const struct result unknown = {.number = NAN, .total = NAN};
	struct operand operands[FORMULA_OPERANDS] = {0};
	bool implausible = false, known = true;

	if (!e->formula || !set_named_operands(view, r, c, row_s, operands, &known))
		return unknown;
	const struct program *program = e->formula->program;
	const bool parts = program->part_count;
	if (parts && !sum_units(view, e, sample, operands, &implausible))
		return unknown;
	for (unsigned i = 0; !parts && i < program->operand_count; i++)
		if (!sum_operand(view, e, i, sample, &operands[i], &implausible))
			return unknown;
	implausible |= e->formula->link_bytes && exceeds_link(view, e, sample);
	if (e->inputs)
		program_inputs(program, operands, e->inputs + 1);

	/* a user-defined metric keeps its inputs, of which any mean can be computed */
	struct result result = {
		.number = known ? program_value(program, operands) : NAN,
		.total = known ? total_of(e->formula, operands) : NAN,
		.weight = e->inputs || program_has_weight(program)
				  ? program_weight(program, operands)
				  : 0,
		.inputs = e->inputs,
	};
	if (isnan(result.number) && !(result.weight > 0) && !e->inputs &&
	    program_has_weight(program))
		result.undivided = program_undivided(program, operands);
	return implausible ? (struct result){.number = NAN, .total = NAN, .implausible = true}
			   : result;
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

/* A latency of too few reads, its second event, is not known; marks one that is an estimate. */
static void check_reads(const struct view *view, const struct alternative *e,
			const struct sample *sample, struct value *value, struct result *result)
{
	uint64_t reads = 0;

	if (!e->formula->mean_of_reads || isnan(result->number))
		return;
	for (size_t t = 0; t < e->term_count[1]; t++)
		if (counted(count_of(view, e, 1, t, sample)))
			reads += count_of(view, e, 1, t, sample)->events;
	value->scaled |= reads >= FEWEST_READS && reads < ENOUGH_READS;
	if (reads >= FEWEST_READS)
		return;
	result->reads = (double)reads;
	result->undivided = result->number * result->weight;
	result->number = NAN;
}

/*
 * Whether some CXL device has counted no read at all, while its port, or whatever counts the same
 * for the processor, has counted more than 1 MB/s. A sum over ports has a device for each.
 */
static bool device_is_silent(const struct view *view, const struct alternative *device,
			     const struct alternative *check, const struct sample *sample)
{
	const size_t ports = check->term_count[0];

	if (!device || !device->formula->of_device || !ports || device->term_count[0] % ports)
		return false;
	const size_t parts = device->term_count[0] / ports; /* of a sum that is counted by event */
	for (size_t t = 0; t < ports; t++) {
		const struct count *other = count_of(view, check, 0, t, sample);
		bool silent = counted(other) && rate_of(other) * LINE_MB > CROSS_CHECK_MIN_MBPS;

		for (size_t part = t * parts; silent && part < (t + 1) * parts; part++) {
			const struct count *count = count_of(view, device, 0, part, sample);

			silent = counted(count) && !count->events;
		}
		if (silent)
			return true;
	}
	return false;
}

/* See struct value. */
static double covered(const struct metric *metric, double number, double total,
		      const struct count_times *times)
{
	if (isnan(number))
		return NAN;
	return metric->family.counter && times->longest_s > times->interval_s && number > 0
		       ? total / number
		       : times->interval_s;
}

/* Keeps what a formula without a value would have computed it from. */
static void keep_result(struct result *kept, const struct result *result)
{
	kept->total = result->total;
	if (!(kept->undivided > 0)) {
		kept->undivided = result->undivided;
		kept->weight = result->weight;
		kept->reads = result->reads;
	}
	if (result->inputs)
		kept->inputs = result->inputs;
}

/* What longer intervals are computed from: see struct value. */
static void set_parts(struct value *value, const struct result *result, double interval_s)
{
	if (isnan(value->number) && isfinite(result->undivided)) {
		value->undivided = result->undivided;
		value->weight = result->weight;
		value->reads = result->reads;
	}
	if (!result->inputs || isinf(interval_s))
		return;
	result->inputs[0] = interval_s;
	value->inputs = result->inputs;
}

static void update_counted(struct view *view, size_t r, size_t c, const struct sample *sample,
			   struct count_times *times)
{
	const struct metric *metric = view->columns[c];
	const struct alternative *alternatives = alternatives_of(view, r, c);
	struct value *value = &view->rows[r].values[c];
	struct count_times own = {.interval_s = INFINITY, .counted_pct = 100};
	const struct alternative *source = NULL;
	struct result shown = {.total = NAN};

	*value = (struct value){.number = NAN, .text = ""};
	for (unsigned a = 0; a < ALTERNATIVES; a++) {
		const struct formula *formula = alternatives[a].formula;

		const bool checks = formula && (formula->cross_check || formula->compared ||
						formula->only_compared);

		if (!formula || (!isnan(value->number) && !checks))
			continue;
		struct result result = evaluate(view, r, c, a, times->interval_s, sample);
		if (result.implausible && !view->implausible++) {
			view->first_implausible.row = r;
			view->first_implausible.column = c;
		}
		if (formula->one_class && result.number == 0)
			continue;
		check_reads(view, &alternatives[a], sample, value, &result);
		if (checks && device_is_silent(view, source, &alternatives[a], sample)) {
			if (!view->silent_devices++)
				view->first_silent = r;
			value->number = NAN;
		}
		if (formula->only_compared) {
			compare_dram(view, r, c, result.number);
			continue;
		}
		if (checks && !metric->share_of)
			compare(view, value, result.number, formula->source);
		if (!isnan(value->number))
			continue;
		source = isnan(result.number) ? NULL : &alternatives[a];
		value->number = result.number;
		value->weight = isnan(result.number) ? 0 : result.weight;
		keep_result(&shown, &result);
		add_operand_times(view, &alternatives[a], sample, &own, &value->scaled);
		add_named_times(view, r, c, times->interval_s, &own, &value->scaled);
		if (!isnan(result.number) || result.reads > 0)
			value->text = formula->source ? formula->source : "";
	}
	set_parts(value, &shown, own.interval_s);
	value->scaled &= !isnan(value->number);
	/* no quotient, nor a rate that is known to be one */
	if (isnan(value->weight) || value->weight < 0)
		value->weight = own.interval_s * NS_PER_S;
	value->seconds = covered(metric, value->number, shown.total, &own);
	add_value_times(times, &own);
}

/* The rate of a device's link all the time of the sample; NAN: it has changed, or is not known. */
static double rate_throughout(const struct kernel_reading *device)
{
	const double now = device->known ? device->now.values[LINK_RATE] : NAN;

	return device->fresh && device->has_before && device->before.values[LINK_RATE] != now ? NAN
											      : now;
}

#define WHOLE_PCT (100 + 1e-6) /* with what was lost by rounding */

/*
 * The share of its link's rate that a device's traffic takes up. Above 1 it is a share of requests,
 * which are more than the link can answer.
 */
static void divide_by_rate(const struct view *view, const struct kernel_reading *device,
			   struct value *value)
{
	const bool is_given = view->link_rate > 0;
	const double rate = is_given ? view->link_rate : rate_throughout(device);

	value->number *= 100 * 1e6 / rate;
	if (!(value->number <= WHOLE_PCT || (is_given && !isnan(value->number))))
		*value = (struct value){.number = NAN, .text = "", .seconds = NAN};
	else
		value->weight = value->seconds * NS_PER_S;
}

#define LEAK_SHARE 0.05

/* How long each read of DRAM may be in the occupancy that a cell is computed from. */
static double leak_ns(const struct view *view, size_t r, size_t c)
{
	const struct alternative *alternatives = alternatives_of(view, r, c);

	for (unsigned a = 0; a < ALTERNATIVES; a++)
		if (alternatives[a].formula &&
		    alternatives[a].formula->source == view->rows[r].values[c].text)
			return alternatives[a].formula->leak_ns;
	return 0;
}

/* Where there are few CXL reads beside many of DRAM, the occupancy is that of both. */
static void mark_leak(struct view *view, size_t r)
{
	const size_t cxl = view->cxl_latency;
	struct value *value = cxl < SIZE_MAX ? &view->rows[r].values[cxl] : NULL;
	double dram_reads = 0;

	if (!value || isnan(value->number) || !(value->weight > 0))
		return;
	for (unsigned i = 0; i < 2; i++)
		if (view->ddr_latencies[i] < SIZE_MAX)
			dram_reads += view->rows[r].values[view->ddr_latencies[i]].weight;
	if (dram_reads * leak_ns(view, r, cxl) <= LEAK_SHARE * value->number * value->weight)
		return;
	value->scaled = value->raised = true;
	if (!view->leaks++) {
		view->first_leak = r;
		view->first_leak_reads = dram_reads / value->weight;
	}
}

/*
 * A number is counted by units, and may be divided by what the kernel says; or it is the kernel's.
 * Where no unit counts, the interval of the row is that of the kernel's.
 */
static void update_metrics(struct view *view, size_t r, const struct sample *sample,
			   struct count_times *times)
{
	struct row *row = &view->rows[r];
	const struct kernel_source *kernel = row->scope == SCOPE_SYSTEM && view->kernel.node_count
						     ? &view->kernel.machine
						     : row->kernel;
	double kernel_s = NAN, mbm_s = NAN;

	for (size_t c = 0; c < view_all_columns(view); c++) {
		const struct metric *metric = view->columns[c];
		struct value *value = &row->values[c];

		if (metric->program)
			continue;
		if (metric->kernel_stat) {
			kernel_sources_value(&view->kernel, kernel, metric, value);
			if (kernel)
				kernel_s = kernel_sources_interval_s(&view->kernel, kernel);
			continue;
		}
		if (metric->kind == METRIC_NUMBER)
			update_counted(view, r, c, sample, times);
		if (metric->share_of && kernel)
			divide_by_rate(view, &kernel->files, value);
		if (c == view->mbm_column && row->scope >= SCOPE_SOCKET) {
			mbm_sources_value(&view->kernel.mbm, row->socket, view->mbm_sockets, value);
			mbm_s = isnan(value->number) ? NAN : value->seconds;
		}
	}
	mark_leak(view, r);
	if (isinf(times->interval_s) && !(isnan(kernel_s) && isnan(mbm_s)))
		times->interval_s = isnan(kernel_s) ? mbm_s : kernel_s;
	/* these name others */
	for (size_t c = 0; c < view->column_count; c++)
		if (view->columns[c]->program)
			update_counted(view, r, c, sample, times);
	/* the source of a number can differ from sample to sample */
	for (size_t c = 0; c < view->column_count; c++)
		if (view->source_column[c] < view->column_count)
			row->values[c].text = row->values[view->source_column[c]].text;
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
		add_value_times(times, &own);
	}
	row->count = round(events);
	row->per_s = per_s;
}

void view_update(struct view *view, const struct sample *sample)
{
	view->marks.count = view->marks.more = 0;
	kernel_sources_read(&view->kernel, sample->wall_ns, &view->marks);
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

struct quotient view_alternative_quotient(const struct view *view, size_t row, size_t column,
					  unsigned a, const struct sample *sample)
{
	const struct result result =
		evaluate(view, row, column, a, view->rows[row].interval_s, sample);

	return (struct quotient){
		isnan(result.number) ? result.undivided : result.number * result.weight,
		result.weight > 0 ? result.weight : 0,
	};
}

double view_alternative_value(const struct view *view, size_t row, size_t column, unsigned a,
			      const struct sample *sample)
{
	return evaluate(view, row, column, a, view->rows[row].interval_s, sample).number;
}
