/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads of CXL memory by the cores of a socket, to any CXL memory, as AMD's L3 caches count them
 * through resctrl (platform/mbm.h). They fill the column of a metric that no unit counts.
 */
#ifndef CXLMON_SOURCES_RESCTRL_SOURCE_H
#define CXLMON_SOURCES_RESCTRL_SOURCE_H

#include "platform/mbm.h"
#include "sources/source.h"

struct topology;

#define MBM_METRIC "cxl_mem_read_MBps"
#define MBM_SOURCE "bmec"

extern const struct formula mbm_rate;

struct resctrl_source {
	struct source base;
	const struct mbm *mbm; /* the platform's */
	enum mbm_event event;
	bool set;		    /* the session sets the event: nothing is counted until then */
	bool stale;		    /* another program has changed the event, or groups */
	int *sockets;		    /* by cache; -1: unknown */
	double *before, *now;	    /* bytes by cache of the two latest readings; NAN: unknown */
	uint64_t before_ns, now_ns; /* times of these readings; 0: not read yet */
};

/* Opens the caches as mbm_ops.open does, and chooses the event by mbm_choose(). */
int resctrl_source_open(struct resctrl_source *resctrl, struct platform *p,
			const struct topology *topology, struct error *err);

/* Begins counting: reads for the first time, before privileges are dropped. */
void resctrl_source_begin(struct resctrl_source *resctrl);

#endif
