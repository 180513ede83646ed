/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a sampler: sampler_open.c opens it, sampler.c reads it. */
#ifndef CXLMON_LINUX_PERF_SAMPLER_H
#define CXLMON_LINUX_PERF_SAMPLER_H

#include "linux/perf/perf_ring.h"
#include "linux/perf/process_records.h"
#include "linux/perf/sample_record.h"
#include "platform/perf.h"

/* An event on a CPU. */
struct cpu_event {
	int fd;
	int leader;		   /* which is enabled and disabled: fd, or that of its group */
	uint64_t id;		   /* in its records */
	uint64_t lost;		   /* so far */
	struct event_times read;   /* at the last update */
	struct event_times scaled; /* when its last sample was made, of those that were read */
	struct event_times latest; /* the same, of the reading in progress */
	double scale;		   /* of the samples of this reading */
	bool ran;		   /* between the last two updates */
	bool starved;		   /* then it was enabled, and had no counter */
};

/* All events of a CPU write to the ring of the first one. */
struct stream {
	unsigned cpu;
	struct cpu_event events[LOAD_EVENTS_MOST];
	struct perf_mapping mapping;
	struct perf_ring ring; /* of the reading in progress */
};

struct linux_sampler {
	struct sampler base;
	struct platform *platform;
	struct stream *streams; /* ascending by CPU */
	size_t stream_count;
	struct process_records processes;
	struct sample_layout layout;
	struct core_clock *clock; /* NULL: not known */
	int cgroup;		  /* directory; -1: none */
	int online;		  /* the kernel's list of CPUs; -1: not known */
	/* CPUs that were named at once, at most: of each event, and those that came online later */
	size_t named[LOAD_EVENTS_MOST + 1];
	int *handles; /* of events and their leaders */
	uint8_t buffer[SAMPLE_RECORD_MOST];
};

/* An event as sysfs has it, and what leads its group. */
struct described_event {
	struct perf_event event, leader;
	bool has_leader;
};

/* -ENOENT, -EINVAL: the PMU, in the sysfs of root, has no such event. */
int sampler_describe(const char *root, const struct perf_pmu *pmu, const struct load_event *event,
		     struct described_event *out);

/* The methods of a sampler that is open, in sampler.c. */
extern const struct sampler_ops linux_sampler_ops;

#endif
