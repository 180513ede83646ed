/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Waits (stall cycles) of the CPUs of a simulated machine. Each CPU runs the same program for ever.
 * The keys demand_stall=, cache_stall=, store_stall= and parallelism= of --sim are its waits if all
 * of its memory is DRAM. The key cxl_share= is the part of its memory that is CXL memory.
 *
 * A DRAM cycle is the work that takes one cycle if all memory is DRAM. Let t0 = ddr_latency= and
 * t1 = latency= in cycles, r = t1 / t0 - 1, and aol = t0 / parallelism (cycles that a read waits).
 * If all memory is CXL memory, each DRAM cycle takes these waits in addition:
 *
 * - for reads: demand_stall x r / (1 + overlap / aol)
 * - for caches: cache_stall x r x prefetched (the part that waits for prefetches from memory)
 * - for stores: store_stall x r
 *
 * If a part of the memory is CXL memory, each DRAM cycle takes that part of these waits. This is
 * the model of CAMP (ASPLOS '26): C = r, A = overlap, B = 1, E = G = r, D = F = H = 0. Latencies
 * are those without load.
 *
 * - A CPU waits for reads in exactly the cycles in which a demand read is outstanding. So overlap=
 *   raises the parallelism of CXL reads.
 * - Loads miss the L1D: one for each read, and one for each SIM_CACHE_WAIT cycles of waits for
 *   caches in DRAM. The part prefetched= of these loads finds its line already on its way.
 *
 * A kernel (a microbenchmark of platform/simulation.h) that is injected on a CPU replaces the
 * program. sim_stalls.c has its waits. A pointer chase has a parallelism of its number of chains.
 * Traffic above limit= is cut, but the kernel does not wait longer for it.
 */
#ifndef CXLMON_SIM_STALLS_H
#define CXLMON_SIM_STALLS_H

#include "platform/simulation.h"
#include "sim/sim_spec.h"

#define SIM_CORE_GHZ 3.0L
#define SIM_CORE_IPC 1.25L /* instructions per cycle with all memory in DRAM */

/* The most reads that a kernel has outstanding: Intel's cores have 16 line fill buffers. */
#define SIM_PARALLELISM_MOST 16

/* The following values are choices, not measurements. */

/* Cycles of waits for caches per load that waits for them: close to an L2's latency. */
#define SIM_CACHE_WAIT 10

/* Percent of DRAM cycles in which a core waits for loads that hit the L3; only E-cores count it. */
#define SIM_L3_STALL 2

/* The L3 supplies so many percent of the loads that wait for caches; the L2 supplies the others. */
#define SIM_L3_LOADS 10

/* Loads per 100 instructions. */
#define SIM_LOADS 30

/* Suppliers of the data of loads whose line was not yet on its way to the L1D. */
enum sim_supplier {
	SUPPLIER_L1,
	SUPPLIER_L2,
	SUPPLIER_L3,
	SUPPLIER_DRAM,
	SUPPLIER_FAR_DRAM,
	SUPPLIER_CXL,
	SUPPLIER_FAR_CXL,
	SIM_SUPPLIERS
};

/* The waits and loads of a program: .cycles per DRAM cycle, all others per 100 DRAM cycles. */
struct sim_stalls {
	long double cycles;		  /* cycles, at least 1: with CXL memory more */
	long double demand, cache, store; /* cycles of waits for reads, for caches, for stores */
	long double reads;		  /* reads that begin */
	long double outstanding;	  /* outstanding reads, summed over cycles */
	long double on_way; /* loads that miss the L1D, and find their line on its way */
	long double misses; /* loads that miss the L1D, and find no line on its way */
	long double loads[SIM_SUPPLIERS]; /* loads by supplier */
};

/* Returns the waits of the spec's program. */
struct sim_stalls sim_stalls_of(const struct sim_spec *spec);

/* A kernel on a CPU: its waits, and its bandwidth without a limit. */
struct sim_kernel_run {
	struct sim_stalls stalls;
	double GBps;
};

/*
 * Returns the waits and bandwidth of a kernel on one CPU. latency_ns: latency of its memory.
 * chains: only for KERNEL_CHASE; more than SIM_PARALLELISM_MOST act as that many.
 */
struct sim_kernel_run sim_run_kernel(const struct sim_spec *machine, enum calibration_kernel kernel,
				     unsigned chains, double latency_ns);

#endif
