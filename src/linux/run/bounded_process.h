/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Child processes within limits. Each reads one thing, whose reading another user may make endless.
 * Nobody waits for such a child to end: if a file system does not answer, even a killed process
 * stays.
 */
#ifndef CXLMON_LINUX_RUN_BOUNDED_PROCESS_H
#define CXLMON_LINUX_RUN_BOUNDED_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

struct bounded_limits {
	unsigned seconds;      /* time from the fork on, s */
	unsigned cpu_seconds;  /* CPU time, s; 0: no limit */
	uint64_t memory_bytes; /* address space; 0: no limit */
};

struct bounded_process {
	int socket;	      /* this process's end of a packet_pair(); -1: none */
	uint64_t deadline_ns; /* end of the child's time, clock_monotonic(); 0 in the child */
};

/*
 * Forks. Returns the child's id, 0 in the child, or a negative errno.
 *
 * The child keeps two descriptors: its socket and kept, which may be negative. It cannot start
 * processes, unless it is root. It is killed when its parent ends, and at a limit of time; more
 * memory than the limit is refused to it.
 *
 * The parent must ignore SIGCHLD, and close out->socket. POLLHUP of this socket shows that the
 * child has ended; messages that it sent before can still be read.
 */
pid_t bounded_fork(const struct bounded_limits *limits, int kept, struct bounded_process *out);

#endif
