/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The cgroups of a machine and their memory by node: of version 2, or of the memory controller of
 * version 1. A cgroup's memory contains that of those below it, so that groups are none below
 * another: cgroups with memory and none below them; or containers or VMs, the outermost.
 */
#ifndef CXLMON_PROBE_WHO_CGROUPS_H
#define CXLMON_PROBE_WHO_CGROUPS_H

#include "probe/who/watch.h"

#define CGROUPS_MOST	   65536 /* that are looked at in a scan */
#define CGROUPS_DEPTH_MOST 32	 /* each level has a directory open */

/*
 * Adds a group to watch->scan for each of watch->by, until the platform's clock reaches until.
 * -EINTR: a signal came. ERROR_PERMISSION: no cgroup has memory by node.
 */
int who_cgroups_add(struct who_watch *watch, uint64_t until, struct error *err);

/*
 * Of a machine without files of cgroups: adds a group for each process of watch->scan, with the
 * memory that the process has. 0 or -ENOMEM.
 */
int who_cgroups_sum_up(struct who_watch *watch);

#endif
