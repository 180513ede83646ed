/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Share of pairs of series of the same noise that are judged different, at most 5 % for each noise
 * and length, and the share of detected shifts. FALSE_ALARMS=full takes more lengths and pairs, and
 * prints the tables.
 */
#include <math.h>

#include "noise.h"
#include "show/compare/compare_private.h"
#include "unit.h"

#define MOST	3000
#define LENGTHS 12
#define SERIES	4000
#define SHIFTS	4 /* number of series that each series is compared with */
#define ALLOWED 0.05

#define AUTOREGRESSIVE 4 /* number of autoregressive noises, after the first noise */

static const struct noise noises[] = {
	{.name = "white"},
	{.name = "AR(0.5)", .carried = 0.5},
	{.name = "AR(0.9)", .carried = 0.9},
	{.name = "AR(0.95)", .carried = 0.95},
	{.name = "AR(0.99)", .carried = 0.99},
	{.name = "1/f", .carried = -1},
	{.name = "on 20 off 20", .on = 20, .off = 20},
	{.name = "on 50 off 50", .on = 50, .off = 50},
	{.name = "on 10 off 50", .on = 10, .off = 50},
	{.name = "on 20 off 40", .on = 20, .off = 40},
	{.name = "on 1 off 50", .on = 1.01, .off = 50},
	{.name = "constant", .constant = true},
	{.name = "sine of 3", .period = 3},
	{.name = "sine of 7", .period = 7},
	{.name = "sine of 20", .period = 20},
	{.name = "sine of 60", .period = 60},
	{.name = "square of 10", .period = 10, .square = true},
	{.name = "square of 40", .period = 40, .square = true},
};

struct extent {
	size_t series;
	size_t lengths[LENGTHS]; /* 0: the end */
};

#ifdef __SANITIZE_ADDRESS__ /* the sanitizer checks accesses, not shares, and is slow */
static const struct extent few = {2000, {20, 100}};
#else
static const struct extent few = {2000, {30, 40, 60, 100, 300, 600}};
#endif
static const struct extent full = {SERIES,
				   {30, 40, 60, 80, 100, 150, 200, 300, 400, 600, 1000, 3000}};

static bool is_full(void)
{
	const char *wanted = getenv("FALSE_ALARMS");

	return wanted && !strcmp(wanted, "full");
}

static const struct extent *extent(void)
{
	return is_full() ? &full : &few;
}

/*
 * Estimates by length, for one noise and another. They are not static, because a search for leaks
 * would read all of them.
 */
typedef struct mean_estimate estimates_of_lengths[LENGTHS][SERIES];
static estimates_of_lengths *estimates;

static void set_up(void)
{
	estimates = calloc(2, sizeof(*estimates));
	at_end(free, estimates);
}

FIXTURE(set_up, NULL)

static void draw(const struct noise *noise, uint64_t *state, size_t length,
		 struct mean_estimate *out)
{
	static double values[MOST], times[MOST];

	for (size_t i = 0; i < length; i++)
		times[i] = (double)i + 1;
	for (size_t i = 0; i < extent()->series; i++) {
		noise_fill(noise, state, values, length);
		out[i] = mean_estimate_make(values, times, length);
	}
}

struct alarms {
	double judged, differ; /* shares, of all pairs */
};

/* Compares pairs, one series of which is shifted. */
static struct alarms compare_pairs(const struct mean_estimate *a, const struct mean_estimate *b,
				   double shift)
{
	const size_t series = extent()->series;
	size_t judged = 0, differ = 0;

	for (size_t k = 1; k <= SHIFTS; k++)
		for (size_t i = 0; i < series; i++) {
			struct mean_estimate other = b[(i + k * 37) % series];
			double needed_s;

			other.mean += shift;
			const double p = mean_test(&a[i], &other, &needed_s);

			judged += !isnan(p);
			differ += p < TEST_LEVEL;
		}
	return (struct alarms){(double)judged / (double)(SHIFTS * series),
			       (double)differ / (double)(SHIFTS * series)};
}

static size_t count_lengths(void)
{
	size_t count = 0;

	while (count < LENGTHS && extent()->lengths[count])
		count++;
	return count;
}

/*
 * Checks pairs of every length with series of the second noise, of every length or up to the same.
 */
static void check_pairs(const struct noise *first, const struct noise *second)
{
	const size_t *lengths = extent()->lengths, count = count_lengths();
	const bool same = first == second;
	const struct noise *const both[] = {first, second};
	uint64_t state = 88172645463325252;

	for (size_t n = 0; n < (same ? 1 : 2); n++)
		for (size_t i = 0; i < count; i++)
			draw(both[n], &state, lengths[i], estimates[n][i]);
	if (is_full())
		printf("%s beside %s: %% judged different (of which can be judged)\n", first->name,
		       second->name);
	for (size_t a = 0; a < count; a++) {
		for (size_t b = 0; b < (same ? a + 1 : count); b++) {
			const struct alarms tally =
				compare_pairs(estimates[0][a], estimates[!same][b], 0);

			if (is_full())
				printf(" %zu/%zu %.1f (%.0f)", lengths[a], lengths[b],
				       100 * tally.differ, 100 * tally.judged);
			ck_assert_msg(tally.differ <= ALLOWED, "%s beside %s: %g of %zu beside %zu",
				      first->name, second->name, tally.differ, lengths[a],
				      lengths[b]);
		}
		if (is_full())
			puts("");
	}
	fflush(stdout);
}

TEST_LOOP(test_of_pairs_alike_one_in_twenty_is_judged_different, (int)COUNT_OF(noises))
{
	check_pairs(&noises[_i], &noises[_i]);
}

TEST_RANGE(test_of_white_noise_beside_correlated_noise_one_in_twenty_is_judged_different, 1,
	   AUTOREGRESSIVE + 1)
{
	check_pairs(&noises[0], &noises[_i]);
}

/* Shifts by a number of standard deviations of a sample. */
static const struct {
	struct noise noise;
	size_t length;
	double shift;
	double judged, found; /* lowest shares */
} shifts[] = {
	{{.carried = 0.9}, 1000, 1, 0.8, 0.8},
	/* Welch's test finds 79 % of the shifts in white noise */
	{{.carried = 0}, 40, 0.63, 0.9, 0.6},
	{{.carried = 0}, 60, 0.51, 0.9, 0.6},
	{{.carried = 0}, 100, 0.396, 0.9, 0.6},
	{{.carried = 0}, 1000, 0.1252, 0.9, 0.6},
	{{.carried = 0.5}, 300, 0.5, 0.9, 0.8},
	{{.on = 20, .off = 20}, 600, 0.5, 0.6, 0.6},
};

TEST_LOOP(test_a_shift_is_found, (int)COUNT_OF(shifts))
{
	uint64_t state = 1;

	draw(&shifts[_i].noise, &state, shifts[_i].length, estimates[0][0]);
	const struct alarms tally =
		compare_pairs(estimates[0][0], estimates[0][0], shifts[_i].shift);

	if (is_full())
		printf("%g on %g, %zu samples, shifted by %g: %.1f %% found, %.1f %% judged\n",
		       shifts[_i].noise.carried, shifts[_i].noise.on, shifts[_i].length,
		       shifts[_i].shift, 100 * tally.differ, 100 * tally.judged);
	fflush(stdout);
	ck_assert_double_ge(tally.judged, shifts[_i].judged);
	ck_assert_double_ge(tally.differ, shifts[_i].found);
}

#define ROWS 50 /* rows compared together */

/* Values with at most a tenth of noise, and values twice as large with twice as much noise. */
TEST_LOOP(test_a_plain_doubling_differs, (int)COUNT_OF(noises))
{
	static double values[MOST], doubled[MOST], times[MOST];
	uint64_t state = 1;

	for (size_t length = MEAN_LEAST_CONSTANT; length <= 600; length *= 2) {
		size_t judged = 0, differ = 0;

		for (unsigned i = 0; i < 300; i++) {
			double needed_s;

			noise_fill(&noises[_i], &state, values, length);
			noise_fill(&noises[_i], &state, doubled, length);
			for (size_t k = 0; k < length; k++) {
				times[k] = (double)k + 1;
				values[k] += 40;
				doubled[k] = 2 * (doubled[k] + 40);
			}
			const struct mean_estimate a = mean_estimate_make(values, times, length);
			const struct mean_estimate b = mean_estimate_make(doubled, times, length);
			const double p = mean_test(&a, &b, &needed_s);

			judged += !isnan(p);
			differ += p < TEST_LEVEL / ROWS;
		}
		if (is_full())
			printf("%s, %zu samples, doubled: %zu of %zu found\n", noises[_i].name,
			       length, differ, judged);
		ck_assert_msg(differ >= judged * 0.98, "%s: %zu of %zu, %zu samples",
			      noises[_i].name, differ, judged, length);
	}
	fflush(stdout);
}
