/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_stalls.h"

#include <math.h>

#include "sim/sim_extras.h"
#include "sim/sim_load.h"

/* Sets the suppliers of loads: missed is the part that found no line on its way to the L1D. */
static void set_suppliers(const struct sim_spec *s, long double reads, long double missed,
			  struct sim_stalls *out)
{
	const long double cxl = s->cxl_share / 100, far = sim_remote_ratio(s);
	const long double cached = s->cache_stall / SIM_CACHE_WAIT * missed,
			  memory = reads * missed;
	const long double loads = SIM_CORE_IPC * SIM_LOADS - out->on_way - out->misses;

	out->loads[SUPPLIER_L1] = fmaxl(loads, 0);
	out->loads[SUPPLIER_L2] = cached * (100 - SIM_L3_LOADS) / 100;
	out->loads[SUPPLIER_L3] = cached * SIM_L3_LOADS / 100;
	out->loads[SUPPLIER_DRAM] = memory * (1 - cxl) * (1 - far);
	out->loads[SUPPLIER_FAR_DRAM] = memory * (1 - cxl) * far;
	out->loads[SUPPLIER_CXL] = memory * cxl * (1 - far);
	out->loads[SUPPLIER_FAR_CXL] = memory * cxl * far;
}

struct sim_stalls sim_stalls_of(const struct sim_spec *s)
{
	const long double share = s->cxl_share / 100;
	const long double dram = s->ddr_latency * SIM_CORE_GHZ, cxl = s->latency * SIM_CORE_GHZ;
	const double growth = sim_extras.growth ? sim_extras.growth(s) : 1;
	const long double aol = dram / s->parallelism;
	const long double more = dram > 0 ? share * (cxl / dram - 1) * growth : 0;
	const long double reads = s->demand_stall && aol > 0 ? s->demand_stall / aol : 0;
	const long double demand = reads ? s->demand_stall * more / (1 + s->overlap / aol) : 0;
	const long double cache = s->cache_stall * more * s->prefetched / 100;
	const long double store = s->store_stall * more;
	const long double loads = reads + s->cache_stall / SIM_CACHE_WAIT;

	struct sim_stalls stalls = {
		.cycles = 1 + (demand + cache + store) / 100,
		.demand = s->demand_stall + demand,
		.cache = s->cache_stall + cache,
		.store = s->store_stall + store,
		.reads = reads,
		.outstanding = reads * (dram + share * (cxl - dram)),
		.on_way = loads * s->prefetched / 100,
		.misses = loads * (100 - s->prefetched) / 100,
	};
	set_suppliers(s, reads, (100 - s->prefetched) / 100, &stalls);
	return stalls;
}

#define LINE 64 /* bytes */

/*
 * Programs of kernels, in percent of the cycles in DRAM, except the last column. The values are
 * choices: a core might have them.
 */
static const struct {
	double demand_stall, cache_stall, store_stall, parallelism, prefetched;
	/* bytes that it moves in a cycle in DRAM; 0: only the lines of its demand reads */
	double bytes;
} kernels[CALIBRATION_KERNELS] = {
	[KERNEL_CHASE] = {98, 0, 0, 1, 0, 0},
	[KERNEL_STREAM] = {4, 60, 0, 8, 80, 4},
	[KERNEL_STORES] = {0, 0, 70, 1, 0, 2},
};

struct sim_kernel_run sim_run_kernel(const struct sim_spec *machine, enum calibration_kernel kernel,
				     unsigned chains, double latency_ns)
{
	struct sim_spec program = *machine;
	struct sim_kernel_run run;

	program.demand_stall = kernels[kernel].demand_stall;
	program.cache_stall = kernels[kernel].cache_stall;
	program.store_stall = kernels[kernel].store_stall;
	program.prefetched = kernels[kernel].prefetched;
	program.parallelism = kernels[kernel].parallelism;
	if (kernel == KERNEL_CHASE)
		program.parallelism = fmin(chains, SIM_PARALLELISM_MOST);
	program.latency = latency_ns;
	program.cxl_share = 100;
	program.remote = 0;
	run.stalls = sim_stalls_of(&program);
	const long double bytes =
		kernels[kernel].bytes > 0 ? kernels[kernel].bytes : run.stalls.reads * LINE / 100;
	run.GBps = (double)(bytes * SIM_CORE_GHZ / run.stalls.cycles);
	return run;
}
