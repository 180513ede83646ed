/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Processes, as procfs shows them. The kernel reuses process ids: only an id and a start time
 * together name one process. This header also has this thread's capabilities, the descriptors that
 * children inherit, and helper processes.
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
	const char *fields; /* text after the name, which may have blanks; NULL: none */
};

/* Reads a stat file: path, a format as for printf(), is relative to root. False: there is none. */
__attribute__((format(printf, 3, 4))) bool proc_stat_read(struct proc_stat *stat, const char *root,
							  const char *path, ...);

/* Returns the number in a field; 0: the line is too short. */
uint64_t proc_stat_number(const struct proc_stat *stat, unsigned field);

/*
 * Tells if a process is a zombie: all its threads have ended, but its parent has not asked for its
 * status yet. A process whose first thread has ended while others run is not one.
 */
bool proc_stat_is_zombie(const struct proc_stat *stat);

/* /proc/PID/maps: proc(5). */

struct proc_mapping {
	/* address of the first byte, and the address after the last one, not below it */
	uint64_t start, end;
	uint64_t offset, inode; /* bytes into the file, and the file's inode; inode 0: none */
	char permissions[8];	/* "rw-p" */
	const char *name;	/* points into the line, which may cut it off; "": none */
};

/*
 * Reads the next mapping of a maps file into line, a buffer of size bytes, and *out. Skips lines of
 * another form. Returns false at the end of the file.
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
	PROCESS_UNKNOWN, /* possibly in another namespace, where pid is another process */
};

/* Returns the state of *process, not of a later process with its id. A zombie has ended. */
enum process_state process_state(const struct process *process);

/* Tells if a process has this id in this process's namespace. Zombies do not count. */
bool process_exists(pid_t pid);

/* Tells if a child of this process is stopped, as by SIGSTOP, so that it does not answer. */
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
 * Makes a permitted capability of this thread effective or ineffective. Returns false if it is not
 * permitted, was so already, or cannot be changed.
 */
bool linux_make_effective(unsigned capability, bool effective);

/* Descriptors that a new process must not inherit. */

/* Closes all descriptors from first on; on_exec: only when this process executes a program. */
void close_files(int first, bool on_exec);

/* Helpers: forked processes without rights that work for the run, and answer over sockets. */

/*
 * Forks a helper, and connects it to this process by a socketpair(2) of this type; SOCK_NONBLOCK
 * applies to both ends. Sets *socket to the process's own end, in both processes. Returns the
 * helper's id, 0 in the helper, or a negative errno: then *socket is -1.
 */
pid_t helper_fork(int type, int *socket);

/*
 * Prepares this process as a helper called name. It keeps count descriptors, at most two, which
 * become 0 and 1, and standard error. It blocks all signals, because a signal to the whole group
 * must not end it before the run; the kernel kills it when the run ends. Returns false on failure.
 */
bool helper_begin(const char *name, const int *descriptors, int count);

/*
 * Makes the kernel kill this process as soon as the thread that started it ends, also if it is busy
 * or stopped. Must be called again after this process has changed its user or gained capabilities:
 * prctl(2). Returns false if parent is not its parent any more, because it has ended.
 */
bool helper_end_with(pid_t parent);

/*
 * Sends bytes and a descriptor (negative: none), and closes the descriptor, also after failure.
 * Returns false if not all were sent.
 */
bool helper_send(int socket, const void *bytes, size_t size, int fd);
/*
 * Receives size bytes, and waits for them. *fd is the descriptor sent with them, which the caller
 * closes; -1: none. Returns false if the other process has ended, or has sent another size or
 * several descriptors, which are closed.
 */
bool helper_receive(int socket, void *bytes, size_t size, int *fd);

#endif
