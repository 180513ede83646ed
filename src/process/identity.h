/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The identity of a process. A pid is used again, so that a process is named by its pid together
 * with its start time: all facts are of a single process, or unknown.
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
	uint64_t started;	      /* clock ticks since boot: with .pid it names one process */
	bool ended;		      /* this pid is free: all else is empty */
	char name[PROCESS_NAME_SIZE]; /* printable() */
	char cgroup[PROCESS_CGROUP_SIZE]; /* path in their file system, likewise; "": unknown */
	/* without memory, as a thread of the kernel or a zombie: 0, OWNER_UNKNOWN and "" */
	uint64_t resident;	      /* bytes */
	uid_t uid;		      /* effective */
	char user[PROCESS_USER_SIZE]; /* printable(); the number where it has no name */
};

/* Reads who has this pid. */
void process_describe(struct platform *p, unsigned pid, struct process_identity *out);

/* Tells if the process that was started then still has its pid. */
bool process_has_pid(struct platform *p, unsigned pid, uint64_t started);

#endif
