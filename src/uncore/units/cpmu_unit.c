/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/units/cpmu.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "platform/cpus.h"
#include "platform/cxl.h"
#include "platform/guard.h"
#include "platform/pci.h"
#include "uncore/units/cpmu_events.h"

#define CFG_DENIED (CPMU_CFG_INTERRUPT | CPMU_CFG_OVERFLOW_FREEZE)

static struct reg register_at(const struct unit *unit, uint64_t offset, uint8_t bytes)
{
	return (struct reg){.space = REG_MMIO,
			    .bytes = bytes,
			    .window = &unit->window,
			    .address = unit->control + offset};
}

static struct reg filter_of(const struct unit *unit, unsigned i, unsigned f)
{
	return register_at(unit, CPMU_FILTER + (uint64_t)4 * (CPMU_FILTERS * i + f), 4);
}

static const char *cpmu_name(const struct unit *unit, char name[UNIT_NAME_SIZE])
{
	char at[PCI_TEXT_SIZE];

	if (unit->cpmu->device)
		snprintf(name, UNIT_NAME_SIZE, "%s cpmu %u", unit->cpmu->device->name, unit->id);
	else
		snprintf(name, UNIT_NAME_SIZE, "%s cpmu %u", pci_location_text(unit->cpmu->pci, at),
			 unit->id);
	return name;
}

static int read_register(struct platform *p, const struct unit *unit, struct reg reg,
			 uint64_t *value, struct error *err)
{
	char name[UNIT_NAME_SIZE];
	int rc = reg_read(p, &reg, value, err);

	if (rc || *value != UINT64_MAX)
		return rc;
	return error_set(err, ERROR_FAILED, -ENXIO,
			 "%s: no response (reads as all ones): powered down or not present",
			 cpmu_name(unit, name));
}

/*
 * Sets bit i of *busy if counter i of these is enabled, or is another run's while the group that it
 * counts has no event for it; *err names the first.
 */
static int find_busy(struct platform *p, const struct unit *unit, uint32_t counters, uint32_t *busy,
		     struct error *err)
{
	const struct cpu_location anywhere = {.socket = unit->socket, .l3 = -1};
	const struct undo *others = unit->cpmu->others;
	char name[UNIT_NAME_SIZE];
	uint64_t value;
	int rc = 0;

	*busy = 0;
	for (unsigned i = 0; !rc && i < unit->counters; i++) {
		if (!unit_has_control(unit, counters, i))
			continue;
		const struct reg reg = unit_counter_control(unit, i);

		rc = read_register(p, unit, reg, &value, err);
		const bool of_run = !rc && others && undo_mask(others, &reg, &anywhere);
		if (rc || !(value & CPMU_CFG_ENABLE || of_run))
			continue;
		if (!*busy && of_run)
			error_set(
				err, ERROR_IN_USE, -EBUSY,
				"%s: counter %u is used by another cxlmon: wait until it ends, or "
				"ask it for fewer metrics (-m); --share uses only free counters, "
				"--force takes this one over and restores it on exit",
				cpmu_name(unit, name), i);
		else if (!*busy)
			unit_in_use(unit, i, "configuration", value, "perf", err);
		*busy |= UINT32_C(1) << i;
	}
	return rc;
}

static int cpmu_allow(struct platform *p, const struct unit *unit, struct error *err)
{
	const unsigned count = unit->counters;
	const struct guard_rule freeze = {.mask = UINT64_MAX >> (64 - unit->cpmu->has),
					  .what = "CPMU freeze"};
	const struct guard_rule config = {
		.mask = CPMU_CFG_OURS, .denied = CFG_DENIED, .what = "CPMU counter configuration"};
	const struct guard_rule filter = {.mask = CPMU_NO_FILTER, .what = "CPMU filter"};
	const struct guard_rule counter = {.mask = UINT64_MAX >> (64 - unit->width),
					   .what = "CPMU counter"};
	const struct guard_rule overflow = {
		.mask = freeze.mask, .denied = UINT64_MAX, .what = "CPMU overflow status"};
	const struct {
		bool exists;
		struct reg first;
		unsigned count;
		const struct guard_rule *rule;
	} registers[] = {
		{true, unit_counter_control(unit, 0), count, &config},
		{true, register_at(unit, CPMU_OVERFLOW_STATUS, 8), 1, &overflow},
		{unit->cpmu->filters, filter_of(unit, 0, 0), CPMU_FILTERS * count, &filter},
		{unit->cpmu->can_freeze, register_at(unit, CPMU_FREEZE, 8), 1, &freeze},
		{unit->cpmu->is_writable, unit_counter(unit, 0), count, &counter},
	};
	int rc = 0;

	for (size_t i = 0; !rc && i < sizeof(registers) / sizeof(registers[0]); i++)
		if (registers[i].exists)
			rc = guard_allow_registers(&p->guard, &registers[i].first,
						   registers[i].count, *registers[i].rule, err);
	return rc;
}

/*
 * Reads the freeze register. All ones does not mean that the device is gone: 64 counters may be
 * frozen. Bits that another run has set now, to read its counters, are taken as they were before
 * that run.
 */
static int read_freeze(struct platform *p, struct unit *unit, struct error *err)
{
	const struct undo runs = {.others = unit->cpmu->others};
	struct undo_step step =
		unit_undo_step(unit, register_at(unit, CPMU_FREEZE, 8), 0, UNDO_IF_UNIT);
	int rc = 0;

	unit->cpmu->frozen = 0;
	if (!unit->cpmu->can_freeze)
		return 0;
	rc = reg_read(p, &step.reg, &step.value, err);
	if (!rc)
		unit->cpmu->frozen = undo_original(&runs, &step);
	return rc;
}

static int find_usable(struct platform *p, struct unit *unit, struct error *err)
{
	const uint32_t checked = unit->ownership == OWNERSHIP_SHARE ? UINT32_MAX : 0;
	uint64_t capability;
	uint32_t busy = 0;
	int rc = read_register(p, unit, register_at(unit, CPMU_CAPABILITY, 8), &capability, err);

	if (!rc)
		rc = read_freeze(p, unit, err);
	if (!rc)
		rc = find_busy(p, unit, checked, &busy, err);
	/* counters that always run, such as a clock, are never busy */
	if (!rc && busy && busy == unit->controlled)
		rc = -EBUSY;
	unit->busy = busy;
	unit->usable = unit->cpmu->known & ~busy;
	return rc ? rc : cpmu_allow(p, unit, err);
}

/* Does not advise to unload the driver if it can count the requested events. */
static int left_to_kernel(const struct unit *unit, struct error *err)
{
	const struct cpmu *cpmu = unit->cpmu;
	char name[UNIT_NAME_SIZE], limits[CPMU_LIMITS_SIZE];

	error_set(err, ERROR_IN_USE, -EBUSY,
		  "%s: the kernel's driver cxl_pmu counts on it (PMU %s); --backend=perf counts "
		  "through it%s%s",
		  cpmu_name(unit, name), cpmu->kernel_pmu, cpmu->first_group_alone ? ", but " : "",
		  cpmu->first_group_alone ? cpmu_driver_limits(cpmu, limits) : "");
	error_hint(err, cpmu->first_group_alone ? CPMU_COMMAND_UNLOAD : CPMU_COMMAND_PERF);
	return -EBUSY;
}

static int cpmu_open(struct platform *p, struct unit *unit, struct error *err)
{
	if (*unit->cpmu->kernel_pmu)
		return left_to_kernel(unit, err);
	const int rc = unit_map(p, unit, true, err);

	return rc ? rc : find_usable(p, unit, err);
}

/*
 * Stops only the counters that are used: another program may use the others, whose bits are written
 * as they were. A reading does not read them again, because a read over the link takes longer than
 * the write.
 */
static struct freeze_control cpmu_freeze_control(const struct unit *unit)
{
	const uint64_t others = unit->cpmu->frozen & ~(uint64_t)unit->claimed;

	return (struct freeze_control){.reg = register_at(unit, CPMU_FREEZE, 8),
				       .stop = others | unit->claimed,
				       .start = others,
				       .bits = UINT64_MAX >> (64 - unit->cpmu->has)};
}

/* Saves the filters that have to be changed. */
static int save_filters(struct platform *p, const struct unit *unit, unsigned i, struct undo *undo,
			struct error *err)
{
	int rc = 0;

	for (unsigned f = 0; !rc && f < CPMU_FILTERS; f++) {
		struct undo_step step =
			unit_undo_step(unit, filter_of(unit, i, f), 0, UNDO_IF_CONTROL);

		if (!(unit->cpmu->filters >> f & 1))
			continue;
		rc = reg_read(p, &step.reg, &step.value, err);
		if (!rc && step.value != CPMU_NO_FILTER)
			rc = undo_add(undo, &step, err);
	}
	return rc;
}

/*
 * Adds the step that clears a counter's overflow, if it is 0 now: then only this run sets it.
 * Writing 1 clears a bit, 0 leaves the others' bits. It comes before the configuration, which may
 * enable an interrupt on overflow.
 */
static int save_overflow(struct platform *p, const struct unit *unit, unsigned i, struct undo *undo,
			 struct error *err)
{
	struct undo_step step = unit_undo_step(unit, register_at(unit, CPMU_OVERFLOW_STATUS, 8), 0,
					       UNDO_IF_CONTROL);
	uint64_t overflow;
	int rc = reg_read(p, &step.reg, &overflow, err);

	step.action = true;
	step.value = UINT64_C(1) << i;
	return rc || overflow & step.value ? rc : undo_add(undo, &step, err);
}

/*
 * Adds the steps of a configuration in the order in which one is written: disabled, changed with
 * the filters, and only then enabled, if it was. The last step decides if all of them are taken.
 */
static int save_control(struct platform *p, const struct unit *unit, unsigned i, struct undo *undo,
			struct error *err)
{
	struct undo_step step =
		unit_undo_step(unit, unit_counter_control(unit, i), 0, UNDO_IF_CONTROL);
	const size_t first = undo->count;
	uint64_t before;
	int rc = read_register(p, unit, step.reg, &before, err);

	step.action = true;
	step.mask = CPMU_CFG_ENABLE;
	if (!rc)
		rc = undo_add(undo, &step, err);
	if (!rc)
		rc = save_overflow(p, unit, i, undo, err);
	step.action = false;
	step.mask = ~CPMU_CFG_ENABLE;
	step.value = before;
	if (!rc)
		rc = undo_add(undo, &step, err);
	if (!rc)
		rc = save_filters(p, unit, i, undo, err);
	const size_t decides = undo->count;
	for (size_t k = first; k < decides; k++)
		undo->steps[k].control = decides;
	step.condition = UNDO_IF_OURS;
	step.mask = cpmu_deciding_bits(unit, i);
	if (!rc)
		rc = undo_add(undo, &step, err);
	if (!rc)
		rc = undo_add_value(undo, decides, before & ~CPMU_CFG_ENABLE, err);
	/* the last value is the control while a group without this counter is counted */
	return rc ? rc : undo_add_value(undo, decides, cpmu_configuration(unit, i, 0), err);
}

/*
 * Adds the step of a counter's value; it is frozen only if the whole unit is ours. All ones means
 * that the value could not be read.
 */
static int save_value(struct platform *p, const struct unit *unit, unsigned i, struct undo *undo,
		      struct error *err)
{
	struct undo_step step = unit_undo_step(unit, unit_counter(unit, i), 0, UNDO_IF_UNIT);
	const int rc = unit->cpmu->is_writable ? reg_read(p, &step.reg, &step.value, err) : 0;

	return rc || !unit->cpmu->is_writable || step.value == UINT64_MAX
		       ? rc
		       : undo_add(undo, &step, err);
}

/*
 * Adds the steps of the freeze register: first one that stops (action), because counters are
 * written only while frozen, and at the end one that restores it. Only bits of the counters used
 * are written, because programs share this register.
 */
static int save_freeze(struct platform *p, const struct unit *unit, bool action, struct undo *undo,
		       struct error *err)
{
	struct undo_step step = unit_undo_step(unit, register_at(unit, CPMU_FREEZE, 8),
					       unit->claimed, UNDO_IF_UNIT);
	int rc = 0;

	if (!unit->cpmu->can_freeze)
		return 0;
	step.action = action;
	step.mask = unit->claimed;
	if (!action)
		rc = reg_read(p, &step.reg, &step.value, err);
	return rc ? rc : undo_add(undo, &step, err);
}

/* Calls save for each of counters (bit i: counter i). */
static int save_each(struct platform *p, const struct unit *unit, uint32_t counters,
		     int (*save)(struct platform *p, const struct unit *unit, unsigned i,
				 struct undo *undo, struct error *err),
		     struct undo *undo, struct error *err)
{
	int rc = 0;

	for (unsigned i = 0; !rc && i < unit->counters; i++)
		if (unit_has_control(unit, counters, i))
			rc = save(p, unit, i, undo, err);
	return rc;
}

static int cpmu_save(struct platform *p, const struct unit *unit, uint32_t counters,
		     struct undo *undo, struct error *err)
{
	uint32_t busy = 0;
	int rc = unit->ownership == OWNERSHIP_SHARE ? 0 : find_busy(p, unit, counters, &busy, err);

	if (rc || (busy && unit->ownership != OWNERSHIP_FORCE))
		return rc ? rc : -EBUSY;
	undo_begin_unit(undo);
	rc = save_freeze(p, unit, true, undo, err);
	if (!rc)
		rc = save_each(p, unit, counters, save_control, undo, err);
	/* counters that are enabled again may run */
	if (!rc && busy)
		rc = save_freeze(p, unit, true, undo, err);
	if (!rc)
		rc = save_each(p, unit, counters, save_value, undo, err);
	if (!rc)
		rc = save_freeze(p, unit, false, undo, err);
	return rc ? rc : busy != 0;
}

static int lift_filters(struct platform *p, const struct unit *unit, unsigned i, struct error *err)
{
	int rc = 0;

	for (unsigned f = 0; !rc && f < CPMU_FILTERS; f++) {
		const struct reg reg = filter_of(unit, i, f);
		uint64_t value = CPMU_NO_FILTER;

		if (unit->cpmu->filters >> f & 1)
			rc = reg_read(p, &reg, &value, err);
		if (!rc && value != CPMU_NO_FILTER)
			rc = reg_write(p, &reg, CPMU_NO_FILTER, err);
	}
	return rc;
}

/* Stops all claimed counters, if the CPMU can freeze. */
static int freeze_cpmu(struct platform *p, const struct unit *unit, struct error *err)
{
	const struct freeze_control control = cpmu_freeze_control(unit);

	return unit->cpmu->can_freeze ? reg_write(p, &control.reg, control.stop, err) : 0;
}

/*
 * Clears only the enable bit. While a counter is enabled, no other bit of its configuration or its
 * filters may be changed (specification, 8.2.7). Another program's configuration may enable an
 * interrupt, which is left as it is.
 */
static int disable_counter(struct platform *p, const struct unit *unit, unsigned i, uint64_t *held,
			   struct error *err)
{
	const struct reg reg = unit_counter_control(unit, i);
	int rc = read_register(p, unit, reg, held, err);

	if (rc || !(*held & CPMU_CFG_ENABLE))
		return rc;
	*held &= ~CPMU_CFG_ENABLE;
	return reg_restore(p, &reg, *held, err);
}

/*
 * Changes the configuration and filters, if they differ, of a counter that it disables and leaves
 * disabled.
 */
static int select_event(struct platform *p, const struct unit *unit, unsigned i, uint64_t control,
			struct error *err)
{
	const struct reg reg = unit_counter_control(unit, i);
	const uint64_t value = cpmu_configuration(unit, i, control) & ~CPMU_CFG_ENABLE;
	uint64_t held;
	int rc = disable_counter(p, unit, i, &held, err);

	if (!rc && value != held)
		rc = reg_write(p, &reg, value, err);
	return rc ? rc : lift_filters(p, unit, i, err);
}

static int enable_counter(struct platform *p, const struct unit *unit, unsigned i, uint64_t control,
			  struct error *err)
{
	const struct reg reg = unit_counter_control(unit, i);

	return control & CPMU_CFG_ENABLE
		       ? reg_write(p, &reg, cpmu_configuration(unit, i, control), err)
		       : 0;
}

/*
 * Freezes all counters again before they are set to 0, because a counter that is enabled after the
 * freeze may run. If the CPMU cannot freeze, counters start as close together as their writes are.
 */
static int cpmu_program(struct platform *p, const struct unit *unit, const uint64_t *controls,
			struct error *err)
{
	int rc = freeze_cpmu(p, unit, err);

	for (unsigned i = 0; !rc && i < unit->counters; i++)
		if (unit_has_control(unit, unit->claimed, i))
			rc = select_event(p, unit, i, controls[i], err);
	for (unsigned i = 0; !rc && i < unit->counters; i++)
		if (unit_has_control(unit, unit->claimed, i))
			rc = enable_counter(p, unit, i, controls[i], err);
	if (!rc)
		rc = freeze_cpmu(p, unit, err);
	for (unsigned i = 0; !rc && unit->cpmu->is_writable && i < unit->counters; i++) {
		const struct reg counter = unit_counter(unit, i);

		if (unit_has_control(unit, unit->claimed, i))
			rc = reg_write(p, &counter, 0, err);
	}
	return rc;
}

static bool cpmu_can_freeze(const struct unit *unit)
{
	return unit->cpmu->can_freeze;
}

static const struct unit_methods cpmu_methods = {
	.name = cpmu_name,
	.open = cpmu_open,
	.find_busy = find_busy,
	.save = cpmu_save,
	.program = cpmu_program,
	.never_updates = true,
	.freeze_control = cpmu_freeze_control,
	.can_freeze = cpmu_can_freeze,
	.control_value = cpmu_configuration,
	.deciding_bits = cpmu_deciding_bits,
	.allow = cpmu_allow,
	.all_ones_is_no_response = true,
	.event_counters = cpmu_event_counters,
	.event_control = cpmu_event_control,
};

struct unit cpmu_unit(struct cpmu *cpmu, unsigned id, int socket)
{
	return (struct unit){
		.methods = &cpmu_methods,
		.pmu_type = &cpmu_pmu_type,
		.cpmu = cpmu,
		.type = PMU_CPMU,
		.id = (uint16_t)id,
		.socket = socket,
		.access = ACCESS_MMIO,
		.control = cpmu->address,
		.pci = cpmu->pci,
		.registers = {.control_offset = CPMU_CONFIGURATION,
			      .counter_offset = CPMU_COUNTER,
			      .control_step = 8,
			      .counter_step = 8},
		.counters = (uint8_t)cpmu->counter_count,
		.width = (uint8_t)cpmu->width,
		.usable = cpmu->known,
		.controlled = cpmu->configured,
		.free_running = cpmu->known & ~(cpmu->is_writable ? cpmu->configured : 0),
	};
}
