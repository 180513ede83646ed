/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The keys of --sim, such as limit=30, one row each. The parser, the help, the manual and the
 * completions of shells use these rows.
 */
#ifndef CXLMON_SIM_KEY_H
#define CXLMON_SIM_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/sim_spec.h"

/* Kinds of values, each with the type of its member of struct sim_spec. */
enum sim_key_kind {
	SIM_INTEGER, /* unsigned */
	SIM_REAL,    /* double */
	SIM_BOOLEAN, /* bool: the index of a word, 0 or 1 */
	SIM_WORD,    /* enum: the index of a word */
	SIM_VERSION  /* unsigned: the SIM_KERNEL() of a text such as 6.12 */
};

struct sim_key {
	const char *name;
	size_t offset; /* offset of the value in struct sim_spec */
	enum sim_key_kind kind;
	double min, max, initial; /* limits of a number; its default, which is at least 0 */
	/* value if the spec is a demo: it gives no key that has a .demo; 0: the key has none */
	double demo;
	const char *const *words; /* the words of SIM_BOOLEAN and SIM_WORD; ends with NULL */
	bool layout;		  /* describes the machine: cannot be given with a snapshot */
	const char *help;
};

/* The name and offset of a key that is named as its member. */
#define SIM_FIELD(name) #name, offsetof(struct sim_spec, name)

extern const char *const sim_booleans[]; /* usual .words of SIM_BOOLEAN: "0", "1" */

#define SIM_KEYS_MOST 128 /* more than there are keys */

/* Returns the ith key; NULL: there are no more. The keys of sim_extras come last. */
const struct sim_key *sim_key(size_t i);

/* Writes the help of a key, with its words and its default. Returns text. */
#define SIM_KEY_HELP_SIZE 512
const char *sim_key_help(const struct sim_key *key, char text[SIM_KEY_HELP_SIZE]);

#endif
