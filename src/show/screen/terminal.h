/* SPDX-License-Identifier: BSD-3-Clause */
/* The terminal: its mode, its size, and its signals. */
#ifndef CXLMON_SHOW_SCREEN_TERMINAL_H
#define CXLMON_SHOW_SCREEN_TERMINAL_H

#include <stdbool.h>
#include <termios.h>

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

#endif
