/* SPDX-License-Identifier: BSD-3-Clause */
/* The COMMAND that is measured, as a child process. */
#ifndef CXLMON_COMMAND_H
#define CXLMON_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "linux/sudo_user.h"
#include "platform/error.h"

struct command {
	pid_t pid; /* 0: none was started */
	bool ended;
	int status; /* once it has ended: its exit status, or 128 + the signal that ended it */
};

/*
 * Runs argv with the signal mask given, as the user who called sudo, where one did: with that
 * user's groups, and the environment that sudo made. It is given the standard files, and no other.
 * Where it can't be run, the error has the status that a shell would give: 127 not found, 126
 * otherwise.
 */
int command_start(struct command *command, char **argv, const struct sudo_user *caller,
		  const sigset_t *mask, struct error *err);

/* Without waiting: whether it has ended. */
bool command_poll(struct command *command);

/*
 * Passes a signal on; does nothing once it has ended, or where it has become a user whom we may not
 * send any.
 */
void command_signal(const struct command *command, int signal_number);

/* Passes on what this process was sent, unless COMMAND has got it from the terminal as well. */
void command_pass_on(const struct command *command, int signal_number);

#endif
