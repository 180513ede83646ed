/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/progress.h"

#include <inttypes.h>

#include "base/number.h"
#include "unit.h"

#define CLEARED "\r\033[K"
#define MS	UINT64_C(1000000)

/* Not a terminal, so that its width is 80 columns. */
static FILE *terminal;
static struct log log_of_terminal;
static struct progress progress;

static void write_line(void *context, enum log_level level, const char *text)
{
	(void)context;
	fprintf(terminal, "%d %s\n", level, text);
}

static void set_up(void)
{
	terminal = tmpfile();
	ck_assert_ptr_nonnull(terminal);
	log_of_terminal = (struct log){.write = write_line};
	progress_begin(&progress, terminal, &log_of_terminal);
}

static void tear_down(void)
{
	fclose(terminal);
}

FIXTURE(set_up, tear_down)

static void assert_written(const char *expected)
{
	char text[512];

	rewind(terminal);
	text[fread(text, 1, sizeof(text) - 1, terminal)] = '\0';
	ck_assert_str_eq(text, expected);
}

static const struct {
	uint64_t ns;
	const char *line;
} lefts[] = {
	{0, "0 s left: node 1"},
	{1, "1 s left: node 1"},
	{12 * NS_PER_S, "12 s left: node 1"},
	{60 * NS_PER_S, "1 min 0 s left: node 1"},
	{200 * NS_PER_S - 1, "3 min 20 s left: node 1"},
	{7505 * NS_PER_S, "2 h 5 min left: node 1"},
	{PROGRESS_UNKNOWN, "node 1"},
};

TEST_LOOP(test_the_time_left_is_rounded_up_and_shown_first, COUNT(lefts))
{
	char expected[80];

	progress_show(&progress, lefts[_i].ns, "node %d", 1);
	snprintf(expected, sizeof(expected), CLEARED "%s", lefts[_i].line);
	assert_written(expected);
}

TEST(test_each_line_replaces_the_one_before_and_none_is_left)
{
	progress_show(&progress, 2 * NS_PER_S, "a");
	progress_show(&progress, NS_PER_S, "b");
	progress_end(&progress);
	progress_end(&progress);
	assert_written(CLEARED "2 s left: a" CLEARED "1 s left: b" CLEARED);
}

TEST(test_words_that_do_not_fit_are_left_out_whole)
{
	progress_show(&progress, NS_PER_S,
		      "sixteen letters, sixteen letters, sixteen letters, sixteen letters, letter");
	/* a word more would reach the last column */
	assert_written(CLEARED "1 s left: sixteen letters, sixteen letters, sixteen letters, "
			       "sixteen letters,");
}

TEST(test_a_message_replaces_the_line)
{
	log_write(&progress.log, LEVEL_NOTE, "first");
	progress_show(&progress, NS_PER_S, "a");
	log_write(&progress.log, LEVEL_WARNING, "%s", "second");
	assert_written("1 first\n" CLEARED "1 s left: a" CLEARED "0 second\n");
}

TEST(test_without_a_terminal_only_messages_are_written)
{
	progress_begin(&progress, NULL, &log_of_terminal);
	progress_show(&progress, NS_PER_S, "a");
	progress_start(&progress, 0);
	ck_assert(!progress_is_due(&progress, 100 * NS_PER_S));
	log_write(&progress.log, LEVEL_NOTE, "first");
	progress_end(&progress);
	assert_written("1 first\n");
}

TEST(test_a_quiet_run_has_no_terminal_for_its_progress)
{
	ck_assert_ptr_null(progress_terminal(QUIET));
}

TEST(test_nothing_is_shown_in_the_first_second_and_then_five_lines_per_second)
{
	const uint64_t start = 7 * NS_PER_S;
	size_t lines = 0;

	progress_start(&progress, start);
	ck_assert(!progress_is_due(&progress, start + 999 * MS));
	for (uint64_t ms = 1000; ms < 2000; ms++)
		lines += progress_is_due(&progress, start + ms * MS);
	ck_assert_uint_eq(lines, 5);
}

TEST(test_the_time_left_is_that_of_the_rest_at_the_speed_so_far)
{
	progress_start(&progress, 5 * NS_PER_S);
	/* a quarter in 2 s */
	ck_assert_uint_eq(progress_left(&progress, 7 * NS_PER_S, 25, 100), 6 * NS_PER_S);
	ck_assert_uint_eq(progress_left(&progress, 7 * NS_PER_S, 100, 100), 0);
	/* a file grows while it is read */
	ck_assert_uint_eq(progress_left(&progress, 7 * NS_PER_S, 101, 100), 0);
}

TEST(test_the_time_left_is_unknown_without_a_whole_or_before_the_first_part)
{
	progress_start(&progress, 0);
	ck_assert_uint_eq(progress_left(&progress, NS_PER_S, 25, 0), PROGRESS_UNKNOWN);
	ck_assert_uint_eq(progress_left(&progress, NS_PER_S, 0, 100), PROGRESS_UNKNOWN);
}
