/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the process of a sample: processes that run at the start are named by the platform, later
 * ones by the kernel's records, so that no file is read for a sample, and short-lived processes
 * have names, too.
 */
#ifndef CXLMON_PROCESS_TABLE_H
#define CXLMON_PROCESS_TABLE_H

#include <stdbool.h>

#include "platform/load_sample.h"
#include "process/cgroup_names.h"
#include "process/report.h"

/*
 * mappings.c: the mappings of a process. Records come far more often than look-ups: a new mapping
 * is appended, and all are put in order at the next look-up.
 */

struct kept_mapping {
	uint64_t start, end; /* end is exclusive */
	/* place in the file; inode 0: no file */
	uint64_t offset, inode;
	/* time on clock_ops.now when it was made, or first seen */
	uint64_t since_ns;
	uint32_t name;
};

/* Initially all zero. */
struct mapping_table {
	/* mappings by address, without overlaps, up to .sorted; then new ones as they came */
	struct kept_mapping *at;
	size_t count, sorted;
};

void mapping_table_free(struct mapping_table *mappings);

/*
 * Returns the most mappings there can be once they are in order: a new one may cut an older one in
 * two.
 */
static inline size_t mapping_table_most(const struct mapping_table *mappings)
{
	return mappings->sorted + 2 * (mappings->count - mappings->sorted);
}

/*
 * Appends a mapping, which replaces all that it overlaps: the kernel has no record of unmapping. 0
 * or -ENOMEM.
 */
int mapping_table_add(struct mapping_table *mappings, const struct kept_mapping *mapping);

/* Puts all mappings in order, and joins neighbours that are one piece of one file. 0 or -ENOMEM. */
int mapping_table_sort(struct mapping_table *mappings);

/* Copies mappings to an empty table. 0 or -ENOMEM. */
int mapping_table_copy(const struct mapping_table *from, struct mapping_table *to);

/* Returns the mapping of an address in an ordered table; NULL: none. */
const struct kept_mapping *mapping_table_find(const struct mapping_table *mappings,
					      uint64_t address);

/* table.c: processes, each with its mappings. */

/*
 * Limit of named processes at once, below the kernel's PID_MAX_LIMIT, 4 194 304. Users share both
 * tables: see share.h.
 */
#define PROCESSES_MOST	      131072
#define PROCESS_MAPPINGS_MOST 262144 /* sum over all processes; further mappings are unknown */

struct platform;

struct process_entry {
	unsigned pid;
	/* unique to one process, while pids are reused; 0: the slot is free */
	uint64_t serial;
	uint64_t started; /* see struct process_identity; 0: unknown */
	uid_t owner;	  /* see process_ops.owner */
	uint32_t name, cgroup;
	/* names by process_table.group_name, and of .uid */
	uint32_t group, user;
	uid_t uid; /* effective; OWNER_UNKNOWN: unknown */
	/* times when the process became known, and got its name */
	uint64_t since_ns, named_ns;
	bool ended;
	struct mapping_table mappings;
	/* process_table.losses when .mappings began; if it has risen, they are outdated */
	uint64_t losses;
};

struct process_table {
	struct process_names *names; /* not owned */
	enum load_mappings kept;     /* mappings that are kept */
	/* set by the caller */
	bool cgroups, users; /* facts that are read */
	/* names a cgroup's group; NULL: no groups */
	cgroup_namer *group_name;

	/* the only process with mappings; NULL: all have them */
	const unsigned *mapped;
	struct process_entry *slots; /* entries by pid, open addressing */
	struct platform *p;	     /* not owned; NULL: only records name processes */
	struct share entries;	     /* shares of processes */
	/* shares of all processes' mappings, as mapping_table_most() counts them */
	struct share mappings;
	uint64_t serials;
	uint64_t losses; /* times that records of all processes were lost */
	unsigned *ended; /* pids that have ended */
	size_t ended_count;
	/* first entries of .ended, from before the last process_table_forget_ended() */
	size_t ended_before;
	size_t looked_at;  /* next slot to check */
	uint64_t left_out; /* processes and mappings that did not fit */
	/* running processes at the start whose mappings could not be read */
	size_t refused;
};

/* 0 or -ENOMEM. Freed by process_table_free(), also after failure. */
int process_table_init(struct process_table *processes, struct process_names *names,
		       enum load_mappings kept, struct platform *p);
void process_table_free(struct process_table *processes);

/* Adds the processes that run now. Called when their records are already being recorded. */
int process_table_scan(struct process_table *processes, uint64_t now_ns);

/* Forgets the mappings of a process. */
void process_table_drop_mappings(struct process_table *processes, unsigned pid);

/* Reads the name, cgroup and mappings of the process that has this pid now. */
void process_table_rescan(struct process_table *processes, unsigned pid, uint64_t now_ns);

/* Keeps the names of all processes and mappings in the next sweep. */
void process_table_use_names(const struct process_table *processes);

/*
 * Takes a record of a process; other records are ignored. Records of several CPUs may come in any
 * order.
 */
void process_table_take(struct process_table *processes, const struct sample_record *record);

/*
 * Forgets processes that ended before the previous call. Called before the next records are read:
 * samples are noted before records of processes, so that a process's last samples may follow its
 * end.
 */
void process_table_forget_ended(struct process_table *processes);

/*
 * Checks if a few of the processes still run, because records of their end may be lost. Called ten
 * times per second.
 */
void process_table_find_ended(struct process_table *processes);

/* Tells if the process with this serial still has its pid, as far as records say. */
bool process_table_runs(const struct process_table *processes, unsigned pid, uint64_t serial);

/* Returns the process of a sample; an unknown one is added, without a name. NULL: no room. */
struct process_entry *process_table_find(struct process_table *processes, unsigned pid);

/*
 * Returns the mapping of an address, valid until the next record. NULL: unknown, for example after
 * a loss of records, until a record or process_table_rescan() brings it again.
 */
const struct kept_mapping *process_table_mapping(struct process_table *processes,
						 struct process_entry *process, uint64_t address);

#endif
