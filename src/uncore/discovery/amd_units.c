/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/discovery/amd_units.h"

#include <errno.h>
#include <stdlib.h>

#include "platform/cpus.h"
#include "uncore/units/amd_unit.h"

struct amd_search {
	struct platform *platform;
	const struct model *model;
	const struct topology *topology;
	struct discovery *out;
};

/* The node of a CPU. */
struct node {
	int number;	/* as returned by amd_node() */
	unsigned place; /* number among the nodes of its socket */
	bool is_first;	/* no CPU before this one is on that node */
};

/*
 * Adds a unit. Returns NULL if the processor has no such counters, or the model no such PMU type.
 */
static struct unit *add_unit(struct amd_search *s, uint16_t type, unsigned id, uint32_t first,
			     unsigned counters, const struct cpu_location *place)
{
	const struct pmu_type *pmu_type = model_pmu_type(s->model, type);

	if (!counters || !pmu_type)
		return NULL;
	struct unit *unit = &s->out->units[s->out->unit_count++];
	*unit = amd_unit(pmu_type, first, counters, place);
	unit->id = (uint16_t)id;
	return unit;
}

/* Lets only CPUs that share this CPU's L3 cache access the unit's registers. */
static void bind_to_l3(struct unit *unit, const struct cpu_location *cpu)
{
	if (!unit)
		return;
	unit->l3_scoped = cpu->l3 >= 0;
	unit->l3 = cpu->l3;
}

static bool shares_l3(const struct cpu_location *a, const struct cpu_location *b)
{
	return a->l3 >= 0 && a->l3 == b->l3;
}

/* Returns the first CPU of the L3 cache of CPU i, or i itself if it has none. */
static size_t first_of_l3(const struct topology *topology, size_t i)
{
	size_t k = 0;

	while (k < i && !shares_l3(&topology->cpus[k], &topology->cpus[i]))
		k++;
	return k;
}

static const struct cpu_location *reader_of_l3(const struct topology *topology, size_t first)
{
	const struct cpu_location *best = &topology->cpus[first];

	for (size_t i = first + 1; i < topology->count; i++)
		if (shares_l3(&topology->cpus[first], &topology->cpus[i]))
			best = cpu_rather(best, &topology->cpus[i]);
	return best;
}

static void add_l3s(struct amd_search *s, const struct amd_counters *counts, int socket)
{
	unsigned id = 0;

	for (size_t i = 0; i < s->topology->count; i++) {
		const struct cpu_location *cpu = &s->topology->cpus[i];

		if (cpu->socket == socket && cpu->l3 >= 0 && first_of_l3(s->topology, i) == i)
			bind_to_l3(add_unit(s, PMU_L3, id++, AMD_L3_PERF_CTL0, counts->l3,
					    reader_of_l3(s->topology, i)),
				   cpu);
	}
}

/* Finds the nodes of all CPUs; CPUs of an L3 cache are on one node. NULL: no memory. */
static struct node *find_nodes(struct platform *p, const struct topology *topology)
{
	struct node *nodes = calloc(topology->count, sizeof(*nodes));

	for (size_t i = 0; nodes && i < topology->count; i++) {
		const size_t first = first_of_l3(topology, i);

		nodes[i].number =
			first < i ? nodes[first].number : amd_node(p, topology->cpus[i].cpu);
		nodes[i].is_first = true;
		for (size_t k = 0; k < i && nodes[i].is_first; k++) {
			if (topology->cpus[k].socket != topology->cpus[i].socket)
				continue;
			nodes[i].is_first = nodes[k].number != nodes[i].number;
			if (nodes[k].is_first)
				nodes[i].place += nodes[i].is_first;
		}
	}
	return nodes;
}

/* Returns the best CPU to access registers of a node, whose first CPU is first. */
static const struct cpu_location *reader_of_node(const struct topology *topology,
						 const struct node *nodes, size_t first)
{
	const struct cpu_location *best = &topology->cpus[first];

	for (size_t i = first + 1; i < topology->count; i++)
		if (topology->cpus[i].socket == topology->cpus[first].socket &&
		    nodes[i].number == nodes[first].number)
			best = cpu_rather(best, &topology->cpus[i]);
	return best;
}

static unsigned count_nodes(const struct topology *topology, const struct node *nodes, int socket)
{
	unsigned count = 0;

	for (size_t i = 0; i < topology->count; i++)
		count += topology->cpus[i].socket == socket && nodes[i].is_first;
	return count;
}

/*
 * Adds the data fabric and the memory controllers of a CPU's node. If a socket has several nodes,
 * the registers of one are accessed through CPUs of that node: those that share this CPU's L3 cache
 * stand for all of them.
 */
static int add_node(struct amd_search *s, const struct cpu_location *cpu, unsigned node,
		    bool several, struct error *err)
{
	struct amd_counters counts;
	int rc = amd_counters_read(s->platform, cpu->cpu, &counts, err);

	if (rc)
		return rc;
	struct unit *df = add_unit(s, PMU_DF, node, AMD_DF_PERF_CTL0, counts.df, cpu);
	if (several)
		bind_to_l3(df, cpu);
	if (!node)
		add_l3s(s, &counts, cpu->socket);
	for (unsigned u = 0; u < counts.umcs; u++) {
		struct unit *umc =
			add_unit(s, PMU_UMC, node * counts.umcs + u,
				 AMD_UMC_PERF_CTL0 + 2 * u * counts.of_umc, counts.of_umc, cpu);
		if (several)
			bind_to_l3(umc, cpu);
	}
	return 0;
}

/*
 * the most units of a node: a data fabric and 32 memory controllers; a CPU also has at most one L3
 * cache
 */
#define UNITS_OF_A_NODE 33

int amd_units_find(struct platform *p, const struct model *model, const struct topology *topology,
		   struct discovery *out, struct error *err)
{
	struct amd_search s = {p, model, topology, out};
	struct node *nodes = find_nodes(p, topology);

	out->units = calloc(topology->count * (UNITS_OF_A_NODE + 1), sizeof(*out->units));
	int rc = out->units && nodes ? 0 : error_no_memory(err);
	for (size_t i = 0; !rc && i < topology->count; i++) {
		const int socket = topology->cpus[i].socket;

		if (nodes[i].is_first)
			rc = add_node(&s, reader_of_node(topology, nodes, i), nodes[i].place,
				      count_nodes(topology, nodes, socket) > 1, err);
	}
	free(nodes);
	if (!rc && !out->unit_count)
		rc = error_set(
			err, ERROR_NO_UNIT, -ENODEV,
			"%s: CPUID shows no counters of the data fabric and of L3 caches "
			"(leaf 80000001h, ECX bits 24 and 28); a virtual machine hides them: "
			"run cxlmon on the host",
			model->name);
	return rc;
}

void amd_units_report_missing(struct platform *p, const struct topology *topology,
			      const struct discovery *found)
{
	struct node *all = find_nodes(p, topology);

	for (size_t i = 0; all && i < found->unit_count; i++) {
		const struct unit *df = &found->units[i];
		unsigned known = 0;

		if (df->type != PMU_DF || df->id)
			continue;
		for (size_t k = 0; k < found->unit_count; k++)
			known += found->units[k].type == PMU_DF &&
				 found->units[k].socket == df->socket;
		const unsigned nodes = count_nodes(topology, all, df->socket);
		if (nodes > known)
			log_write(&p->log, LEVEL_WARNING,
				  "socket %d: the kernel counts on %u of %u data fabrics: traffic "
				  "through the others is not counted; --backend=raw counts on all",
				  df->socket, known, nodes);
	}
	free(all);
}
