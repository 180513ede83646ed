/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Faults of a simulated machine. Accesses fail before they reach it: a copy replaces its
 * operations, and those that can fail check the faults first.
 */
#include "tests/sim/faults.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "platform/guard.h"
#include "platform/kernel_stats.h"
#include "platform/reg.h"
#include "sim/sim_cpmu.h"
#include "sim/sim_machine.h"
#include "sim/sim_perf.h"
#include "sim/sim_private.h"
#include "tests/ops_copy.h"
#include "tests/sim/keys.h"
#include "tests/sim/state.h"

/* Value of a unit's control: both resets, without freezing. */
#define UNIT_RESETS UINT64_C(0x300)

struct faults {
	struct ops_copy ops; /* operations of the machine, which is why it is the first member */
	const struct platform_ops *original;
	uint32_t msr;
	int msr_code; /* a negative errno; 0: none */
	bool writes_refused, msr_absent, driver_loaded;
	uint64_t denied_phys, denied_length; /* range of memory that cannot be mapped */
	struct {
		uint64_t ns;
		uint64_t every;	   /* accesses from one pause to the next */
		uint64_t count;	   /* pauses still to come */
		uint64_t accesses; /* accesses so far */
	} pauses;
};

static const struct faults *faults_of(const struct platform *p)
{
	return (const struct faults *)p->ops;
}

static void destroy(struct platform *p)
{
	struct faults *faults = (struct faults *)p->ops;

	faults->original->destroy(p);
	free(faults);
}

static int msr_error(const struct platform *p, const struct reg *reg)
{
	const struct faults *faults = faults_of(p);

	if (reg->space != REG_MSR)
		return 0;
	if (faults->msr_absent)
		return -ENOENT;
	return sim_cpu_online((const struct sim *)p, reg->cpu) && faults->msr == reg->address
		       ? faults->msr_code
		       : 0;
}

/* Holds this program up after an access, before it can read the clock, as limited CPU time does. */
static void hold_up(struct platform *p)
{
	struct faults *faults = (struct faults *)p->ops;
	const struct clock_ops *clock = p->ops->clock;

	if (!faults->pauses.count || ++faults->pauses.accesses % faults->pauses.every)
		return;
	faults->pauses.count--;
	clock->sleep_until(p, clock->now(p) + faults->pauses.ns, NULL, NULL);
}

static int read_register(struct platform *p, const struct reg *reg, uint64_t *value)
{
	int rc = msr_error(p, reg);

	if (!rc)
		rc = faults_of(p)->original->registers->read(p, reg, value);
	hold_up(p);
	return rc;
}

static int msr_may_write(struct platform *p, unsigned cpu)
{
	return faults_of(p)->writes_refused
		       ? -EPERM
		       : faults_of(p)->original->registers->msr_may_write(p, cpu);
}

static int write_register(struct platform *p, const struct reg *reg, uint64_t value)
{
	int rc = msr_error(p, reg);

	if (!rc && reg->space == REG_MSR && sim_cpu_online(sim_of(p), reg->cpu))
		rc = msr_may_write(p, reg->cpu);
	if (!rc)
		rc = faults_of(p)->original->registers->write(p, reg, value);
	hold_up(p);
	return rc;
}

/* Adds kinds of errors that few devices have. */
static int device_stats(struct platform *p, const struct cxl_device *device, uint64_t wall_ns,
			struct device_stats *out)
{
	const struct test_values values = test_values_of(&sim_of(p)->spec);
	const struct {
		enum kernel_stat severity;
		const char *kind;
		double rate;
	} errors[] = {{AER_CORRECTABLE, "NonFatalErr", values.aer_advisory},
		      {AER_CORRECTABLE, "CorrIntErr", values.aer_internal},
		      {AER_NONFATAL, "UnsupReq", values.aer_unsupported}};
	const int rc = faults_of(p)->original->cxl->stats(p, device, wall_ns, out);

	for (size_t e = 0; !rc && e < sizeof(errors) / sizeof(errors[0]); e++) {
		const uint64_t t = sim_time_of(sim_of(p), wall_ns);
		const double count = floor(errors[e].rate * (double)t / NS_PER_S);

		out->kernel.values[errors[e].severity] += count;
		if (count > 0)
			aer_kinds_add(&out->kinds, errors[e].severity, errors[e].kind, count);
	}
	return rc;
}

static int mmio_map(struct platform *p, uint64_t phys, size_t length, bool writable,
		    struct mmio_window *out, struct error *err)
{
	const struct faults *faults = faults_of(p);

	if (phys < faults->denied_phys + faults->denied_length &&
	    phys + length > faults->denied_phys)
		return error_set(err, ERROR_PERMISSION, -EPERM,
				 "mmio 0x%" PRIx64 ": cannot be mapped: denied by this simulation",
				 phys);
	return faults->original->registers->mmio_map(p, phys, length, writable, out, err);
}

static bool has_faults(const struct sim *sim)
{
	return sim->base.ops->destroy == destroy;
}

/* Returns the faults of a machine, which it has from now on. */
static struct faults *get_faults(struct sim *sim)
{
	struct faults *faults;

	if (has_faults(sim))
		return (struct faults *)sim->base.ops;
	faults = calloc(1, sizeof(*faults));
	if (!faults)
		abort();
	ops_copy_init(&faults->ops, sim->base.ops);
	faults->original = sim->base.ops;
	faults->ops.ops.destroy = destroy;
	faults->ops.registers.read = read_register;
	faults->ops.registers.write = write_register;
	faults->ops.registers.msr_may_write = msr_may_write;
	faults->ops.registers.mmio_map = mmio_map;
	sim->base.ops = &faults->ops.ops;
	return faults;
}

void sim_set_access_time(struct sim *sim, uint64_t ns)
{
	sim->access_time = ns;
}

void sim_set_pauses(struct sim *sim, uint64_t every, uint64_t count, uint64_t ns)
{
	struct faults *faults = get_faults(sim);

	faults->pauses.ns = ns;
	faults->pauses.every = every;
	faults->pauses.count = count;
	faults->pauses.accesses = 0;
}

uint64_t sim_pauses_left(struct sim *sim)
{
	return get_faults(sim)->pauses.count;
}

void sim_set_errors(struct sim *sim)
{
	get_faults(sim)->ops.cxl.stats = device_stats;
}

static struct sim_unit *find_by_id(struct sim *sim, unsigned socket, unsigned type, unsigned id)
{
	for (size_t i = 0; i < sim->unit_count; i++) {
		struct sim_unit *unit = &sim->units[i];

		if (unit->socket == socket && unit->type == type && unit->id == id)
			return unit;
	}
	return NULL;
}

int sim_set_unit_dead(struct sim *sim, unsigned socket, unsigned type, unsigned id, bool dead)
{
	struct sim_unit *unit = find_by_id(sim, socket, type, id);

	if (!unit)
		return -ENOENT;
	sim_perf_catch_up(sim);
	unit->dead = dead;
	return 0;
}

int sim_set_unit_still(struct sim *sim, unsigned socket, unsigned type, unsigned id, bool still)
{
	struct sim_unit *unit = find_by_id(sim, socket, type, id);

	if (!unit)
		return -ENOENT;
	sim_perf_catch_up(sim);
	/* adds its counts to the base */
	sim_unit_write(sim, unit, 0, unit->control);
	unit->still = still ? UINT32_MAX : 0;
	return 0;
}

int sim_set_counter(struct sim *sim, unsigned socket, unsigned type, unsigned id, unsigned counter,
		    uint64_t value)
{
	struct sim_unit *unit = find_by_id(sim, socket, type, id);

	if (!unit || counter >= unit->counters)
		return -ENOENT;
	sim_perf_catch_up(sim);
	return sim_unit_write(sim, unit, unit->counter_offset + unit->counter_step * counter, value)
		       ? 0
		       : -ENOENT;
}

int sim_set_cpmu_dead(struct sim *sim, size_t index, bool dead)
{
	if (index >= sim->cpmu_count)
		return -ENOENT;
	sim_perf_catch_up(sim);
	sim->cpmus[index].dead = dead;
	return 0;
}

void sim_set_msr_fault(struct sim *sim, uint32_t msr, int code)
{
	get_faults(sim)->msr = msr;
	get_faults(sim)->msr_code = code;
}

void sim_set_writes_refused(struct sim *sim, bool refused)
{
	get_faults(sim)->writes_refused = refused;
}

void sim_set_perf_denied(struct sim *sim, bool denied)
{
	sim->spec.paranoid = denied ? 2 : 0;
}

void sim_set_msr_absent(struct sim *sim, bool absent)
{
	get_faults(sim)->msr_absent = absent;
}

void sim_set_memory_denied(struct sim *sim, uint64_t phys, uint64_t length)
{
	get_faults(sim)->denied_phys = phys;
	get_faults(sim)->denied_length = length;
}

/* Resets all units of a die, as the kernel's uncore_box_init(). AMD's driver does not. */
static void reset_die(struct sim *sim, unsigned socket, unsigned die)
{
	for (size_t u = 0; u < sim->unit_count; u++)
		if (sim->units[u].socket == socket && sim->units[u].cpu_die == die &&
		    sim_unit_rules(&sim->units[u])->unit_control)
			sim_unit_write(sim, &sim->units[u], 0, UNIT_RESETS);
}

/* Stops all groups that count on these counters for good. */
static void drop_groups(struct sim *sim, const void *counters)
{
	for (struct sim_domain *domain = sim->perf->domains; domain; domain = domain->next)
		for (struct sim_group *group = domain->counters == counters ? domain->groups : NULL;
		     group; group = group->next) {
			sim_group_stop(sim, group);
			group->enabled = false;
			group->dropped = true;
		}
}

/*
 * Drops the events of a CPU that has gone offline, and of a die without other CPUs, as the kernel
 * does.
 */
static void drop_events(struct sim *sim, unsigned cpu)
{
	if (!sim->perf)
		return;
	drop_groups(sim, &sim->cores[cpu]);
	for (size_t i = 0; i < sim->unit_count; i++)
		if (sim_unit_is_served(&sim->units[i], &sim->cores[cpu]) &&
		    sim_unit_first_cpu(sim, &sim->units[i]) < 0)
			drop_groups(sim, &sim->units[i]);
}

void sim_set_cpu_online(struct sim *sim, unsigned cpu, bool online)
{
	if (cpu >= sim->core_count)
		return;
	const unsigned socket = sim->cores[cpu].socket, die = sim->cores[cpu].die;
	const bool first = online && !sim_die_online(sim, socket, die);

	sim_perf_catch_up(sim);
	sim->cores[cpu].online = online;
	if (!online)
		drop_events(sim, cpu);
	if (first && has_faults(sim) && get_faults(sim)->driver_loaded)
		reset_die(sim, socket, die);
}

void sim_load_driver(struct sim *sim)
{
	sim_perf_catch_up(sim);
	get_faults(sim)->driver_loaded = true;
	for (unsigned socket = 0; socket < sim->socket_count; socket++)
		for (unsigned die = 0; die < sim->spec.dies; die++)
			if (sim_die_online(sim, socket, die))
				reset_die(sim, socket, die);
}

/* Sets registers as after a power cycle: all 0, except those that firmware sets. */
void sim_suspend(struct sim *sim, uint64_t ns)
{
	sim_perf_catch_up(sim);
	const uint64_t at = sim->now;

	sim->suspended += ns;
	/*
	 * core building blocks are then frozen; so are all tables of a snapshot, which does not
	 * name them
	 */
	for (size_t i = 0; i < sim->global_count; i++)
		sim->globals[i].value = i >= sim->socket_count &&
					(sim->snapshot || sim->globals[i].die >= SIM_IMHS);
	for (size_t u = 0; u < sim->unit_count; u++) {
		struct sim_unit *unit = &sim->units[u];

		unit->control = 0;
		memset(unit->controls, 0, sizeof(unit->controls));
		for (unsigned i = 0; i < SIM_MAX_COUNTERS; i++)
			unit->counter[i] = (struct sim_counter){.since = at};
	}
	for (size_t i = 0; i < sim->cpmu_count; i++)
		sim_reset_cpmu(sim, &sim->cpmus[i]);
	for (size_t c = 0; c < sim->core_count; c++) {
		struct sim_core *core = &sim->cores[c];

		*core = (struct sim_core){
			.socket = core->socket,
			.node = core->node,
			.die = core->die,
			.l3 = core->l3,
			.table = core->table,
			.online = core->online,
			.isolated = core->isolated,
			.first_thread = core->first_thread,
			.stalls = core->stalls,
			.kernel_node = core->kernel_node,
			.misc_enable = core->misc_enable,
		};
		for (unsigned x = 0; x < SIM_GENERAL_COUNTERS; x++)
			core->general[x].since = at;
		for (unsigned n = 0; n < SIM_FIXED_COUNTERS; n++)
			core->fixed[n].since = at;
	}
}

void sim_pass(struct sim *sim, uint64_t ns)
{
	if (sim->spec.virtual_clock)
		sim->virtual_now += ns;
	else
		sim->start -= ns;
}

void sim_set_hypervisor(struct sim *sim, const char *name)
{
	snprintf(sim->hypervisor, sizeof(sim->hypervisor), "%s", name);
}
