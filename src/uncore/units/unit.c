/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/units/unit.h"
#include "platform/cpus.h"
#include "platform/reg.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

static const struct unit_methods *methods_of(const struct unit *unit)
{
	static const struct unit_methods none = {.name = NULL};

	return unit->methods ? unit->methods : &none;
}

const char *unit_name(const struct unit *unit, char name[UNIT_NAME_SIZE])
{
	if (methods_of(unit)->name)
		return methods_of(unit)->name(unit, name);
	int used = snprintf(name, UNIT_NAME_SIZE, "socket %d ", unit->socket);

	if (unit->die)
		used += snprintf(name + used, UNIT_NAME_SIZE - (size_t)used, "die %u ", unit->die);
	if (unit->pmu_type)
		snprintf(name + used, UNIT_NAME_SIZE - (size_t)used, "%s %u", unit->pmu_type->name,
			 unit->id);
	else
		snprintf(name + used, UNIT_NAME_SIZE - (size_t)used, "type %u unit %u", unit->type,
			 unit->id);
	return name;
}

bool unit_reached_by(const struct unit *unit, const struct cpu_location *cpu)
{
	if (unit_is_cpu(unit))
		return unit->cpu == cpu->cpu;
	return unit->socket == cpu->socket && (!unit->l3_scoped || unit->l3 == cpu->l3);
}

static size_t unit_extent(const struct unit *unit)
{
	const struct unit_registers *at = &unit->registers;
	const size_t controls = at->control_offset + (size_t)at->control_step * unit->counters;
	const size_t counters = at->counter_offset + (size_t)at->counter_step * unit->counters;

	return controls > counters ? controls : counters;
}

static struct reg register_at(const struct unit *unit, uint64_t offset, uint8_t bytes)
{
	static const enum reg_space spaces[] = {
		[ACCESS_MSR] = REG_MSR, [ACCESS_MMIO] = REG_MMIO, [ACCESS_PCI] = REG_PCI};

	return (struct reg){
		.space = spaces[unit->access],
		.bytes = bytes,
		.cpu = unit->cpu,
		.pci = unit->pci,
		.window = &unit->window,
		.address = unit->control + offset,
	};
}

/* Controls 4 bytes apart must be accessed with 4 bytes. */
static uint8_t control_bytes(const struct unit *unit)
{
	return unit->access != ACCESS_MSR && unit->registers.control_step < 8 ? 4 : 8;
}

struct reg unit_control(const struct unit *unit)
{
	return register_at(unit, 0, unit->access == ACCESS_PCI ? 4 : control_bytes(unit));
}

struct reg unit_counter_control(const struct unit *unit, unsigned i)
{
	const struct unit_registers *at = &unit->registers;

	if (methods_of(unit)->counter_control)
		return methods_of(unit)->counter_control(unit, i);
	return register_at(unit, at->control_offset + (uint64_t)at->control_step * (i - at->first),
			   control_bytes(unit));
}

struct reg unit_counter(const struct unit *unit, unsigned i)
{
	const struct unit_registers *at = &unit->registers;

	if (unit->access == ACCESS_PERF)
		return (struct reg){.bytes = 0};
	if (methods_of(unit)->counter)
		return methods_of(unit)->counter(unit, i);
	return register_at(unit, at->counter_offset + (uint64_t)at->counter_step * (i - at->first),
			   8);
}

uint32_t unit_event_counters(const struct unit *unit, const struct event *event)
{
	const struct unit_methods *methods = methods_of(unit);

	return (methods->event_counters ? methods->event_counters(unit, event) : event->counters) &
	       unit->usable;
}

bool unit_can_count(const struct unit *unit, const struct event *event)
{
	if (methods_of(unit)->event_counters)
		return methods_of(unit)->event_counters(unit, event);
	if (methods_of(unit)->can_count)
		return methods_of(unit)->can_count(unit, event);
	return !event->offcore_rsp;
}

uint64_t unit_event_control(const struct unit *unit, const struct event *event)
{
	return methods_of(unit)->event_control ? methods_of(unit)->event_control(unit, event)
					       : event_control(event);
}

bool unit_contains(const struct unit *unit, const struct reg *reg)
{
	return unit->access == ACCESS_MMIO && reg->space == REG_MMIO &&
	       reg->address >= unit->control && unit_extent(unit) >= reg->bytes &&
	       reg->address - unit->control <= unit_extent(unit) - reg->bytes;
}

bool unit_value_no_response(uint64_t value)
{
	return (uint32_t)value == UINT32_MAX || value >> 32 == UINT32_MAX;
}

int unit_map(struct platform *p, struct unit *unit, bool write, struct error *err)
{
	if (unit->access != ACCESS_MMIO || unit->window.length)
		return 0;
	const int rc = p->ops->registers->mmio_map(p, unit->control, unit_extent(unit), write,
						   &unit->window, err);
	if (rc)
		unit->window.length = 0;
	return rc;
}

void unit_unmap(struct platform *p, struct unit *unit)
{
	if (unit->window.length)
		p->ops->registers->mmio_unmap(p, &unit->window);
	unit->window = (struct mmio_window){.length = 0};
}

int unit_in_use(const struct unit *unit, unsigned number, const char *what, uint64_t value,
		const char *programs, struct error *err)
{
	char name[UNIT_NAME_SIZE];

	error_set(err, ERROR_IN_USE, -EBUSY,
		  "%s: counter %u is in use (its %s holds 0x%" PRIx64
		  "): stop the program that uses it, such as %s; --share uses only free counters, "
		  "--force takes this one over and restores it on exit",
		  unit_name(unit, name), number, what, value, programs);
	error_hint(err, UNIT_COMMAND_WHO_COUNTS);
	return -EBUSY;
}

struct undo_step unit_undo_step(const struct unit *unit, struct reg reg, uint64_t value,
				enum undo_condition condition)
{
	const bool shared = unit->access == ACCESS_MSR && !unit_is_cpu(unit);

	return (struct undo_step){.reg = reg,
				  .value = value,
				  .socket = shared ? unit->socket : UNDO_THIS_CPU,
				  .l3_scoped = unit->l3_scoped,
				  .l3 = unit->l3,
				  .condition = condition,
				  .mask = UINT64_MAX};
}

int unit_open(struct platform *p, struct unit *unit, struct error *err)
{
	char name[UNIT_NAME_SIZE];

	if (unit->uncounted)
		return error_set(
			err, ERROR_FAILED, -ENODEV,
			"%s: the kernel does not count there, as on a die without an online CPU",
			unit_name(unit, name));
	int rc = unit->open ? 0 : methods_of(unit)->open(p, unit, err);

	unit->open = !rc;
	if (rc)
		unit_unmap(p, unit);
	return rc;
}

void unit_close(struct platform *p, struct unit *unit)
{
	if (unit->open && methods_of(unit)->close)
		methods_of(unit)->close(unit);
	unit_unmap(p, unit);
	unit->open = false;
}

uint64_t unit_counter_mask(const struct unit *unit, unsigned i)
{
	if (methods_of(unit)->counter_mask)
		return methods_of(unit)->counter_mask(unit, i);
	return unit->width >= 64 ? UINT64_MAX : (UINT64_C(1) << unit->width) - 1;
}

bool unit_no_response(const struct unit *unit, uint64_t value)
{
	return methods_of(unit)->all_ones_is_no_response && unit_value_no_response(value);
}

int unit_allow(struct platform *p, const struct unit *unit, struct error *err)
{
	return methods_of(unit)->allow ? methods_of(unit)->allow(p, unit, err) : 0;
}

bool unit_find_use(struct platform *p, const struct unit *unit, uint32_t counters,
		   struct error *err)
{
	struct unit mapped = *unit;
	uint32_t busy;

	if (!methods_of(unit)->find_busy || unit_map(p, &mapped, false, err))
		return false;
	const bool used = !unit_find_busy(p, &mapped, counters, &busy, err) && busy;
	if (!unit->open)
		unit_unmap(p, &mapped);
	return used;
}

int unit_find_busy(struct platform *p, const struct unit *unit, uint32_t counters, uint32_t *busy,
		   struct error *err)
{
	return methods_of(unit)->find_busy(p, unit, counters, busy, err);
}

int unit_save(struct platform *p, const struct unit *unit, uint32_t counters, struct undo *undo,
	      struct error *err)
{
	return methods_of(unit)->save(p, unit, counters, undo, err);
}

int unit_program(struct platform *p, const struct unit *unit, const uint64_t *controls,
		 struct error *err)
{
	return methods_of(unit)->program(p, unit, controls, err);
}

bool unit_can_update(const struct unit *unit)
{
	return !unit_is_cpu(unit) && !methods_of(unit)->never_updates;
}

int unit_update_controls(struct platform *p, const struct unit *unit, const uint64_t *from,
			 const uint64_t *to, struct error *err)
{
	int rc = 0;

	for (unsigned i = 0; !rc && i < unit->counters; i++) {
		const struct reg reg = unit_counter_control(unit, i);

		if (from[i] != to[i])
			rc = reg_write(p, &reg, to[i], err);
	}
	return rc;
}

bool unit_can_freeze(const struct unit *unit)
{
	const struct unit_methods *methods = methods_of(unit);

	return methods->freeze_control && (!methods->can_freeze || methods->can_freeze(unit));
}

struct freeze_control unit_freeze_control(const struct unit *unit)
{
	return methods_of(unit)->freeze_control(unit);
}

int unit_unfreeze(struct platform *p, const struct unit *unit, struct error *err)
{
	if (!unit_can_freeze(unit))
		return 0;
	const struct freeze_control control = unit_freeze_control(unit);
	return reg_write(p, &control.reg, control.start, err);
}

bool freeze_control_stops(const struct freeze_control *control, uint64_t value)
{
	const bool valid =
		control->bits ? !(value & ~control->bits) : !unit_value_no_response(value);

	return valid && (value ^ control->start) & (control->stop ^ control->start);
}

void unit_clear_overflow(struct platform *p, const struct unit *unit)
{
	if (methods_of(unit)->clear_overflow)
		methods_of(unit)->clear_overflow(p, unit);
}

/* The counters whose controls the plan has programmed. */
static uint32_t controlled_counters(const struct unit *unit)
{
	return unit->controlled || unit->cpmu ? unit->controlled & unit->claimed
					      : (uint32_t)((UINT64_C(1) << unit->counters) - 1);
}

static uint64_t control_value(const struct unit *unit, unsigned i, uint64_t control)
{
	return methods_of(unit)->control_value ? methods_of(unit)->control_value(unit, i, control)
					       : control;
}

int unit_add_ours(const struct unit *unit, const uint64_t *controls, struct undo *undo,
		  struct error *err)
{
	int rc = 0;

	for (unsigned i = 0; !rc && i < UNIT_MAX_COUNTERS; i++) {
		if (!(controlled_counters(unit) >> i & 1) || !controls[i])
			continue;
		const struct reg reg = unit_counter_control(unit, i);
		const uint64_t value = control_value(unit, i, controls[i]);

		rc = undo_add_ours(undo, &reg, value, err);
		/* Controls are without the enable bit while they are programmed or restored. */
		if (!rc && methods_of(unit)->never_updates)
			rc = undo_add_ours(undo, &reg, value & ~unit->pmu_type->enable, err);
	}
	return rc;
}

size_t unit_list_counter_controls(const struct unit *unit, const uint64_t *controls,
				  struct unit_control out[UNIT_MAX_CONTROLS])
{
	const struct unit_methods *methods = methods_of(unit);
	const uint32_t counters = controlled_counters(unit);
	size_t count = 0;

	for (unsigned i = 0; i < UNIT_MAX_COUNTERS; i++)
		if (counters >> i & 1)
			out[count++] = (struct unit_control){
				.reg = unit_counter_control(unit, i),
				.value = control_value(unit, i, controls[i]),
				.bits = methods->deciding_bits ? methods->deciding_bits(unit, i)
							       : UINT64_MAX,
			};
	return count;
}

size_t unit_list_controls(const struct unit *unit, const uint64_t *controls,
			  struct unit_control out[UNIT_MAX_CONTROLS])
{
	if (unit->access == ACCESS_PERF)
		return 0;
	return methods_of(unit)->list_controls
		       ? methods_of(unit)->list_controls(unit, controls, out)
		       : unit_list_counter_controls(unit, controls, out);
}

static bool control_holds(const struct unit_control *control, uint64_t value)
{
	return !((value ^ control->value) & control->bits);
}

bool unit_controls_intact(struct platform *p, const struct unit *unit, const uint64_t *controls)
{
	struct unit_control list[UNIT_MAX_CONTROLS];
	uint64_t value;

	if (methods_of(unit)->controls_intact)
		return methods_of(unit)->controls_intact(p, unit, controls);
	const size_t count = unit_list_controls(unit, controls, list);
	for (size_t k = 0; k < count; k++)
		if (list[k].bits && !reg_read(p, &list[k].reg, &value, NULL) &&
		    !unit_no_response(unit, value) && !control_holds(&list[k], value))
			return false;
	return true;
}

/* If a control has no enable bit, as in a PMON block, any value other than 0 counts as in use. */
bool unit_controls_free(struct platform *p, const struct unit *unit, const uint64_t *controls)
{
	const uint64_t type_enable = unit->pmu_type ? unit->pmu_type->enable : 0;
	const uint64_t enable = type_enable ? type_enable : UINT64_MAX;
	struct unit_control list[UNIT_MAX_CONTROLS];
	uint64_t value;

	if (unit->access == ACCESS_PERF || unit_is_cpu(unit))
		return false;
	const size_t count = unit_list_counter_controls(unit, controls, list);
	for (size_t k = 0; k < count; k++)
		if (reg_read(p, &list[k].reg, &value, NULL) ||
		    (value & enable && !control_holds(&list[k], value)))
			return false;
	return true;
}
