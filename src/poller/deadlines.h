/* SPDX-License-Identifier: BSD-3-Clause */
/* Fixed deadlines: start + k * interval for k = 1, 2, ... What is late never moves what follows. */
#ifndef CXLMON_DEADLINES_H
#define CXLMON_DEADLINES_H

#include <stdint.h>

struct deadlines {
	uint64_t start;	   /* ns */
	uint64_t interval; /* ns, at least 1 */
	uint64_t next;	   /* ns: the deadline that is waited for */
};

void deadlines_start(struct deadlines *d, uint64_t now, uint64_t interval);

/* The deadline has been served: go on to the first one after now. Returns how many were missed. */
uint64_t deadlines_advance(struct deadlines *d, uint64_t now);

/* Another interval, from the last deadline on; at once where its first deadline has passed. */
void deadlines_change(struct deadlines *d, uint64_t now, uint64_t interval);

#endif
