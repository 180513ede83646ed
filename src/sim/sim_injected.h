/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The load that was injected into a simulated machine (platform_ops.inject_load), as segments of
 * time in which all rates are constant. All of them are kept, so that counts remain a function of
 * time alone.
 */
#ifndef CXLMON_SIM_INJECTED_H
#define CXLMON_SIM_INJECTED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How a port's or DRAM's own traffic changes: see sim_load.h. */
enum sim_load_kind {
	LOAD_TRAFFIC,	/* carried */
	LOAD_OCCUPANCY, /* of the TOR: the traffic, each request for as long as it takes */
	LOAD_FULL,	/* the time in which the port's queue is full */
	LOAD_KINDS
};

enum sim_injected_kind {
	INJECTED_READ,	   /* carried */
	INJECTED_WRITE,	   /* likewise */
	INJECTED_OCCUPIED, /* reads, times how many unloaded latencies each takes */
	INJECTED_KINDS
};

/* Of one port, or of the DRAM of one socket. */
struct sim_segment {
	uint64_t from;			   /* ns; it lasts until the next one begins */
	double read, write;		   /* asked for, GB/s */
	double rates[INJECTED_KINDS];	   /* GB/s */
	long double moved[INJECTED_KINDS]; /* bytes (1 GB/s for 1 ns is 1 byte) before it began */
	double latency;			   /* of a read, in unloaded latencies */
	bool held;			/* own traffic does not move: it is held[] of its rates */
	double multiples[LOAD_KINDS];	/* if held */
	long double own_ns[LOAD_KINDS]; /* as sim_load_port() has it, before it began */
};

struct sim_injected {
	struct sim_segment *segments; /* ascending by time */
	size_t count, room;
};

/* from must not lie before the last segment's. 0 or -ENOMEM. */
int sim_injected_add(struct sim_injected *injected, const struct sim_segment *segment);
void sim_injected_free(struct sim_injected *injected);

/* The segment in progress at t ns; NULL: nothing was injected before. */
const struct sim_segment *sim_injected_at(const struct sim_injected *injected, uint64_t t);

/* Bytes carried from 0 to t ns; the reads of INJECTED_OCCUPIED count as many times as they are
 * long. */
long double sim_injected_moved(const struct sim_injected *injected, enum sim_injected_kind kind,
			       uint64_t t);

#endif
