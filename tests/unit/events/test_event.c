/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/event.h"

#include "suites.h"

START_TEST(test_code_umask_and_extended_umask_have_their_places)
{
	const struct event event = {.code = 0x36, .umask = 0x01, .umask_ext = 0x10C81782};

	ck_assert_uint_eq(event_control(&event), UINT64_C(0x10C8178200000136));
}
END_TEST

START_TEST(test_bits_16_to_31_stay_zero)
{
	const struct event event = {
		.box = 0xFFFF,
		.code = 0xFF,
		.umask = 0xFF,
		.umask_ext = UINT32_MAX,
		.counters = UINT32_MAX,
	};

	ck_assert_uint_eq(event_control(&event), UINT64_C(0xFFFFFFFF0000FFFF));
}
END_TEST

START_TEST(test_box_and_counters_do_not_show_in_the_control)
{
	const struct event event = {.name = "EVENT", .box = 12, .counters = 0xF0};

	ck_assert_uint_eq(event_control(&event), 0);
}
END_TEST

Suite *suite_event(void)
{
	Suite *suite = suite_create("event");
	TCase *tc = tcase_create("control");

	tcase_add_test(tc, test_code_umask_and_extended_umask_have_their_places);
	tcase_add_test(tc, test_bits_16_to_31_stay_zero);
	tcase_add_test(tc, test_box_and_counters_do_not_show_in_the_control);
	suite_add_tcase(suite, tc);
	return suite;
}
