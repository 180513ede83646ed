/* SPDX-License-Identifier: BSD-3-Clause */
/* A load of which a simulated machine is told. Nothing is moved; the machine says what would be. */
#ifndef CXLMON_LOAD_TOLD_H
#define CXLMON_LOAD_TOLD_H

#include "load/load.h"

struct told {
	struct platform *platform;
	struct told_load first, last; /* the machine's answers; .last has the rates of now */
	struct load_traffic traffic;
	uint64_t asked_at;	 /* when the last answer came, ns */
	double chase_share;	 /* of the reads */
	double chase_bytes;	 /* so far */
	double chased, chase_ns; /* likewise */
};

/* -ENOTSUP: the memory is real. */
int told_open(struct told *told, struct platform *p, int node, struct error *err);
int told_start(struct told *told, const struct load_traffic *traffic, struct error *err);
int told_progress(struct told *told, struct load_progress *out, struct error *err);

#endif
