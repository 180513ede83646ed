/* SPDX-License-Identifier: BSD-3-Clause */
/* Takes scans of all processes. */
#ifndef CXLMON_PROBE_WHO_SCAN_H
#define CXLMON_PROBE_WHO_SCAN_H

#include "base/number.h"
#include "probe/who/watch.h"

/*
 * No scan takes longer, nor any process more than half of what is left when its turn comes; but for
 * the one mapping that the kernel is walking then.
 */
#define WHO_SCAN_MOST_NS (10 * NS_PER_S)

/*
 * Takes the next scan, watch->scan; the one before is freed with the next. -EINTR: a signal came.
 * ERROR_PERMISSION: there is no process to see, or the kernel has no NUMA support, or no
 * cgroup has memory by node.
 */
int who_watch_scan(struct who_watch *watch, struct error *err);
void who_watch_free(struct who_watch *watch);

#endif
