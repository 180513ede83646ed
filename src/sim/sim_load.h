/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The load of simulated ports and of simulated DRAM over time. It is steady, follows a wave with or
 * without noise, or rises along a ramp; a port's load is cut to its limit.
 *
 * The utilisation u of a port is its traffic (CXL.mem and CXL.cache, both directions) divided by
 * limit=. Traffic above the limit is not carried: all rates of the port are cut in the same
 * proportion, and u is 1. Below the limit,
 *
 *     latency = unloaded latency x (1 + 5 u^4 / (21 - 20 u))    6 times the unloaded one at u = 1
 *     the queue is not empty for u of the time, and full for u^16 of it
 *
 * This is the shape of a single queue: the wait grows as 1 / (1 - u) (M/M/1), and a queue of 16
 * entries is full with a probability of u^16. The exponents are choices, and so is the pole at
 * u = 1.05, which keeps latency finite. Loaded memory shows such a curve, but no measurement is
 * reproduced.
 *
 * An injected load (simulation_ops.inject_load) is added to the port's own traffic, and shares the
 * limit with it. Meanwhile own traffic does not vary, but stays as it was when the injection began.
 * Injected reads and writes pass a link in different directions, so only the larger rate of both
 * counts towards the limit. Without a limit, a port carries 30 GB/s of injected load. DRAM, which
 * never has a limit, carries 120 GB/s.
 */
#ifndef CXLMON_SIM_LOAD_H
#define CXLMON_SIM_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SIM_DRAM_MOST 120 /* the most that is injected per socket, in GB/s */

#include "sim/sim_spec.h"

/*
 * The carrier of counted traffic: a port, all ports or the DRAM of a socket, or none for a clock.
 */
enum sim_carrier { OF_PORT, OF_PORTS, OF_DRAM, OF_CLOCK };

/* The quantity of a port's or DRAM's own traffic that changes. */
enum sim_load_kind {
	LOAD_TRAFFIC, /* traffic that is carried */
	/* entries of the TOR: the traffic, weighted with the latency of each request */
	LOAD_OCCUPANCY,
	LOAD_FULL, /* the time in which the port's queue is full */
	LOAD_KINDS
};

/* An enum sim_rate's value while the carrier has the spec's rates, and the load that changes it. */
struct sim_flow {
	double rate; /* events per second */
	enum sim_carrier carrier;
	enum sim_load_kind kind;
};

/* Returns the cache lines of 64 bytes in so many GB. */
double sim_lines(double gigabytes);

/* Returns the part of a socket's reads that goes to another socket's memory. */
double sim_remote_ratio(const struct sim_spec *spec);

/* Returns the UPI links per socket. */
unsigned sim_upi_links(const struct sim_spec *spec);

/* Returns true if limit= determines how full queues are; false: full= does. */
bool sim_load_fills_queues(const struct sim_spec *spec);

enum sim_injected_kind {
	INJECTED_READ,	   /* reads that are carried */
	INJECTED_WRITE,	   /* writes that are carried */
	INJECTED_OCCUPIED, /* these reads, each times its latency in unloaded latencies */
	INJECTED_KINDS
};

/*
 * A segment of time in which the injected load is constant. All segments are kept, so that the
 * count at any time can be computed from the time.
 */
struct sim_segment {
	/* ns: start of the segment, which lasts until the next one begins */
	uint64_t from;
	double read, write;	      /* injected GB/s that are requested */
	double rates[INJECTED_KINDS]; /* injected GB/s that are carried */
	/* bytes carried before the segment (1 GB/s for 1 ns is 1 byte) */
	long double moved[INJECTED_KINDS];
	double latency;		      /* latency of a read, in unloaded latencies */
	bool held;		      /* own traffic stays at .multiples of its rates */
	double multiples[LOAD_KINDS]; /* valid if .held */
	/* by kind: the result of sim_load_ns() at the start of the segment */
	long double own_ns[LOAD_KINDS];
};

/* The load of one port, or of the DRAM of one socket. */
struct sim_load;

struct sim_loads {
	const struct sim_spec *spec; /* not owned */
	uint64_t step;		     /* ns during which a load is constant */
	uint64_t steps;		     /* steps in the tables of loads; 0: no table is needed */
	/* tables repeat from their start; false: loads stay constant after them */
	bool repeats;
	size_t ports, drams;  /* numbers of loads of ports and of DRAM, in all sockets */
	unsigned chas;	      /* CHAs per socket that count */
	struct sim_load *all; /* the ports of each socket, then the DRAM of each socket */
	struct sim_flow flows[SIM_RATES]; /* events per second at the rates of the spec */
	/* events per second at 1 GB/s of injected reads, and at 1 GB/s of injected writes */
	struct sim_flow reads[SIM_RATES], writes[SIM_RATES];
};

/*
 * Prepares the loads of a spec, which must remain valid. Returns 0 or -ENOMEM. Freed by
 * sim_loads_free(), also after failure.
 */
int sim_loads_init(struct sim_loads *loads, const struct sim_spec *spec);
void sim_loads_free(struct sim_loads *loads);

/* Return the load of a port, and of a socket's DRAM. */
struct sim_load *sim_load_port(const struct sim_loads *loads, unsigned socket, unsigned port);
struct sim_load *sim_load_dram(const struct sim_loads *loads, unsigned socket);

/*
 * Returns a load's own traffic, or another quantity, from 0 to t ns: the ns in which the rates of
 * the spec and the unloaded latency yield as much. The result is t if the load is steady and there
 * is no limit; it never falls while t rises.
 */
long double sim_load_ns(const struct sim_loads *loads, const struct sim_load *load,
			enum sim_load_kind kind, uint64_t t);

/*
 * Injects read and write GB/s from t ns on, in place of the load injected so far; t is never below
 * that of an earlier call. Returns 0 or -ENOMEM.
 */
int sim_load_inject(const struct sim_loads *loads, struct sim_load *load, double read, double write,
		    uint64_t t);

/* Returns the segment in progress at t ns; NULL: nothing was injected before. */
const struct sim_segment *sim_load_segment(const struct sim_load *load, uint64_t t);

/* Returns the bytes of the injected load that were carried from 0 to t ns. */
long double sim_load_injected(const struct sim_load *load, enum sim_injected_kind kind, uint64_t t);

#endif
