/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What becomes of the records of a sampler: each sample gets its process and its memory, and is
 * added to its rows. Where rows are by function, a sample waits until its name is known.
 */
#ifndef CXLMON_PROCESS_INTAKE_H
#define CXLMON_PROCESS_INTAKE_H

#include "base/error.h"
#include "base/share.h"
#include "platform/load_sample.h"
#include "platform/memory.h"
#include "process/functions.h"
#include "process/heat.h"
#include "uncore/devices/cxl_nodes.h"

/*
 * groups.c: samples by process, mapping, function, cgroup, node or page: the row that each is added
 * to. What a guest reads has a row of its own beside that of its emulator.
 */

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
};

/* Of enum hot_by; ended by a NULL. */
extern const char *const hot_by_names[HOT_BYS + 1];

/* 0 or -ENOMEM. .rows is freed by hot_rows_free(), also after failure. */
int hot_groups_init(struct hot_groups *groups, enum hot_by by, const struct heat_detail *detail);

void hot_groups_add(struct hot_groups *groups, const struct load_sample *sample,
		    const struct hot_place *place);

/* intake.c: records. */

#define HOT_HELD_MOST 65536 /* of all users; further samples have no function */

/* A sample whose function is not known yet, and all that it is added by. */
struct held_sample {
	struct load_sample sample;
	struct hot_process process; /* copies, as the process may end */
	struct hot_mapping mapping;
	struct hot_place place; /* that points to them */
};

struct hot_intake {
	/* set by the caller */
	struct sampler *sampler;
	struct platform *p;	       /* of the processes; NULL: nothing is known but records */
	const struct cxl_nodes *nodes; /* whose memory is CXL memory */
	struct memory_map map;	       /* freed by hot_intake_free() */
	const unsigned *pids;	       /* ascending; only these processes, if .pids_chosen */
	size_t pid_count;
	bool pids_chosen;
	struct heat_detail detail;
	bool without_heat;
	struct hot_intake *also; /* takes the same records; NULL: none does */

	struct process_names names;
	struct hot_processes processes;
	struct hot_groups groups;
	struct hot_heat heat;
	struct hot_heat pages;		/* the same of pages of .detail */
	struct hot_functions functions; /* of rows by function, unless the sampler knows them */
	bool with_functions;
	struct hot_mapping kernel; /* of its code: a name alone */
	struct hot_mapping guest;  /* of all that a guest does, likewise */
	struct held_sample *held;  /* in the order of their coming */
	size_t held_count;
	struct share held_by;		  /* users */
	uint64_t looked_ns;		  /* when ended processes were looked for */
	uint64_t swept_ns, sweep_took_ns; /* when names were swept; how long that took */
	uint64_t not_held;		  /* samples, as there was no room */
	uint64_t unmapped; /* samples with a physical address of which no node is known */
	uint64_t samples[LOAD_EVENTS_MOST]; /* so far by event, also those that are not wanted */
};

/* Which mappings of processes are needed. */
enum load_mappings hot_mappings(enum hot_by by);

/*
 * symbols: not owned; NULL: none. cool_samples: see heat.h. 0 or -ENOMEM. Freed by
 * hot_intake_free(), also after failure.
 */
int hot_intake_init(struct hot_intake *intake, enum hot_by by, uint64_t cool_samples,
		    struct symbol_process *symbols);
void hot_intake_free(struct hot_intake *intake);

/* Begins anew, with these processes alone. 0 or -ENOMEM. */
int hot_intake_restart(struct hot_intake *intake, const unsigned *pids, size_t count);

/* Takes all records that are there. */
void hot_intake_read(struct hot_intake *intake);

/* Begins the next interval. */
void hot_intake_next(struct hot_intake *intake);

/* Waits for the names of functions up to so long, so that no sample is left. */
void hot_intake_finish(struct hot_intake *intake, uint64_t wait_ns);

/* At the end of the run: says in notes what is not in the rows, or not as it should be. */
void hot_intake_say_left_out(const struct hot_intake *intake, const struct log *log);

#endif
