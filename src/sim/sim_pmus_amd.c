/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_pmus.h"

#include <stdio.h>

#include "uncore/model.h"

#define KERNEL_UMC SIM_KERNEL(6, 7) /* the first one that knows memory controllers */

#define L3_EVENT       UINT64_C(0xFFFF) /* and umask */
#define L3_THREADS     (UINT64_C(3) << 56)
#define L3_EVERY_CORE  (UINT64_C(1) << 47)
#define L3_EVERY_SLICE (UINT64_C(1) << 46)

bool sim_amd_driver_finds(const struct sim *sim, const struct sim_unit *unit)
{
	return unit->type != BOX_UMC || sim->spec.kernel >= KERNEL_UMC;
}

static struct sim_pmu *add(struct sim_pmus *out, unsigned unit_type)
{
	struct sim_pmu *pmu = &out->items[out->count++];

	*pmu = (struct sim_pmu){.kind = SIM_PMU_UNCORE, .unit_type = unit_type, .known = true};
	return pmu;
}

/* One for all units of the type. */
static void add_common(struct sim_pmus *out, const char *name, unsigned unit_type)
{
	struct sim_pmu *pmu = add(out, unit_type);

	pmu->any_id = true;
	snprintf(pmu->name, sizeof(pmu->name), "%s", name);
}

void sim_pmus_amd(const struct sim *sim, struct sim_pmus *out)
{
	unsigned umcs = 0;

	add_common(out, "amd_df", BOX_DF);
	add_common(out, "amd_l3", BOX_L3);
	for (size_t i = 0; i < sim->unit_count; i++) {
		const struct sim_unit *unit = &sim->units[i];

		if (unit->type != BOX_UMC || !sim_amd_driver_finds(sim, unit))
			continue;
		struct sim_pmu *pmu = add(out, BOX_UMC);
		pmu->unit_id = unit->id;
		pmu->one_socket = true;
		pmu->socket = unit->socket;
		snprintf(pmu->name, sizeof(pmu->name), "amd_umc_%u", umcs++);
	}
}

/* Who names no threads means all, and all cores and slices: whatever else config selects. */
uint64_t sim_amd_driver_control(const struct sim_pmu *pmu, uint64_t config)
{
	if (pmu->unit_type != BOX_L3 || config & L3_THREADS)
		return config;
	return (config & L3_EVENT) | L3_THREADS | L3_EVERY_CORE | L3_EVERY_SLICE;
}
