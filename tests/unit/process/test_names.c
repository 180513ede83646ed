/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/names.h"

#include <stdio.h>

#include "unit.h"

static struct process_names names;

static void begin(void)
{
	ck_assert_int_eq(process_names_init(&names), 0);
}

static void end(void)
{
	process_names_free(&names);
}

FIXTURE(begin, end)

static const char *number_name(unsigned number)
{
	static char name[32];

	snprintf(name, sizeof(name), "name %u", number);
	return name;
}

TEST(test_a_name_has_one_number_whoever_adds_it)
{
	const uint32_t number = process_names_add(&names, 1, "work");

	ck_assert_uint_ne(number, NAME_UNKNOWN);
	ck_assert_uint_eq(process_names_add(&names, 2, "work"), number);
	ck_assert_str_eq(process_name(&names, number), "work");
	ck_assert_uint_eq(process_names_add(&names, 1, ""), NAME_UNKNOWN);
	ck_assert_str_eq(process_name(&names, NAME_UNKNOWN), "");
}

/* Names in a recording were checked against shares when it was made. */
TEST(test_recorded_names_are_of_nobody)
{
	for (unsigned i = 1; i < NAMES_MOST; i++)
		ck_assert_uint_eq(process_names_add_recorded(&names, number_name(i)), i);
	ck_assert_uint_eq(process_names_add_recorded(&names, "further"), NAME_UNKNOWN);
	ck_assert_uint_eq(names.left_out, 1);
	ck_assert_uint_eq(process_names_add_recorded(&names, "name 7"), 7);
}

TEST(test_a_sweep_leaves_the_names_that_are_used)
{
	const uint32_t used = process_names_add(&names, 1, "used"),
		       unused = process_names_add(&names, 1, "unused");

	process_names_use(&names, used);
	process_names_sweep(&names);
	ck_assert_uint_eq(names.count, 2);
	ck_assert_str_eq(process_name(&names, used), "used");
	ck_assert_uint_eq(process_names_add(&names, 2, "used"), used);
	/* the number of a removed name is reused */
	ck_assert_uint_eq(process_names_add(&names, 2, "other"), unused);
	process_names_sweep(&names);
	ck_assert_uint_eq(names.count, 1);
}

TEST(test_a_user_has_room_again_after_a_sweep)
{
	for (unsigned i = 0; i < NAMES_MOST; i++)
		process_names_add(&names, 1, number_name(i));
	ck_assert(process_names_are_many(&names));
	ck_assert_uint_eq(process_names_add(&names, 1, "refused"), NAME_UNKNOWN);
	ck_assert_uint_ne(process_names_add(&names, 2, "of another user"), NAME_UNKNOWN);
	process_names_sweep(&names);
	ck_assert_uint_eq(names.share.used, 0);
	ck_assert(!process_names_are_many(&names));
	for (unsigned i = 0; i < NAMES_MOST / 2 - 1; i++)
		ck_assert_uint_ne(process_names_add(&names, 1, number_name(i)), NAME_UNKNOWN);
}
