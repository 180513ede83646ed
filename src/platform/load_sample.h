/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sampled loads: every nth event of a CPU leaves a record. A record has the process that read, the
 * address, the kind of memory, and the time that the read took. The kernel has one format for
 * Intel's PEBS, AMD's IBS, and its own events, such as page faults.
 *
 * Source: perf_event_open(2), include/uapi/linux/perf_event.h. In a sample, the kernel describes
 * the access by data_src (union perf_mem_data_src).
 */
#ifndef CXLMON_PLATFORM_LOAD_SAMPLE_H
#define CXLMON_PLATFORM_LOAD_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* An event to be sampled. */
struct load_event {
	const char *name;   /* as the vendor or perf names it */
	const char *pmu;    /* name in sysfs: "cpu" */
	const char *terms;  /* in the format of the PMU: "event=0xd1,umask=0x20" */
	const char *alias;  /* event in the PMU's folder events, used instead of .terms; or NULL */
	const char *leader; /* such an event, opened as the group's leader if it exists; or NULL */
	const char *optional; /* field to set to 1 if the PMU has it; or NULL */
	unsigned ldlat;	      /* field ldlat, the least core clocks of a sampled load; 0: not set */
	unsigned precise;     /* perf_event_attr.precise_ip */
	unsigned kernel;      /* the first Linux that reports addresses: PERF_KERNEL(); 0: any */
	uint64_t period;      /* events from one sample to the next, at first */
	unsigned multiple;    /* chosen periods are multiples of this number; 0: primes */
	bool counts;	      /* the sum of the samples' periods estimates all events */
	bool tagged;	 /* only randomly tagged ops are sampled: the estimate is less certain */
	bool takes_time; /* a sample's weight is its latency */
	bool of_caches;	 /* loads answered by a cache are also sampled */
	bool no_loads;	 /* samples are not loads: they show which pages are used */
};

/*
 * The place of a load's data:
 *
 * - LOAD_CACHE: a cache, of any socket
 * - LOAD_MISS: memory, or a cache of another socket; the address says which memory
 * - LOAD_DRAM: DRAM; on Intel processors, also CXL memory
 * - LOAD_IO: an I/O agent, or MMIO: neither memory nor a cache
 */
enum load_level { LOAD_UNKNOWN, LOAD_IO, LOAD_CACHE, LOAD_MISS, LOAD_DRAM, LOAD_CXL, LOAD_PMEM };

struct load_sample {
	unsigned event;	   /* number in load_sampling.events */
	unsigned pid, tid; /* pid 0: idle, or a thread of the kernel */
	unsigned cpu;
	uint64_t ip;	   /* address of the instruction */
	uint64_t address;  /* virtual address of the data; the guest's if .guest is true */
	uint64_t physical; /* physical address of the data; 0: unknown */
	uint64_t time_ns;  /* on the clock of clock_ops.now */
	/* events that the sample stands for, with those that occurred while it had no counter */
	uint64_t period;
	uint64_t weight;   /* core clocks from issue to data; 0: unknown */
	double latency_ns; /* .weight in ns; NAN: unknown */
	enum load_level level;
	bool load;   /* true unless data_src says that the access is not a load */
	bool remote; /* data_src says that the data was in another socket */
	int region;  /* region of memory: region_node.region; -1: unknown */
	bool kernel; /* the kernel's code made the access */
	bool guest;  /* a virtual machine's code made the access */
};

/*
 * Tells if a sample is a load that read memory. If the sample's .level is LOAD_UNKNOWN, returns
 * true only if the event does not sample loads answered by a cache (.of_caches is false).
 */
bool load_sample_reads_memory(const struct load_event *event, const struct load_sample *sample);

/* The time for which an event was enabled, and the part of it in which it had a counter. */
struct event_times {
	uint64_t enabled_ns, running_ns;
};

/*
 * Kinds of records. A sampler only counts RECORD_LOST, RECORD_LOST_SAMPLES and RECORD_THROTTLE. It
 * passes records of other kinds to visitors.
 */
enum sample_record_kind {
	RECORD_OTHER,
	RECORD_SAMPLE,
	RECORD_LOST,	     /* the kernel lost records: its buffer for them was full */
	RECORD_LOST_SAMPLES, /* the processor had no room, or dropped samples */
	RECORD_THROTTLE,     /* the kernel stopped an event for a moment: too many samples */
	RECORD_NAME,	     /* a thread's name changed */
	RECORD_FORK,	     /* a thread began; a process, if tid == pid */
	RECORD_EXIT,	     /* a thread ended */
	RECORD_MAPPING,	     /* a process mapped memory */
	RECORD_PROCESS_LOST, /* records of process pid were lost; pid 0: any process */
};

/* A record of a sampler. Each member names the kinds in which it is set. */
struct sample_record {
	enum sample_record_kind kind;
	unsigned pid, tid;	/* RECORD_NAME, _FORK, _EXIT, _MAPPING; .pid: also _PROCESS_LOST */
	uint64_t time_ns;	/* kinds that have .tid; on the clock of clock_ops.now */
	unsigned parent;	/* RECORD_FORK: the parent's pid */
	uint64_t lost;		/* RECORD_LOST: lost records; RECORD_LOST_SAMPLES: lost samples */
	bool exec;		/* RECORD_NAME: the process now runs another program: execve(2) */
	const char *name;	/* RECORD_NAME and _MAPPING; valid until the next record */
	uint64_t start, length; /* RECORD_MAPPING: bytes of virtual memory */
	uint64_t offset, inode; /* RECORD_MAPPING: bytes into the file, and the file's inode */
	bool executable;	/* RECORD_MAPPING */
	struct load_sample sample; /* RECORD_SAMPLE */
	uint64_t event_id; /* RECORD_SAMPLE, not for visitors: the kernel's number of the event */
	struct event_times times; /* RECORD_SAMPLE, not for visitors: times of the event */
};

/*
 * Returns the factor by which to scale the count of an event between two readings of its times: the
 * time enabled, divided by the time that the event had a counter. At least 1; 1 if one of these
 * times is 0.
 */
double event_times_scale(const struct event_times *from, const struct event_times *to);

/* Receives a record of a sampler. *record is valid during the call. */
typedef void sample_visitor(void *context, const struct sample_record *record);

#define LOAD_EVENTS_MOST 2

/* The mappings of memory that are recorded: none, only executable ones, or all. */
enum load_mappings { MAPPINGS_NONE, MAPPINGS_CODE, MAPPINGS_ALL };

/* A request to sample loads. Owns nothing: .events must outlive the sampler. */
struct load_sampling {
	const struct load_event *events[LOAD_EVENTS_MOST];
	size_t event_count;
	bool processes; /* also record names, forks and exits of processes, and .mappings */
	enum load_mappings mappings;
	const char *cgroup; /* directory of the only cgroup to sample; NULL: all processes */
};

struct sampler;

struct sampler_ops {
	/*
	 * Passes all records since the last call to visit, without waiting: first the records of
	 * processes, in the order of time, then samples.
	 */
	void (*read)(struct sampler *sampler, sample_visitor *visit, void *context);
	/* Updates .lost, .records_lost, .times and .unsampled. NULL: they are always up to date. */
	void (*update)(struct sampler *sampler);
	/* Changes the period of one event, from its next sample on. 0 or a negative errno. */
	int (*set_period)(struct sampler *sampler, size_t event, uint64_t period);
	/* Starts or stops sampling. 0 or a negative errno. */
	int (*enable)(struct sampler *sampler, bool on);
	/*
	 * Returns the name of the function that a sample was in; "": unknown. The pointer is NULL
	 * on a real machine: names are then found in the files that processes have mapped.
	 */
	const char *(*function)(const struct sampler *sampler, const struct load_sample *sample);
	void (*destroy)(struct sampler *sampler);
};

/* A sampler of loads, made by sampling_ops.open. */
struct sampler {
	const struct sampler_ops *ops;
	struct load_sampling sampling;	    /* the request, with only the events that were opened */
	uint64_t periods[LOAD_EVENTS_MOST]; /* the present period of each event */
	size_t cpus;			    /* CPUs that were online when it was opened */
	bool latencies;	    /* load_sample.latency_ns is set for events with .takes_time */
	const int *handles; /* perf events, for rights_filter(); NULL: none */
	size_t handle_count;
	/* Totals since the sampler was opened. */
	uint64_t lost;	       /* samples for which the kernel or the processor had no room */
	uint64_t records_lost; /* records of processes that were not passed to visitors */
	uint64_t throttled;    /* times that the kernel stopped an event: too many samples */
	uint64_t malformed;    /* invalid records, and samples of other programs' events */
	struct event_times times[LOAD_EVENTS_MOST]; /* sums over all CPUs */
	/*
	 * CPUs that were not sampled between the last two updates: the first event had no counter
	 * there, or the CPU came online after the sampler was opened
	 */
	size_t unsampled;
};

struct platform;

struct sampling_ops {
	/*
	 * Opens a sampler on all online CPUs. It is disabled at first, and must be destroyed before
	 * the platform. If only the second event cannot be opened, the sampler lacks it, and a note
	 * in the log says why.
	 *
	 * - ERROR_NO_UNIT: the kernel or the processor lacks the event
	 * - ERROR_PERMISSION: the user may not sample all CPUs, or not map buffers for samples
	 * - ERROR_USAGE: the cgroup cannot be opened
	 */
	int (*open)(struct platform *p, const struct load_sampling *sampling, struct sampler **out,
		    struct error *err);
};

/*
 * Limits from which load_next_period() chooses the sampling period, the number of events from one
 * sample to the next.
 */
#define LOAD_RATE_MOST 1000 /* samples per second and CPU */
#define LOAD_COST_MOST 0.01 /* CPU time that cxlmon may use, as a fraction of one CPU */
#define LOAD_SAMPLE_NS 2000 /* the kernel's CPU time per sample: an interrupt and a record */

/*
 * Checks if a kernel reports the addresses of an event's samples. kernel is a PERF_KERNEL(); 0:
 * unknown, which passes. -ENODEV (ERROR_NO_UNIT): the kernel is too old.
 */
int load_event_check_kernel(const struct load_event *event, unsigned kernel, struct error *err);

/*
 * Returns the period for the next interval: at least twice the period after an interval with too
 * many samples or too much CPU time, half after one with few samples, else the same.
 *
 * period, samples and seconds describe the last interval: its period, its samples on all CPUs
 * together, and its length. cpus is the number of CPUs. cost is the CPU time that cxlmon used in
 * the interval, as a fraction of one CPU.
 */
uint64_t load_next_period(const struct load_event *event, uint64_t period, uint64_t samples,
			  double seconds, size_t cpus, double cost);

/*
 * Rounds a period up to the next multiple of event->multiple. If that is 0, rounds up to the next
 * prime.
 */
uint64_t load_round_period(const struct load_event *event, uint64_t period);

#endif
