/* SPDX-License-Identifier: BSD-3-Clause */
/* What each key does. */
#ifndef CXLMON_SCREEN_KEYS_H
#define CXLMON_SCREEN_KEYS_H

#include "screen/screen_model.h"

/* Above all characters (U+10FFFF). */
enum screen_key {
	SCREEN_KEY_UP = 0x200000,
	SCREEN_KEY_DOWN,
	SCREEN_KEY_PAGE_UP,
	SCREEN_KEY_PAGE_DOWN,
	SCREEN_KEY_HOME,
	SCREEN_KEY_END,
};

struct screen_state {
	enum scope scope; /* of the panels */
	bool by_traffic, paused, help;
	size_t scroll;	      /* first visible line of panels */
	uint64_t interval_ns; /* requested */
	bool quit;
};

struct screen_viewport {
	size_t lines, visible; /* of panels, in the last layout */
};

/* A character, or one of enum screen_key. Returns whether the key has a meaning. */
bool screen_handle_key(struct screen_state *state, int key, const struct panels *panels,
		       const struct screen_viewport *shown);

/* Texts for the footer and the help. */
struct screen_key_help {
	const char *key;
	const char *word; /* in the footer; NULL: not shown there */
	const char *help;
};

/* The last row's key is NULL. */
extern const struct screen_key_help screen_key_table[];

#endif
