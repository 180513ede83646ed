/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table of the processes that samples belong to, by pid. The platform names processes that run at
 * the start; the kernel's records (struct sample_record) name later ones. So no file is read for a
 * sample, and short-lived processes also have names.
 */
#ifndef CXLMON_PROCESS_TABLE_H
#define CXLMON_PROCESS_TABLE_H

#include <stdbool.h>

#include "platform/load_sample.h"
#include "process/cgroup_names.h"
#include "process/report.h"

/*
 * mappings.c: the mappings of a process. Records of mappings come far more often than look-ups. So
 * a new mapping is appended, and all are sorted before the next look-up.
 */

struct kept_mapping {
	uint64_t start, end;	/* addresses; end is exclusive */
	uint64_t offset, inode; /* bytes into the file, and the file's inode; inode 0: no file */
	/* time on clock_ops.now when the mapping was made, or first seen */
	uint64_t since_ns;
	uint32_t name; /* number of the name in struct process_names */
};

/* Initially all zero. */
struct mapping_table {
	/* .sorted mappings by address, without overlaps; then new ones in order of arrival */
	struct kept_mapping *at;
	size_t count, sorted;
};

void mapping_table_free(struct mapping_table *mappings);

/*
 * Returns the most mappings that a table can have after mapping_table_sort(): each new one may cut
 * an older one in two.
 */
static inline size_t mapping_table_most(const struct mapping_table *mappings)
{
	return mappings->sorted + 2 * (mappings->count - mappings->sorted);
}

/*
 * Appends a mapping. At the next sort it replaces older mappings, or their parts, that it overlaps:
 * the kernel has no records of unmapping. Returns 0 or -ENOMEM.
 */
int mapping_table_add(struct mapping_table *mappings, const struct kept_mapping *mapping);

/*
 * Sorts all mappings, and joins neighbours that continue each other in the same file. Returns 0.
 * -ENOMEM: nothing has changed.
 */
int mapping_table_sort(struct mapping_table *mappings);

/* Copies mappings to an empty table. Returns 0. -ENOMEM: the table is still empty. */
int mapping_table_copy(const struct mapping_table *from, struct mapping_table *to);

/*
 * Returns the mapping of an address, valid until the table changes; NULL: the address has none. The
 * table must be sorted.
 */
const struct kept_mapping *mapping_table_find(const struct mapping_table *mappings,
					      uint64_t address);

/* table.c: processes, each with its mappings. */

/*
 * Most processes in a table at once. The kernel's limit is higher: PID_MAX_LIMIT, 4 194 304. Each
 * user has a share of the room for processes, and of the room for mappings (base/share.h).
 */
#define PROCESSES_MOST	      131072
#define PROCESS_MAPPINGS_MOST 262144 /* most mappings of all processes together */

struct platform;

struct process_entry {
	unsigned pid;
	/* number that no other process of the table ever gets; 0: the slot is free */
	uint64_t serial;
	uint64_t started;      /* process_identity.started; 0: unknown */
	uid_t owner;	       /* user in whose share it counts, see process_ops.owner */
	uint32_t name, cgroup; /* numbers of names; NAME_UNKNOWN: unknown */
	/* numbers of the names of its container or VM (.group_name), and of .uid */
	uint32_t group, user;
	uid_t uid; /* effective user; OWNER_UNKNOWN: unknown */
	/* times on clock_ops.now when the process became known, and got its name */
	uint64_t since_ns, named_ns;
	bool ended; /* the process has ended; its last samples may still come */
	struct mapping_table mappings;
	/* process_table.losses when .mappings began; if it has risen, .mappings are outdated */
	uint64_t losses;
};

struct process_table {
	struct process_names *names; /* not owned */

	/* set by the caller after process_table_init() */
	enum load_mappings kept; /* kind of mappings that are kept; initially none */
	bool cgroups, users;	 /* keeps cgroups of processes; keeps their effective users */
	/* finds the container or VM of a cgroup; NULL: process_entry.group is not needed */
	cgroup_namer *group_name;
	/* pid of the only process whose mappings are kept; not owned; NULL: all processes */
	const unsigned *mapped;

	struct process_entry *slots; /* hash table of processes by pid */
	struct platform *p;	     /* not owned; NULL: only records name processes */
	struct share entries;	     /* users' shares of processes */
	/* users' shares of mappings, counted by mapping_table_most() */
	struct share mappings;
	uint64_t serials; /* last process_entry.serial */
	uint64_t losses;  /* times that records of all processes were lost */
	unsigned *ended;  /* pids of processes that have ended */
	size_t ended_count;
	/* first elements of .ended, which the next process_table_forget_ended() forgets */
	size_t ended_before;
	size_t looked_at;  /* slot that process_table_find_ended() checks next */
	uint64_t left_out; /* processes and mappings that did not fit */
	/* times that the kernel refused to show the mappings of a process */
	size_t refused;
};

/*
 * Makes an empty table. names and p must outlive it. Returns 0 or -ENOMEM. Freed by
 * process_table_free(), even after failure.
 */
int process_table_init(struct process_table *processes, struct process_names *names,
		       struct platform *p);
void process_table_free(struct process_table *processes);

/*
 * Adds the processes that run now, each by process_table_rescan(). The kernel must already record
 * new processes, so that none is missed. Needs .p. Returns 0 or -ENOMEM.
 */
int process_table_scan(struct process_table *processes, uint64_t now_ns);

/* Forgets the mappings of a process. If the pid is unknown, does nothing. */
void process_table_drop_mappings(struct process_table *processes, unsigned pid);

/*
 * Reads the name of the process that has this pid now, and its mappings, cgroup and user if the
 * table keeps them. now_ns: time on clock_ops.now. Needs .p.
 */
void process_table_rescan(struct process_table *processes, unsigned pid, uint64_t now_ns);

/* Marks the names of all processes and mappings, so that process_names_sweep() keeps them. */
void process_table_use_names(const struct process_table *processes);

/*
 * Takes a record of a process, and ignores other records. Records from different CPUs may come in
 * any order.
 */
void process_table_take(struct process_table *processes, const struct sample_record *record);

/*
 * Forgets processes that had ended before the previous call. Called before each reading of records:
 * a process's last samples may come in the reading of its end, and in the next one.
 */
void process_table_forget_ended(struct process_table *processes);

/*
 * Checks if a few processes still run, because the record of an end may be lost. Called ten times
 * per second.
 */
void process_table_find_ended(struct process_table *processes);

/* Tells if the process with this pid and serial runs, as far as the table knows. */
bool process_table_runs(const struct process_table *processes, unsigned pid, uint64_t serial);

/*
 * Returns the process with this pid, valid until the table changes. If the pid is unknown, adds a
 * process without a name. NULL: the user's share has no room.
 */
struct process_entry *process_table_find(struct process_table *processes, unsigned pid);

/*
 * Returns the mapping of an address, valid until the next record. NULL: the mapping is unknown.
 * After a loss of records, a process's mappings are unknown until they are recorded or read again.
 */
const struct kept_mapping *process_table_mapping(struct process_table *processes,
						 struct process_entry *process, uint64_t address);

#endif
