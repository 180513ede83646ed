/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/mark.h"

#include "unit.h"

static struct marks marks;

static void set_up(void)
{
	marks = (struct marks){.count = 0};
}

FIXTURE(set_up, NULL)

TEST(test_a_mark_is_one_line_of_printable_text)
{
	char line[MARK_LINE_SIZE];

	marks_add(&marks, 5, MARK_OTHER, "mem\033[1", "bad\n%s", "\xff");
	ck_assert_uint_eq(marks.count, 1);
	ck_assert_str_eq(mark_line(&marks.items[0], line), "mem?[1: bad??");
}

TEST(test_marks_without_room_are_counted)
{
	struct marks all = {.count = 0};

	for (unsigned i = 0; i < MARKS_MOST + 2; i++)
		marks_add(&marks, i, MARK_OTHER, "", "%u", i);
	ck_assert_uint_eq(marks.count, MARKS_MOST);
	ck_assert_uint_eq(marks.more, 2);
	marks_add(&all, 1, MARK_OTHER, "", "first");
	marks_append(&all, &marks);
	ck_assert_uint_eq(all.count, MARKS_MOST);
	ck_assert_uint_eq(all.more, 3);
}

TEST(test_kinds_have_names)
{
	for (unsigned kind = 0; kind < MARK_KINDS; kind++)
		ck_assert_int_eq(mark_kind_find(mark_kind_name(kind)), kind);
	ck_assert_int_eq(mark_kind_find("of a later version"), MARK_OTHER);
}
