/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parts of a sampler, which samples loads on all CPUs (platform/load_sample.h):
 *
 * - core_clock.c: the frequency of each CPU, for latencies
 * - sample_record.c: decodes records
 * - process_records.c: rings with the records of processes
 * - sampler_open.c: opens a sampler
 * - sampler.c: reads it
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
 * The frequency of each CPU while it runs, which converts latencies from core clocks to ns. It is
 * the TSC's frequency times APERF / MPERF, two registers that the kernel's PMU "msr" reads without
 * a counter.
 *
 * Source: the kernel's arch/x86/events/msr.c; Intel SDM volume 3, 15.2 (IA32_MPERF, IA32_APERF).
 */

struct core_clock;

/*
 * Opens the clocks of a topology's CPUs. Returns NULL if tsc_MHz is 0, or if the clocks cannot be
 * opened, mostly because the kernel or the processor lacks them.
 */
struct core_clock *core_clock_open(struct platform *p, const struct perf_pmus *pmus,
				   const struct topology *topology, double tsc_MHz);
void core_clock_close(struct core_clock *clock); /* NULL does nothing */

/* Reads the counters if the last reading is at least one second old. clock may be NULL. */
void core_clock_update(struct core_clock *clock);

/*
 * Returns a CPU's mean frequency while it ran between the last two readings. If it did not run
 * then, returns the frequency of an earlier reading. NAN: unknown, or clock is NULL.
 */
double core_clock_MHz(const struct core_clock *clock, unsigned cpu);

/*
 * sample_record.c
 *
 * Decodes records of a sampled perf event, whose bytes are not trusted.
 *
 * Source: perf_event_open(2); include/uapi/linux/perf_event.h (enum perf_event_type, union
 * perf_mem_data_src). perf_output_sample() in kernel/events/core.c has the order of fields.
 */

/* perf_event_attr.sample_type of samples; struct sample_layout names the fields that some lack. */
#define SAMPLE_TYPE                                                                                \
	(PERF_SAMPLE_IDENTIFIER | PERF_SAMPLE_READ | PERF_SAMPLE_IP | PERF_SAMPLE_TID |            \
	 PERF_SAMPLE_TIME | PERF_SAMPLE_ADDR | PERF_SAMPLE_CPU | PERF_SAMPLE_PERIOD |              \
	 PERF_SAMPLE_WEIGHT | PERF_SAMPLE_DATA_SRC | PERF_SAMPLE_PHYS_ADDR)

/* perf_event_attr.sample_type of process events; sample_id_all adds these fields to records. */
#define PROCESS_RECORD_TYPE PERF_SAMPLE_TIME

/* perf_event_attr.read_format: the values after the count in PERF_SAMPLE_READ, and in read(2). */
#define SAMPLE_READ_FORMAT (PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING)

/*
 * Fields that samples of some events or kernels lack. Software events take no counter. They are
 * opened without PERF_SAMPLE_PERIOD: with it, the kernel ignores their period, and samples each
 * event (perf_swevent_event()).
 */
struct sample_layout {
	bool counter; /* PERF_SAMPLE_PERIOD and _READ; false: decoded .period and .times are 0 */
	bool lost;    /* PERF_FORMAT_LOST, a part of _READ: from Linux 6.0 on */
};

/* Bytes of the smallest sample, without a counter. */
#define SAMPLE_BYTES 80

/* Bytes of the largest record: perf_event_header.size has 16 bits. */
#define SAMPLE_RECORD_MOST 65536

/*
 * Decodes a record of size bytes, at least a whole perf_event_header. Returns false if the record
 * is invalid. A kind that cxlmon does not use becomes RECORD_OTHER. out->name points into the
 * record.
 */
bool sample_record_decode(const uint8_t *record, size_t size, const struct sample_layout *layout,
			  struct sample_record *out);

/*
 * Decode PERF_SAMPLE_DATA_SRC for .level, .load, .remote and .region of struct load_sample. The
 * level is in mem_lvl_num. If mem_lvl_num is not set, mem_lvl has the level, but its "miss" becomes
 * LOAD_UNKNOWN. If mem_lvl_num names a cache, but mem_lvl says "miss" or "memory", mem_lvl has the
 * level. From Linux 7.0 on, mem_region may override both.
 */
enum load_level data_src_level(uint64_t data_src);
bool data_src_is_load(uint64_t data_src); /* also true if data_src does not say */
bool data_src_is_remote(uint64_t data_src);
int data_src_region(uint64_t data_src); /* -1: unknown */

/*
 * process_records.c
 *
 * Records of processes: names, forks, exits and mappings. Each CPU has a ring of mappings, and a
 * ring of the other records. So a process with very many mappings displaces neither names nor
 * samples of other processes.
 */

/*
 * The most records that one reading takes from all CPUs, and also the most that readings take in
 * 0.1 s on average. Further records are dropped, and counted as lost. Up to a quarter is reserved
 * for mappings.
 */
#define PROCESS_RECORDS_MOST 1000

/* A CPU's ring, and the event whose records it has. */
struct process_ring {
	bool mappings; /* it has mappings; false: names, forks and exits */
	int fd;	       /* handle of the event */
	uint64_t lost; /* total of lost records, from read(2) */
	struct perf_mapping mapping;
	struct perf_ring ring;	 /* the ring in this reading */
	size_t records, allowed; /* records in the ring, and the number that may be taken */
};

/* A record found in this reading. */
struct found_record {
	uint64_t time_ns;
	uint64_t tail; /* its place in the ring */
	const struct process_ring *ring;
};

/* The rings of all CPUs. Before process_records_open(), all is zero except .says_lost. */
struct process_records {
	struct process_ring *rings;
	size_t count;
	bool says_lost;	      /* read(2) counts lost records: PERF_FORMAT_LOST */
	bool untold;	      /* the next reading has to report losses */
	size_t first;	      /* ring that the next reading begins with */
	size_t room;	      /* records that may still be taken */
	uint64_t refilled_ns; /* when .room was last refilled */
	struct found_record found[PROCESS_RECORDS_MOST];
	size_t found_count;
	/* .lost: total of lost records; .malformed: invalid ones since sampler.c last zeroed it */
	uint64_t lost, malformed;
};

struct perf_target;

/*
 * Opens the events of one CPU, disabled: one for names, forks and exits and, unless mappings is
 * MAPPINGS_NONE, one for mappings. 0 or a negative errno.
 */
int process_records_open(struct process_records *records, struct platform *p,
			 const struct perf_target *target, enum load_mappings mappings);
/* Maps the rings of all events. A ring has at most `most` pages. 0 or a negative errno. */
int process_records_map(struct process_records *records, size_t most);
void process_records_unmap(struct process_records *records);
/* Starts or stops all events. 0 or a negative errno. */
int process_records_enable(const struct process_records *records, struct platform *p, bool on);
/* Unmaps all rings, and closes all events. */
void process_records_close(struct process_records *records);

/* Begins a reading, which takes no records that the kernel writes after this call. */
void process_records_begin(struct process_records *records);

/*
 * Ends the reading: passes its records to visit in the order of time. Drops records for which .room
 * is too small. After the others, passes a RECORD_PROCESS_LOST for each run of dropped records of
 * one process: .lost is their number. If the kernel lost records, passes one or more
 * RECORD_PROCESS_LOST with .pid 0. Their .lost may add up to fewer records than were lost, or to 0.
 * buffer has SAMPLE_RECORD_MOST bytes.
 */
void process_records_visit(struct process_records *records, uint8_t *buffer, sample_visitor *visit,
			   void *context);

/* Updates .lost from the kernel's counts. */
void process_records_update(struct process_records *records);

/* Parts of sampler.c and sampler_open.c. */

/* An event on a CPU. */
struct cpu_event {
	int fd;
	int leader;    /* the event to enable and disable: .fd, or the leader of its group */
	uint64_t id;   /* id in the event's records */
	uint64_t lost; /* total of lost samples, from read(2) */
	struct event_times read;   /* times at the last update */
	struct event_times scaled; /* times of the last sample of earlier readings */
	struct event_times latest; /* times of the last sample in this reading */
	double scale;		   /* factor for the samples of this reading */
	bool ran;		   /* it ran between the last two updates */
	bool starved;		   /* it was enabled meanwhile, but had no counter */
};

/* A CPU's events, which all write to the ring of the first one. */
struct stream {
	unsigned cpu;
	struct cpu_event events[LOAD_EVENTS_MOST];
	struct perf_mapping mapping;
	struct perf_ring ring; /* the ring in this reading */
};

struct linux_sampler {
	struct sampler base;
	struct platform *platform;
	struct stream *streams; /* ascending by CPU */
	size_t stream_count;
	struct process_records processes;
	struct sample_layout layout;
	struct core_clock *clock; /* NULL: frequencies are unknown */
	int cgroup;		  /* descriptor of its directory; -1: none */
	int online;		  /* descriptor of the list of online CPUs; negative: none */
	/*
	 * By event: the largest number of CPUs named in one warning so far. The last element is for
	 * CPUs that came online after the start.
	 */
	size_t named[LOAD_EVENTS_MOST + 1];
	int *handles;		     /* events and their leaders */
	struct load_sample *samples; /* samples decoded from one ring at a time */
	size_t sample_count;
	uint8_t buffer[SAMPLE_RECORD_MOST];
};

/* An event as sysfs describes it, and the leader of its group. */
struct described_event {
	struct perf_event event, leader;
	bool has_leader;
};

/*
 * Finds an event's configuration in the sysfs below root. 0, or a negative errno if the PMU has no
 * such event: -ENOENT, -EINVAL, or an error of perf_set_field(). Leaves out event->optional, .ldlat
 * and .leader if the PMU lacks them.
 */
int sampler_describe(const char *root, const struct perf_pmu *pmu, const struct load_event *event,
		     struct described_event *out);

/* The methods of an open sampler. */
extern const struct sampler_ops linux_sampler_ops;

#endif
