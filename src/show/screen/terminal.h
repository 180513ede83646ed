/* SPDX-License-Identifier: BSD-3-Clause */
/* The terminal: its mode and signals; a canvas on it, and its keys, by ncurses. */
#ifndef CXLMON_SHOW_SCREEN_TERMINAL_H
#define CXLMON_SHOW_SCREEN_TERMINAL_H

#define NCURSES_WIDECHAR 1
#include <ncurses.h>
#include <stdbool.h>
#include <stdio.h>
#include <termios.h>

#include "base/error.h"
#include "show/screen/canvas.h"

/* terminal.c: its mode, its size, and its signals */

struct terminal {
	int fd;
	int signals_fd; /* a signalfd for the signals of terminal_event */
	struct termios before;
	bool changed; /* our mode is set */
};

enum terminal_event {
	TERMINAL_NO_EVENT,
	TERMINAL_RESIZED,
	TERMINAL_STOP, /* Ctrl-Z: the caller restores the terminal, then stops */
	TERMINAL_CONTINUED,
};

/*
 * Reads the mode, and blocks SIGWINCH, SIGTSTP and SIGCONT in this thread and those it starts from
 * now on. 0 or a negative errno, then nothing is open.
 */
int terminal_open(struct terminal *terminal, int fd);
/* Restores the mode, if it was changed. */
void terminal_close(struct terminal *terminal);

/* Unbuffered input without echo, output unchanged. Ctrl-C is still a signal. */
void terminal_set_mode(struct terminal *terminal);
void terminal_restore(struct terminal *terminal);

/* The next event. Does not block. */
enum terminal_event terminal_next(const struct terminal *terminal);

/*
 * curses_library.c: ncurses, loaded with dlopen() only by runs that have a screen: others need not
 * have it in memory, or installed. A static program (the macro CXLMON_STATIC) has it within.
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

/* curses.c: a canvas on the terminal, and its keys */

#define CURSES_NO_KEY (-1)

/* All zero: not open. */
struct curses {
	struct curses_library library;
	SCREEN *screen;
	FILE *output; /* of ncurses, in memory: it never blocks */
	attr_t attributes[STYLE_COUNT];
	struct cell *shown; /* cells of the last frame, all zero before the first one */
};

/* Whether TERM is a terminal whose cursor can be moved. Where it is not, the log says so. */
bool curses_supported(const struct log *log);

/* 0 or a negative errno; curses_close() is called in any case. */
int curses_open(struct curses *curses);
void curses_close(struct curses *curses);

/* Glyphs that the terminal's font has. */
enum glyphs curses_glyphs(void);

/* The next frame is drawn as a whole. 0 or -ENOMEM. */
int curses_resize(struct curses *curses, int rows, int columns);

/* Writes cells that have changed to out. The canvas has the size of the last curses_resize(). */
void curses_show(struct curses *curses, const struct canvas *canvas, FILE *out);

/* The next key, a character or an enum screen_key; CURSES_NO_KEY: there is none. Does not block. */
int curses_key(const struct curses *curses);

/* Back to the normal screen, until the next curses_resize(); of rows, the last one is left. */
void curses_leave(struct curses *curses, int rows, FILE *out);

#endif
