/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When the next chunk of bytes is due so that a rate is kept. Time that was lost is made up for,
 * unless it is more than a burst should take.
 */
#ifndef CXLMON_LOAD_PACING_H
#define CXLMON_LOAD_PACING_H

#include <stddef.h>
#include <stdint.h>

struct pacing {
	double bytes_per_s; /* more than 0; INFINITY: no chunk ever waits */
	uint64_t since;	    /* ns */
	double bytes;	    /* moved since then */
};

void pacing_begin(struct pacing *pacing, double bytes_per_s, uint64_t now);

/* How much to move at once at that rate: whole lines, at most so much as takes a moment. */
size_t pacing_chunk(double bytes_per_s);

/* Bytes were moved until now; returns the time from which on more may be moved. */
uint64_t pacing_moved(struct pacing *pacing, size_t bytes, uint64_t now);

#endif
