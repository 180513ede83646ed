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

/* The child process. Initially all members are zero: there is none. */
struct command {
	pid_t pid;    /* 0: not started */
	int begin;    /* private: pipe to the child, which waits for a byte; 0: it does not wait */
	int why;      /* private: pipe for the reason why COMMAND cannot run */
	bool ended;   /* set by command_poll() */
	int terminal; /* once COMMAND runs: descriptor of /dev/tty, never closed; -1: none */
	int status;   /* once .ended: exit status, or 128 + the signal that ended COMMAND */
};

/* Settings that cxlmon changes for itself, with the values that COMMAND gets. */
struct command_inherits {
	sigset_t mask;	     /* blocked signals */
	struct rlimit files; /* limit of open files (RLIMIT_NOFILE) */
};

/*
 * Removes PMI_FD from the environment, unless it names an inherited socket. Call it before any file
 * is opened, so that PMI_FD cannot name one of cxlmon's files.
 */
void command_check_pmi(void);

/*
 * Runs argv, which ends with NULL. After sudo, COMMAND runs as the user who called sudo, with that
 * user's groups and the environment that sudo made. It inherits only standard input, output and
 * error, and the socket that PMI_FD names, by which ranks of MPI find each other. Returns 0 or a
 * negative errno. ERROR_NOT_FOUND, ERROR_CANNOT_RUN: COMMAND cannot be run.
 */
int command_start(struct command *command, char **argv, const struct sudo_user *caller,
		  const struct command_inherits *inherits, struct error *err);

/*
 * Makes the process, which waits for command_begin() or command_abandon() before it runs argv. See
 * command_start(). Returns 0 or a negative errno.
 */
int command_fork(struct command *command, char **argv, const struct sudo_user *caller,
		 const struct command_inherits *inherits, struct error *err);
/* Lets the process run COMMAND. name: argv[0], for messages. Returns as command_start(). */
int command_begin(struct command *command, const char *name, const struct sudo_user *caller,
		  struct error *err);
/* Kills a process that waits for command_begin(). Does nothing if none waits. */
void command_abandon(struct command *command);

/* Returns true if COMMAND has ended; sets .ended and .status then. Does not wait. */
bool command_poll(struct command *command);

/*
 * Sends a signal to COMMAND, if it is running and this process may signal it; else does nothing.
 */
void command_signal(const struct command *command, int signal_number);

/*
 * Sends COMMAND a signal that this process got. If this process is in the foreground of its
 * terminal, leaves out SIGINT and SIGQUIT: Ctrl-C and Ctrl-\ reach COMMAND, too. Then always sends
 * SIGCONT: a stopped process does not act on signals.
 */
void command_forward(const struct command *command, int signal_number);

/*
 * Returns true if a signal does not end the run:
 * - If there is a COMMAND: SIGUSR1 and SIGUSR2. This function sends them to COMMAND, because Slurm
 *   uses them as a warning before it ends a job (--signal).
 * - In a job of Slurm, if ended_by is SIGTERM: SIGTERM, which Slurm sends twice at a time limit.
 *
 * ended_by: earlier signal that ends the run; 0: none.
 */
bool command_survives(const struct command *command, int signal_number, int ended_by);

/*
 * Waits for a signal, such as SIGCHLD when COMMAND ends, and returns as sigwaitinfo(). asked: a
 * signal has asked COMMAND to end. If COMMAND was asked but is stopped (SIGSTOP), it may never end:
 * logs a warning, and returns 0 at once.
 */
int command_wait(const struct command *command, const sigset_t *signals, bool asked,
		 const struct log *log);

#endif
