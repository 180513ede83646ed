/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts that the key miscount= makes wrong. */
#ifndef CXLMON_TEST_SIM_MISCOUNT_H
#define CXLMON_TEST_SIM_MISCOUNT_H

#include <limits.h>

#include "sim/sim_load.h"

enum miscount {
	MISCOUNT_NONE,
	MISCOUNT_PORT, /* every count of a port */
	MISCOUNT_RXC,  /* data that a device sends */
	MISCOUNT_M2S_REQ,
	MISCOUNT_WRITE,
	MISCOUNT_TOR,	  /* reads of CXL memory; no other count has the missing ones */
	MISCOUNT_LATENCY, /* occupancies, from which latencies follow */
	MISCOUNT_DRAM_READ,
	MISCOUNT_DRAM_WRITE,
};

#define EVERY_PORT UINT_MAX

extern const char *const miscount_names[]; /* names by number; ends with NULL */

/* Returns a count with the fault, for sim_extras.count. */
long double miscount(const struct sim_spec *spec, enum sim_rate rate, const struct sim_flow *flow,
		     unsigned port, long double events);

#endif
