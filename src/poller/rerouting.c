/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Replaces the CPU through which uncore MSRs are accessed if it goes offline: any CPU of their
 * socket, or of their L3 cache, reaches them.
 */
#include "poller/pmu_state_private.h"

#include <errno.h>

#include "platform/cpus.h"
#include "platform/reg.h"

void reroute_open_cpus(const struct plan *plan, const struct unit *unit)
{
	const struct topology *topology = &plan->machine->topology;
	struct platform *p = plan->machine->platform;
	const struct cpu_location *other = NULL;

	if (!p->ops->registers->msr_open)
		return;
	for (size_t i = 0; i < topology->count; i++)
		if (unit_reached_by(unit, &topology->cpus[i]) && topology->cpus[i].cpu != unit->cpu)
			other = cpu_rather(other, &topology->cpus[i]);
	p->ops->registers->msr_open(p, unit->cpu);
	if (other)
		p->ops->registers->msr_open(p, other->cpu);
}

bool pmu_state_open_devices(const struct plan *plan)
{
	bool msrs = false;

	for (size_t u = 0; u < plan->unit_count; u++) {
		const struct unit *unit = plan->units[u].unit;

		msrs |= unit->access == ACCESS_MSR;
		/* the PMU of a CPU cannot be accessed through another */
		if (unit->access == ACCESS_MSR && !unit_is_cpu(unit))
			reroute_open_cpus(plan, unit);
	}
	return msrs;
}

static const struct unit *unit_of_counter(const struct plan *plan, size_t s)
{
	return plan->units[plan->counters[s].unit].unit;
}

static const struct unit *unit_of_domain(const struct plan *plan, size_t d)
{
	return plan->units[plan->domains[d].first_unit].unit;
}

/* Returns true if the MSRs of both units are reached through the same CPUs. */
static bool has_same_cpus(const struct unit *a, const struct unit *b)
{
	return !unit_is_cpu(a) && a->access == ACCESS_MSR && a->socket == b->socket &&
	       a->l3_scoped == b->l3_scoped && (!a->l3_scoped || a->l3 == b->l3);
}

/*
 * Returns true if a domain is frozen by the freeze register of the lost unit's socket, which may
 * also freeze MMIO units.
 */
static bool is_freeze_of(const struct pmu_state *pmu, size_t d, const struct unit *lost)
{
	const struct unit *unit = unit_of_domain(pmu->plan, d);

	return pmu->domains[d].freezes && pmu->domains[d].control.reg.space == REG_MSR &&
	       unit_is_uncore(unit) && unit->socket == lost->socket && !lost->l3_scoped;
}

static bool is_counter_of(const struct pmu_state *pmu, size_t s, const struct unit *lost)
{
	return pmu->counters[s].reg.space == REG_MSR &&
	       has_same_cpus(unit_of_counter(pmu->plan, s), lost);
}

/* A register to try other CPUs with; NULL: no MSR is used. */
static const struct reg *probe_register(const struct pmu_state *pmu, const struct unit *lost)
{
	for (size_t d = 0; d < pmu->plan->domain_count; d++)
		if (is_freeze_of(pmu, d, lost))
			return &pmu->domains[d].control.reg;
	for (size_t s = 0; s < pmu->plan->counter_count; s++)
		if (is_counter_of(pmu, s, lost))
			return &pmu->counters[s].reg;
	return NULL;
}

static void use_cpu(struct pmu_state *pmu, const struct unit *lost, unsigned cpu)
{
	const struct plan *plan = pmu->plan;

	for (size_t s = 0; s < plan->counter_count; s++)
		if (is_counter_of(pmu, s, lost))
			pmu->counters[s].reg.cpu = cpu;
	for (size_t d = 0; d < plan->domain_count; d++)
		if (is_freeze_of(pmu, d, lost))
			pmu->domains[d].control.reg.cpu = cpu;
	for (size_t u = 0; u < plan->unit_count; u++)
		if (has_same_cpus(plan->units[u].unit, lost))
			plan->units[u].unit->cpu = cpu;
	for (size_t i = 0; i < pmu->freeze_count && !lost->l3_scoped; i++)
		if (pmu->freezes[i].socket == lost->socket)
			pmu->freezes[i].reg.cpu = cpu;
}

static bool try_cpu(struct pmu_state *pmu, const struct unit *lost, const struct reg *reg,
		    const struct cpu_location *cpu)
{
	struct reg other = *reg;
	uint64_t ignored;

	other.cpu = cpu->cpu;
	if (!unit_reached_by(lost, cpu) || other.cpu == reg->cpu ||
	    reg_read(pmu->platform, &other, &ignored, NULL))
		return false;
	log_write(&pmu->platform->log, LEVEL_WARNING,
		  "socket %d: CPU %u has gone offline; MSRs are accessed through CPU %u",
		  lost->socket, reg->cpu, other.cpu);
	use_cpu(pmu, lost, other.cpu);
	return true;
}

int pmu_state_reroute(struct pmu_state *pmu, const struct unit *lost, struct error *err)
{
	const struct topology *topology = &pmu->plan->machine->topology;
	const struct reg *reg = probe_register(pmu, lost);
	char name[UNIT_NAME_SIZE];

	for (unsigned spared = 0; reg && spared <= SPARED_MOST; spared++)
		for (size_t i = 0; i < topology->count; i++)
			if (topology->cpus[i].spared == spared &&
			    try_cpu(pmu, lost, reg, &topology->cpus[i]))
				return 0;
	if (!lost->l3_scoped)
		return error_set(err, ERROR_FAILED, -ENXIO, "socket %d: none of its CPUs responds",
				 lost->socket);
	return error_set(err, ERROR_FAILED, -ENXIO, "%s: none of its CPUs responds",
			 unit_name(lost, name));
}
