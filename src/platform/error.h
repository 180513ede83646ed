/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What went wrong, said once, where the facts are.
 *
 * Functions that can fail return 0 or a negative errno. Where the user needs a sentence, the caller
 * passes a struct error and the function that knows the register, device or CPU fills it in. Only
 * the command line prints it.
 */
#ifndef CXLMON_ERROR_H
#define CXLMON_ERROR_H

/* Exit statuses that users and scripts rely on. */
enum exit_status {
	EXIT_OK = 0,
	EXIT_FAILED = 1,       /* failed while running */
	EXIT_USAGE = 2,	       /* wrong usage */
	EXIT_NO_UNIT = 3,      /* this machine has no unit that can be monitored */
	EXIT_PERMISSION = 4,   /* permission or kernel set-up prevents it */
	EXIT_IN_USE = 5,       /* the counters are in use by someone else */
	EXIT_CANNOT_RUN = 126, /* COMMAND was found, but can't be run, as shells have it */
	EXIT_NOT_FOUND = 127,  /* COMMAND was not found */
	EXIT_SIGNALLED = 128,  /* + n: ended by signal n */
};

#define ERROR_COMMAND_SIZE 128

struct error {
	int code; /* negative errno, 0 where nothing failed */
	enum exit_status status;
	char text[768]; /* one line: control characters in it were replaced */
	/* that mends it, for the user to paste, or shows more of it; empty where none is known */
	char command[ERROR_COMMAND_SIZE];
};

/* The command where the user's rights are what is missing. */
#define ERROR_COMMAND_AS_ROOT "sudo cxlmon"

/*
 * Fills *err (which may be NULL), without a command, and returns code, so that a caller can
 * `return error_set(...)`.
 */
__attribute__((format(printf, 4, 5))) int error_set(struct error *err, enum exit_status status,
						    int code, const char *format, ...);

/* Keeps the command for what error_set() has just said. err may be NULL; longer ones are cut. */
void error_hint(struct error *err, const char *command);

#endif
