/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/units/pmon_unit.h"

#include "platform/cpus.h"
#include "platform/guard.h"
#include "sim_machine.h"
#include "sim_registers.h"
#include "unit.h"

#define ALL_ONES UINT64_MAX

static struct sim_machine m;
static struct platform *p;
static struct spy *spy;
static const struct register_kind *kind;
static struct unit *unit;
static struct undo undo;
static struct error err;

static void set_up(void)
{
	sim_machine_open(&m, KINDS_MACHINE);
	spy = &m.spy;
	spy->map_count = 0;
	p = &spy->base;
}

static void tear_down(void)
{
	undo_free(&undo);
	sim_machine_close(&m);
}

/* Sets unit to the kind's unit, as discovery has found it. */
static void find_unit(int number)
{
	kind = &register_kinds[number];
	for (size_t i = 0; i < m.machine.discovery.unit_count; i++) {
		unit = &m.machine.discovery.units[i];
		if (unit->type == kind->type && unit->socket == (int)kind->socket &&
		    unit->id == kind->id)
			return;
	}
	ck_abort_msg("discovery has found no unit %u of type %u in socket %u", kind->id, kind->type,
		     kind->socket);
}

static void open_unit(int number)
{
	find_unit(number);
	ck_assert_int_eq(unit_open(p, unit, &err), 0);
	spy_forget(spy);
}

static void assert_reg(struct reg reg, struct reg expected)
{
	ck_assert_int_eq(reg.space, expected.space);
	ck_assert_uint_eq(reg.bytes, expected.bytes);
	ck_assert_uint_eq(reg.address, expected.address);
	if (reg.space == REG_MSR)
		ck_assert_uint_eq(reg.cpu, expected.cpu);
	if (reg.space == REG_MMIO)
		ck_assert_ptr_eq(reg.window, &unit->window);
	if (reg.space == REG_PCI)
		ck_assert_int_eq(pci_location_compare(&reg.pci, &expected.pci), 0);
}

FIXTURE(set_up, tear_down)

TEST_LOOP(test_registers_lie_a_step_apart, REGISTER_KINDS)
{
	open_unit(_i);
	ck_assert_uint_eq(unit->counters, kind->counters);
	assert_reg(unit_control(unit), kind->unit);
	for (unsigned i = 0; i < unit->counters; i++) {
		assert_reg(unit_counter_control(unit, i), kind_control(kind, i));
		assert_reg(unit_counter(unit, i), kind_counter(kind, i));
	}
}

TEST(test_registers_of_a_function_are_in_its_segment)
{
	open_unit(KIND_M2M);
	unit->pci.domain = 5;
	ck_assert_uint_eq(unit_control(unit).pci.domain, 5);
	ck_assert_uint_eq(unit_counter_control(unit, 0).pci.domain, 5);
	ck_assert_uint_eq(unit_counter(unit, 0).pci.domain, 5);
}

/* Names. */

static const struct pmu_type cxlcm_pmu_type = {.type = PMU_CXLCM, .name = "cxlcm"};

static const struct {
	const struct pmu_type *pmu_type;
	uint16_t type, id;
	int socket;
	unsigned die;
	const char *name;
} names[] = {
	{&cxlcm_pmu_type, PMU_CXLCM, 4, 0, 0, "socket 0 cxlcm 4"},
	{&cxlcm_pmu_type, PMU_CXLCM, 18, 1, 0, "socket 1 cxlcm 18"},
	{&cxlcm_pmu_type, PMU_CXLCM, 4, 0, 1, "socket 0 die 1 cxlcm 4"},
	{NULL, 99, 4, 0, 0, "socket 0 type 99 unit 4"},
	{NULL, 99, 4, 1, 2, "socket 1 die 2 type 99 unit 4"},
};

TEST_LOOP(test_a_unit_s_name_has_its_socket_die_pmu_type_and_id, COUNT(names))
{
	char name[UNIT_NAME_SIZE];

	const struct unit named = {.pmu_type = names[_i].pmu_type,
				   .type = names[_i].type,
				   .id = names[_i].id,
				   .socket = names[_i].socket,
				   .die = names[_i].die};
	ck_assert_ptr_eq(unit_name(&named, name), name);
	ck_assert_str_eq(name, names[_i].name);
}

/* Counters of a CPMU may have another width. */
TEST(test_a_counter_has_the_bits_of_its_width)
{
	struct unit named = {.methods = &pmon_unit_methods, .width = 48};
	ck_assert_uint_eq(unit_counter_mask(&named, 0), UINT64_MAX >> 16);
	named.width = 63;
	ck_assert_uint_eq(unit_counter_mask(&named, 0), UINT64_MAX >> 1);
	named.width = 64;
	ck_assert_uint_eq(unit_counter_mask(&named, 0), UINT64_MAX);
}

TEST(test_the_longest_name_fits)
{
	static const struct pmu_type longest = {.type = PMU_PCIE5_X16, .name = "pcie5_x16"};
	char name[UNIT_NAME_SIZE];

	const struct unit named = {
		.pmu_type = &longest, .id = UINT16_MAX, .socket = INT32_MAX, .die = UINT32_MAX};
	ck_assert_str_eq(unit_name(&named, name),
			 "socket 2147483647 die 4294967295 pcie5_x16 65535");
}

/* Opening. */

TEST_LOOP(test_opening_maps_exactly_what_the_registers_span_and_reads_the_control, REGISTER_KINDS)
{
	find_unit(_i);
	const bool in_memory = kind->unit.space == REG_MMIO, counted = unit->pmu_type->count_msr;
	const struct reg control = kind_control(kind, kind->counters - 1),
			 counter = kind_counter(kind, kind->counters - 1);
	const uint64_t controls_end = control.address + control.bytes,
		       counters_end = counter.address + counter.bytes;

	ck_assert_int_eq(unit_open(p, unit, &err), 0);
	ck_assert(unit->open);
	ck_assert_uint_eq(spy->map_count, in_memory);
	if (in_memory) {
		ck_assert_uint_eq(spy->map_phys, kind->unit.address);
		ck_assert_uint_eq(spy->map_phys + spy->map_length,
				  controls_end > counters_end ? controls_end : counters_end);
		ck_assert(spy->map_writable);
	}
	ck_assert_uint_eq(spy->access_count, 1 + counted);
	ck_assert_uint_eq(spy->accesses[counted].address, kind->unit.address);
	ck_assert_uint_eq(spy_count(spy, true), 0);
}

TEST(test_an_open_unit_is_not_mapped_again)
{
	open_unit(KIND_CXLCM);
	ck_assert_int_eq(unit_open(p, unit, &err), 0);
	ck_assert_uint_eq(spy->map_count, 1);
	unit_close(p, unit);
	ck_assert(!unit->open);
	ck_assert_uint_eq(spy->windows, 0);
}

TEST(test_a_closed_unit_may_be_closed_and_opened_again)
{
	open_unit(KIND_CXLCM);
	unit_close(p, unit);
	unit_close(p, unit);
	ck_assert_int_eq(unit_open(p, unit, &err), 0);
	ck_assert_uint_eq(spy->windows, 1);
}

TEST(test_a_unit_whose_step_is_not_known_is_not_opened)
{
	find_unit(KIND_CXLCM);
	unit->registers.control_step = 0;
	ck_assert_int_eq(unit_open(p, unit, &err), -ENOTSUP);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
	ck_assert_ptr_nonnull(strstr(err.text, "socket 0 cxlcm 4"));
	ck_assert(!unit->open);
	ck_assert_uint_eq(spy->map_count, 0);
}

TEST(test_a_unit_that_can_t_be_mapped_stays_closed)
{
	find_unit(KIND_CXLCM);
	sim_set_memory_denied(m.sim, kind->unit.address, 8);
	ck_assert_int_eq(unit_open(p, unit, &err), -EPERM);
	ck_assert_str_eq(err.text,
			 "mmio 0x2001002000: cannot be mapped: denied by this simulation");
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	ck_assert(!unit->open);
}

/* Values that were not read. */

static const struct {
	uint64_t value;
	bool unread;
} values[] = {
	{0, false},
	{1, false},
	{UINT64_C(0x0000800000000000), false},
	{UINT64_C(0x0000FFFFFFFFFFFE), false},
	{UINT64_C(0x0000FFFF00000000), false},
	{UINT64_C(0xFFFFFFFE00000000), false},
	{UINT64_C(0x00000000FFFFFFFE), false},
	{UINT64_C(0x7FFFFFFF7FFFFFFF), false},
	{ALL_ONES, true},
	{UINT64_C(0x00000000FFFFFFFF), true},
	{UINT64_C(0xFFFFFFFF00000000), true},
	{UINT64_C(0xFFFFFFFF12345678), true},
	{UINT64_C(0x0000FFFFFFFFFFFF), true}, /* its low half is all ones */
};

TEST_LOOP(test_all_ones_in_the_whole_or_one_half_were_not_read, COUNT(values))
{
	ck_assert_int_eq(unit_value_no_response(values[_i].value), values[_i].unread);
}

/* Saving. */

/* Makes a register read as a value that the simulator would not keep. */
static void hold(struct reg reg, uint64_t value)
{
	spy->held = reg;
	spy->held_value = value;
}

static int save(void)
{
	undo_clear(&undo);
	return unit_save(p, unit, UINT32_MAX, &undo, &err);
}

static int restore(void)
{
	const struct topology nobody = {0};

	struct undo_left left = {0};

	return undo_apply(p, &undo, 0, undo.count, &nobody, &left, &err);
}

static void assert_step(size_t i, const struct reg *reg, uint64_t value)
{
	ck_assert_uint_lt(i, undo.count);
	ck_assert_uint_eq(undo.steps[i].reg.address, reg->address);
	ck_assert_int_eq(undo.steps[i].reg.space, reg->space);
	ck_assert_uint_eq(undo.steps[i].value, value);
	ck_assert_int_eq(undo.steps[i].socket,
			 unit->access == ACCESS_MSR ? unit->socket : UNDO_THIS_CPU);
}

TEST_LOOP(test_saving_reads_the_control_and_the_counters_and_writes_nothing, REGISTER_KINDS)
{
	open_unit(_i);
	register_poke(p, kind->unit, KIND_FREEZE);
	for (unsigned i = 0; i < unit->counters; i++)
		register_poke(p, kind_counter(kind, i), UINT64_C(0x123456789A00) + i);
	spy_forget(spy);
	ck_assert_int_eq(save(), 0);
	const struct reg control = unit_control(unit);
	assert_step(0, &control, KIND_FREEZE);
	for (unsigned i = 0; i < unit->counters; i++) {
		const struct reg select = unit_counter_control(unit, i);
		const struct reg counter = unit_counter(unit, i);

		assert_step(1 + 2 * i, &select, 0);
		assert_step(2 + 2 * i, &counter, UINT64_C(0x123456789A00) + i);
	}
	assert_step(1 + 2U * unit->counters, &control, KIND_FREEZE);
	ck_assert_uint_eq(undo.count, 2 + 2U * unit->counters);
	for (size_t i = 0; i < undo.count; i++)
		ck_assert_int_eq(undo.steps[i].action, i == 0);
	ck_assert_uint_eq(spy_count(spy, true), 0);
}

static void assert_not_saved(int code, enum error_kind error, const char *text)
{
	ck_assert_int_eq(save(), code);
	ck_assert_int_eq(err.code, code);
	ck_assert_int_eq(err.kind, error);
	ck_assert_msg(strstr(err.text, text) != NULL, "\"%s\" without \"%s\"", err.text, text);
}

TEST_LOOP(test_a_counter_with_a_control_is_in_use, 8)
{
	char text[32];

	open_unit(KIND_CXLCM);
	register_poke(p, kind_control(kind, (unsigned)_i), 0x1041);
	snprintf(text, sizeof(text), "counter %d is in use", _i);
	assert_not_saved(-EBUSY, ERROR_IN_USE, text);
	ck_assert_ptr_nonnull(strstr(err.text, "socket 0 cxlcm 4"));
	ck_assert_ptr_nonnull(strstr(err.text, "0x1041"));
}

TEST(test_what_lies_behind_the_last_control_is_no_use)
{
	open_unit(KIND_CXLCM);
	hold(kind_control(kind, kind->counters), 0x1041);
	ck_assert_int_eq(save(), 0);
	unit_close(p, unit);
	unit->ownership = OWNERSHIP_SHARE;
	ck_assert_int_eq(unit_open(p, unit, &err), 0);
	for (size_t i = 0; i < spy->access_count; i++)
		ck_assert_uint_ne(spy->accesses[i].address, spy->held.address);
}

TEST_LOOP(test_a_counter_in_use_is_taken_by_force_and_put_back, REGISTER_KINDS)
{
	const uint64_t controls[UNIT_MAX_COUNTERS] = {0x1002};

	open_unit(_i);
	unit->ownership = OWNERSHIP_FORCE;
	register_poke(p, kind_control(kind, 2), 0x0341);
	ck_assert_int_eq(save(), 1);
	ck_assert_ptr_nonnull(strstr(err.text, "counter 2 is in use"));
	ck_assert_int_eq(unit_add_ours(unit, controls, &undo, &err), 0);
	ck_assert_int_eq(unit_program(p, unit, controls, &err), 0);
	register_poke(p, kind_control(kind, 2), 0);
	ck_assert_int_eq(restore(), 0);
	ck_assert_uint_eq(register_peek(p, kind_control(kind, 0)), 0);
	ck_assert_uint_eq(register_peek(p, kind_control(kind, 2)), 0x0341);
}

TEST_LOOP(test_a_unit_to_share_is_not_opened_while_somebody_uses_it, 4 * REGISTER_KINDS)
{
	const unsigned used = (unsigned)_i % 4;
	char text[32];

	open_unit(_i / 4);
	register_poke(p, kind_control(kind, used), 0x0341);
	unit_close(p, unit);
	unit->ownership = OWNERSHIP_SHARE;
	ck_assert_int_eq(unit_open(p, unit, &err), -EBUSY);
	ck_assert_int_eq(err.kind, ERROR_IN_USE);
	snprintf(text, sizeof(text), "counter %u is in use", used);
	assert_contains(err.text, text);
}

/* Registers of an open unit may be written, and no registers next to them. */
TEST_LOOP(test_an_open_unit_s_registers_and_no_others_may_be_written, REGISTER_KINDS)
{
	open_unit(_i);
	const struct reg regs[] = {unit_control(unit), unit_counter_control(unit, 0),
				   unit_counter(unit, unit->counters - 1U)};
	for (unsigned i = 0; i < 3; i++)
		ck_assert_ptr_nonnull(guard_find(&p->guard, &regs[i]));
	struct reg beside = regs[2];
	beside.address += unit->access == ACCESS_MSR ? 1 : 8;
	ck_assert_ptr_null(guard_find(&p->guard, &beside));
	ck_assert_int_eq(reg_write(p, &beside, 0, &err), -EACCES);
	ck_assert_uint_eq(spy_count(spy, true), 0);
}

TEST_LOOP(test_a_control_that_asks_for_an_interrupt_reaches_no_unit, REGISTER_KINDS)
{
	open_unit(_i);
	const struct reg control = unit_counter_control(unit, 0);

	ck_assert_int_eq(reg_write(p, &control, 0x101002, &err), -EACCES);
	ck_assert_ptr_nonnull(strstr(err.text, "interrupt"));
	ck_assert_uint_eq(spy_count(spy, true), 0);
	ck_assert_int_eq(reg_restore(p, &control, 0x101002, &err), 0);
}

TEST_LOOP(test_a_unit_whose_control_is_all_ones_did_not_answer, REGISTER_KINDS)
{
	open_unit(_i);
	hold(kind->unit, ALL_ONES);
	assert_not_saved(-ENXIO, ERROR_FAILED, "all ones");
}

/* Only a memory channel may be absent; a type that no table has lacks a PMU type that says so. */
static const struct {
	const struct pmu_type *pmu_type;
	bool absent;
} silent[] = {
	{&(const struct pmu_type){.name = "imc", .mmio_control_step = 4, .may_be_absent = true},
	 true},
	{&(const struct pmu_type){.name = "imc", .mmio_control_step = 4}, false},
	{NULL, false},
};

TEST_LOOP(test_a_unit_that_is_silent_when_it_is_opened_may_be_absent, COUNT(silent))
{
	open_unit(KIND_IMC);
	hold(kind->unit, ALL_ONES);
	unit_close(p, unit);
	unit->pmu_type = silent[_i].pmu_type;
	ck_assert_int_eq(unit_open(p, unit, &err), -ENXIO);
	ck_assert_int_eq(unit->absent, silent[_i].absent);
	ck_assert(!unit->open);
}

TEST_LOOP(test_a_unit_whose_counter_control_is_all_ones_did_not_answer, REGISTER_KINDS)
{
	open_unit(_i);
	hold(kind_control(kind, kind->counters - 1), ALL_ONES);
	assert_not_saved(-ENXIO, ERROR_FAILED, "all ones");
}

TEST_LOOP(test_a_counter_control_with_one_half_all_ones_did_not_answer, 2)
{
	static const uint64_t halves[] = {UINT32_MAX, UINT64_C(0xFFFFFFFF00000000)};

	open_unit(KIND_CXLCM);
	hold(kind_control(kind, 2), halves[_i]);
	assert_not_saved(-ENXIO, ERROR_FAILED, "all ones");
}

/* A save may fail, or leave the counter out; a counter of 48 bits cannot hold an unread value. */
TEST_LOOP(test_a_counter_that_was_not_read_is_never_written_back_as_all_ones, REGISTER_KINDS)
{
	open_unit(_i);
	hold(kind_counter(kind, 1), ALL_ONES);
	if (save())
		return;
	restore();
	for (size_t i = 0; i < spy->access_count; i++)
		if (spy->accesses[i].write)
			ck_assert(!unit_value_no_response(spy->accesses[i].value));
}

TEST_LOOP(test_a_register_that_can_t_be_read_stops_saving, 9)
{
	open_unit(KIND_CHA);
	spy->fail_code = -EIO;
	spy->fail_read = (size_t)_i + 1;
	assert_not_saved(-EIO, ERROR_FAILED, "cpu 8 msr 0x203");
	ck_assert_uint_eq(spy_count(spy, false), (size_t)_i + 1);
}

/* Programming. */

#define CHA_EVENT UINT64_C(0x10C8178200000136) /* all bits that a control may have */

#define MOST_WRITES 24

/* Controls of the kind's counters, by programme(), and the writes that set them. */
static uint64_t controls[UNIT_MAX_COUNTERS];
static struct access writes[MOST_WRITES];
static size_t write_count;

/* A register of 8 bytes in configuration space takes two writes. */
static void expect_write(struct reg reg, uint64_t value)
{
	const unsigned bytes = reg.space == REG_PCI ? 4 : reg.bytes;

	for (unsigned at = 0; at < reg.bytes; at += bytes)
		writes[write_count++] = (struct access){
			.space = reg.space,
			.cpu = reg.cpu,
			.pci = reg.pci,
			.address = reg.address + at,
			.bytes = bytes,
			.value = bytes == 4 ? (uint32_t)(value >> 8 * at) : value,
		};
}

/* Programs the unit with the first controls, and lists the writes that it should take. */
static int programme(unsigned count)
{
	static const uint64_t all[] = {CHA_EVENT, 0x1002, 0x0802, 0x0405,
				       0x1041,	  0x0841, 0x1052, 0x0852};

	memset(controls, 0, sizeof(controls));
	write_count = 0;
	expect_write(kind->unit, KIND_FREEZE);
	expect_write(kind->unit, KIND_FREEZE | KIND_RESET_CONTROLS);
	for (unsigned i = 0; i < kind->counters; i++) {
		controls[i] = i < count ? all[i] & UINT64_MAX >> (64 - 8 * kind->control_bytes) : 0;
		expect_write(kind_control(kind, i), controls[i]);
	}
	expect_write(kind->unit, KIND_FREEZE | KIND_RESET_COUNTERS);
	return unit_program(p, unit, controls, &err);
}

TEST_LOOP(test_programming_writes_the_documented_sequence_and_reads_nothing, REGISTER_KINDS)
{
	open_unit(_i);
	ck_assert_int_eq(programme(kind->counters), 0);
	spy_assert_writes(spy, writes, write_count);
	ck_assert_uint_eq(spy_count(spy, false), 0);
}

/* Unused controls are written even without a reset: a machine of files may miss it. */
TEST_LOOP(test_controls_that_are_not_used_are_written_as_0, REGISTER_KINDS)
{
	open_unit(_i);
	ck_assert_int_eq(programme(1), 0);
	spy_assert_writes(spy, writes, write_count);
}

TEST_LOOP(test_programming_stops_at_a_register_that_can_t_be_written, 7)
{
	open_unit(KIND_CHA);
	spy->fail_code = -EPERM;
	spy->fail_write = (size_t)_i + 1;
	ck_assert_int_eq(programme(kind->counters), -EPERM);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	spy_assert_writes(spy, writes, (size_t)_i + 1);
}

TEST_LOOP(test_freezing_writes_1_and_unfreezing_0_to_the_unit_s_control, REGISTER_KINDS)
{
	open_unit(_i);
	const struct freeze_control gate = unit_freeze_control(unit);

	write_count = 0;
	expect_write(kind->unit, KIND_FREEZE);
	expect_write(kind->unit, 0);
	ck_assert_int_eq(reg_write(p, &gate.reg, gate.stop, &err), 0);
	ck_assert_int_eq(unit_unfreeze(p, unit, &err), 0);
	spy_assert_writes(spy, writes, write_count);
}

/* Restoring. */

/* Counts the writes: freezes, a control and a counter each, and the unit's control last. */
static size_t restore_writes(void)
{
	return 2 + 2U * unit->counters;
}

TEST(test_a_reset_that_is_over_is_not_asked_for_again)
{
	open_unit(KIND_CXLCM);
	hold(kind->unit, KIND_FREEZE | KIND_RESET_CONTROLS | KIND_RESET_COUNTERS);
	ck_assert_int_eq(save(), 0);
	ck_assert_int_eq(restore(), 0);
	ck_assert_uint_eq(spy_write(spy, restore_writes() - 1)->value, KIND_FREEZE);
}

TEST_LOOP(test_restoring_goes_on_after_a_register_that_fails, 10)
{
	char name[REG_NAME_SIZE];

	open_unit(KIND_CHA);
	ck_assert_int_eq(save(), 0);
	spy_forget(spy);
	spy->fail_code = -EIO;
	spy->fail_write = (size_t)_i + 1;
	ck_assert_int_eq(restore(), -EIO);
	ck_assert_uint_eq(spy_count(spy, true), restore_writes());
	const struct reg failed = {.space = REG_MSR,
				   .cpu = kind->unit.cpu,
				   .address = spy_write(spy, (size_t)_i)->address};
	ck_assert_ptr_nonnull(strstr(err.text, reg_name(&failed, name)));
}

TEST_LOOP(test_a_unit_is_restored_bit_for_bit, REGISTER_KINDS)
{
	open_unit(_i);
	for (unsigned i = 0; i < kind->counters; i++)
		register_poke(p, kind_counter(kind, i), UINT64_C(0xFEDCBA987600) + i);
	const uint64_t before = sim_state_hash(m.sim);
	ck_assert_int_eq(save(), 0);
	for (unsigned i = 0; i < kind->counters; i++)
		controls[i] = kind->clock;
	ck_assert_int_eq(unit_add_ours(unit, controls, &undo, &err), 0);
	ck_assert_int_eq(unit_program(p, unit, controls, &err), 0);
	ck_assert_int_eq(unit_unfreeze(p, unit, &err), 0);
	sim_machine_wait(&m, 1000000);
	ck_assert_uint_ne(sim_state_hash(m.sim), before);
	ck_assert_int_eq(restore(), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), before);
}
