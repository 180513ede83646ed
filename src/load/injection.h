/* SPDX-License-Identifier: BSD-3-Clause */
/* A load that is injected into a simulated machine. Nothing is moved; it says what would be. */
#ifndef CXLMON_LOAD_INJECTION_H
#define CXLMON_LOAD_INJECTION_H

#include "load/load.h"

struct injection {
	struct platform *platform;
	struct injected_load first, last; /* the machine's answers; .last has the rates of now */
	struct load_traffic traffic;
	uint64_t asked_at;	 /* when the last answer came, ns */
	double chase_share;	 /* of the reads */
	double chase_bytes;	 /* so far */
	double chased, chase_ns; /* likewise */
};

/* -ENOTSUP: the memory is real. */
int injection_open(struct injection *injection, struct platform *p, int node, struct error *err);
int injection_start(struct injection *injection, const struct load_traffic *traffic,
		    struct error *err);
int injection_progress(struct injection *injection, struct load_progress *out, struct error *err);

#endif
