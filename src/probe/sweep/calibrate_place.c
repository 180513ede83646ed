/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/sweep/calibrate.h"

#include <errno.h>

#include "platform/cpus.h"
#include "platform/cxl.h"

/* Returns the node of a CPU; without NUMA support there is one node. */
static int node_of(const struct cpu_location *cpu)
{
	return cpu->node < 0 ? 0 : cpu->node;
}

static bool has_cpus(const struct machine *m, int node)
{
	for (size_t i = 0; i < m->topology.count; i++)
		if (node_of(&m->topology.cpus[i]) == node)
			return true;
	return false;
}

/* Returns the first node of CXL memory; -1: there is none. */
static int first_cxl_node(const struct machine *m)
{
	for (size_t i = 0; i < m->device_count; i++)
		if (m->devices[i].node >= 0 && !has_cpus(m, m->devices[i].node))
			return m->devices[i].node;
	return -1;
}

/*
 * Returns the node with CPUs that a device is attached to; else, the first other one. -1: there is
 * none.
 */
static int nearest_dram(const struct machine *m, int node)
{
	for (size_t i = 0; i < m->device_count; i++)
		if (m->devices[i].node == node && m->devices[i].near_node != node &&
		    has_cpus(m, m->devices[i].near_node))
			return m->devices[i].near_node;
	for (size_t i = 0; i < m->topology.count; i++)
		if (node_of(&m->topology.cpus[i]) != node)
			return node_of(&m->topology.cpus[i]);
	return -1;
}

/* Adds CPUs of the DRAM node. spared: reasons to spare a CPU that are ignored. */
static void add_cpus(const struct machine *m, unsigned spared, struct calibrate_place *place)
{
	for (size_t i = 0; i < m->topology.count && place->cpu_count < CALIBRATE_CPUS; i++) {
		const struct cpu_location *cpu = &m->topology.cpus[i];

		if (node_of(cpu) == place->nodes[IN_DRAM] && !(cpu->spared & ~spared) &&
		    !load_has_core(&m->topology, place->cpus, place->cpu_count, cpu))
			place->cpus[place->cpu_count++] = cpu->cpu;
	}
}

int calibrate_place_find(const struct machine *m, int node, struct calibrate_place *out,
			 struct error *err)
{
	*out = (struct calibrate_place){.nodes[IN_CXL] = node < 0 ? first_cxl_node(m) : node};
	if (out->nodes[IN_CXL] < 0)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "no NUMA node is known to have CXL memory (see cxlmon info): "
				 "expected --node=N for another node's memory");
	out->nodes[IN_DRAM] = nearest_dram(m, out->nodes[IN_CXL]);
	if (out->nodes[IN_DRAM] < 0)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--node=%d: no other node has CPUs: expected one whose memory is "
				 "to be compared with DRAM",
				 out->nodes[IN_CXL]);
	add_cpus(m, 0, out);
	if (!out->cpu_count)
		add_cpus(m, SPARED_ISOLATED | SPARED_UNLISTED, out);
	if (!out->cpu_count)
		return error_set(err, ERROR_FAILED, -ENODEV,
				 "node %d: this process may run on none of its CPUs (see taskset "
				 "-p $$)",
				 out->nodes[IN_DRAM]);
	return 0;
}
