/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads of CXL memory of any socket by the cores of each socket. AMD's L3 caches count these reads
 * through resctrl (platform/mbm.h). If no unit counts the metric MBM_METRIC, this source does.
 */
#ifndef CXLMON_SOURCES_RESCTRL_SOURCE_H
#define CXLMON_SOURCES_RESCTRL_SOURCE_H

#include "platform/mbm.h"
#include "sources/source.h"

struct topology;

#define MBM_METRIC "cxl_mem_read_MBps"
#define MBM_SOURCE "bmec" /* source in the column's cells */

extern const struct formula mbm_rate; /* its only input, in MB/s */

struct resctrl_source {
	struct source base;
	const struct mbm *mbm; /* the platform's caches and events; not owned */
	enum mbm_event event;  /* event that counts these reads */
	/* session/mbm_setting.h must first make .event count these reads; false: it does already */
	bool set;
	bool stale;		    /* another program has changed the event, or groups */
	int *sockets;		    /* socket of each cache of .mbm; -1: unknown */
	double *before, *now;	    /* bytes by cache of the two latest readings; NAN: unknown */
	uint64_t before_ns, now_ns; /* times of these readings; 0: not read yet */
};

/*
 * Finds the caches, and chooses the event. Reads nothing. Returns 0 or a negative errno:
 * - ERROR_NO_UNIT: the machine has no such event,
 * - ERROR_PERMISSION: resctrl is not mounted, or may not be read,
 * - ERROR_IN_USE: setting .event would disturb other programs,
 * - -ENOMEM.
 */
int resctrl_source_open(struct resctrl_source *resctrl, struct platform *p,
			const struct topology *topology, struct error *err);

/* Opens the files and reads them. The event must be set, and privileges not yet dropped. */
void resctrl_source_begin(struct resctrl_source *resctrl);

#endif
