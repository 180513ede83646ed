/* SPDX-License-Identifier: BSD-3-Clause */
/* Lists of numbers as the kernel and its tools write them: "0", "0,2", "0-3,8-11". */
#ifndef CXLMON_NUMLIST_H
#define CXLMON_NUMLIST_H

#include <stdbool.h>

/* Room for any list of CPUs that the kernel prints: sysfs files end at a page. */
#define NUMLIST_SIZE 4097

/* An empty list is not one. */
bool numlist_valid(const char *list);

/* False, too, where the list is not valid. */
bool numlist_contains(const char *list, unsigned number);

#endif
