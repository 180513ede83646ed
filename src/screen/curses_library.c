/* SPDX-License-Identifier: BSD-3-Clause */
#include "screen/curses_library.h"

#include <stddef.h>

#include "linux/shared_library.h"

static const struct library_symbol symbols[] = {
#define CURSES_ROW(name) {#name, offsetof(struct curses_library, name)},
	CURSES_FUNCTIONS(CURSES_ROW)
#undef CURSES_ROW
		{"stdscr", offsetof(struct curses_library, stdscr_ptr)},
	{"curscr", offsetof(struct curses_library, curscr_ptr)},
	{"setupterm", offsetof(struct curses_library, setupterm)},
	{"del_curterm", offsetof(struct curses_library, del_curterm)},
	{"cur_term", offsetof(struct curses_library, terminal)},
};

int curses_library_load(struct curses_library *out, struct error *err)
{
	static const struct library library = {
		.file = "libncursesw.so.6",
		.what = "the screen library",
		.package = "libncursesw6",
		.symbols = symbols,
		.count = sizeof(symbols) / sizeof(symbols[0]),
	};

	return library_load(&library, out, err);
}

bool curses_library_has_string(const struct curses_library *curses, const char *name)
{
	const char *string = curses->tigetstr(name);

	/* terminfo(3): (char *)-1 is no string capability, NULL is one that the terminal lacks */
	return string && string != (const char *)-1;
}
