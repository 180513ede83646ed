/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/units/amd_unit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "platform/cpus.h"
#include "platform/guard.h"
#include "uncore/units/core_unit.h"

#define PAIR 2 /* registers: a control, and its counter */

static bool is_time_stamp(const struct unit *unit, unsigned i)
{
	return unit->type == PMU_CORE && i == CORE_COUNTER_TSC;
}

static struct reg msr_of(const struct unit *unit, uint64_t address)
{
	return reg_msr(unit->cpu, address);
}

static struct reg amd_counter(const struct unit *unit, unsigned i)
{
	if (is_time_stamp(unit, i))
		return msr_of(unit, IA32_TIME_STAMP_COUNTER);
	return msr_of(unit, unit_counter_control(unit, i).address + 1);
}

static uint64_t amd_counter_mask(const struct unit *unit, unsigned i)
{
	return is_time_stamp(unit, i) ? UINT64_MAX : (UINT64_C(1) << AMD_COUNTER_BITS) - 1;
}

/* Returns the value of a control register that selects an event; 0: the counter does not count. */
static uint64_t enabled_control(const struct unit *unit, unsigned i, uint64_t control)
{
	(void)i;
	return control ? control | unit->pmu_type->enable : 0;
}

static int in_use(const struct unit *unit, unsigned i, uint64_t control, struct error *err)
{
	char what[64];

	snprintf(what, sizeof(what), "control, MSR 0x%" PRIx64 ",",
		 unit_counter_control(unit, i).address);
	return unit_in_use(unit, i - unit->registers.first, what, control, "perf", err);
}

/* Sets bit i of *busy if counter i of these is enabled; *err names the first. */
static int find_busy(struct platform *p, const struct unit *unit, uint32_t counters, uint32_t *busy,
		     struct error *err)
{
	*busy = 0;
	for (unsigned i = 0; i < UNIT_MAX_COUNTERS; i++) {
		const struct reg control = unit_counter_control(unit, i);
		uint64_t value;

		if (!unit_has_control(unit, counters, i))
			continue;
		int rc = reg_read(p, &control, &value, err);
		if (rc)
			return rc;
		if (!(value & unit->pmu_type->enable))
			continue;
		if (!*busy)
			in_use(unit, i, value, err);
		*busy |= UINT32_C(1) << i;
	}
	return 0;
}

static int allow_register(struct platform *p, uint64_t address, uint64_t mask, uint64_t denied,
			  const char *what, struct error *err)
{
	const struct reg reg = reg_msr(0, address);
	const struct guard_rule rule = {.mask = mask, .denied = denied, .what = what};

	return guard_allow_registers(&p->guard, &reg, 1, rule, err);
}

static int allow_core(struct platform *p, const struct unit *unit, struct error *err)
{
	int rc = allow_register(p, IA32_TIME_STAMP_COUNTER, 0, 0, "time stamp counter", err);

	if (!rc && unit->has_global_ctl)
		rc = allow_register(p, AMD_PERF_CNTR_GLOBAL_CTL,
				    unit->controlled >> unit->registers.first, 0,
				    "PerfCntrGlobalCtl", err);
	return rc;
}

/* Returns a mask of the first counters of the unit; bit i: counter i. */
static uint32_t mask_of(const struct unit *unit, unsigned counters)
{
	return (counters < UNIT_MAX_COUNTERS ? (UINT32_C(1) << counters) - 1 : UINT32_MAX)
	       << unit->registers.first;
}

static int find_core_counters(struct platform *p, struct unit *unit, struct error *err)
{
	struct amd_counters counters;
	int rc = amd_counters_of_core(p, unit->cpu, &counters, err);

	if (rc)
		return rc;
	unit->controlled = mask_of(unit, counters.core);
	unit->has_global_ctl = counters.perfmon_v2;
	return 0;
}

/*
 * Allows the bits of a control that select an event or enable the counter, but not the interrupt's.
 */
static int allow_pairs(struct platform *p, const struct unit *unit, struct error *err)
{
	const bool core = unit->type == PMU_CORE;
	const uint64_t bits = control_mask(pmu_type_layout(unit->pmu_type)) |
			      (core ? PERFEVTSEL_USR | PERFEVTSEL_OS : 0) | unit->pmu_type->enable;
	int rc = core ? allow_core(p, unit, err) : 0;

	for (unsigned i = 0; !rc && i < UNIT_MAX_COUNTERS; i++) {
		if (!unit_has_control(unit, UINT32_MAX, i))
			continue;
		const uint64_t control = unit_counter_control(unit, i).address;

		rc = allow_register(p, control, bits, ~bits, "counter control", err);
		if (!rc)
			rc = allow_register(p, control + 1, amd_counter_mask(unit, 0), 0, "counter",
					    err);
	}
	return rc;
}

static int amd_allow(struct platform *p, const struct unit *unit, struct error *err)
{
	struct unit known = *unit;
	int rc = unit->type == PMU_CORE ? find_core_counters(p, &known, err) : 0;

	return rc ? rc : allow_pairs(p, &known, err);
}

/* Reading a control finds out whether there is such a unit; in a guest it faults. */
static int amd_open(struct platform *p, struct unit *unit, struct error *err)
{
	int rc = unit->type == PMU_CORE ? find_core_counters(p, unit, err) : 0;
	const uint32_t all = unit->controlled;
	const uint32_t read = unit->ownership == OWNERSHIP_SHARE ? all : mask_of(unit, 1);
	uint32_t busy = 0;

	if (!rc)
		rc = find_busy(p, unit, read, &busy, err);
	if (!rc && unit->ownership == OWNERSHIP_SHARE && busy == all)
		rc = -EBUSY;
	if (!rc)
		rc = allow_pairs(p, unit, err);
	if (rc)
		return rc;
	unit->busy = unit->ownership == OWNERSHIP_SHARE ? busy : 0;
	unit->usable = (all & ~unit->busy) | (unit->type == PMU_CORE ? CORE_TSC : 0);
	return 0;
}

/* Nothing is written for a counter whose bit is set already. */
static int save_global_bit(struct platform *p, const struct unit *unit, unsigned i, size_t decides,
			   struct undo *undo, struct error *err)
{
	struct undo_step step =
		unit_undo_step(unit, msr_of(unit, AMD_PERF_CNTR_GLOBAL_CTL), 0, UNDO_IF_CONTROL);
	int rc = reg_read(p, &step.reg, &step.value, err);

	step.mask = UINT64_C(1) << (i - CORE_COUNTER_GENERAL);
	step.control = decides;
	return rc || step.value & step.mask ? rc : undo_add(undo, &step, err);
}

/*
 * Refuses counters that another run will restore. It uses them all the time, even while the group
 * that it counts has no event for one, whose control is 0 then.
 */
static int check_others(const struct unit *unit, uint32_t counters, const struct undo *undo,
			struct error *err)
{
	const struct cpu_location place = {
		.cpu = unit->cpu, .socket = unit->socket, .l3 = unit->l3_scoped ? unit->l3 : -1};
	char name[UNIT_NAME_SIZE];

	for (unsigned i = 0; undo->others && i < UNIT_MAX_COUNTERS; i++) {
		const struct reg control = unit_counter_control(unit, i);

		if (unit_has_control(unit, counters, i) &&
		    undo_mask(undo->others, &control, &place))
			return error_set(
				err, ERROR_IN_USE, -EBUSY,
				"%s: another cxlmon multiplexes events on counter %u: wait "
				"until it ends, or ask it for fewer metrics (-m); --force "
				"takes the counter over and restores it on exit",
				unit_name(unit, name), i - unit->registers.first);
	}
	return 0;
}

static int save_control(struct platform *p, const struct unit *unit, unsigned i, struct undo *undo,
			struct error *err)
{
	const struct reg control = unit_counter_control(unit, i);
	const size_t step_number = undo->count;
	struct undo_step step = unit_undo_step(unit, control, 0, UNDO_IF_OURS);
	int rc = reg_read(p, &control, &step.value, err);

	if (!rc)
		rc = undo_add(undo, &step, err);
	/* the control while a group without this counter is counted */
	return rc ? rc : undo_add_value(undo, step_number, 0, err);
}

/* Adds the step of a counter; decides is the number of its control's step. */
static int save_counter(struct platform *p, const struct unit *unit, unsigned i, size_t decides,
			struct undo *undo, struct error *err)
{
	const struct reg counter = amd_counter(unit, i);
	struct undo_step step = unit_undo_step(unit, counter, 0, UNDO_IF_CONTROL);
	int rc = reg_read(p, &counter, &step.value, err);

	step.control = decides;
	/* a saturated counter has a bit above its width, which cannot be written */
	step.value &= amd_counter_mask(unit, i);
	return rc ? rc : undo_add(undo, &step, err);
}

/* Saves the control first, so that the counter is stopped when it is restored. */
static int save_pair(struct platform *p, const struct unit *unit, unsigned i, struct undo *undo,
		     struct error *err)
{
	const size_t decides = undo->count;
	int rc = save_control(p, unit, i, undo, err);

	if (!rc)
		rc = save_counter(p, unit, i, decides, undo, err);
	return rc || !unit->has_global_ctl ? rc : save_global_bit(p, unit, i, decides, undo, err);
}

/*
 * Saves all counters first: they take writes while controls of this run are enabled. Events until
 * each is stopped are counted in it.
 */
static int save_gated(struct platform *p, const struct unit *unit, uint32_t counters,
		      struct undo *undo, struct error *err)
{
	size_t decides = undo->count + (size_t)__builtin_popcount(counters & unit->controlled);
	int rc = 0;

	for (unsigned i = 0; !rc && i < UNIT_MAX_COUNTERS; i++)
		if (unit_has_control(unit, counters, i))
			rc = save_counter(p, unit, i, decides++, undo, err);
	for (unsigned i = 0; !rc && i < UNIT_MAX_COUNTERS; i++)
		if (unit_has_control(unit, counters, i))
			rc = save_control(p, unit, i, undo, err);
	return rc;
}

static int save_pairs(struct platform *p, const struct unit *unit, uint32_t counters,
		      struct undo *undo, struct error *err)
{
	int rc = 0;

	for (unsigned i = 0; !rc && i < UNIT_MAX_COUNTERS; i++)
		if (unit_has_control(unit, counters, i))
			rc = save_pair(p, unit, i, undo, err);
	return rc;
}

static int amd_save(struct platform *p, const struct unit *unit, uint32_t counters,
		    struct undo *undo, struct error *err)
{
	uint32_t busy = 0;
	int rc = unit->ownership == OWNERSHIP_SHARE ? check_others(unit, counters, undo, err)
						    : find_busy(p, unit, counters, &busy, err);

	if (rc || (busy && unit->ownership != OWNERSHIP_FORCE))
		return rc ? rc : -EBUSY;
	undo_begin_unit(undo);
	rc = unit->pmu_type->gated ? save_gated(p, unit, counters, undo, err)
				   : save_pairs(p, unit, counters, undo, err);
	return rc ? rc : busy != 0;
}

static uint64_t global_bits(const struct unit *unit)
{
	return (unit->claimed & unit->controlled) >> CORE_COUNTER_GENERAL;
}

/*
 * Enables the counters in this register, which other programs share: a CPU's counter counts only
 * with its bit there.
 */
static int enable_globally(struct platform *p, const struct unit *unit, struct error *err)
{
	const struct reg reg = msr_of(unit, AMD_PERF_CNTR_GLOBAL_CTL);
	const uint64_t wanted = global_bits(unit);
	uint64_t value;
	int rc = reg_read(p, &reg, &value, err);

	if (!rc && wanted & ~value)
		rc = reg_write(p, &reg, value | wanted, err);
	return rc;
}

/* Writes controls of the claimed counters; controls NULL stops all. */
static int write_controls(struct platform *p, const struct unit *unit, const uint64_t *controls,
			  struct error *err)
{
	int rc = 0;

	for (unsigned i = 0; !rc && i < UNIT_MAX_COUNTERS; i++) {
		const struct reg control = unit_counter_control(unit, i);

		if (unit_has_control(unit, unit->claimed, i))
			rc = reg_write(p, &control,
				       controls ? enabled_control(unit, i, controls[i]) : 0, err);
	}
	return rc;
}

static int clear_counters(struct platform *p, const struct unit *unit, struct error *err)
{
	int rc = 0;

	for (unsigned i = 0; !rc && i < UNIT_MAX_COUNTERS; i++) {
		const struct reg counter = amd_counter(unit, i);

		if (unit_has_control(unit, unit->claimed, i))
			rc = reg_write(p, &counter, 0, err);
	}
	return rc;
}

/*
 * Checks that a control was written: some hypervisors take writes without an error, and ignore
 * them.
 */
static int check_written(struct platform *p, const struct unit *unit, const uint64_t *controls,
			 struct error *err)
{
	char name[UNIT_NAME_SIZE], reg[REG_NAME_SIZE];
	unsigned i = 0;
	uint64_t value;

	while (i < UNIT_MAX_COUNTERS && !(controls[i] && unit_has_control(unit, unit->claimed, i)))
		i++;
	if (i == UNIT_MAX_COUNTERS)
		return 0;
	const struct reg control = unit_counter_control(unit, i);
	int rc = reg_read(p, &control, &value, err);
	if (rc || value)
		return rc;
	return error_set(
		err, ERROR_NO_UNIT, -ENODEV,
		"%s: %s reads as 0 after it was written: another program has cleared it, or "
		"this is a virtual machine that has no such counters (run cxlmon on the host)",
		unit_name(unit, name), reg_name(&control, reg));
}

/*
 * Stops all counters before any is set to 0, and starts them as close together as their writes are.
 * Counters that must run to be set to 0 are set after the start.
 */
static int amd_program(struct platform *p, const struct unit *unit, const uint64_t *controls,
		       struct error *err)
{
	const bool gated = unit->pmu_type->gated;
	int rc = write_controls(p, unit, NULL, err);

	if (!rc && !gated)
		rc = clear_counters(p, unit, err);
	if (!rc && unit->has_global_ctl)
		rc = enable_globally(p, unit, err);
	if (!rc)
		rc = write_controls(p, unit, controls, err);
	if (!rc && gated)
		rc = clear_counters(p, unit, err);
	return rc ? rc : check_written(p, unit, controls, err);
}

/* Adds PerfCntrGlobalCtl: the kernel clears all its bits when it stops its own counters. */
static size_t amd_list_controls(const struct unit *unit, const uint64_t *controls,
				struct unit_control out[UNIT_MAX_CONTROLS])
{
	size_t count = unit_list_counter_controls(unit, controls, out);
	const uint64_t enabled = unit->has_global_ctl ? global_bits(unit) : 0;

	if (enabled)
		out[count++] = (struct unit_control){.reg = msr_of(unit, AMD_PERF_CNTR_GLOBAL_CTL),
						     .value = enabled,
						     .bits = enabled};
	return count;
}

static const struct unit_methods amd_methods = {
	.open = amd_open,
	.counter = amd_counter,
	.counter_mask = amd_counter_mask,
	.find_busy = find_busy,
	.save = amd_save,
	.program = amd_program,
	.control_value = enabled_control,
	.list_controls = amd_list_controls,
	.allow = amd_allow,
};

struct unit amd_unit(const struct pmu_type *pmu_type, uint32_t first, unsigned counters,
		     const struct cpu_location *place)
{
	struct unit unit = {
		.methods = &amd_methods,
		.pmu_type = pmu_type,
		.type = pmu_type->type,
		.socket = place->socket,
		.die = (unsigned)place->die,
		.cpu = place->cpu,
		.access = ACCESS_MSR,
		.control = first,
		.registers = {.counter_offset = 1, .control_step = PAIR, .counter_step = PAIR},
		.counters = (uint8_t)(counters < UNIT_MAX_COUNTERS ? counters : UNIT_MAX_COUNTERS),
		.width = AMD_COUNTER_BITS,
		.has_pairs = true,
	};

	unit.controlled = mask_of(&unit, counters);
	return unit;
}

const struct control_layout control_amd_core = {
	{[CONTROL_THRESHOLD] = {24, 8}, [CONTROL_EDGE] = {18, 1}, [CONTROL_INVERT] = {23, 1}},
	.event_bits = 12,
};

struct unit amd_core_unit(const struct cpu_location *place)
{
	/*
	 * A wrap would set a bit of PerfCntrGlobalStatus. At its next interrupt, the kernel warns
	 * of a bit that belongs to none of its counters, and does not clear it. Source:
	 * amd_pmu_v2_handle_irq() in events/amd/core.c
	 */
	static const struct pmu_type core = {
		.type = PMU_CORE,
		.name = "core",
		.no_wrap = true,
		.enable = AMD_CTL_ENABLE,
		.layout = &control_amd_core,
	};
	struct unit unit = amd_unit(&core, AMD_CORE_PERF_CTL0, 0, place);

	unit.id = (uint16_t)place->cpu;
	unit.die = 0;
	unit.registers.first = CORE_COUNTER_GENERAL;
	unit.counters = UNIT_MAX_COUNTERS;
	unit.free_running = CORE_TSC;
	return unit;
}
