/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The spec of a simulated machine, parsed from the argument of --sim: MODEL[,key=value]... Most
 * members of struct sim_spec have the name of their key.
 */
#ifndef CXLMON_SIM_SPEC_H
#define CXLMON_SIM_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "uncore/model/model.h"
#include "uncore/model/sim_model.h"

/* The most CPUs that share an L3 cache on AMD. */
#define SIM_L3_CPUS 4

/* Returns the number of L3 caches of an AMD socket with so many CPUs. */
unsigned sim_l3_count(unsigned cpus);

#define SIM_FILE_SIZE 1024

#define SIM_KERNEL_OLDEST SIM_KERNEL(5, 14) /* the first kernel with discovery tables */
#define SIM_KERNEL_NEWEST SIM_KERNEL(7, 0)

/* The regions of memory whose bytes are counted, or a fault of their counters. */
enum sim_regions {
	/* four regions: DRAM and CXL memory, each of this socket and of others */
	SIM_REGIONS_FOUR,
	SIM_REGIONS_NONE,     /* firmware has no table */
	SIM_REGIONS_MIXED,    /* two regions: DRAM and CXL memory are one */
	SIM_REGIONS_TOTAL,    /* one count of all memory */
	SIM_REGIONS_UNKNOWN,  /* no counter is available */
	SIM_REGIONS_OVERFLOW, /* a counter reports that it has wrapped */
};

enum sim_lockdown { SIM_LOCKDOWN_NONE, SIM_LOCKDOWN_INTEGRITY, SIM_LOCKDOWN_CONFIDENTIALITY };

#define SIM_EXTRA_BYTES 192

struct sim_spec {
	char file[SIM_FILE_SIZE]; /* file of a snapshot, which has the layout; "": none */
	const struct model *model;
	const struct sim_model *facts; /* simulated features of the model */
	unsigned sockets;
	unsigned dies; /* per socket, each with a discovery table */
	/* per socket: CPUs, CXL ports, CHAs (CBOs of Diamond Rapids) and memory controllers */
	unsigned cpus, ports, chas, imcs;
	unsigned threads;	     /* per core: neighbouring CPUs */
	double read, write;	     /* CXL.mem, GB/s (10^9 bytes per second) per port */
	double cache_d2h, cache_h2d; /* CXL.cache, GB/s per port */
	/* the most traffic of CXL.mem and CXL.cache, GB/s per port; 0: unlimited */
	double limit;
	/* percent of the CXL.mem reads that a speculative read (MemSpecRd) precedes */
	double memspecrd;
	/* percent of the CXL.mem reads that are not demand data reads, by kind */
	double l2_prefetch, l3_prefetch, ownership, code;
	/* latency of CXL reads, ns; if .limit is set, load adds to it */
	double latency;
	double prefetch_latency; /* latency of CXL prefetches of data, ns; 0: .latency */
	/* latency of reads of the own socket's DRAM, and of another one's, ns */
	double ddr_latency, ddr_remote_latency;
	double dram_read, dram_write; /* traffic of iMCs, GB/s per socket */
	unsigned hbms;		      /* channels of HBM per socket */
	double hbm_read, hbm_write;   /* traffic of HBM, GB/s per socket */
	double crc, retry;	      /* events per second and port */
	double full;		      /* percent of the link's clocks with a full buffer */
	/* lanes of a device's link, and lanes that both its ends are capable of */
	unsigned link_width, link_max_width;
	double link_speed; /* GT/s per lane; both ends are capable of 32 */
	/* s after which the first device's link changes, and changes back; 0: never */
	double link_change, link_back;
	unsigned link_change_width; /* lanes of the changed link; 0: the device is gone */
	double aer_correctable, aer_nonfatal, aer_fatal; /* errors per second of each device */
	unsigned ways;	  /* neighbouring devices that share a region */
	double imbalance; /* percent by which the last device of a region has less traffic */
	double remote;	  /* percent of reads by another socket, if there is one */
	double dram_used; /* percent of DRAM that is used at first */
	/* bandwidth of a device's node that firmware reports, GB/s; 0: none */
	double promised_bandwidth;
	double promised_latency; /* latency of the node that firmware reports, ns; 0: none */
	/* temperature and life used of each device, in C and percent */
	double temperature, life_used;
	unsigned health;    /* states of each device, a sum of enum device_state */
	double corrected;   /* errors per second that each device corrects */
	double events;	    /* events per second of the first device */
	bool ocr_cxl;	    /* offcore responses for persistent memory count CXL memory */
	bool exp_local;	    /* CXL reads are of class CXL_EXP_LOCAL, not of CXL_ACC */
	bool rxc;	    /* RxC data inserts count CXL.mem reads */
	bool rxc_given;	    /* the spec's text sets .rxc; false: it follows from the model */
	bool full_given;    /* the spec's text sets .full; false: it follows from .limit */
	bool wave;	    /* rates go up and down */
	bool noise;	    /* rates do not change smoothly; only with .wave */
	double ramp;	    /* s in which rates rise from 0; 0: none */
	double begin;	    /* s at which all traffic begins; 0: at once */
	bool virtual_clock; /* time passes only in sleeps: see sim_now() */
	unsigned kernel;    /* SIM_KERNEL(): version whose drivers are simulated */
	unsigned paranoid;  /* kernel.perf_event_paranoid */
	enum sim_lockdown lockdown; /* lockdown of the kernel */
	double promote, demote;	    /* pages per second from and to each device's node */
	double hint;		    /* NUMA hinting faults per second on each device's memory */
	unsigned readers; /* processes that read memory, for sampled loads: see sim_sampler.c */
	unsigned vms;	  /* virtual machines, whose guests also read memory */
	double read_set;  /* GiB of each node that each process reads */
	/* percent of the read set that is hot, and percent of the reads that go to it */
	double hot_pct, hot_reads_pct;
	double hot_moves; /* seconds after which the next part becomes the hot one; 0: never */
	/* percent of reads that are loads, which can be sampled: not prefetches, devices' reads */
	double sampled_pct;
	double dram_streamed_pct; /* percent of DRAM's loads that are prefetched: not sampled */
	double cache_hits;	  /* loads that hit a cache, per load of memory */
	double sample_running;	  /* percent of the time that sampled events have counters */
	/* The members to .cxl_share describe the program that each CPU runs: see sim_stalls.h. */
	/* percent of cycles that wait for reads, caches and stores, with all memory in DRAM */
	double demand_stall, cache_stall, store_stall;
	double parallelism; /* mean of outstanding DRAM reads while at least one is outstanding */
	/* cycles per read in which a CPU works while it waits longer for CXL memory */
	double overlap;
	double prefetched; /* percent of waits for caches that wait for a prefetch from memory */
	double cxl_share;  /* percent of the program's memory that is CXL memory */
	bool cpmu;	   /* each memory device has a CPMU */
	enum sim_regions regions;
	unsigned region_width; /* bits of a counter of a region's bytes */
	double region_factor;  /* factor for their counts that firmware reports; 0: none */
	/* groups in resctrl, each with as much traffic as the tasks in no group */
	unsigned region_groups;
	bool bmec; /* AMD: resctrl is mounted, and the traffic that it counts can be configured */
	/* values of the keys that sim_extras adds */
	_Alignas(double) unsigned char extra[SIM_EXTRA_BYTES];
};

/*
 * Parses a spec. A spec that gives no rate gets the traffic of a demo (sim_key.demo). -EINVAL
 * (ERROR_USAGE): text is invalid; the message names valid text. After an error *out means nothing.
 *
 * The file of a snapshot may replace the model: a word that has a '/', ends in .json or .snapshot,
 * or names a file that exists. The file is not opened; its loader calls sim_spec_set_model().
 */
int sim_spec_parse(const char *text, struct sim_spec *out, struct error *err);

/*
 * Returns the spec text without the traffic of a demo, for users who generate traffic: only rates
 * in text make traffic. more is inserted before the keys of text, which override it: ",limit=30".
 * NULL: out of memory. The caller frees the result.
 */
char *sim_spec_idle(const char *text, const char *more);

/* Returns the ith model's name in --sim; NULL: there are no more. */
const char *sim_spec_model(size_t i);

/* Returns the name in --sim of a model that can be simulated. */
const char *sim_model_name(const struct model *model);

/* Sets .model and .facts by a name in --sim. -EINVAL (ERROR_USAGE): it cannot be simulated. */
int sim_spec_set_model(struct sim_spec *spec, const char *name, struct error *err);

#endif
