/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Child processes, each of which reads one thing, within limits: another user may make the read
 * endless. Nobody waits for such a child to end, because a file system that does not answer keeps
 * even a killed process.
 */
#ifndef CXLMON_LINUX_RUN_BOUNDED_PROCESS_H
#define CXLMON_LINUX_RUN_BOUNDED_PROCESS_H

#include <stdint.h>
#include <sys/types.h>

struct bounded_limits {
	unsigned seconds;      /* time from the fork on */
	unsigned cpu_seconds;  /* CPU time; 0: no limit */
	uint64_t memory_bytes; /* address space; 0: no limit */
};

struct bounded_process {
	int socket; /* SOCK_SEQPACKET socket to the other process, in each its own; -1: none */
	uint64_t deadline_ns; /* in the parent: end of the child's time, by clock_monotonic() */
};

/*
 * Forks. Returns the child's id, 0 in the child, or a negative errno.
 *
 * The child keeps only two descriptors: its socket and, unless it is negative, kept. The child
 * cannot start processes, unless it is root. It is killed at a limit, and when its parent ends.
 *
 * The parent must ignore SIGCHLD, and close out->socket. POLLHUP of this socket shows that the
 * child has ended; messages that it sent before can still be read.
 */
pid_t bounded_fork(const struct bounded_limits *limits, int kept, struct bounded_process *out);

#endif
