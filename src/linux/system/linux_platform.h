/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of the platform of the running kernel, for files of src/linux only. */
#ifndef CXLMON_LINUX_SYSTEM_LINUX_PLATFORM_H
#define CXLMON_LINUX_SYSTEM_LINUX_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "linux/kernel/limits.h"
#include "platform/cgroups.h"
#include "platform/platform.h"
#include "platform/process.h"

/* Processes, read from procfs below the platform's root: proc(5). See processes.c. */

#define PASSWD_SIZE 4096 /* bytes for the strings of a struct passwd */

struct linux_user;

/* Users whose names process_ops.user has looked up. */
struct linux_users {
	struct linux_user *at;
	size_t count;
};

extern const struct process_ops linux_processes;
extern const struct cgroup_ops linux_cgroups; /* cgroups.c */

void linux_users_free(struct linux_users *users);

/* Subordinate user ids: ids that a user has in user namespaces, subuid(5). See subuids.c. */

/* The subordinate ids from .first to .last, both included, of the user .owner. */
struct subuid_range {
	uid_t first, last, owner;
};

/* Initially all zero: ranges are read at first use. */
struct linux_subuids {
	struct subuid_range *ranges; /* ascending */
	size_t count;
	bool read;
};

/*
 * Returns the user who has the subordinate id uid; uid if it is not a subordinate id. root is the
 * directory above etc/subuid, which lists these ids.
 */
uid_t linux_subuid_owner(struct linux_subuids *subuids, const char *root, uid_t uid);
void linux_subuids_free(struct linux_subuids *subuids);

struct linux_platform {
	struct platform base;
	char *root;
	struct pci_bus *bus;	 /* opened at first use */
	struct msr_handle *msrs; /* by CPU number; fd -1: not opened yet */
	size_t msr_count;
	struct node_files *nodes;    /* opened by linux_nodes() */
	struct cxl_trace *trace;     /* opened by linux_cxl_events_open(); NULL: none */
	struct resctrl *resctrl;     /* opens no file before first use */
	struct telemetry *telemetry; /* telemetry of resctrl groups; NULL: not open */
	int load_fd;		     /* socket of linux_inject_load(); -1: not connected */
	struct linux_users users;    /* users of processes */
	struct linux_subuids subuids;
	struct affinity cpus;	  /* affinity of the process at the start */
	bool said_without_guests; /* a message has said that events in VMs are not counted */
};

/* Returns the linux_platform that contains p, which platform_linux() has created. */
static inline struct linux_platform *linux_of(struct platform *p)
{
	return (struct linux_platform *)p;
}

#endif
