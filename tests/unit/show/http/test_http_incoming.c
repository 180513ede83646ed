/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages that the HTTP server reads; the test acts as cxlmon serve. */
#include "show/http/http_private.h"

#include <fcntl.h>

#include "session/session.h"
#include "unit.h"

static struct incoming in;
static struct message head;
static char *text;
static int ends[2];

static void set_up(void)
{
	in = (struct incoming){.text = NULL};
	text = NULL;
	ck_assert_int_eq(pipe2(ends, O_CLOEXEC | O_NONBLOCK), 0);
}

static void tear_down(void)
{
	incoming_free(&in);
	close(ends[0]);
	close(ends[1]);
}

FIXTURE(set_up, tear_down)

static void give(const void *bytes, size_t size)
{
	ck_assert_int_eq(write(ends[1], bytes, size), (ssize_t)size);
}

static int next(void)
{
	return incoming_next(&in, ends[0], &head, &text);
}

static void assert_next(enum exposition exposition, const char *expected)
{
	ck_assert_int_eq(next(), 1);
	ck_assert_uint_eq(head.exposition, exposition);
	ck_assert_uint_eq(head.size, strlen(expected));
	ck_assert_mem_eq(text, expected, strlen(expected));
	free(text);
}

TEST(test_a_message_is_taken_when_all_of_it_has_come)
{
	const struct message sent = {
		.exposition = EXPOSITION_PAGE, .size = 4, .interval_ns = SESSION_MAX_INTERVAL_NS};

	ck_assert_int_eq(next(), 0);
	give(&sent, 5);
	ck_assert_int_eq(next(), 0);
	give((const char *)&sent + 5, sizeof(sent) - 5);
	give("pa", 2);
	ck_assert_int_eq(next(), 0);
	give("ge", 2);
	assert_next(EXPOSITION_PAGE, "page");
	ck_assert_uint_eq(head.interval_ns, SESSION_MAX_INTERVAL_NS);
	ck_assert_int_eq(next(), 0);
}

TEST(test_what_a_stale_text_has_instead_follows_the_text)
{
	const struct message sent = {.exposition = EXPOSITION_PAGE,
				     .size = 4,
				     .stale_from = 1,
				     .stale_to = 3,
				     .stale_size = 2};

	give(&sent, sizeof(sent));
	give("page", 4);
	ck_assert_int_eq(next(), 0);
	give("OO", 2);
	ck_assert_int_eq(next(), 1);
	ck_assert_uint_eq(head.stale_size, 2);
	ck_assert_mem_eq(text, "pageOO", 6);
	free(text);
}

TEST(test_messages_come_one_after_another_until_the_sender_ends)
{
	const struct message empty = {.exposition = EXPOSITION_PAGE},
			     other = {.exposition = EXPOSITION_OPENMETRICS, .size = 1};

	give(&empty, sizeof(empty));
	give(&other, sizeof(other));
	give("x", 1);
	give(&other, sizeof(other));
	close(ends[1]);
	ends[1] = -1;
	assert_next(EXPOSITION_PAGE, "");
	assert_next(EXPOSITION_OPENMETRICS, "x");
	ck_assert_int_eq(next(), -EPIPE);
}

static const struct message wrong[] = {
	{.exposition = EXPOSITION_PROMETHEUS},
	{.exposition = UINT32_MAX},
	{.stale_to = 1},
	{.size = 2, .stale_from = 2, .stale_to = 1},
	{.size = 2, .stale_from = 1, .stale_to = 3},
	{.stale_size = MESSAGE_MAX_BYTES + 1},
	{.size = MESSAGE_MAX_BYTES + 1},
	{.size = UINT32_MAX},
	{.interval_ns = SESSION_MAX_INTERVAL_NS + 1},
};

TEST_LOOP(test_a_wrong_head_is_refused, COUNT(wrong))
{
	give(&wrong[_i], sizeof(wrong[_i]));
	give("text", 4);
	ck_assert_int_eq(next(), -EBADMSG);
	ck_assert_ptr_null(in.text);
}
