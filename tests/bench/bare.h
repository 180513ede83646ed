/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The floor: the accesses of one sample, as a loop over a flat list. Registers of files are read by
 * pread() and by loads, without cxlmon's code; simulated ones by the simulator's functions.
 */
#ifndef CXLMON_BENCH_BARE_H
#define CXLMON_BENCH_BARE_H

#include "subject.h"

struct bare_access;

struct bare {
	struct subject *subject;
	struct bare_access *accesses;
	size_t count;
	uint64_t *values; /* values read, by access */
	size_t room;
	int *fds; /* by CPU; -1: not open yet */
	size_t fd_count;
};

/* Takes a sample, whose accesses become the list. All functions end the process after a failure. */
void bare_take(struct bare *bare, struct subject *subject);
void bare_run(struct bare *bare);
void bare_free(struct bare *bare);

#endif
