/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/run/file_lock.h"

#include <errno.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <time.h>

#include "linux/kernel/clock.h"

#define RETRY_NS 10000000 /* too short to be noticed, and a hundred system calls a second */

int file_lock_wait(int fd, uint64_t timeout_ns)
{
	const struct timespec pause = {.tv_nsec = RETRY_NS};
	const uint64_t deadline = clock_monotonic() + timeout_ns;

	while (flock(fd, LOCK_EX | LOCK_NB)) {
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		if (clock_monotonic() >= deadline)
			return -EWOULDBLOCK;
		nanosleep(&pause, NULL);
	}
	return 0;
}

/*
 * A line of /proc/locks is
 * "1: FLOCK  ADVISORY  WRITE 708 00:18:1023 0 EOF": proc_locks(5)
 */
pid_t file_lock_holder(int fd)
{
	FILE *locks = fopen("/proc/locks", "re");
	unsigned long long inode;
	unsigned major_number, minor_number;
	char line[256];
	struct stat st;
	pid_t holder = 0;
	int pid;

	if (!locks)
		return 0;
	while (!fstat(fd, &st) && !holder && fgets(line, sizeof(line), locks))
		if (sscanf(line, "%*u: FLOCK %*s %*s %d %x:%x:%llu", &pid, &major_number,
			   &minor_number, &inode) == 4 &&
		    inode == st.st_ino && major_number == major(st.st_dev) &&
		    minor_number == minor(st.st_dev))
			holder = pid;
	fclose(locks);
	return holder > 0 ? holder : 0;
}
