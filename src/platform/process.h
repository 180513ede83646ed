/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The processes of a machine: their names and users, and the NUMA nodes of their memory. The kernel
 * reuses process ids, so only an id with a start time identifies a process.
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
	uint64_t resident; /* bytes in memory, including huge pages of hugetlbfs */
};

/* Times of a process or of a thread. */
struct process_stat {
	uint64_t started; /* time of the start, in clock ticks since boot */
	uint64_t ticks;	  /* CPU time since the start, in clock ticks */
	unsigned cpu;	  /* CPU of the last run */
};

struct process_mapping {
	uint64_t start, end;	/* addresses; end is the address after the last byte */
	uint64_t offset, inode; /* bytes into the file, and the file's inode; inode 0: none */
	bool executable;
	const char *name; /* path of the file, or a name such as "[heap]"; "": none */
};

/* Receives a mapping. *mapping and its name are valid during the call. */
typedef void process_mapping_visitor(void *context, const struct process_mapping *mapping);

struct process_ops {
	/* Lists all processes, ascending. The caller frees *pids. 0 or -ENOMEM. */
	int (*pids)(struct platform *p, unsigned **pids, size_t *count);
	/*
	 * Reads a process. Returns 1: it has memory; 0: it has no memory (a kernel thread, a
	 * zombie), or has ended; or a negative errno.
	 */
	int (*status)(struct platform *p, unsigned pid, struct listed_process *out);
	/* Reads the times of a thread, or of the whole process if tid is 0. False: it has ended. */
	bool (*stat)(struct platform *p, unsigned pid, unsigned tid, struct process_stat *out);
	/* Converts process_stat.started to ns since 1970, UTC; 0: unknown. */
	uint64_t (*began)(struct platform *p, uint64_t started);
	/*
	 * Lists the threads of a process, ascending; none if it has ended. The caller frees *tids.
	 * 0 or -ENOMEM.
	 */
	int (*threads)(struct platform *p, unsigned pid, unsigned **tids, size_t *count);
	/*
	 * Returns the user whose share of a table (base/share.h) holds a process: the effective
	 * user or, if that is a subordinate id (subuid(5)), the user who owns the id. The first
	 * call reads the file of subordinate ids. OWNER_UNKNOWN: the process has ended.
	 */
	uid_t (*owner)(struct platform *p, unsigned pid);
	/* Writes the printable() name of a process; "" if the process has ended. Returns name. */
	const char *(*name)(struct platform *p, unsigned pid, char name[PROCESS_NAME_SIZE]);
	/* Writes the printable() name of a user; the number if there is none. Returns name. */
	const char *(*user)(struct platform *p, uid_t uid, char name[PROCESS_USER_SIZE]);
	/*
	 * Writes the path of the cgroup to which a process's memory is charged, as in
	 * /proc/PID/cgroup: "/a". Returns path. NULL: the process has no such cgroup or has ended,
	 * or the path does not fit.
	 */
	const char *(*cgroup)(struct platform *p, unsigned pid, char path[ROOTFS_PATH_SIZE]);
	/*
	 * Sets bytes[node] to the bytes of memory that a process has on each node. Calls
	 * go_on(context) now and then. If go_on() returns a value other than 0, returns this value,
	 * and bytes lacks a part of the memory.
	 *
	 * - -EACCES, -EPERM: the process may not be inspected
	 * - -ENOENT, -ESRCH: the process has ended, or the kernel has no NUMA support
	 */
	int (*memory)(struct platform *p, unsigned pid, int (*go_on)(void *context), void *context,
		      uint64_t bytes[NUMA_NODES_MOST]);
	/* Passes the mappings of a process's memory to visit. 0 or a negative errno. */
	int (*mappings)(struct platform *p, unsigned pid, process_mapping_visitor *visit,
			void *context);
	/*
	 * Tells if a process is the emulator of a virtual machine (KVM). Returns false if this user
	 * may not read the descriptors of the process.
	 */
	bool (*runs_vm)(struct platform *p, unsigned pid);
};

#endif
