/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts of allocations by the program and its tests; libraries are not counted. */
#ifndef CXLMON_TEST_ALLOCATIONS_H
#define CXLMON_TEST_ALLOCATIONS_H

#include <stddef.h>

/* Returns the number of allocations since the start of this process. */
size_t allocations_so_far(void);

/* Makes the nth allocation from now on fail, from 1; 0: none. */
void allocations_fail(size_t nth);

#endif
