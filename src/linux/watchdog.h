/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The NMI watchdog, which takes a counter of every CPU.
 * Source: the kernel's Documentation/admin-guide/sysctl/kernel.rst, "nmi_watchdog".
 */
#ifndef CXLMON_LINUX_WATCHDOG_H
#define CXLMON_LINUX_WATCHDOG_H

#include <stdbool.h>

#define WATCHDOG_COMMAND_OFF "sudo sysctl kernel.nmi_watchdog=0"

bool linux_watchdog_runs(const char *root);

#endif
