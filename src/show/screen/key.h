/* SPDX-License-Identifier: BSD-3-Clause */
/* Keys: characters, and those that are none. */
#ifndef CXLMON_SHOW_SCREEN_KEY_H
#define CXLMON_SHOW_SCREEN_KEY_H

#include <stdbool.h>

/* Those that are no characters are above all of these (U+10FFFF). */
enum screen_key {
	SCREEN_KEY_ESCAPE = 27,
	SCREEN_KEY_DELETE = 127,
	SCREEN_KEY_UP = 0x200000,
	SCREEN_KEY_DOWN,
	SCREEN_KEY_LEFT,
	SCREEN_KEY_RIGHT,
	SCREEN_KEY_PAGE_UP,
	SCREEN_KEY_PAGE_DOWN,
	SCREEN_KEY_HOME,
	SCREEN_KEY_END,
	SCREEN_KEY_BACKSPACE,
	SCREEN_KEY_HELP,
};

static inline bool key_is_enter(int key)
{
	return key == '\r' || key == '\n';
}

/* Whether it takes back the last character that was typed. */
static inline bool key_erases(int key)
{
	return key == SCREEN_KEY_BACKSPACE || key == '\b' || key == SCREEN_KEY_DELETE;
}

#endif
