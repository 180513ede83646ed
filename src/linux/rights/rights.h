/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Dropping of privileges. A run opens everything it needs, and then drops its rights in steps, none
 * of which can be undone:
 *
 *     rights_drop_rawio()      before the first register write, if MSRs are written
 *     rights_drop()            after counters have been programmed and COMMAND has been started
 *     rights_restrict_files()  before further threads are started: Landlock holds for the caller
 *     rights_filter()          after all threads have been started
 *     rights_begin_sampling()  in cxlmon-top, which opens events when somebody asks
 *
 * What a kernel or a container does not allow is logged as a detail, and the run goes on without
 * it.
 */
#ifndef CXLMON_LINUX_RIGHTS_RIGHTS_H
#define CXLMON_LINUX_RIGHTS_RIGHTS_H

#include <fcntl.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/error.h"
#include "linux/rights/sudo_user.h"
#include "platform/platform.h"

/* The role of a process after it has dropped its rights. */
enum rights_role {
	RIGHTS_MONITOR, /* samples, output, restoring registers */
	RIGHTS_HTTP,	/* answers on a socket that is already listening, and nothing else */
	RIGHTS_HEALTH,	/* asks CXL devices whose mailboxes are open, and nothing else */
	RIGHTS_FILE,	/* replaces a file or opens it again, in one directory */
	RIGHTS_OPENER,	/* opens files that processes have mapped, to read, for RIGHTS_SYMBOLS */
	RIGHTS_SYMBOLS, /* reads files that are open: those of strangers */
	RIGHTS_WATCHER, /* samples loads, and reads what procfs says of the processes of others */
};

/* The only flags with which RIGHTS_OPENER opens: it waits for no file, and gets no terminal. */
#define RIGHTS_OPENER_FLAGS (O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)

struct rights_use {
	enum rights_role role;
	struct sudo_user caller;
	pid_t child;	    /* a child process that it may signal; 0: none */
	bool child_is_root; /* COMMAND, started without sudo */
	bool notifies;	    /* systemd, over a connected socket */
	bool receives;	    /* descriptors, from a process of RIGHTS_FILE */
	int directory;	    /* where RIGHTS_FILE works */
	bool never_root;    /* RIGHTS_FILE: not for files either, whoever owns the directory */
	const char *root;   /* below it are the files that explain errors; NULL: none are read */
	struct platform *platform; /* whose registers it writes; NULL: none */
	const int *perf_events;	   /* handles of events that it starts and stops; */
	size_t perf_event_count;   /* negative: not open */
	bool samples;		   /* some are sampled, with periods that change */
	/* RIGHTS_WATCHER, before rights_begin_sampling(): */
	bool starts_sampling; /* starts any event that is open */
	bool opens_events;    /* opens any, with CAP_PERFMON */
};

/*
 * Drops CAP_SYS_RAWIO from the effective set, so that registers are programmed with the same rights
 * as they are restored with: msr-safe before 2.0 would allow writes with the capability that it
 * forbids after rights_drop().
 */
int rights_drop_rawio(struct error *err);

/*
 * A process of root becomes the caller of sudo or, without sudo, nobody. For RIGHTS_FILE the
 * directory becomes the root directory, and unless it is that user's, or .never_root is set, the
 * process remains root for files, where either that or Landlock limits it to the directory.
 *
 * Drops all capabilities (effective, permitted, inheritable, ambient, and the bounding set if
 * CAP_SETPCAP allows it) and the supplementary groups, disables core dumps and sets no_new_privs.
 * Only CAP_KILL stays where COMMAND is root's; rights_filter() limits it to that process. For
 * RIGHTS_OPENER CAP_SYS_PTRACE stays, which leads to the root directories of other users'
 * processes, with CAP_CHECKPOINT_RESTORE, which opens files that they have mapped; CAP_SYS_PTRACE
 * for RIGHTS_WATCHER, too, to read their memory maps, with CAP_DAC_READ_SEARCH to list their
 * descriptors, and with .opens_events CAP_PERFMON. Must be called while the process has one thread.
 */
int rights_drop(const struct rights_use *use, const struct log *log, struct error *err);

/* Landlock's version in this kernel; 0: none, or a build with sanitizers. */
int rights_landlock_version(void);

/*
 * Landlock: from here on this thread, and those it starts, open no file but in the directory of
 * RIGHTS_FILE, read those that explain errors, and make no TCP connection. RIGHTS_OPENER and
 * RIGHTS_WATCHER are not restricted: in a domain of Landlock a process sees no files of others.
 */
int rights_restrict_files(const struct rights_use *use, const struct log *log, struct error *err);

/* Whether rights_filter() works: not without kernel support, nor in a build with sanitizers. */
bool rights_can_filter(void);

/*
 * Installs seccomp filters in all threads: system calls other than those for the role fail with
 * EPERM. Signals may be sent only to the child and to this process. Registers behind a descriptor
 * (MSRs, PCI configuration space) may be written only one at a time, where the platform's guard
 * allows it; only the given perf events may be started and stopped, and with .samples get another
 * period.
 */
int rights_filter(const struct rights_use *use, const struct log *log, struct error *err);

/*
 * Drops, restricts and filters in one call, in a helper process, whose parent reports failures.
 * From then on the helper ends with its parent: see helper_end_with().
 */
int rights_give_up(const struct rights_use *use, struct error *err);

/*
 * Takes from a RIGHTS_WATCHER that has begun to sample what only that needed: drops CAP_PERFMON,
 * and filters again, as rights_filter() does without .starts_sampling and .opens_events.
 */
int rights_begin_sampling(const struct rights_use *use, struct error *err);

/*
 * The sanitizers' run time makes other system calls, above all at exit, where it opens files of
 * /proc and traces the process to find leaks.
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
