/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_load.h"
#include "unit.h"

#define SECOND UINT64_C(1000000000)

struct machine_load {
	struct sim_spec spec;
	struct sim_loads loads;
};

static struct machine_load m, other;

static void open_load(struct machine_load *of, const char *text)
{
	struct error err = {0};

	sim_loads_free(&of->loads);
	ck_assert_msg(!sim_spec_parse(text, &of->spec, &err), "%s: %s", text, err.text);
	ck_assert_int_eq(sim_loads_init(&of->loads, &of->spec), 0);
}

static void tear_down(void)
{
	sim_loads_free(&m.loads);
	sim_loads_free(&other.loads);
}

/* Returns the load of port 0, in whole ns. */
static uint64_t load(const struct machine_load *of, enum sim_load_kind kind, uint64_t t)
{
	return (uint64_t)sim_load_ns(&of->loads, sim_load_port(&of->loads, 0, 0), kind, t);
}

static uint64_t load_between(const struct machine_load *of, enum sim_load_kind kind, uint64_t from,
			     uint64_t to)
{
	return load(of, kind, to) - load(of, kind, from);
}

/* A port at u of its limit, for one second: ns of carried traffic, of its occupancy and of a full
 * queue. */
static const struct {
	const char *spec;
	uint64_t carried, occupied, full;
} loaded[] = {
	{"spr,read=8,write=2", SECOND, SECOND, 0},
	{"spr,read=8,write=2,limit=0", SECOND, SECOND, 0},
	{"spr,limit=20,read=0", SECOND, SECOND, 0},
	/* u = 0.5: 1 + 0.0625 / 2.2 */
	{"spr,read=8,write=2,limit=20", SECOND, 1028409090, 15258},
	/* CXL.cache counts too */
	{"spr,read=6,write=2,cache_d2h=1,cache_h2d=1,limit=20", SECOND, 1028409090, 15258},
	/* u = 1: 1 + 1 / 0.2 */
	{"spr,read=16,write=4,limit=20", SECOND, 6 * SECOND, SECOND},
	/* four times as much as it can carry */
	{"spr,read=60,write=20,limit=20", SECOND / 4, 6 * SECOND / 4, SECOND},
};

FIXTURE(NULL, tear_down)

TEST_LOOP(test_limit_cuts_traffic_and_makes_it_slower, COUNT(loaded))
{
	open_load(&m, loaded[_i].spec);
	ck_assert_uint_eq(load(&m, LOAD_TRAFFIC, SECOND), loaded[_i].carried);
	ck_assert_uint_eq(load(&m, LOAD_OCCUPANCY, SECOND), loaded[_i].occupied);
	ck_assert_uint_eq(load(&m, LOAD_FULL, SECOND), loaded[_i].full);
}

TEST(test_dram_has_no_limit)
{
	open_load(&m, "spr,read=80,dram_read=80,limit=20");
	ck_assert_uint_eq(
		(uint64_t)sim_load_ns(&m.loads, sim_load_dram(&m.loads, 0), LOAD_TRAFFIC, SECOND),
		SECOND);
	ck_assert_uint_eq(
		(uint64_t)sim_load_ns(&m.loads, sim_load_dram(&m.loads, 0), LOAD_OCCUPANCY, SECOND),
		SECOND);
}

/* A ramp of ten seconds: each second has a tenth more than the one before. */
TEST(test_ramp_rises_from_nothing_to_the_given_rates_and_stays)
{
	open_load(&m, "gnr,read=5,ramp=10");
	for (uint64_t s = 0; s < 10; s++)
		ck_assert_uint_eq(load_between(&m, LOAD_TRAFFIC, s * SECOND, (s + 1) * SECOND),
				  SECOND / 20 + s * SECOND / 10);
	ck_assert_uint_eq(load_between(&m, LOAD_TRAFFIC, 10 * SECOND, 11 * SECOND), SECOND);
	ck_assert_uint_eq(load_between(&m, LOAD_TRAFFIC, 100 * SECOND, 103 * SECOND), 3 * SECOND);
	ck_assert_uint_eq((uint64_t)sim_load_ns(&m.loads, sim_load_dram(&m.loads, 0), LOAD_TRAFFIC,
						10 * SECOND),
			  5 * SECOND);
}

/* Latency in parts of 1e9 of the unloaded one, in each twentieth of the ramp. */
TEST(test_latency_along_a_ramp_is_a_convex_curve)
{
	uint64_t latency[20];

	open_load(&m, "gnr,read=20,limit=20,ramp=20");
	for (uint64_t s = 0; s < 20; s++)
		latency[s] =
			(uint64_t)((long double)load_between(&m, LOAD_OCCUPANCY, s * SECOND,
							     (s + 1) * SECOND) *
				   1e9L /
				   load_between(&m, LOAD_TRAFFIC, s * SECOND, (s + 1) * SECOND));
	ck_assert_uint_lt(latency[0], SECOND + SECOND / 100000);
	ck_assert_uint_gt(latency[19], 4 * SECOND);
	for (unsigned s = 1; s < 20; s++)
		ck_assert_uint_gt(latency[s], latency[s - 1]);
	for (unsigned s = 2; s < 20; s++)
		ck_assert_uint_gt(latency[s] + latency[s - 2], 2 * latency[s - 1]);
}

/* A limit above the whole wave takes nothing away. */
TEST(test_wave_below_the_limit_carries_what_it_carries_without)
{
	open_load(&m, "spr,read=10,wave=1");
	open_load(&other, "spr,read=10,wave=1,limit=17");
	for (uint64_t t = 0; t <= 15 * SECOND; t += SECOND / 100) {
		const uint64_t a = load(&m, LOAD_TRAFFIC, t);
		const uint64_t b = load(&other, LOAD_TRAFFIC, t);

		/* each step of the table is rounded to a ns */
		ck_assert_uint_le(a > b ? a - b : b - a, 1500);
	}
}

/* The crest of the wave, 1.6 times the rate, is cut. */
TEST(test_wave_never_exceeds_the_limit)
{
	uint64_t carried = 0;

	open_load(&m, "spr,read=10,wave=1,limit=12");
	for (uint64_t t = 0; t < 14 * SECOND; t += SECOND / 100) {
		const uint64_t in = load_between(&m, LOAD_TRAFFIC, t, t + SECOND / 100);

		ck_assert_uint_le(in, 12000000);
		carried += in == 12000000;
	}
	ck_assert_uint_gt(carried, 400);
	ck_assert_uint_lt(load(&m, LOAD_TRAFFIC, 14 * SECOND), 13 * SECOND);
}

static const char *const movements[] = {
	"spr,read=3,limit=5", "spr,read=3,wave=1",	   "spr,read=3,wave=1,limit=4", "spr",
	"spr,limit=20",	      "spr,read=3,limit=2,ramp=1", "spr,read=3,ramp=0.0123457",
};

/* Offsets from the end of a step, in ns. */
static const int64_t offsets[] = {-1, 0, 1, 2, 3333333};

TEST_LOOP(test_sums_never_fall_however_close_the_readings_are, COUNT(movements))
{
	open_load(&m, movements[_i]);
	const struct sim_load *port = sim_load_port(&m.loads, 0, 1);
	for (unsigned kind = 0; kind < LOAD_KINDS; kind++) {
		long double last = 0;

		for (uint64_t t = SECOND / 100; t < 60 * SECOND; t += SECOND / 100) {
			for (int i = 0; i < COUNT(offsets); i++) {
				const long double now = sim_load_ns(
					&m.loads, port, kind, (uint64_t)((int64_t)t + offsets[i]));

				ck_assert(now >= last);
				last = now;
			}
		}
	}
}

#define STEP	    (SECOND / 100)
#define NOISE_STEPS 2800 /* steps until noise repeats */

TEST(test_noise_is_the_same_in_every_run)
{
	open_load(&m, "spr,sockets=2");
	open_load(&other, "spr,sockets=2");
	for (unsigned kind = 0; kind < LOAD_KINDS; kind++)
		for (uint64_t t = 0; t < 60 * SECOND; t += 123456789)
			ck_assert_uint_eq(load(&m, kind, t), load(&other, kind, t));
}

/* The wave goes from 0.4 to 1.6 of the rates, and noise 20 % further at most. */
TEST(test_noise_is_bounded_and_adds_next_to_nothing)
{
	uint64_t below = 0;

	open_load(&m, "spr");
	for (uint64_t t = 0; t < NOISE_STEPS * STEP; t += STEP) {
		const uint64_t in = load_between(&m, LOAD_TRAFFIC, t, t + STEP);

		ck_assert_uint_ge(in, STEP * 4 / 10 * 8 / 10);
		ck_assert_uint_le(in, STEP * 16 / 10 * 12 / 10);
		below += in < STEP;
	}
	ck_assert_uint_gt(below, NOISE_STEPS * 4 / 10);
	ck_assert_uint_lt(below, NOISE_STEPS * 6 / 10);
	const uint64_t sum = load(&m, LOAD_TRAFFIC, NOISE_STEPS * STEP);

	ck_assert_uint_gt(sum, NOISE_STEPS * STEP * 98 / 100);
	ck_assert_uint_lt(sum, NOISE_STEPS * STEP * 102 / 100);
	ck_assert_uint_eq(load(&m, LOAD_TRAFFIC, 2 * NOISE_STEPS * STEP), 2 * sum);
}

/* Milliunits of the unloaded latency from t, for a time. */
static uint64_t latency(const struct machine_load *of, uint64_t t, uint64_t time)
{
	return load_between(of, LOAD_OCCUPANCY, t, t + time) * 1000 /
	       load_between(of, LOAD_TRAFFIC, t, t + time);
}

/* Noise differs from step to step, and from second to second. */
static const uint64_t noisy_times[] = {STEP, SECOND};

TEST_LOOP(test_latency_has_noise_at_short_and_long_intervals, COUNT(noisy_times))
{
	const uint64_t time = noisy_times[_i];
	unsigned changes = 0;

	open_load(&m, "spr");
	for (uint64_t t = 0; t < 20 * time; t += time) {
		ck_assert_uint_ge(latency(&m, t, time), 939);
		ck_assert_uint_le(latency(&m, t, time), 1060);
		changes += latency(&m, t, time) != latency(&m, t + time, time);
	}
	ck_assert_uint_gt(changes, 15);
}

TEST(test_no_two_sources_have_the_same_noise)
{
	uint64_t in[6];

	open_load(&m, "spr,sockets=2,ports=2");
	for (unsigned i = 0; i < 4; i++)
		in[i] = (uint64_t)sim_load_ns(&m.loads, sim_load_port(&m.loads, i / 2, i % 2),
					      LOAD_OCCUPANCY, STEP);
	for (unsigned i = 4; i < 6; i++)
		in[i] = (uint64_t)sim_load_ns(&m.loads, sim_load_dram(&m.loads, i - 4),
					      LOAD_OCCUPANCY, STEP);
	for (unsigned i = 0; i < 6; i++)
		for (unsigned j = 0; j < i; j++)
			ck_assert_uint_ne(in[i], in[j]);
}

TEST(test_noise_stays_below_the_limit)
{
	uint64_t at_limit = 0;

	open_load(&m, "gnr,limit=20"); /* the mean is 18.2 GB/s */
	const uint64_t most = (uint64_t)((double)STEP * 20 / 18.2) + 1;

	for (uint64_t t = 0; t < NOISE_STEPS * STEP; t += STEP) {
		const uint64_t in = load_between(&m, LOAD_TRAFFIC, t, t + STEP);

		ck_assert_uint_le(in, most);
		at_limit += in >= most - 2;
	}
	ck_assert_uint_gt(at_limit, NOISE_STEPS / 10);
}

TEST(test_limit_says_how_full_queues_are_unless_that_is_given)
{
	open_load(&m, "spr,read=3,limit=4");
	ck_assert(sim_load_fills_queues(&m.spec));
	open_load(&m, "spr,read=3,limit=4,full=0");
	ck_assert(!sim_load_fills_queues(&m.spec));
	open_load(&m, "spr,read=3");
	ck_assert(!sim_load_fills_queues(&m.spec));
}
