/* SPDX-License-Identifier: BSD-3-Clause */
#include "screen/held.h"

#include <stdio.h>

#include "suites.h"
#include "support.h"

static char heard[64 * 1024];
static struct held held;
static struct log behind, l;

static void hear(void *context, enum log_level level, const char *text)
{
	const size_t length = strlen(heard);

	(void)context;
	snprintf(heard + length, sizeof(heard) - length, "%d %s\n", (int)level, text);
}

static void set_up(void)
{
	heard[0] = '\0';
	behind = (struct log){.write = hear};
	held_init(&held, &behind);
	l = held_log(&held);
}

START_TEST(test_messages_pass_until_they_are_held)
{
	log_write(&l, LEVEL_WARNING, "one");
	ck_assert_str_eq(heard, "0 one\n");
	held_hold(&held);
	log_write(&l, LEVEL_WARNING, "two");
	log_write(&l, LEVEL_DETAIL, "three");
	ck_assert_str_eq(heard, "0 one\n");
	held_release(&held);
	ck_assert_str_eq(heard, "0 one\n0 two\n2 three\n");
	log_write(&l, LEVEL_NOTE, "four");
	held_release(&held);
	ck_assert_str_eq(heard, "0 one\n0 two\n2 three\n1 four\n");
}
END_TEST

START_TEST(test_last_message_is_no_detail)
{
	char text[32];

	held_hold(&held);
	held_last(&held, text, sizeof(text));
	ck_assert_str_eq(text, "");
	log_write(&l, LEVEL_WARNING, "something is wrong");
	log_write(&l, LEVEL_DETAIL, "a detail");
	held_last(&held, text, sizeof(text));
	ck_assert_str_eq(text, "something is wrong");
}
END_TEST

START_TEST(test_details_leave_room_for_warnings_and_what_is_dropped_is_counted)
{
	held_hold(&held);
	for (unsigned i = 0; i < HELD_MOST; i++)
		log_write(&l, LEVEL_DETAIL, "detail %u.", i);
	for (unsigned i = 0; i < HELD_MOST; i++)
		log_write(&l, LEVEL_WARNING, "warning %u.", i);
	held_release(&held);
	assert_contains(heard, "detail 15.\n0 warning 0.");
	assert_contains(heard, "warning 15.\n0 32 further messages were dropped\n");
	assert_lacks(heard, "warning 16.");
}
END_TEST

Suite *suite_held(void)
{
	Suite *suite = suite_create("held");
	TCase *tc = tcase_create("held");

	tcase_add_checked_fixture(tc, set_up, NULL);
	tcase_add_test(tc, test_messages_pass_until_they_are_held);
	tcase_add_test(tc, test_last_message_is_no_detail);
	tcase_add_test(tc, test_details_leave_room_for_warnings_and_what_is_dropped_is_counted);
	suite_add_tcase(suite, tc);
	return suite;
}
