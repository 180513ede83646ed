/* SPDX-License-Identifier: BSD-3-Clause */
/* The terminal: its mode and its signals; with ncurses, a canvas on it and its keys. */
#ifndef CXLMON_SHOW_SCREEN_TERMINAL_H
#define CXLMON_SHOW_SCREEN_TERMINAL_H

#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <stdbool.h>
#include <stdio.h>
#include <termios.h>

#include "base/error.h"
#include "show/screen/canvas.h"

/* terminal.c: mode, size and signals of the terminal. */

/* An open terminal. */
struct terminal {
	int fd;		       /* not owned */
	int signals_fd;	       /* signalfd(2) for the events, to be polled */
	struct termios before; /* mode to be restored */
	bool changed;	       /* terminal_set_mode() has changed the mode */
};

/* Events of the terminal. */
enum terminal_event {
	TERMINAL_NO_EVENT,
	TERMINAL_RESIZED,
	/* SIGTSTP came (Ctrl-Z): the caller is to restore the terminal, then to stop */
	TERMINAL_STOP,
	TERMINAL_CONTINUED,
};

/*
 * Reads the mode of fd, and blocks SIGWINCH, SIGTSTP and SIGCONT in this thread and in threads that
 * it starts later. Returns 0 or a negative errno; after an error, nothing is open or blocked.
 */
int terminal_open(struct terminal *terminal, int fd);
/* Restores the mode, and closes .signals_fd. fd stays open. */
void terminal_close(struct terminal *terminal);

/* Sets unbuffered input without echo, and output without translations. Ctrl-C is still a signal. */
void terminal_set_mode(struct terminal *terminal);
/* Restores the mode, if terminal_set_mode() has changed it. */
void terminal_restore(struct terminal *terminal);

/* Returns the next event. Does not block. */
enum terminal_event terminal_next(const struct terminal *terminal);

/*
 * curses_library.c: ncurses, loaded with dlopen() only by runs with a screen: other runs do not
 * need it in memory or installed. A static program (CXLMON_STATIC) contains it.
 */

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

/* Functions of ncurses, with the names and types of <ncurses.h>. */
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

/*
 * Loads ncurses, which stays loaded. ERROR_FAILED: it is not installed; the error's command
 * installs it.
 */
int curses_library_load(struct curses_library *out, struct error *err);

/*
 * Reads the description of the terminal that TERM names. If there is none, a terminal that is known
 * to be like xterm (such as kitty or foot, over ssh) becomes xterm-256color. Returns false if there
 * is no description.
 */
bool curses_library_find_terminal(const struct curses_library *curses, int fd);

/*
 * Returns true if the terminal has a string capability of terminfo(5), such as "cup". Call after
 * curses_library_find_terminal() or newterm().
 */
bool curses_library_has_string(const struct curses_library *curses, const char *name);

/* curses.c: a canvas on the terminal, and the terminal's keys. */

#define CURSES_NO_KEY (-1)

/* State of ncurses. All zero if it is not open. */
struct curses {
	struct curses_library library;
	SCREEN *screen;
	FILE *output; /* output of ncurses, in memory: it never blocks */
	attr_t attributes[STYLE_COUNT];
	struct cell *shown; /* cells of the last frame, all zero before the first one */
};

/*
 * Returns true if ncurses can be loaded, and TERM names a terminal with a movable cursor. If not,
 * logs the reason.
 */
bool curses_supported(const struct log *log);

/*
 * Opens ncurses for standard input, after curses_supported(). Returns 0 or a negative errno.
 * curses_close() must be called in any case.
 */
int curses_open(struct curses *curses);
void curses_close(struct curses *curses);

/* Returns the glyphs that the terminal can show, judged from the locale and TERM. */
enum glyphs curses_glyphs(void);

/* Sets the size; the next curses_show() draws all cells. Returns 0 or -ENOMEM. */
int curses_resize(struct curses *curses, int rows, int columns);

/*
 * Writes the cells that have changed since the last call to out. The canvas must have the size of
 * the last curses_resize().
 */
void curses_show(struct curses *curses, const struct canvas *canvas, FILE *out);

/* Returns the next key, a character or an enum screen_key; CURSES_NO_KEY: none. Does not block. */
int curses_key(const struct curses *curses);

/*
 * Writes to out the sequences that return to the normal screen. Before the next curses_show(),
 * curses_resize() must be called. rows: number of rows; on a terminal without an alternate screen,
 * the cursor goes to the last row.
 */
void curses_leave(struct curses *curses, int rows, FILE *out);

#endif
