/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Socket activation: a socket that systemd, or any other service manager with its protocol, has
 * opened before it started this process: sd_listen_fds(3). Without libsystemd, as in notify.h.
 */
#ifndef CXLMON_SOCKET_ACTIVATION_H
#define CXLMON_SOCKET_ACTIVATION_H

#include "platform/error.h"

/*
 * The listening TCP socket that was passed, which the caller closes; -1: none. It is non-blocking
 * and close-on-exec. Unsets LISTEN_PID, LISTEN_FDS and LISTEN_FDNAMES: a child that has them would
 * take another file for a socket. Call before any file is opened. EXIT_USAGE: what was passed is
 * not one such socket.
 */
int socket_activation_take(int *out, struct error *err);

#endif
