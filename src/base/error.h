/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors and log messages for the user.
 *
 * Functions that can fail return 0 or a negative errno. If the user needs a message, the caller
 * passes a struct error. The function that knows the register, device or CPU fills it in with the
 * failure, its place, the kernel's reason and the remedy. Only src/cli prints errors.
 */
#ifndef CXLMON_BASE_ERROR_H
#define CXLMON_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

/* Log messages, which are not errors. */

enum log_level {
	LEVEL_WARNING, /* something is missing or was changed */
	LEVEL_NOTE,    /* a fact about the measurement */
	LEVEL_DETAIL,  /* shown only with --verbose */
};

struct log {
	/* receives one line without a newline, valid only during the call; NULL: drops messages */
	void (*write)(void *context, enum log_level level, const char *text);
	void *context; /* first argument of write() */
};

/*
 * Formats a message and passes it to the log. Replaces control characters by '?', and cuts off the
 * message after 511 bytes.
 */
__attribute__((format(printf, 3, 4))) void log_write(const struct log *log, enum log_level level,
						     const char *format, ...);

/* A filter that drops repeated messages; if memory runs out, it may pass a message again. */
struct once_log {
	/* receives the messages; the caller sets it, and zeroes the other members */
	struct log next;
	char **texts; /* messages passed so far; owned */
	size_t count; /* number of .texts */
};

/* Returns a log that writes to the filter, which must outlive the log. */
struct log once_log_as_log(struct once_log *log);
/* Frees the texts. */
void once_log_free(struct once_log *log);

enum error_kind {
	ERROR_NONE,
	ERROR_FAILED,	  /* failed while running */
	ERROR_USAGE,	  /* wrong usage */
	ERROR_NO_UNIT,	  /* this machine has no unit that can be monitored */
	ERROR_PERMISSION, /* missing permission, or the kernel's configuration forbids it */
	ERROR_IN_USE,	  /* another program uses the counters */
	ERROR_CANNOT_RUN, /* the user's COMMAND was found, but cannot be executed */
	ERROR_NOT_FOUND,  /* the user's COMMAND was not found */
	ERROR_KINDS
};

#define ERROR_COMMAND_SIZE 128
/* The greatest errno: MAX_ERRNO of the kernel's include/linux/err.h. */
#define ERRNO_MOST 4095

struct error {
	int code; /* negative errno; 0: no error */
	enum error_kind kind;
	char text[768]; /* message: one line, in which '?' replaces control characters */
	/* hint: a shell command that fixes the problem or shows more about it; "": none */
	char command[ERROR_COMMAND_SIZE];
};

/* Hint if root's privileges are missing. */
#define ERROR_COMMAND_AS_ROOT "sudo cxlmon"
/* Words for the same hint, within a message. */
#define ERROR_RUN_AS_ROOT "run it with sudo"

/*
 * Sets *err to an error without a hint. err may be NULL. Returns code, for `return error_set(...)`.
 */
__attribute__((format(printf, 4, 5))) int error_set(struct error *err, enum error_kind kind,
						    int code, const char *format, ...);

/* Sets "out of memory", ERROR_FAILED. Returns -ENOMEM; err may be NULL. */
int error_no_memory(struct error *err);

/*
 * Checks an error whose bytes come from another process, perhaps a hostile one. Returns true if
 * both strings are one line, and one of these holds:
 * - .code is 0
 * - .code is a negative errno, .kind is from ERROR_FAILED to ERROR_IN_USE, and .text is not empty
 */
bool error_is_valid(const struct error *err);

/* Sets the hint, after error_set(). Cuts off a hint that does not fit. err may be NULL. */
void error_hint(struct error *err, const char *command);

#endif
