/* SPDX-License-Identifier: BSD-3-Clause */
/* The state behind the platform of the running kernel. For files of src/linux only. */
#ifndef CXLMON_LINUX_SYSTEM_LINUX_PLATFORM_H
#define CXLMON_LINUX_SYSTEM_LINUX_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>

#include "linux/kernel/affinity.h"
#include "linux/system/processes.h"
#include "linux/system/subuids.h"
#include "platform/platform.h"

struct linux_platform {
	struct platform base;
	char *root;
	struct pci_bus *bus;	 /* opened at first use */
	struct msr_handle *msrs; /* by CPU number; fd -1: not opened yet */
	size_t msr_count;
	struct node_files *nodes;    /* opened by linux_nodes() */
	struct cxl_trace *trace;     /* opened by linux_cxl_events_open(); NULL: there is none */
	struct resctrl *resctrl;     /* no file is open before it is used */
	struct telemetry *telemetry; /* of its groups; NULL: not open */
	int load_fd;		     /* the socket LOAD_CHANNEL; -1: not connected */
	struct linux_users users;    /* of processes */
	struct linux_subuids subuids;
	struct affinity cpus;	  /* of the process at the start */
	bool said_without_guests; /* that events of CPUs leave out what virtual machines do */
};

static inline struct linux_platform *linux_of(struct platform *p)
{
	return (struct linux_platform *)p;
}

#endif
