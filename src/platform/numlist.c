/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/numlist.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>

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

/* Parses the whole list; returns whether it is valid, and sets *found if it contains number. */
static bool parse_list(const char *list, unsigned long number, bool *found)
{
	for (;; list++) {
		unsigned long first, last;

		if (!parse_number(&list, &first))
			return false;
		last = first;
		if (*list == '-') {
			list++;
			if (!parse_number(&list, &last) || last < first)
				return false;
		}
		*found |= number >= first && number <= last;
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
