/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ncurses, loaded with dlopen() only by runs that have a screen: others need not have it in memory,
 * or installed. A static program (the macro CXLMON_STATIC) has it within.
 */
#ifndef CXLMON_SHOW_SCREEN_CURSES_LIBRARY_H
#define CXLMON_SHOW_SCREEN_CURSES_LIBRARY_H

#include <stdbool.h>

#define NCURSES_WIDECHAR 1
#include <ncurses.h>

#include "base/error.h"

#define CURSES_FUNCTIONS(X)                                                                        \
	X(newterm)                                                                                 \
	X(delscreen)                                                                               \
	X(endwin)                                                                                  \
	X(cbreak)                                                                                  \
	X(noecho)                                                                                  \
	X(nonl)                                                                                    \
	X(nodelay)                                                                                 \
	X(keypad)                                                                                  \
	X(set_escdelay)                                                                            \
	X(curs_set)                                                                                \
	X(has_colors)                                                                              \
	X(start_color)                                                                             \
	X(use_default_colors)                                                                      \
	X(init_extended_pair)                                                                      \
	X(setcchar)                                                                                \
	X(resize_term)                                                                             \
	X(clearok)                                                                                 \
	X(wmove)                                                                                   \
	X(wadd_wch)                                                                                \
	X(wclear)                                                                                  \
	X(wclrtoeol)                                                                               \
	X(wnoutrefresh)                                                                            \
	X(doupdate)                                                                                \
	X(wrefresh)                                                                                \
	X(wgetch)                                                                                  \
	X(tigetstr)                                                                                \
	X(tigetnum)

/* With the names and types of <ncurses.h>. */
struct curses_library {
#define CURSES_MEMBER(name) __typeof__(&name) name;
	CURSES_FUNCTIONS(CURSES_MEMBER)
#undef CURSES_MEMBER
	WINDOW **stdscr_ptr, **curscr_ptr;
	/* from <term.h>, which cannot be included: it defines macros such as columns */
	int (*setupterm)(const char *term, int fd, int *found);
	int (*del_curterm)(void *terminal);
	void **terminal; /* cur_term */
};

/* Stays loaded. ERROR_FAILED; the error has the command that installs it. */
int curses_library_load(struct curses_library *out, struct error *err);

/*
 * Reads the description of the terminal that TERM names. Where there is none, one that is known to
 * be like xterm (as kitty or foot, over ssh) becomes xterm-256color. False: there is none.
 */
bool curses_library_find_terminal(const struct curses_library *curses, int fd);

/* Whether the terminal has a string capability of terminfo(5), such as "cup". */
bool curses_library_has_string(const struct curses_library *curses, const char *name);

#endif
