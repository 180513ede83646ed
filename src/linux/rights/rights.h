/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dropping of privileges. A process opens everything it needs, and then drops its privileges in
 * steps that cannot be undone:
 *
 *     rights_drop_rawio()      before the first register write, if MSRs are written
 *     rights_drop()            after counters have been programmed and COMMAND has been started
 *     rights_restrict_files()  before further threads are started, which inherit the restriction
 *     rights_filter()          after all threads have been started
 *     rights_begin_sampling()  in the process of cxlmon-top that samples, once it samples
 *
 * Functions that return int return 0 or a negative errno. A step that a kernel or a container does
 * not support is left out, and logged as a detail; this is not an error.
 */
#ifndef CXLMON_LINUX_RIGHTS_RIGHTS_H
#define CXLMON_LINUX_RIGHTS_RIGHTS_H

#include <fcntl.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "linux/rights/sudo_user.h"
#include "platform/platform.h"

/* The role of a process after it has dropped its privileges. */
enum rights_role {
	RIGHTS_MONITOR, /* samples, output, restoring registers */
	RIGHTS_HTTP,	/* only answers requests on a socket that is already listening */
	RIGHTS_HEALTH,	/* only asks CXL devices whose mailboxes are open */
	RIGHTS_FILE,	/* replaces a file or opens it again, in one directory */
	RIGHTS_OPENER,	/* opens files that processes have mapped, for RIGHTS_SYMBOLS to read */
	RIGHTS_SYMBOLS, /* reads open files, whose contents are not trusted */
	RIGHTS_WATCHER, /* samples loads, and reads other users' processes in procfs */
};

/* The only flags with which RIGHTS_OPENER opens files: it never waits, and gets no terminal. */
#define RIGHTS_OPENER_FLAGS (O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

/* Uses of a process after it has dropped its privileges. Pointers are not owned. */
struct rights_use {
	enum rights_role role;
	struct sudo_user caller; /* the user that a process of root becomes */
	pid_t child;		 /* a child process that may be signalled; 0: none */
	bool child_is_root;	 /* the child is COMMAND as root: cxlmon was started without sudo */
	bool notifies;		 /* sends to systemd, over a connected socket */
	bool receives;		 /* receives descriptors from a RIGHTS_FILE process */
	int directory;		 /* RIGHTS_FILE: descriptor of its directory */
	bool never_root;	 /* RIGHTS_FILE: never remains root for its files */
	const char *root; /* "/" or --root, to read files that explain errors; NULL: reads none */
	struct platform *platform; /* platform whose registers are written; NULL: none */
	const int *perf_events;	   /* handles of events that are started and stopped */
	size_t perf_event_count;   /* number of handles; negative ones are not open */
	bool samples;		   /* may change periods of these events */
	/* Members for RIGHTS_WATCHER before rights_begin_sampling(). */
	bool starts_sampling; /* starts any open event */
	bool opens_events;    /* opens any event, with CAP_PERFMON */
};

/*
 * Drops CAP_SYS_RAWIO from the effective set, so that registers are programmed and restored with
 * the same privileges. With the capability, msr-safe before 2.0 allows writes that it would later
 * refuse to undo.
 */
int rights_drop_rawio(struct error *err);

/*
 * Drops privileges. Must be called while the process has one thread.
 *
 * Drops all capabilities: effective, permitted, inheritable, ambient, and the bounding set if
 * CAP_SETPCAP allows it. Drops the supplementary groups if CAP_SETGID allows it. Disables core
 * dumps, and sets no_new_privs. Some capabilities stay:
 *
 * - CAP_KILL, if .child_is_root; rights_filter() limits it to the child
 * - RIGHTS_OPENER: CAP_SYS_PTRACE, to reach the root directories of other users' processes, and
 *   CAP_CHECKPOINT_RESTORE, to open files that they have mapped
 * - RIGHTS_WATCHER: CAP_SYS_PTRACE, to read memory maps; CAP_DAC_READ_SEARCH, to list descriptors;
 *   CAP_PERFMON, if .opens_events
 *
 * A process of root becomes .caller if .caller.known is set, else the user nobody. A RIGHTS_FILE
 * process of root makes its directory the root directory. It remains root for files if all of this
 * holds:
 *
 * - the directory does not belong to the new user
 * - .never_root is not set
 * - the new root directory or Landlock limits the process to the directory
 */
int rights_drop(const struct rights_use *use, const struct log *log, struct error *err);

/* Returns the kernel's version of Landlock; 0: it has none, or this build has sanitizers. */
int rights_landlock_version(void);

/*
 * Restricts this thread, and threads that it starts later, by Landlock. It can open only these
 * files:
 *
 * - RIGHTS_FILE: files in its directory
 * - if .root is not NULL, only for reading: files that explain errors, and attributes of PCI
 *   functions
 *
 * If the kernel's Landlock covers TCP sockets, they can be neither bound nor connected.
 * RIGHTS_OPENER and RIGHTS_WATCHER are not restricted: in a Landlock domain a process cannot see
 * the files of other processes.
 */
int rights_restrict_files(const struct rights_use *use, const struct log *log, struct error *err);

/* Returns false if rights_filter() does nothing: no kernel support, or a build with sanitizers. */
bool rights_can_filter(void);

/*
 * Installs seccomp filters in all threads. System calls that the role does not need fail with
 * EPERM. Others are limited:
 *
 * - signals: only to the child and to this process
 * - writes to MSRs and PCI configuration space: one register per call, if the guard of .platform
 *   allows it
 * - perf events: only those in .perf_events may be started and stopped, and with .samples their
 *   periods changed
 */
int rights_filter(const struct rights_use *use, const struct log *log, struct error *err);

/*
 * Calls rights_drop(), rights_restrict_files() and rights_filter(), without logging. For helper
 * processes: from then on, the kernel kills the caller when its parent ends. -ESRCH: the parent has
 * ended already.
 */
int rights_give_up(const struct rights_use *use, struct error *err);

/*
 * Drops the privileges that a RIGHTS_WATCHER needed only to begin sampling: CAP_PERFMON, and the
 * system calls of .starts_sampling and .opens_events, which another filter forbids.
 */
int rights_begin_sampling(const struct rights_use *use, struct error *err);

/*
 * True in builds with sanitizers. Their files and system calls are not restricted: the sanitizer
 * makes further calls, and at exit opens files of /proc and traces the process.
 */
#if defined(__SANITIZE_ADDRESS__)
#define RIGHTS_INSTRUMENTED true
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define RIGHTS_INSTRUMENTED true
#endif
#endif
#ifndef RIGHTS_INSTRUMENTED
#define RIGHTS_INSTRUMENTED false
#endif

#endif
