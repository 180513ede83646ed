/* SPDX-License-Identifier: BSD-3-Clause */
/* Counting through the kernel. */
#ifndef CXLMON_POLLER_PERF_H
#define CXLMON_POLLER_PERF_H

#include "poller/poller_private.h"

/* Sets the backend. events is not owned. */
void poller_use_perf(struct poller *poller, struct perf_events *events);

#endif
