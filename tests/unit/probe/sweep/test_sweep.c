/* SPDX-License-Identifier: BSD-3-Clause */
/* The end of a sweep of a simulated machine. */
#include "probe/sweep/sweep.h"

#include <math.h>
#include <pthread.h>

#include "tests/sim/faults.h"
#include "unit.h"

/* Actions after the first sample. */
struct ending {
	bool interrupted, writes_refused, failed;
	unsigned samples, points;
};

static int begin(void *context, const struct sweep *begun, struct error *why)
{
	(void)context;
	(void)begun;
	(void)why;
	return 0;
}

static struct sweep sweep;

static int take_sample(void *context, const struct sample *sample, const struct sweep_point *point,
		       struct error *why)
{
	struct ending *ending = context;

	(void)sample;
	ending->points += point != NULL;
	if (ending->samples++)
		return 0;
	if (ending->writes_refused)
		sim_set_writes_refused(sim_of(sweep.session.platform), true);
	if (ending->interrupted)
		raise(SIGINT);
	return ending->failed ? error_set(why, ERROR_FAILED, -ENOSPC, "the file is full") : 0;
}

static struct error err;

static int run(struct ending *ending)
{
	sigset_t wake;

	sigemptyset(&wake);
	sigaddset(&wake, SIGINT);
	pthread_sigmask(SIG_BLOCK, &wake, NULL);
	const struct sweep_options options = {
		.sim = "spr,clock=virtual",
		.root = "/",
		.backend = BACKEND_RAW,
		.choice = {.node = 1},
		.total_ns = NS_PER_S,
		.wake = &wake,
		.begin = begin,
		.sample = take_sample,
		.context = ending,
	};
	return sweep_run(&options, &silent_log, &sweep, &err);
}

static void tear_down(void)
{
	sweep_free(&sweep);
	sweep = (struct sweep){.sim = NULL};
}

FIXTURE(NULL, tear_down)

TEST(test_each_step_is_a_sample_that_settles_and_a_point)
{
	struct ending none = {.samples = 0};

	ck_assert_msg(!run(&none), "%s", err.text);
	ck_assert_uint_eq(none.points, SWEEP_MIXES * SWEEP_STEPS);
	ck_assert_uint_eq(none.samples, 2 * SWEEP_MIXES * (SWEEP_STEPS + 1));
	ck_assert_int_eq(sweep.under_load.signal_number, 0);
	ck_assert(!sweep.session.started);
}

static const struct {
	struct ending ending;
	int rc;
	const char *why;
} endings[] = {
	{{.interrupted = true}, -EINTR, ""},
	{{.failed = true}, -ENOSPC, "the file is full"},
	{{.writes_refused = true, .interrupted = true}, -EPERM, "restore"},
	{{.writes_refused = true, .failed = true}, -EPERM, "restore"},
};

TEST_LOOP(test_registers_that_were_not_restored_are_what_is_reported_of_an_early_end,
	  COUNT(endings))
{
	struct ending ending = endings[_i].ending;

	ck_assert_int_eq(run(&ending), endings[_i].rc);
	assert_contains(err.text, endings[_i].why);
	ck_assert_uint_eq(ending.samples, 1);
	ck_assert_int_eq(sweep.under_load.signal_number, ending.interrupted ? SIGINT : 0);
	ck_assert_int_eq(sweep.session.started, ending.writes_refused);
	sim_set_writes_refused(sim_of(sweep.session.platform), false);
}

TEST(test_a_row_is_a_step_under_the_names_of_its_columns)
{
	const struct sweep_point point = {.node = 2,
					  .read_share = 0.75,
					  .asked_MBps = 1000,
					  .read_MBps = 700.5,
					  .write_MBps = 233.25,
					  .chase_ns = 321.04,
					  .counted = {701, NAN, 320}};
	FILE *out = text_open();

	sweep_csv_header(out);
	sweep_csv_row(&point, out);
	ck_assert_str_eq(text_close(out),
			 "node,read_pct,asked_MBps,read_MBps,write_MBps,chase_ns,"
			 "counted_read_MBps,counted_write_MBps,counted_latency_ns\n"
			 "2,75,1000.000,700.500,233.250,321.0,701.000,,320.0\n");
}
