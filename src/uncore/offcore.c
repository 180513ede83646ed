/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/offcore.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>

#include "platform/cpus.h"
#include "uncore/units/core_unit.h"

/* A register of a CPU's core. */
struct offcore {
	uint64_t planned; /* value that a thread of the core will write; 0: none will */
	uint64_t held;	  /* value that it holds now */
};

/* Returns the value that a thread of the unit's core will write to register r; 0: none will. */
static uint64_t find_planned(const struct machine *m, const struct unit *unit, unsigned r)
{
	const struct cpu_location *x = &m->topology.cpus[unit - m->cpus];

	for (size_t i = 0; i < m->cpu_count; i++) {
		const struct cpu_location *y = &m->topology.cpus[i];
		const bool same_core =
			x == y || (x->socket == y->socket && x->core == y->core && x->core >= 0);

		if (same_core && m->cpus[i].core && m->cpus[i].core->offcore[r])
			return m->cpus[i].core->offcore[r];
	}
	return 0;
}

static int read_registers(const struct machine *m, const struct unit *unit,
			  struct offcore registers[OFFCORE_REGISTERS], struct error *err)
{
	int rc = 0;

	for (unsigned r = 0; !rc && r < OFFCORE_REGISTERS; r++) {
		const struct reg reg = reg_msr(unit->cpu, IA32_OFFCORE_RSP_0 + r);

		registers[r].planned = find_planned(m, unit, r);
		rc = reg_read(m->platform, &reg, &registers[r].held, err);
	}
	return rc;
}

/* Classes of registers, best first. Another thread's value makes a register unsuitable. */
enum suitable {
	IS_PLANNED, /* planned by another thread: suitable if with the same value */
	IS_HELD,    /* holds the value already */
	IS_FREE,
	IS_FOREIGN, /* another program has set it */
};

static enum suitable register_suitable(const struct offcore *o, uint64_t value)
{
	return o->planned	  ? IS_PLANNED
	       : o->held == value ? IS_HELD
	       : !o->held	  ? IS_FREE
				  : IS_FOREIGN;
}

/* Returns the best register; OFFCORE_REGISTERS: none. */
static unsigned choose_register(const struct unit *unit,
				const struct offcore registers[OFFCORE_REGISTERS], uint64_t value)
{
	const enum suitable last = unit->ownership == OWNERSHIP_FORCE ? IS_FOREIGN : IS_FREE;

	for (enum suitable s = IS_PLANNED; s <= last; s++)
		for (unsigned r = 0; r < OFFCORE_REGISTERS; r++)
			if (register_suitable(&registers[r], value) == s &&
			    (s != IS_PLANNED || registers[r].planned == value))
				return r;
	return OFFCORE_REGISTERS;
}

static int none_left(const struct unit *unit, const struct event *event,
		     const struct offcore registers[OFFCORE_REGISTERS], struct error *err)
{
	if (registers[0].planned && registers[1].planned)
		return error_set(err, ERROR_USAGE, -ENOSPC,
				 "cpu %u: no offcore response register is left for %s: a core has "
				 "two, and other events need them",
				 unit->cpu, event->name);
	return error_set(err, ERROR_IN_USE, -EBUSY,
			 "cpu %u: no offcore response register is left for %s: another program has "
			 "set them (IA32_OFFCORE_RSP_0 holds 0x%" PRIx64
			 ", IA32_OFFCORE_RSP_1 0x%" PRIx64
			 "); --force takes them over and restores them on exit",
			 unit->cpu, event->name, registers[0].held, registers[1].held);
}

int offcore_claim(struct machine *machine, struct unit *unit, const struct event *event,
		  struct error *err)
{
	struct offcore registers[OFFCORE_REGISTERS];

	if (unit_can_count(unit, event))
		return 0;
	int rc = machine_allow_offcore(machine, err);
	if (!rc)
		rc = read_registers(machine, unit, registers, err);
	if (rc)
		return rc;
	const unsigned r = choose_register(unit, registers, event->offcore_rsp);
	if (r == OFFCORE_REGISTERS)
		return none_left(unit, event, registers, err);
	unit->core->offcore[r] = event->offcore_rsp;
	return 0;
}
