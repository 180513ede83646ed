/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wraps the functions of a platform, to record every register access. While the tap is off, the
 * platform has its own functions, at their own speed.
 */
#ifndef CXLMON_BENCH_TAP_H
#define CXLMON_BENCH_TAP_H

#include "platform/reg.h"
#include "tests/ops_copy.h"

struct access {
	struct reg reg;
	bool write;
	uint64_t value; /* written value */
};

struct tap {
	struct ops_copy ops; /* first member: leads from a platform's ops to the tap */
	const struct platform_ops *inner;
	struct platform *platform;

	struct access *accesses; /* since tap_forget() */
	size_t count, room;
	bool failed; /* there was no memory for an access */

	uint64_t late_ns;  /* delay of the last sleep after its deadline */
	size_t reads;	   /* since tap_forget() */
	size_t last_read;  /* number of the read whose time is last_ns, from 1 */
	uint64_t first_ns; /* time of the first read's end */
	uint64_t last_ns;  /* time of the last read's end */
};

void tap_init(struct tap *tap, struct platform *platform);
void tap_free(struct tap *tap); /* turns it off */

void tap_record(struct tap *tap); /* turns it on: keeps every access */
void tap_watch(struct tap *tap);  /* turns it on: keeps only the times */
void tap_off(struct tap *tap);

/* Begins a sample, which is expected to have as many reads as the previous one. */
void tap_forget(struct tap *tap);

#endif
