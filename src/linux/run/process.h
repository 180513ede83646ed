/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes, as procfs shows them: a process id is reused, so that its start tells which process it
 * is. Also this process's capabilities, and the descriptors that children inherit.
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

/* Numbers of fields in proc(5). */
#define STAT_STATE   3
#define STAT_UTIME   14 /* clock ticks */
#define STAT_STIME   15 /* clock ticks */
#define STAT_THREADS 20
#define STAT_STARTED 22 /* clock ticks since boot */
#define STAT_CPU     39 /* CPU of its last run */

struct proc_stat {
	char text[1024];
	const char *fields; /* text after the name, which may have blanks; NULL: none */
};

/* Reads a stat file below root. Returns false if there is none. */
__attribute__((format(printf, 3, 4))) bool proc_stat_read(struct proc_stat *stat, const char *root,
							  const char *path, ...);

/* Returns a field; 0: the line is too short. */
uint64_t proc_stat_number(const struct proc_stat *stat, unsigned field);

/*
 * Returns whether all threads have ended and only the parent has not yet asked for the status. A
 * process whose first thread has ended while others run is not a zombie.
 */
bool proc_stat_is_zombie(const struct proc_stat *stat);

/* /proc/PID/maps: proc(5). */

struct proc_mapping {
	uint64_t start, end; /* addresses; end is the first address after the mapping, and not below
				start */
	uint64_t offset, inode;
	char permissions[8]; /* "rw-p" */
	const char *name;    /* within the line, which may truncate it; "": no name */
};

/*
 * Reads the next mapping of a maps file and skips lines of another form. Returns false at the end.
 */
bool proc_maps_next(FILE *in, char *line, int size, struct proc_mapping *out);

struct process {
	pid_t pid;
	uint64_t started;   /* clock ticks since boot: field 22 of /proc/PID/stat; 0: unknown */
	uint64_t namespace; /* namespace of pid: inode of /proc/self/ns/pid; 0: unknown */
};

struct process process_self(void);

enum process_state {
	PROCESS_RUNS,
	PROCESS_ENDED,
	PROCESS_UNKNOWN, /* possibly in another namespace, where pid is another process */
};

enum process_state process_state(const struct process *process);

/* Returns whether a process has this id in this process's namespace. Zombies do not count. */
bool process_exists(pid_t pid);

/*
 * Returns whether a child of this process is stopped, as by SIGSTOP: it does not answer before
 * SIGCONT.
 */
bool process_is_stopped(pid_t child);

/* Writes "pid 123 (cxlmon)"; "pid 123" if there is no such process. Returns text. */
#define PROCESS_TEXT_SIZE 64
const char *process_text(pid_t pid, char text[PROCESS_TEXT_SIZE]);

/* Capabilities of this thread, without libcap-ng, which the shared library does not use. */

/* Returns whether a capability of <linux/capability.h>, such as CAP_SYS_RAWIO, is effective. */
bool linux_capable(unsigned capability);

/* Returns whether a capability is permitted: effective, or can be made so. */
bool linux_permitted(unsigned capability);

/*
 * Makes a permitted capability of this thread effective or ineffective. Returns false if it is not
 * permitted, was so already, or cannot be changed.
 */
bool linux_make_effective(unsigned capability, bool effective);

/* Descriptors that a new process must not inherit. */

/* Closes all descriptors from first on. on_exec: only when this process executes a program. */
void close_files(int first, bool on_exec);

/*
 * Helpers: processes without rights next to the run, which answer over descriptors.
 *
 * Forks a helper. *socket is one end of a pair of sockets, in each process its own. type is
 * socketpair(2)'s; SOCK_NONBLOCK applies to both ends. Returns the helper's id, 0 in the helper, or
 * a negative errno: then *socket is -1.
 */
pid_t helper_fork(int type, int *socket);

/*
 * Begins a forked helper: it keeps these descriptors, at most two, as 0 and 1, and standard error.
 * It blocks all signals, because a signal to the whole group must not end it before the run; it
 * ends with the run. Returns false on failure.
 */
bool helper_begin(const char *name, const int *descriptors, int count);

/*
 * Makes the kernel kill this helper as soon as the thread that started it ends, also if it is busy
 * or stopped. The kernel forgets that when the helper changes its user or gains capabilities:
 * prctl(2). Returns false if the parent has ended already.
 */
bool helper_end_with(pid_t parent);

/* Sends bytes with a descriptor, and closes the descriptor. fd negative: none. */
bool helper_send(int socket, const void *bytes, size_t size, int fd);
/*
 * Receives bytes. *fd: the descriptor sent with them; -1: none. Returns false if the other process
 * has ended, or has sent another size or several descriptors, which are closed.
 */
bool helper_receive(int socket, void *bytes, size_t size, int *fd);

#endif
