/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/explain/what_if.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOSTLY_CXL 0.5 /* part of the traffic: the program's memory is not in DRAM any more */
#define TOO_LONG   1e9 /* times as long: no memory is that slow */

static const char *metric_name(size_t metric)
{
	switch (metric) {
	case MOVED_CXL_READ:
		return "cxl_mem_read_MBps";
	case MOVED_CXL_WRITE:
		return "cxl_mem_write_MBps";
	case MOVED_DRAM_READ:
		return "dram_read_MBps";
	case MOVED_DRAM_WRITE:
		return "dram_write_MBps";
	default:
		return stall_metrics[metric];
	}
}

const double predicted_shares[PREDICTED_SHARES] = {0.1, 0.25, 0.5, 0.75, 1};

/* Samples. */

void what_if_init(struct what_if_samples *samples, const struct table *table)
{
	*samples = (struct what_if_samples){.table = table, .row = table_system_row(table)};
	for (size_t w = 0; w < WHAT_IF_VALUES; w++) {
		samples->columns[w] = table_find(table, metric_name(w));
		samples->sums[w].last = NAN;
	}
}

void what_if_free(struct what_if_samples *samples)
{
	for (size_t w = 0; w < WHAT_IF_VALUES; w++)
		value_sum_free(&samples->sums[w]);
}

static bool is_measured(const struct what_if_samples *s, size_t w)
{
	return s->columns[w] != SIZE_MAX && s->row != SIZE_MAX;
}

/* Returns a metric's value in the table's present sample. */
static const struct value *present_value(const struct what_if_samples *s, size_t w)
{
	return is_measured(s, w) ? &s->table->rows[s->row].values[s->columns[w]] : &value_unknown;
}

/*
 * Returns whether a metric is needed. Without reads, their cost is not; recordings may be older
 * than the metric of prefetches.
 */
static bool is_needed(size_t w, double demand)
{
	return w != STALL_PREFETCHED && (w != STALL_READ_COST || demand != 0);
}

/* Returns whether the table's present sample has all that is needed. */
static bool is_known(const struct what_if_samples *s)
{
	bool known = true;

	for (size_t w = 0; w < STALL_METRICS; w++)
		known &= !is_needed(w, present_value(s, STALL_DEMAND)->number) ||
			 !isnan(present_value(s, w)->number);
	return known;
}

void what_if_add(struct what_if_samples *s)
{
	s->count++;
	s->known += is_known(s);
	for (size_t w = 0; w < WHAT_IF_VALUES; w++)
		if (is_measured(s, w) && value_sum_add(&s->sums[w], present_value(s, w)))
			s->failed = true;
}

/* Prediction. */

static struct value value_of(struct what_if_samples *s, size_t w)
{
	struct value value = value_unknown;

	if (is_measured(s, w))
		value_sum_compute(&s->sums[w],
				  s->table->columns[s->columns[w]].metric->family.counter, NULL,
				  NULL, &value);
	return value;
}

/* Reports an unknown metric. A recording does not say whether its machine could have counted it. */
static int not_known(const struct what_if_samples *s, size_t w, struct error *err)
{
	if (is_measured(s, w) && s->table->columns[s->columns[w]].never_known)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "no prediction is possible, because this machine does not count "
				 "%s; cxlmon list stall shows what it needs",
				 metric_name(w));
	return error_set(err, ERROR_FAILED, -ENODATA,
			 "%s is needed, but unknown in all samples: measure for longer; cxlmon "
			 "list stall shows what it needs",
			 metric_name(w));
}

/* Checks that a prediction can be made. */
static int check_prediction(const struct what_if_samples *s, const struct what_if_result *p,
			    struct error *err)
{
	if (s->failed)
		return error_no_memory(err);
	if (!is_measured(s, STALL_DEMAND))
		return error_set(
			err, ERROR_FAILED, -ENODATA,
			"stall cycles of CPUs were not measured: sudo cxlmon record -m " WHAT_IF_METRICS
			" FILE while the program runs");
	for (size_t w = 0; w < STALL_METRICS; w++)
		if (isnan(p->metrics[w]) && is_needed(w, p->metrics[STALL_DEMAND]))
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
	for (size_t w = 0; w < WHAT_IF_VALUES; w++) {
		const struct value value = value_of(samples, w);

		m[w] = value.number;
		out->scaled |= w < STALL_METRICS && value.scaled;
	}
	const double cxl = m[MOVED_CXL_READ] + m[MOVED_CXL_WRITE];
	out->cxl_share = cxl / (cxl + m[MOVED_DRAM_READ] + m[MOVED_DRAM_WRITE]);
	/* percentages become counts in 100 clocks */
	const struct stall_counts program = stall_counts_of(m, 100);
	out->all = slowdown_predict(&calibration->model, &program);
	if (check_prediction(samples, out, err))
		return err->code;
	compare_processors(out);
	return 0;
}
