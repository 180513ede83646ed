/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the values of a view from the counts of a sample. Allocates and formats nothing. */
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "formula/value.h"
#include "view/counted.h"
#include "view/view.h"

/*
 * Difference up to which a value and its cross-check agree, and MB/s below which a single line
 * differs by more.
 */
#define MISMATCH	     0.10
#define CROSS_CHECK_MIN_MBPS 1.0
#define LINE_MB		     (64 / 1e6) /* the checks count lines */

static const struct alternative *alternatives_of(const struct view *view, size_t r, size_t c)
{
	return &view->alternatives[(r * table_all_columns(&view->table) + c) * ALTERNATIVES];
}

/*
 * Computes alternative a of a cell; inputs->items has room for its inputs. Returns true if it is
 * unknown because more was counted than a link can carry.
 */
static bool evaluate_alternative(const struct view *view, size_t r, size_t c, unsigned a,
				 const struct sample *sample, double link_rate,
				 struct inputs *inputs, struct count_times *times,
				 struct value *out)
{
	const struct alternative *e = &alternatives_of(view, r, c)[a];
	const bool implausible = counted_inputs(view, e, sample, link_rate, inputs, times);

	if (inputs->formula)
		inputs_name(inputs, view->table.rows[r].values, view->table.columns[c].named);
	value_compute(inputs, view->table.columns[c].metric->family.counter, out);
	return implausible;
}

static bool value_differs(double value, double check)
{
	return !isnan(value) && !isnan(check) && fmax(value, check) >= CROSS_CHECK_MIN_MBPS &&
	       fabs(value - check) > MISMATCH * fmax(value, check);
}

/* Counts a doubtful cell. Returns the doubts if it is the first, otherwise NULL. */
static struct doubts *find_doubts(struct doubts *doubts, size_t r, size_t c)
{
	if (doubts->count++)
		return NULL;
	doubts->row = r;
	doubts->column = c;
	return doubts;
}

/* Compares a cell with its cross-check from another source. */
static void compare_check(const struct view *view, struct doubts *doubts, size_t r, size_t c,
			  double check, const char *source)
{
	const struct value *shown = &view->table.rows[r].values[c];
	struct doubts *first =
		value_differs(shown->number, check) ? find_doubts(doubts, r, c) : NULL;

	if (!first)
		return;
	first->numbers[0] = shown->number;
	first->numbers[1] = check;
	first->sources[0] = shown->text;
	first->sources[1] = source;
}

/*
 * Returns true if some CXL device has counted no read at all, while its port, or the processor's
 * units that count the same traffic, counted more than 1 MB/s. A sum over ports has a device for
 * each.
 */
static bool device_has_no_counts(const struct view *view, const struct alternative *device,
				 const struct alternative *check, const struct sample *sample)
{
	const size_t ports = view_terms(view, check)->count;
	const size_t terms = device ? view_terms(view, device)->count : 0;

	if (!device || !device->formula->of_device || !ports || terms % ports)
		return false;
	/* terms per port: a sum of events may be counted event by event */
	const size_t parts = terms / ports;
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

#define WHOLE_PCT (100 + 1e-6) /* 100 % and a rounding error */

/*
 * Returns the bytes per second that the link of a row's device can carry in each direction; NAN:
 * unknown.
 */
static double link_rate_of(const struct view *view, const struct row *row)
{
	if (view->link_rate > 0)
		return view->link_rate;
	return device_source_rate(&view->sources.devices, place_is_of_port(&row->place)
								  ? view_counted(view, row)->subject
								  : SIZE_MAX);
}

/*
 * Hides a share of a link above 100 %: it is a share of requests, which are more than the link can
 * answer.
 */
static void check_share(const struct view *view, struct value *value)
{
	if (!(value->number <= WHOLE_PCT || view->link_rate > 0))
		*value = value_unknown;
}

/* Shows a value, and keeps the inputs from which it was computed. */
static void show_value(struct view *view, size_t r, size_t c, const struct value *value)
{
	struct inputs *kept = table_inputs(&view->table, r, c);
	struct input_value *items = kept->items;

	memcpy(items, value->inputs->items,
	       value->inputs->formula->program->input_count * sizeof(*items));
	*kept = *value->inputs;
	kept->items = items;
	view->table.rows[r].values[c] = *value;
	view->table.rows[r].values[c].inputs = kept;
}

/*
 * Returns true if a value replaces the unknown one that is shown. An unknown value with counts is
 * also kept, for longer intervals.
 */
static bool is_better(const struct value *value, const struct value *shown)
{
	return value->inputs &&
	       (!isnan(value->number) || !shown->inputs || !inputs_have_counts(shown->inputs));
}

/* Checks a cell's value with the value of another formula. */
static void check_value(struct view *view, size_t r, size_t c, const struct alternative *source,
			const struct alternative *check, double number, const struct sample *sample)
{
	struct value *shown = &view->table.rows[r].values[c];

	if (device_has_no_counts(view, source, check, sample)) {
		find_doubts(&view->noticed.without_counts, r, c);
		*shown = value_unknown;
	}
	if (check->formula->only_compared)
		compare_check(view, &view->noticed.dram, r, c, number, check->formula->source);
	else if (!view->table.columns[c].metric->share_of)
		compare_check(view, &view->noticed.mismatches, r, c, number,
			      check->formula->source);
}

static bool is_check(const struct formula *formula)
{
	return formula->cross_check || formula->compared || formula->only_compared;
}

static void fill_counted(struct view *view, size_t r, size_t c, const struct sample *sample,
			 struct count_times *times)
{
	const struct alternative *alternatives = alternatives_of(view, r, c);
	const double link_rate = link_rate_of(view, &view->table.rows[r]);
	struct value *shown = &view->table.rows[r].values[c];
	const struct alternative *source = NULL;

	*shown = value_unknown;
	for (unsigned a = 0; a < ALTERNATIVES; a++) {
		const struct formula *formula = alternatives[a].formula;
		struct input_value items[PROGRAM_INPUTS];
		struct count_times own = {.interval_s = INFINITY, .counted_pct = 100};
		struct inputs inputs = {.items = items};
		struct value value;

		if (!formula || (!isnan(shown->number) && !is_check(formula)))
			continue;
		if (evaluate_alternative(view, r, c, a, sample, link_rate, &inputs, &own, &value))
			find_doubts(&view->noticed.implausible, r, c);
		if (formula->one_class && value.number == 0)
			continue;
		if (is_check(formula))
			check_value(view, r, c, source, &alternatives[a], value.number, sample);
		if (formula->only_compared || !isnan(shown->number))
			continue;
		source = isnan(value.number) ? NULL : &alternatives[a];
		if (is_better(&value, shown))
			show_value(view, r, c, &value);
		count_times_merge(times, &own);
	}
	if (view->table.columns[c].metric->share_of)
		check_share(view, shown);
}

/* Data from which a row's cells are computed, and the times of its counts. */
struct filler {
	struct view *view;
	const struct sample *sample;
	struct count_times *times;
	double sources_s; /* shortest time of any source; NAN: none */
};

/*
 * Computes a cell from its source; if the source does not know it, the cell keeps the units'
 * counts.
 */
static void fill_from(struct filler *f, const struct source *source, size_t r, size_t c)
{
	struct table *table = &f->view->table;
	const struct source_cell cell = {.place = &table->rows[r].place,
					 .subject = f->view->counted[r].subject,
					 .sockets = f->view->sockets};
	struct inputs inputs = *table_inputs(table, r, c);

	f->sources_s = fmin(f->sources_s,
			    source->kind->inputs(source, &cell, table->columns[c].metric, &inputs));
	if (!inputs.formula)
		return;
	*table_inputs(table, r, c) = inputs;
	table_compute_cell(table, r, c);
}

static void fill_cell(void *filler, struct table *table, size_t r, size_t c)
{
	struct filler *f = filler;
	struct view *view = f->view;
	const struct metric *metric = table->columns[c].metric;
	const struct source *source = source_of_metric(&view->sources, metric);

	if (metric->kind == METRIC_NUMBER && metric_is_counted(metric))
		fill_counted(view, r, c, f->sample, f->times);
	else if (metric->kind == METRIC_NUMBER)
		table->rows[r].values[c] = value_unknown;
	if (source)
		fill_from(f, source, r, c);
	if (c == view->mbm_column)
		fill_from(f, &view->sources.resctrl.base, r, c);
}

static void note_leak(struct view *view, size_t r, double reads)
{
	struct doubts *first =
		reads > 0 ? find_doubts(&view->noticed.leaks, r, view->table.latencies[0]) : NULL;

	if (first)
		first->numbers[0] = reads;
}

/* Computes a row's metrics. If no unit counts, the interval of the row is its sources'. */
static void update_metrics(struct view *view, size_t r, const struct sample *sample,
			   struct count_times *times)
{
	struct filler filler = {.view = view, .sample = sample, .times = times, .sources_s = NAN};

	note_leak(view, r, table_compute(&view->table, r, fill_cell, &filler));
	if (isinf(times->interval_s) && !isnan(filler.sources_s))
		times->interval_s = filler.sources_s;
}

/* Computes a row of an event. The sum is unknown if a part of it is unknown. */
static void update_event(const struct view *view, struct row *row, const struct sample *sample,
			 struct count_times *times)
{
	const struct counted_row *from = view_counted(view, row);
	double events = 0, per_s = 0;
	bool scaled = false;

	row->count = NAN;
	row->per_s = NAN;
	if (from->lacks_unit)
		return;
	for (size_t t = 0; t < from->term_count; t++)
		if (!count_is_valid(&sample->counts[view->counters[from->first_term + t]]))
			return;
	for (size_t t = 0; t < from->term_count; t++) {
		const struct count *count = &sample->counts[view->counters[from->first_term + t]];
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
	view->table.marks.count = view->table.marks.more = 0;
	sources_update(&view->sources, sample, &view->table.marks);
	sources_tally(&view->sources, &view->table.tallies);
	for (size_t r = 0; r < view->table.row_count; r++) {
		struct row *row = &view->table.rows[r];
		struct count_times times = {.interval_s = INFINITY, .counted_pct = 100};

		if (row->event)
			update_event(view, row, sample, &times);
		else
			update_metrics(view, r, sample, &times);
		/* unknown if nothing in this row was counted */
		row->interval_s = isinf(times.interval_s) ? NAN : times.interval_s;
		row->counted_pct = isinf(times.interval_s) ? NAN : times.counted_pct;
	}
}

const struct formula *view_alternative(const struct view *view, size_t row, size_t column,
				       unsigned a)
{
	return alternatives_of(view, row, column)[a].formula;
}

/* Computes alternative a of a cell; out->items has room for its inputs. */
static void collect_alone(const struct view *view, size_t r, size_t c, unsigned a,
			  const struct sample *sample, struct inputs *out, struct value *value)
{
	struct count_times times = {.interval_s = INFINITY, .counted_pct = 100};

	evaluate_alternative(view, r, c, a, sample, link_rate_of(view, &view->table.rows[r]), out,
			     &times, value);
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
