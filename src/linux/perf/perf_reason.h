/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Why the kernel refuses to count, and what to do about it.
 *
 * Source: perf_event_open(2); the kernel's Documentation/admin-guide/perf-security.rst and
 * kernel/events/core.c. Levels above 2 are those of Debian's and Ubuntu's kernels.
 */
#ifndef CXLMON_LINUX_PERF_PERF_REASON_H
#define CXLMON_LINUX_PERF_PERF_REASON_H

#include <stdbool.h>

#include "base/error.h"

struct perf_rights {
	int paranoid; /* kernel.perf_event_paranoid; -2: not known */
	bool perfmon; /* CAP_PERFMON */
	bool admin;   /* CAP_SYS_ADMIN */
	bool container;
	bool mediated; /* KVM may give the counters of CPUs to virtual machines */
};

/* code: of perf_ops.open, a negative errno. */
void perf_explain_code(int code, const struct perf_rights *rights, struct error *out);

#endif
