/* SPDX-License-Identifier: BSD-3-Clause */
/* COMMAND, during which samples are taken, as a child process. */
#ifndef CXLMON_CLI_COMMAND_H
#define CXLMON_CLI_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/error.h"
#include "linux/rights/sudo_user.h"

struct command {
	pid_t pid; /* 0: none was started */
	int begin; /* a pipe's end: it begins once something is written there; 0: it has begun */
	int why;   /* a pipe's end: why it did not */
	bool ended;
	int terminal; /* the controlling one; -1: none; open until the process ends */
	int status;   /* once it has ended: its exit status, or 128 + the signal that ended it */
};

/* The process settings that cxlmon changes for itself, as COMMAND gets them. */
struct command_inherits {
	sigset_t mask;	     /* signals */
	struct rlimit files; /* limit of open files */
};

/*
 * Runs argv as the user who called sudo, where one did: with that user's groups, and the
 * environment that sudo made. It inherits the standard files and no others.
 * If it can't be run, the error has the status that a shell would use: 127 not found, 126
 * otherwise.
 */
int command_start(struct command *command, char **argv, const struct sudo_user *caller,
		  const struct command_inherits *inherits, struct error *err);

/* The same in two steps: its process waits to begin, or to be abandoned. */
int command_fork(struct command *command, char **argv, const struct sudo_user *caller,
		 const struct command_inherits *inherits, struct error *err);
/* name: of the program, for messages. */
int command_begin(struct command *command, const char *name, const struct sudo_user *caller,
		  struct error *err);
/* Does nothing where no process waits. */
void command_abandon(struct command *command);

/* Without waiting: whether it has ended. */
bool command_poll(struct command *command);

/*
 * Sends a signal; does nothing once it has ended, or where it runs as a user whose processes we may
 * not signal.
 */
void command_signal(const struct command *command, int signal_number);

/*
 * Forwards a signal that this process got, unless the terminal has sent it to COMMAND as well.
 * Continues COMMAND, which gets no signal while it is stopped.
 */
void command_forward(const struct command *command, int signal_number);

/*
 * Waits for a signal, such as SIGCHLD when COMMAND ends, as sigwaitinfo(). asked: a signal was
 * forwarded, so that COMMAND should end. Returns 0, with a warning, if it is stopped instead: then
 * nobody knows when it ends.
 */
int command_wait(const struct command *command, const sigset_t *signals, bool asked,
		 const struct log *log);

#endif
