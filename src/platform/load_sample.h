/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sampled loads: every nth event of a CPU leaves a record of the process that read, the address,
 * the memory that it read, and the time that the read took. The kernel has one format for Intel's
 * PEBS, AMD's IBS, and its own events, such as page faults.
 *
 * Source: perf_event_open(2), include/uapi/linux/perf_event.h; data_src is its field that describes
 * an access.
 */
#ifndef CXLMON_PLATFORM_LOAD_SAMPLE_H
#define CXLMON_PLATFORM_LOAD_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* An event to be sampled. */
struct load_event {
	const char *name;     /* as the vendor or perf names it */
	const char *pmu;      /* name in sysfs: "cpu" */
	const char *terms;    /* in the format of the PMU: "event=0xd1,umask=0x20" */
	const char *alias;    /* name in the PMU's folder events, used instead of .terms; or NULL */
	const char *leader;   /* name there of the group's leader, if the PMU has it; or NULL */
	const char *optional; /* a field that becomes 1 if the PMU has it; or NULL */
	unsigned ldlat; /* least core clocks of a sampled load: the field ldlat; 0: as in .alias */
	unsigned precise;  /* perf_event_attr.precise_ip */
	unsigned kernel;   /* the first Linux that reports its addresses: PERF_KERNEL(); 0: any */
	uint64_t period;   /* the first period: events from one sample to the next */
	unsigned multiple; /* periods are multiples of it; 0: any period, and primes are chosen */
	bool counts;	   /* the sum of the samples' periods estimates all events */
	bool tagged;	   /* only randomly tagged ops are sampled: the estimate is less certain */
	bool takes_time;   /* a sample's weight is its latency */
	bool of_caches;	   /* loads answered by a cache are also sampled */
	bool no_loads;	   /* samples are not loads: they show which pages are used */
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
	uint64_t address;  /* virtual address of the data */
	uint64_t physical; /* physical address of the data; 0: unknown */
	uint64_t time_ns;  /* on the clock of clock_ops.now */
	/* events that the sample stands for, including those while its event had no counter */
	uint64_t period;
	uint64_t weight;   /* core clocks from issue to data; 0: unknown */
	double latency_ns; /* .weight in ns; NAN: unknown */
	enum load_level level;
	bool load;   /* data_src says that the sample is a load, or says nothing */
	bool remote; /* the data was in another socket, as far as data_src tells */
	int region;  /* region of memory: region_node.region; -1: unknown */
	bool kernel; /* the kernel's code made the access */
	bool guest;  /* a virtual machine's code made the access: addresses are the guest's */
};

/*
 * Tells if a sample is a load that read memory. If its .level is unknown, the answer is true for
 * events that sample only misses of the L3 (.of_caches is false).
 */
bool load_sample_reads_memory(const struct load_event *event, const struct load_sample *sample);

/* The time for which an event was enabled, and the part of it in which it had a counter. */
struct event_times {
	uint64_t enabled_ns, running_ns;
};

enum sample_record_kind {
	RECORD_OTHER,
	RECORD_SAMPLE,
	RECORD_LOST,	     /* records were lost: the ring had no room */
	RECORD_LOST_SAMPLES, /* the processor had no room, or dropped samples */
	RECORD_THROTTLE,     /* the kernel stopped an event for a moment: too many samples */
	RECORD_NAME,	     /* a thread's name changed */
	RECORD_FORK,	     /* a thread began; a process, if tid == pid */
	RECORD_EXIT,
	RECORD_MAPPING,	     /* a process mapped memory */
	RECORD_PROCESS_LOST, /* records of a process were lost; of any process, if pid is 0 */
};

/* A record of a sampler. Each member names the kinds in which it is set. */
struct sample_record {
	enum sample_record_kind kind;
	unsigned pid, tid; /* RECORD_NAME, _FORK, _EXIT and _MAPPING; pid: also _PROCESS_LOST */
	uint64_t time_ns;  /* kinds that have .tid; on the clock of clock_ops.now */
	unsigned parent;   /* RECORD_FORK: the parent's pid */
	uint64_t lost;	   /* RECORD_LOST: records of any kind; _LOST_SAMPLES: samples */
	bool exec;	   /* RECORD_NAME: the process runs another program now */
	const char *name;  /* RECORD_NAME and _MAPPING; valid until the next record */
	uint64_t start, length;	   /* RECORD_MAPPING: bytes of virtual memory */
	uint64_t offset, inode;	   /* RECORD_MAPPING: bytes into the file, and the file's inode */
	bool executable;	   /* RECORD_MAPPING */
	struct load_sample sample; /* RECORD_SAMPLE */
	uint64_t event_id;	   /* RECORD_SAMPLE: the kernel's number of the perf event */
	struct event_times times;  /* RECORD_SAMPLE: times of the event when the sample was made */
};

/*
 * Returns the factor that corrects an event's count between two readings of its times: enabled by
 * running time, because the event did not always have a counter. At least 1; 1 if no time has
 * passed.
 */
double event_times_scale(const struct event_times *from, const struct event_times *to);

/* Receives a record of a sampler, which is valid during the call. */
typedef void sample_visitor(void *context, const struct sample_record *record);

#define LOAD_EVENTS_MOST 2

/* The mappings of processes that are recorded: none, only executable ones, or all. */
enum load_mappings { MAPPINGS_NONE, MAPPINGS_CODE, MAPPINGS_ALL };

/* The request to sample loads; nothing in it is owned. */
struct load_sampling {
	const struct load_event *events[LOAD_EVENTS_MOST];
	size_t event_count;
	bool processes; /* also record processes: names, forks, exits, and .mappings */
	enum load_mappings mappings;
	const char *cgroup; /* the cgroup's directory; NULL: all processes */
};

struct sampler;

struct sampler_ops {
	/*
	 * Passes all waiting records to visit: first records of processes, in the order of time,
	 * then samples. Does not wait.
	 */
	void (*read)(struct sampler *sampler, sample_visitor *visit, void *context);
	/* Updates .lost, .records_lost, .times and .unsampled. NULL: they are always up to date. */
	void (*update)(struct sampler *sampler);
	/* Changes the period of one event, from its next sample on. 0 or a negative errno. */
	int (*set_period)(struct sampler *sampler, size_t event, uint64_t period);
	/* Starts or stops sampling. 0 or a negative errno. */
	int (*enable)(struct sampler *sampler, bool on);
	/*
	 * Returns the name of the function that a sample was in; "": unknown. NULL: the files of
	 * mappings have the names.
	 */
	const char *(*function)(const struct sampler *sampler, const struct load_sample *sample);
	void (*destroy)(struct sampler *sampler);
};

/* A sampler of loads, made by sampling_ops.open. */
struct sampler {
	const struct sampler_ops *ops;
	struct load_sampling sampling;	    /* its events are those that could be opened */
	uint64_t periods[LOAD_EVENTS_MOST]; /* the present period of each event */
	size_t cpus;			    /* number of CPUs on which it samples */
	bool latencies;	    /* load_sample.latency_ns is set for events with .takes_time */
	const int *handles; /* perf events, for rights_filter(); NULL: none */
	size_t handle_count;
	/* Totals since the sampler was opened. */
	uint64_t lost;	       /* samples for which there was no room */
	uint64_t records_lost; /* records of processes for which there was no room */
	uint64_t throttled;    /* times that the kernel stopped an event: too many samples */
	uint64_t malformed;    /* times that a ring had no valid record */
	struct event_times times[LOAD_EVENTS_MOST]; /* sums over all CPUs */
	/*
	 * CPUs on which the first event counted nothing between the last two updates: it had no
	 * counter there, or they came online after it was opened.
	 */
	size_t unsampled;
};

struct platform;

struct sampling_ops {
	/*
	 * Opens a sampler on all online CPUs. It is disabled, and must be destroyed before the
	 * platform. An event after the first that cannot be opened is left out, and a note in the
	 * log says why. ERROR_NO_UNIT: the kernel or the processor lacks the event.
	 * ERROR_PERMISSION: the user may not sample all CPUs.
	 */
	int (*open)(struct platform *p, const struct load_sampling *sampling, struct sampler **out,
		    struct error *err);
};

/*
 * The sampling period is the number of events from one sample to the next. It is chosen so that
 * sampling costs less than a hundredth of a CPU: load_next_period() at least doubles it after an
 * interval with too many samples or too much CPU time, and halves it after one with few samples.
 */

/* The most samples per second and CPU. */
#define LOAD_RATE_MOST 1000
/* The most CPU time that cxlmon may use, as a fraction of one CPU. */
#define LOAD_COST_MOST 0.01
/* The kernel's CPU time per sample in ns, estimated: an interrupt and a record. */
#define LOAD_SAMPLE_NS 2000

/*
 * Checks if a kernel (PERF_KERNEL(); 0: unknown) reports the addresses of an event's samples. 0;
 * -ENODEV (ERROR_NO_UNIT): it is too old.
 */
int load_event_check_kernel(const struct load_event *event, unsigned kernel, struct error *err);

/*
 * Returns the period for the next interval. The last interval had this period and length, this
 * number of samples on all CPUs, and cxlmon used this fraction of one CPU (cost).
 */
uint64_t load_next_period(const struct load_event *event, uint64_t period, uint64_t samples,
			  double seconds, size_t cpus, double cost);

/*
 * Returns the least valid period of an event that is not below this one: a multiple of
 * event->multiple or, if that is 0, a prime.
 */
uint64_t load_round_period(const struct load_event *event, uint64_t period);

#endif
