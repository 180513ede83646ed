/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Wraps the functions of a platform, to record every register access. While it is off, the platform
 * has its own functions, at their own speed.
 */
#ifndef CXLMON_BENCH_TAP_H
#define CXLMON_BENCH_TAP_H

#include "platform/reg.h"
#include "tests/ops_copy.h"

struct access {
	struct reg reg;
	bool write;
	uint64_t value; /* written */
};

struct tap {
	struct ops_copy ops; /* first: what finds the tap behind a platform's ops */
	const struct platform_ops *inner;
	struct platform *platform;

	struct access *accesses; /* since tap_forget() */
	size_t count, room;
	bool failed; /* there was no memory for one */

	uint64_t late_ns;  /* by how much the last sleep ended after its deadline */
	size_t reads;	   /* since tap_forget() */
	size_t last_read;  /* the number of the read whose time is last_ns, from 1 */
	uint64_t first_ns; /* when the first read was done */
	uint64_t last_ns;  /* and the last */
};

void tap_init(struct tap *tap, struct platform *platform);
void tap_free(struct tap *tap); /* turns it off */

void tap_record(struct tap *tap); /* on: keeps every access */
void tap_watch(struct tap *tap);  /* on: keeps the times alone */
void tap_off(struct tap *tap);

/* Begins a sample. The read that was last in the one before is expected to be last again. */
void tap_forget(struct tap *tap);

#endif
