/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads of CXL memory as AMD's L3 caches count them, by resctrl (platform/mbm.h): those that the
 * cores of a socket make, whose memory it ever is. They fill the column of a metric that no unit
 * counts.
 */
#ifndef CXLMON_MBM_SOURCES_H
#define CXLMON_MBM_SOURCES_H

#include "platform/platform.h"

#define MBM_METRIC "cxl_mem_read_MBps"
#define MBM_SOURCE "bmec"

struct value;

struct mbm_sources {
	struct platform *platform; /* not owned; NULL: none are open */
	const struct mbm *mbm;	   /* the platform's */
	enum mbm_event event;
	bool set;     /* the event is to be set, by the session: nothing is counted before */
	bool stale;   /* what is counted was changed by another program, or groups were */
	int *sockets; /* by cache; -1: not known */
	double *before, *now;	    /* bytes, of the latest two readings; NAN: not known */
	uint64_t before_ns, now_ns; /* when they were read; 0: not yet */
	uint64_t read_ns;	    /* wall-clock time */
	bool fresh;		    /* they were read for this sample */
};

/* As platform_ops.mbm_open, and mbm_choose(). Also with an error, free it. */
int mbm_sources_open(struct mbm_sources *m, struct platform *p, const struct topology *topology,
		     struct error *err);
void mbm_sources_free(struct mbm_sources *m);

/* Counting begins here: the first call must be made before rights are dropped. */
void mbm_sources_begin(struct mbm_sources *m);

/* For a sample of that wall-clock time. They are read each 10 ms at most; else rates are unknown.
 */
void mbm_sources_read(struct mbm_sources *m, uint64_t wall_ns);

/* A cell, if its number is known: of a socket; -1: of the sockets of a number list, or of all. */
void mbm_sources_value(const struct mbm_sources *m, int socket, const char *sockets,
		       struct value *out);

#endif
