/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Errors: a message for the user, made once, where the facts are known.
 *
 * Functions that can fail return 0 or a negative errno. If the user needs a message, the caller
 * passes a struct error, and the function that knows the register, device or CPU fills it in: what
 * failed, on what, what the kernel said, what to do about it. Only src/cli prints it.
 */
#ifndef CXLMON_BASE_ERROR_H
#define CXLMON_BASE_ERROR_H

#include <stdbool.h>
#include <stddef.h>

/* Log messages that are not errors. The library never prints them: it passes them to a callback. */

enum log_level {
	LEVEL_WARNING, /* something is missing or was changed */
	LEVEL_NOTE,    /* the way in which values were measured */
	LEVEL_DETAIL,  /* shown with --verbose */
};

struct log {
	/*
	 * Receives a message: one line without a newline, valid only during the call. NULL:
	 * messages are dropped.
	 */
	void (*write)(void *context, enum log_level level, const char *text);
	void *context; /* first argument of write() */
};

/* Formats a message and passes it to the log; control characters become '?'. */
__attribute__((format(printf, 3, 4))) void log_write(const struct log *log, enum log_level level,
						     const char *format, ...);

/* A log that passes each message once; if memory runs out, it may pass a message again. */
struct once_log {
	struct log next; /* receives the messages; the other members are initially zero */
	char **texts;	 /* messages passed before */
	size_t count;
};

/*
 * Returns a log that passes each message once to log->next. *log must outlive it, and is freed by
 * once_log_free().
 */
struct log once_log_as_log(struct once_log *log);
void once_log_free(struct once_log *log);

enum error_kind {
	ERROR_NONE,
	ERROR_FAILED,	  /* failed while running */
	ERROR_USAGE,	  /* wrong usage */
	ERROR_NO_UNIT,	  /* this machine has no unit that can be monitored */
	ERROR_PERMISSION, /* missing permission, or the kernel's configuration forbids it */
	ERROR_IN_USE,	  /* another program uses the counters */
	ERROR_CANNOT_RUN, /* COMMAND was found but cannot be executed */
	ERROR_NOT_FOUND,  /* COMMAND was not found */
	ERROR_KINDS
};

#define ERROR_COMMAND_SIZE 128
/* The greatest errno: MAX_ERRNO of the kernel's include/linux/err.h. */
#define ERRNO_MOST 4095

struct error {
	int code; /* negative errno; 0: no error */
	enum error_kind kind;
	char text[768]; /* one line; control characters in it are replaced by '?' */
	/* hint: a shell command that fixes the problem or shows more about it; "": none */
	char command[ERROR_COMMAND_SIZE];
};

/* The hint if root's privileges are missing. */
#define ERROR_COMMAND_AS_ROOT "sudo cxlmon"
/* The same hint in words, within a message. */
#define ERROR_RUN_AS_ROOT "run it with sudo"

/*
 * Overwrites *err, unless err is NULL, and removes its hint. Returns code, so that a caller can
 * write `return error_set(...)`.
 */
__attribute__((format(printf, 4, 5))) int error_set(struct error *err, enum error_kind kind,
						    int code, const char *format, ...);

/* Sets "out of memory", ERROR_FAILED. Returns -ENOMEM; err may be NULL. */
int error_no_memory(struct error *err);

/*
 * Returns true if .code is 0, or *err is a valid error of a kind from ERROR_FAILED to ERROR_IN_USE.
 * Its bytes may come from a hostile process. Both strings must be one line.
 */
bool error_is_valid(const struct error *err);

/* Sets the hint of *err, to be called after error_set(). err may be NULL; a long one is cut off. */
void error_hint(struct error *err, const char *command);

#endif
