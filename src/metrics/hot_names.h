/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names of processes, mappings and cgroups, as numbers: each is kept once, and as printable(). They
 * are names of strangers, so that there may be any number of them: memory is bounded.
 */
#ifndef CXLMON_HOT_NAMES_H
#define CXLMON_HOT_NAMES_H

#include <stddef.h>
#include <stdint.h>

#define HOT_NAME_SIZE  256   /* a longer one is cut off */
#define HOT_NAMES_MOST 65536 /* further ones are HOT_NAME_UNKNOWN */

#define HOT_NAME_UNKNOWN 0 /* "" */

struct hot_names {
	char **texts; /* by number */
	size_t count;
	uint32_t *slots;   /* numbers by hash, open addressing */
	uint64_t left_out; /* names that did not fit */
};

/* 0 or -ENOMEM. Freed by hot_names_free(), also after failure. */
int hot_names_init(struct hot_names *names);
void hot_names_free(struct hot_names *names);

uint32_t hot_names_add(struct hot_names *names, const char *text);

static inline const char *hot_name(const struct hot_names *names, uint32_t name)
{
	return names->texts[name];
}

#endif
