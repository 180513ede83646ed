/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that keeps the permission for one file's directory, which the run gives up: on request
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

struct file_process {
	pid_t pid;   /* 0: none */
	int channel; /* used by one thread; negative: no process, or the reason for giving it up */
	_Atomic uint64_t until_ns; /* limit for answers, by clock_monotonic(); 0: no limit */
	bool impatient;		   /* as .interactive below */
};

/* A file, and its use. */
struct file_process_use {
	const struct file_place *place;
	const char *name;   /* name of the output, for messages */
	const char *second; /* another file in the directory that may be replaced; NULL: none */
	const struct sudo_user *caller;
	bool replaces;	  /* the process replaces the file; else it opens the file again */
	bool never_root;  /* the caller's own permissions suffice, or the process fails */
	bool interactive; /* a user waits for answers: the process is given up once it is stopped */
};

/*
 * Starts the process, from a process with one thread, and returns when it has given up its other
 * permissions. Fails if it is to replace the file, but may not create files in the directory.
 */
int file_process_start(const struct file_process_use *use, struct file_process *out,
		       struct error *err);

/*
 * Replace the file as replace_file() does. -ECHILD: the process has ended, or its answer is
 * invalid. -ETIME: it was given up, because it did not answer; later calls fail likewise.
 */
int file_process_replace(struct file_process *process, const char *text, size_t size);
int file_process_replace_second(struct file_process *process, const char *text, size_t size);

/* Opens the file again, as output_open_again() does. */
int file_process_open(struct file_process *process, struct error *err);

/* Returns the reason of an error of file_process_replace() or file_process_open(). */
const char *file_process_reason(int rc);

/*
 * Gives the process up unless it answers within ns nanoseconds from now. Any thread may call this.
 */
void file_process_limit(struct file_process *process, uint64_t ns);

/* Runs in the process: serves requests until the run ends, or sends an invalid one. */
void file_process_serve(const struct file_process_use *use, int channel);

/* Ends the process, without waiting for its end: it may be stopped. */
void file_process_stop(struct file_process *process);

#endif
