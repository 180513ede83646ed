/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that can still access one directory after the run has given up that access. On request
 * through a socket, the process replaces a file there, or opens it again. It accesses no register
 * and no file elsewhere, and ends with the run.
 */
#ifndef CXLMON_OUTPUT_FILE_PROCESS_H
#define CXLMON_OUTPUT_FILE_PROCESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"
#include "linux/rights/sudo_user.h"
#include "output/output_file.h"

/* The process as its parent sees it. Initially {.channel = -1}, or made by file_process_start(). */
struct file_process {
	pid_t pid; /* 0: none */
	/* socket, used by one thread; negative: no process, or the errno why it was given up */
	int channel;
	/* end of waiting for answers, set by file_process_limit(); 0: no limit */
	_Atomic uint64_t until_ns;
	bool impatient; /* struct file_process_use.interactive */
};

/* Parameters of the process; used only during file_process_start(). */
struct file_process_use {
	const struct file_place *place; /* the file */
	const char *name;		/* name of the output, for messages */
	const char *second; /* another file in the directory that may be replaced; NULL: none */
	const struct sudo_user *caller;
	bool replaces;	 /* file_process_start() fails unless it can create files there */
	bool never_root; /* the process has only the caller's permissions */
	/* a user waits for answers, so a stopped process (SIGSTOP) is given up */
	bool interactive;
};

/*
 * Starts the process, and waits until it has given up its other permissions. The calling process
 * has one thread. Returns 0 or a negative errno. Sets *out also after an error: the caller frees it
 * by file_process_stop().
 */
int file_process_start(const struct file_process_use *use, struct file_process *out,
		       struct error *err);

/*
 * Replace the file, or .second, as replace_file() does. They return its errors, or:
 *
 * - -ECHILD: the process has ended, or its answer is invalid; later calls return the same
 * - -ETIME: the process did not answer, and was given up; later calls return the same
 * - -EFBIG: the text has more than 1 GiB
 * - -ENOENT: there is no .second
 */
int file_process_replace(struct file_process *process, const char *text, size_t size);
int file_process_replace_second(struct file_process *process, const char *text, size_t size);

/*
 * Opens the file again, as output_open_again() does. Returns a descriptor, which the caller closes,
 * or a negative errno, also -ECHILD or -ETIME as above.
 */
int file_process_open(struct file_process *process, struct error *err);

/* Returns the reason for an error of the functions above, for messages. */
const char *file_process_reason(int rc);

/*
 * Sets an end, ns nanoseconds from now, to all waits for answers. If the process has not answered
 * by then, it is given up (-ETIME). Any thread may call this.
 */
void file_process_limit(struct file_process *process, uint64_t ns);

/* Serves requests, in the new process, until the run ends or sends an invalid request. */
void file_process_serve(const struct file_process_use *use, int channel);

/* Tells the process to end, and does not wait for it. Does nothing if there is none. */
void file_process_stop(struct file_process *process);

#endif
