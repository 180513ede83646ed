/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/kernel_stats.h"

#include <math.h>

#include "unit.h"

/* What the kernel's cxl_test module answers: mock_health_info() in tools/testing/cxl/test/mem.c. */
static struct device_health health;

static const uint8_t mock[18] = {7, 3, 0x18, 15, 25, 0, 10, 0, 0, 0, 20, 0, 0, 0, 30};

TEST(test_the_answer_of_the_kernels_test_module_is_decoded)
{
	char text[DEVICE_HEALTH_TEXT_SIZE];

	ck_assert_int_eq(device_health_parse(mock, sizeof(mock), &health), 0);
	ck_assert_double_eq(health.temperature_C, 25);
	ck_assert_double_eq(health.life_used_pct, 15);
	ck_assert_double_eq(health.corrected_errors, 50);
	ck_assert_uint_eq(health.state, 7 | STATE_TEMPERATURE_CRITICAL | STATE_ERRORS_WARNING);
	ck_assert_str_eq(device_health_text(health.state, text),
			 "to be replaced, maintenance needed, performance degraded, temperature "
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
	ck_assert_uint_eq(device_health_decode(0, levels[_i].additional).state, levels[_i].state);
	ck_assert_uint_eq(device_health_decode(0xF0, levels[_i].additional).state,
			  levels[_i].state);
}
