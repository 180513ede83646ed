/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/terminal.h"

#include <fnmatch.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/library.h"

#define XTERM "xterm-256color"

#ifdef CXLMON_STATIC
/* from <term.h>: see struct curses_library */
extern int setupterm(const char *term, int fd, int *found);
extern int del_curterm(void *terminal);
extern void *cur_term;
#endif

#define ROW(name, member)                                                                          \
	{                                                                                          \
#name, offsetof(struct curses_library, member), LIBRARY_LINKED(name)               \
	}

static const struct library_symbol symbols[] = {
#define CURSES_ROW(name) ROW(name, name),
	CURSES_FUNCTIONS(CURSES_ROW)
#undef CURSES_ROW
		ROW(stdscr, stdscr_ptr),
	ROW(curscr, curscr_ptr),
	ROW(setupterm, setupterm),
	ROW(del_curterm, del_curterm),
	ROW(cur_term, terminal),
};

int curses_library_load(struct curses_library *out, struct error *err)
{
	static const struct library library = {.soname = "libncursesw.so.6",
					       .package = "libncursesw6",
					       .what = "the screen library",
					       .symbols = symbols,
					       .count = sizeof(symbols) / sizeof(symbols[0])};

	return library_load(&library, out, err);
}

#ifdef CXLMON_STATIC

/*
 * Descriptions of terminals in the file that tools/make-static makes: {"xterm", "b64:..."}, in the
 * form of TERMINFO: ncurses(3).
 */
static const struct {
	const char *name, *description;
} terminals[] = {
#include CXLMON_TERMINALS
};

/* Uses a built-in description: a machine may have no terminfo, or none for this terminal. */
static int use_own_description(const struct curses_library *curses, int fd)
{
	const char *term = getenv("TERM");

	for (size_t i = 0; term && i < sizeof(terminals) / sizeof(terminals[0]); i++)
		if (!strcmp(term, terminals[i].name))
			setenv("TERMINFO", terminals[i].description, 1);
	return curses->setupterm(NULL, fd, &(int){0});
}

#else

static int use_own_description(const struct curses_library *curses, int fd)
{
	(void)curses;
	(void)fd;
	return ERR;
}

#endif

static bool find_description(const struct curses_library *curses, int fd)
{
	return curses->setupterm(NULL, fd, &(int){0}) == OK ||
	       use_own_description(curses, fd) == OK;
}

/* Returns whether a terminal takes xterm's sequences, and comes with its own terminfo entry. */
static bool is_like_xterm(const char *term)
{
	static const char *const patterns[] = {"xterm-*", "ghostty", "kitty",	   "foot",
					       "foot-*",  "wezterm", "alacritty*", NULL};

	for (const char *const *pattern = patterns; *pattern; pattern++)
		if (!fnmatch(*pattern, term, 0))
			return true;
	return false;
}

bool curses_library_find_terminal(const struct curses_library *curses, int fd)
{
	const char *term = getenv("TERM");

	if (find_description(curses, fd))
		return true;
	if (!term || !is_like_xterm(term))
		return false;
	setenv("TERM", XTERM, 1);
	return find_description(curses, fd);
}

bool curses_library_has_string(const struct curses_library *curses, const char *name)
{
	const char *string = curses->tigetstr(name);

	/*
	 * terminfo(3): (char *)-1 is not a string capability, NULL is one that the terminal lacks
	 */
	return string && string != (const char *)-1;
}
