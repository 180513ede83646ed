/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One reading of all counters: each freeze domain is frozen, read, rotated if due, and unfrozen.
 */
#ifndef CXLMON_POLLER_READING_H
#define CXLMON_POLLER_READING_H

#include "poller/poller_private.h"

/* Prepares the access to all registers; again after one of them has changed its CPU. */
void poller_prepare(struct poller *poller);
/* As backend.read. */
int poller_read_domains(struct poller *poller, enum read_reason reason, uint64_t *frozen_ns,
			struct error *err);
/* As backend.read_undelivered: adds up frame.undelivered. */
void poller_read_undelivered(struct poller *poller);
/*
 * Work of a reader thread: reads the domains of a job, until the last one, an error, or a CPU that
 * has gone offline.
 */
void poller_read_socket(struct socket_job *job);

#endif
