/* SPDX-License-Identifier: BSD-3-Clause */
/* How often the program and its tests have asked for memory; libraries are not counted. */
#ifndef CXLMON_TEST_ALLOCATIONS_H
#define CXLMON_TEST_ALLOCATIONS_H

#include <stddef.h>

/* Since the start of this process. */
size_t allocations_so_far(void);

/* The nth from now on fails; 0: none does. */
void allocations_fail(size_t nth);

#endif
