/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Discovery tables, and the units, ports and register accesses made from them. Every register is
 * restored.
 */
#include "msr/core_pmu.h"
#include "platform.h"
#include "platform/cpus.h"
#include "uncore/machine.h"

#define MOST_UNITS 8 /* units that are programmed; the others are only read */

static void check_units(const struct machine *m)
{
	const struct discovery *d = &m->discovery;
	size_t valid = 0;

	for (size_t t = 0; t < d->table_count; t++) {
		valid += d->tables[t].faults[RECORD_VALID];
		fuzz_require(d->tables[t].faults[RECORD_VALID] <= d->tables[t].global.max_units);
	}
	fuzz_require(!d->unit_count == (m->uncore_error.code != 0) && d->unit_count == valid);
	if (m->uncore_error.code)
		fuzz_check_error(m->uncore_error.code, &m->uncore_error);
	for (size_t i = 0; i < d->unit_count; i++) {
		const struct unit *u = &d->units[i], *before = u - 1;
		char name[UNIT_NAME_SIZE];

		fuzz_require(u->counters && u->counters <= UNIT_MAX_COUNTERS);
		fuzz_require(u->width && u->width <= 64);
		fuzz_require(u->usable && !((uint64_t)u->usable >> u->counters));
		fuzz_require(u->socket >= 0 && u->access <= ACCESS_PCI && u->cpu < 4);
		fuzz_require(!u->pmu_type || !u->pmu_type->ignored);
		fuzz_require(fuzz_one_line(unit_name(u, name)));
		/* sorted by type and id, each once in its table */
		if (i && before->socket == u->socket && before->die == u->die)
			fuzz_require(before->type < u->type ||
				     (before->type == u->type && before->id < u->id));
	}
}

/* Tells if a unit belongs to a port. Type numbers of other processors mean nothing on this one. */
static bool is_of_port(const struct unit *unit)
{
	return unit->pmu_type && (pmu_type_is_cxlcm(unit->type) || unit->type == PMU_CXLDP);
}

/* Checks that every CXLCM and CXLDP belongs to one port, and that ports are numbered by socket. */
static void check_ports(const struct machine *m)
{
	size_t units = 0, of_ports = 0;

	for (size_t i = 0; i < m->discovery.unit_count; i++)
		units += is_of_port(&m->discovery.units[i]);
	for (size_t i = 0; i < m->port_count; i++) {
		const struct port *port = &m->ports[i];
		const bool follows = i && m->ports[i - 1].socket == port->socket;

		of_ports += !!port->cxlcm + !!port->cxldp;
		fuzz_require(port->cxlcm || port->cxldp);
		fuzz_require(!port->cxlcm || port->cxlcm->socket == port->socket);
		fuzz_require(!port->cxldp || port->cxldp->socket == port->socket);
		fuzz_require(port->number == (follows ? m->ports[i - 1].number + 1 : 0));
	}
	fuzz_require(of_ports == units);
}

/*
 * Allows only addresses from the unit's base up to 32 counters of 8 bytes after an offset of 8
 * bits.
 */
static void confine(struct fuzz_platform *p, const struct unit *unit)
{
	const uint64_t most = unit->control + 0xff + 8 * UNIT_MAX_COUNTERS;

	fuzz_platform_confine(p, unit->control, most < unit->control ? UINT64_MAX : most);
	p->also_read = unit->pmu_type ? unit->pmu_type->count_msr : 0;
}

/*
 * Checks that all is as before, except the bits of the unit's control that reset it, which are not
 * state, and counters that could not be read.
 */
static void check_restored(const struct fuzz_platform *p, const struct unit *unit)
{
	const uint32_t resets = UNIT_CTL_RESET_CONTROLS | UNIT_CTL_RESET_COUNTERS;
	const uint64_t control = unit->access == ACCESS_MSR ? 8 * unit->control : unit->control;

	for (size_t i = 0; i < p->dword_count; i++) {
		const struct fuzz_dword *d = &p->dwords[i];

		if (d->address == control)
			fuzz_require(d->now == (d->before & ~resets));
		else
			fuzz_require(d->now == d->before || d->before == UINT32_MAX);
	}
}

static bool is_select(uint64_t msr)
{
	return msr >= IA32_PERFEVTSEL0 && msr < IA32_PERFEVTSEL0 + CORE_PMU_MAX_GENERAL;
}

/*
 * Checks the controls of a CPU, whose counters have neither widths nor aliases. Counters that were
 * enabled before are unchanged.
 */
static void check_core_restored(const struct fuzz_platform *p)
{
	for (size_t i = 0; i < p->dword_count; i++) {
		const struct fuzz_dword *d = &p->dwords[i];
		const uint64_t msr = d->address / 8;

		if (is_select(msr) && !(d->address % 8))
			fuzz_require(!(d->before & PERFEVTSEL_EN));
		if (is_select(msr) || msr == IA32_PERF_GLOBAL_CTRL || msr == IA32_FIXED_CTR_CTRL)
			fuzz_require(d->now == d->before);
		else
			fuzz_require(msr != IA32_MISC_ENABLE && msr != IA32_DEBUGCTL);
	}
}

static int program_and_restore(struct fuzz_platform *p, struct unit *unit, struct undo *undo,
			       struct error *err)
{
	uint64_t controls[UNIT_MAX_COUNTERS] = {0};

	for (unsigned i = 0; i < UNIT_MAX_COUNTERS; i++)
		if (unit->usable >> i & 1)
			controls[i] = 0x4130 + i;
	unit->claimed = unit->usable; /* as the plan does */
	int rc = unit_add_ours(unit, controls, undo, err);
	if (!rc)
		rc = unit_program(&p->base, unit, controls, err);
	if (!rc && unit->methods == NULL)
		fuzz_require(unit_controls_intact(&p->base, unit, controls));
	const struct topology nobody = {0};
	struct undo_left left = {0};
	const int restored =
		undo_apply(&p->base, undo, 0, undo->count, &nobody, &left, rc ? NULL : err);
	if (unit->type == PMU_CORE && !restored)
		check_core_restored(p);
	else if (!restored)
		check_restored(p, unit);
	p->dword_count = 0;
	return rc ? rc : restored;
}

static void use_unit(struct fuzz_platform *p, struct unit *unit)
{
	struct undo undo = {0};
	struct error err = {0};
	int rc = unit_open(&p->base, unit, &err);

	if (!rc)
		rc = unit_save(&p->base, unit, unit->usable, &undo, &err);
	fuzz_require(!p->dword_count);
	if (!rc)
		rc = program_and_restore(p, unit, &undo, &err);
	if (rc)
		fuzz_check_error(rc, &err);
	undo_free(&undo);
	unit_close(&p->base, unit);
}

static void use_units(struct fuzz_platform *p, struct machine *m)
{
	for (size_t i = 0; i < m->discovery.unit_count && i < MOST_UNITS; i++) {
		confine(p, &m->discovery.units[i]);
		use_unit(p, &m->discovery.units[i]);
	}
	fuzz_platform_confine(p, 0, UINT32_MAX);
	use_unit(p, &m->cpus[0]);
	fuzz_platform_confine(p, 0, 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	struct fuzz_platform p;
	struct machine machine;
	struct error err = {0};

	fuzz_platform_init(&p, &in);
	int rc = machine_open(&p.base, &machine, &err);
	fuzz_require(!p.windows && !p.dword_count);
	if (rc) {
		fuzz_check_error(rc, &err);
	} else {
		check_units(&machine);
		check_ports(&machine);
		use_units(&p, &machine);
	}
	machine_close(&machine);
	guard_free(&p.base.guard);
	fuzz_require(!p.windows && !p.mapped);
	return 0;
}
