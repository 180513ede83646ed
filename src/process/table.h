/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processes that samples belong to, by pid. Processes that run at the start are named by the
 * platform, later ones by the kernel's records. So no file is read for a sample, and short-lived
 * processes also have names.
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
	uint64_t start, end;	/* addresses; end is exclusive */
	uint64_t offset, inode; /* bytes into the file, and the file's inode; inode 0: no file */
	/* time on clock_ops.now when it was made, or first seen */
	uint64_t since_ns;
	uint32_t name; /* number of the name in struct process_names */
};

/* Initially all zero. */
struct mapping_table {
	/* mappings by address, without overlaps, up to .sorted; then new ones as they came */
	struct kept_mapping *at;
	size_t count, sorted;
};

void mapping_table_free(struct mapping_table *mappings);

/*
 * Returns the highest possible number of mappings once they are in order: a new one may cut an
 * older one in two.
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

/*
 * Puts all mappings in order, and joins neighbours that are one piece of one file. 0, or -ENOMEM,
 * which changes nothing.
 */
int mapping_table_sort(struct mapping_table *mappings);

/* Copies mappings to an empty table. 0, or -ENOMEM: it stays empty. */
int mapping_table_copy(const struct mapping_table *from, struct mapping_table *to);

/*
 * Returns the mapping of an address, valid until the table changes; NULL: there is none. The table
 * must be in order.
 */
const struct kept_mapping *mapping_table_find(const struct mapping_table *mappings,
					      uint64_t address);

/* table.c: processes, each with its mappings. */

/*
 * Most processes in the table at once, below the kernel's PID_MAX_LIMIT, 4 194 304. Users share the
 * room for processes and for mappings: see base/share.h.
 */
#define PROCESSES_MOST	      131072
#define PROCESS_MAPPINGS_MOST 262144 /* most mappings of all processes together */

struct platform;

struct process_entry {
	unsigned pid;
	/* number of only this process, while pids are reused; 0: the slot is free */
	uint64_t serial;
	uint64_t started;      /* see struct process_identity; 0: unknown */
	uid_t owner;	       /* user in whose share it counts, see process_ops.owner */
	uint32_t name, cgroup; /* numbers of names; NAME_UNKNOWN: unknown */
	/* numbers of the names of its group (process_table.group_name) and of .uid */
	uint32_t group, user;
	uid_t uid; /* effective user; OWNER_UNKNOWN: unknown */
	/* times on clock_ops.now when the process became known, and got its name */
	uint64_t since_ns, named_ns;
	bool ended; /* has ended; its last samples may still come */
	struct mapping_table mappings;
	/* process_table.losses when .mappings began; if it has risen, they are outdated */
	uint64_t losses;
};

struct process_table {
	struct process_names *names; /* not owned */
	enum load_mappings kept;     /* mappings that are kept */

	/* set by the caller after process_table_init() */
	bool cgroups, users; /* cgroups, and effective users, of processes are read */
	/* names the group of a cgroup: its container or VM; NULL: groups are not needed */
	cgroup_namer *group_name;
	/* pid of the only process whose mappings are kept; not owned; NULL: all processes */
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

/*
 * Makes an empty table; names and p must outlive it. 0 or -ENOMEM. Freed by process_table_free(),
 * even after failure.
 */
int process_table_init(struct process_table *processes, struct process_names *names,
		       enum load_mappings kept, struct platform *p);
void process_table_free(struct process_table *processes);

/*
 * Adds the processes that run now, by process_table_rescan(). Called when the kernel already
 * records new processes, so that none is missed. 0 or -ENOMEM.
 */
int process_table_scan(struct process_table *processes, uint64_t now_ns);

/* Forgets the mappings of a process; does nothing if there is no such process. */
void process_table_drop_mappings(struct process_table *processes, unsigned pid);

/*
 * Reads the name, mappings, cgroup and user of the process that has this pid now, as far as they
 * are kept. now_ns: time on clock_ops.now. Needs .p.
 */
void process_table_rescan(struct process_table *processes, unsigned pid, uint64_t now_ns);

/* Marks the names of all processes and mappings, so that process_names_sweep() keeps them. */
void process_table_use_names(const struct process_table *processes);

/*
 * Takes a record of a process; other records are ignored. Records of several CPUs may come in any
 * order.
 */
void process_table_take(struct process_table *processes, const struct sample_record *record);

/*
 * Forgets processes that ended before the previous call. Called before each reading of records: a
 * process's last samples may come after its end, in the same reading or in the next one.
 */
void process_table_forget_ended(struct process_table *processes);

/*
 * Checks if a few of the processes still run, because records of their end may be lost. Called ten
 * times per second.
 */
void process_table_find_ended(struct process_table *processes);

/* Tells if the process with this serial has not ended, as far as records say. */
bool process_table_runs(const struct process_table *processes, unsigned pid, uint64_t serial);

/*
 * Returns the process of a sample, valid until the table changes. An unknown one is added, without
 * a name. NULL: its user's share has no room.
 */
struct process_entry *process_table_find(struct process_table *processes, unsigned pid);

/*
 * Returns the mapping of an address, valid until the next record. NULL: unknown, such as after a
 * loss of records, until a record or process_table_rescan() brings it again.
 */
const struct kept_mapping *process_table_mapping(struct process_table *processes,
						 struct process_entry *process, uint64_t address);

#endif
