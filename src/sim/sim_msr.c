/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/sim_msr.h"

#include <errno.h>

#include "sim/sim_unit.h"

/* The error that any access to an MSR of this CPU fails with; 0: none. */
static int access_error(const struct sim *sim, unsigned cpu)
{
	if (!sim_core_pmu(sim)->general || cpu >= sim->core_count)
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
	return sim_core_read(sim, cpu, msr, value);
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
		return sim_core_write(sim, cpu, msr, value);
	if (value & sim_unit_reserved(unit, msr - unit->address))
		return -EIO;
	sim_unit_write(sim, unit, msr - unit->address, value);
	return 0;
}
