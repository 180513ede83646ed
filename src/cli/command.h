/* SPDX-License-Identifier: BSD-3-Clause */
/* The COMMAND that is measured, as a child process. */
#ifndef CXLMON_COMMAND_H
#define CXLMON_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "platform/error.h"

struct command {
	pid_t pid; /* 0: none was started */
	bool ended;
	int status; /* once it has ended: its exit status, or 128 + the signal that ended it */
};

/*
 * Runs argv with the signal mask given. Where it can't be run, the error has the status that a
 * shell would give: 127 not found, 126 otherwise.
 */
int command_start(struct command *command, char **argv, const sigset_t *mask, struct error *err);

/* Without waiting: whether it has ended. */
bool command_poll(struct command *command);

/* Sends it a signal; does nothing once it has ended. */
void command_signal(const struct command *command, int signal_number);

/* Passes on what this process was sent, unless COMMAND has got it from the terminal as well. */
void command_pass_on(const struct command *command, int signal_number);

#endif
