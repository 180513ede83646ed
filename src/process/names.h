/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of processes, cgroups, mappings and functions. Each is kept once, printable(), and is
 * referred to by its number. Strangers choose names, so that there may be any number of them: users
 * share the table (base/share.h), and sweeps remove names that are not in use any more.
 */
#ifndef CXLMON_PROCESS_NAMES_H
#define CXLMON_PROCESS_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/share.h"

#define NAMES_TEXT_SIZE 256   /* a longer name is cut off */
#define NAMES_MOST	65536 /* most names kept at once */

#define NAME_UNKNOWN 0 /* number of "" */

struct kept_name {
	char *text;  /* NULL: the number is free */
	uid_t owner; /* user in whose share it counts, if .shared */
	bool shared; /* counts in a user's share */
	bool used;   /* marked since the last process_names_sweep() */
};

struct process_names {
	struct kept_name *at; /* names by number */
	size_t count;	      /* names that are kept */
	size_t end;	      /* first number that was never used */
	size_t next_free;     /* all numbers below are in use */
	uint32_t *slots;      /* numbers by hash, open addressing */
	struct share share;   /* shares of users */
	uint64_t added;	      /* names added since the last sweep */
	uint64_t left_out;    /* names that had no room */
};

/* Makes an empty table. 0 or -ENOMEM. Freed by process_names_free(), even after failure. */
int process_names_init(struct process_names *names);
void process_names_free(struct process_names *names);

/*
 * Returns a name's number, and adds the name if it is new. owner: the user in whose share a new
 * name counts, see process_ops.owner. NAME_UNKNOWN: the share or the table is full; .left_out
 * counts it.
 */
uint32_t process_names_add(struct process_names *names, uid_t owner, const char *text);

/* Adds a name as process_names_add() does, but outside of all shares. */
uint32_t process_names_add_recorded(struct process_names *names, const char *text);

/* Returns a name by its number, valid until the next sweep. */
static inline const char *process_name(const struct process_names *names, uint32_t name)
{
	return names->at[name].text;
}

/* Tells if enough names were added since the last sweep to make one worth its time. */
bool process_names_are_many(const struct process_names *names);

/* Marks a name, so that the next sweep keeps it. */
static inline void process_names_use(struct process_names *names, uint32_t name)
{
	names->at[name].used = true;
}

/*
 * Removes all names not marked by process_names_use() since the last sweep. Their numbers are
 * reused.
 */
void process_names_sweep(struct process_names *names);

#endif
