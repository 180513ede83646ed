/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes, as procfs shows them (a process id alone names one process after another); what this
 * one may do, and what it leaves to its children.
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

/* Fields, as proc(5) numbers them. */
#define STAT_STATE   3
#define STAT_UTIME   14 /* clock ticks */
#define STAT_STIME   15 /* likewise */
#define STAT_THREADS 20
#define STAT_STARTED 22 /* clock ticks since boot */
#define STAT_CPU     39 /* on which it last ran */

struct proc_stat {
	char text[1024];
	const char *fields; /* from the end of the name, which may have blanks; NULL: none */
};

/* Reads a file below root. False: there is none. */
__attribute__((format(printf, 3, 4))) bool proc_stat_read(struct proc_stat *stat, const char *root,
							  const char *path, ...);

/* 0 where the line is too short. */
uint64_t proc_stat_number(const struct proc_stat *stat, unsigned field);

/* Only its parent has not yet asked for its status. Its first thread alone may have ended, too. */
bool proc_stat_is_zombie(const struct proc_stat *stat);

/* /proc/PID/maps: proc(5). */

struct proc_mapping {
	uint64_t start, end; /* addresses; end is behind it, and not before start */
	uint64_t offset, inode;
	char permissions[8]; /* "rw-p" */
	const char *name;    /* "": it has none; within the line, which may have cut it off */
};

/* Reads the next mapping of such a file; lines of another form are left out. False: the end. */
bool proc_maps_next(FILE *in, char *line, int size, struct proc_mapping *out);

struct process {
	pid_t pid;
	uint64_t started;   /* clock ticks since boot: field 22 of /proc/PID/stat; 0: not known */
	uint64_t namespace; /* in which pid counts: inode of /proc/self/ns/pid; 0: not known */
};

struct process process_self(void);

enum process_state {
	PROCESS_RUNS,
	PROCESS_ENDED,
	PROCESS_UNKNOWN, /* it may be in another namespace, where pid is another process */
};

enum process_state process_state(const struct process *process);

/* Whether there is a process of this id, in our namespace; a zombie is none. */
bool process_exists(pid_t pid);

/* Whether a child of this process is stopped, as by SIGSTOP: it answers nobody until SIGCONT. */
bool process_is_stopped(pid_t child);

/* Writes "pid 123 (cxlmon)"; "pid 123" if there is no such process. Returns text. */
#define PROCESS_TEXT_SIZE 64
const char *process_text(pid_t pid, char text[PROCESS_TEXT_SIZE]);

/* Capabilities of this thread. Without libcap-ng, which the shared library does not use. */

/* Whether a capability of <linux/capability.h>, such as CAP_SYS_RAWIO, is effective. */
bool linux_capable(unsigned capability);

/* Whether it is permitted: effective, or can be made so. */
bool linux_permitted(unsigned capability);

/*
 * Makes a permitted capability of this thread effective, or takes it back. False: it is not
 * permitted, or was so already.
 */
bool linux_make_effective(unsigned capability, bool effective);

/* Descriptors that a new process must not inherit. */

/* Closes all descriptors from this one on; on_exec: when it executes a program. */
void close_files(int first, bool on_exec);

/*
 * Processes without rights beside the run, which answer over descriptors.
 *
 * Forks one at the other end of a pair of sockets of this type: of socketpair(2), with
 * SOCK_NONBLOCK for both. Returns its id, 0 in that process, or a negative errno: then *socket is
 * -1.
 */
pid_t helper_fork(int type, int *socket);

/*
 * Begins one that was forked: it has these descriptors as 0, 1, ..., and standard error, and no
 * others. It ends when the run does, however that ends, so that all signals are blocked: a signal
 * to both must not be earlier. False: failed.
 */
bool helper_begin(const char *name, const int *descriptors, int count);

/*
 * Makes the kernel kill this helper as soon as its parent's thread that started it ends, also if it
 * is busy or stopped. The kernel forgets that when the helper changes its user or gains
 * capabilities: prctl(2). Returns false if the parent has ended already.
 */
bool helper_end_with(pid_t parent);

/* Sends bytes, and with them a descriptor, which is closed here; negative: none. */
bool helper_send(int socket, const void *bytes, size_t size, int fd);
/*
 * *fd: the descriptor that came with them; -1: none. False: the other process has ended, or has
 * sent a message of another size, or more descriptors, which are closed.
 */
bool helper_receive(int socket, void *bytes, size_t size, int *fd);

#endif
