/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The files of a sampler, which samples loads on all CPUs:
 *
 *   core_clock.c       the frequency of each CPU, for latencies
 *   sample_record.c    decodes records
 *   process_records.c  rings with the records of processes
 *   sampler_open.c     opens a sampler
 *   sampler.c          reads it
 */
#ifndef CXLMON_LINUX_PERF_SAMPLER_PRIVATE_H
#define CXLMON_LINUX_PERF_SAMPLER_PRIVATE_H

#include <linux/perf_event.h>

#include "linux/perf/perf_ring.h"
#include "platform/cpus.h"
#include "platform/load_sample.h"
#include "platform/perf.h"
#include "platform/platform.h"

/*
 * core_clock.c
 *
 * The frequency at which each CPU runs while it does, for latencies that are in core clocks: that
 * of the TSC times APERF / MPERF. The kernel's PMU "msr" has both, and takes no counter for them.
 *
 * Source: the kernel's arch/x86/events/msr.c; Intel SDM volume 3, 15.2 (IA32_MPERF, IA32_APERF).
 */

struct core_clock;

/* NULL: the kernel or the processor does not say it. */
struct core_clock *core_clock_open(struct platform *p, const struct perf_pmus *pmus,
				   const struct topology *topology, double tsc_MHz);
void core_clock_close(struct core_clock *clock); /* NULL does nothing */

/* Reads the counters where that was not done for a second. */
void core_clock_update(struct core_clock *clock);

/* The mean clock between the last two readings in which the CPU ran; NAN: not known. */
double core_clock_MHz(const struct core_clock *clock, unsigned cpu);

/*
 * sample_record.c
 *
 * Decodes records of a sampled perf event, whose bytes are not trusted.
 *
 * Source: perf_event_open(2); include/uapi/linux/perf_event.h (enum perf_event_type, union
 * perf_mem_data_src); the order of fields is that of perf_output_sample() in kernel/events/core.c.
 */

/* perf_event_attr.sample_type of the samples that are decoded. */
#define SAMPLE_TYPE                                                                                \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_READ | PERF_SAMPLE_IP | PERF_SAMPLE_TID |            \
	 PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |              \
	 PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_PHYS_ADDR)

/* The same of events whose records of processes are decoded: with sample_id_all it is in these. */
#define PROCESS_RECORD_TYPE PERF_SAMPLE_TIME

/* perf_event_attr.read_format: what PERF_SAMPLE_READ, and read(2), have behind the count. */
#define SAMPLE_READ_FORMAT (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

/*
 * How samples of a kernel, and of its events, differ. The kernel's own events take no counter, and
 * so share none; and with PERF_SAMPLE_PERIOD each would be sampled (perf_swevent_event()). Of their
 * samples .period and .times are 0.
 */
struct sample_layout {
	bool counter; /* PERF_SAMPLE_PERIOD and _READ */
	bool lost;    /* PERF_FORMAT_LOST, which is a part of _READ: Linux 6.0 */
};

/* Bytes of a sample of an event without a counter: no sample has fewer. */
#define SAMPLE_BYTES 80

/* perf_event_header.size has 16 bits. */
#define SAMPLE_RECORD_MOST 65536

/* False: it can be no such record. The name is in record. */
bool sample_record_decode(const uint8_t *record, size_t size, const struct sample_layout *layout,
			  struct sample_record *out);

/*
 * PERF_SAMPLE_DATA_SRC. Where a load was answered is in mem_lvl_num; of kernels, and processors,
 * that do not say it there, in mem_lvl.
 */
enum load_level data_src_level(uint64_t data_src);
bool data_src_is_load(uint64_t data_src); /* also where it says nothing */
bool data_src_is_remote(uint64_t data_src);
int data_src_region(uint64_t data_src); /* as load_sample.region */

/*
 * process_records.c
 *
 * Records of processes. Each CPU has a ring of names, forks and exits, and one of mappings: a
 * process with very many of these displaces neither names nor samples of others.
 */

/*
 * Records that are taken of all CPUs, ten times per second; further ones are dropped, and counted
 * as lost. A quarter is kept for mappings, if there are any.
 */
#define PROCESS_RECORDS_MOST 1000

/* A ring of a CPU, and the event whose records are in it. */
struct process_ring {
	bool mappings; /* else names, forks and exits */
	int fd;	       /* -1: none */
	uint64_t lost; /* so far, by read(2) */
	struct perf_mapping mapping;
	struct perf_ring ring;	 /* of the reading in progress */
	size_t records, allowed; /* that are there, and that may be taken of them */
};

/* A record of the reading in progress. */
struct found_record {
	uint64_t time_ns;
	uint64_t tail; /* where it is in its ring */
	const struct process_ring *ring;
};

struct process_records {
	struct process_ring *rings;
	size_t count;
	bool says_lost; /* read(2) counts lost records: PERF_FORMAT_LOST */
	bool untold;	/* some were lost, which is to be passed with the next reading */
	size_t first;	/* ring of the next reading */
	size_t room;	/* records that may be taken, as it was at .refilled_ns */
	uint64_t refilled_ns;
	struct found_record found[PROCESS_RECORDS_MOST];
	size_t found_count;
	/* so far */
	uint64_t lost, malformed;
};

struct perf_target;

/* Opens the disabled events of the next CPU, whose rings are still to be mapped. */
int process_records_open(struct process_records *records, struct platform *p,
			 const struct perf_target *target, enum load_mappings mappings);
/* most: pages of each ring. 0 or a negative errno, as of process_records_open(). */
int process_records_map(struct process_records *records, size_t most);
void process_records_unmap(struct process_records *records);
int process_records_enable(const struct process_records *records, struct platform *p, bool on);
void process_records_close(struct process_records *records);

/* Notes how far each ring is written: the reading ends there. */
void process_records_begin(struct process_records *records);

/*
 * Passes the records up to there in the order of time, as many as may be taken, and
 * RECORD_PROCESS_LOST for others. buffer: of SAMPLE_RECORD_MOST bytes.
 */
void process_records_visit(struct process_records *records, uint8_t *buffer, sample_visitor *visit,
			   void *context);

/* Makes .lost true of this moment. */
void process_records_update(struct process_records *records);

/* sampler.c, sampler_open.c */

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
	int *handles;		     /* of events and their leaders */
	struct load_sample *samples; /* decoded, from one ring at a time */
	size_t sample_count;
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

/* The methods of a sampler that is open. */
extern const struct sampler_ops linux_sampler_ops;

#endif
