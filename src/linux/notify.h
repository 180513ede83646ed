/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Notifications to systemd, or any other service manager with its protocol: sd_notify(3). The
 * protocol is stable and documented for use without libsystemd, whose dependencies (gcrypt, lzma,
 * lz4, zstd) would be loaded into every run for one datagram.
 */
#ifndef CXLMON_NOTIFY_H
#define CXLMON_NOTIFY_H

#include <stdint.h>

#include "platform/error.h"

struct notify {
	int fd;		      /* connected socket; -1: no service manager */
	uint64_t watchdog_ns; /* "WATCHDOG=1" must be sent within this time; 0: no watchdog */
};

/*
 * Connects to NOTIFY_SOCKET, and reads WATCHDOG_USEC if WATCHDOG_PID is this process or unset.
 * EXIT_FAILED: NOTIFY_SOCKET is set but cannot be used.
 */
int notify_open(struct notify *out, struct error *err);

/* "READY=1", "WATCHDOG=1", "STOPPING=1". Never blocks; errors are ignored. */
void notify_send(const struct notify *notify, const char *state);

void notify_close(struct notify *notify);

#endif
