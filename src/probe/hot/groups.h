/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples by process, mapping, function, cgroup, node or page: the row that each is added to. What
 * a guest reads has a row of its own beside that of its emulator.
 */
#ifndef CXLMON_PROBE_HOT_GROUPS_H
#define CXLMON_PROBE_HOT_GROUPS_H

#include "platform/load_sample.h"
#include "probe/hot/heat.h"
#include "probe/hot/processes.h"
#include "probe/hot/report.h"

enum hot_by { BY_PROCESS, BY_MAPPING, BY_FUNCTION, BY_CGROUP, BY_NODE, BY_PAGE, HOT_BYS };

struct hot_groups {
	enum hot_by by;
	const struct heat_detail *detail; /* whose pages are rows, too */
	struct hot_rows rows;
};

/* Where and whose a sample is. */
struct hot_place {
	const struct hot_process *process; /* NULL: not known */
	const struct hot_mapping *mapping; /* likewise; of the address or, by function, the code */
	uint32_t function;		   /* name */
	enum hot_memory memory;
	int node;	    /* -1: not known */
	bool counts, timed; /* what its event is for */
	bool guest;	    /* its address is a guest's, and no page of the process */
};

/* Of enum hot_by; ended by a NULL. */
extern const char *const hot_by_names[HOT_BYS + 1];

/* 0 or -ENOMEM. .rows is freed by hot_rows_free(), also after failure. */
int hot_groups_init(struct hot_groups *groups, enum hot_by by, const struct heat_detail *detail);

void hot_groups_add(struct hot_groups *groups, const struct load_sample *sample,
		    const struct hot_place *place);

#endif
