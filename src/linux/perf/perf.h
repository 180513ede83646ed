/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups of events that the kernel counts. A handle is the event's file descriptor.
 *
 * Source: perf_event_open(2).
 */
#ifndef CXLMON_LINUX_PERF_H
#define CXLMON_LINUX_PERF_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "platform/perf.h"
#include "platform/platform.h"
#include "platform/reason.h"

/*
 * As perf_ops.open. -EOPNOTSUPP: the root is not "/", so that the types of its
 * PMUs mean nothing to the kernel that runs.
 */
int linux_perf_open(struct platform *p, const struct perf_event *event);

/* Which process, or directory of a cgroup, is counted, and on which CPU. */
struct perf_target {
	int process; /* -1: all; a descriptor with PERF_FLAG_PID_CGROUP */
	unsigned cpu;
	int leader; /* as in struct perf_event */
	unsigned long flags;
};

struct perf_event_attr;

/* The same, of any event. */
int linux_perf_open_attr(struct platform *p, struct perf_event_attr *attr,
			 const struct perf_target *target);

int linux_perf_enable(struct platform *p, int leader, bool on);

/* -EIO: the kernel returned less than a group, or a group that does not fit. */
int linux_perf_read(struct platform *p, int leader, struct perf_reading *out);

void linux_perf_close(struct platform *p, int handle);

/* The rights of this process, as far as the kernel below root has settings for them. */
struct perf_rights linux_perf_rights(const char *root);

/* As perf_ops.explain. */
void linux_perf_explain(struct platform *p, int code, struct error *out);

/*
 * The PMUs of the kernel's perf events: root/sys/bus/event_source/devices.
 *
 * Source: the kernel's Documentation/ABI/testing/sysfs-bus-event_source-devices-format and
 * -devices-uncore; perf_event_open(2).
 */

/*
 * As perf_ops.pmus; formats are sorted by name, too. A PMU that cannot be described by
 * struct perf_pmu is left out, and a format that struct perf_format cannot describe; the log has
 * which and why, as a detail. A kernel without perf events has no PMU.
 */
int linux_perf_pmus(struct platform *p, struct perf_pmus *out, struct error *err);

/*
 * The ring buffer that the kernel writes records of a perf event to. Its bytes are not trusted:
 * what can't be a record ends the reading.
 *
 * Source: perf_event_open(2), include/uapi/linux/perf_event.h.
 */

struct perf_ring {
	const uint8_t *data;
	uint64_t size;	     /* bytes; a power of 2 */
	uint64_t head, tail; /* as in struct perf_event_mmap_page */
};

/*
 * Copies the next record to a buffer of room bytes, and moves tail behind it. 1; 0: there is none
 * left. -E2BIG: it has no room, and is skipped. -EBADMSG: what is there is no record; tail is at
 * the head.
 */
int perf_ring_next(struct perf_ring *ring, void *buffer, size_t room, size_t *size);

/* A ring of a descriptor. */
struct perf_mapping {
	void *page; /* struct perf_event_mmap_page, then the ring; NULL: none */
	size_t bytes;
};

/*
 * Pages of each ring, where each CPU has one: a power of 2.
 *
 * Without CAP_IPC_LOCK a user may have kernel.perf_event_mlock_kb (516 KiB: 1 + 128 pages) on each
 * CPU, which is what perf takes, too: it has the samples of some 4500 loads. All rings take 64 MiB
 * at most, with the page in front of each; those of more than 3276 CPUs have the fewest pages.
 */
#define PERF_RING_PAGES_LEAST 4
size_t perf_ring_pages(size_t cpus);

/* pages is a power of 2. 0 or a negative errno. */
int perf_mapping_open(int fd, size_t pages, struct perf_mapping *out);
void perf_mapping_close(struct perf_mapping *mapping);

/* What the kernel has written until now. */
struct perf_ring perf_mapping_begin(const struct perf_mapping *mapping);
/* From here on the kernel may overwrite what was read. */
void perf_mapping_end(const struct perf_mapping *mapping, const struct perf_ring *ring);

#endif
