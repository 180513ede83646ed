/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The load (traffic over time) of simulated ports and of simulated DRAM. Names with "=" are keys of
 * --sim. The load is steady, follows a wave (wave=), with or without noise, or rises (ramp=).
 *
 * The utilisation u of a port is its traffic (CXL.mem and CXL.cache, both directions) divided by
 * limit=. If traffic exceeds the limit, all of it is cut in the same proportion, and u is 1. The
 * latency and the queue of the port depend on u:
 *
 *     latency = unloaded latency x (1 + 5 u^4 / (21 - 20 u))    6 times the unloaded one at u = 1
 *     the queue is not empty for u of the time, and full for u^16 of it
 *
 * This is the shape of a single queue: the wait grows as 1 / (1 - u) (M/M/1), and a queue of 16
 * entries is full with a probability of u^16. The exponents are choices, and so is the pole at
 * u = 1.05, which keeps latency finite. Loaded memory shows such a curve, but no measurement is
 * reproduced.
 *
 * Tests and calibrations can inject a load (simulation_ops.inject_load) in addition to a port's own
 * traffic. On a port with a limit,
 * - injected reads and writes pass the link in different directions: only the larger counts in u,
 * - own traffic does not vary: it stays as it was when the injection began.
 * A port without a limit carries at most 30 GB/s of injected reads and writes. The DRAM of a socket
 * has no limit, and carries at most SIM_DRAM_MOST GB/s of them.
 */
#ifndef CXLMON_SIM_LOAD_H
#define CXLMON_SIM_LOAD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/sim_spec.h"

#define SIM_DRAM_MOST 120 /* GB/s */

/* The carrier whose load changes a rate. */
enum sim_carrier {
	OF_PORT,  /* one port */
	OF_PORTS, /* each port of a socket: the socket's rate is the sum */
	OF_DRAM,  /* the DRAM of a socket */
	OF_CLOCK  /* none: the rate is constant */
};

/* The quantity of a load to which a rate is proportional. */
enum sim_load_kind {
	LOAD_TRAFFIC,	/* traffic that is carried */
	LOAD_OCCUPANCY, /* reads in progress: traffic times latency */
	LOAD_FULL,	/* part of the time in which the port's queue is full */
	LOAD_KINDS
};

/* The rate of an event (enum sim_rate), and the load to which the rate is proportional. */
struct sim_flow {
	double rate; /* events per second of one carrier, before the load changes it */
	enum sim_carrier carrier;
	enum sim_load_kind kind;
};

/* Returns the number of cache lines (64 bytes) in so many GB (10^9 bytes). */
double sim_lines(double gigabytes);

/* Returns the part (0 to 1) of a socket's accesses that go to other sockets' memory. */
double sim_remote_ratio(const struct sim_spec *spec);

/* Returns the UPI links per socket. */
unsigned sim_upi_links(const struct sim_spec *spec);

/* Returns true if limit= determines how full queues are; false: full= does. */
bool sim_load_fills_queues(const struct sim_spec *spec);

enum sim_injected_kind {
	INJECTED_READ,	   /* reads that are carried */
	INJECTED_WRITE,	   /* writes that are carried */
	INJECTED_OCCUPIED, /* carried reads times (their latency / unloaded latency) */
	INJECTED_KINDS
};

/* A time in which the injected load is constant: from .from to the next segment's .from. */
struct sim_segment {
	uint64_t from;		      /* ns */
	double read, write;	      /* requested GB/s */
	double rates[INJECTED_KINDS]; /* carried GB/s */
	/* bytes carried before the segment: 1 GB/s for 1 ns is 1 byte */
	long double moved[INJECTED_KINDS];
	double latency;		      /* latency of a read, as a multiple of the unloaded latency */
	bool held;		      /* own traffic stays at .multiples of its rates in the spec */
	double multiples[LOAD_KINDS]; /* valid if .held */
	long double own_ns[LOAD_KINDS]; /* results of sim_load_ns() at .from */
};

/* The load of one port, or of the DRAM of one socket. */
struct sim_load;

struct sim_loads {
	const struct sim_spec *spec; /* not owned */
	/* Each load may have a table of its own traffic. In a step of the table it is constant. */
	uint64_t step;	      /* ns of a step */
	uint64_t steps;	      /* steps in each table; 0: no load needs a table */
	bool repeats;	      /* after its end a table begins again; false: it is steady then */
	size_t ports, drams;  /* numbers of loads of ports and of DRAM, in all sockets */
	unsigned chas;	      /* CHAs per socket that count */
	struct sim_load *all; /* the ports of each socket, then the DRAM of each socket */
	struct sim_flow flows[SIM_RATES];  /* rates at the traffic of the spec */
	struct sim_flow reads[SIM_RATES];  /* rates at 1 GB/s of injected reads */
	struct sim_flow writes[SIM_RATES]; /* rates at 1 GB/s of injected writes */
};

/*
 * Prepares the loads of a spec, which must outlive them. Returns 0 or -ENOMEM. Freed by
 * sim_loads_free(), also after failure.
 */
int sim_loads_init(struct sim_loads *loads, const struct sim_spec *spec);
void sim_loads_free(struct sim_loads *loads);

/* Returns the load of a port. */
struct sim_load *sim_load_port(const struct sim_loads *loads, unsigned socket, unsigned port);
/* Returns the load of a socket's DRAM. */
struct sim_load *sim_load_dram(const struct sim_loads *loads, unsigned socket);

/*
 * Returns the events of a load's own traffic from 0 to t ns, divided by their rate in
 * sim_loads.flows: a time in ns. If their rate is half as high all the time, this is t / 2. kind:
 * the quantity to which the events are proportional. The result never falls while t rises.
 */
long double sim_load_ns(const struct sim_loads *loads, const struct sim_load *load,
			enum sim_load_kind kind, uint64_t t);

/*
 * Injects read and write GB/s from t ns on, in place of the load injected so far. The times of
 * successive calls never fall. Returns 0 or -ENOMEM.
 */
int sim_load_inject(const struct sim_loads *loads, struct sim_load *load, double read, double write,
		    uint64_t t);

/* Returns the segment at t ns; NULL: nothing was injected until then. */
const struct sim_segment *sim_load_segment(const struct sim_load *load, uint64_t t);

/* Returns the bytes of injected load that were carried from 0 to t ns. */
long double sim_load_injected(const struct sim_load *load, enum sim_injected_kind kind, uint64_t t);

#endif
