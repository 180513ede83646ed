/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The load of simulated ports and of simulated DRAM over time: it is steady, follows a
 * wave with or without noise, or rises along a ramp, and is cut to a port's limit.
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

#define SIM_DRAM_MOST 120 /* the most that is injected per socket, in GB/s */

#include "sim/sim_spec.h"

/* Rates of a spec while all its traffic is constant: see enum sim_rate. */

/* The carrier whose traffic is counted; a clock does not depend on traffic. */
enum sim_carrier { OF_PORT, OF_PORTS, OF_DRAM, OF_CLOCK };

/* The quantity of a port's or DRAM's own traffic that changes. */
enum sim_load_kind {
	LOAD_TRAFFIC, /* traffic that is carried */
	/* entries of the TOR: the traffic, weighted with the latency of each request */
	LOAD_OCCUPANCY,
	LOAD_FULL, /* the time in which the port's queue is full */
	LOAD_KINDS
};

/* A rate, and the load that makes it change over time. */
struct sim_flow {
	double rate;
	enum sim_carrier carrier;
	enum sim_load_kind kind;
};

/* Returns cache lines per second. */
double sim_lines(double gigabytes);

/* Returns the part of a socket's reads that goes to another socket's memory. */
double sim_remote_ratio(const struct sim_spec *spec);

/* Returns the UPI links per socket. */
unsigned sim_upi_links(const struct sim_spec *spec);

/* Returns true if the limit determines how full queues are; false: full= does. */
bool sim_load_fills_queues(const struct sim_spec *spec);

enum sim_injected_kind {
	INJECTED_READ,	   /* reads that are carried */
	INJECTED_WRITE,	   /* writes that are carried */
	INJECTED_OCCUPIED, /* reads, weighted with their unloaded latencies */
	INJECTED_KINDS
};

/*
 * A time in which the injected load is constant. All segments are kept, so that counts remain a
 * function only of time.
 */
struct sim_segment {
	/* ns: start of the segment, which lasts until the next one begins */
	uint64_t from;
	double read, write;	      /* injected GB/s that are asked for */
	double rates[INJECTED_KINDS]; /* GB/s that are carried */
	/* bytes moved before it began (1 GB/s for 1 ns is 1 byte) */
	long double moved[INJECTED_KINDS];
	double latency;			/* latency of a read, in unloaded latencies */
	bool held;			/* own traffic stays at multiples[] of its rates */
	double multiples[LOAD_KINDS];	/* valid if held */
	long double own_ns[LOAD_KINDS]; /* result of sim_load_ns() when the segment began */
};

/* The load of one port, or of the DRAM of one socket. */
struct sim_load;

struct sim_loads {
	const struct sim_spec *spec;
	uint64_t step;	/* ns during which a load is constant */
	uint64_t steps; /* steps in the table; 0: no table is needed */
	/* the table repeats from its start; false: the load stays constant after it */
	bool repeats;
	size_t ports, drams;  /* number of loads */
	unsigned chas;	      /* CHAs per socket that count */
	struct sim_load *all; /* the ports of each socket, then the DRAM of each socket */
	struct sim_flow flows[SIM_RATES]; /* rates of the spec */
	/* Rates of 1 GB/s of reads, and of 1 GB/s of writes. */
	struct sim_flow reads[SIM_RATES], writes[SIM_RATES];
};

/* Prepares the loads of a spec, which must remain valid. 0 or -ENOMEM. */
int sim_loads_init(struct sim_loads *loads, const struct sim_spec *spec);
void sim_loads_free(struct sim_loads *loads);

struct sim_load *sim_load_port(const struct sim_loads *loads, unsigned socket, unsigned port);
struct sim_load *sim_load_dram(const struct sim_loads *loads, unsigned socket);

/*
 * Returns the traffic from 0 to t ns, as the time in ns that it takes at the given rates and
 * unloaded latency: t if the load is steady and there is no limit. The result never falls while t
 * rises.
 */
long double sim_load_ns(const struct sim_loads *loads, const struct sim_load *load,
			enum sim_load_kind kind, uint64_t t);

/* Injects read and write GB/s from t ns on; t never falls. 0 or -ENOMEM. */
int sim_load_inject(const struct sim_loads *loads, struct sim_load *load, double read, double write,
		    uint64_t t);

/* Returns the segment in progress at t ns; NULL: nothing was injected before. */
const struct sim_segment *sim_load_segment(const struct sim_load *load, uint64_t t);

/*
 * Returns the bytes of the injected load that were carried from 0 to t ns; reads of
 * INJECTED_OCCUPIED are weighted with their latencies.
 */
long double sim_load_injected(const struct sim_load *load, enum sim_injected_kind kind, uint64_t t);

#endif
