/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sampled loads: of every so many events of a CPU one is a record of which process read which
 * address, from which memory, and how long that took. The kernel has one form for PEBS of Intel and
 * IBS of AMD, and for its own events, such as page faults.
 *
 * Source: perf_event_open(2), include/uapi/linux/perf_event.h.
 */
#ifndef CXLMON_PLATFORM_LOAD_SAMPLE_H
#define CXLMON_PLATFORM_LOAD_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* An event to be sampled. */
struct load_event {
	const char *name;     /* as its vendor, or perf, calls it */
	const char *pmu;      /* of sysfs: "cpu" */
	const char *terms;    /* in the formats of the PMU: "event=0xd1,umask=0x20" */
	const char *alias;    /* else: those of this event in the PMU's folder events */
	const char *leader;   /* such an event that leads its group, if the PMU has it; or NULL */
	const char *optional; /* a field that becomes 1 if the PMU has it; or NULL */
	unsigned ldlat;	  /* core clocks that a load takes at least: the field ldlat; 0: as alias */
	unsigned precise; /* perf_event_attr.precise_ip */
	unsigned kernel;  /* the first Linux that has its addresses: PERF_KERNEL(); 0: any */
	uint64_t period;  /* to begin with */
	unsigned multiple; /* of which periods must be multiples; 0: any, then primes are taken */
	bool counts;	   /* samples times their periods estimate all events */
	bool tagged;	   /* of ops that are tagged at random: a less certain estimate */
	bool takes_time;   /* the weight of a sample is its latency */
	bool of_caches;	   /* loads that a cache answered are sampled, too */
	bool no_loads;	   /* samples are no loads: they say which pages are used */
};

/*
 * Where the data of a load was. LOAD_CACHE: also in a cache of another socket. LOAD_MISS: in none
 * of its own socket; the address says which memory that is, unless another socket's cache answered.
 * LOAD_DRAM: of Intel also CXL memory. LOAD_IO: an I/O agent, or MMIO: neither memory nor a cache.
 */
enum load_level { LOAD_UNKNOWN, LOAD_IO, LOAD_CACHE, LOAD_MISS, LOAD_DRAM, LOAD_CXL, LOAD_PMEM };

struct load_sample {
	unsigned event;	   /* number in load_sampling.events */
	unsigned pid, tid; /* pid 0: idle; of the kernel's threads, too */
	unsigned cpu;
	uint64_t ip;
	uint64_t address;  /* virtual */
	uint64_t physical; /* 0: not known */
	uint64_t time_ns;  /* on the clock of clock_ops.now */
	uint64_t period; /* events that it stands for, also those while its event had no counter */
	uint64_t weight; /* core clocks from issue to data; 0: not known */
	double latency_ns; /* the same; NAN: not known */
	enum load_level level;
	bool load;   /* data_src says that it is one, or says nothing */
	bool remote; /* another socket's, where data_src can tell */
	int region;  /* of memory: see memory_map.regions; -1: not known */
	bool kernel; /* the kernel's code did it */
	bool guest;  /* a virtual machine's code did it: addresses are its own */
};

/*
 * Whether it read memory. What data_src does not say is known of events that only sample misses of
 * the L3; these are reads of memory, or of another socket's cache.
 */
bool load_sample_reads_memory(const struct load_event *event, const struct load_sample *sample);

/* The time for which an event was enabled, and the part of it for which it had a counter. */
struct event_times {
	uint64_t enabled_ns, running_ns;
};

enum sample_record_kind {
	RECORD_OTHER,
	RECORD_SAMPLE,
	RECORD_LOST,	     /* there was no room in the ring */
	RECORD_LOST_SAMPLES, /* the processor had none, or dropped them */
	RECORD_THROTTLE,
	RECORD_NAME, /* a thread has this name now */
	RECORD_FORK, /* a thread, or with tid == pid a process, begins */
	RECORD_EXIT,
	RECORD_MAPPING,
	RECORD_PROCESS_LOST, /* records of a process were lost, or with pid 0 of any */
};

struct sample_record {
	enum sample_record_kind kind;
	unsigned pid, tid; /* of RECORD_NAME, _FORK, _EXIT and _MAPPING; pid of _PROCESS_LOST */
	uint64_t time_ns;  /* of these, on the clock of clock_ops.now */
	unsigned parent;   /* of RECORD_FORK: its pid */
	uint64_t lost;	   /* of RECORD_LOST: records of any kind; of _LOST_SAMPLES: samples */
	bool exec;	   /* of RECORD_NAME: the process runs another program now */
	const char *name;  /* of RECORD_NAME and _MAPPING; valid until the next record */
	uint64_t start, length; /* of RECORD_MAPPING: bytes of virtual memory */
	uint64_t offset, inode; /* in the file, which it is */
	bool executable;
	struct load_sample sample; /* of RECORD_SAMPLE */
	uint64_t event_id;	   /* likewise, as the kernel numbers perf events */
	struct event_times times;  /* of this event, when the sample was made */
};

/*
 * The factor by which the count of an event is too low, as it had no counter for a part of the time
 * that it was enabled.
 */
double event_times_scale(const struct event_times *from, const struct event_times *to);

/* A record of a sampler. Those of processes come before samples, in the order of time. */
typedef void sample_visitor(void *context, const struct sample_record *record);

#define LOAD_EVENTS_MOST 2

/* The mappings of processes of which there are to be records: RECORD_MAPPING. */
enum load_mappings { MAPPINGS_NONE, MAPPINGS_CODE, MAPPINGS_ALL };

struct load_sampling {
	const struct load_event *events[LOAD_EVENTS_MOST];
	size_t event_count;
	bool processes; /* records of processes are wanted: names, forks, exits, and .mappings */
	enum load_mappings mappings;
	const char *cgroup; /* its directory; NULL: all processes */
};

struct sampler;

struct sampler_ops {
	/* Passes all samples, and records of processes, that are there. */
	void (*read)(struct sampler *sampler, sample_visitor *visit, void *context);
	/* Makes .lost, .records_lost, .times and .unsampled true of now. NULL: they always are. */
	void (*update)(struct sampler *sampler);
	/* Changes the period of one event from the next sample on. 0 or a negative errno. */
	int (*set_period)(struct sampler *sampler, size_t event, uint64_t period);
	int (*enable)(struct sampler *sampler, bool on);
	/* The function of a sample; "": not known. NULL: files of mappings have their names. */
	const char *(*function)(const struct sampler *sampler, const struct load_sample *sample);
	void (*destroy)(struct sampler *sampler);
};

/* Made by sampling_ops.open(), which leaves it disabled. */
struct sampler {
	const struct sampler_ops *ops;
	struct load_sampling sampling;
	uint64_t periods[LOAD_EVENTS_MOST];
	size_t cpus;
	bool latencies;	    /* load_sample.latency_ns is known of events that take time */
	const int *handles; /* perf events, for rights_filter(); NULL: none */
	size_t handle_count;
	/* so far */
	uint64_t lost;	       /* samples for which there was no room */
	uint64_t records_lost; /* records of processes, likewise */
	uint64_t throttled;    /* times that the kernel stopped an event, as there were too many */
	uint64_t malformed;    /* times that a ring had no valid record */
	struct event_times times[LOAD_EVENTS_MOST]; /* sums over all CPUs */
	/*
	 * CPUs of which the first event saw nothing between the last two updates: it had no counter
	 * there, or they came online when it was open already.
	 */
	size_t unsampled;
};

struct platform;

struct sampling_ops {
	/*
	 * Samples loads on all CPUs, by events of the kernel: the result is disabled, and must be
	 * destroyed before the platform. Of several events those after the first may be left out,
	 * with a note that says why. ERROR_NO_UNIT, ERROR_PERMISSION: as with perf_ops.open.
	 */
	int (*open)(struct platform *p, const struct load_sampling *sampling, struct sampler **out,
		    struct error *err);
};

/*
 * The sampling period, events from one sample to the next, is chosen so that sampling costs less
 * than a hundredth of a CPU: it is at least doubled after an interval with too many samples or too
 * much CPU time, and halved after one with few.
 */

/* Samples a second that a CPU may have. */
#define LOAD_RATE_MOST 1000
/* CPU time that cxlmon may use, as a fraction of one CPU. */
#define LOAD_COST_MOST 0.01
/* CPU time in ns that a sample costs the kernel, estimated: an interrupt, and its record. */
#define LOAD_SAMPLE_NS 2000

/* ERROR_NO_UNIT: this kernel has no such samples. kernel: PERF_KERNEL(); 0: not known. */
int load_event_check_kernel(const struct load_event *event, unsigned kernel, struct error *err);

/*
 * The period for the next interval, from what the last one had: so many samples on all CPUs, and
 * CPU time of cxlmon as a fraction of one CPU (cost).
 */
uint64_t load_next_period(const struct load_event *event, uint64_t period, uint64_t samples,
			  double seconds, size_t cpus, double cost);

/* The first period from this one on that an event can have: a multiple of .multiple, or a prime. */
uint64_t load_round_period(const struct load_event *event, uint64_t period);

#endif
