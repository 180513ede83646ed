/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/error.h"

#include "unit.h"

struct heard {
	unsigned count;
	enum log_level level;
	char text[1024];
};

static void hear(void *context, enum log_level level, const char *text)
{
	struct heard *heard = context;

	heard->count++;
	heard->level = level;
	snprintf(heard->text, sizeof(heard->text), "%s", text);
}

static const enum log_level levels[] = {LEVEL_WARNING, LEVEL_NOTE, LEVEL_DETAIL};

TEST_LOOP(test_a_remark_is_handed_on_with_its_level, COUNT_OF(levels))
{
	struct heard heard = {0};
	const struct log log = {.write = hear, .context = &heard};

	log_write(&log, levels[_i], "unit %u is %s", 3U, "dead");
	ck_assert_uint_eq(heard.count, 1);
	ck_assert_int_eq(heard.level, levels[_i]);
	ck_assert_str_eq(heard.text, "unit 3 is dead");
}

TEST(test_a_remark_too_long_is_cut)
{
	struct heard heard = {0};
	const struct log log = {.write = hear, .context = &heard};

	log_write(&log, LEVEL_NOTE, "%01000d", 1);
	ck_assert_uint_eq(strlen(heard.text), 511);
}

TEST(test_a_remark_is_one_line_whatever_is_quoted_in_it)
{
	struct heard heard = {0};
	const struct log log = {.write = hear, .context = &heard};

	log_write(&log, LEVEL_NOTE, "'%s'", "a\nb\x1b[2J\x7f");
	ck_assert_str_eq(heard.text, "'a?b?[2J?'");
}

TEST(test_a_remark_is_made_once_where_that_is_asked_for)
{
	struct heard heard = {0};
	struct once_log once = {.next = {.write = hear, .context = &heard}};
	const struct log log = once_log_as_log(&once);

	log_write(&log, LEVEL_NOTE, "first");
	log_write(&log, LEVEL_DETAIL, "second");
	log_write(&log, LEVEL_NOTE, "first");
	ck_assert_uint_eq(heard.count, 2);
	ck_assert_str_eq(heard.text, "second");
	log_write(&log, LEVEL_NOTE, "third");
	ck_assert_uint_eq(heard.count, 3);
	once_log_free(&once);
}

TEST(test_a_log_without_a_writer_drops_every_remark)
{
	struct heard heard = {0};
	const struct log log = {.write = NULL, .context = &heard};

	log_write(&log, LEVEL_WARNING, "unheard");
	ck_assert_uint_eq(heard.count, 0);
}
