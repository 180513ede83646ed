/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How the load of simulated ports and of simulated DRAM changes over time: it is steady, follows a
 * wave with or without noise, or rises along a ramp; and what a port's limit makes of it.
 *
 * The utilisation u of a port is its traffic (CXL.mem and CXL.cache, both directions) as a part of
 * limit=. Traffic beyond the limit is not carried: all rates of the port are cut in the same
 * proportion, and u is 1. Below the limit,
 *
 *     latency = unloaded latency x (1 + 5 u^4 / (21 - 20 u))    6 times the unloaded one at u = 1
 *     the queue is not empty for u of the time, and full for u^16 of it
 *
 * This is the shape of a single queue: the wait grows as 1 / (1 - u) (M/M/1), and a queue of 16
 * entries is full with a probability of u^16. The exponents, and that the pole is at 1.05 so
 * that latency stays finite, are choices: loaded memory shows such a curve, but no measurement is
 * reproduced.
 *
 * An injected load (simulation_ops.inject_load) comes on top. It shares the limit
 * with the port's own traffic, which does not move while that lasts, but stays as it was when it
 * began. Of its reads and writes, which pass a link in different directions, only the larger ones
 * count towards the limit. Without a limit, a port carries 30 GB/s of it, and DRAM, which has no
 * limit, 120 GB/s.
 */
#ifndef CXLMON_SIM_LOAD_H
#define CXLMON_SIM_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_DRAM_MOST 120 /* GB/s that are injected, of each socket */

#include "sim/sim_spec.h"

/* What the traffic of a spec comes to while all of it is constant: see enum sim_rate. */

/* Whose traffic is counted; a clock runs whatever the traffic. */
enum sim_carrier { OF_PORT, OF_PORTS, OF_DRAM, OF_CLOCK };

/* How a port's or DRAM's own traffic changes. */
enum sim_load_kind {
	LOAD_TRAFFIC,	/* carried */
	LOAD_OCCUPANCY, /* of the TOR: the traffic, each request for as long as it takes */
	LOAD_FULL,	/* the time in which the port's queue is full */
	LOAD_KINDS
};

/* One of these rates, and what makes it change over time. */
struct sim_flow {
	double rate;
	enum sim_carrier carrier;
	enum sim_load_kind kind;
};

/* Cache lines a second. */
double sim_lines(double gigabytes);

/* The part of a socket's reads that goes to another socket's memory. */
double sim_remote_ratio(const struct sim_spec *spec);

/* Of a socket. */
unsigned sim_upi_links(const struct sim_spec *spec);

/* Whether the limit says how full queues are, and not full=. */
bool sim_load_fills_queues(const struct sim_spec *spec);

enum sim_injected_kind {
	INJECTED_READ,	   /* carried */
	INJECTED_WRITE,	   /* likewise */
	INJECTED_OCCUPIED, /* reads, times how many unloaded latencies each takes */
	INJECTED_KINDS
};

/* A time in which what is injected is constant. All are kept, so that counts remain a function of
 * time alone. */
struct sim_segment {
	uint64_t from;			   /* ns; it lasts until the next one begins */
	double read, write;		   /* asked for, GB/s */
	double rates[INJECTED_KINDS];	   /* GB/s */
	long double moved[INJECTED_KINDS]; /* bytes (1 GB/s for 1 ns is 1 byte) before it began */
	double latency;			   /* of a read, in unloaded latencies */
	bool held; /* own traffic does not move: it is multiples[] of its rates */
	double multiples[LOAD_KINDS];	/* if held */
	long double own_ns[LOAD_KINDS]; /* as sim_load_ns() has it, before it began */
};

/* The load of one port, or of the DRAM of one socket. */
struct sim_load;

struct sim_loads {
	const struct sim_spec *spec;
	uint64_t step;	      /* ns during which a load is constant */
	uint64_t steps;	      /* tabulated; 0: no table is needed */
	bool repeats;	      /* from the start, after these; else it is steady from there on */
	size_t ports, drams;  /* how many */
	unsigned chas;	      /* counting CHAs of a socket */
	struct sim_load *all; /* those of the ports of each socket, then DRAM's of each socket */
	struct sim_flow flows[SIM_RATES]; /* of spec */
	/* those of nothing but a GB/s of reads or writes */
	struct sim_flow reads[SIM_RATES], writes[SIM_RATES];
};

/* spec must remain valid. 0 or -ENOMEM. */
int sim_loads_init(struct sim_loads *loads, const struct sim_spec *spec);
void sim_loads_free(struct sim_loads *loads);

struct sim_load *sim_load_port(const struct sim_loads *loads, unsigned socket, unsigned port);
struct sim_load *sim_load_dram(const struct sim_loads *loads, unsigned socket);

/*
 * What has passed from 0 to t ns, as the time in ns that takes at the given rates and unloaded
 * latency: t where the load is steady and there is no limit. It never falls while t rises.
 */
long double sim_load_ns(const struct sim_loads *loads, const struct sim_load *load,
			enum sim_load_kind kind, uint64_t t);

/* From t ns on, read and write GB/s are injected; t never falls. 0 or -ENOMEM. */
int sim_load_inject(const struct sim_loads *loads, struct sim_load *load, double read, double write,
		    uint64_t t);

/* The segment in progress at t ns; NULL: nothing was injected before. */
const struct sim_segment *sim_load_segment(const struct sim_load *load, uint64_t t);

/* Bytes of the injected load that were carried from 0 to t ns; the reads of INJECTED_OCCUPIED count
 * as many times as they are long. */
long double sim_load_injected(const struct sim_load *load, enum sim_injected_kind kind, uint64_t t);

#endif
