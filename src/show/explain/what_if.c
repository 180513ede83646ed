/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/explain/what_if.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOSTLY_CXL 0.5 /* part of the traffic: the program's memory is not in DRAM any more */
#define TOO_LONG   1e9 /* times as long: no memory is that slow */

const char *const waited_metrics[WAITED_METRICS] = {
	[WAITED_DEMAND] = "demand_stall_pct",	  [WAITED_CACHE] = "cache_stall_pct",
	[WAITED_STORE] = "store_stall_pct",	  [WAITED_READ_COST] = "read_cost_cycles",
	[WAITED_PREFETCHED] = "prefetched_pct",	  [MOVED_CXL_READ] = "cxl_mem_read_MBps",
	[MOVED_CXL_WRITE] = "cxl_mem_write_MBps", [MOVED_DRAM_READ] = "dram_read_MBps",
	[MOVED_DRAM_WRITE] = "dram_write_MBps",
};

const double predicted_shares[PREDICTED_SHARES] = {0.1, 0.25, 0.5, 0.75, 1};

/* Samples. */

void what_if_init(struct what_if_samples *samples, const struct table *table)
{
	*samples = (struct what_if_samples){.table = table, .row = table_system_row(table)};
	for (enum waited w = 0; w < WAITED_METRICS; w++) {
		samples->columns[w] = table_find(table, waited_metrics[w]);
		samples->sums[w].last = NAN;
	}
}

void what_if_free(struct what_if_samples *samples)
{
	for (enum waited w = 0; w < WAITED_METRICS; w++)
		value_sum_free(&samples->sums[w]);
}

static bool is_measured(const struct what_if_samples *s, enum waited w)
{
	return s->columns[w] != SIZE_MAX && s->row != SIZE_MAX;
}

/*
 * Returns whether a metric is needed. Without reads, their cost is not; recordings may be older
 * than the metric of prefetches.
 */
static bool is_needed(enum waited w, double demand)
{
	return w != WAITED_PREFETCHED && (w != WAITED_READ_COST || demand != 0);
}

/* Returns whether the table's present sample has all that is needed. */
static bool is_known(const struct what_if_samples *s)
{
	bool known = is_measured(s, WAITED_DEMAND);

	for (enum waited w = 0; known && w < WAITED_KINDS; w++) {
		const struct value *values = s->table->rows[s->row].values;

		known = !is_needed(w, values[s->columns[WAITED_DEMAND]].number) ||
			(is_measured(s, w) && !isnan(values[s->columns[w]].number));
	}
	return known;
}

void what_if_add(struct what_if_samples *s)
{
	s->count++;
	s->known += is_known(s);
	for (enum waited w = 0; w < WAITED_METRICS; w++)
		if (is_measured(s, w) &&
		    value_sum_add(&s->sums[w], &s->table->rows[s->row].values[s->columns[w]]))
			s->failed = true;
}

/* Prediction. */

static struct value value_of(struct what_if_samples *s, enum waited w)
{
	struct value value = value_unknown;

	if (is_measured(s, w))
		value_sum_compute(&s->sums[w],
				  s->table->columns[s->columns[w]].metric->family.counter, NULL,
				  NULL, &value);
	return value;
}

/* Reports an unknown metric. A recording does not say whether its machine could have counted it. */
static int not_known(const struct what_if_samples *s, enum waited w, struct error *err)
{
	if (is_measured(s, w) && s->table->columns[s->columns[w]].never_known)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "no prediction is possible, because this machine does not count "
				 "%s; cxlmon list stall shows what it needs",
				 waited_metrics[w]);
	return error_set(err, ERROR_FAILED, -ENODATA,
			 "%s is needed, but unknown in all samples: measure for longer; cxlmon "
			 "list stall shows what it needs",
			 waited_metrics[w]);
}

/* Checks that a prediction can be made. */
static int check_prediction(const struct what_if_samples *s, const struct what_if_result *p,
			    struct error *err)
{
	if (s->failed)
		return error_no_memory(err);
	if (!is_measured(s, WAITED_DEMAND))
		return error_set(
			err, ERROR_FAILED, -ENODATA,
			"stall cycles of CPUs were not measured: sudo cxlmon record -m " WHAT_IF_METRICS
			" FILE while the program runs");
	for (enum waited w = 0; w < WAITED_KINDS; w++)
		if (isnan(p->metrics[w]) && is_needed(w, p->metrics[WAITED_DEMAND]))
			return not_known(s, w, err);
	if (p->cxl_share > MOSTLY_CXL)
		return error_set(err, ERROR_FAILED, -ERANGE,
				 "%.0f %% of the traffic was already CXL memory's, but a "
				 "prediction needs a program with its memory in DRAM: measure it "
				 "there (numactl --membind=NODES of DRAM)",
				 100 * p->cxl_share);
	if (!(p->all.total.high < TOO_LONG))
		return error_set(err, ERROR_FAILED, -ERANGE,
				 "the prediction grows without limit: the counts or the "
				 "calibration cannot be right");
	return 0;
}

/*
 * Returns at least 0: counters are not read at the same moment, so their difference may be a little
 * below 0.
 */
static double at_least_0(double percent)
{
	return percent < 0 ? 0 : percent;
}

static void compare_processors(const struct what_if_result *p)
{
	const struct what_if *w = p->calibration;

	if (strcmp(p->processor, w->processor) != 0)
		log_write(w->log, LEVEL_WARNING, "the samples are of %s, but %s of %s",
			  p->processor, w->file, w->processor);
}

int what_if_predict(struct what_if_samples *samples, const struct what_if *calibration,
		    const struct recording_info *info, struct what_if_result *out,
		    struct error *err)
{
	*out = (struct what_if_result){.calibration = calibration, .samples = samples};
	recorded_processor(info, out->processor);
	double *const m = out->metrics;
	for (enum waited w = 0; w < WAITED_METRICS; w++) {
		const struct value value = value_of(samples, w);

		m[w] = value.number;
		out->scaled |= w < WAITED_KINDS && value.scaled;
	}
	const double cxl = m[MOVED_CXL_READ] + m[MOVED_CXL_WRITE];
	out->cxl_share = cxl / (cxl + m[MOVED_DRAM_READ] + m[MOVED_DRAM_WRITE]);
	const struct stall_counts program = {
		.work = NAN,
		.cycles = 100,
		.demand = at_least_0(m[WAITED_DEMAND]),
		.cache = at_least_0(m[WAITED_CACHE]),
		.store = at_least_0(m[WAITED_STORE]),
		.read_cost = m[WAITED_READ_COST],
		.prefetched = m[WAITED_PREFETCHED] / 100,
	};
	out->all = slowdown_predict(&calibration->model, &program);
	if (check_prediction(samples, out, err))
		return err->code;
	compare_processors(out);
	return 0;
}
