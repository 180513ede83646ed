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
static struct sim_unit *add(struct sim *sim, unsigned type, unsigned socket, unsigned index,
			    unsigned id, uint64_t address, unsigned counters)
{
	struct sim_unit *unit = sim_add_unit(sim, type, socket, index, id);

	unit->access = SIM_ACCESS_MSR;
	unit->address = address;
	unit->counters = counters;
	unit->counter_offset = 1;
	unit->control_step = unit->counter_step = 2;
	return unit;
}

/* As the kernel makes the number of APIC ids: those of a socket begin at a multiple of 2^n. */
static unsigned first_l3(const struct sim *sim, unsigned socket)
{
	unsigned stride = 1;

	while (stride < sim_l3_count(sim->spec.cpus))
		stride *= 2;
	return socket * stride;
}

static void add_l3s(struct sim *sim, unsigned socket)
{
	const unsigned first = first_l3(sim, socket), first_cpu = socket * sim->spec.cpus;

	for (unsigned i = 0; i < sim_l3_count(sim->spec.cpus); i++)
		add(sim, PMU_L3, socket, i, first + i, L3_PERF_CTL, L3_COUNTERS)->l3 =
			(int)(first + i);
	for (unsigned i = 0; i < sim->spec.cpus; i++)
		sim->cores[first_cpu + i].l3 = (int)(first + i / SIM_L3_CPUS);
}

void sim_layout_amd(struct sim *sim, unsigned socket)
{
	add(sim, PMU_DF, socket, 0, 0, DF_PERF_CTL, SIM_DF_COUNTERS);
	add_l3s(sim, socket);
	for (unsigned i = 0; i < sim->spec.imcs; i++)
		add(sim, PMU_UMC, socket, i, i, UMC_PERF_CTL + UINT64_C(2) * SIM_UMC_COUNTERS * i,
		    SIM_UMC_COUNTERS);
	for (unsigned port = 0; port < sim->spec.ports; port++)
		sim_add_memory_behind_root_port(sim, socket, port);
}
