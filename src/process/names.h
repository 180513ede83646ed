/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of processes, cgroups, mappings and functions, as numbers: each is kept once, as
 * printable() makes it. Strangers choose them, so that there may be any number: users share the
 * table, and sweeps remove names that are not used any more.
 */
#ifndef CXLMON_PROCESS_NAMES_H
#define CXLMON_PROCESS_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/share.h"

#define NAMES_TEXT_SIZE 256   /* a longer name is cut off */
#define NAMES_MOST	65536 /* further ones are NAME_UNKNOWN */

#define NAME_UNKNOWN 0 /* "" */

struct kept_name {
	char *text;  /* NULL: the number is free */
	uid_t owner; /* user in whose share it may count */
	bool shared; /* counts in .owner's share */
	bool used;   /* marked since the last process_names_sweep() */
};

struct process_names {
	struct kept_name *at; /* names by number */
	size_t count;	      /* names that are kept */
	size_t end;	      /* first number never given */
	size_t next_free;     /* all numbers below are taken */
	uint32_t *slots;      /* numbers by hash, open addressing */
	struct share share;   /* shares of users */
	uint64_t added;	      /* names since the last sweep */
	uint64_t left_out;    /* names that did not fit */
};

/* 0 or -ENOMEM. Freed by process_names_free(), also after failure. */
int process_names_init(struct process_names *names);
void process_names_free(struct process_names *names);

/*
 * Returns a name's number, which may be new. owner: the user whose share a new name counts in, see
 * process_ops.owner.
 */
uint32_t process_names_add(struct process_names *names, uid_t owner, const char *text);

/* Adds a name outside of all shares, limited only by NAMES_MOST. */
uint32_t process_names_add_recorded(struct process_names *names, const char *text);

static inline const char *process_name(const struct process_names *names, uint32_t name)
{
	return names->at[name].text;
}

/* Tells if enough names were added since the last sweep to make one worth its time. */
bool process_names_are_many(const struct process_names *names);

/* Keeps a name in the next sweep. */
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
