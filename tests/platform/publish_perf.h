/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's perf events, as /sys/bus/event_source has them. */
#ifndef CXLMON_TEST_PUBLISH_PERF_H
#define CXLMON_TEST_PUBLISH_PERF_H

#include "platform/platform.h"

/*
 * Creates root/sys/bus/event_source, and in proc/sys/kernel the level of perf_event_paranoid and
 * the kernel's release; again, after a CPU went offline or came back.
 */
void publish_perf(const char *root, struct platform *p);

#endif
