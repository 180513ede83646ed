/* SPDX-License-Identifier: BSD-3-Clause */
/* COMMAND, the program after "--", as a child process that runs while samples are taken. */
#ifndef CXLMON_CLI_COMMAND_H
#define CXLMON_CLI_COMMAND_H

#include <signal.h>
#include <stdbool.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/error.h"
#include "linux/rights/sudo_user.h"

/* The child process; zero except .terminal, -1, if there is none. */
struct command {
	pid_t pid;    /* 0: not started */
	int begin;    /* end of a pipe, to which a byte is written to begin; 0: it has begun */
	int why;      /* end of a pipe, with the reason why it cannot begin */
	bool ended;   /* set by command_poll() */
	int terminal; /* descriptor of the controlling terminal, never closed; -1: none */
	int status;   /* exit status once it has ended, or 128 + the signal that ended it */
};

/* Settings that cxlmon changes for itself, but COMMAND gets as they were. */
struct command_inherits {
	sigset_t mask;	     /* signals that are blocked */
	struct rlimit files; /* limit of open files (RLIMIT_NOFILE) */
};

/*
 * Removes PMI_FD from the environment, unless it names a socket that this process has inherited.
 * Call it before a file is opened: COMMAND never inherits one of cxlmon's.
 */
void command_check_pmi(void);

/*
 * Runs argv, which ends with NULL. After sudo, COMMAND runs as its caller, with the caller's groups
 * and the environment that sudo made. It inherits only standard input, output and error, and the
 * socket that PMI_FD names, by which ranks of MPI find each other. Returns 0 or a negative errno.
 * ERROR_NOT_FOUND, ERROR_CANNOT_RUN: it cannot be run.
 */
int command_start(struct command *command, char **argv, const struct sudo_user *caller,
		  const struct command_inherits *inherits, struct error *err);

/*
 * Makes the process as command_start() does, but it waits for command_begin() or command_abandon().
 */
int command_fork(struct command *command, char **argv, const struct sudo_user *caller,
		 const struct command_inherits *inherits, struct error *err);
/* Lets COMMAND run, with errors as command_start(). name: the program's, for messages. */
int command_begin(struct command *command, const char *name, const struct sudo_user *caller,
		  struct error *err);
/* Kills a process that waits to begin. Does nothing if none waits. */
void command_abandon(struct command *command);

/* Returns true if COMMAND has ended, and sets .status then. Does not wait. */
bool command_poll(struct command *command);

/*
 * Sends a signal. Does nothing if COMMAND was not started, was found to have ended, or runs as a
 * user whose processes this one may not signal.
 */
void command_signal(const struct command *command, int signal_number);

/*
 * Forwards a signal that this process got, unless the terminal has also sent it to COMMAND. Then
 * continues COMMAND (SIGCONT), because a stopped process does not act on signals.
 */
void command_forward(const struct command *command, int signal_number);

/*
 * Handles a signal that does not end the run; returns false for all others. SIGUSR1 and SIGUSR2 are
 * for COMMAND, and passed on: Slurm sends them some time before it ends a job (--signal). In a job
 * of Slurm, SIGTERM after an earlier one (ended_by) changes nothing: Slurm sends it twice at a time
 * limit, and SIGKILL later if needed.
 */
bool command_survives(const struct command *command, int signal_number, int ended_by);

/*
 * Waits for a signal, such as SIGCHLD when COMMAND ends, as sigwaitinfo() does. asked: a signal was
 * forwarded, so COMMAND should end. If it is stopped instead, it may never end: writes a warning,
 * and returns 0.
 */
int command_wait(const struct command *command, const sigset_t *signals, bool asked,
		 const struct log *log);

#endif
