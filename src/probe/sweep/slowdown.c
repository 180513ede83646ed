/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/sweep/slowdown.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>

#define COEFFICIENTS 4
#define SINGULAR     1e-9 /* limit of a determinant: all reads cost the same, except for rounding */

/*
 * The 95th percentile of Student's t by degrees of freedom: NIST/SEMATECH e-Handbook of Statistical
 * Methods, 1.3.6.7.2. For more degrees it is less, by at most 3 %.
 */
static const double student_t[] = {
	INFINITY, 6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812,
	1.796,	  1.782, 1.771, 1.761, 1.753, 1.746, 1.740, 1.734, 1.729, 1.725, 1.721,
	1.717,	  1.714, 1.711, 1.708, 1.706, 1.703, 1.701, 1.699, 1.697,
};

static const char *const kernel_names[CALIBRATION_KERNELS] = {
	[KERNEL_CHASE] = "the chase",
	[KERNEL_STREAM] = "the stream",
	[KERNEL_STORES] = "the stores",
};

/* Fit. */

/*
 * Returns the additional stall clocks of a kernel in CXL memory, as a share of those in DRAM; only
 * in the part that the kernel is for.
 */
static double more_in_cxl(const struct calibration_run *run)
{
	const struct stall_counts *dram = &run->dram, *cxl = &run->cxl;
	const double same_work = dram->work / cxl->work;

	if (run->kernel == KERNEL_CHASE)
		return cxl->demand * same_work / dram->demand - 1;
	if (run->kernel == KERNEL_STORES)
		return cxl->store * same_work / dram->store - 1;
	const double prefetched = isnan(dram->prefetched) ? 1 : dram->prefetched;
	return (cxl->cache * same_work / dram->cache - 1) / prefetched;
}

/* Returns more_in_cxl() divided by the cost of a read for a chase, else 0. */
static double more_by_cost(const struct calibration_run *run)
{
	return run->kernel == KERNEL_CHASE ? more_in_cxl(run) / run->dram.read_cost : 0;
}

/*
 * Sums over the kernels of a kind, of which chases are several. .least: the least additional share.
 */
struct sums {
	size_t kernels;
	double x, y, xx, xy, yy, least;
};

/* Adds the mean of all runs of a kernel: a program differs from the model alike in each run. */
static void add_kernel(struct sums *sums, const struct calibration_run *runs, size_t count,
		       enum calibration_kernel kernel, unsigned chains)
{
	double x = 0, y = 0;
	size_t known = 0;

	for (size_t i = 0; i < count; i++) {
		const double more = more_in_cxl(&runs[i]), by_cost = more_by_cost(&runs[i]);

		if (runs[i].kernel != kernel || runs[i].chains != chains || !isfinite(more) ||
		    !isfinite(by_cost))
			continue;
		x += more;
		y += by_cost;
		known++;
	}
	if (!known)
		return;
	x /= (double)known;
	y /= (double)known;
	sums->kernels++;
	sums->x += x;
	sums->y += y;
	sums->xx += x * x;
	sums->xy += x * y;
	sums->yy += y * y;
	sums->least = fmin(sums->least, x);
}

static int sum_up(const struct calibration_run *runs, size_t count, enum calibration_kernel kernel,
		  struct sums *out, struct error *err)
{
	*out = (struct sums){.least = INFINITY};
	for (unsigned chains = 1; chains <= KERNEL_CHAINS_MOST; chains++)
		add_kernel(out, runs, count, kernel, chains);
	if (!out->kernels)
		return error_set(err, ERROR_FAILED, -ENODATA,
				 "the calibration has no run of %s whose counts are known in DRAM "
				 "and in CXL memory",
				 kernel_names[kernel]);
	if (out->least <= 0)
		return error_set(err, ERROR_FAILED, -ERANGE,
				 "the calibration has a run of %s that stalls no longer in CXL "
				 "memory than in DRAM: no slowdown follows from it",
				 kernel_names[kernel]);
	return 0;
}

/*
 * Fits the line for which x * (fixed + slope / read_cost) is closest to 1: x is as much too large
 * or too small as the kernel differs from the model. The slope is at least 0, because a program
 * cannot hide more than its work.
 */
static int fit_line(const struct sums *s, struct slowdown_model *m, struct error *err)
{
	const double determinant = s->xx * s->yy - s->xy * s->xy;

	if (determinant <= SINGULAR * s->xx * s->yy)
		return error_set(err, ERROR_FAILED, -ENODATA,
				 "the calibration has pointer chases at only one cost of reads: "
				 "several numbers of chains are needed");
	m->fixed = (s->yy * s->x - s->xy * s->y) / determinant;
	m->slope = (s->xx * s->y - s->xy * s->x) / determinant;
	m->fixed_variance = s->yy / determinant;
	m->slope_variance = s->xx / determinant;
	m->covariance = -s->xy / determinant;
	if (m->slope < 0) {
		m->fixed = s->x / s->xx;
		m->slope = 0;
	}
	return m->fixed > 0 ? 0
			    : error_set(err, ERROR_FAILED, -ERANGE,
					"the calibration's pointer chase does not follow the "
					"model: stalls of few chains grow too much compared with "
					"many chains");
}

/* Returns the sum of squared differences between kernels and the line; 0 or more. */
static double squares_of_line(const struct sums *s, const struct slowdown_model *m)
{
	const double squares = m->fixed * m->fixed * s->xx + 2 * m->fixed * m->slope * s->xy +
			       m->slope * m->slope * s->yy;

	return fmax(0, squares - 2 * (m->fixed * s->x + m->slope * s->y) + (double)s->kernels);
}

static bool streams_are_known(const struct calibration_run *runs, size_t count)
{
	bool known = true;

	for (size_t i = 0; i < count; i++)
		known &= runs[i].kernel != KERNEL_STREAM || !isnan(runs[i].dram.prefetched);
	return known;
}

/*
 * Sets the coefficients. Errors are those of quotients, to the first order; the error for one
 * kernel is as large as programs differ.
 */
static void set_coefficients(struct slowdown_model *m, double stream, double stores,
			     bool streams_known)
{
	const double overlap = m->slope / m->fixed;
	const double variance = m->slope_variance - 2 * overlap * m->covariance +
				overlap * overlap * m->fixed_variance;

	m->demand_ratio = (struct coefficient){1 / m->fixed, m->spread * sqrt(m->fixed_variance) /
								     (m->fixed * m->fixed)};
	m->overlap = (struct coefficient){overlap, m->spread * sqrt(variance) / m->fixed};
	m->store_ratio = (struct coefficient){stores, m->spread * stores};
	m->cache_ratio = (struct coefficient){stream, m->spread * stream};
	if (!streams_known && stream < m->demand_ratio.value)
		m->cache_ratio = m->demand_ratio;
}

static void set_costs(struct slowdown_model *m, const struct calibration_run *runs, size_t count)
{
	m->least_cost = INFINITY;
	m->most_cost = 0;
	for (size_t i = 0; i < count; i++) {
		if (runs[i].kernel != KERNEL_CHASE || !isfinite(more_by_cost(&runs[i])))
			continue;
		m->least_cost = fmin(m->least_cost, runs[i].dram.read_cost);
		m->most_cost = fmax(m->most_cost, runs[i].dram.read_cost);
	}
}

int slowdown_fit(const struct calibration_run *runs, size_t count, struct slowdown_model *out,
		 struct error *err)
{
	struct sums chase, stream, stores;
	int rc = sum_up(runs, count, KERNEL_CHASE, &chase, err);

	*out = (struct slowdown_model){.kernels = 0};
	if (!rc)
		rc = sum_up(runs, count, KERNEL_STREAM, &stream, err);
	if (!rc)
		rc = sum_up(runs, count, KERNEL_STORES, &stores, err);
	if (!rc)
		rc = fit_line(&chase, out, err);
	if (rc)
		return rc;
	out->kernels = chase.kernels + stream.kernels + stores.kernels;
	if (out->kernels <= COEFFICIENTS)
		return error_set(err, ERROR_FAILED, -ENODATA,
				 "the calibration has a pointer chase with only %zu numbers of "
				 "chains: too few for the error of a prediction",
				 chase.kernels);
	out->freedom = (unsigned)(out->kernels - COEFFICIENTS);
	out->spread = sqrt(squares_of_line(&chase, out) / out->freedom);
	set_coefficients(out, stream.x, stores.x, streams_are_known(runs, count));
	set_costs(out, runs, count);
	return isfinite(out->spread + stream.xx + stores.xx)
		       ? 0
		       : error_set(err, ERROR_FAILED, -ERANGE,
				   "the calibration has stalls that grow without limit: its "
				   "counts cannot be right");
}

/* Prediction. */

static double percentile_of_t(unsigned freedom)
{
	const unsigned most = sizeof(student_t) / sizeof(*student_t) - 1;

	return student_t[freedom < most ? freedom : most];
}

/* A part, with its standard error from the coefficients. */
struct estimate {
	double value, error;
};

static struct estimate demand_part(const struct slowdown_model *m, const struct stall_counts *p,
				   double share)
{
	const double y = 1 / p->read_cost, waits = m->fixed + m->slope * y;
	const double value = share * p->demand / p->cycles / waits;
	const double variance =
		m->fixed_variance + 2 * m->covariance * y + m->slope_variance * y * y;

	/* without reads they have no cost */
	if (p->demand == 0)
		return (struct estimate){0, 0};
	return (struct estimate){value, value / waits * m->spread * sqrt(variance)};
}

static struct estimate part_by_ratio(double waits, const struct coefficient *ratio)
{
	return (struct estimate){waits * ratio->value, waits * ratio->error};
}

static struct estimate sum_of(const struct estimate *a, const struct estimate *b,
			      const struct estimate *c)
{
	return (struct estimate){a->value + b->value + c->value,
				 hypot(hypot(a->error, b->error), c->error)};
}

/* Returns half of the interval: all parts of a program differ from the model by the same share. */
static double half_width(const struct slowdown_model *m, const struct estimate *e)
{
	return percentile_of_t(m->freedom) * hypot(m->spread * e->value, e->error);
}

/* Returns a part from one estimate to another; nothing is faster in CXL memory. */
static struct slowdown_part part_of(const struct slowdown_model *m, double base,
				    const struct estimate *low, const struct estimate *high)
{
	const double below = low->value - half_width(m, low);

	return (struct slowdown_part){
		.value = base + (low->value + high->value) / 2,
		.low = base + (below < 0 ? 0 : below),
		.high = base + high->value + half_width(m, high),
	};
}

void slowdown_predict(const struct slowdown_model *m, const struct stall_counts *p, double share,
		      struct slowdown *out)
{
	const double caches = share * p->cache / p->cycles;
	const bool known = !isnan(p->prefetched);
	const struct estimate demand = demand_part(m, p, share);
	const struct estimate store = part_by_ratio(share * p->store / p->cycles, &m->store_ratio);
	const struct estimate least =
		part_by_ratio(caches * (known ? p->prefetched : 0), &m->cache_ratio);
	const struct estimate most =
		part_by_ratio(caches * (known ? p->prefetched : 1), &m->cache_ratio);
	const struct estimate low = sum_of(&demand, &least, &store);
	const struct estimate high = sum_of(&demand, &most, &store);

	*out = (struct slowdown){
		.demand = part_of(m, 0, &demand, &demand),
		.cache = part_of(m, 0, &least, &most),
		.store = part_of(m, 0, &store, &store),
		.total = part_of(m, 1, &low, &high),
	};
}
