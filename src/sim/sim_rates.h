/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the traffic of a spec comes to while all of it is constant: events a second of a port, or of
 * a whole socket, whose units share them.
 */
#ifndef CXLMON_SIM_RATES_H
#define CXLMON_SIM_RATES_H

#include <stdbool.h>

#include "sim/sim_spec.h"

enum sim_rate {
	RATE_LINK_CLOCK,
	RATE_UNCORE_CLOCK,
	RATE_CHA_CLOCK,
	RATE_DCLK,
	RATE_CRC,
	RATE_RETRY,
	/* of a port */
	RATE_READS,
	RATE_REQUESTS,
	RATE_WRITES,
	RATE_TX_MEM_DATA,
	RATE_TX_CACHE_DATA,
	RATE_H2D,
	RATE_RX_MEM_DATA,
	RATE_RX_CACHE_DATA,
	RATE_TX_FLITS,
	RATE_RX_FLITS,
	RATE_NOT_EMPTY,
	RATE_FULL,
	RATE_SENT,
	RATE_RECEIVED,
	/* of a socket, for each of its ports */
	RATE_CXL_INSERTS,
	RATE_CXL_OCCUPANCY,
	RATE_CCM_READS,
	RATE_CCM_WRITES,
	RATE_NEAR_CXL,
	RATE_NEAR_CXL_LATENCY,
	RATE_FAR_CXL,
	RATE_FAR_CXL_LATENCY,
	/* of a socket */
	RATE_LOCAL_INSERTS,
	RATE_LOCAL_OCCUPANCY,
	RATE_REMOTE_INSERTS,
	RATE_REMOTE_OCCUPANCY,
	RATE_DRAM_READS,
	RATE_DRAM_WRITES,
	RATE_HALF_DRAM_READS,
	RATE_HALF_DRAM_WRITES,
	RATE_HBM_READS,
	RATE_HBM_WRITES,
	RATE_NEAR_DRAM,
	RATE_NEAR_DRAM_LATENCY,
	RATE_FAR_DRAM,
	RATE_FAR_DRAM_LATENCY,
	SIM_RATES
};

void sim_rates(const struct sim_spec *spec, double out[SIM_RATES]);

/* Cache lines a second. */
double sim_lines(double gigabytes);

/* The part of a socket's reads that goes to another socket's memory. */
double sim_remote_ratio(const struct sim_spec *spec);

/* Traffic at the given rates as a part of a port's limit; 0: without a limit. */
double sim_load_utilisation(const struct sim_spec *spec);

/* Whether the limit says how full queues are, and not full=. */
bool sim_load_fills_queues(const struct sim_spec *spec);

#endif
