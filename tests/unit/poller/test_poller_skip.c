/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples that are skipped as the ring is full: the next sample covers them. */

#include "platform/clock.h"
#include "poller/poller.h"
#include "sim_monitor.h"
#include "unit.h"

static struct sim_monitor m;

/* Frozen by socket and one by one, with units whose rounds rotate with samples. */
static const struct sim_setup setups[] = {
	{.spec = "gnr,clock=virtual", .start_ns = 1},
	{.spec = "spr,clock=virtual", .start_ns = 1, .access_ns = 100},
	{.spec = "gnr,clock=virtual",
	 .view = {.groups = "cxl,latency,dram,queue,link,core,device,tiering,port,health"},
	 .start_ns = 1,
	 .access_ns = 70},
	{.spec = "spr,clock=virtual",
	 .view = {.groups = "latency"},
	 .freeze = FREEZE_NEVER,
	 .start_ns = 1,
	 .access_ns = 100},
	{.spec = "emr,clock=virtual",
	 .view = {.groups = "cxl,core"},
	 .freeze = FREEZE_ALWAYS,
	 .start_ns = 1,
	 .access_ns = 100},
};

/* Waits for the next deadline, and lets it pass. */
static void skip_sample(void)
{
	int signal_number;
	sigset_t none;

	sigemptyset(&none);
	ck_assert_int_eq(sim_monitor_wait(&m, &none, &signal_number), 0);
	poller_skip(m.poller, READ_SAMPLE);
}

/* A sample with counts of its own. */
struct kept {
	struct sample sample;
	struct count counts[512];
};

static void keep(struct kept *kept, const struct sample *sample)
{
	ck_assert_uint_le(sample->count, COUNT(kept->counts));
	kept->sample = *sample;
	memcpy(kept->counts, sample->counts, sample->count * sizeof(*sample->counts));
	kept->sample.counts = kept->counts;
}

static void assert_equal(const struct sample *a, const struct sample *b)
{
	ck_assert_uint_eq(a->count, b->count);
	ck_assert_uint_eq(a->wall_ns, b->wall_ns);
	ck_assert_uint_eq(a->frozen_ns, b->frozen_ns);
	ck_assert_uint_eq(a->missed, b->missed);
	ck_assert_uint_eq(a->lost_readings, b->lost_readings);
	for (size_t s = 0; s < a->count; s++) {
		ck_assert_int_eq(a->counts[s].known, b->counts[s].known);
		ck_assert_uint_eq(a->counts[s].events, b->counts[s].events);
		ck_assert_uint_eq(a->counts[s].time_running, b->counts[s].time_running);
		ck_assert_uint_eq(a->counts[s].time_enabled, b->counts[s].time_enabled);
	}
}

TEST_LOOP(test_a_skipped_sample_and_the_next_are_one_long_sample, COUNT(setups))
{
	static struct kept one;

	/* the deadline after two seconds is met, that after one missed */
	sim_monitor_start_as(&m, &setups[_i]);
	pass_time(m.platform, 2 * SECOND);
	const uint64_t then = m.platform->ops->clock->now(m.platform);
	ck_assert_int_eq(sim_monitor_take(&m), 0);
	keep(&one, &m.sample);
	sim_monitor_start_as(&m, &setups[_i]);
	skip_sample();
	pass_time(m.platform, then - m.platform->ops->clock->now(m.platform));
	ck_assert_int_eq(sim_monitor_take(&m), 0);
	assert_equal(&m.sample, &one.sample);
}

TEST(test_each_skipped_sample_is_a_deadline_missed)
{
	sim_monitor_start(&m, .spec = "gnr,read=12.8,clock=virtual", .start_ns = 1);
	for (unsigned k = 0; k < 5; k++)
		skip_sample();
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.missed, 5);
	ck_assert_uint_eq(m.sample.skipped, 5);
	const struct row *port = sim_monitor_row(&m, 0, 0);
	ck_assert_double_eq(port->interval_s, 6);
	ck_assert_double_eq(port->counted_pct, 100);
	ck_assert_double_eq(sim_monitor_value(&m, 0, 0, "cxl_mem_read_MBps"), 12800);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.missed, 0);
	ck_assert_uint_eq(m.sample.skipped, 5);
	ck_assert_double_eq(port->interval_s, 1);
}

TEST(test_deadlines_missed_before_a_skipped_sample_are_kept)
{
	sim_monitor_start(&m, .spec = "gnr,clock=virtual", .start_ns = 1);
	pass_time(m.platform, 4 * SECOND);
	poller_skip(m.poller, READ_SAMPLE);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.missed, 4);
}

TEST(test_a_sample_skipped_before_its_deadline_misses_none)
{
	sim_monitor_start(&m, .spec = "gnr,clock=virtual", .start_ns = 1);
	pass_time(m.platform, SECOND / 2);
	poller_skip(m.poller, READ_SAMPLE);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.missed, 0);
	ck_assert_double_eq(sim_monitor_row(&m, 0, 0)->interval_s, 1);
}

TEST(test_a_unit_without_response_before_a_skipped_sample_has_all_counts_with_the_next)
{
	sim_monitor_start(&m, .spec = "gnr,read=12.8,clock=virtual", .start_ns = 1);
	const struct unit *unit = sim_monitor_unit(&m, 0, PMU_CXLCM, 1);
	sim_set_unit_dead(m.sim, 0, unit->type, unit->id, true);
	sim_monitor_sample_failing(&m, 1);
	skip_sample();
	sim_set_unit_dead(m.sim, 0, unit->type, unit->id, false);
	sim_monitor_sample(&m);

	const struct count *count = sim_monitor_count(&m, unit, "RxC_PACK_BUF_INSERTS.MEM_DATA");
	ck_assert_uint_eq(m.sample.lost_readings, 0);
	ck_assert(count->known);
	ck_assert_uint_eq(count->events, 600000000);
	ck_assert_uint_eq(count->time_running, 3 * SECOND);
	ck_assert_uint_eq(count->time_enabled, 2 * SECOND);
}

/*
 * Checks that a round continues to count if it cannot rotate, because there is no room for the
 * frame.
 */
TEST(test_a_skipped_rotation_leaves_its_round_counting)
{
	struct sample none;
	enum read_reason due;
	int signal_number;
	unsigned skipped = 0;
	sigset_t no_signal;

	sigemptyset(&no_signal);
	sim_monitor_start(&m, .spec = "spr,chas=2,latency=400,clock=virtual",
			  .view = {.groups = "latency", .latency = LATENCY_ROTATE},
			  .interval_ns = 3 * SECOND, .start_ns = 1);
	for (;;) {
		ck_assert_int_eq(poller_wait(m.poller, &no_signal, &signal_number, &due, &m.err),
				 0);
		if (due == READ_SAMPLE)
			break;
		poller_skip(m.poller, due);
		skipped++;
	}
	ck_assert_uint_eq(skipped, 3);
	ck_assert_int_eq(poller_read(m.poller, due, &m.err), 0);
	ck_assert(decoder_add(m.sampling.decoder, poller_frame(m.poller), &none));
	for (size_t u = 0; u < m.plan.unit_count; u++) {
		const struct plan_unit *pu = &m.plan.units[u];
		const struct round *first = &m.plan.rounds[pu->first_round];

		for (size_t s = first->first_counter;
		     s < first->first_counter + first->counter_count; s++)
			ck_assert_uint_eq(none.counts[m.plan.counters[s].sum_counter].time_running,
					  3 * SECOND);
	}
}
