/* SPDX-License-Identifier: BSD-3-Clause */
/* The processes of a machine, as procfs shows them. */
#ifndef CXLMON_LINUX_PROCESS_LIST_H
#define CXLMON_LINUX_PROCESS_LIST_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "platform/error.h"

struct listed_process {
	unsigned pid;
	uid_t uid;	   /* effective */
	uint64_t resident; /* bytes in memory, huge pages of hugetlbfs included */
};

struct process_list {
	struct listed_process *processes; /* freed by process_list_free() */
	size_t count;
	size_t refused; /* processes that may not even be asked for that (hidepid=1) */
};

/*
 * Lists the processes below root/proc that have memory, those with the most first: neither kernel
 * threads nor zombies. EXIT_PERMISSION: there is no process to see.
 */
int process_list_read(const char *root, struct process_list *out, struct error *err);
void process_list_free(struct process_list *list);

/* Its name in /proc/PID/comm as printable(); "" if it has ended. Returns name. */
#define PROCESS_NAME_SIZE 64
const char *process_list_name(const char *root, unsigned pid, char name[PROCESS_NAME_SIZE]);

#endif
