/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The identity of a process. Pids are reused, so that only a pid and a start time together name a
 * process: all facts belong to a single process, or are unknown.
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
	bool ended;		      /* no process has this pid: all other facts are empty */
	char name[PROCESS_NAME_SIZE]; /* printable() */
	/* path in the cgroup file system, printable(); "": unknown */
	char cgroup[PROCESS_CGROUP_SIZE];
	/* 0, OWNER_UNKNOWN and "" without memory (kernel threads and zombies) */
	uint64_t resident;	      /* bytes */
	uid_t uid;		      /* effective */
	char user[PROCESS_USER_SIZE]; /* printable(); a number if the user has no name */
};

/* Describes the process that has this pid. */
void process_describe(struct platform *p, unsigned pid, struct process_identity *out);

#endif
