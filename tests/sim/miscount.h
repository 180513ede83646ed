/* SPDX-License-Identifier: BSD-3-Clause */
/* Counts that the key miscount= makes wrong. miscount.c has the rates of each kind. */
#ifndef CXLMON_TEST_SIM_MISCOUNT_H
#define CXLMON_TEST_SIM_MISCOUNT_H

#include <limits.h>

#include "sim/sim_load.h"

enum miscount {
	MISCOUNT_NONE,
	MISCOUNT_PORT,	     /* every count of a port */
	MISCOUNT_RXC,	     /* data of CXL reads, as ports receive it */
	MISCOUNT_M2S_REQ,    /* CXL read requests, as ports send them */
	MISCOUNT_WRITE,	     /* CXL writes */
	MISCOUNT_TOR,	     /* CXL reads, and their occupancy, in the queues (TOR) of CHAs */
	MISCOUNT_LATENCY,    /* occupancies and sums from which latencies follow */
	MISCOUNT_DRAM_READ,  /* reads of DRAM by memory controllers */
	MISCOUNT_DRAM_WRITE, /* writes of DRAM by memory controllers */
};

#define EVERY_PORT UINT_MAX /* a value of miscount_port= */

extern const char *const miscount_names[]; /* by enum miscount; the last is NULL */

/* Implements sim_extras.count. */
long double miscount(const struct sim_spec *spec, enum sim_rate rate, const struct sim_flow *flow,
		     unsigned port, long double events);

#endif
