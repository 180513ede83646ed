/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The least cost of a sample: its register accesses, as a loop over a flat list. The loop accesses
 * files by pread() and loads, without cxlmon's code, and simulated registers by the simulator's
 * functions. Functions end the process after a failure.
 */
#ifndef CXLMON_BENCH_BARE_H
#define CXLMON_BENCH_BARE_H

#include "subject.h"

struct bare_access;

struct bare {
	struct subject *subject;
	struct bare_access *accesses;
	size_t count;
	uint64_t *values; /* the value that each access read */
	size_t room;
	int *fds; /* by CPU; -1: not open yet */
	size_t fd_count;
};

/* Takes a sample, and lists its accesses. */
void bare_take(struct bare *bare, struct subject *subject);
void bare_run(struct bare *bare);
void bare_free(struct bare *bare);

#endif
