/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Counting through the kernel instead of registers: the PMUs that it shows in sysfs, and groups of
 * events opened on them. struct perf_ops has the functions of a platform.
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

/* A field of a PMU's events: it is in these bits of one config word, its lowest bit first. */
struct perf_format {
	char name[PERF_NAME_SIZE]; /* "umask" */
	unsigned word;		   /* 0: config, 1: config1, 2: config2 */
	uint64_t bits;
};

/* An event that a PMU names in its folder events. */
struct perf_alias {
	char name[PERF_NAME_SIZE]; /* "s2m_drs_memdata" */
	uint64_t config[PERF_CONFIG_WORDS];
};

struct perf_pmu {
	char name[PERF_NAME_SIZE]; /* as in sysfs: "uncore_cxlcm_4" */
	uint32_t type;		   /* for struct perf_event_attr */
	unsigned *cpus;		   /* one of each die, on which its events are opened, ascending */
	size_t cpu_count;	   /* 0: its events are opened on every CPU */
	struct perf_format *formats;
	size_t format_count;
	struct perf_alias *aliases; /* by name; of PMUs of CXL devices and of NVIDIA's alone */
	size_t alias_count;
};

/* begin their names */
#define PERF_CXL_PREFIX	   "cxl_pmu_"
#define PERF_NVIDIA_PREFIX "nvidia_"

/* A version of the kernel; in ascending order. */
#define PERF_KERNEL(major, minor) ((unsigned)(major) << 16 | (unsigned)(minor))

struct perf_pmus {
	struct perf_pmu *items; /* sorted by name; freed by perf_pmus_free() */
	size_t count;
	unsigned kernel; /* PERF_KERNEL(); 0: not known */
};

void perf_pmu_free(struct perf_pmu *pmu);
void perf_pmus_free(struct perf_pmus *pmus);
/* NULL: there is none of that name. */
const struct perf_pmu *perf_find_pmu(const struct perf_pmus *pmus, const char *name);
const struct perf_alias *perf_find_alias(const struct perf_pmu *pmu, const char *name);
const struct perf_format *perf_find_format(const struct perf_pmu *pmu, const char *name);

/*
 * "config1:0-7,32-55", as in a format file of sysfs. False: malformed, or of a word that struct
 * perf_event does not have. name is not set.
 */
bool perf_parse_format(const char *text, struct perf_format *out);

/* An event to be opened; it counts all processes on a CPU, or a thread on every CPU. */
struct perf_event {
	uint32_t type; /* its PMU's */
	uint64_t config[PERF_CONFIG_WORDS];
	bool exclude_user, exclude_kernel;
	unsigned cpu;
	unsigned thread; /* with the threads and processes that it starts from then on; 0: all */
	int leader;	 /* handle of the first event of its group; -1: it is the first */
};

/*
 * Sets a field of an event. -ENOTSUP: the PMU has no such field. -ERANGE: the value has bits that
 * the field doesn't take. The message names both.
 */
int perf_set_field(const struct perf_pmu *pmu, const char *field, uint64_t value,
		   struct perf_event *event, struct error *err);

/*
 * "vid=0x1e98,gid=0x25,mask=0x1" or "config=0x1e98002500000001", as in a file of events: sets
 * config. -EINVAL: malformed. Other errors are those of perf_set_field().
 */
int perf_parse_alias(const struct perf_pmu *pmu, const char *text, struct perf_alias *out);

/* The value of a field of an event; 0: the PMU has no such field. */
uint64_t perf_get_field(const struct perf_pmu *pmu, const char *field,
			const uint64_t config[PERF_CONFIG_WORDS]);

/* PERF_KERNEL() of "6.12.117-amd64", as `uname -r` has it; 0: it is no version. */
unsigned perf_parse_kernel(const char *release);

#define PERF_GROUP_MAX 32 /* events; of no unit are more counted at once */

/* The result of read(2) on a group with PERF_FORMAT_GROUP and both times. */
struct perf_reading {
	uint64_t count;	     /* events in the group */
	uint64_t enabled_ns; /* since the group was first enabled, without time when disabled */
	uint64_t running_ns; /* on counters: less than enabled where the kernel multiplexes */
	uint64_t values[PERF_GROUP_MAX]; /* in the order in which the events were opened */
};

struct platform;

/*
 * Counting through the kernel. pmus lists its PMUs, threads those of a process. open opens an
 * event, which does not count yet, and returns its handle or a negative errno; enable starts and
 * stops a group, and read reads it, by the handle of its first event.
 */
struct perf_ops {
	int (*pmus)(struct platform *p, struct perf_pmus *out, struct error *err);
	/* Ascending; freed by the caller. ERROR_NO_UNIT: there is no such process. */
	int (*threads)(struct platform *p, unsigned pid, unsigned **out, size_t *count,
		       struct error *err);
	int (*open)(struct platform *p, const struct perf_event *event);
	int (*enable)(struct platform *p, int leader, bool on);
	int (*read)(struct platform *p, int leader, struct perf_reading *out);
	void (*close)(struct platform *p, int handle);
	/* Explains why open failed with code (a negative errno). */
	void (*explain)(struct platform *p, int code, struct error *out);
};

#endif
