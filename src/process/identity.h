/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The identity of a process. The kernel reuses pids: only a pid and a start time together name one
 * process.
 */
#ifndef CXLMON_PROCESS_IDENTITY_H
#define CXLMON_PROCESS_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "platform/process.h"

#define PROCESS_CGROUP_SIZE 256 /* a longer path is cut off */

struct process_identity {
	unsigned pid;
	uint64_t started; /* clock ticks from boot to its start */
	bool ended;	  /* no process has this pid: members except .pid are empty or unknown */
	char name[PROCESS_NAME_SIZE]; /* as printable() makes it */
	/* path in the cgroup file system, as printable() makes it; "": unknown */
	char cgroup[PROCESS_CGROUP_SIZE];
	uint64_t resident; /* bytes in memory; 0: a kernel thread or zombie */
	uid_t uid;	   /* effective user; OWNER_UNKNOWN: the process has no memory */
	/* name of .uid, or its number if it has no name; "": the process has no memory */
	char user[PROCESS_USER_SIZE];
};

/*
 * Describes the process that has this pid; sets .ended if none has it. All members describe the
 * same process: if another one takes the pid during the call, they describe the new one.
 */
void process_describe(struct platform *p, unsigned pid, struct process_identity *out);

#endif
