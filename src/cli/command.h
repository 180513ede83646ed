/* SPDX-License-Identifier: BSD-3-Clause */
/* COMMAND as a child process, during which samples are taken. */
#ifndef CXLMON_CLI_COMMAND_H
#define CXLMON_CLI_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/error.h"
#include "linux/rights/sudo_user.h"

struct command {
	pid_t pid; /* 0: not started */
	int begin; /* end of a pipe, to which a byte is written to begin; 0: it has begun */
	int why;   /* end of a pipe, with the reason why it did not begin */
	bool ended;
	int terminal; /* controlling terminal; -1: none; open until the process ends */
	int status;   /* exit status once it has ended, or 128 + the signal that ended it */
};

/* Settings of this process that cxlmon changes for itself, as COMMAND gets them. */
struct command_inherits {
	sigset_t mask;	     /* mask of signals */
	struct rlimit files; /* limit of open files */
};

/*
 * Runs argv, after sudo as its caller, with the caller's groups and the environment that sudo made.
 * COMMAND inherits only the standard files. If it cannot be run, the error has a shell's status:
 * 127 not found, 126 otherwise.
 */
int command_start(struct command *command, char **argv, const struct sudo_user *caller,
		  const struct command_inherits *inherits, struct error *err);

/* Does the same in two steps: the process waits for command_begin() or command_abandon(). */
int command_fork(struct command *command, char **argv, const struct sudo_user *caller,
		 const struct command_inherits *inherits, struct error *err);
/* Lets COMMAND run. name: the program's, for messages. */
int command_begin(struct command *command, const char *name, const struct sudo_user *caller,
		  struct error *err);
/* Ends a process that waits to begin. Does nothing if none waits. */
void command_abandon(struct command *command);

/* Returns whether COMMAND has ended, without waiting. */
bool command_poll(struct command *command);

/*
 * Sends a signal. Does nothing once COMMAND has ended, or if it runs as a user whose processes this
 * one may not signal.
 */
void command_signal(const struct command *command, int signal_number);

/*
 * Forwards a signal that this process got, unless the terminal has sent it to COMMAND as well.
 * Continues COMMAND, because a stopped process gets no signal.
 */
void command_forward(const struct command *command, int signal_number);

/*
 * Waits for a signal, such as SIGCHLD when COMMAND ends, as sigwaitinfo(). asked: a signal was
 * forwarded, so COMMAND should end. Returns 0, with a warning, if COMMAND is stopped instead and
 * may never end.
 */
int command_wait(const struct command *command, const sigset_t *signals, bool asked,
		 const struct log *log);

#endif
