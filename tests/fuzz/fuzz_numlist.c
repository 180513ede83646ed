/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of numbers. Two lists with a comma between them are a list of both. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "fuzz.h"

static bool contains_in_parts(const char *list, size_t comma, unsigned number)
{
	char *first = strndup(list, comma);
	bool found;

	fuzz_require(first);
	found = numlist_contains(first, number) || numlist_contains(list + comma + 1, number);
	free(first);
	return found;
}

static bool valid_in_parts(const char *list, size_t comma)
{
	char *first = strndup(list, comma);
	bool valid;

	fuzz_require(first);
	valid = numlist_valid(first) && numlist_valid(list + comma + 1);
	free(first);
	return valid;
}

static void check_parts(const char *list, unsigned number)
{
	const size_t comma = strcspn(list, ",");

	if (!list[comma])
		return;
	fuzz_require(numlist_valid(list) == valid_in_parts(list, comma));
	if (numlist_valid(list))
		fuzz_require(numlist_contains(list, number) ==
			     contains_in_parts(list, comma, number));
}

#define LIMIT 64

/* Checks that the list has the same numbers as an ascending array. */
static void check_array(const char *list)
{
	unsigned *numbers;
	size_t count;
	const int rc = numlist_read(list, LIMIT, &numbers, &count);

	fuzz_require((rc == -EINVAL) == !numlist_valid(list));
	fuzz_require(!rc == !!numbers && !rc == !!count);
	for (unsigned n = 0, i = 0; !rc && n < LIMIT; n++) {
		const bool here = i < count && numbers[i] == n;

		fuzz_require(here == numlist_contains(list, n));
		i += here;
	}
	free(numbers);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	char *list = input_text(&in);
	const bool valid = numlist_valid(list);
	/* a list contains its first number */
	const unsigned long first = valid ? strtoul(list, NULL, 10) : 0;

	fuzz_require(!valid || !list[strspn(list, "0123456789,-")]);
	if (valid && first <= UINT32_MAX)
		fuzz_require(numlist_contains(list, (unsigned)first));
	for (unsigned number = 0; number < 16; number++) {
		fuzz_require(valid || !numlist_contains(list, number));
		check_parts(list, number);
	}
	check_array(list);
	free(list);
	return 0;
}
