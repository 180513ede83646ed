/* SPDX-License-Identifier: BSD-3-Clause */
/* The socket pair of helper_fork() for packets, in one process. */
#ifndef CXLMON_TESTS_PACKET_PAIR_H
#define CXLMON_TESTS_PACKET_PAIR_H

#include <errno.h>
#include <sys/socket.h>

/* Opens both ends, which the caller closes. 0 or a negative errno. */
static inline int packet_pair(int ends[2])
{
	return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends) ? -errno
											   : 0;
}

#endif
