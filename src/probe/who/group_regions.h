/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes by region of memory of groups of resctrl, each of which processors count by its RMID. */
#ifndef CXLMON_PROBE_WHO_GROUP_REGIONS_H
#define CXLMON_PROBE_WHO_GROUP_REGIONS_H

#include "probe/who/watch.h"

/*
 * Of cgroups: sets .rmid of those of watch->scan whose tasks are those of one group of resctrl, and
 * takes a reading of watch->regions. 0, -ENOMEM, or -E2BIG: there are too many groups.
 */
int who_group_regions_of_cgroups(struct who_watch *watch);

/*
 * Sets .region_MBps of the groups of watch->scan, between the latest two readings of
 * watch->regions, which were taken with this scan and the last. Groups of both are sorted by key.
 */
void who_group_regions_compare(struct who_watch *watch);

#endif
