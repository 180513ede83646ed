/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * /dev/cpu as a FUSE file system: N/msr and N/cpuid, each access of which is one of the simulator's
 * registers, with the errors of the kernel's msr and cpuid drivers. Direct I/O, so that the offset
 * is the register and nothing is cached.
 */
#ifndef CXLMON_TEST_MSRFS_H
#define CXLMON_TEST_MSRFS_H

#include <stdio.h>

#include "tests/sim/state.h"

struct fusefs;
struct msrfs;

/* Mounts on the directory; accesses go to log, if not NULL. NULL if FUSE is not available. */
struct msrfs *msrfs_new(const char *directory, struct platform *p, FILE *log);
void msrfs_free(struct msrfs *fs); /* unmounts */

/* To be polled and served. */
struct fusefs *msrfs_mounted(const struct msrfs *fs);

/* An offline CPU's directory disappears with it; one that is dead keeps it, and gives ENXIO. */
void msrfs_hide_cpu(struct msrfs *fs, unsigned cpu, bool hidden);

/* As without the msr module: no CPU has its msr node. */
void msrfs_hide_msrs(struct msrfs *fs, bool hidden);

/*
 * As with the msr-safe module: N/msr_safe for everybody, which obeys the list that root writes to
 * msr_allowlist. As versions below 2.0 have it, who has CAP_SYS_RAWIO is asked for no list.
 */
void msrfs_load_safe(struct msrfs *fs, bool loaded);

/* Delays every access. */
void msrfs_set_delay(struct msrfs *fs, unsigned milliseconds);

#endif
