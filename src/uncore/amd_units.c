/* SPDX-License-Identifier: BSD-3-Clause */

#include <errno.h>
#include <stdlib.h>

#include "uncore/amd_unit.h"

struct finding {
	const struct model *model;
	const struct topology *topology;
	struct discovery *out;
};

/* The unit is NULL where the processor has no such counters, or the model no such PMU type. */
static struct unit *add_unit(struct finding *f, uint16_t type, unsigned id, uint32_t first,
			     unsigned counters, const struct cpu_location *place)
{
	const struct pmu_type *pmu_type = model_pmu_type(f->model, type);

	if (!counters || !pmu_type)
		return NULL;
	struct unit *unit = &f->out->units[f->out->unit_count++];
	*unit = amd_unit(pmu_type, first, counters, place);
	unit->id = (uint16_t)id;
	return unit;
}

static bool is_first_of_l3(const struct topology *topology, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (topology->cpus[k].l3 == topology->cpus[i].l3)
			return false;
	return topology->cpus[i].l3 >= 0;
}

static void add_l3s(struct finding *f, const struct amd_counters *counts, int socket)
{
	unsigned id = 0;

	for (size_t i = 0; i < f->topology->count; i++) {
		const struct cpu_location *cpu = &f->topology->cpus[i];

		if (cpu->socket != socket || !is_first_of_l3(f->topology, i))
			continue;
		struct unit *unit = add_unit(f, PMU_L3, id++, AMD_L3_PERF_CTL0, counts->l3, cpu);
		if (!unit)
			return;
		unit->l3_scoped = true;
		unit->l3 = cpu->l3;
	}
}

static bool shares_l3(const struct cpu_location *a, const struct cpu_location *b)
{
	return a->l3 >= 0 && a->l3 == b->l3;
}

/* Nodes of CPUs by their place in the topology; CPUs of an L3 cache are of one node. Freed by the
 * caller. */
static int *read_nodes(struct platform *p, const struct topology *topology)
{
	int *nodes = calloc(topology->count, sizeof(*nodes));

	for (size_t i = 0; nodes && i < topology->count; i++) {
		size_t k = 0;

		while (k < i && !shares_l3(&topology->cpus[k], &topology->cpus[i]))
			k++;
		nodes[i] = k < i ? nodes[k] : amd_node(p, topology->cpus[i].cpu);
	}
	return nodes;
}

/* The place of a CPU's node among those of its socket; *first: no CPU before it is of that node. */
static unsigned place_of_node(const struct topology *topology, const int *nodes, size_t i,
			      bool *first)
{
	unsigned place = 0;

	*first = true;
	for (size_t k = 0; k < i; k++) {
		bool seen = false;

		if (topology->cpus[k].socket != topology->cpus[i].socket)
			continue;
		if (nodes[k] == nodes[i])
			*first = false;
		for (size_t m = 0; m < k; m++)
			seen |= topology->cpus[m].socket == topology->cpus[k].socket &&
				nodes[m] == nodes[k];
		place += !seen && nodes[k] != nodes[i];
	}
	return place;
}

static unsigned count_nodes(struct platform *p, const struct topology *topology, int socket)
{
	int *nodes = read_nodes(p, topology);
	unsigned count = 0;
	bool first;

	for (size_t i = 0; nodes && i < topology->count; i++) {
		if (topology->cpus[i].socket != socket)
			continue;
		place_of_node(topology, nodes, i, &first);
		count += first;
	}
	free(nodes);
	return count;
}

/*
 * Where a socket has several nodes, the registers of one are reached through CPUs of that node: of
 * these, those that share the L3 cache of the first stand for all.
 */
static void bind_to_node(struct unit *unit, const struct cpu_location *cpu)
{
	if (!unit)
		return;
	unit->l3_scoped = cpu->l3 >= 0;
	unit->l3 = cpu->l3;
}

/* The data fabric and the memory controllers of the node whose first CPU that is. */
static int add_node(struct platform *p, struct finding *f, const struct cpu_location *cpu,
		    unsigned node, bool several, struct error *err)
{
	struct amd_counters counts;
	int rc = amd_counters_read(p, cpu->cpu, &counts, err);

	if (rc)
		return rc;
	struct unit *df = add_unit(f, PMU_DF, node, AMD_DF_PERF_CTL0, counts.df, cpu);
	if (several)
		bind_to_node(df, cpu);
	if (!node)
		add_l3s(f, &counts, cpu->socket);
	for (unsigned u = 0; u < counts.umcs; u++) {
		struct unit *umc =
			add_unit(f, PMU_UMC, node * counts.umcs + u,
				 AMD_UMC_PERF_CTL0 + 2 * u * counts.of_umc, counts.of_umc, cpu);
		if (several)
			bind_to_node(umc, cpu);
	}
	return 0;
}

/* A node has a data fabric and up to 32 memory controllers, a CPU at most an L3 cache. */
#define UNITS_OF_A_NODE 33

static int add_nodes(struct platform *p, struct finding *f, const int *nodes, struct error *err)
{
	const struct topology *topology = f->topology;
	int rc = 0;

	for (size_t i = 0; !rc && i < topology->count; i++) {
		const struct cpu_location *cpu = &topology->cpus[i];
		bool first, several = false;
		const unsigned place = place_of_node(topology, nodes, i, &first);

		for (size_t k = 0; k < topology->count; k++)
			several |= topology->cpus[k].socket == cpu->socket && nodes[k] != nodes[i];
		if (first)
			rc = add_node(p, f, cpu, place, several, err);
	}
	return rc;
}

int amd_units_find(struct platform *p, const struct model *model, const struct topology *topology,
		   struct discovery *out, struct error *err)
{
	struct finding f = {model, topology, out};
	int *nodes = read_nodes(p, topology);

	out->units = calloc(topology->count * (UNITS_OF_A_NODE + 1), sizeof(*out->units));
	int rc = out->units && nodes ? add_nodes(p, &f, nodes, err) : error_no_memory(err);
	free(nodes);
	if (!rc && !out->unit_count)
		rc = error_set(
			err, EXIT_NO_UNIT, -ENODEV,
			"%s: CPUID shows no counters of the data fabric and of L3 caches "
			"(leaf 80000001h, ECX bits 24 and 28); a virtual machine hides them: "
			"run cxlmon on the host",
			model->name);
	return rc;
}

void amd_units_report_missing(struct platform *p, const struct topology *topology,
			      const struct discovery *found)
{
	for (size_t i = 0; i < found->unit_count; i++) {
		const struct unit *df = &found->units[i];
		unsigned known = 0;

		if (df->type != PMU_DF || df->id)
			continue;
		for (size_t k = 0; k < found->unit_count; k++)
			known += found->units[k].type == PMU_DF &&
				 found->units[k].socket == df->socket;
		const unsigned nodes = count_nodes(p, topology, df->socket);
		if (nodes > known)
			log_write(&p->log, LEVEL_WARNING,
				  "socket %d: the kernel counts on %u of %u data fabrics: traffic "
				  "through the others is not counted; --backend=raw counts on all",
				  df->socket, known, nodes);
	}
}
