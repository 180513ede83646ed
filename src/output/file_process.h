/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that keeps the permission for one file's directory, which the run gives up. On request
 * through a socket it replaces the file, or opens it again. It has no register and no other file,
 * and ends with the run.
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
	/* used by one thread; negative: none, or the errno for which it was given up */
	int channel;
	/* set by file_process_limit(); 0: answers are awaited for ever */
	_Atomic uint64_t until_ns;
	bool impatient; /* as .interactive below */
};

/* Parameters of the process; used only during file_process_start(). */
struct file_process_use {
	const struct file_place *place; /* the file, by its open directory */
	const char *name;		/* name of the output, for messages */
	const char *second; /* another file in the directory that may be replaced; NULL: none */
	const struct sudo_user *caller;
	bool replaces;	 /* starting fails unless files can be created in the directory */
	bool never_root; /* the process keeps only the caller's permissions, or fails */
	/* a user waits for answers: a process that is stopped (SIGSTOP) is given up */
	bool interactive;
};

/*
 * Starts the process, from a process with one thread, and waits until it has given up its other
 * permissions. Returns 0 or a negative errno. Sets *out also after failure: file_process_stop()
 * frees it.
 */
int file_process_start(const struct file_process_use *use, struct file_process *out,
		       struct error *err);

/*
 * Replace the file, or .second, as replace_file() does; errors as there. -ECHILD: the process has
 * ended, or its answer is invalid. -ETIME: it was given up, because it did not answer. Later calls
 * return the same of these two. -EFBIG: more than 1 GiB. -ENOENT: there is no .second.
 */
int file_process_replace(struct file_process *process, const char *text, size_t size);
int file_process_replace_second(struct file_process *process, const char *text, size_t size);

/*
 * Opens the file again, as output_open_again() does. Returns a descriptor, to be closed, or a
 * negative errno; also -ECHILD or -ETIME.
 */
int file_process_open(struct file_process *process, struct error *err);

/* Returns the reason, for messages, of an error of the functions above. */
const char *file_process_reason(int rc);

/*
 * From ns nanoseconds from now, the process is given up (-ETIME) if its answer is awaited. Any
 * thread may call this.
 */
void file_process_limit(struct file_process *process, uint64_t ns);

/* Serves requests, in the process, until the run ends or sends an invalid one. */
void file_process_serve(const struct file_process_use *use, int channel);

/* Tells the process to end, without waiting: it may be stopped. Does nothing if there is none. */
void file_process_stop(struct file_process *process);

#endif
