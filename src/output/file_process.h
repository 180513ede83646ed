/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A process that keeps the right to one file's directory, which the run gives up: it replaces the
 * file, or opens it again, when it is asked to through a socket. It has no register and no other
 * file, and ends when the run does.
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
	pid_t pid;		   /* 0: none */
	int channel;		   /* used by one thread; negative: none, or why it was given up */
	_Atomic uint64_t until_ns; /* answers come before that time of clock_monotonic(); 0: ever */
	bool impatient;		   /* as .interactive */
};

/* The file, and how it is used. */
struct file_process_use {
	const struct file_place *place;
	const char *name;   /* of the output, in messages */
	const char *second; /* another file in its directory, that may be replaced; NULL: none */
	const struct sudo_user *caller;
	bool replaces;	  /* else it opens the file again */
	bool never_root;  /* the caller's rights suffice, or it fails */
	bool interactive; /* somebody waits for answers: the process is given up once it is stopped
			   */
};

/*
 * Starts it, from a process with one thread, and returns when it has given up its other rights. An
 * error if it is to replace the file, and has no right to create one in the directory.
 */
int file_process_start(const struct file_process_use *use, struct file_process *out,
		       struct error *err);

/*
 * As replace_file(). -ECHILD: the process has ended, or has given an answer that none gives.
 * -ETIME: it was given up, as it did not answer; so are later calls.
 */
int file_process_replace(struct file_process *process, const char *text, size_t size);
int file_process_replace_second(struct file_process *process, const char *text, size_t size);

/* As output_open_again(). */
int file_process_open(struct file_process *process, struct error *err);

/* The reason of an error of the functions above. */
const char *file_process_reason(int rc);

/* Gives the process up unless it answers within so many ns from now. Any thread may call this. */
void file_process_limit(struct file_process *process, uint64_t ns);

/* What it does: serves requests until the run ends, or sends one that no run sends. */
void file_process_serve(const struct file_process_use *use, int channel);

/* Lets it end, without waiting for that: it may be stopped. */
void file_process_stop(struct file_process *process);

#endif
