/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/numlist.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool parse_number(const char **at, unsigned long *value)
{
	char *end;

	if (!isdigit((unsigned char)**at))
		return false;
	errno = 0;
	*value = strtoul(*at, &end, 10);
	*at = end;
	return !errno;
}

/* One number, or two with a '-' between them, both inclusive. */
struct range {
	unsigned long first, last;
};

static bool parse_range(const char **at, struct range *range)
{
	if (!parse_number(at, &range->first))
		return false;
	range->last = range->first;
	if (**at != '-')
		return true;
	++*at;
	return parse_number(at, &range->last) && range->last >= range->first;
}

/* Parses the whole list; returns whether it is valid, and sets *found if it contains number. */
static bool parse_list(const char *list, unsigned long number, bool *found)
{
	for (;; list++) {
		struct range range;

		if (!parse_range(&list, &range))
			return false;
		*found |= number >= range.first && number <= range.last;
		if (*list != ',')
			return !*list;
	}
}

bool numlist_valid(const char *list)
{
	bool found = false;
	return parse_list(list, 0, &found);
}

bool numlist_contains(const char *list, unsigned number)
{
	bool found = false;
	return parse_list(list, number, &found) && found;
}

/* Of a valid list. False: it has a number that is too high. */
static bool mark_numbers(const char *list, bool *marked, unsigned limit)
{
	for (;; list++) {
		struct range range = {0};

		parse_range(&list, &range);
		if (range.last >= limit)
			return false;
		memset(marked + range.first, true, range.last - range.first + 1);
		if (!*list)
			return true;
	}
}

/* Returns how many of the numbers below limit are marked; out may be NULL. */
static size_t list_marked(const bool *marked, unsigned limit, unsigned *out)
{
	size_t count = 0;

	for (unsigned n = 0; n < limit; n++) {
		if (!marked[n])
			continue;
		if (out)
			out[count] = n;
		count++;
	}
	return count;
}

int numlist_read(const char *list, unsigned limit, unsigned **out, size_t *count)
{
	*out = NULL;
	*count = 0;
	if (!numlist_valid(list))
		return -EINVAL;
	bool *marked = calloc(limit, sizeof(*marked));
	int rc = !marked ? -ENOMEM : mark_numbers(list, marked, limit) ? 0 : -ERANGE;

	if (!rc) {
		*count = list_marked(marked, limit, NULL);
		*out = calloc(*count, sizeof(**out));
		rc = *out ? 0 : -ENOMEM;
	}
	if (*out)
		list_marked(marked, limit, *out);
	else
		*count = 0;
	free(marked);
	return rc;
}
