/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/sim/miscount.h"

#include "sim/sim_load.h"
#include "tests/sim/keys.h"

#define WRONG(kind) (1U << (MISCOUNT_##kind))

/* The faults that make the counts of a rate wrong. */
static const unsigned faults[SIM_RATES] = {
	[RATE_READS] = WRONG(RXC) | WRONG(M2S_REQ),
	[RATE_REQUESTS] = WRONG(M2S_REQ),
	[RATE_WRITES] = WRONG(WRITE),
	[RATE_TX_MEM_DATA] = WRONG(WRITE),
	[RATE_RX_MEM_DATA] = WRONG(RXC),
	[RATE_CXL_INSERTS] = WRONG(TOR),
	[RATE_CXL_OCCUPANCY] = WRONG(TOR) | WRONG(LATENCY),
	[RATE_L2_PREFETCHES] = WRONG(TOR),
	[RATE_L2_OCCUPANCY] = WRONG(TOR),
	[RATE_L3_PREFETCHES] = WRONG(TOR),
	[RATE_L3_OCCUPANCY] = WRONG(TOR),
	[RATE_OWNERSHIP] = WRONG(TOR),
	[RATE_OWNERSHIP_OCCUPANCY] = WRONG(TOR),
	[RATE_CODE] = WRONG(TOR),
	[RATE_CODE_OCCUPANCY] = WRONG(TOR),
	[RATE_CCM_READS] = WRONG(RXC) | WRONG(M2S_REQ),
	[RATE_CCM_WRITES] = WRONG(WRITE),
	[RATE_NEAR_CXL_LATENCY] = WRONG(LATENCY),
	[RATE_FAR_CXL_LATENCY] = WRONG(LATENCY),
	[RATE_LOCAL_OCCUPANCY] = WRONG(LATENCY),
	[RATE_DRAM_READS] = WRONG(DRAM_READ),
	[RATE_DRAM_WRITES] = WRONG(DRAM_WRITE),
	[RATE_NEAR_DRAM_LATENCY] = WRONG(LATENCY),
	[RATE_FAR_DRAM_LATENCY] = WRONG(LATENCY),
};

const char *const miscount_names[] = {
	[MISCOUNT_NONE] = "none",
	[MISCOUNT_PORT] = "port",
	[MISCOUNT_RXC] = "rxc",
	[MISCOUNT_M2S_REQ] = "m2s_req",
	[MISCOUNT_WRITE] = "write",
	[MISCOUNT_TOR] = "tor",
	[MISCOUNT_LATENCY] = "latency",
	[MISCOUNT_DRAM_READ] = "dram_read",
	[MISCOUNT_DRAM_WRITE] = "dram_write",
	[MISCOUNT_DRAM_WRITE + 1] = NULL,
};

static bool is_miscounted(const struct test_values *values, enum sim_rate rate, bool of_port,
			  unsigned port)
{
	if (of_port && values->miscount_port != EVERY_PORT && values->miscount_port != port)
		return false;
	return faults[rate] >> values->miscount & 1 ||
	       (of_port && values->miscount == MISCOUNT_PORT);
}

long double miscount(const struct sim_spec *spec, enum sim_rate rate, const struct sim_flow *flow,
		     unsigned port, long double events)
{
	const struct test_values values = test_values_of(spec);

	return is_miscounted(&values, rate, flow->carrier == OF_PORT, port)
		       ? events * values.miscount_pct / 100
		       : events;
}
