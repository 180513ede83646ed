/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The spec of a simulated machine: the parsed argument of --sim, MODEL[,key=value]... Members of
 * struct sim_spec have the name of their key, except a few. sim_key.c has the ranges of values.
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

/* The regions of memory with counters of bytes (Diamond Rapids), or a fault of these counters. */
enum sim_regions {
	SIM_REGIONS_FOUR,     /* four: DRAM and CXL memory, each of this socket and of others */
	SIM_REGIONS_NONE,     /* firmware has no table of counters */
	SIM_REGIONS_MIXED,    /* two: memory of this socket and of others, DRAM or CXL */
	SIM_REGIONS_TOTAL,    /* one count of all memory */
	SIM_REGIONS_UNKNOWN,  /* no counter is available */
	SIM_REGIONS_OVERFLOW, /* a counter reports that it has wrapped */
};

enum sim_lockdown { SIM_LOCKDOWN_NONE, SIM_LOCKDOWN_INTEGRITY, SIM_LOCKDOWN_CONFIDENTIALITY };

#define SIM_EXTRA_BYTES 192

/* GB/s are 10^9 bytes per second. */
struct sim_spec {
	char file[SIM_FILE_SIZE];      /* file of the snapshot to simulate; "": none */
	const struct model *model;     /* processor */
	const struct sim_model *facts; /* .model->simulated */
	unsigned sockets;
	unsigned dies; /* per socket; each die has a discovery table */
	/* per socket: CPUs, CXL ports, CHAs (CBOs of Diamond Rapids) and memory controllers */
	unsigned cpus, ports, chas, imcs;
	unsigned threads;	     /* CPUs per core; their numbers are neighbours */
	double read, write;	     /* CXL.mem, GB/s per port */
	double cache_d2h, cache_h2d; /* CXL.cache from and to the device, GB/s per port */
	double limit;		     /* most CXL.mem and CXL.cache, GB/s per port; 0: no limit */
	double memspecrd; /* percent of CXL.mem reads after a speculative one (MemSpecRd) */
	/* percent of CXL.mem reads that are not demand data reads, by kind */
	double l2_prefetch, l3_prefetch, ownership, code;
	double latency;		 /* CXL reads without load, ns; load adds to it if .limit is set */
	double prefetch_latency; /* CXL prefetches of data, ns; 0: .latency */
	double ddr_latency;	 /* reads of the own socket's DRAM, ns */
	double ddr_remote_latency;    /* reads of another socket's DRAM, ns */
	double dram_read, dram_write; /* DRAM, GB/s per socket */
	unsigned hbms;		      /* channels of HBM per socket */
	double hbm_read, hbm_write;   /* HBM, GB/s per socket */
	double crc, retry;	      /* CRC errors and retries per second and port */
	double full;		      /* percent of a link's clocks in which its buffer is full */
	unsigned link_width;	      /* lanes of each device's link */
	unsigned link_max_width;      /* lanes that both ends of the link are capable of */
	double link_speed;  /* GT/s per lane; both ends are capable of 32, or of this if higher */
	double link_change; /* s after which the first device's link changes; 0: never */
	double link_back;   /* s after which that link has .link_width again; 0: never */
	unsigned link_change_width; /* lanes of the changed link; 0: the device is gone */
	double aer_correctable, aer_nonfatal, aer_fatal; /* PCI errors per second and device */
	unsigned ways;	  /* neighbouring devices that share a region, and so a NUMA node */
	double imbalance; /* percent by which a region's last device has less traffic than others */
	double remote;	  /* percent of accesses to other sockets' memory, if there are others */
	double dram_used; /* percent of DRAM that is used at the start */
	double promised_bandwidth;  /* GB/s of a device's node that firmware reports; 0: none */
	double promised_latency;    /* ns of a device's node that firmware reports; 0: none */
	double temperature;	    /* temperature of each device, C */
	double life_used;	    /* percent of its life that each device has used */
	unsigned health;	    /* states of each device: a sum of enum device_state */
	double corrected;	    /* errors per second that each device corrects */
	double events;		    /* events per second of the first device */
	bool ocr_cxl;		    /* offcore responses for persistent memory count CXL memory */
	bool exp_local;		    /* CXL reads have class CXL_EXP_LOCAL of CHAs; false: CXL_ACC */
	bool rxc;		    /* RxC data inserts of ports count CXL.mem reads */
	bool rxc_given;		    /* .rxc is from the argument; false: from the model */
	bool full_given;	    /* .full is from the argument; false: buffers fill by .limit */
	bool wave;		    /* rates rise and fall */
	bool noise;		    /* rates have noise; only with .wave */
	double ramp;		    /* s in which rates rise from 0; 0: none */
	double begin;		    /* s at which all traffic begins */
	bool virtual_clock;	    /* time passes only in sleeps: see sim_now() */
	unsigned kernel;	    /* SIM_KERNEL(): version whose drivers are simulated */
	unsigned paranoid;	    /* kernel.perf_event_paranoid */
	enum sim_lockdown lockdown; /* lockdown of the kernel */
	double promote, demote;	    /* pages per second from and to each device's node */
	double hint;		    /* NUMA hinting faults per second on each device's memory */

	/* The members to .sample_running describe sampled loads: see sim_sampler.c. */
	unsigned readers;     /* processes that read memory, without virtual machines */
	unsigned vms;	      /* virtual machines, whose guests read memory */
	double read_set;      /* GiB of each node that each process reads */
	double hot_pct;	      /* percent of the read set that is hot */
	double hot_reads_pct; /* percent of reads that go to the hot part */
	double hot_moves;     /* s after which the next part becomes the hot one; 0: never */
	double sampled_pct;   /* percent of reads that are loads of CPUs, which can be sampled */
	double dram_streamed_pct; /* percent of DRAM's loads that are prefetched: not sampled */
	double cache_hits;	  /* loads that hit a cache, per load of memory */
	double sample_running;	  /* percent of the time in which sampled events have counters */

	/* The members to .cxl_share describe the program that each CPU runs: see sim_stalls.h. */
	double demand_stall; /* percent of cycles that wait for reads, with all memory in DRAM */
	double cache_stall;  /* percent of cycles that wait for caches, with all memory in DRAM */
	double store_stall;  /* percent of cycles that wait for stores, with all memory in DRAM */
	double parallelism;  /* mean of outstanding DRAM reads while at least one is outstanding */
	double overlap;	   /* cycles per CXL read in which a CPU works during its longer latency */
	double prefetched; /* percent of waits for caches that wait for a prefetch from memory */
	double cxl_share;  /* percent of the program's memory that is CXL memory */

	bool cpmu;		  /* each memory device has a CPMU */
	enum sim_regions regions; /* counters of bytes by region of memory: see sim_rdt.c */
	unsigned region_width;	  /* bits of such a counter */
	double region_factor;	  /* factor for its counts that firmware reports; 0: none */
	unsigned region_groups;	  /* resctrl groups, each with the traffic of tasks in no group */
	bool bmec;		  /* AMD: resctrl is mounted, with counts of configurable traffic */
	/* values of the keys that sim_extras adds */
	_Alignas(double) unsigned char extra[SIM_EXTRA_BYTES];
};

/*
 * Parses a spec. The model may be replaced by the file of a snapshot: a word that has a '/', ends
 * in .json or .snapshot, or names an existing file. Does not open the file: sim_load_snapshot()
 * does, and calls sim_spec_set_model(). A spec without a rate gets the traffic of a demo
 * (sim_key.demo). Returns 0, -EINVAL or -ENOMEM. ERROR_USAGE: text is invalid; the message names
 * valid text. After an error *out means nothing.
 */
int sim_spec_parse(const char *text, struct sim_spec *out, struct error *err);

/*
 * Returns a copy of a spec that has no traffic of a demo: only its own rates make traffic. more:
 * keys to add, such as ",limit=30"; keys in text override them. NULL: out of memory. The caller
 * frees the copy.
 */
char *sim_spec_idle(const char *text, const char *more);

/* Returns the name in --sim of the model with this index; NULL: there are no more. */
const char *sim_spec_model(size_t i);

/* Returns the name in --sim of a model that has .simulated. */
const char *sim_model_name(const struct model *model);

/*
 * Sets the model by its name in --sim, and the members that follow from it: .facts, .ports and
 * .rxc. Returns 0 or -EINVAL. ERROR_USAGE: no model has this name.
 */
int sim_spec_set_model(struct sim_spec *spec, const char *name, struct error *err);

#endif
