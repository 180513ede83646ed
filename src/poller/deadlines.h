/* SPDX-License-Identifier: BSD-3-Clause */
/* Fixed deadlines: start + k * interval for k = 1, 2, ... A late sample does not delay later ones.
 */
#ifndef CXLMON_DEADLINES_H
#define CXLMON_DEADLINES_H

#include <stdint.h>

struct deadlines {
	uint64_t start;	   /* ns */
	uint64_t interval; /* ns, at least 1 */
	uint64_t next;	   /* ns: the deadline to wait for */
};

void deadlines_start(struct deadlines *d, uint64_t now, uint64_t interval);

/* The deadline was met: goes on to the first one after now. Returns how many were missed. */
uint64_t deadlines_advance(struct deadlines *d, uint64_t now);

/* Changes the interval, counted from the last deadline; if that has passed, the next one is now. */
void deadlines_change(struct deadlines *d, uint64_t now, uint64_t interval);

#endif
