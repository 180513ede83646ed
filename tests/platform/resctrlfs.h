/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * sys/fs/resctrl of a published machine, as the kernel has it where the processor has BMEC: info,
 * counts of the default group, and groups that are made by mkdir, which count nothing. Its
 * directory has a link for each group.
 */
#ifndef CXLMON_TEST_RESCTRLFS_H
#define CXLMON_TEST_RESCTRLFS_H

#include <stdio.h>

#include "platform/platform.h"

struct fusefs;

/* log: writes are logged there; NULL: none. NULL if FUSE is not available. */
struct fusefs *resctrlfs_new(const char *directory, struct platform *p, FILE *log);

/*
 * From now on: "mounted", "unmounted"; "default" or "assigned" (counters: mbm_event mode); "denied"
 * or "allowed", writes. False: it is none of these.
 */
bool resctrlfs_set(struct fusefs *mounted, const char *state);

#endif
