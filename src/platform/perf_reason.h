/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Why perf_event_open(2) failed.
 *
 * Source: its manual, the kernel's Documentation/admin-guide/perf-security.rst and
 * sysctl/kernel.rst, and for levels above 2 the patches of Debian and Ubuntu.
 */
#ifndef CXLMON_PERF_REASON_H
#define CXLMON_PERF_REASON_H

#include <stdbool.h>

#include "platform/platform.h"

#define PERF_COMMAND_PARANOID "sudo sysctl kernel.perf_event_paranoid=0"

/* What the process may do. */
struct perf_rights {
	int paranoid; /* kernel.perf_event_paranoid; 2, its default, if it is not known */
	bool perfmon, sys_admin; /* CAP_PERFMON, CAP_SYS_ADMIN */
	bool container;		 /* it runs in one */
};

/* code: a negative errno of opening an event of a whole CPU. */
void perf_reason(int code, const struct perf_rights *rights, struct reason *out);

#endif
