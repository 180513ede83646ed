/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys of a simulated machine: parser, help, manual and completions are made from their rows. */
#ifndef CXLMON_SIM_KEY_H
#define CXLMON_SIM_KEY_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/sim_spec.h"

/* A version is a kernel's; a boolean and a word are given by the index of one of words. */
enum sim_key_kind { SIM_INTEGER, SIM_REAL, SIM_BOOLEAN, SIM_WORD, SIM_VERSION };

struct sim_key {
	const char *name;
	size_t offset; /* offset of the value in struct sim_spec */
	enum sim_key_kind kind;
	double min, max, initial;
	double demo; /* a rate that replaces a demo's traffic: its value in the demo */
	const char *const *words;
	bool layout; /* conflicts with a snapshot, which has the layout */
	const char *help;
};

#define SIM_FIELD(name) #name, offsetof(struct sim_spec, name)

extern const char *const sim_booleans[]; /* "0" and "1" */

#define SIM_KEYS_MOST 128

/* Returns the ith key, or NULL; the keys of sim_extras come last. */
const struct sim_key *sim_key(size_t i);

/* Writes the help of a key, as help and manual show it. Returns text. */
#define SIM_KEY_HELP_SIZE 512
const char *sim_key_help(const struct sim_key *key, char text[SIM_KEY_HELP_SIZE]);

#endif
