/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who a sample is of: the processes that run, from those that ran at the start, whom the
 * platform names, and then from the kernel's records, so that no file is read while samples are
 * taken, and a process that ends at once has a name, too.
 */
#ifndef CXLMON_PROCESS_TABLE_H
#define CXLMON_PROCESS_TABLE_H

#include <stdbool.h>

#include "platform/load_sample.h"
#include "process/cgroup_names.h"
#include "process/report.h"

/*
 * mappings.c: the mappings of a process, from records that come far more often than anybody looks
 * one up: a new one is appended, and all are put in order at the next look-up.
 */

struct kept_mapping {
	uint64_t start, end;	/* addresses; end is behind it */
	uint64_t offset, inode; /* in the file, which it is; inode 0: none */
	uint64_t since_ns;	/* when it was made, or seen first, by clock_ops.now */
	uint32_t name;
};

/* Initially all zero. */
struct mapping_table {
	struct kept_mapping *at; /* by address, none within another; then new ones, as they came */
	size_t count, sorted;
};

void mapping_table_free(struct mapping_table *mappings);

/*
 * How many there are at most once they are in order: a new one may cut an older one in two.
 */
static inline size_t mapping_table_most(const struct mapping_table *mappings)
{
	return mappings->sorted + 2 * (mappings->count - mappings->sorted);
}

/* Appends one. It replaces what it covers of others: the kernel has no record of what was unmapped.
 * 0 or -ENOMEM.
 */
int mapping_table_add(struct mapping_table *mappings, const struct kept_mapping *mapping);

/* Puts all in order, and joins neighbours that are one piece of one file. 0 or -ENOMEM. */
int mapping_table_sort(struct mapping_table *mappings);

/* Replaces what is in to, which has none, by a copy. 0 or -ENOMEM. */
int mapping_table_copy(const struct mapping_table *from, struct mapping_table *to);

/* The mapping of an address, of those in order. NULL: none. */
const struct kept_mapping *mapping_table_find(const struct mapping_table *mappings,
					      uint64_t address);

/* table.c: processes, each with its mappings. */

/*
 * The kernel's PID_MAX_LIMIT is 4 194 304; more processes than this at once have no name. Users
 * share these tables: see share.h.
 */
#define PROCESSES_MOST	      131072
#define PROCESS_MAPPINGS_MOST 262144 /* of all processes; further ones are unknown */

struct platform;

struct process_entry {
	unsigned pid;
	uint64_t serial;  /* names one process, as pids are used again; 0: the slot is free */
	uint64_t started; /* see struct process_identity; 0: not known yet */
	uid_t owner;	  /* see process_ops.owner */
	uint32_t name, cgroup;
	uint32_t group, user;	     /* names by process_table.group_name, and of .uid */
	uid_t uid;		     /* effective; OWNER_UNKNOWN */
	uint64_t since_ns, named_ns; /* the record that it is known since; of its name */
	bool ended;
	struct mapping_table mappings;
	uint64_t losses; /* of records, before which mappings were known: they may be others now */
};

struct process_table {
	struct process_names *names; /* not owned */
	enum load_mappings kept;     /* mappings */
	/* set by the caller */
	bool cgroups, users;	  /* are read */
	cgroup_namer *group_name; /* names groups by their cgroup; NULL: there are none */

	const unsigned *mapped;	     /* only this process has mappings; NULL: all have */
	struct process_entry *slots; /* by pid, open addressing */
	struct platform *p;	     /* not owned; NULL: nothing is known but records */
	struct share entries;	     /* processes */
	struct share mappings;	     /* of all processes, as mapping_table_most() */
	uint64_t serials;
	uint64_t losses; /* times that records were lost */
	unsigned *ended; /* pids */
	size_t ended_count;
	size_t ended_before; /* of these, before the last process_table_forget_ended() */
	size_t looked_at;    /* slot, next */
	uint64_t left_out;   /* processes and mappings that did not fit */
	size_t refused;	     /* processes at the start, whose mappings may not be read */
};

/* 0 or -ENOMEM. Freed by process_table_free(), also after failure. */
int process_table_init(struct process_table *processes, struct process_names *names,
		       enum load_mappings kept, struct platform *p);
void process_table_free(struct process_table *processes);

/* Those that run now. Call when their records are being recorded already. */
int process_table_scan(struct process_table *processes, uint64_t now_ns);

/* Forgets the mappings of a process. */
void process_table_drop_mappings(struct process_table *processes, unsigned pid);

/* Reads the name, the cgroup and the mappings of who has this pid now. */
void process_table_rescan(struct process_table *processes, unsigned pid, uint64_t now_ns);

/* Keeps the names of all processes and mappings in the next sweep. */
void process_table_use_names(const struct process_table *processes);

/* Takes a record of a process; others are ignored. Those of several CPUs may come in any order. */
void process_table_take(struct process_table *processes, const struct sample_record *record);

/*
 * Before the next records: forgets the processes whose end came before the last call. Samples are
 * noted before records of processes, so that the last ones of a process may come after its end.
 */
void process_table_forget_ended(struct process_table *processes);

/*
 * Looks whether a few of the processes still run, as records of their end may have been lost: ten
 * times per second.
 */
void process_table_find_ended(struct process_table *processes);

/* Tells if the process with this number still has its pid, as far as records say. */
bool process_table_runs(const struct process_table *processes, unsigned pid, uint64_t serial);

/* The process of a sample; one that is not known is added, without a name. NULL: no room. */
struct process_entry *process_table_find(struct process_table *processes, unsigned pid);

/*
 * Valid until the next record. NULL: not known, as after records were lost: until a new record has
 * it, or process_table_rescan().
 */
const struct kept_mapping *process_table_mapping(struct process_table *processes,
						 struct process_entry *process, uint64_t address);

#endif
