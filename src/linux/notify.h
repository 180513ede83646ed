/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tells systemd, or who started us as it would, how a service is doing: sd_notify(3), whose
 * protocol is stable and meant to be spoken without libsystemd. That library would bring gcrypt,
 * lzma, lz4 and zstd into every run, for one datagram.
 */
#ifndef CXLMON_NOTIFY_H
#define CXLMON_NOTIFY_H

#include <stdint.h>

#include "platform/error.h"

struct notify {
	int fd;		      /* -1: nobody wants to know */
	uint64_t watchdog_ns; /* in which "WATCHDOG=1" is expected; 0: it isn't */
};

/*
 * Looks at NOTIFY_SOCKET, and at WATCHDOG_USEC where WATCHDOG_PID is us or nobody. EXIT_FAILED
 * where they name what can't be used.
 */
int notify_open(struct notify *out, struct error *err);

/* "READY=1", "WATCHDOG=1", "STOPPING=1". Never waits; what can't be sent is lost. */
void notify_send(const struct notify *notify, const char *state);

void notify_close(struct notify *notify);

#endif
