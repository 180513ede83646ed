/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processes of a machine: who they are, and on which nodes their memory is. A process id alone
 * names one process after another: together with the start time it names one.
 */
#ifndef CXLMON_PLATFORM_PROCESS_H
#define CXLMON_PLATFORM_PROCESS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/rootfs.h"
#include "platform/memory.h"

struct error;
struct platform;

#define PROCESS_NAME_SIZE 64
#define PROCESS_USER_SIZE 33
#define OWNER_UNKNOWN	  ((uid_t)-1)

struct listed_process {
	unsigned pid;
	uid_t uid;	   /* effective */
	uint64_t resident; /* bytes in memory, huge pages of hugetlbfs included */
};

/* Of a process, or of a thread. */
struct process_stat {
	uint64_t started; /* clock ticks since boot */
	uint64_t ticks;	  /* clock ticks of CPU time since then */
	unsigned cpu;	  /* on which it last ran */
	bool zombie;	  /* only its parent has not yet asked for its status */
};

struct process_mapping {
	uint64_t start, end;	/* addresses; end is behind it, and not before start */
	uint64_t offset, inode; /* in the file, which it is; inode 0: none */
	bool executable;
	const char *name; /* "": it has none; valid until the next one */
};

typedef void process_mapping_visitor(void *context, const struct process_mapping *mapping);

struct process_ops {
	/* All, ascending. *pids is freed by the caller. 0 or -ENOMEM. */
	int (*pids)(struct platform *p, unsigned **pids, size_t *count);
	/* 1: it has memory; 0: it has none (a kernel thread, a zombie), or has ended; or a negative
	 * errno. */
	int (*status)(struct platform *p, unsigned pid, struct listed_process *out);
	/* tid: a thread; 0: the whole process. False: it has ended. */
	bool (*stat)(struct platform *p, unsigned pid, unsigned tid, struct process_stat *out);
	/* When one began, by process_stat.started, in ns since 1970; 0: not known. */
	uint64_t (*began)(struct platform *p, uint64_t started);
	/* Its threads, ascending; none if it has ended. *tids is freed by the caller. 0 or -ENOMEM.
	 */
	int (*threads)(struct platform *p, unsigned pid, unsigned **tids, size_t *count);
	/*
	 * In whose share of bounded tables it counts: its effective user, or whose subordinate id
	 * that is. Files that this needs are opened at the first call. OWNER_UNKNOWN: it has ended.
	 */
	uid_t (*owner)(struct platform *p, unsigned pid);
	/* Its name as printable(); "" if it has ended. Returns name. */
	const char *(*name)(struct platform *p, unsigned pid, char name[PROCESS_NAME_SIZE]);
	/* The name of a user as printable(); the number where it has none. Returns name. */
	const char *(*user)(struct platform *p, uid_t uid, char name[PROCESS_USER_SIZE]);
	/*
	 * The path of the cgroup that its memory is charged to, below the file system's root:
	 * cgroups(7). Returns path. NULL: it has none, or has ended, or the path is longer.
	 */
	const char *(*cgroup)(struct platform *p, unsigned pid, char path[ROOTFS_PATH_SIZE]);
	/*
	 * Sets the bytes that it has on each node; calls go_on now and then, and ends early with
	 * what that returns unless it is 0: then it has at least these bytes. Else 0 or a negative
	 * errno: -EACCES or -EPERM where it may not be looked at, -ENOENT or -ESRCH where it has
	 * ended, or the kernel has no NUMA support.
	 */
	int (*memory)(struct platform *p, unsigned pid, int (*go_on)(void *context), void *context,
		      uint64_t bytes[NUMA_NODES_MOST]);
	/* Passes the mappings of its memory. 0 or a negative errno. */
	int (*mappings)(struct platform *p, unsigned pid, process_mapping_visitor *visit,
			void *context);
	/* Whether it is the emulator of a virtual machine. False: also where that can't be seen. */
	bool (*runs_vm)(struct platform *p, unsigned pid);
};

#endif
