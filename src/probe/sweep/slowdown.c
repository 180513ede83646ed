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

/* The growth of a kernel's stalls: more_in_cxl() and more_by_cost(). NAN: no run is known. */
struct growth {
	double more, by_cost;
};

/* Returns the mean of all runs of a kernel: a program differs from the model alike in each run. */
static struct growth mean_growth(const struct calibration_runs *all, enum calibration_kernel kernel,
				 unsigned chains)
{
	struct growth sum = {0, 0};
	double known = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct calibration_run *run = &all->runs[i];
		const double more = more_in_cxl(run), by_cost = more_by_cost(run);

		if (run->kernel != kernel || run->chains != chains || !isfinite(more) ||
		    !isfinite(by_cost))
			continue;
		sum.more += more;
		sum.by_cost += by_cost;
		known++;
	}
	return (struct growth){sum.more / known, sum.by_cost / known};
}

/* Checks the least growth of a kind of kernels; NAN: none is known. */
static int check_growth(enum calibration_kernel kernel, double least, struct error *err)
{
	const char *name = calibration_kernel_names[kernel];

	if (isnan(least))
		return error_set(err, ERROR_FAILED, -ENODATA,
				 "the calibration has no run of the %s whose counts are known in "
				 "DRAM and in CXL memory",
				 name);
	if (least <= 0)
		return error_set(err, ERROR_FAILED, -ERANGE,
				 "the calibration has a run of the %s that stalls no longer in CXL "
				 "memory than in DRAM: no slowdown follows from it",
				 name);
	return 0;
}

/* Sums over the chases: x is the growth of one, y the growth by cost. */
struct sums {
	size_t chases;
	double x, y, xx, xy, yy;
};

static int sum_chases(const struct calibration_runs *all, struct sums *s, struct error *err)
{
	double least = NAN;

	*s = (struct sums){.chases = 0};
	for (unsigned chains = 1; chains <= KERNEL_CHAINS_MOST; chains++) {
		const struct growth g = mean_growth(all, KERNEL_CHASE, chains);

		if (isnan(g.more))
			continue;
		s->chases++;
		s->x += g.more;
		s->y += g.by_cost;
		s->xx += g.more * g.more;
		s->xy += g.more * g.by_cost;
		s->yy += g.by_cost * g.by_cost;
		least = fmin(least, g.more);
	}
	return check_growth(KERNEL_CHASE, least, err);
}

/*
 * Fits the line for which x * (fixed + slope / read_cost) is closest to 1: x is as much too large
 * or too small as the kernel differs from the model. The slope is at least 0, because a program
 * cannot hide more than its work. C is 1 / fixed, and A is slope / fixed; their errors are those of
 * quotients, to the first order.
 */
static int fit_demand(const struct sums *s, struct slowdown_model *m, struct error *err)
{
	const double determinant = s->xx * s->yy - s->xy * s->xy;
	double fixed = (s->yy * s->x - s->xy * s->y) / determinant;
	double slope = (s->xx * s->y - s->xy * s->x) / determinant;

	if (determinant <= SINGULAR * s->xx * s->yy)
		return error_set(err, ERROR_FAILED, -ENODATA,
				 "the calibration has pointer chases at only one cost of reads: "
				 "several numbers of chains are needed");
	if (slope < 0) {
		fixed = s->x / s->xx;
		slope = 0;
	}
	if (!(fixed > 0))
		return error_set(err, ERROR_FAILED, -ERANGE,
				 "the calibration's pointer chase does not follow the model: "
				 "stalls of few chains grow too much compared with many chains");
	const double squares = fixed * fixed * s->xx + 2 * fixed * slope * s->xy +
			       slope * slope * s->yy - 2 * (fixed * s->x + slope * s->y);
	const double ratio = 1 / fixed, overlap = slope / fixed;
	m->kernels = s->chases + 2; /* with the stream and the stores */
	m->spread =
		sqrt(fmax(0, squares + (double)s->chases) / (double)(m->kernels - COEFFICIENTS));
	const double unit = m->spread * ratio / sqrt(determinant);
	m->demand_ratio = (struct estimate){ratio, unit * ratio * sqrt(s->yy)};
	m->overlap = (struct estimate){
		overlap, unit * sqrt(s->xx + 2 * overlap * s->xy + overlap * overlap * s->yy)};
	m->covariance = unit * unit * ratio * (s->xy + overlap * s->yy);
	return 0;
}

static bool streams_are_known(const struct calibration_runs *all)
{
	bool known = true;

	for (size_t i = 0; i < all->count; i++)
		known &= all->runs[i].kernel != KERNEL_STREAM ||
			 !isnan(all->runs[i].dram.prefetched);
	return known;
}

static void set_costs(struct slowdown_model *m, const struct calibration_runs *all)
{
	m->least_cost = INFINITY;
	m->most_cost = 0;
	for (size_t i = 0; i < all->count; i++) {
		const struct calibration_run *run = &all->runs[i];

		if (run->kernel != KERNEL_CHASE || !isfinite(more_by_cost(run)))
			continue;
		m->least_cost = fmin(m->least_cost, run->dram.read_cost);
		m->most_cost = fmax(m->most_cost, run->dram.read_cost);
	}
}

int slowdown_fit(const struct calibration_runs *all, struct slowdown_model *out, struct error *err)
{
	const double stream = mean_growth(all, KERNEL_STREAM, 1).more;
	const double stores = mean_growth(all, KERNEL_STORES, 1).more;
	struct sums chases;
	int rc = sum_chases(all, &chases, err);

	if (!rc)
		rc = check_growth(KERNEL_STREAM, stream, err);
	if (!rc)
		rc = check_growth(KERNEL_STORES, stores, err);
	if (!rc)
		rc = fit_demand(&chases, out, err);
	if (rc)
		return rc;
	if (out->kernels <= COEFFICIENTS)
		return error_set(err, ERROR_FAILED, -ENODATA,
				 "the calibration has a pointer chase with only %zu numbers of "
				 "chains: too few for the error of a prediction",
				 chases.chases);
	/* the error for one kernel is as large as programs differ */
	out->store_ratio = (struct estimate){stores, out->spread * stores};
	out->cache_ratio = (struct estimate){stream, out->spread * stream};
	if (!streams_are_known(all) && stream < out->demand_ratio.value)
		out->cache_ratio = out->demand_ratio;
	set_costs(out, all);
	return isfinite(out->spread + stream * stream + stores * stores)
		       ? 0
		       : error_set(err, ERROR_FAILED, -ERANGE,
				   "the calibration has stalls that grow without limit: its "
				   "counts cannot be right");
}

/* Prediction. */

static double percentile_of_t(size_t freedom)
{
	const size_t most = sizeof(student_t) / sizeof(*student_t) - 1;

	return student_t[freedom < most ? freedom : most];
}

static struct estimate demand_part(const struct slowdown_model *m, const struct stall_counts *p)
{
	const struct estimate *ratio = &m->demand_ratio, *overlap = &m->overlap;
	const double y = 1 / p->read_cost, waits = 1 + overlap->value * y;
	const double value = p->demand / p->cycles * ratio->value / waits;
	const double of_ratio = ratio->error / ratio->value, of_waits = overlap->error * y / waits;
	const double variance = of_ratio * of_ratio + of_waits * of_waits -
				2 * m->covariance * y / (ratio->value * waits);

	/* without reads they have no cost */
	if (p->demand == 0)
		return (struct estimate){0, 0};
	return (struct estimate){value, value * sqrt(variance < 0 ? 0 : variance)};
}

static struct estimate part_by_ratio(double waits, const struct estimate *ratio)
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
	return percentile_of_t(m->kernels - COEFFICIENTS) * hypot(m->spread * e->value, e->error);
}

/* Returns a part from one estimate to another; nothing is faster in CXL memory. */
static struct slowdown_part part_of(const struct slowdown_model *m, const struct estimate *low,
				    const struct estimate *high)
{
	const double below = low->value - half_width(m, low);

	return (struct slowdown_part){
		.value = (low->value + high->value) / 2,
		.low = below < 0 ? 0 : below,
		.high = high->value + half_width(m, high),
	};
}

struct slowdown slowdown_predict(const struct slowdown_model *m, const struct stall_counts *p)
{
	const double caches = p->cache / p->cycles;
	const bool known = !isnan(p->prefetched);
	const struct estimate demand = demand_part(m, p);
	const struct estimate store = part_by_ratio(p->store / p->cycles, &m->store_ratio);
	const struct estimate least =
		part_by_ratio(caches * (known ? p->prefetched : 0), &m->cache_ratio);
	const struct estimate most =
		part_by_ratio(caches * (known ? p->prefetched : 1), &m->cache_ratio);
	const struct estimate low = sum_of(&demand, &least, &store);
	const struct estimate high = sum_of(&demand, &most, &store);

	return (struct slowdown){
		.demand = part_of(m, &demand, &demand),
		.cache = part_of(m, &least, &most),
		.store = part_of(m, &store, &store),
		.total = part_of(m, &low, &high),
	};
}

struct slowdown_part slowdown_at(const struct slowdown_part *part, double share, double base)
{
	return (struct slowdown_part){
		.value = base + share * part->value,
		.low = base + share * part->low,
		.high = base + share * part->high,
	};
}
