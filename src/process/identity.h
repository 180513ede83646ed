/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The identity of a process. As pids are reused, only a pid and a start time together name one
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
	bool ended;	  /* no process has this pid: the members below are empty or unknown */
	char name[PROCESS_NAME_SIZE]; /* printable() */
	/* path in the cgroup file system, printable(); "": unknown */
	char cgroup[PROCESS_CGROUP_SIZE];
	uint64_t resident; /* bytes in memory; 0: none, as of kernel threads and zombies */
	uid_t uid;	   /* effective user; OWNER_UNKNOWN: it has no memory */
	/* printable(); a number if the user has no name; "": it has no memory */
	char user[PROCESS_USER_SIZE];
};

/*
 * Describes the process that has this pid. All facts belong to a single process: if the pid passes
 * to another one meanwhile, that one is described.
 */
void process_describe(struct platform *p, unsigned pid, struct process_identity *out);

#endif
