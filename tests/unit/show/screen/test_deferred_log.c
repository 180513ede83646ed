/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/screen.h"

#include "unit.h"

static char written[64 * 1024];
static struct deferred_log deferred;
static struct log next, l;

static void write_text(void *context, enum log_level level, const char *text)
{
	const size_t length = strlen(written);

	(void)context;
	snprintf(written + length, sizeof(written) - length, "%d %s\n", (int)level, text);
}

static void set_up(void)
{
	written[0] = '\0';
	next = (struct log){.write = write_text};
	deferred_log_init(&deferred, &next);
	l = deferred_log_as_log(&deferred);
}

FIXTURE(set_up, NULL)

TEST(test_messages_pass_until_they_are_deferred)
{
	log_write(&l, LEVEL_WARNING, "one");
	ck_assert_str_eq(written, "0 one\n");
	deferred_log_defer(&deferred);
	log_write(&l, LEVEL_WARNING, "two");
	log_write(&l, LEVEL_DETAIL, "three");
	ck_assert_str_eq(written, "0 one\n");
	deferred_log_flush(&deferred);
	ck_assert_str_eq(written, "0 one\n0 two\n2 three\n");
	log_write(&l, LEVEL_NOTE, "four");
	deferred_log_flush(&deferred);
	ck_assert_str_eq(written, "0 one\n0 two\n2 three\n1 four\n");
}

TEST(test_last_message_is_no_detail)
{
	char text[32];

	deferred_log_last(&deferred, text, sizeof(text));
	ck_assert_str_eq(text, "");
	log_write(&l, LEVEL_NOTE, "before the screen");
	deferred_log_defer(&deferred);
	deferred_log_last(&deferred, text, sizeof(text));
	ck_assert_str_eq(text, "before the screen");
	log_write(&l, LEVEL_WARNING, "something is wrong");
	log_write(&l, LEVEL_DETAIL, "a detail");
	deferred_log_last(&deferred, text, sizeof(text));
	ck_assert_str_eq(text, "something is wrong");
}

TEST(test_details_leave_room_for_warnings_and_what_is_dropped_is_counted)
{
	deferred_log_defer(&deferred);
	for (unsigned i = 0; i < DEFERRED_LOG_MESSAGES; i++)
		log_write(&l, LEVEL_DETAIL, "detail %u.", i);
	for (unsigned i = 0; i < DEFERRED_LOG_MESSAGES; i++)
		log_write(&l, LEVEL_WARNING, "warning %u.", i);
	deferred_log_flush(&deferred);
	assert_contains(written, "detail 15.\n0 warning 0.");
	assert_contains(written, "warning 15.\n0 32 further messages were dropped\n");
	assert_lacks(written, "warning 16.");
}
