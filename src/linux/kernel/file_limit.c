/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/kernel/file_limit.h"

#include <sys/resource.h>

#define ENOUGH_FILES 65536 /* 8 groups of 8 events on each of 1024 units */

bool file_limit_raise(void)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_NOFILE, &limit))
		return false;
	const rlim_t raised = limit.rlim_max < ENOUGH_FILES ? limit.rlim_max : ENOUGH_FILES;
	if (limit.rlim_cur >= raised)
		return false;
	limit.rlim_cur = raised;
	return !setrlimit(RLIMIT_NOFILE, &limit);
}
