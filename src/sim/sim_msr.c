/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_msr.h"

#include <errno.h>

#include "sim/sim_unit.h"

static const struct sim_core_msrs no_msrs = {.read = NULL};

const struct sim_core_msrs *sim_core_msrs(const struct sim *sim)
{
	static const struct sim_core_msrs *const vendors[] = {
		[SIM_INTEL] = &sim_core_intel,
		[SIM_AMD] = &sim_core_amd,
		[SIM_ARM] = &no_msrs,
	};

	return vendors[sim_model_facts(sim->spec.model)->vendor];
}

/* The error that any access to an MSR of this CPU fails with; 0: none. */
static int access_error(const struct sim *sim, unsigned cpu)
{
	if (sim_core_msrs(sim) == &no_msrs || cpu >= sim->core_count)
		return -ENOENT;
	return sim->cores[cpu].online ? 0 : -ENXIO;
}

int sim_msr_read(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t *value)
{
	int rc = access_error(sim, cpu);
	if (rc)
		return rc;

	struct sim_unit *unit = sim_find_msr_unit(sim, cpu, msr);
	if (unit)
		return sim_unit_read(sim, unit, msr - unit->address, value) ? 0 : -EIO;
	return sim_core_msrs(sim)->read(sim, cpu, msr, value);
}

int sim_msr_may_write(const struct sim *sim)
{
	return sim_is_locked_down(sim) ? -EPERM : 0;
}

int sim_msr_write(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	int rc = access_error(sim, cpu);

	if (!rc)
		rc = sim_msr_may_write(sim);
	if (rc)
		return rc;

	struct sim_unit *unit = sim_find_msr_unit(sim, cpu, msr);
	if (!unit)
		return sim_core_msrs(sim)->write(sim, cpu, msr, value);
	if (value & sim_unit_reserved(unit, msr - unit->address))
		return -EIO;
	sim_unit_write(sim, unit, msr - unit->address, value);
	return 0;
}

uint64_t sim_msr_kernel_read(struct sim *sim, unsigned cpu, uint32_t msr)
{
	uint64_t value = 0;

	sim_core_msrs(sim)->read(sim, cpu, msr, &value);
	return value;
}

void sim_msr_kernel_write(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	sim_core_msrs(sim)->write(sim, cpu, msr, value);
}

void sim_msr_set(struct sim *sim, unsigned cpu, uint32_t msr, uint64_t value)
{
	if (cpu < sim->core_count && sim_core_msrs(sim) != &no_msrs)
		sim_core_msrs(sim)->set(sim, cpu, msr, value);
}
