/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/model/event.h"

#include "uncore/model/model.h"
#include "unit.h"

TEST(test_code_umask_and_extended_umask_have_their_places_and_nothing_else_has_one)
{
	const struct event event = {.name = "EVENT",
				    .type = 12,
				    .code = 0x36,
				    .umask = 0x01,
				    .umask_ext = 0x10C81782,
				    .counters = 0xF0};

	ck_assert_uint_eq(event_control(&event), UINT64_C(0x10C8178200000136));
}

TEST(test_bits_16_to_31_stay_zero)
{
	const struct event event = {
		.type = 0xFFFF,
		.code = 0xFF,
		.umask = 0xFF,
		.umask_ext = UINT32_MAX,
		.counters = UINT32_MAX,
	};

	ck_assert_uint_eq(event_control(&event), UINT64_C(0xFFFFFFFF0000FFFF));
}

static const struct control_layout layout = {{
	[CONTROL_EDGE] = {18, 1},
	[CONTROL_THRESHOLD] = {23, 9},
	[CONTROL_PORT_ENABLE] = {32, 4},
}};

TEST(test_a_field_goes_up_to_what_its_bits_hold)
{
	ck_assert_uint_eq(control_max(&layout, CONTROL_EDGE), 1);
	ck_assert_uint_eq(control_max(&layout, CONTROL_THRESHOLD), 0x1FF);
	ck_assert_uint_eq(control_max(&layout, CONTROL_PORT_ENABLE), 0xF);
	ck_assert_uint_eq(control_max(&layout, CONTROL_TID), 0);
}

TEST(test_a_field_s_value_is_in_its_bits)
{
	ck_assert_uint_eq(control_bits(&layout, CONTROL_EDGE, 1), UINT64_C(1) << 18);
	ck_assert_uint_eq(control_bits(&layout, CONTROL_PORT_ENABLE, 5), UINT64_C(5) << 32);
	ck_assert_uint_eq(control_bits(&layout, CONTROL_TID, 0), 0);
}

TEST(test_the_mask_is_event_umask_and_the_fields)
{
	ck_assert_uint_eq(control_mask(&layout), UINT64_C(0xFFF84FFFF));
}

/* By kind, even if a user gives only the code. */
TEST(test_what_an_event_counts_is_limited_by_its_kind)
{
	const struct event raw = {.type = PMU_CHA, .code = 0x40},
			   occupancy = {.type = PMU_CHA, .code = 0x36},
			   inserts = {.type = PMU_CHA, .code = 0x35, .umask = 1},
			   other = {.type = PMU_IMC, .code = 0x36},
			   latency = {.type = PMU_L3, .code = 0xAC},
			   named = {.type = PMU_CHA, .code = 0x36, .limit = LIMIT_CLOCK};

	ck_assert_double_eq(event_max_rate(&raw).per_s, CLOCK_RATE * 1023);
	ck_assert_double_eq(event_max_rate(&raw).per_clock, 0);
	ck_assert_double_eq(event_max_rate(&other).per_s, CLOCK_RATE * 1023);
	ck_assert_double_eq(event_max_rate(&occupancy).per_s,
			    CLOCK_RATE * event_max_rate(&occupancy).per_clock);
	ck_assert_double_gt(event_max_rate(&occupancy).per_clock, 128);
	ck_assert_double_eq(event_max_rate(&inserts).per_s, CLOCK_RATE);
	ck_assert_double_eq(event_max_rate(&inserts).per_clock, 1);
	ck_assert_double_lt(event_max_rate(&latency).per_s, (double)(UINT64_C(1) << 40) / 10);
	ck_assert_double_eq(event_max_rate(&named).per_s, CLOCK_RATE);
}
