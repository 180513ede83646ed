/* SPDX-License-Identifier: BSD-3-Clause */
/* What a plan writes to its units, and puts back. */
#include <errno.h>
#include <inttypes.h>

#include "plan/plan_parts.h"

/*
 * An uncore runs at 0.8 GHz or more (its lowest ratio), so its clock ticks hundreds of times in a
 * microsecond. A machine made of files copies its registers every 0.2 ms.
 */
#define SETTLE_NS 1000
#define PATIENCE  UINT64_C(10000000)

/* Says so where the socket was left frozen. */
static int look_at_freeze(struct plan *plan, struct socket_freeze *freeze, struct error *err)
{
	struct platform *p = plan->machine->platform;
	char name[REG_NAME_SIZE];
	int rc = reg_read(p, &freeze->reg, &freeze->saved, err);

	if (rc)
		return rc;
	if (freeze->saved & PLAN_FREEZE)
		log_write(&p->log, LEVEL_WARNING,
			  "socket %d: its uncore counters were left frozen (%s holds 0x%" PRIx64
			  "); they run while cxlmon does, and are frozen again at its end",
			  freeze->socket, reg_name(&freeze->reg, name), freeze->saved);
	freeze->step = plan->undo.count;
	rc = machine_allow_freeze(plan->machine, err);
	return rc ? rc : undo_add(&plan->undo, &freeze->reg, freeze->saved, freeze->socket, err);
}

/* The counters that some group of a unit uses. */
static uint32_t counters_of(const struct plan *plan, const struct plan_unit *pu)
{
	uint32_t counters = 0;

	for (size_t g = pu->first_group; g < pu->first_group + pu->group_count; g++)
		for (unsigned i = 0; i < UNIT_MAX_COUNTERS; i++)
			counters |= (uint32_t) !!plan->groups[g].controls[i] << i;
	return counters;
}

/* 1: somebody uses it, and it is taken. */
static int look_at_unit(struct plan *plan, struct plan_unit *pu, struct error *err)
{
	pu->first_step = plan->undo.count;
	int rc = unit_save(plan->machine->platform, pu->unit, counters_of(plan, pu), &plan->undo,
			   err);
	pu->step_count = plan->undo.count - pu->first_step;
	return rc;
}

static void report_taken(const struct plan *plan, size_t taken, const struct error *first)
{
	if (taken)
		log_write(&plan->machine->platform->log, LEVEL_WARNING,
			  "%zu unit%s of others taken, and put back at the end; the first was: %s",
			  taken, taken == 1 ? " is" : "s are", first->text);
}

/* A socket's MSRs are reached through this CPU, and through the next one where it goes offline. */
static void open_cpus(const struct plan *plan, int socket, unsigned cpu)
{
	const struct topology *topology = &plan->machine->topology;
	struct platform *p = plan->machine->platform;
	size_t i = 0;

	if (!p->ops->msr_open)
		return;
	while (i < topology->count &&
	       (topology->cpus[i].socket != socket || topology->cpus[i].cpu == cpu))
		i++;
	p->ops->msr_open(p, cpu);
	if (i < topology->count)
		p->ops->msr_open(p, topology->cpus[i].cpu);
}

bool plan_open_ahead(const struct plan *plan)
{
	bool msrs = false;

	for (size_t u = 0; u < plan->unit_count; u++) {
		const struct unit *unit = plan->units[u].unit;

		msrs |= unit->access == ACCESS_MSR;
		/* nobody else stands in for the PMU of a CPU */
		if (unit->access == ACCESS_MSR && !unit->core)
			open_cpus(plan, unit->socket, unit->cpu);
	}
	return msrs;
}

static int look_first(struct plan *plan, struct error *err)
{
	struct error used = {0};
	size_t taken = 0;
	int rc = 0;

	plan->undo.count = 0;
	for (size_t u = 0; rc >= 0 && u < plan->unit_count; u++) {
		rc = look_at_unit(plan, &plan->units[u], err);
		if (rc > 0 && !taken++)
			used = *err;
	}
	for (size_t i = 0; rc >= 0 && plan->msrs && i < plan->socket_count; i++)
		rc = look_at_freeze(plan, &plan->sockets[i], err);
	if (rc < 0)
		return rc;
	report_taken(plan, taken, &used);
	return plan->keep ? plan->keep(plan->keep_context, &plan->undo, err) : 0;
}

/* Programs a group. The unit's own gate is opened where another holds it, or none. */
static int program_unit(struct plan *plan, const struct plan_unit *pu, size_t group,
			const struct domain *domain, struct error *err)
{
	struct platform *p = plan->machine->platform;
	int rc = unit_program(p, pu->unit, plan->groups[pu->first_group + group].controls, err);

	if (!rc && (!domain->freezes || (plan->global && !pu->unit->core)))
		rc = unit_unfreeze(p, pu->unit, err);
	return rc;
}

/* The gate of a CPU is known once what it held has been looked at. */
static void know_gate(const struct plan *plan, struct domain *domain)
{
	const struct unit *unit = plan->units[domain->first_unit].unit;

	if (!unit->core)
		return;
	const struct freeze_control gate = unit_freeze_control(unit);
	domain->freeze = gate.reg;
	domain->stop = gate.stop;
	domain->start = gate.start;
}

static int program_sockets(struct plan *plan, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < plan->socket_count; i++) {
		struct socket_freeze *freeze = &plan->sockets[i];

		/* stopped until the first reading; or, if it is never to be stopped, started */
		if (!plan->global && !(freeze->saved & PLAN_FREEZE))
			continue;
		freeze->touched = true;
		rc = reg_write(plan->machine->platform, &freeze->reg,
			       plan->global ? PLAN_FREEZE : freeze->saved & ~PLAN_FREEZE, err);
	}
	return rc;
}

/* Leaves the domains stopped: by the socket's register where there is one, else by the units'. */
static int program_units(struct plan *plan, struct error *err)
{
	int rc = program_sockets(plan, err);

	for (size_t d = 0; !rc && d < plan->domain_count; d++) {
		struct domain *domain = &plan->domains[d];

		for (size_t i = 0; !rc && i < domain->unit_count; i++) {
			struct plan_unit *pu = &plan->units[domain->first_unit + i];

			pu->programmed = true;
			rc = program_unit(plan, pu, pu->active, domain, err);
		}
		if (!rc)
			know_gate(plan, domain);
	}
	return rc;
}

int plan_reprogram(struct plan *plan, struct error *err)
{
	return program_units(plan, err);
}

/* 1, or an error: then nobody knows what the unit counts until it is programmed as a whole. */
static int retarget(struct plan *plan, struct plan_unit *pu, size_t next, struct error *err)
{
	const struct group *groups = &plan->groups[pu->first_group];
	int rc = unit_update_controls(plan->machine->platform, pu->unit,
				      groups[pu->active].controls, groups[next].controls, err);

	pu->astray = rc;
	return rc ? rc : 1;
}

int plan_turn(struct plan *plan, struct plan_unit *pu, struct domain *domain, struct error *err)
{
	const size_t next = (pu->active + 1) % pu->group_count;
	const bool whole = !pu->spread || !domain->freezes || pu->unit->core || pu->astray;
	int rc = whole ? program_unit(plan, pu, next, domain, err) : retarget(plan, pu, next, err);

	if (rc < 0)
		return rc;
	pu->astray = false;
	pu->active = next;
	know_gate(plan, domain);
	return rc;
}

int plan_program(struct plan *plan, struct error *err)
{
	int rc = look_first(plan, err);

	if (rc)
		return rc;
	rc = program_units(plan, err);
	if (rc)
		plan_restore(plan, NULL);
	return rc;
}

/* The clock of a socket stands still: because it is frozen, or for a reason that nobody documents.
 */
static int thaw_socket(struct plan *plan, struct socket_freeze *freeze, struct error *err)
{
	const struct log *log = &plan->machine->platform->log;
	struct error why = {0};
	open_cpus(plan, freeze->socket, freeze->reg.cpu);
	int rc = look_at_freeze(plan, freeze, &why);

	if (rc || !(freeze->saved & PLAN_FREEZE)) {
		log_write(log, LEVEL_WARNING,
			  "socket %d: its uncore clock stands still, so its counters may, too%s%s",
			  freeze->socket, rc ? "; whether it was left frozen can't be seen: " : "",
			  why.text);
		return 0;
	}
	rc = plan->keep ? plan->keep(plan->keep_context, &plan->undo, err) : 0;
	if (rc)
		return rc;
	freeze->touched = true;
	rc = reg_write(plan->machine->platform, &freeze->reg, freeze->saved & ~PLAN_FREEZE, &why);
	return rc ? error_set(
			    err, EXIT_IN_USE, rc,
			    "socket %d: its uncore counters were left frozen by another program, and "
			    "can't be started: %s",
			    freeze->socket, why.text)
		  : 0;
}

/* Whether the clock has ticked since the counters were started; waits longer each time. */
static int clock_runs(struct platform *p, const struct reg *clock, bool *runs, struct error *err)
{
	uint64_t ticks = 0;
	int signal_number, rc = reg_read(p, clock, &ticks, err);
	sigset_t none;

	sigemptyset(&none);
	for (uint64_t wait = SETTLE_NS; !rc && !ticks && wait <= PATIENCE; wait *= 10) {
		p->ops->sleep_until(p, p->ops->now(p) + wait, &none, &signal_number);
		rc = reg_read(p, clock, &ticks, err);
	}
	*runs = ticks != 0;
	return rc;
}

int plan_thaw(struct plan *plan, struct error *err)
{
	for (size_t i = 0; i < plan->socket_count; i++) {
		struct socket_freeze *freeze = &plan->sockets[i];
		bool runs;

		if (!freeze->clock.bytes)
			continue;
		int rc = clock_runs(plan->machine->platform, &freeze->clock, &runs, err);
		if (!rc && !runs)
			rc = thaw_socket(plan, freeze, err);
		if (rc)
			return rc;
	}
	return 0;
}

static int play(struct plan *plan, size_t first, size_t count, struct error *err)
{
	return undo_apply(plan->machine->platform, &plan->undo.steps[first], count,
			  &plan->machine->topology, err);
}

int plan_restore(struct plan *plan, struct error *err)
{
	int first = 0;

	for (size_t u = plan->unit_count; u-- > 0;) {
		struct plan_unit *pu = &plan->units[u];

		if (!pu->programmed)
			continue;
		int rc = play(plan, pu->first_step, pu->step_count, first ? NULL : err);
		first = first ? first : rc;
		pu->programmed = false;
	}
	for (size_t i = 0; i < plan->socket_count; i++) {
		struct socket_freeze *freeze = &plan->sockets[i];

		if (!freeze->touched)
			continue;
		int rc = play(plan, freeze->step, 1, first ? NULL : err);
		first = first ? first : rc;
		freeze->touched = false;
	}
	return first;
}
