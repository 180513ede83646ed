/* SPDX-License-Identifier: BSD-3-Clause */
/* How many files this process may open. */
#ifndef CXLMON_LINUX_KERNEL_FILE_LIMIT_H
#define CXLMON_LINUX_KERNEL_FILE_LIMIT_H

#include <stdbool.h>

/*
 * Raises it: an event takes a file, and a count of a group of tasks, and a large machine has
 * thousands of each. False: it is at the limit already. Not to a limit of 10^9 files, as containers
 * have it, because some programs close all that could be.
 */
bool file_limit_raise(void);

#endif
