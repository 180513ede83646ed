/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes, as procfs shows them. The kernel reuses process ids: only an id and a start time
 * together name one process.
 *
 * Also: capabilities of this thread, descriptors that children inherit, and helper processes.
 */
#ifndef CXLMON_LINUX_RUN_PROCESS_H
#define CXLMON_LINUX_RUN_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/error.h"

/* /proc/PID/stat and /proc/PID/task/TID/stat: proc(5). */

/* Numbers of fields in proc(5), for proc_stat_number(). */
#define STAT_STATE   3
#define STAT_UTIME   14 /* clock ticks */
#define STAT_STIME   15 /* clock ticks */
#define STAT_THREADS 20
#define STAT_STARTED 22 /* clock ticks since boot */
#define STAT_CPU     39 /* CPU of its last run */

struct proc_stat {
	char text[1024];
	const char *fields; /* points into .text, after the process's name; NULL: not read */
};

/* Reads a stat file; path is formatted, and relative to root. False: it cannot be read. */
__attribute__((format(printf, 3, 4))) bool proc_stat_read(struct proc_stat *stat, const char *root,
							  const char *path, ...);

/* Returns the number in a field (STAT_...); 0: the line is too short. */
uint64_t proc_stat_number(const struct proc_stat *stat, unsigned field);

/*
 * Tells if a process is a zombie: all its threads have ended, and its parent has not yet asked for
 * its status. A process with a running thread is not a zombie, even if its first thread has ended.
 */
bool proc_stat_is_zombie(const struct proc_stat *stat);

/* /proc/PID/maps: proc(5). */

struct proc_mapping {
	/* addresses of the first byte, and after the last one; end >= start */
	uint64_t start, end;
	uint64_t offset, inode; /* bytes into the file; inode 0: no file */
	char permissions[8];	/* "rw-p" */
	const char *name;	/* points into the line, and may be cut off there; "": none */
};

/*
 * Reads the next mapping of a maps file into *out. Its line goes to `line`, a buffer of size bytes.
 * Skips lines of another form. Returns false at the end of the file.
 */
bool proc_maps_next(FILE *in, char *line, int size, struct proc_mapping *out);

/* The identity of a process. */
struct process {
	pid_t pid;
	uint64_t started;   /* clock ticks since boot: field 22 of /proc/PID/stat; 0: unknown */
	uint64_t namespace; /* namespace of pid: inode of /proc/self/ns/pid; 0: unknown */
};

/* Returns the identity of this process. */
struct process process_self(void);

enum process_state {
	PROCESS_RUNS,
	PROCESS_ENDED,
	PROCESS_UNKNOWN, /* it may be in another namespace of process ids */
};

/* Returns the state of *process, not of a later process with its id. A zombie counts as ended. */
enum process_state process_state(const struct process *process);

/* Tells if a process that is not a zombie has this id in this process's namespace. */
bool process_exists(pid_t pid);

/* Tells if a child of this process is stopped, as by SIGSTOP. */
bool process_is_stopped(pid_t child);

/* Writes "pid 123 (cxlmon)"; "pid 123" if there is no such process. Returns text. */
#define PROCESS_TEXT_SIZE 64
const char *process_text(pid_t pid, char text[PROCESS_TEXT_SIZE]);

/* Capabilities of this thread, without libcap-ng, which the shared library does not use. */

/* Tells if a capability of <linux/capability.h>, such as CAP_SYS_RAWIO, is effective. */
bool linux_capable(unsigned capability);

/* Tells if a capability is permitted: it is effective, or can be made so. */
bool linux_permitted(unsigned capability);

/*
 * Makes a permitted capability of this thread effective or ineffective. Returns true if this
 * changed it; false if it is not permitted, was so already, or cannot be changed.
 */
bool linux_make_effective(unsigned capability, bool effective);

/* Descriptors that a new process must not inherit. */

/* Closes all descriptors from first on: now or, with on_exec, at this process's next exec(). */
void close_files(int first, bool on_exec);

/* Helpers: forked processes without privileges that work for the run, and answer by packets. */

/*
 * Forks a helper, connected to this process by packet_pair(). Returns the helper's id, 0 in the
 * helper, or a negative errno. In each of the two processes, *socket is its own end; -1 after an
 * error.
 */
pid_t helper_fork(int *socket);

/*
 * Prepares this process as a helper called name. Keeps standard error, and count descriptors, at
 * most two, which become 0 and 1. Blocks all signals: a signal to the whole group must not end the
 * helper while the run goes on. The kernel kills the helper when the run ends. Returns false on
 * failure.
 */
bool helper_begin(const char *name, const int *descriptors, int count);

/*
 * Makes the kernel kill this process as soon as the thread that started it ends, even if this
 * process is busy or stopped. If this process then changes its user or gains capabilities, call the
 * function again: prctl(2). Returns false on failure, or if parent has ended already.
 */
bool helper_end_with(pid_t parent);

#endif
