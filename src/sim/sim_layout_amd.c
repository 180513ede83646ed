/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * AMD's processors: every unit's registers are MSRs, pairs of a control and its counter. Those of
 * the data fabric and of the memory controllers are reached through any CPU of the socket, those of
 * an L3 cache through the CPUs that share it.
 *
 * On bus 0x1e + 0x20 s of socket s are its root ports, 1.1 and on; behind each, on the next bus and
 * on, the memory device of a CXL port.
 *
 * Source of the registers: the kernel's arch/x86/events/amd/uncore.c.
 */
#include "sim/sim_layout.h"

#include "uncore/model.h"

#define DF_PERF_CTL  0xC0010240
#define L3_PERF_CTL  0xC0010230
#define UMC_PERF_CTL 0xC0010800

#define L3_COUNTERS 6

/* Pairs of a control and its counter. */
static void add(struct sim *sim, unsigned type, unsigned socket, unsigned index, unsigned id,
		uint64_t address, unsigned counters)
{
	sim_add_unit(sim, &(struct sim_unit){
				  .type = type,
				  .socket = socket,
				  .index = index,
				  .id = id,
				  .l3 = type == PMU_L3 ? (int)id : 0,
				  .access = SIM_ACCESS_MSR,
				  .address = address,
				  .counters = counters,
				  .control_step = 2,
				  .counter_offset = 1,
				  .counter_step = 2,
			  });
}

/* As the kernel makes the number of APIC ids: those of a socket begin at a multiple of 2^n. */
static unsigned first_l3(const struct sim *sim, unsigned socket)
{
	unsigned stride = 1;

	while (stride < sim_l3_count(sim->spec.cpus))
		stride *= 2;
	return socket * stride;
}

void sim_layout_amd(struct sim *sim, unsigned socket)
{
	const unsigned first = first_l3(sim, socket), first_cpu = socket * sim->spec.cpus;

	add(sim, PMU_DF, socket, 0, 0, DF_PERF_CTL, SIM_DF_COUNTERS);
	for (unsigned i = 0; i < sim_l3_count(sim->spec.cpus); i++)
		add(sim, PMU_L3, socket, i, first + i, L3_PERF_CTL, L3_COUNTERS);
	for (unsigned i = 0; i < sim->spec.cpus; i++)
		sim->cores[first_cpu + i].l3 = (int)(first + i / SIM_L3_CPUS);
	for (unsigned i = 0; i < sim->spec.imcs; i++)
		add(sim, PMU_UMC, socket, i, i, UMC_PERF_CTL + UINT64_C(2) * SIM_UMC_COUNTERS * i,
		    SIM_UMC_COUNTERS);
}
