/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/device_health.h"

#include <math.h>

#include "unit.h"

/* Answer of the kernel's cxl_test module: mock_health_info() in tools/testing/cxl/test/mem.c. */
static struct device_health health;

static const uint8_t mock[18] = {7, 3, 0x18, 15, 25, 0, 10, 0, 0, 0, 20, 0, 0, 0, 30};

TEST(test_the_answer_of_the_kernels_test_module_is_decoded)
{
	char text[DEVICE_HEALTH_TEXT_SIZE];

	ck_assert_int_eq(device_health_parse(mock, sizeof(mock), &health), 0);
	ck_assert_double_eq(health.temperature_C, 25);
	ck_assert_double_eq(health.life_used_pct, 15);
	ck_assert_double_eq(health.corrected_errors, 50);
	ck_assert_uint_eq(health.state,
			  7 + STATE_TEMPERATURE_CRITICAL + STATE_ERRORS_WARNING + 3 * DEVICE_MEDIA);
	ck_assert_str_eq(
		device_health_text(health.state, text),
		"media data lost, to be replaced, maintenance needed, performance degraded, temperature "
		"critical, many corrected errors");
}

TEST(test_numbers_are_little_endian_and_the_temperature_has_a_sign)
{
	const uint8_t answer[18] = {0, 0, 0, 100, 0xF6, 0xFF, 0, 0, 0,
				    0, 1, 2, 3,	  0xFF, 4,    3, 2, 1};
	char text[DEVICE_HEALTH_TEXT_SIZE];

	ck_assert_int_eq(device_health_parse(answer, sizeof(answer), &health), 0);
	ck_assert_double_eq(health.temperature_C, -10);
	ck_assert_double_eq(health.life_used_pct, 100);
	ck_assert_double_eq(health.corrected_errors, (double)0xFF030201 + 0x01020304);
	ck_assert_str_eq(device_health_text(health.state, text), "fine");
}

/* Names of cxl list -H: media_normal, media_not_ready, ... */
static const char *const media[] = {
	"fine",
	"media not ready",
	"media persistence lost",
	"media data lost",
	"media powerloss persistence loss",
	"media shutdown persistence loss",
	"media persistence loss imminent",
	"media powerloss data loss",
	"media shutdown data loss",
	"media data loss imminent",
	"media status 10",
};

TEST_LOOP(test_each_media_status_is_a_part_of_the_state, (int)COUNT_OF(media))
{
	const uint8_t answer[18] = {0, (uint8_t)_i};
	char text[DEVICE_HEALTH_TEXT_SIZE];

	ck_assert_int_eq(device_health_parse(answer, sizeof(answer), &health), 0);
	ck_assert_uint_eq(health.state, (unsigned)_i * 512);
	ck_assert_str_eq(device_health_text(health.state, text), media[_i]);
}

TEST(test_all_that_a_device_can_say_at_once_has_room)
{
	const uint8_t answer[18] = {0xFF, 0xFF, 0x3A};
	char text[DEVICE_HEALTH_TEXT_SIZE];

	ck_assert_int_eq(device_health_parse(answer, sizeof(answer), &health), 0);
	ck_assert_str_eq(device_health_text(health.state, text),
			 "media status 255, to be replaced, maintenance needed, performance "
			 "degraded, capacity degraded, temperature critical, life nearly used up, "
			 "many corrected errors");
	ck_assert_uint_lt(strlen(device_health_text(DEVICE_STATE_MOST, text)), sizeof(text) - 1);
}

TEST(test_a_cell_that_is_no_state_has_none)
{
	ck_assert_uint_eq(device_state_of(1536), 1536);
	ck_assert_uint_eq(device_state_of(DEVICE_STATE_MOST), DEVICE_STATE_MOST);
	ck_assert_uint_eq(device_state_of(DEVICE_STATE_MOST + 1), 0);
	ck_assert_uint_eq(device_state_of(-1), 0);
	ck_assert_uint_eq(device_state_of(1e300), 0);
	ck_assert_uint_eq(device_state_of(NAN), 0);
}

/* Temperatures in the device's 16 bits; -1 degree cannot be distinguished from none. */
static const struct {
	uint8_t low, high;
	double celsius;
} temperatures[] = {
	{0xFF, 0x7F, NAN}, {0xFF, 0xFF, NAN},	 {0xFE, 0xFF, -2},
	{0x00, 0x00, 0},   {0xFE, 0x7F, 0x7FFE}, {0x00, 0x80, -0x8000},
};

TEST_LOOP(test_a_device_without_a_sensor_has_no_temperature, (int)COUNT_OF(temperatures))
{
	const uint8_t answer[18] = {[4] = temperatures[_i].low, [5] = temperatures[_i].high};

	ck_assert_int_eq(device_health_parse(answer, sizeof(answer), &health), 0);
	if (isnan(temperatures[_i].celsius))
		ck_assert(isnan(health.temperature_C));
	else
		ck_assert_double_eq(health.temperature_C, temperatures[_i].celsius);
}

TEST(test_what_the_device_does_not_say_is_unknown)
{
	const uint8_t answer[18] = {0, 0, 0, 0xFF, 0xFF, 0x7F};

	ck_assert_int_eq(device_health_parse(answer, sizeof(answer), &health), 0);
	ck_assert(isnan(health.temperature_C));
	ck_assert(isnan(health.life_used_pct));
}

TEST_LOOP(test_a_short_answer_is_none, 18)
{
	ck_assert_int_eq(device_health_parse(mock, (size_t)_i, &health), -EBADMSG);
}

/* Levels of two bits: 3 is reserved. */
static const struct {
	unsigned additional, state;
} levels[] = {
	{0, 0},	   {1, STATE_LIFE_WARNING},	   {2, STATE_LIFE_CRITICAL},
	{3, 0},	   {4, STATE_TEMPERATURE_WARNING}, {8, STATE_TEMPERATURE_CRITICAL},
	{12, 0},   {16, STATE_ERRORS_WARNING},	   {32, STATE_ERRORS_WARNING},
	{0xC0, 0},
};

TEST_LOOP(test_levels_become_bits_of_the_state, (int)COUNT_OF(levels))
{
	ck_assert_uint_eq(device_state_decode(0, 0, levels[_i].additional), levels[_i].state);
	ck_assert_uint_eq(device_state_decode(0xF0, 0, levels[_i].additional), levels[_i].state);
}
