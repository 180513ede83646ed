/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/close_files.h"

#include <fcntl.h>
#include <linux/close_range.h>
#include <unistd.h>

/* Kernels before 5.9 lack close_range(), and before 5.11 its flag. */
void close_files(int first, bool on_exec)
{
	const int limit = (int)sysconf(_SC_OPEN_MAX);

	if (!close_range((unsigned)first, ~0U, on_exec ? CLOSE_RANGE_CLOEXEC : 0))
		return;
	for (int fd = first; fd < limit; fd++) {
		if (on_exec)
			fcntl(fd, F_SETFD, FD_CLOEXEC);
		else
			close(fd);
	}
}
