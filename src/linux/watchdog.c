/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/watchdog.h"

#include "platform/rootfs.h"

bool linux_watchdog_runs(const char *root)
{
	return rootfs_int(root, "proc/sys/kernel/nmi_watchdog", 0) > 0;
}
