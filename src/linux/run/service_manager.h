/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * systemd, or any other service manager with its protocols: notifications, sd_notify(3), and socket
 * activation, sd_listen_fds(3). These are stable and documented for use without libsystemd, whose
 * dependencies (gcrypt, lzma, lz4, zstd) would be loaded into every run for one datagram.
 */
#ifndef CXLMON_LINUX_RUN_SERVICE_MANAGER_H
#define CXLMON_LINUX_RUN_SERVICE_MANAGER_H

#include <stdint.h>

#include "base/error.h"

struct notify {
	int fd;		      /* connected socket; -1: no service manager */
	uint64_t watchdog_ns; /* "WATCHDOG=1" must be sent within this time; 0: no watchdog */
};

/*
 * Connects to NOTIFY_SOCKET, and reads WATCHDOG_USEC if WATCHDOG_PID is this process or unset.
 * ERROR_FAILED: NOTIFY_SOCKET is set but cannot be used.
 */
int notify_open(struct notify *out, struct error *err);

/* Sends "READY=1", "WATCHDOG=1" or "STOPPING=1". Never blocks; errors are ignored. */
void notify_send(const struct notify *notify, const char *state);

void notify_close(struct notify *notify);

/*
 * Takes the listening TCP socket that was passed. *out: the socket, which the caller closes; -1:
 * none. It is non-blocking and close-on-exec. Unsets LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES: a
 * child that has them would take another file for a socket. Call before any file is opened.
 * ERROR_USAGE: anything else than one such socket was passed.
 */
int socket_activation_take(int *out, struct error *err);

#endif
