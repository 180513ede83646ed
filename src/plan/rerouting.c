/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Uncore MSRs can be accessed through any CPU of their socket. If the one that is used goes
 * offline, another one replaces it.
 */
#include <errno.h>

#include "plan/programming.h"

static bool is_uncore_of(const struct plan *plan, size_t u, int socket)
{
	const struct unit *unit = plan->units[u].unit;

	return unit->socket == socket && !unit->core;
}

static bool is_counter_of(const struct programming *pr, size_t s, int socket)
{
	return pr->counters[s].space == REG_MSR &&
	       is_uncore_of(pr->plan, pr->plan->slots[s].unit, socket);
}

static bool is_freeze_of(const struct programming *pr, size_t d, int socket)
{
	return pr->domains[d].freezes && pr->domains[d].reg.space == REG_MSR &&
	       is_uncore_of(pr->plan, pr->plan->domains[d].first_unit, socket);
}

/* A register to try other CPUs of the socket with; NULL: no MSR of it is used. */
static const struct reg *probe_register(const struct programming *pr, int socket)
{
	for (size_t d = 0; d < pr->plan->domain_count; d++)
		if (is_freeze_of(pr, d, socket))
			return &pr->domains[d].reg;
	for (size_t s = 0; s < pr->plan->slot_count; s++)
		if (is_counter_of(pr, s, socket))
			return &pr->counters[s];
	return NULL;
}

static void use_cpu(struct programming *pr, int socket, unsigned cpu)
{
	const struct plan *plan = pr->plan;

	for (size_t s = 0; s < plan->slot_count; s++)
		if (is_counter_of(pr, s, socket))
			pr->counters[s].cpu = cpu;
	for (size_t d = 0; d < plan->domain_count; d++)
		if (is_freeze_of(pr, d, socket))
			pr->domains[d].reg.cpu = cpu;
	for (size_t u = 0; u < plan->unit_count; u++)
		if (is_uncore_of(plan, u, socket))
			plan->units[u].unit->cpu = cpu;
	for (size_t i = 0; i < plan->socket_count; i++)
		if (plan->sockets[i].socket == socket)
			pr->sockets[i].reg.cpu = cpu;
}

int programming_reroute(struct programming *pr, int socket, struct error *err)
{
	const struct topology *topology = &pr->plan->machine->topology;
	const struct reg *reg = probe_register(pr, socket);

	for (size_t i = 0; reg && i < topology->count; i++) {
		struct reg other = *reg;
		uint64_t ignored;

		other.cpu = topology->cpus[i].cpu;
		if (topology->cpus[i].socket != socket || other.cpu == reg->cpu ||
		    reg_read(pr->platform, &other, &ignored, NULL))
			continue;
		log_write(&pr->platform->log, LEVEL_WARNING,
			  "socket %d: CPU %u has gone offline; MSRs are accessed through CPU %u",
			  socket, reg->cpu, other.cpu);
		use_cpu(pr, socket, other.cpu);
		return 0;
	}
	return error_set(err, EXIT_FAILED, -ENXIO, "socket %d: none of its CPUs responds", socket);
}
