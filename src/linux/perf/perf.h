/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The kernel's perf events: groups that count, sampled loads, and the PMUs that sysfs lists.
 * Functions here implement struct perf_ops and struct sampling_ops. A handle is the file descriptor
 * of an event.
 *
 * Source: perf_event_open(2).
 */
#ifndef CXLMON_LINUX_PERF_PERF_H
#define CXLMON_LINUX_PERF_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "platform/load_sample.h"
#include "platform/perf.h"
#include "platform/platform.h"

/*
 * perf_reason.c
 *
 * Reasons why the kernel refuses to count, and remedies.
 *
 * Source: perf_event_open(2); the kernel's Documentation/admin-guide/perf-security.rst and
 * kernel/events/core.c. Levels above 2 exist in Debian's and Ubuntu's kernels.
 */

struct perf_rights {
	int paranoid;	/* kernel.perf_event_paranoid; -2: unknown */
	bool perfmon;	/* CAP_PERFMON is permitted */
	bool admin;	/* CAP_SYS_ADMIN is effective */
	bool container; /* the process runs in a container */
	bool mediated;	/* KVM may give virtual machines the counters of CPUs */
};

/* Sets *out to the reason and the remedy for code, a negative errno of perf_ops.open. */
void perf_explain_code(int code, const struct perf_rights *rights, struct error *out);

/* perf.c */

/*
 * Implements perf_ops.open. Returns -EOPNOTSUPP if the kernel does not support the event, or if the
 * platform's root is not "/": its PMU types are then not the running kernel's.
 */
int linux_perf_open(struct platform *p, const struct perf_event *event);

/* The process or cgroup that an event counts, and the CPU on which it counts. */
struct perf_target {
	int process;  /* -1: all; with PERF_FLAG_PID_CGROUP, a descriptor of a cgroup's directory */
	unsigned cpu; /* ~0U: all CPUs */
	int leader;   /* handle of the group's first event; -1: this is the first */
	unsigned long flags; /* PERF_FLAG_...; PERF_FLAG_FD_CLOEXEC is added */
};

struct perf_event_attr;

/*
 * Opens any event, with attr as in perf_event_open(2). Returns a handle, or a negative errno as
 * linux_perf_open().
 *
 * Raises the limit of open files, and uses a permitted CAP_PERFMON, if needed. Sets
 * attr->exclude_guest, whatever its value was. It becomes true in two cases:
 * - attr->type is PERF_TYPE_RAW, and KVM gives the counters of CPUs to its guests
 * - the kernel refuses the event with -EOPNOTSUPP: the event is then tried without guests
 * If an event without guests is open, the log notes once that guests are not counted.
 */
int linux_perf_open_attr(struct platform *p, struct perf_event_attr *attr,
			 const struct perf_target *target);

/*
 * Returns true if this thread's effective capabilities, or the system's settings, allow events of
 * all processes. To find out, opens and closes an event that needs no counter.
 */
bool linux_perf_is_permitted(void);

/* Implement perf_ops.threads and perf_ops.enable. */
int linux_perf_threads(struct platform *p, unsigned pid, unsigned **out, size_t *count,
		       struct error *err);
int linux_perf_enable(struct platform *p, int leader, bool on);

/*
 * Implements perf_ops.read. Returns 0 or a negative errno. -EIO: the kernel has stopped an event
 * after an error. -ENOSPC: the group has more than PERF_GROUP_MAX events.
 */
int linux_perf_read(struct platform *p, int leader, struct perf_reading *out);

/* Implements perf_ops.close. */
void linux_perf_close(struct platform *p, int handle);

/* Returns the permissions of this thread, and the settings below root that limit them. */
struct perf_rights linux_perf_rights(const char *root);

/* Implements perf_ops.explain. */
void linux_perf_explain(struct platform *p, int code, struct error *out);

/*
 * perf_pmus.c
 *
 * The PMUs of the kernel's perf events: root/sys/bus/event_source/devices.
 *
 * Source: the kernel's Documentation/ABI/testing/sysfs-bus-event_source-devices-format and
 * -devices-uncore; perf_event_open(2).
 */

/*
 * Implements perf_ops.pmus. PMUs, formats and events that cannot be read or do not fit their
 * structs are left out; the log has their names and the reasons as details. Without perf events in
 * the kernel, the list is empty, and 0 is returned.
 */
int linux_perf_pmus(struct platform *p, struct perf_pmus *out, struct error *err);

/*
 * sampler_open.c
 *
 * Sampled loads: a perf event on each CPU, with a ring buffer of its own.
 */

/* Implements sampling_ops.open. */
int linux_sampler_open(struct platform *p, const struct load_sampling *sampling,
		       struct sampler **out, struct error *err);

#endif
