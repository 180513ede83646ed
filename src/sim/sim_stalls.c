/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_stalls.h"

#include "sim/sim_machine.h"

struct sim_stalls sim_stalls_of(const struct sim_spec *s)
{
	const long double share = s->cxl_share / 100;
	const long double dram = s->ddr_latency * SIM_CORE_GHZ, cxl = s->latency * SIM_CORE_GHZ;
	const long double aol = dram / s->parallelism;
	const long double more = dram > 0 ? share * (cxl / dram - 1) : 0;
	const long double reads = s->demand_stall && aol > 0 ? s->demand_stall / aol : 0;
	const long double demand = reads ? s->demand_stall * more / (1 + s->overlap / aol) : 0;
	const long double cache = s->cache_stall * more * s->prefetched / 100;
	const long double store = s->store_stall * more;

	return (struct sim_stalls){
		.cycles = 1 + (demand + cache + store) / 100,
		.demand = s->demand_stall + demand,
		.cache = s->cache_stall + cache,
		.store = s->store_stall + store,
		.reads = reads,
		.outstanding = reads * (dram + share * (cxl - dram)),
	};
}
