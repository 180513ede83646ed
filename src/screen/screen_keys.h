/* SPDX-License-Identifier: BSD-3-Clause */
/* What keys do to a screen. */
#ifndef CXLMON_SCREEN_KEYS_H
#define CXLMON_SCREEN_KEYS_H

#include "screen/screen_model.h"

/* Beyond any character */
enum screen_key {
	SCREEN_KEY_UP = 0x200000,
	SCREEN_KEY_DOWN,
	SCREEN_KEY_PAGE_UP,
	SCREEN_KEY_PAGE_DOWN,
	SCREEN_KEY_HOME,
	SCREEN_KEY_END,
};

struct screen_choice {
	enum scope scope; /* of the panels */
	bool by_traffic, paused, help;
	size_t scroll;	      /* lines of panels */
	uint64_t interval_ns; /* that was asked for */
	bool quit;
};

struct screen_view_port {
	size_t lines, visible; /* of panels, as they were last laid out */
};

/* A character or one of the above. Returns whether it means anything. */
bool screen_press(struct screen_choice *choice, int key, const struct panels *panels,
		  const struct screen_view_port *shown);

/* The footer, and the help: what each key does. */
struct screen_key_help {
	const char *key;
	const char *word; /* in the footer; NULL: not there */
	const char *help;
};

/* Ends with a row whose key is NULL. */
extern const struct screen_key_help screen_key_table[];

#endif
