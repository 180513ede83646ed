/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A table of names: processes, cgroups, mappings and functions. It keeps each name once, as
 * printable() (base/text.h) makes it, and gives it a number. Users can make any number of names. So
 * each user has a share of the table (base/share.h), and a sweep removes names that are not in use.
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

#define NAME_UNKNOWN 0 /* number of "", which stands for an unknown name */

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
	size_t next_free;     /* all lower numbers are in use */
	uint32_t *slots;      /* hash table of numbers; 0: a free slot */
	struct share share;   /* shares of users */
	uint64_t added;	      /* names added since the last sweep */
	uint64_t left_out;    /* names that had no room */
};

/* Makes a table of only "". 0 or -ENOMEM. Freed by process_names_free(), even after failure. */
int process_names_init(struct process_names *names);
void process_names_free(struct process_names *names);

/*
 * Returns the number of a name, and adds the name if it is new. owner: the user in whose share a
 * new name counts, see process_ops.owner. If the name has no room, returns NAME_UNKNOWN and counts
 * the name in .left_out.
 */
uint32_t process_names_add(struct process_names *names, uid_t owner, const char *text);

/* Returns a name's number as process_names_add() does; a new name counts in no user's share. */
uint32_t process_names_add_recorded(struct process_names *names, const char *text);

/* Returns a name by its number, valid until a sweep removes the name. */
static inline const char *process_name(const struct process_names *names, uint32_t name)
{
	return names->at[name].text;
}

/* Tells if a sweep is worth its time: many names were added since the last one. */
bool process_names_are_many(const struct process_names *names);

/* Marks a name, so that the next sweep keeps it. */
static inline void process_names_use(struct process_names *names, uint32_t name)
{
	names->at[name].used = true;
}

/* Removes names that were not marked since the last sweep; their numbers are used again. */
void process_names_sweep(struct process_names *names);

#endif
