/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Protocols of systemd, or of another service manager: notifications, sd_notify(3), and socket
 * activation, sd_listen_fds(3). They are stable, and documented for use without libsystemd.
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
 * Connects to the socket in the environment variable NOTIFY_SOCKET. Reads WATCHDOG_USEC if
 * WATCHDOG_PID is this process or unset. Returns 0, also without NOTIFY_SOCKET, or a negative errno
 * (ERROR_FAILED) if the socket cannot be used.
 */
int notify_open(struct notify *out, struct error *err);

/* Sends a state, such as "READY=1", if .fd is open. Never blocks, and ignores errors. */
void notify_send(const struct notify *notify, const char *state);

void notify_close(struct notify *notify);

/*
 * Takes the listening TCP socket that the service manager has passed to this process. *out is the
 * socket, non-blocking and close-on-exec, which the caller closes; -1: none was passed.
 * ERROR_USAGE: it passed several sockets, another kind of socket, or a LISTEN_FDS that is not a
 * number.
 *
 * Must be called before any file is opened. Unsets LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES: a
 * child that has them would take another file for a socket.
 */
int socket_activation_take(int *out, struct error *err);

#endif
