/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counting by the kernel, instead of by registers: the performance monitoring units (PMUs) that
 * sysfs shows, and groups of events on them. The kernel starts, stops and reads a group as a whole.
 *
 * Source: perf_event_open(2), and the kernel's Documentation/ABI/testing/
 * sysfs-bus-event_source-devices-format.
 */
#ifndef CXLMON_PLATFORM_PERF_H
#define CXLMON_PLATFORM_PERF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define PERF_CONFIG_WORDS 3 /* config, config1 and config2 of struct perf_event_attr */
#define PERF_NAME_SIZE	  32

/* A field of a PMU's events: bits of one config word. The lowest of them is the field's bit 0. */
struct perf_format {
	char name[PERF_NAME_SIZE]; /* "umask" */
	unsigned word;		   /* 0: config, 1: config1, 2: config2 */
	uint64_t bits;
};

/* A named event: a file in a PMU's folder events. */
struct perf_alias {
	char name[PERF_NAME_SIZE]; /* "s2m_drs_memdata" */
	uint64_t config[PERF_CONFIG_WORDS];
};

struct perf_pmu {
	char name[PERF_NAME_SIZE];   /* as in sysfs: "uncore_cxlcm_4" */
	uint32_t type;		     /* for struct perf_event_attr */
	unsigned *cpus;		     /* CPUs to open events on (cpumask in sysfs), ascending */
	size_t cpu_count;	     /* 0: events are opened on every CPU */
	struct perf_format *formats; /* by name */
	size_t format_count;
	struct perf_alias *aliases; /* by name; none except for PMUs with the prefixes below */
	size_t alias_count;
};

/* Prefixes of the names of CXL devices' and NVIDIA's PMUs. */
#define PERF_CXL_PREFIX	   "cxl_pmu_"
#define PERF_NVIDIA_PREFIX "nvidia_"

/* A version of the kernel, as a number that ascends with versions. */
#define PERF_KERNEL(major, minor) ((unsigned)(major) << 16 | (unsigned)(minor))

struct perf_pmus {
	struct perf_pmu *items; /* sorted by name; freed by perf_pmus_free() */
	size_t count;
	unsigned kernel; /* PERF_KERNEL(); 0: unknown */
};

void perf_pmu_free(struct perf_pmu *pmu);
void perf_pmus_free(struct perf_pmus *pmus);
/* Return the item with a name; NULL: it does not exist. */
const struct perf_pmu *perf_find_pmu(const struct perf_pmus *pmus, const char *name);
const struct perf_alias *perf_find_alias(const struct perf_pmu *pmu, const char *name);
const struct perf_format *perf_find_format(const struct perf_pmu *pmu, const char *name);

/*
 * Parses the text of a format file in sysfs, "config1:0-7,32-55". Sets .word and .bits. Returns
 * false if the text is malformed, or names another word than config, config1 and config2.
 */
bool perf_parse_format(const char *text, struct perf_format *out);

/* An event to be opened. It counts all processes on one CPU, or some threads on every CPU. */
struct perf_event {
	uint32_t type; /* perf_pmu.type */
	uint64_t config[PERF_CONFIG_WORDS];
	bool exclude_user, exclude_kernel; /* leave out events in user space, or in the kernel */
	unsigned cpu;			   /* the CPU, if .thread is 0 */
	unsigned thread; /* id of a thread: counts it and all that it starts; 0: counts .cpu */
	int leader;	 /* handle of the first event of the group; -1: this event is the first */
};

/*
 * Sets a field of an event. -ENOTSUP: the PMU does not have the field. -ERANGE: the field has too
 * few bits for the value, and *event is invalid. Both errors are ERROR_NO_UNIT.
 */
int perf_set_field(const struct perf_pmu *pmu, const char *field, uint64_t value,
		   struct perf_event *event, struct error *err);

/*
 * Parses the text of a file in a PMU's folder events, and sets .config. The text lists fields or
 * words: "vid=0x1e98,gid=0x25,mask=0x1" or "config=0x1e98002500000001". A field without a value is
 * 1. -EINVAL: malformed text. -ENOTSUP, -ERANGE: as from perf_set_field(). After an error, *out is
 * unchanged.
 */
int perf_parse_alias(const struct perf_pmu *pmu, const char *text, struct perf_alias *out);

/* Returns the value of a field in config; 0 if the PMU does not have the field. */
uint64_t perf_get_field(const struct perf_pmu *pmu, const char *field,
			const uint64_t config[PERF_CONFIG_WORDS]);

/* Returns PERF_KERNEL() of a release, "6.12.117-amd64" (`uname -r`); 0: not a version. */
unsigned perf_parse_kernel(const char *release);

#define PERF_GROUP_MAX 32 /* events in a group; no PMU counts more at once */

/* The counts of a group, as read(2) returns them with PERF_FORMAT_GROUP and both times. */
struct perf_reading {
	uint64_t count;			 /* number of .values: events in the group */
	uint64_t enabled_ns;		 /* total time for which the group was enabled */
	uint64_t running_ns;		 /* part of .enabled_ns in which the group had counters */
	uint64_t values[PERF_GROUP_MAX]; /* in the order in which the events were opened */
};

struct platform;

/* Functions of a platform. leader is the handle of a group's first event. */
struct perf_ops {
	/* Lists the kernel's PMUs. The caller frees *out by perf_pmus_free(). */
	int (*pmus)(struct platform *p, struct perf_pmus *out, struct error *err);
	/*
	 * Lists the threads of a process, ascending. The caller frees *out. -ESRCH (ERROR_NO_UNIT):
	 * the process does not exist.
	 */
	int (*threads)(struct platform *p, unsigned pid, unsigned **out, size_t *count,
		       struct error *err);
	/* Opens an event. Its group stays stopped. Returns a handle or a negative errno. */
	int (*open)(struct platform *p, const struct perf_event *event);
	/* Starts or stops a group. */
	int (*enable)(struct platform *p, int leader, bool on);
	/* Reads a group. */
	int (*read)(struct platform *p, int leader, struct perf_reading *out);
	/* Closes an event. */
	void (*close)(struct platform *p, int handle);
	/* Sets *out to the reason for code, a negative errno of .open, and the remedy. */
	void (*explain)(struct platform *p, int code, struct error *out);
};

#endif
