/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The keys of --sim, such as limit=30. Their values are in struct sim_spec. The parser, the help,
 * the manual and the completions of shells use this table.
 */
#ifndef CXLMON_SIM_KEY_H
#define CXLMON_SIM_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/sim_spec.h"

/* Kinds of values, and the type that each has in struct sim_spec. */
enum sim_key_kind {
	SIM_INTEGER, /* a whole number: unsigned */
	SIM_REAL,    /* a number: double */
	SIM_BOOLEAN, /* one of two words: bool, the index of the word */
	SIM_WORD,    /* one of several words: enum, the index of the word */
	SIM_VERSION  /* a kernel's version, such as 6.12: unsigned, SIM_KERNEL(6, 12) */
};

struct sim_key {
	const char *name; /* "limit" */
	size_t offset;	  /* offset of the value in struct sim_spec */
	enum sim_key_kind kind;
	double min, max; /* SIM_INTEGER and SIM_REAL: limits */
	double initial;	 /* above 0: the default; 0: sim_spec.c has the default, mostly 0 */
	/* value in a demo; 0: none. A spec is a demo if it gives no key whose .demo is above 0. */
	double demo;
	const char *const *words; /* SIM_BOOLEAN and SIM_WORD: the words; the last is NULL */
	bool layout;		  /* describes the machine: an error with a snapshot */
	const char *help;	  /* its meaning, without words, default and limits */
};

/* .name and .offset of a key with the name of its member of struct sim_spec. */
#define SIM_FIELD(name) #name, offsetof(struct sim_spec, name)

extern const char *const sim_booleans[]; /* .words of most SIM_BOOLEAN: "0", "1" */

#define SIM_KEYS_MOST 128 /* more than there are keys */

/* Returns the key with this index; NULL: there are no more. The keys of sim_extras come last. */
const struct sim_key *sim_key(size_t i);

/*
 * Writes the help of a key to text: its words, its .help, its default and if it excludes a
 * snapshot. Cuts the help to the size of text. Returns text.
 */
#define SIM_KEY_HELP_SIZE 512
const char *sim_key_help(const struct sim_key *key, char text[SIM_KEY_HELP_SIZE]);

#endif
