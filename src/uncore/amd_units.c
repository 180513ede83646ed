/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/amd_units.h"

#include <errno.h>
#include <stdlib.h>

#include "uncore/amd_counters.h"
#include "uncore/pair_unit.h"

struct finding {
	const struct model *model;
	const struct topology *topology;
	struct discovery *out;
};

/* The unit is NULL where the processor has no such counters, or the model no such box. */
static struct unit *add_unit(struct finding *f, uint16_t type, unsigned id, uint32_t first,
			     unsigned counters, const struct cpu_location *place)
{
	const struct box *box = model_box(f->model, type);

	if (!counters || !box)
		return NULL;
	struct unit *unit = &f->out->units[f->out->unit_count++];
	*unit = pair_unit(box, first, counters, place);
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
		struct unit *unit = add_unit(f, BOX_L3, id++, AMD_L3_PERF_CTL0, counts->l3, cpu);
		if (!unit)
			return;
		unit->of_l3 = true;
		unit->l3 = cpu->l3;
	}
}

static int add_socket(struct platform *p, struct finding *f, const struct cpu_location *cpu,
		      struct error *err)
{
	struct amd_counters counts;
	int rc = amd_counters_read(p, cpu->cpu, &counts, err);

	if (rc)
		return rc;
	add_unit(f, BOX_DF, 0, AMD_DF_PERF_CTL0, counts.df, cpu);
	add_l3s(f, &counts, cpu->socket);
	for (unsigned u = 0; u < counts.umcs; u++)
		add_unit(f, BOX_UMC, u, AMD_UMC_PERF_CTL0 + 2 * u * counts.of_umc, counts.of_umc,
			 cpu);
	return 0;
}

static bool is_first_of_socket(const struct topology *topology, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (topology->cpus[k].socket == topology->cpus[i].socket)
			return false;
	return true;
}

/* A socket has a data fabric and up to 32 memory controllers, a CPU at most an L3 cache. */
#define UNITS_OF_A_SOCKET 33

int amd_units_find(struct platform *p, const struct model *model, const struct topology *topology,
		   struct discovery *out, struct error *err)
{
	struct finding f = {model, topology, out};
	int rc = 0;

	out->units = calloc(topology->count * (UNITS_OF_A_SOCKET + 1), sizeof(*out->units));
	if (!out->units)
		return error_no_memory(err);
	for (size_t i = 0; !rc && i < topology->count; i++)
		if (is_first_of_socket(topology, i))
			rc = add_socket(p, &f, &topology->cpus[i], err);
	if (!rc && !out->unit_count)
		rc = error_set(
			err, EXIT_NO_UNIT, -ENODEV,
			"%s: CPUID shows no counters of the data fabric and of L3 caches "
			"(leaf 80000001h, ECX bits 24 and 28); a virtual machine hides them: "
			"run cxlmon on the host",
			model->name);
	return rc;
}
