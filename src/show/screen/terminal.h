/* SPDX-License-Identifier: BSD-3-Clause */
/* The terminal: its mode, signals and keys, and how a canvas is shown on it by ncurses. */
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
	int fd;		       /* the terminal; not owned */
	int signals_fd;	       /* signalfd(2), readable if terminal_next() has an event */
	struct termios before; /* mode to be restored */
	bool changed;	       /* terminal_set_mode() has set the mode */
};

/* Events of the terminal. */
enum terminal_event {
	TERMINAL_NO_EVENT,
	TERMINAL_RESIZED,   /* SIGWINCH */
	TERMINAL_STOP,	    /* SIGTSTP (Ctrl-Z): the caller restores the terminal, then stops */
	TERMINAL_CONTINUED, /* SIGCONT */
};

/*
 * Reads the mode of fd, and blocks SIGWINCH, SIGTSTP and SIGCONT in this thread and in threads that
 * it starts later. Returns 0 or a negative errno; after an error, nothing is open or blocked.
 */
int terminal_open(struct terminal *terminal, int fd);
/* Restores the mode, and closes .signals_fd. .fd stays open, and the signals stay blocked. */
void terminal_close(struct terminal *terminal);

/*
 * Sets unbuffered input without echo, and output without translation of line feeds and tabs. Ctrl-C
 * is still a signal.
 */
void terminal_set_mode(struct terminal *terminal);
/* Restores the mode, if terminal_set_mode() has changed it. */
void terminal_restore(struct terminal *terminal);

/* Returns the next event, without waiting. */
enum terminal_event terminal_next(const struct terminal *terminal);

/*
 * curses_library.c: ncurses. Runs with a screen load it with dlopen(); other runs do not need it. A
 * static program (CXLMON_STATIC) contains it.
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
	WINDOW **stdscr_ptr, **curscr_ptr; /* addresses of stdscr and curscr */
	/* from <term.h>, which is not included because it defines macros such as columns */
	int (*setupterm)(const char *term, int fd, int *found);
	int (*del_curterm)(void *terminal);
	void **terminal; /* address of cur_term */
};

/*
 * Loads ncurses, which stays loaded. Returns 0 or a negative errno. ERROR_FAILED: ncurses is not
 * installed; the error's command installs it.
 */
int curses_library_load(struct curses_library *out, struct error *err);

/*
 * Reads the terminfo entry of the terminal on fd, which TERM names. If there is none, and the
 * terminal is known to be like xterm (such as kitty), sets TERM to xterm-256color, and reads that
 * entry. Returns false if neither exists.
 */
bool curses_library_find_terminal(const struct curses_library *curses, int fd);

/*
 * Returns true if the terminal has a string capability of terminfo(5), such as "cup". Call after
 * curses_library_find_terminal() or newterm().
 */
bool curses_library_has_string(const struct curses_library *curses, const char *name);

/* curses.c: a canvas on the terminal, and the terminal's keys. */

#define CURSES_NO_KEY (-1)

/* State of ncurses. Initially zero. */
struct curses {
	struct curses_library library;
	SCREEN *screen;
	FILE *output; /* output of ncurses: a file in memory, so that ncurses never blocks */
	attr_t attributes[STYLE_COUNT]; /* attributes of ncurses by enum style */
	struct cell *shown;		/* cells that the terminal shows; all zero: unknown */
};

/*
 * Returns true if ncurses can be loaded, and standard output is a terminal whose cursor it can
 * move. If not, logs the reason.
 */
bool curses_supported(const struct log *log);

/*
 * Opens ncurses, which reads keys from standard input. Call it after curses_supported(). Returns 0
 * or a negative errno. Closed by curses_close(), also after failure.
 */
int curses_open(struct curses *curses);
void curses_close(struct curses *curses);

/* Returns the glyphs that the terminal can show, as the locale and TERM suggest. */
enum glyphs curses_glyphs(void);

/* Sets the terminal's size. The next curses_show() draws all cells. Returns 0 or -ENOMEM. */
int curses_resize(struct curses *curses, int rows, int columns);

/*
 * Writes to out the sequences that draw the changed cells. The canvas must have the size of the
 * last curses_resize().
 */
void curses_show(struct curses *curses, const struct canvas *canvas, FILE *out);

/*
 * Returns the next key, a character or an enum screen_key, without waiting; CURSES_NO_KEY: none.
 */
int curses_key(const struct curses *curses);

/*
 * Writes to out the sequences that return from the alternate screen to the normal one. If the
 * terminal has no alternate screen, clears its last row. rows: number of its rows. Call
 * curses_resize() before curses_show() shows a canvas again.
 */
void curses_leave(struct curses *curses, int rows, FILE *out);

#endif
