/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * /dev/cpu as a FUSE file system: N/msr and N/cpuid, each access of which is one of the simulator's
 * registers, with the errors of the kernel's msr and cpuid drivers. Direct I/O, so that the offset
 * is the register and nothing is cached.
 */
#ifndef CXLMON_TEST_MSRFS_H
#define CXLMON_TEST_MSRFS_H

#include <stdio.h>

#include "allowlist.h"
#include "tests/sim/state.h"

struct fusefs;

struct msrfs {
	struct platform *platform;
	FILE *log;
	unsigned cpus;
	bool *hidden;	  /* by CPU: it is offline, and so its directory is not there */
	bool msrs_hidden; /* as without the msr module: no CPU has its msr node */
	/*
	 * As with the msr-safe module: N/msr_safe for everybody, which obeys the list that root
	 * writes to msr_allowlist.
	 */
	bool safe;
	struct allowlist allowlist;
	unsigned delay_ms; /* of every access */
};

/* Mounts on the directory, with a struct msrfs as its context, which may be changed at any time;
 * accesses go to log, if not NULL. NULL if FUSE is not available. */
struct fusefs *msrfs_new(const char *directory, struct platform *p, FILE *log);

#endif
