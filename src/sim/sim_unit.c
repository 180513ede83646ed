/* SPDX-License-Identifier: BSD-3-Clause */

#include "sim/sim_machine.h"
#include "uncore/model.h"

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
	 .saturates = true},
};

const struct sim_unit_rules *sim_unit_rules(const struct sim_unit *unit)
{
	for (size_t i = 0; i < sizeof(special_rules) / sizeof(special_rules[0]); i++)
		if (special_rules[i].type == unit->type)
			return &special_rules[i];
	return &intel_rules;
}

/* The global control of the unit's table; NULL: it is none in memory. */
static struct sim_table_control *find_table_of(const struct sim *sim, const struct sim_unit *unit)
{
	for (size_t i = 0; i < sim->table_control_count; i++)
		if (sim->table_controls[i].socket == unit->socket &&
		    sim->table_controls[i].die == unit->die)
			return &sim->table_controls[i];
	return NULL;
}

static bool is_frozen(const struct sim *sim, const struct sim_unit *unit)
{
	const struct sim_table_control *table = find_table_of(sim, unit);
	const uint64_t global = sim->sockets[unit->socket].global_control;

	return (unit->control | global | (table ? table->value : 0)) & FREEZE;
}

/* Events since the base of counter i was set. */
static uint64_t counted(const struct sim *sim, const struct sim_unit *unit, unsigned i,
			uint64_t now)
{
	const struct traffic_unit source = {
		.type = unit->type, .socket = unit->socket, .index = unit->index};
	const uint64_t control = unit->controls[i], enable = sim_unit_rules(unit)->enable;

	if (is_frozen(sim, unit) || (enable && !(control & enable)))
		return 0;
	return traffic_count(&sim->loads, &source, control, i, now) -
	       traffic_count(&sim->loads, &source, control, i, unit->counter[i].since);
}

/* What a counter that doesn't wrap holds from its end on: the bit above its width tells. */
#define SATURATED (SIM_COUNTER_MASK << 1 | 1)

static uint64_t counter_value(const struct sim *sim, const struct sim_unit *unit, unsigned i)
{
	const uint64_t value = unit->counter[i].base + counted(sim, unit, i, sim->now);

	if (!sim_unit_rules(unit)->saturates)
		return value & SIM_COUNTER_MASK;
	return value > SIM_COUNTER_MASK ? SATURATED : value;
}

/* Sets the bases to the current values, before what is counted changes. */
static void update_counters(const struct sim *sim, struct sim_unit *unit)
{
	const uint64_t now = sim->now;

	for (unsigned i = 0; i < unit->counters; i++) {
		struct sim_counter *counter = &unit->counter[i];

		counter->base = counter_value(sim, unit, i);
		counter->since = now;
	}
}

void sim_set_global_control(struct sim *sim, unsigned socket, uint64_t value)
{
	for (size_t i = 0; i < sim->unit_count; i++)
		if (sim->units[i].socket == socket)
			update_counters(sim, &sim->units[i]);
	sim->sockets[socket].global_control = value & FREEZE;
}

struct sim_table_control *sim_find_table_control(const struct sim *sim, uint64_t phys)
{
	for (size_t i = 0; i < sim->table_control_count; i++)
		if (sim->table_controls[i].phys == phys)
			return &sim->table_controls[i];
	return NULL;
}

void sim_set_table_control(struct sim *sim, struct sim_table_control *control, uint64_t value)
{
	for (size_t i = 0; i < sim->unit_count; i++)
		if (sim->units[i].socket == control->socket && sim->units[i].die == control->die)
			update_counters(sim, &sim->units[i]);
	control->value = value & FREEZE;
}

void sim_unfreeze_table(struct sim *sim, const struct sim_unit *unit)
{
	struct sim_table_control *table = find_table_of(sim, unit);

	if (table)
		sim_set_table_control(sim, table, 0);
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

/* The index of the register in an array of them, or -1. */
static int index_in(uint64_t offset, unsigned first, unsigned step, unsigned count)
{
	if (offset < first || (offset - first) % step || (offset - first) / step >= count)
		return -1;
	return (int)((offset - first) / step);
}

enum which { NO_REGISTER, UNIT_CONTROL, CONTROL, COUNTER };

/* What is at the offset, and of which counter. */
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
	else
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

/* Whether the unit's MSRs are those of this CPU. */
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

struct sim_unit *sim_find_msr_unit(const struct sim *sim, unsigned cpu, uint32_t msr)
{
	for (size_t i = 0; i < sim->unit_count; i++) {
		struct sim_unit *unit = &sim->units[i];
		unsigned number;

		if (unit->access == SIM_ACCESS_MSR && msr >= unit->address &&
		    is_reached(unit, &sim->cores[cpu]) &&
		    find_register(unit, msr - unit->address, &number) != NO_REGISTER)
			return sim_unit_rules(unit)->no_guest && *sim->hypervisor ? NULL : unit;
	}
	return NULL;
}

static bool has_address(const struct sim_unit *unit, uint64_t address)
{
	return address >= unit->address && address - unit->address < sim_unit_size(unit);
}

struct sim_unit *sim_find_mmio_unit(const struct sim *sim, uint64_t phys)
{
	for (size_t i = 0; i < sim->unit_count; i++)
		if (sim->units[i].access == SIM_ACCESS_MMIO && has_address(&sim->units[i], phys))
			return &sim->units[i];
	return NULL;
}

struct sim_unit *sim_find_pci_unit(const struct sim *sim, struct pci_location at, uint64_t offset)
{
	for (size_t i = 0; i < sim->unit_count; i++) {
		struct sim_unit *unit = &sim->units[i];

		if (unit->access == SIM_ACCESS_PCI && !pci_location_compare(&unit->pci, &at) &&
		    has_address(unit, offset))
			return unit;
	}
	return NULL;
}
