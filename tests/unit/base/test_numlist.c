/* SPDX-License-Identifier: BSD-3-Clause */
#include "base/text.h"

#include <limits.h>

#include "unit.h"

static const struct {
	const char *list;
	unsigned number;
	bool contained;
} lists[] = {
	{"0", 0, true},
	{"0", 1, false},
	{"0,2", 1, false},
	{"0,2", 2, true},
	{"0-3", 0, true},
	{"0-3", 3, true},
	{"0-3", 4, false},
	{"0-3,8-11", 5, false},
	{"0-3,8-11", 8, true},
	{"0-3,8-11", 11, true},
	{"0-3,8-11", 12, false},
	{"5-5", 5, true},
	{"8-11,0-3", 2, true},
	{"007", 7, true},
	{"4294967295", UINT_MAX, true},
	{"0-4294967295", UINT_MAX, true},
	{"12", 1, false},
	{"1,2,3,1", 3, true},
};

TEST_LOOP(test_a_list_contains_its_numbers_and_ranges, COUNT_OF(lists))
{
	ck_assert(numlist_valid(lists[_i].list));
	ck_assert_int_eq(numlist_contains(lists[_i].list, lists[_i].number), lists[_i].contained);
}

static const char *const invalid[] = {
	"",  ",",  "1,",  ",1", "1,,2", "-",	"-1", "1-",  "1--2", "3-1", "1-2-3",
	"a", "1a", "0x1", " 1", "1 ",	"1, 2", "+1", "1\n", "1;2",  "1.5", "99999999999999999999",
};

TEST_LOOP(test_what_is_no_list_contains_nothing, COUNT_OF(invalid))
{
	ck_assert(!numlist_valid(invalid[_i]));
	for (unsigned n = 0; n < 4; n++)
		ck_assert(!numlist_contains(invalid[_i], n));
}

static const struct {
	const char *list;
	int rc;
	size_t count;
	unsigned numbers[8];
} read_lists[] = {
	{"0", 0, 1, {0}},
	{"0,64", 0, 2, {0, 64}},
	{"8-10,0-3", 0, 7, {0, 1, 2, 3, 8, 9, 10}},
	{"3,3,2-4", 0, 3, {2, 3, 4}},
	{"99", 0, 1, {99}},
	{"100", -ERANGE, 0, {0}},
	{"0-100", -ERANGE, 0, {0}},
	{"0-18446744073709551615", -ERANGE, 0, {0}},
	{"", -EINVAL, 0, {0}},
	{"1,", -EINVAL, 0, {0}},
	{"200,x", -EINVAL, 0, {0}},
};

TEST_LOOP(test_numbers_are_read_ascending_up_to_a_limit, COUNT_OF(read_lists))
{
	unsigned *numbers;
	size_t count;

	ck_assert_int_eq(numlist_read(read_lists[_i].list, 100, &numbers, &count),
			 read_lists[_i].rc);
	ck_assert_uint_eq(count, read_lists[_i].count);
	for (size_t i = 0; i < count; i++)
		ck_assert_uint_eq(numbers[i], read_lists[_i].numbers[i]);
	free(numbers);
}
