/* SPDX-License-Identifier: BSD-3-Clause */
/* The terminal as the kernel knows it: its mode, its size, and the signals that it sends. */
#ifndef CXLMON_TERMINAL_H
#define CXLMON_TERMINAL_H

#include <stdbool.h>
#include <termios.h>

struct terminal {
	int fd;
	int signals_fd; /* readable when one of the signals below has come */
	struct termios before;
	bool changed; /* it has our mode, and is to be given back its own */
};

enum terminal_event {
	TERMINAL_NOTHING,
	TERMINAL_RESIZED,
	TERMINAL_STOP, /* Ctrl-Z: the caller stops after it has left the screen */
	TERMINAL_CONTINUED,
};

/*
 * Reads its mode, and holds SIGWINCH, SIGTSTP and SIGCONT back, for this thread and those that it
 * starts from here on. 0 or a negative errno, and then nothing is open.
 */
int terminal_open(struct terminal *terminal, int fd);
/* Gives it back its mode, where that was changed. */
void terminal_close(struct terminal *terminal);

/* Keys come one by one and are not shown; what is written stays as it is. Ctrl-C is a signal. */
void terminal_take(struct terminal *terminal);
void terminal_give_back(struct terminal *terminal);

/* The next thing that has happened. Never waits. */
enum terminal_event terminal_next(const struct terminal *terminal);

/* 24 x 80 where it doesn't say. */
void terminal_size(const struct terminal *terminal, int *rows, int *columns);

#endif
