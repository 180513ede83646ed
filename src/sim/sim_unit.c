/* SPDX-License-Identifier: BSD-3-Clause */

#include "platform/guard.h"
#include "sim/sim_machine.h"
#include "uncore/model/model.h"

#define FREEZE	       (UINT64_C(1) << 0)
#define RESET_CONTROLS (UINT64_C(1) << 8)
#define RESET_COUNTERS (UINT64_C(1) << 9)
#define FREEZE_ENABLE  (UINT64_C(3) << 16) /* older parts' bits, which tools still write */

/* Bits 17, 19, 21 and 22 of a counter control are reserved from Sapphire Rapids on. */
#define CONTROL_RESERVED                                                                           \
	(UINT64_C(1) << 17 | UINT64_C(1) << 19 | UINT64_C(1) << 21 | UINT64_C(1) << 22)

/* A CXLCM of Diamond Rapids has invert in bit 21, and nothing above its port enable, bits 35:32. */
#define CXLCM_DMR	   24
#define CXLCM_DMR_RESERVED ((CONTROL_RESERVED & ~(UINT64_C(1) << 21)) | ~UINT64_C(0xFFFFFFFFF))

#define BIT(n)		  (UINT64_C(1) << (n))
#define BITS(first, last) (UINT64_MAX >> (63 - (last)) & UINT64_MAX << (first))

/* Apart from src/uncore/models, so that errors there show. AMD: all but event, umask and enable;
 * the selection of cores, slices and threads; direction. */
#define DF_RESERVED  (~(BITS(0, 15) | BIT(22) | BITS(24, 27) | BITS(32, 37)))
#define L3_RESERVED  (~(BITS(0, 15) | BIT(22) | BITS(42, 44) | BITS(46, 50) | BITS(56, 57)))
#define UMC_RESERVED (~(BITS(0, 9) | BIT(31)))
/* Vera's controls are made by the kernel: event, filters, and bit 31 to count. */
#define VERA_RULES(pmu_type)                                                                       \
	{                                                                                          \
		.type = (pmu_type), .enable = BIT(31), .no_guest = true                            \
	}

/* All types that no row is for. */
static const struct sim_unit_rules intel_rules = {.reserved = CONTROL_RESERVED,
						  .unit_control = true};

static const struct sim_unit_rules special_rules[] = {
	{.type = CXLCM_DMR, .reserved = CXLCM_DMR_RESERVED, .unit_control = true},
	{.type = PMU_DF, .reserved = DF_RESERVED, .enable = BIT(22), .no_guest = true},
	{.type = PMU_L3,
	 .reserved = L3_RESERVED,
	 .enable = BIT(22),
	 .per_l3 = true,
	 .no_guest = true},
	{.type = PMU_UMC,
	 .reserved = UMC_RESERVED,
	 .enable = BIT(31),
	 .no_guest = true,
	 .saturates = true,
	 .gated = true},
	VERA_RULES(PMU_UCF),
	VERA_RULES(PMU_CMEM),
	VERA_RULES(PMU_NVDLINK),
	VERA_RULES(PMU_PCIE_TGT),
};

const struct sim_unit_rules *sim_unit_rules(const struct sim_unit *unit)
{
	for (size_t i = 0; i < sizeof(special_rules) / sizeof(special_rules[0]); i++)
		if (special_rules[i].type == unit->type)
			return &special_rules[i];
	return &intel_rules;
}

static bool unit_freezes(const struct sim_global_control *global, const struct sim_unit *unit)
{
	return global->socket == unit->socket &&
	       (global->die == SIM_ALL_DIES || global->die == (int)unit->die);
}

static bool is_frozen(const struct sim *sim, const struct sim_unit *unit)
{
	uint64_t controls = unit->control;

	for (size_t i = 0; i < sim->global_count; i++)
		if (unit_freezes(&sim->globals[i], unit))
			controls |= sim->globals[i].value;
	return controls & FREEZE;
}

/* Returns the events since the base of counter i was set. */
static uint64_t counter_count(const struct sim *sim, const struct sim_unit *unit, unsigned i,
			      uint64_t now)
{
	const uint64_t control = unit->controls[i], enable = sim_unit_rules(unit)->enable;

	if (unit->still >> i & 1 || is_frozen(sim, unit) || (enable && !(control & enable)))
		return 0;
	return traffic_count(&sim->loads, unit, control, i,
			     (const uint64_t[]){unit->counter[i].since, now});
}

/* The value of a counter that does not wrap, from its end on: the bit above its width is set. */
#define SATURATED (SIM_COUNTER_MASK << 1 | 1)

static uint64_t counter_value(const struct sim *sim, const struct sim_unit *unit, unsigned i)
{
	const uint64_t value = unit->counter[i].base + counter_count(sim, unit, i, sim->now);

	if (!sim_unit_rules(unit)->saturates)
		return value & SIM_COUNTER_MASK;
	return value > SIM_COUNTER_MASK ? SATURATED : value;
}

/* Sets the bases to the current values, before a write changes the counted events. */
static void update_counters(const struct sim *sim, struct sim_unit *unit)
{
	const uint64_t now = sim->now;

	for (unsigned i = 0; i < unit->counters; i++) {
		struct sim_counter *counter = &unit->counter[i];

		counter->base = counter_value(sim, unit, i);
		counter->since = now;
	}
}

struct sim_global_control *sim_find_global(const struct sim *sim, uint64_t phys)
{
	for (size_t i = sim->socket_count; i < sim->global_count; i++)
		if (sim->globals[i].phys == phys)
			return &sim->globals[i];
	return NULL;
}

void sim_set_global(struct sim *sim, struct sim_global_control *global, uint64_t value)
{
	for (size_t i = 0; i < sim->unit_count; i++)
		if (unit_freezes(global, &sim->units[i]))
			update_counters(sim, &sim->units[i]);
	global->value = value & FREEZE;
}

void sim_unfreeze_table(struct sim *sim, const struct sim_unit *unit)
{
	for (size_t i = sim->socket_count; i < sim->global_count; i++)
		if (unit_freezes(&sim->globals[i], unit))
			sim_set_global(sim, &sim->globals[i], 0);
}

static void write_control(struct sim_unit *unit, uint64_t value)
{
	for (unsigned i = 0; i < unit->counters; i++) {
		if (value & RESET_CONTROLS)
			unit->controls[i] = 0;
		if (value & RESET_COUNTERS)
			unit->counter[i].base = 0;
	}
	unit->control = value & FREEZE;
}

/* Returns the index of the register in an array of them, or -1. */
static int index_in(uint64_t offset, unsigned first, unsigned step, unsigned count)
{
	if (offset < first || (offset - first) % step || (offset - first) / step >= count)
		return -1;
	return (int)((offset - first) / step);
}

enum which { NO_REGISTER, UNIT_CONTROL, CONTROL, COUNTER };

/* Returns the kind of register at the offset, and its counter. */
static enum which find_register(const struct sim_unit *unit, uint64_t offset, unsigned *i)
{
	const int control =
		index_in(offset, unit->control_offset, unit->control_step, unit->counters);
	const int counter =
		index_in(offset, unit->counter_offset, unit->counter_step, unit->counters);

	*i = (unsigned)(control >= 0 ? control : counter);
	if (!offset && sim_unit_rules(unit)->unit_control)
		return UNIT_CONTROL;
	return control >= 0 ? CONTROL : counter >= 0 ? COUNTER : NO_REGISTER;
}

bool sim_unit_read(const struct sim *sim, const struct sim_unit *unit, uint64_t offset,
		   uint64_t *value)
{
	unsigned i;
	const enum which which = find_register(unit, offset, &i);

	if (which != NO_REGISTER)
		*value = unit->dead		 ? UINT64_MAX
			 : which == UNIT_CONTROL ? unit->control
			 : which == CONTROL	 ? unit->controls[i]
						 : counter_value(sim, unit, i);
	return which != NO_REGISTER;
}

/* Returns true if the clock of a unit's counters is stopped, so that they ignore writes. */
static bool is_gated(const struct sim_unit *unit)
{
	const struct sim_unit_rules *rules = sim_unit_rules(unit);

	for (unsigned i = 0; i < unit->counters; i++)
		if (unit->controls[i] & rules->enable)
			return false;
	return rules->gated;
}

bool sim_unit_write(struct sim *sim, struct sim_unit *unit, uint64_t offset, uint64_t value)
{
	unsigned i;
	const enum which which = find_register(unit, offset, &i);

	if (which == NO_REGISTER || unit->dead)
		return which != NO_REGISTER;
	update_counters(sim, unit);
	if (which == UNIT_CONTROL)
		write_control(unit, value);
	else if (which == CONTROL)
		unit->controls[i] = value & ~sim_unit_rules(unit)->reserved;
	else if (!is_gated(unit))
		unit->counter[i].base = value & SIM_COUNTER_MASK;
	return true;
}

uint64_t sim_unit_reserved(const struct sim_unit *unit, uint64_t offset)
{
	unsigned i;
	const enum which which = find_register(unit, offset, &i);

	if (which == UNIT_CONTROL)
		return ~(FREEZE | RESET_CONTROLS | RESET_COUNTERS | FREEZE_ENABLE);
	return which == CONTROL ? sim_unit_rules(unit)->reserved : ~SIM_COUNTER_MASK;
}

uint64_t sim_unit_size(const struct sim_unit *unit)
{
	const uint64_t controls = unit->control_offset + unit->control_step * unit->counters;
	const uint64_t counters = unit->counter_offset + unit->counter_step * unit->counters;

	return controls > counters ? controls : counters;
}

/* Returns true if this CPU reaches the unit's MSRs. */
static bool is_reached(const struct sim_unit *unit, const struct sim_core *core)
{
	return unit->socket == core->socket &&
	       (!sim_unit_rules(unit)->per_l3 || unit->l3 == core->l3);
}

bool sim_unit_is_served(const struct sim_unit *unit, const struct sim_core *core)
{
	return is_reached(unit, core) && unit->cpu_die == core->die;
}

int sim_unit_first_cpu(const struct sim *sim, const struct sim_unit *unit)
{
	for (unsigned cpu = 0; cpu < sim->core_count; cpu++)
		if (sim->cores[cpu].online && sim_unit_is_served(unit, &sim->cores[cpu]))
			return (int)cpu;
	return -1;
}

/*
 * Returns true if the register is the unit's. Units do not overlap, except MSRs: some between a
 * unit's registers may be another unit's.
 */
static bool has_register(const struct sim *sim, const struct sim_unit *unit, const struct reg *reg)
{
	static const enum reg_space spaces[] = {[SIM_ACCESS_MSR] = REG_MSR,
						[SIM_ACCESS_MMIO] = REG_MMIO,
						[SIM_ACCESS_PCI] = REG_PCI};
	unsigned number;

	if (spaces[unit->access] != reg->space || reg->address < unit->address ||
	    reg->address - unit->address >= sim_unit_size(unit))
		return false;
	if (reg->space == REG_MSR)
		return is_reached(unit, &sim->cores[reg->cpu]) &&
		       find_register(unit, reg->address - unit->address, &number) != NO_REGISTER;
	return reg->space == REG_MMIO || !pci_location_compare(&unit->pci, &reg->pci);
}

struct sim_unit *sim_find_unit(const struct sim *sim, const struct reg *reg)
{
	for (size_t i = 0; i < sim->unit_count; i++)
		if (has_register(sim, &sim->units[i], reg))
			return sim_unit_rules(&sim->units[i])->no_guest && *sim->hypervisor
				       ? NULL
				       : &sim->units[i];
	return NULL;
}
