/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decodes frames of a running machine, at a tenth of a second as controls are compared once a
 * second, and frames made by hand.
 */
#include "metrics/decoder.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "poller/poller.h"
#include "sim_monitor.h"
#include "suites.h"
#include "support.h"

#define COUNT(array) ((int)(sizeof(array) / sizeof((array)[0])))

#define TENTH	    (SECOND / 10)
#define MS	    (SECOND / 1000)
#define SAMPLES_A_S 10
#define COUNTER_48  ((UINT64_C(1) << 48) - 1)
#define TRAFFIC	    "read=12.8,write=6.4,cache_d2h=0.64,cache_h2d=0.32,clock=virtual"
#define READS	    20000000 /* lines in a tenth of a second */
#define READ_EVENT  "RxC_PACK_BUF_INSERTS.MEM_DATA"

static struct sim_monitor m;

static void start(const struct sim_setup *setup)
{
	struct sim_setup s = *setup;

	s.interval_ns = s.interval_ns ? s.interval_ns : TENTH;
	s.start_ns = 1;
	sim_monitor_start(&m, &s);
}

/* On a GNR with traffic. */
static void start_gnr(void)
{
	start(&(struct sim_setup){.spec = "gnr," TRAFFIC});
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
}

static void stop(void)
{
	sim_monitor_close(&m);
}

/* Waits for the next deadline, and reads a frame without decoding it. */
static const struct frame *read_frame(void)
{
	enum read_reason due;
	int signal_number;
	sigset_t none;

	sigemptyset(&none);
	ck_assert_int_eq(poller_wait(m.poller, &none, &signal_number, &due, &m.err), 0);
	ck_assert_int_eq(due, READ_SAMPLE);
	ck_assert_msg(!poller_read(m.poller, due, &m.err), "%s", m.err.text);
	return poller_frame(m.poller);
}

static void assert_count(const struct count *count, uint64_t events, uint64_t time_running)
{
	ck_assert(count->known);
	ck_assert_uint_eq(count->events, events);
	ck_assert_uint_eq(count->time_running, time_running);
}

static const struct sim_setup usual[] = {
	{.spec = "spr,sockets=2," TRAFFIC, .view = {.groups = "cxl,latency,dram"}},
	{.spec = "emr," TRAFFIC, .view = {.groups = "cxl,latency,dram"}},
	{.spec = "gnr,sockets=2," TRAFFIC, .view = {.groups = "cxl,latency,dram"}},
	{.spec = "srf," TRAFFIC, .view = {.groups = "cxl,latency,dram"}},
	{.spec = "spr," TRAFFIC, .view = {.groups = "link"}},
	{.spec = "spr," TRAFFIC, .freeze = FREEZE_NEVER},
	{.spec = "gnr,cpus=2," TRAFFIC, .view = {.groups = "cxl,core"}},
};

/* Sums up the samples of a second and a half, one of which rotates. */
static void sum_up(struct count *sums, size_t room)
{
	ck_assert_uint_le(m.plan.slot_count, room);
	for (unsigned k = 0; k < 15; k++) {
		sim_monitor_sample(&m);
		for (size_t s = 0; s < m.plan.slot_count; s++) {
			sums[s].events += m.sample.counts[s].events;
			sums[s].time_running += m.sample.counts[s].time_running;
			sums[s].time_enabled += m.sample.counts[s].time_enabled;
		}
	}
}

/* Staggered units rotate once a second, so equally often in long and in short samples. */
START_TEST(test_short_samples_count_what_long_samples_count)
{
	static struct count sums[1024];
	struct sim_setup setup = usual[_i];

	start(&setup);
	memset(sums, 0, sizeof(sums));
	sum_up(sums, COUNT(sums));
	stop();

	setup.interval_ns = SECOND;
	start(&setup);
	sim_monitor_sample(&m);
	for (size_t s = 0; s < m.plan.slot_count; s++) {
		sums[s].events -= m.sample.counts[s].events;
		sums[s].time_running -= m.sample.counts[s].time_running;
		sums[s].time_enabled -= m.sample.counts[s].time_enabled;
	}
	pass_time(m.platform, SECOND / 2);
	ck_assert_int_eq(sim_monitor_take(&m), 0);
	for (size_t s = 0; s < m.plan.slot_count; s++) {
		ck_assert_uint_eq(sums[s].events, m.sample.counts[s].events);
		ck_assert_uint_eq(sums[s].time_running, m.sample.counts[s].time_running);
		ck_assert_uint_eq(sums[s].time_enabled, m.sample.counts[s].time_enabled);
	}
	stop();
}
END_TEST

START_TEST(test_frozen_time_is_in_no_count)
{
	start(&(struct sim_setup){.spec = "spr," TRAFFIC,
				  .view = {.groups = "latency"},
				  .freeze = FREEZE_ALWAYS,
				  .access_ns = 1000});
	sim_monitor_sample(&m);
	for (unsigned k = 0; k < 5; k++) {
		sim_monitor_sample(&m);
		ck_assert_uint_gt(m.sample.frozen_ns, 8 * 3 * 1000);
		for (size_t s = 0; s < m.plan.slot_count; s++)
			if (m.sample.counts[s].known)
				ck_assert_uint_eq(m.sample.counts[s].time_running,
						  TENTH - m.sample.frozen_ns);
	}
	stop();
}
END_TEST

START_TEST(test_frozen_time_is_in_no_count_where_a_unit_can_not_be_read)
{
	start(&(struct sim_setup){.spec = "spr," TRAFFIC,
				  .view = {.groups = "latency"},
				  .freeze = FREEZE_ALWAYS,
				  .access_ns = 1000});
	sim_monitor_sample(&m);
	for (unsigned k = 0; k < 4; k++) {
		const uint64_t frozen_before = m.sample.frozen_ns;

		sim_set_msr_fault(m.sim, SIM_CHA(3) + 8, k == 1 || k == 2 ? -EIO : 0);
		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.sample.failed_reads, k == 1 || k == 2);
		for (size_t s = 0; s < m.plan.slot_count; s++)
			if (m.sample.counts[s].known && k < 3)
				ck_assert_uint_eq(m.sample.counts[s].time_running,
						  TENTH - frozen_before);
	}
	stop();
}
END_TEST

START_TEST(test_counts_of_a_unit_that_read_all_ones_come_with_its_next_good_read)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, BOX_CXLCM, 1);

	sim_set_unit_dead(m.sim, 0, unit->type, unit->id, true);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.failed_reads, 1);
	ck_assert(!sim_monitor_count(&m, unit, READ_EVENT)->known);
	ck_assert(sim_monitor_count(&m, sim_monitor_unit(&m, 0, BOX_CXLCM, 0), READ_EVENT)->known);

	/* its next value covers two intervals */
	sim_set_unit_dead(m.sim, 0, unit->type, unit->id, false);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), 2 * READS, 2 * TENTH);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), READS, TENTH);
	stop();
}
END_TEST

START_TEST(test_a_counter_that_was_set_back_has_no_value_in_one_sample)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, BOX_CXLDP, 1);

	sim_set_counter(m.sim, 0, unit->type, unit->id, 0, 0);
	/* a tenth of a second later it holds as much as it counted in that */
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.failed_reads, 1);
	ck_assert_int_eq(m.trouble.code, -EBUSY);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, "M2S_DATA"), READS / 2, TENTH);
	stop();
}
END_TEST

START_TEST(test_a_counter_that_wraps_loses_nothing)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, BOX_CXLDP, 1);

	/* the way there is more than a counter can count, and lost */
	sim_set_counter(m.sim, 0, unit->type, unit->id, 0, COUNTER_48 - READS / 2 - 9);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.failed_reads, 1);
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.failed_reads, 0);
	assert_count(sim_monitor_count(&m, unit, "M2S_DATA"), READS / 2, TENTH);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, "M2S_DATA"), READS / 2, TENTH);
	stop();
}
END_TEST

/* A unit that stops counting may have been stopped by another program. */
START_TEST(test_a_unit_whose_controls_were_cleared_has_no_value_instead_of_zero)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, BOX_CXLCM, 1);

	for (unsigned i = 0; i < 8; i++)
		memory_poke(m.platform, SIM_CXLCM(0, 1) + CXL_CONTROL(i), 8, 0);
	for (unsigned k = 0; k < 2; k++) {
		sim_monitor_sample(&m);
		ck_assert_uint_eq(m.sample.failed_reads, 1);
		ck_assert_int_eq(m.sample.new_warning, !k);
		ck_assert_int_eq(m.trouble.code, -EBUSY);
		ck_assert(!sim_monitor_count(&m, unit, READ_EVENT)->known);
	}
	/* they are free, so it was programmed again */
	assert_contains(m.sample.note, "socket 0 cxlcm 4: the controls are free again");
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), READS, TENTH);
	ck_assert_uint_eq(m.sample.failed_reads, 0);
	ck_assert_ptr_null(m.sample.note);
	stop();
}
END_TEST

#define FOREIGN_EVENT 0x0841 /* RxC_PACK_BUF_INSERTS.MEM_REQ */

/* As perf does it: one counter of a unit that goes on counting. */
START_TEST(test_a_unit_with_a_counter_of_another_program_is_empty_and_left_alone)
{
	const uint64_t control = SIM_CXLCM(0, 1) + CXL_CONTROL(4);

	start(&(struct sim_setup){.spec = "gnr," TRAFFIC, .interval_ns = SECOND});
	const struct unit *unit = sim_monitor_unit(&m, 0, BOX_CXLCM, 1);
	sim_monitor_sample(&m);
	const uint64_t ours = memory_peek(m.platform, control, 8);
	ck_assert(ours && ours != FOREIGN_EVENT);

	pass_time(m.platform, SECOND / 2);
	memory_poke(m.platform, control, 8, FOREIGN_EVENT);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		ck_assert(!sim_monitor_count(&m, unit, READ_EVENT)->known);
		ck_assert_int_eq(m.sample.new_warning, !k);
		assert_contains(
			m.trouble.text,
			"socket 0 cxlcm 4: reset, frozen or reprogrammed by another program after "
			"00:00:01 UTC");
		ck_assert_uint_eq(memory_peek(m.platform, control, 8), FOREIGN_EVENT);
	}
	memory_poke(m.platform, control, 8, 0);
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
	ck_assert_ptr_nonnull(m.sample.note);
	ck_assert_uint_eq(memory_peek(m.platform, control, 8), ours);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), 10 * READS, SECOND);
	ck_assert_int_eq(poller_stop(m.poller, &m.err), 0);
	stop();
}
END_TEST

/* The kernel's driver resets every unit when it loads. */
START_TEST(test_units_that_were_reset_are_named_together_and_count_again)
{
	start(&(struct sim_setup){.spec = "spr," TRAFFIC, .interval_ns = SECOND});
	const uint64_t hash = sim_state_hash(m.sim);
	sim_monitor_sample(&m);
	pass_time(m.platform, SECOND / 4);
	for (unsigned port = 0; port < 2; port++) {
		memory_poke(m.platform, SIM_CXLCM(0, port), 4, 0x300);
		memory_poke(m.platform, SIM_CXLDP(0, port), 4, 0x300);
	}
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.failed_reads, 4);
	assert_contains(m.trouble.text, "socket 0 cxlcm 2 and 3 other units: reset");
	sim_monitor_sample(&m);
	assert_contains(m.sample.note, "socket 0 cxlcm 2 and 3 other units: the controls are free");
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.failed_reads, 0);
	assert_count(sim_monitor_count(&m, sim_monitor_unit(&m, 0, BOX_CXLDP, 1), "M2S_REQ"),
		     10 * READS, SECOND);
	ck_assert_uint_ne(sim_state_hash(m.sim), hash);
	stop();
}
END_TEST

static void set_freeze_register(uint64_t value)
{
	msr_poke(m.platform, 0, 0x2FF0, value);
}

static const struct {
	const char *spec, *groups, *event;
	uint16_t type;
} freezable[] = {
	{"spr," TRAFFIC, "cxl", "M2S_REQ", BOX_CXLDP},
	{"spr," TRAFFIC, "cxl", "TxC_PACK_BUF_INSERTS.MEM_DATA", BOX_CXLCM},
	{"spr,dram_read=12.8,clock=virtual", "dram", "CAS_COUNT.RD", BOX_IMC},
};

/* A program freezes the socket in mid-run, which no unit shows: their counters just stand still. */
START_TEST(test_a_unit_whose_clock_stands_still_has_no_value_instead_of_zero)
{
	start(&(struct sim_setup){.spec = freezable[_i].spec,
				  .view = {.groups = freezable[_i].groups, .finest = SCOPE_PORT},
				  .interval_ns = SECOND});
	const struct unit *unit = sim_monitor_unit(&m, 0, freezable[_i].type, 0);
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
	const struct count before = *sim_monitor_count(&m, unit, freezable[_i].event);
	ck_assert(before.known && before.events);
	set_freeze_register(1);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		ck_assert(!sim_monitor_count(&m, unit, freezable[_i].event)->known);
		ck_assert_uint_gt(m.sample.failed_reads, 0);
		ck_assert_int_eq(m.sample.new_warning, !k);
		assert_contains(m.trouble.text, "the clock stands still");
	}
	set_freeze_register(0);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, freezable[_i].event), before.events, SECOND);
	ck_assert_uint_eq(m.sample.failed_reads, 0);
	set_freeze_register(1);
	sim_monitor_sample(&m);
	ck_assert(m.sample.new_warning);
	set_freeze_register(0);
	stop();
}
END_TEST

/* Values are awaited for 50 ms before anything is said, and come with the next good frame. */
START_TEST(test_a_clock_that_was_not_seen_to_tick_for_a_moment_loses_no_count)
{
	start(&(struct sim_setup){.spec = "spr," TRAFFIC, .interval_ns = 10 * MS});
	const struct unit *unit = sim_monitor_unit(&m, 0, BOX_CXLDP, 0);
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
	set_freeze_register(1);
	sim_monitor_sample(&m);
	ck_assert(!sim_monitor_count(&m, unit, "M2S_REQ")->known);
	ck_assert_uint_eq(m.sample.failed_reads, 0);
	ck_assert_ptr_null(m.sample.warning);
	set_freeze_register(0);
	sim_monitor_sample(&m);
	const struct count *count = sim_monitor_count(&m, unit, "M2S_REQ");
	ck_assert(count->known);
	ck_assert_uint_eq(count->time_running, 20 * MS);
	stop();
}
END_TEST

/* By its own control, which is read with the counter controls. */
START_TEST(test_a_unit_that_was_left_frozen_is_found_and_programmed_again)
{
	start(&(struct sim_setup){.spec = "gnr," TRAFFIC,
				  .interval_ns = SECOND,
				  .freeze = _i ? FREEZE_NEVER : FREEZE_ALWAYS});
	sim_monitor_sample(&m);
	memory_poke(m.platform, SIM_CXLCM(0, 0), 8, 1);
	/* also where the reading itself thaws it */
	sim_monitor_sample(&m);
	const struct unit *unit = sim_monitor_unit(&m, 0, BOX_CXLCM, 0);
	ck_assert(!sim_monitor_count(&m, unit, READ_EVENT)->known);
	assert_contains(m.trouble.text, "socket 0 cxlcm 2: reset, frozen or reprogrammed");
	sim_monitor_sample(&m);
	ck_assert_ptr_nonnull(m.sample.note);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), 10 * READS, SECOND);
	stop();
}
END_TEST

START_TEST(test_an_idle_unit_counts_zero)
{
	start(&(struct sim_setup){.spec = "gnr,read=0,clock=virtual"});
	sim_monitor_sample(&m);
	for (unsigned k = 0; k < 5; k++) {
		sim_monitor_sample(&m);
		assert_count(
			sim_monitor_count(&m, sim_monitor_unit(&m, 0, BOX_CXLCM, 1), READ_EVENT), 0,
			TENTH);
	}
	stop();
}
END_TEST

START_TEST(test_frames_that_are_left_out_are_part_of_the_next)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, BOX_CXLCM, 1);

	for (unsigned k = 0; k < 3; k++)
		ck_assert(read_frame()->sample);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), 4 * READS, 4 * TENTH);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), READS, TENTH);
	stop();
}
END_TEST

/* The epoch of the next frame shows that counting began again. */
START_TEST(test_the_first_frame_of_an_epoch_may_be_left_out)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, BOX_CXLCM, 1);

	sim_suspend(m.sim, SECOND);
	read_frame();
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.sample.failed_reads, m.plan.unit_count);
	ck_assert(!sim_monitor_count(&m, unit, READ_EVENT)->known);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), READS, TENTH);
	stop();
}
END_TEST

START_TEST(test_after_a_suspension_nothing_is_known_and_counting_begins_again)
{
	start_gnr();
	const struct unit *unit = sim_monitor_unit(&m, 0, BOX_CXLCM, 1);

	sim_suspend(m.sim, SECOND);
	sim_monitor_sample(&m);
	ck_assert(!sim_monitor_count(&m, unit, READ_EVENT)->known);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), READS, TENTH);
	sim_monitor_sample(&m);
	assert_count(sim_monitor_count(&m, unit, READ_EVENT), READS, TENTH);
	stop();
}
END_TEST

/* Frames made by hand: one unit of a GNR, and what its first counter holds. */

static struct frame frame;
static struct decoder *decoder;
static struct sample sample;

static void begin_by_hand(void)
{
	start(&(struct sim_setup){.spec = "gnr,ports=1," TRAFFIC});
	const struct frame_size size = poller_frame_size(&m.plan);
	void *arrays = calloc(1, frame_bytes(size));

	ck_assert_ptr_nonnull(arrays);
	frame_lay_out(&frame, arrays, size);
	decoder = decoder_new(&m.plan);
	frame.epoch = 1;
	ck_assert(!decoder_add(decoder, &frame, &sample));
}

/* Every counter holds value after ns more. */
static bool add_by_hand(uint64_t value, uint64_t ns, bool ends)
{
	for (size_t r = 0; r < m.plan.read_count; r++)
		frame.raw[r] = value;
	for (size_t d = 0; d < m.plan.domain_count; d++)
		frame.running_ns[d] += ns;
	frame.sample = ends;
	return decoder_add(decoder, &frame, &sample);
}

static void end_by_hand(void)
{
	decoder_free(decoder);
	free(frame.running_ns);
	stop();
}

/* Half of the time, the kernel has counted other events on each unit. */
START_TEST(test_time_that_a_unit_waits_is_enabled_and_not_running)
{
	begin_by_hand();
	frame.multiplexed = true;
	for (unsigned i = 1; i <= 2; i++) {
		for (size_t d = 0; d < m.plan.domain_count; d++)
			frame.waited_ns[d] += 300;
		ck_assert(add_by_hand(45 * i, 300, true));
		for (size_t s = 0; s < m.plan.slot_count; s++) {
			assert_count(&sample.counts[s], 45, 300);
			ck_assert_uint_eq(sample.counts[s].time_enabled, 600);
		}
	}
	end_by_hand();
}
END_TEST

START_TEST(test_a_sample_is_made_of_all_frames_since_the_one_before)
{
	begin_by_hand();
	ck_assert(!add_by_hand(10, 100, false));
	ck_assert(!add_by_hand(25, 200, false));
	ck_assert(add_by_hand(45, 300, true));
	for (size_t s = 0; s < m.plan.slot_count; s++) {
		assert_count(&sample.counts[s], 45, 600);
		ck_assert_uint_eq(sample.counts[s].time_enabled, 600);
	}
	ck_assert(add_by_hand(46, 10, true));
	for (size_t s = 0; s < m.plan.slot_count; s++)
		assert_count(&sample.counts[s], 1, 10);
	end_by_hand();
}
END_TEST

START_TEST(test_totals_of_frames_become_those_of_samples)
{
	begin_by_hand();
	frame.missed = 3, frame.frozen_ns = 50;
	ck_assert(!add_by_hand(1, 1, false));
	frame.missed = 4, frame.frozen_ns = 80, frame.skipped = 2;
	ck_assert(add_by_hand(2, 1, true));
	ck_assert_uint_eq(sample.missed, 4);
	ck_assert_uint_eq(sample.frozen_ns, 80);
	ck_assert_uint_eq(sample.skipped, 2);
	frame.missed = 4, frame.frozen_ns = 85;
	ck_assert(add_by_hand(3, 1, true));
	ck_assert_uint_eq(sample.missed, 0);
	ck_assert_uint_eq(sample.frozen_ns, 5);
	ck_assert_uint_eq(sample.skipped, 2);
	end_by_hand();
}
END_TEST

START_TEST(test_a_clobbered_unit_has_no_values_and_its_time_is_not_counted_later)
{
	begin_by_hand();
	frame.units[0].clobbered = true;
	ck_assert(add_by_hand(1000, 500, true));
	ck_assert(!sample.counts[0].known);
	ck_assert_uint_eq(sample.counts[0].time_running, 0);
	ck_assert_uint_eq(sample.counts[0].time_enabled, 500);
	ck_assert_uint_eq(sample.failed_reads, 1);
	ck_assert_int_eq(sample.warning->code, -EBUSY);
	frame.units[0].clobbered = false;
	ck_assert(add_by_hand(1007, 20, true));
	assert_count(&sample.counts[0], 7, 20);
	ck_assert_ptr_null(sample.warning);
	end_by_hand();
}
END_TEST

START_TEST(test_a_counter_that_could_not_be_read_is_named_by_its_error)
{
	char name[REG_NAME_SIZE];

	begin_by_hand();
	frame.units[0].error = -EIO;
	frame.units[0].failed_read = 1;
	ck_assert(add_by_hand(9, 100, true));
	ck_assert_int_eq(sample.warning->code, -EIO);
	assert_contains(sample.warning->text, reg_name(&m.plan.slots[1].counter, name));
	frame.units[0].failed_read = FRAME_NO_READ;
	ck_assert(add_by_hand(9, 100, true));
	assert_contains(sample.warning->text, "programmed");
	frame.units[0].error = 0;
	ck_assert(add_by_hand(27, 100, true));
	assert_count(&sample.counts[0], 27, 300);
	end_by_hand();
}
END_TEST

Suite *suite_decoder(void)
{
	Suite *suite = suite_create("decoder");
	TCase *tc = tcase_create("decoder");

	tcase_add_loop_test(tc, test_short_samples_count_what_long_samples_count, 0, COUNT(usual));
	tcase_add_test(tc, test_frozen_time_is_in_no_count);
	tcase_add_test(tc, test_frozen_time_is_in_no_count_where_a_unit_can_not_be_read);
	tcase_add_test(tc, test_counts_of_a_unit_that_read_all_ones_come_with_its_next_good_read);
	tcase_add_test(tc, test_a_counter_that_was_set_back_has_no_value_in_one_sample);
	tcase_add_test(tc, test_a_counter_that_wraps_loses_nothing);
	tcase_add_test(tc, test_a_unit_whose_controls_were_cleared_has_no_value_instead_of_zero);
	tcase_add_test(tc, test_a_unit_with_a_counter_of_another_program_is_empty_and_left_alone);
	tcase_add_test(tc, test_units_that_were_reset_are_named_together_and_count_again);
	tcase_add_loop_test(tc, test_a_unit_whose_clock_stands_still_has_no_value_instead_of_zero,
			    0, COUNT(freezable));
	tcase_add_test(tc, test_a_clock_that_was_not_seen_to_tick_for_a_moment_loses_no_count);
	tcase_add_loop_test(tc, test_a_unit_that_was_left_frozen_is_found_and_programmed_again, 0,
			    2);
	tcase_add_test(tc, test_an_idle_unit_counts_zero);
	tcase_add_test(tc, test_frames_that_are_left_out_are_part_of_the_next);
	tcase_add_test(tc, test_the_first_frame_of_an_epoch_may_be_left_out);
	tcase_add_test(tc, test_after_a_suspension_nothing_is_known_and_counting_begins_again);
	tcase_add_test(tc, test_time_that_a_unit_waits_is_enabled_and_not_running);
	tcase_add_test(tc, test_a_sample_is_made_of_all_frames_since_the_one_before);
	tcase_add_test(tc, test_totals_of_frames_become_those_of_samples);
	tcase_add_test(tc, test_a_clobbered_unit_has_no_values_and_its_time_is_not_counted_later);
	tcase_add_test(tc, test_a_counter_that_could_not_be_read_is_named_by_its_error);
	suite_add_tcase(suite, tc);
	return suite;
}
