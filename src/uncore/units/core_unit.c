/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/units/core_unit.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "platform/cpus.h"

static struct reg cpu_register(const struct unit *unit, uint32_t msr)
{
	return reg_msr(unit->cpu, msr);
}

static int read_msr(struct platform *p, const struct unit *unit, uint32_t msr, uint64_t *value,
		    struct error *err)
{
	const struct reg reg = cpu_register(unit, msr);
	return reg_read(p, &reg, value, err);
}

static int write_msr(struct platform *p, const struct unit *unit, uint32_t msr, uint64_t value,
		     struct error *err)
{
	const struct reg reg = cpu_register(unit, msr);
	return reg_write(p, &reg, value, err);
}

/* Converts bits of a GLOBAL_ register into bits by counter number. */
static uint32_t from_global(uint64_t bits)
{
	return (uint32_t)(bits >> GLOBAL_FIXED_SHIFT & 0xffff) | (uint32_t)(bits & 0x7fff)
									 << CORE_COUNTER_GENERAL;
}

uint32_t core_unit_counters(const struct core_pmu_info *info)
{
	const uint64_t general = (UINT64_C(1) << info->general) - 1;

	return from_global(general | (uint64_t)info->fixed_mask << GLOBAL_FIXED_SHIFT);
}

/*
 * Finds enabled counters: bit 22 of IA32_PERFEVTSELx, or bits 1:0 of a fixed counter's control. An
 * event number without the enable bit means nothing: the kernel leaves it after every perf run, and
 * IA32_PERF_GLOBAL_INUSE reports it all the same.
 */
static int read_busy(struct platform *p, const struct unit *unit, uint32_t counters, uint32_t *busy,
		     struct error *err)
{
	uint64_t value = 0;
	int rc = counters & CORE_COUNTERS_FIXED
			 ? read_msr(p, unit, IA32_FIXED_CTR_CTRL, &value, err)
			 : 0;

	*busy = 0;
	for (unsigned n = 0; !rc && n < CORE_COUNTER_GENERAL; n++)
		if (core_pmu_fixed_enabled(value, n))
			*busy |= CORE_FIXED(n);
	for (unsigned i = CORE_COUNTER_GENERAL; !rc && i < CORE_COUNTER_TSC; i++) {
		if (!(counters >> i & 1))
			continue;
		rc = read_msr(p, unit, IA32_PERFEVTSEL0 + i - CORE_COUNTER_GENERAL, &value, err);
		if (!rc && value & PERFEVTSEL_EN)
			*busy |= UINT32_C(1) << i;
	}
	*busy &= counters;
	return rc;
}

static void core_close(struct unit *unit)
{
	free(unit->core);
	unit->core = NULL;
}

static int core_open(struct platform *p, struct unit *unit, struct error *err)
{
	struct core_pmu_info info;
	uint32_t busy = 0;
	int rc = core_pmu_detect(p, unit->cpu, &info, err);

	/* without sharing, core_save() checks only the requested counters */
	if (!rc && unit->ownership == OWNERSHIP_SHARE)
		rc = read_busy(p, unit, core_unit_counters(&info), &busy, err);
	if (rc)
		return rc;
	unit->core = calloc(1, sizeof(*unit->core));
	if (!unit->core)
		return error_no_memory(err);
	unit->core->info = info;
	unit->usable = (core_unit_counters(&info) & ~busy) | CORE_TSC;
	unit->busy = busy;
	return 0;
}

static struct reg core_counter_control(const struct unit *unit, unsigned i)
{
	return cpu_register(unit, i < CORE_COUNTER_GENERAL
					  ? IA32_FIXED_CTR_CTRL
					  : IA32_PERFEVTSEL0 + i - CORE_COUNTER_GENERAL);
}

static struct reg core_counter(const struct unit *unit, unsigned i)
{
	if (i == CORE_COUNTER_TSC)
		return cpu_register(unit, IA32_TIME_STAMP_COUNTER);
	return i < CORE_COUNTER_GENERAL ? cpu_register(unit, IA32_FIXED_CTR0 + i)
					: cpu_register(unit, IA32_PMC0 + i - CORE_COUNTER_GENERAL);
}

static uint64_t core_counter_mask(const struct unit *unit, unsigned i)
{
	const struct core_pmu_info *info = &unit->core->info;
	const unsigned width = i == CORE_COUNTER_TSC	  ? 64
			       : i < CORE_COUNTER_GENERAL ? info->fixed_width
							  : info->general_width;

	return width >= 64 ? UINT64_MAX : (UINT64_C(1) << width) - 1;
}

/* The inverse of from_global(). */
static uint64_t to_global(uint32_t counters)
{
	const uint32_t fixed = (UINT32_C(1) << CORE_COUNTER_GENERAL) - 1;

	return (uint64_t)(counters & fixed) << GLOBAL_FIXED_SHIFT |
	       (counters & ~CORE_TSC) >> CORE_COUNTER_GENERAL;
}

static int in_use(struct platform *p, const struct unit *unit, uint32_t busy, struct error *err)
{
	const bool watchdog = platform_has_watchdog(p);

	error_set(
		err, ERROR_IN_USE, -EBUSY,
		"cpu %u: performance counters are in use (enabled: 0x%" PRIx64
		", as bits of IA32_PERF_GLOBAL_CTRL) by %s; --share uses only free counters, --force "
		"takes these over and restores them on exit",
		unit->cpu, to_global(busy),
		watchdog ? "the kernel's NMI watchdog (to stop it: " WATCHDOG_COMMAND_OFF
			   "), and maybe others"
			 : "another program, such as perf or pcm");
	error_hint(err, watchdog ? WATCHDOG_COMMAND_OFF : UNIT_COMMAND_WHO_COUNTS);
	return -EBUSY;
}

static int core_find_busy(struct platform *p, const struct unit *unit, uint32_t counters,
			  uint32_t *busy, struct error *err)
{
	int rc = read_busy(p, unit, counters, busy, err);

	if (!rc && *busy)
		in_use(p, unit, *busy, err);
	return rc;
}

/*
 * Fails if a claimed register holds another value than ours: another program has set it since, or
 * it is to be taken over.
 */
static int check_offcore(struct platform *p, const struct unit *unit, struct error *err)
{
	for (unsigned r = 0; r < OFFCORE_REGISTERS; r++) {
		const uint64_t ours = unit->core->offcore[r];
		uint64_t value = 0;
		int rc = ours ? read_msr(p, unit, IA32_OFFCORE_RSP_0 + r, &value, err) : 0;

		if (rc)
			return rc;
		if (!value || value == ours)
			continue;
		error_set(err, ERROR_IN_USE, -EBUSY,
			  "cpu %u: IA32_OFFCORE_RSP_%u is in use (it holds 0x%" PRIx64
			  "); --force takes it over and restores it on exit",
			  unit->cpu, r, value);
		error_hint(err, UNIT_COMMAND_WHO_COUNTS);
		return -EBUSY;
	}
	return 0;
}

/*
 * Returns the register that sets a counter. IA32_PMCx takes 32 bits of *value, and sign-extends
 * them.
 */
static struct reg load_register(const struct unit *unit, unsigned i, uint64_t *value)
{
	struct reg reg = core_counter(unit, i);

	if (i < CORE_COUNTER_GENERAL)
		return reg;
	if (unit->core->info.full_width_writes)
		reg.address += IA32_A_PMC0 - IA32_PMC0;
	else
		*value = (uint32_t)*value;
	return reg;
}

/* Returns the kth counter in the order of saving and programming: general-purpose ones first. */
static unsigned kth_counter(unsigned k)
{
	return (k + CORE_COUNTER_GENERAL) % CORE_COUNTER_TSC;
}

static int read_state(struct platform *p, const struct unit *unit, uint32_t counters,
		      struct error *err)
{
	struct core_pmu *core = unit->core;
	int rc = read_msr(p, unit, IA32_PERF_GLOBAL_CTRL, &core->global_ctrl, err);

	if (!rc)
		rc = read_msr(p, unit, IA32_FIXED_CTR_CTRL, &core->fixed_ctr_ctrl, err);
	for (unsigned r = 0; !rc && r < OFFCORE_REGISTERS; r++)
		if (core->offcore[r])
			rc = read_msr(p, unit, IA32_OFFCORE_RSP_0 + r, &core->offcore_before[r],
				      err);
	for (unsigned k = 0; !rc && k < CORE_COUNTER_TSC; k++) {
		const unsigned i = kth_counter(k);
		const struct reg control = core_counter_control(unit, i),
				 counter = core_counter(unit, i);

		if (!(counters >> i & 1))
			continue;
		if (i >= CORE_COUNTER_GENERAL)
			rc = reg_read(p, &control, &core->before[i].control, err);
		if (!rc)
			rc = reg_read(p, &counter, &core->before[i].count, err);
		core->before[i].count &= core_counter_mask(unit, i);
	}
	return rc;
}

static struct undo_step undo_step(const struct unit *unit, uint32_t msr, uint64_t value)
{
	return unit_undo_step(unit, cpu_register(unit, msr), value, UNDO_IF_OURS);
}

/* Adds a step that is taken if the control's step found our value. */
static int undo_with(struct undo *undo, size_t control, struct undo_step step, struct error *err)
{
	step.condition = UNDO_IF_CONTROL;
	step.control = control;
	return undo_add(undo, &step, err);
}

/*
 * Stops a counter, restores it with its control, and starts it if it ran before. The control of a
 * fixed counter is a nibble of a register that programs share.
 */
static int undo_counter(const struct unit *unit, unsigned i, struct undo *undo, struct error *err)
{
	const struct core_pmu *core = unit->core;
	const uint64_t bit = to_global(UINT32_C(1) << i);
	struct undo_step stop = undo_step(unit, IA32_PERF_GLOBAL_CTRL, 0), enable = stop;
	struct undo_step overflow = undo_step(unit, IA32_PERF_GLOBAL_OVF_CTRL, bit);
	struct undo_step counter = undo_step(unit, 0, core->before[i].count), control = counter;
	const size_t decides = undo->count + 1;

	enable.value = core->global_ctrl & bit;
	enable.mask = stop.mask = bit;
	stop.action = overflow.action = true;
	counter.reg = load_register(unit, i, &counter.value);
	control.reg = core_counter_control(unit, i);
	control.value = core->before[i].control;
	if (i < CORE_COUNTER_GENERAL) {
		control.value = core->fixed_ctr_ctrl;
		control.mask = UINT64_C(0xf) << (4 * i);
	}
	int rc = undo_with(undo, decides, stop, err);
	if (!rc)
		rc = undo_add(undo, &control, err);
	if (!rc)
		rc = undo_with(undo, decides, counter, err);
	if (!rc)
		rc = undo_with(undo, decides, overflow, err);
	if (!rc)
		rc = undo_with(undo, decides, enable, err);
	/* a control that has been cleared since also counts as ours */
	return rc ? rc
		  : undo_add_value(undo, decides,
				   i < CORE_COUNTER_GENERAL ? FIXED_CTR_CTRL_ENABLES : 0, err);
}

/*
 * Adds the steps of all registers. IA32_PERF_GLOBAL_CTRL is saved as runs in progress will restore
 * it, even if they have stopped counters now, because starting and stopping our counters also
 * writes the others' bits.
 */
static int add_undo(const struct unit *unit, uint32_t counters, struct undo *undo,
		    struct error *err)
{
	struct core_pmu *core = unit->core;
	const struct undo_step all = undo_step(unit, IA32_PERF_GLOBAL_CTRL, core->global_ctrl);
	int rc = 0;

	core->global_ctrl = undo_original(undo, &all);
	undo_begin_unit(undo);
	for (unsigned k = 0; !rc && k < CORE_COUNTER_TSC; k++)
		if (counters >> kth_counter(k) & 1)
			rc = undo_counter(unit, kth_counter(k), undo, err);
	for (unsigned r = 0; !rc && r < OFFCORE_REGISTERS; r++) {
		const struct undo_step step =
			undo_step(unit, IA32_OFFCORE_RSP_0 + r, core->offcore_before[r]);

		if (core->offcore[r])
			rc = undo_add(undo, &step, err);
		if (!rc && core->offcore[r])
			rc = undo_add_ours(undo, &step.reg, core->offcore[r], err);
	}
	return rc;
}

/* Counters in use are an error, unless they are to be shared or taken over. */
static int core_save(struct platform *p, const struct unit *unit, uint32_t counters,
		     struct undo *undo, struct error *err)
{
	uint32_t busy = 0;
	int rc = unit->ownership == OWNERSHIP_SHARE ? 0 : read_busy(p, unit, counters, &busy, err);

	if (!rc)
		rc = check_offcore(p, unit, err);
	if (!rc && busy)
		rc = in_use(p, unit, busy, err);
	const bool used = rc == -EBUSY;
	if (rc && !(used && unit->ownership == OWNERSHIP_FORCE))
		return rc;
	rc = read_state(p, unit, counters, err);
	if (!rc)
		rc = add_undo(unit, counters, undo, err);
	unit->core->saved = rc ? 0 : counters & ~CORE_TSC;
	unit->core->programmed = 0;
	return rc ? rc : used;
}

static uint64_t core_control_value(const struct unit *unit, unsigned i, uint64_t control)
{
	(void)unit;
	(void)i;
	return control | PERFEVTSEL_EN;
}

static int core_allow(struct platform *p, const struct unit *unit, struct error *err)
{
	return core_pmu_allow(p, unit->cpu, err);
}

/* Returns the counters that count with these controls. */
static uint32_t counters_of(const uint64_t *controls)
{
	uint32_t counters = 0;

	for (unsigned i = 0; i < CORE_COUNTER_TSC; i++)
		counters |= (uint32_t) !!controls[i] << i;
	return counters;
}

/*
 * Returns IA32_FIXED_CTR_CTRL for these counters: our nibbles as programmed, the others from now.
 */
static uint64_t fixed_controls(const struct core_pmu *core, uint32_t programmed, uint64_t now)
{
	for (unsigned n = 0; n < CORE_COUNTER_GENERAL; n++) {
		const uint64_t nibble = UINT64_C(0xf) << (4 * n);

		if (core->saved & CORE_FIXED(n))
			now = (now & ~nibble) |
			      (nibble & (programmed & CORE_FIXED(n) ? FIXED_CTR_CTRL_ENABLES
								    : core->fixed_ctr_ctrl));
	}
	return now;
}

/*
 * Writes with reg_restore(), because nibbles of other programs stay as they were, even with
 * interrupts enabled.
 */
static int write_fixed_controls(struct platform *p, const struct unit *unit, struct error *err)
{
	const struct reg reg = cpu_register(unit, IA32_FIXED_CTR_CTRL);
	uint64_t now;
	int rc = reg_read(p, &reg, &now, err);

	return rc ? rc
		  : reg_restore(p, &reg, fixed_controls(unit->core, unit->core->programmed, now),
				err);
}

static struct freeze_control core_freeze_control(const struct unit *unit)
{
	const struct core_pmu *core = unit->core;
	const uint64_t others = core->global_ctrl & ~to_global(core->saved);

	return (struct freeze_control){
		.reg = cpu_register(unit, IA32_PERF_GLOBAL_CTRL),
		.stop = others,
		.start = others | to_global(core->programmed),
	};
}

/* A counter of an earlier program that the current one does not use gets its saved value back. */
static int program_counter(struct platform *p, const struct unit *unit, unsigned i,
			   uint64_t control, struct error *err)
{
	const struct reg select = core_counter_control(unit, i);
	uint64_t count = control ? 0 : unit->core->before[i].count;
	const struct reg counter = load_register(unit, i, &count);
	int rc = 0;

	if (i >= CORE_COUNTER_GENERAL)
		rc = reg_write(p, &select,
			       control ? control | PERFEVTSEL_EN : unit->core->before[i].control,
			       err);
	return rc ? rc : reg_write(p, &counter, count, err);
}

static int core_program(struct platform *p, const struct unit *unit, const uint64_t *controls,
			struct error *err)
{
	struct core_pmu *core = unit->core;

	core->programmed = counters_of(controls);
	int rc = write_msr(p, unit, IA32_PERF_GLOBAL_CTRL, core_freeze_control(unit).stop, err);
	for (unsigned r = 0; !rc && r < OFFCORE_REGISTERS; r++)
		if (core->offcore[r])
			rc = write_msr(p, unit, IA32_OFFCORE_RSP_0 + r, core->offcore[r], err);
	for (unsigned k = 0; !rc && k < CORE_COUNTER_TSC; k++) {
		const unsigned i = kth_counter(k);

		if (core->saved >> i & 1)
			rc = program_counter(p, unit, i, controls[i], err);
	}
	if (!rc)
		rc = write_fixed_controls(p, unit, err);
	return rc ? rc : write_msr(p, unit, IA32_PERF_GLOBAL_OVF_CTRL, to_global(core->saved), err);
}

/* Only our counters are compared: other programs may start and stop theirs. */
static size_t core_list_controls(const struct unit *unit, const uint64_t *controls,
				 struct unit_control out[UNIT_MAX_CONTROLS])
{
	const struct core_pmu *core = unit->core;
	const uint32_t programmed = counters_of(controls);
	const uint64_t global = to_global(programmed);
	uint64_t fixed = 0;
	size_t count = 0;

	for (unsigned n = 0; n < CORE_COUNTER_GENERAL; n++)
		fixed |= controls[n] ? UINT64_C(0xf) << (4 * n) : 0;
	out[count++] =
		(struct unit_control){cpu_register(unit, IA32_PERF_GLOBAL_CTRL), global, global};
	out[count++] = (struct unit_control){cpu_register(unit, IA32_FIXED_CTR_CTRL),
					     fixed_controls(core, programmed, 0), fixed};
	for (unsigned r = 0; r < OFFCORE_REGISTERS; r++)
		if (core->offcore[r])
			out[count++] =
				(struct unit_control){cpu_register(unit, IA32_OFFCORE_RSP_0 + r),
						      core->offcore[r], UINT64_MAX};
	for (unsigned i = CORE_COUNTER_GENERAL; i < CORE_COUNTER_TSC; i++)
		if (core->saved >> i & 1)
			out[count++] = (struct unit_control){core_counter_control(unit, i),
							     controls[i] | PERFEVTSEL_EN,
							     controls[i] ? UINT64_MAX : 0};
	return count;
}

/*
 * Clears only bits of our counters. The delta includes the wrap; its bit must not be counted again.
 */
static void core_clear_overflow(struct platform *p, const struct unit *unit)
{
	uint64_t overflowed;

	if (read_msr(p, unit, IA32_PERF_GLOBAL_STATUS, &overflowed, NULL))
		return;
	overflowed &= to_global(unit->core->programmed);
	if (overflowed)
		write_msr(p, unit, IA32_PERF_GLOBAL_OVF_CTRL, overflowed, NULL);
}

static bool has_offcore(const struct unit *unit, const struct event *event, unsigned r)
{
	return event->offcore_rsp && unit->core && unit->core->offcore[r] == event->offcore_rsp;
}

static bool core_can_count(const struct unit *unit, const struct event *event)
{
	return !event->offcore_rsp || has_offcore(unit, event, 0) || has_offcore(unit, event, 1);
}

/* Event 0x2A goes with the first offcore response register, 0x2B with the second. */
static uint64_t core_event_control(const struct unit *unit, const struct event *event)
{
	return event_control(event) + has_offcore(unit, event, 1);
}

static const struct unit_methods core_methods = {
	.open = core_open,
	.close = core_close,
	.counter_control = core_counter_control,
	.counter = core_counter,
	.counter_mask = core_counter_mask,
	.find_busy = core_find_busy,
	.save = core_save,
	.program = core_program,
	.freeze_control = core_freeze_control,
	.control_value = core_control_value,
	.list_controls = core_list_controls,
	.allow = core_allow,
	.event_control = core_event_control,
	.can_count = core_can_count,
	.clear_overflow = core_clear_overflow,
};

int core_unit_check_event(const struct unit *unit, const struct event *event, struct error *err)
{
	const struct core_pmu_info *info = &unit->core->info;

	if (!(event->modifiers & PERFEVTSEL_ANY) || !(info->any_deprecated || info->version >= 5))
		return 0;
	return error_set(
		err, ERROR_USAGE, -EINVAL,
		"%s: this processor has no AnyThread counting (bit 21 is reserved): remove "
		"'any'",
		event->name);
}

const struct pmu_type core_pmu_type = {.type = PMU_CORE, .name = "core"};

struct unit core_unit(const struct cpu_location *place)
{
	return (struct unit){
		.methods = &core_methods,
		.pmu_type = &core_pmu_type,
		.type = PMU_CORE,
		.id = (uint16_t)place->cpu,
		.socket = place->socket,
		.cpu = place->cpu,
		.access = ACCESS_MSR,
		.counters = UNIT_MAX_COUNTERS,
		.controlled = CORE_COUNTERS_GENERAL,
		.free_running = CORE_TSC,
	};
}
