/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ncurses, loaded where there is a screen and nowhere else: what is piped or served would have it
 * and its terminals in memory for nothing.
 */
#ifndef CXLMON_CURSES_LIBRARY_H
#define CXLMON_CURSES_LIBRARY_H

#define NCURSES_WIDECHAR 1
#include <ncurses.h>

#include "platform/error.h"

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
	X(init_pair)                                                                               \
	X(setcchar)                                                                                \
	X(resize_term)                                                                             \
	X(clearok)                                                                                 \
	X(wmove)                                                                                   \
	X(wadd_wch)                                                                                \
	X(wclrtoeol)                                                                               \
	X(wnoutrefresh)                                                                            \
	X(doupdate)                                                                                \
	X(wrefresh)                                                                                \
	X(wgetch)                                                                                  \
	X(tigetstr)

/* By their names, with the types that its header gives them. */
struct curses_library {
#define CURSES_MEMBER(name) __typeof__(&name) name;
	CURSES_FUNCTIONS(CURSES_MEMBER)
#undef CURSES_MEMBER
	WINDOW **drawn, **shown; /* stdscr and curscr */
	/* what <term.h> declares, which makes macros of words such as columns */
	int (*setupterm)(const char *term, int fd, int *found);
	int (*del_curterm)(void *terminal);
	void **terminal; /* cur_term */
};

/* It stays loaded. EXIT_FAILED, with the command that installs it. */
int curses_library_load(struct curses_library *out, struct error *err);

#endif
