/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of numbers in the kernel's list format: "0", "0,2", "0-3,8-11". */
#ifndef CXLMON_NUMLIST_H
#define CXLMON_NUMLIST_H

#include <stdbool.h>
#include <stddef.h>

/* Large enough for any list in sysfs, whose files are at most one page. */
#define NUMLIST_SIZE 4097

/* Whether list is well-formed and not empty. */
bool numlist_valid(const char *list);

/* Whether number is in the list; false if the list is not valid. */
bool numlist_contains(const char *list, unsigned number);

/*
 * The numbers of the list, ascending, each once. -EINVAL: the list is not valid. -ERANGE: it has a
 * number that is not below limit. *out is freed by the caller.
 */
int numlist_read(const char *list, unsigned limit, unsigned **out, size_t *count);

#endif
