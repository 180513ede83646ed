/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the values of a view from the counts of a sample. Allocates and formats nothing. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "formula/value.h"
#include "view/counted.h"
#include "view/region_sources.h"
#include "view/view.h"

/* A value and its cross-check may differ by this part; below 1 MB/s a single line is more. */
#define MISMATCH	     0.10
#define CROSS_CHECK_MIN_MBPS 1.0
#define LINE_MB		     (64 / 1e6) /* what checks count are lines */

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
	const bool implausible = counted_inputs(view, e, sample, link_rate, inputs);

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
		const struct count *other = counted_term(view, check, 0, t, sample);
		bool counts_nothing =
			count_is_valid(other) && count_rate(other) * LINE_MB > CROSS_CHECK_MIN_MBPS;

		for (size_t part = t * parts; counts_nothing && part < (t + 1) * parts; part++) {
			const struct count *count = counted_term(view, device, 0, part, sample);

			counts_nothing = count_is_valid(count) && !count->events;
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
		counted_add_times(view, &alternatives[a], sample, times, &scaled);
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

/* Columns of groups of tasks. Returns the seconds that they are of; NAN: there are none. */
static double update_group_columns(struct view *view, size_t r)
{
	const struct row *row = &view->rows[r];
	double seconds = NAN;

	for (size_t c = 0; row->group && c < view_all_columns(view); c++) {
		const struct metric *metric = view->columns[c];
		struct inputs *inputs = &view->inputs[r * view_all_columns(view) + c];

		if (!metric->of_groups || metric->kind != METRIC_NUMBER)
			continue;
		row->values[c] = value_unknown;
		if (!group_sources_inputs(&view->kernel.groups, row->group_index, inputs))
			continue;
		value_compute(inputs, false, &row->values[c]);
		seconds = inputs->items[0].ns / NS_PER_S;
	}
	return seconds;
}

/* Whether units count the column, by a formula of the processor or of a CXL device. */
static bool is_of_units(const struct metric *metric)
{
	return metric->kind == METRIC_NUMBER && !metric->kernel_stat && !metric->region &&
	       !metric->of_groups && !metric->program;
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
	const double cache_s =
		fmin(fmin(update_mbm_column(view, r), update_region_columns(view, r)),
		     update_group_columns(view, r));
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
		if (!count_is_valid(&sample->counts[view->counters[row->first_term + t]]))
			return;
	for (size_t t = 0; t < row->term_count; t++) {
		const struct count *count = &sample->counts[view->counters[row->first_term + t]];
		struct count_times own = {.interval_s = INFINITY, .counted_pct = 100};

		count_times_add(&own, count, &scaled);
		events += count_rate(count) * own.interval_s;
		per_s += count_rate(count);
		count_times_merge(times, &own);
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
