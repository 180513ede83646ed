/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Child processes for reads that another user may make endless. Each does one thing, within limits.
 * A file system that does not answer keeps even a killed process, so nobody waits for one to end.
 */
#ifndef CXLMON_LINUX_RUN_BOUNDED_PROCESS_H
#define CXLMON_LINUX_RUN_BOUNDED_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

struct bounded_limits {
	unsigned seconds;
	unsigned cpu_seconds;  /* 0: no limit */
	uint64_t memory_bytes; /* address space; 0: no limit */
};

struct bounded_process {
	int socket;	      /* receives data from the child; -1: none */
	uint64_t deadline_ns; /* end of the child's time, by clock_monotonic() */
};

/*
 * Forks, as fork() does. The child keeps only two descriptors: its socket, and kept unless
 * negative. It cannot start processes unless it is root. It is killed at a limit and when its
 * parent ends. The parent ignores SIGCHLD, sees by POLLHUP of out->socket that the child has ended,
 * can still read what the child sent, and closes the socket. Returns a negative errno on failure.
 */
pid_t bounded_fork(const struct bounded_limits *limits, int kept, struct bounded_process *out);

#endif
