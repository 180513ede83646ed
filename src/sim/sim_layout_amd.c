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

static struct sim_unit *add(struct sim *sim, unsigned type, unsigned socket, unsigned index,
			    unsigned id)
{
	struct sim_unit *unit = sim_add_unit(sim, type, socket, index, id);

	unit->access = SIM_ACCESS_MSR;
	unit->control_offset = 0;
	unit->control_step = 2;
	unit->counter_offset = 1;
	unit->counter_step = 2;
	return unit;
}

static void add_df(struct sim *sim, unsigned socket)
{
	struct sim_unit *df = add(sim, BOX_DF, socket, 0, 0);

	df->address = DF_PERF_CTL;
	df->counters = SIM_DF_COUNTERS;
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

	for (unsigned i = 0; i < sim_l3_count(sim->spec.cpus); i++) {
		struct sim_unit *l3 = add(sim, BOX_L3, socket, i, first + i);

		l3->l3 = (int)(first + i);
		l3->address = L3_PERF_CTL;
		l3->counters = L3_COUNTERS;
	}
	for (unsigned i = 0; i < sim->spec.cpus; i++)
		sim->cores[first_cpu + i].l3 = (int)(first + i / SIM_L3_CPUS);
}

static void add_umcs(struct sim *sim, unsigned socket)
{
	for (unsigned i = 0; i < sim->spec.imcs; i++) {
		struct sim_unit *umc = add(sim, BOX_UMC, socket, i, i);

		umc->address = UMC_PERF_CTL + UINT64_C(2) * SIM_UMC_COUNTERS * i;
		umc->counters = SIM_UMC_COUNTERS;
	}
}

void sim_layout_amd(struct sim *sim, unsigned socket)
{
	add_df(sim, socket);
	add_l3s(sim, socket);
	add_umcs(sim, socket);
	for (unsigned port = 0; port < sim->spec.ports; port++)
		sim_add_memory_behind_root_port(sim, socket, port);
}
