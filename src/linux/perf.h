/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups of events that the kernel counts. A handle is the event's file descriptor.
 *
 * Source: perf_event_open(2).
 */
#ifndef CXLMON_LINUX_PERF_H
#define CXLMON_LINUX_PERF_H

#include "platform/perf.h"
#include "platform/perf_reason.h"
#include "platform/platform.h"

/*
 * As platform_ops.perf_open. root: --root. -EOPNOTSUPP: it is not "/", so that the types of its
 * PMUs mean nothing to the kernel that runs.
 */
int linux_perf_open(const char *root, const struct perf_event *event);

/* Of which process, or directory of a cgroup, and on which CPU. */
struct perf_target {
	int process; /* -1: all; a descriptor with PERF_FLAG_PID_CGROUP */
	unsigned cpu;
	int leader; /* as in struct perf_event */
	unsigned long flags;
};

struct perf_event_attr;

/* The same, of any event. */
int linux_perf_open_attr(const char *root, struct perf_event_attr *attr,
			 const struct perf_target *target);

int linux_perf_enable(int leader, bool on);

/* -EIO: the kernel returned less than a group, or a group that does not fit. */
int linux_perf_read(int leader, struct perf_reading *out);

void linux_perf_close(int handle);

/* The rights of this process, as far as the kernel below root has settings for them. */
struct perf_rights linux_perf_rights(const char *root);

/* As platform_ops.perf_explain. */
void linux_perf_explain(const char *root, int code, struct reason *out);

#endif
