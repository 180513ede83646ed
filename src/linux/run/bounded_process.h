/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Child processes for what a stranger may make endless: each does one thing, with limits. A file
 * system that does not answer keeps even a killed process, so that nobody waits for its end.
 */
#ifndef CXLMON_LINUX_RUN_BOUNDED_PROCESS_H
#define CXLMON_LINUX_RUN_BOUNDED_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

struct bounded_limits {
	unsigned seconds;
	unsigned cpu_seconds;  /* 0: any */
	uint64_t memory_bytes; /* of addresses; 0: any */
};

struct bounded_process {
	int socket;	      /* what the child has sent; -1: none */
	uint64_t deadline_ns; /* by clock_monotonic(): then its time is over */
};

/*
 * Forks, as fork() does. The child has one descriptor, out->socket, and kept, unless that is
 * negative; it cannot start processes, unless it is root, and is killed at a limit and when its
 * parent ends. The parent, which ignores SIGCHLD, sees that it has ended by POLLHUP of out->socket;
 * what was sent is still there, and the parent closes it. A negative errno: failed.
 */
pid_t bounded_fork(const struct bounded_limits *limits, int kept, struct bounded_process *out);

#endif
