/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts that a fault makes wrong (miscount=). */
#ifndef CXLMON_TEST_SIM_MISCOUNT_H
#define CXLMON_TEST_SIM_MISCOUNT_H

#include <limits.h>

#include "sim/sim_load.h"

enum miscount {
	MISCOUNT_NONE,
	MISCOUNT_PORT, /* all counts of ports */
	MISCOUNT_RXC,  /* data that came from a device */
	MISCOUNT_M2S_REQ,
	MISCOUNT_WRITE,
	MISCOUNT_TOR,	  /* reads of CXL memory: no count has those that it misses */
	MISCOUNT_LATENCY, /* the occupancy */
	MISCOUNT_DRAM_READ,
	MISCOUNT_DRAM_WRITE,
};

#define EVERY_PORT UINT_MAX

extern const char *const miscount_names[]; /* by number; ends with NULL */

/* As sim_extras.count. */
long double miscount(const struct sim_spec *spec, enum sim_rate rate, const struct sim_flow *flow,
		     unsigned port, long double events);

#endif
