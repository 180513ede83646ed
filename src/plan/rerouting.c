/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The MSRs of the uncore are the same through each CPU of their socket. Where the one through which
 * they are read goes offline, another takes its place.
 */
#include <errno.h>

#include "plan/plan_parts.h"

static bool is_uncore_of(const struct unit *unit, int socket)
{
	return unit->socket == socket && !unit->core;
}

static bool is_msr_of(const struct plan *plan, const struct slot *slot, int socket)
{
	return slot->counter.space == REG_MSR && is_uncore_of(plan->units[slot->unit].unit, socket);
}

static bool is_gate_of(const struct plan *plan, const struct domain *domain, int socket)
{
	return domain->freezes && domain->freeze.space == REG_MSR &&
	       is_uncore_of(plan->units[domain->first_unit].unit, socket);
}

/* A register of the socket that any of its CPUs can show; NULL: none is used. */
static const struct reg *witness(const struct plan *plan, int socket)
{
	for (size_t d = 0; d < plan->domain_count; d++)
		if (is_gate_of(plan, &plan->domains[d], socket))
			return &plan->domains[d].freeze;
	for (size_t s = 0; s < plan->slot_count; s++)
		if (is_msr_of(plan, &plan->slots[s], socket))
			return &plan->slots[s].counter;
	return NULL;
}

static void use_cpu(struct plan *plan, int socket, unsigned cpu)
{
	for (size_t s = 0; s < plan->slot_count; s++)
		if (is_msr_of(plan, &plan->slots[s], socket))
			plan->slots[s].counter.cpu = cpu;
	for (size_t d = 0; d < plan->domain_count; d++)
		if (is_gate_of(plan, &plan->domains[d], socket))
			plan->domains[d].freeze.cpu = cpu;
	for (size_t u = 0; u < plan->unit_count; u++)
		if (is_uncore_of(plan->units[u].unit, socket))
			plan->units[u].unit->cpu = cpu;
	for (size_t i = 0; i < plan->socket_count; i++)
		if (plan->sockets[i].socket == socket)
			plan->sockets[i].reg.cpu = cpu;
}

int plan_reroute(struct plan *plan, int socket, struct error *err)
{
	const struct topology *topology = &plan->machine->topology;
	const struct reg *reg = witness(plan, socket);
	struct platform *p = plan->machine->platform;

	for (size_t i = 0; reg && i < topology->count; i++) {
		struct reg other = *reg;
		uint64_t ignored;

		other.cpu = topology->cpus[i].cpu;
		if (topology->cpus[i].socket != socket || other.cpu == reg->cpu ||
		    reg_read(p, &other, &ignored, NULL))
			continue;
		log_write(
			&p->log, LEVEL_WARNING,
			"socket %d: CPU %u has gone offline; its counters are read through CPU %u",
			socket, reg->cpu, other.cpu);
		use_cpu(plan, socket, other.cpu);
		return 0;
	}
	return error_set(err, EXIT_FAILED, -ENXIO, "socket %d: no CPU of it answers any more",
			 socket);
}
