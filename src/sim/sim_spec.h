/* SPDX-License-Identifier: BSD-3-Clause */
/* The description of a simulated machine: MODEL[,key=value]... as --sim takes it. */
#ifndef CXLMON_SIM_SPEC_H
#define CXLMON_SIM_SPEC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"
#include "uncore/model/model.h"
#include "uncore/model/sim_model.h"

/* CPUs that share an L3 cache on AMD, at most, and how many such caches a socket has. */
#define SIM_L3_CPUS 4
unsigned sim_l3_count(unsigned cpus);

#define SIM_FILE_SIZE 1024

#define SIM_KERNEL_OLDEST SIM_KERNEL(5, 14) /* the first one with discovery tables */
#define SIM_KERNEL_NEWEST SIM_KERNEL(7, 0)

/* What firmware says of counters of bytes by region, and what these do. */
enum sim_regions {
	SIM_REGIONS_FOUR,     /* DRAM, and CXL memory, each of this socket and of others */
	SIM_REGIONS_NONE,     /* there is no table */
	SIM_REGIONS_MIXED,    /* two: DRAM and CXL memory are one */
	SIM_REGIONS_TOTAL,    /* counts are of all memory */
	SIM_REGIONS_UNKNOWN,  /* no counter is available */
	SIM_REGIONS_OVERFLOW, /* a counter says that it has wrapped */
};

enum sim_lockdown { SIM_LOCKDOWN_NONE, SIM_LOCKDOWN_INTEGRITY, SIM_LOCKDOWN_CONFIDENTIALITY };

#define SIM_EXTRA_BYTES 192

struct sim_spec {
	char file[SIM_FILE_SIZE]; /* name of a snapshot, which has the layout; empty: none */
	const struct model *model;
	const struct sim_model *facts; /* what a simulated one of it has */
	unsigned sockets;
	unsigned dies;			  /* per socket, each with a discovery table */
	unsigned cpus, ports, chas, imcs; /* per socket; chas: CBOs of Diamond Rapids */
	unsigned threads;		  /* per core: neighbouring CPUs */
	double read, write;		  /* CXL.mem, GB/s (10^9 bytes a second) a port */
	double cache_d2h, cache_h2d;	  /* CXL.cache, GB/s a port */
	double limit;			  /* of all of that, GB/s a port; 0: none */
	double memspecrd;		  /* percent of the CXL.mem reads that one precedes */
	double latency;			  /* of CXL reads, ns; without load where limit is set */
	double ddr_latency, ddr_remote_latency; /* ns */
	double dram_read, dram_write;		/* GB/s a socket, of iMCs */
	unsigned hbms;				/* channels of HBM a socket */
	double hbm_read, hbm_write;		/* GB/s a socket, of these */
	double crc, retry;			/* events a second a port */
	double full;				/* percent of the link's clocks */
	unsigned link_width, link_max_width;	/* lanes of a device's link, and of both its ends */
	double link_speed;			/* GT/s; both ends can do 32 */
	double link_change, link_back; /* s from and until which the first device's link differs */
	unsigned link_change_width;    /* its lanes then; 0: the device is gone */
	double aer_correctable, aer_nonfatal, aer_fatal; /* errors a second of each device */
	unsigned ways;		       /* neighbouring devices that share a region */
	double imbalance;	       /* percent that the last device of a region carries less */
	double remote;		       /* percent of a socket's reads that are from another one */
	double dram_used;	       /* percent of DRAM that is used at first */
	double promised_bandwidth;     /* of a device's node, by firmware, GB/s; 0: not said */
	double promised_latency;       /* likewise, ns */
	double temperature, life_used; /* of each device, in C and percent */
	unsigned health;	       /* its state: enum device_state */
	double corrected;	       /* errors a second that it corrects */
	double events;		       /* of the first device, a second */
	bool ocr_cxl;		       /* offcore responses of persistent memory count CXL memory */
	bool exp_local;		       /* CXL reads are of class CXL_EXP_LOCAL, not of CXL_ACC */
	bool rxc;		       /* RxC data inserts count CXL.mem reads */
	bool rxc_given;		       /* rxc is not that of the model */
	bool full_given;	       /* full is not what limit makes of it */
	bool wave;		       /* rates go up and down */
	bool noise;		       /* and not smoothly: only with wave */
	double ramp;		       /* s in which rates rise from 0; 0: none */
	double begin;		       /* s at which all traffic begins; 0: at once */
	bool virtual_clock;
	unsigned kernel;	    /* SIM_KERNEL() of the kernel, as its uncore driver is */
	unsigned paranoid;	    /* kernel.perf_event_paranoid */
	enum sim_lockdown lockdown; /* of the kernel */
	double promote, demote;	    /* pages a second from and to each device's node */
	double hint;		    /* NUMA hinting faults a second on its memory */
	unsigned readers; /* processes that read memory, for sampled loads: see sim_sampler.c */
	unsigned vms;	  /* virtual machines, whose guests do, too */
	double read_set;  /* GiB that each reads of each node */
	double hot_pct, hot_reads_pct; /* a part of that, and the part of its reads that go there */
	double hot_moves;	       /* s after which another part is the hot one; 0: never */
	double sampled_pct;	       /* of the reads: the others are by prefetchers and devices */
	double dram_streamed_pct;      /* of those of DRAM that these leave, prefetchers read */
	double cache_hits;	       /* loads that caches answer, for each of memory */
	double sample_running;	       /* percent of the time that sampled events have counters */
	/* the program that each CPU runs: see sim_stalls.h */
	double demand_stall, cache_stall, store_stall; /* percent of its cycles, all in DRAM */
	double parallelism; /* of its reads, in DRAM: how many are outstanding while one is */
	double overlap;	    /* cycles of CXL memory's longer latency, by read, in which it works */
	double prefetched;  /* percent of its waits for caches that are for prefetches of memory */
	double cxl_share;   /* percent of its memory in CXL */
	bool cpmu;	    /* each memory device has a CPMU */
	enum sim_regions regions;
	unsigned region_width;	/* bits of these counters */
	double region_factor;	/* by which their counts are to be multiplied; 0: by none */
	unsigned region_groups; /* of tasks, by resctrl, each with as much of the traffic as the
				   tasks that are in none */
	bool bmec;		/* resctrl is mounted, and can choose what is counted */
	/* values of the keys that sim_extras adds */
	_Alignas(double) unsigned char extra[SIM_EXTRA_BYTES];
};

/*
 * ERROR_USAGE where text is invalid; the message says what was expected. In place of a model may
 * stand the name of a snapshot: a word that has a '/', ends in .json or .snapshot, or names a file.
 * The file is not opened; whoever loads it calls sim_spec_set_model().
 */
int sim_spec_parse(const char *text, struct sim_spec *out, struct error *err);

/*
 * The same machine without the traffic that a demo shows, for those that make their own: only where
 * the text gives a rate is there any. more: further ones for what the text does not say, such as
 * ",limit=30". NULL: out of memory. Freed by the caller.
 */
char *sim_spec_idle(const char *text, const char *more);

/* What --sim calls the ith model; NULL: there are no more. */
const char *sim_spec_model(size_t i);

/* What --sim calls a model that can be simulated. */
const char *sim_model_name(const struct model *model);

/* Sets the model by its name. ERROR_USAGE where it can't be simulated. */
int sim_spec_set_model(struct sim_spec *spec, const char *name, struct error *err);

#endif
