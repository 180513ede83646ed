/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/screen_save.h"

#include "sim_monitor.h"
#include "unit.h"

static struct sim_monitor m;
static struct kept_samples kept;
static struct bytes all;

static void set_up(void)
{
	const struct sim_setup setup = {.spec = "spr,ports=1,read=20,clock=virtual"};

	sim_monitor_start_as(&m, &setup);
}

static void tear_down(void)
{
	kept_samples_free(&kept);
	bytes_free(&all);
}

static void add(unsigned count, size_t most)
{
	while (count--) {
		sim_monitor_sample(&m);
		kept_samples_add(&kept, &m.view.table, &m.sample, NULL, most);
	}
}

/* Decodes the whole recording. Returns the number of samples. */
static uint64_t decode(void)
{
	static const struct recording_info info = {.program = "1", .processor = "Some Rapids"};
	struct recording recording = {.samples = 0};
	enum recording_item item = RECORDING_NOTHING;
	struct error err = {.text = ""};
	uint64_t samples = 0;

	all.size = 0;
	const uint64_t put = kept_samples_put(&kept, &info, &m.view.table, &all);
	for (size_t at = 0, used; item != RECORDING_END; at += used) {
		ck_assert_msg(!recording_decode(&recording, all.data + at, all.size - at, &used,
						&item, &err),
			      "%s", err.text);
		ck_assert_int_ne(item, RECORDING_NOTHING);
		samples += item == RECORDING_SAMPLE;
	}
	ck_assert_str_eq(recording.info.processor, "Some Rapids");
	ck_assert_uint_eq(recording.sample.wall_ns, samples ? m.sample.wall_ns : 0);
	recording_free(&recording);
	ck_assert_uint_eq(put, samples);
	return samples;
}

FIXTURE(set_up, tear_down)

TEST(test_what_was_kept_is_a_recording_each_time)
{
	ck_assert_uint_eq(decode(), 0);
	add(3, KEPT_SAMPLES_BYTES);
	ck_assert_uint_eq(decode(), 3);
	add(2, KEPT_SAMPLES_BYTES);
	ck_assert_uint_eq(decode(), 5);
}

TEST(test_the_oldest_samples_are_dropped_when_there_are_too_many)
{
	add(1, KEPT_SAMPLES_BYTES);
	const size_t one = kept.newer.blocks.size;

	add(99, 10 * one);
	const uint64_t left = decode();
	ck_assert_uint_ge(left, 10);
	ck_assert_uint_lt(left, 30);
}

TEST(test_without_memory_nothing_is_kept_and_later_samples_are)
{
	add(2, KEPT_SAMPLES_BYTES);
	kept.newer.blocks.failed = true;
	add(1, KEPT_SAMPLES_BYTES);
	ck_assert_uint_eq(kept.newer.samples, 0);
	add(2, KEPT_SAMPLES_BYTES);
	ck_assert_uint_eq(decode(), 2);
}
