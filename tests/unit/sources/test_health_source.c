/* SPDX-License-Identifier: BSD-3-Clause */
#include "sources/sources.h"

#include <math.h>

#include "base/number.h"
#include "counts/sample.h"
#include "metrics/metric.h"
#include "platform/clock.h"
#include "platform/cxl.h"
#include "unit.h"

#define DEVICES 2

static struct platform *platform;
static struct cxl_device devices[DEVICES];
static struct sources sources;
static uint64_t begin;
static struct marks marks;

static void start(const char *spec)
{
	platform = sim_make(spec);
	begin = platform->ops->clock->wall(platform);
	sources = (struct sources){.sample_ns = begin};
	ck_assert_int_eq(device_source_open(&sources.devices, platform, devices, DEVICES, NULL), 0);
	ck_assert_int_eq(health_source_open(&sources.health, &sources.devices, NULL), 0);
}

static void tear_down(void)
{
	sources_close(&sources);
}

FIXTURE(NULL, tear_down)

static double value(size_t device, enum kernel_stat stat)
{
	return sources.health.answers[device].stats.now.values[stat];
}

static void read_at(double s)
{
	const struct sample sample = {.wall_ns = begin + (uint64_t)(s * NS_PER_S)};

	marks.count = 0;
	sources_update(&sources, &sample, &marks);
}

TEST(test_devices_are_asked_each_30_seconds)
{
	unsigned asked = 0;

	start("spr,clock=virtual,temperature=61.5,life_used=3,corrected=10");
	for (unsigned s = 0; s <= 90; s++) {
		read_at(s);
		asked += sources.health.answers[1].stats.fresh;
	}
	ck_assert_uint_eq(asked, 4);
	ck_assert_double_eq(value(1, DEVICE_TEMPERATURE), 61.5);
	ck_assert_double_eq(value(1, DEVICE_LIFE_USED), 0.03);
	ck_assert_double_eq(value(1, DEVICE_STATE), 0);
	ck_assert_double_eq(value(1, DEVICE_CORRECTED_ERRORS), 900);
	ck_assert_double_eq(sources.health.answers[1].stats.before.values[DEVICE_CORRECTED_ERRORS],
			    600);
}

/* Devices that are fine are not marked. */
TEST(test_a_clock_that_is_set_back_is_another_beginning)
{
	start("spr,clock=virtual");
	read_at(1000);
	ck_assert_uint_eq(marks.count, 0);
	read_at(500);
	ck_assert(sources.health.answers[0].stats.fresh);
	read_at(501);
	ck_assert(!sources.health.answers[0].stats.fresh);
	ck_assert(sources.health.answers[0].stats.known);
}

TEST(test_a_state_is_marked_once)
{
	start("spr,clock=virtual,health=34");
	read_at(0);
	ck_assert_uint_eq(marks.count, DEVICES);
	ck_assert_int_eq(marks.items[0].kind, MARK_HEALTH);
	ck_assert_str_eq(marks.items[0].text,
			 "its health: performance degraded, temperature critical");
	read_at(10);
	ck_assert_uint_eq(marks.count, 0);
	read_at(30);
	ck_assert_uint_eq(marks.count, 0);
}

TEST(test_lost_data_is_marked)
{
	start("spr,clock=virtual,health=1536");
	read_at(0);
	ck_assert_uint_eq(marks.count, DEVICES);
	ck_assert_str_eq(marks.items[0].text, "its health: media data lost");
	ck_assert_double_eq(value(0, DEVICE_STATE), 1536);
}

/* The column's help explains its numbers. */
TEST(test_the_help_of_the_state_names_each_part_of_it)
{
	const struct metric *metric = metric_by_name("health");
	char text[DEVICE_HEALTH_TEXT_SIZE], part[DEVICE_HEALTH_TEXT_SIZE];

	for (unsigned media = 1; media <= 9; media++) {
		device_health_text(media * DEVICE_MEDIA, text);
		snprintf(part, sizeof(part), "%u %s", media, text + strlen("media "));
		assert_contains(metric->help, part);
		assert_contains(metric->family.help, part);
	}
	ck_assert_uint_lt(strlen(metric->family.help), 512); /* a recording has it whole */
}

/*
 * Times in ms of samples, and the samples for which files of devices are read: each whole second.
 */
static const struct {
	unsigned interval, late, count, read[5]; /* samples that read them; 0: no more */
} paces[] = {
	{100, 0, 40, {10, 20, 30, 40}}, {500, 0, 8, {2, 4, 6, 8}},  {300, 0, 14, {4, 7, 10, 14}},
	{600, 0, 7, {2, 4, 5, 7}},	{1000, 0, 4, {1, 2, 3, 4}}, {1000, 50, 4, {1, 2, 3, 4}},
	{999, 0, 4, {1, 2, 3, 4}}, /* a clock that is slower than the samples' */
	{1, 0, 2000, {1000, 2000}},	{2000, 0, 2, {1, 2}},
};

TEST_LOOP(test_devices_are_read_each_whole_second, (int)COUNT_OF(paces))
{
	size_t next = 0;

	start("spr,clock=virtual");
	for (unsigned i = 1; i <= paces[_i].count; i++) {
		read_at((i * paces[_i].interval + paces[_i].late * (i % 2)) / 1e3);
		ck_assert_msg(sources.devices.devices[1].stats.fresh == (i == paces[_i].read[next]),
			      "sample %u", i);
		next += sources.devices.devices[1].stats.fresh;
	}
	ck_assert_uint_eq(paces[_i].read[next], 0);
}

TEST(test_a_clock_that_runs_slower_than_that_of_the_samples_loses_no_reading)
{
	start("spr,clock=virtual");
	for (unsigned i = 1; i <= 5000; i++) {
		read_at(i * 0.9995);
		ck_assert_msg(sources.devices.devices[0].stats.fresh, "sample %u", i);
	}
}

/* Answers of another process. */
static struct health_answer answers[4];
static size_t answer_count, taken;

static bool next(void *context, struct health_answer *out)
{
	ck_assert_ptr_eq(context, &taken);
	if (taken == answer_count)
		return false;
	*out = answers[taken++];
	return true;
}

TEST(test_answers_of_another_process_are_taken_when_they_come)
{
	start("spr,clock=virtual");
	health_source_read_from(&sources.health, next, &taken);
	taken = answer_count = 0;
	read_at(0);
	ck_assert(!sources.health.answers[0].stats.known && !sources.health.answers[1].stats.known);
	answers[0] = (struct health_answer){
		.device = 1, .at_ns = 5, .health = {.state = 2, .temperature_C = NAN}};
	answers[1] = (struct health_answer){.device = 0, .code = -ENOTTY, .at_ns = 6};
	answers[2] = (struct health_answer){.device = DEVICES, .at_ns = 7};
	answer_count = 3;
	read_at(1);
	ck_assert_int_eq(sources.health.answers[0].code, -ENOTTY);
	ck_assert(!sources.health.answers[0].stats.known && sources.health.answers[1].stats.known);
	ck_assert(isnan(value(0, DEVICE_STATE)) && isnan(value(1, DEVICE_TEMPERATURE)));
	ck_assert_uint_eq(marks.count, 1);
	ck_assert_str_eq(marks.items[0].text, "its health: performance degraded");
	read_at(2);
	ck_assert(!sources.health.answers[1].stats.fresh && sources.health.answers[1].stats.known);
	/* the device no longer answers */
	answers[3] = (struct health_answer){.device = 1, .code = -ENXIO, .at_ns = 8};
	answer_count = 4;
	read_at(3);
	ck_assert(!sources.health.answers[1].stats.known);
	ck_assert(isnan(value(1, DEVICE_STATE)));
}

static bool always_next(void *context, struct health_answer *out)
{
	size_t *calls = context;

	ck_assert_uint_lt((*calls)++, 10000);
	*out = (struct health_answer){.device = 1, .at_ns = 5};
	return true;
}

TEST(test_a_process_that_answers_without_end_does_not_stop_the_run)
{
	size_t calls = 0;

	start("spr,clock=virtual");
	health_source_read_from(&sources.health, always_next, &calls);
	read_at(0);
	ck_assert(sources.health.answers[1].stats.known);
}
