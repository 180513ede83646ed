/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who a sample is of: the processes that run, from those that ran at the start, whom the
 * platform names, and then from the kernel's records, so that no file is read while samples are
 * taken, and a process that ends at once has a name, too.
 */
#ifndef CXLMON_PROCESS_PROCESSES_H
#define CXLMON_PROCESS_PROCESSES_H

#include <stdbool.h>

#include "platform/load_sample.h"
#include "process/report.h"

/*
 * mappings.c: the mappings of a process, from records that come far more often than anybody looks
 * one up: a new one is appended, and all are put in order at the next look-up.
 */

struct hot_mapping {
	uint64_t start, end;	/* addresses; end is behind it */
	uint64_t offset, inode; /* in the file, which it is; inode 0: none */
	uint64_t since_ns;	/* when it was made, or seen first, by clock_ops.now */
	uint32_t name;
};

/* Initially all zero. */
struct hot_mappings {
	struct hot_mapping *at; /* by address, none within another; then new ones, as they came */
	size_t count, sorted;
};

void hot_mappings_free(struct hot_mappings *mappings);

/*
 * How many there are at most once they are in order: a new one may cut an older one in two.
 */
static inline size_t hot_mappings_most(const struct hot_mappings *mappings)
{
	return mappings->sorted + 2 * (mappings->count - mappings->sorted);
}

/* Appends one. It replaces what it covers of others: the kernel has no record of what was unmapped.
 * 0 or -ENOMEM.
 */
int hot_mappings_add(struct hot_mappings *mappings, const struct hot_mapping *mapping);

/* Puts all in order, and joins neighbours that are one piece of one file. 0 or -ENOMEM. */
int hot_mappings_sort(struct hot_mappings *mappings);

/* Replaces what is in to, which has none, by a copy. 0 or -ENOMEM. */
int hot_mappings_copy(const struct hot_mappings *from, struct hot_mappings *to);

/* The mapping of an address, of those in order. NULL: none. */
const struct hot_mapping *hot_mappings_find(const struct hot_mappings *mappings, uint64_t address);

/* processes.c: processes, each with its mappings. */

/*
 * The kernel's PID_MAX_LIMIT is 4 194 304; more processes than this at once have no name. Users
 * share these tables: see share.h.
 */
#define HOT_PROCESSES_MOST 131072
#define HOT_MAPPINGS_MOST  262144 /* of all processes; further ones are unknown */

struct platform;

struct hot_process {
	unsigned pid;
	uint64_t serial; /* names one process, as pids are used again; 0: the slot is free */
	uid_t owner;	 /* see process_ops.owner */
	uint32_t name, cgroup;
	uint64_t since_ns, named_ns; /* the record that it is known since; of its name */
	bool ended;
	struct hot_mappings mappings;
	uint64_t losses; /* of records, before which mappings were known: they may be others now */
};

struct hot_processes {
	struct process_names *names; /* not owned */
	enum load_mappings kept;     /* mappings */
	bool cgroups;		     /* are read, set by the caller */
	const unsigned *mapped;	     /* only this process has mappings; NULL: all have */
	struct hot_process *slots;   /* by pid, open addressing */
	struct platform *p;	     /* not owned; NULL: nothing is known but records */
	struct share entries;	     /* processes */
	struct share mappings;	     /* of all processes, as hot_mappings_most() */
	uint64_t serials;
	uint64_t losses; /* times that records were lost */
	unsigned *ended; /* pids */
	size_t ended_count;
	size_t ended_before; /* of these, before the last hot_processes_forget_ended() */
	size_t looked_at;    /* slot, next */
	uint64_t left_out;   /* processes and mappings that did not fit */
	size_t refused;	     /* processes at the start, whose mappings may not be read */
};

/* 0 or -ENOMEM. Freed by hot_processes_free(), also after failure. */
int hot_processes_init(struct hot_processes *processes, struct process_names *names,
		       enum load_mappings kept, struct platform *p);
void hot_processes_free(struct hot_processes *processes);

/* Those that run now. Call when their records are being recorded already. */
int hot_processes_scan(struct hot_processes *processes, uint64_t now_ns);

/* Forgets the mappings of a process. */
void hot_processes_drop_mappings(struct hot_processes *processes, unsigned pid);

/* The name and the mappings of one of these, as they are now. */
void hot_processes_rescan(struct hot_processes *processes, unsigned pid, uint64_t now_ns);

/* Keeps the names of all processes and mappings in the next sweep. */
void hot_processes_use_names(const struct hot_processes *processes);

/* Takes a record of a process; others are ignored. Those of several CPUs may come in any order. */
void hot_processes_take(struct hot_processes *processes, const struct sample_record *record);

/*
 * Before the next records: forgets the processes whose end came before the last call. Samples are
 * noted before records of processes, so that the last ones of a process may come after its end.
 */
void hot_processes_forget_ended(struct hot_processes *processes);

/*
 * Looks whether a few of the processes still run, as records of their end may have been lost: ten
 * times per second.
 */
void hot_processes_find_ended(struct hot_processes *processes);

/* Tells if the process with this number still has its pid, as far as records say. */
bool hot_processes_runs(const struct hot_processes *processes, unsigned pid, uint64_t serial);

/* The process of a sample; one that is not known is added, without a name. NULL: no room. */
struct hot_process *hot_processes_find(struct hot_processes *processes, unsigned pid);

/*
 * Valid until the next record. NULL: not known, as after records were lost: until a new record has
 * it, or hot_processes_rescan().
 */
const struct hot_mapping *hot_processes_mapping(struct hot_processes *processes,
						struct hot_process *process, uint64_t address);

#endif
