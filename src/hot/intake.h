/* SPDX-License-Identifier: BSD-3-Clause */
/* What becomes of the records of a sampler: each sample gets its process and its memory, and is
 * added to its rows. */
#ifndef CXLMON_HOT_INTAKE_H
#define CXLMON_HOT_INTAKE_H

#include "hot/groups.h"
#include "hot/heat.h"
#include "who/nodes.h"

struct hot_intake {
	/* set by the caller */
	struct sampler *sampler;
	const struct who_nodes *nodes; /* whose memory is CXL memory */
	struct memory_map map;	       /* freed by hot_intake_free() */
	const unsigned *pids;	       /* ascending; only these processes, if .pids_chosen */
	size_t pid_count;
	bool pids_chosen;
	struct heat_detail detail;

	struct hot_names names;
	struct hot_processes processes;
	struct hot_groups groups;
	struct hot_heat heat;
	struct hot_heat pages;		    /* the same of pages of .detail */
	uint64_t samples[LOAD_EVENTS_MOST]; /* so far by event, also those that are not wanted */
};

/* cool_samples: see heat.h. 0 or -ENOMEM. Freed by hot_intake_free(), also after failure. */
int hot_intake_init(struct hot_intake *intake, enum hot_by by, uint64_t cool_samples);
void hot_intake_free(struct hot_intake *intake);

/* Takes all records that are there. */
void hot_intake_read(struct hot_intake *intake);

#endif
