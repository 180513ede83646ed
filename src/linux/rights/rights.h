/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dropping of privileges. A run opens everything it needs, and then drops its privileges in steps,
 * none of which can be undone:
 *
 *     rights_drop_rawio()      before the first register write, if MSRs are written
 *     rights_drop()            after counters have been programmed and COMMAND has been started
 *     rights_restrict_files()  before further threads are started: Landlock holds for the caller
 *     rights_filter()          after all threads have been started
 *     rights_begin_sampling()  in cxlmon-top, which opens events on request
 *
 * A step that a kernel or a container does not allow is logged as a detail, and the run goes on
 * without it.
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

/*
 * The only flags with which RIGHTS_OPENER opens: it never waits for a file, and gets no terminal.
 */
#define RIGHTS_OPENER_FLAGS (O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

struct rights_use {
	enum rights_role role;
	struct sudo_user caller;
	pid_t child;	    /* a child process that may be signalled; 0: none */
	bool child_is_root; /* COMMAND, started without sudo */
	bool notifies;	    /* sends to systemd, over a connected socket */
	bool receives;	    /* receives descriptors from a process of RIGHTS_FILE */
	int directory;	    /* RIGHTS_FILE: its directory */
	bool never_root;    /* RIGHTS_FILE: not root for files either, whoever owns the directory */
	const char *root;   /* directory with the files that explain errors; NULL: none are read */
	struct platform *platform; /* platform whose registers are written; NULL: none */
	const int *perf_events;	   /* handles of events that are started and stopped */
	size_t perf_event_count;   /* number of handles; negative ones are not open */
	bool samples;		   /* some events are sampled, with periods that change */
	/* Members for RIGHTS_WATCHER before rights_begin_sampling(). */
	bool starts_sampling; /* starts any open event */
	bool opens_events;    /* opens any event, with CAP_PERFMON */
};

/*
 * Drops CAP_SYS_RAWIO from the effective set, so that registers are programmed with the same
 * privileges as they are restored with: msr-safe before 2.0 would allow writes with the capability
 * that it forbids after rights_drop().
 */
int rights_drop_rawio(struct error *err);

/*
 * Drops privileges. Must be called while the process has one thread.
 *
 * A process of root becomes the caller of sudo or, without sudo, nobody. For RIGHTS_FILE the
 * directory becomes the root directory. Unless the directory is that user's, or .never_root is set,
 * such a process remains root for files, if the new root directory or Landlock limits it to the
 * directory.
 *
 * Drops all capabilities (effective, permitted, inheritable, ambient, and the bounding set if
 * CAP_SETPCAP allows it) and the supplementary groups, disables core dumps and sets no_new_privs.
 * Some capabilities stay:
 *
 * - CAP_KILL, if COMMAND is root's; rights_filter() limits it to that process
 * - RIGHTS_OPENER: CAP_SYS_PTRACE, to reach the root directories of other users' processes, and
 *   CAP_CHECKPOINT_RESTORE, to open files that they have mapped
 * - RIGHTS_WATCHER: CAP_SYS_PTRACE, to read memory maps; CAP_DAC_READ_SEARCH, to list descriptors;
 *   and with .opens_events CAP_PERFMON
 */
int rights_drop(const struct rights_use *use, const struct log *log, struct error *err);

/* Returns Landlock's version in this kernel; 0: none, or a build with sanitizers. */
int rights_landlock_version(void);

/*
 * Restricts files by Landlock: from now on this thread, and those it starts, open only files in the
 * directory of RIGHTS_FILE, and read only files that explain errors; they make no TCP connection.
 * RIGHTS_OPENER and RIGHTS_WATCHER are not restricted: in a Landlock domain a process cannot see
 * the files of others.
 */
int rights_restrict_files(const struct rights_use *use, const struct log *log, struct error *err);

/* Tells if rights_filter() works: not without kernel support, nor in a build with sanitizers. */
bool rights_can_filter(void);

/*
 * Installs seccomp filters in all threads: system calls other than the role's fail with EPERM.
 * Signals may be sent only to the child and to this process. Registers behind a descriptor (MSRs,
 * PCI configuration space) may be written only one at a time, if the platform's guard allows it.
 * Only the given perf events may be started and stopped, and with .samples get another period.
 */
int rights_filter(const struct rights_use *use, const struct log *log, struct error *err);

/*
 * Drops, restricts and filters in one call, in a helper process, whose parent reports failures.
 * From then on the helper ends with its parent: see helper_end_with().
 */
int rights_give_up(const struct rights_use *use, struct error *err);

/*
 * Drops the privileges that a RIGHTS_WATCHER needed only to begin sampling: CAP_PERFMON, and by
 * another filter, as rights_filter() installs without .starts_sampling and .opens_events.
 */
int rights_begin_sampling(const struct rights_use *use, struct error *err);

/*
 * Set in builds with sanitizers: their run time makes other system calls, mainly at exit, where it
 * opens files of /proc and traces the process to find leaks.
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
