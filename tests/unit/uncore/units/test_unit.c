/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/units/pmon_unit.h"

#include "fake_machine.h"
#include "platform/cpus.h"
#include "platform/guard.h"
#include "sim_machine.h"
#include "spy.h"
#include "unit.h"

#define CXLCM_AT UINT64_C(0x2001000000)
#define IMC_AT	 UINT64_C(0xF0002800)
#define ALL_ONES UINT64_MAX

static const struct pmu_type cha_pmu_type = {.type = PMU_CHA, .name = "cha"};
static const struct pmu_type cxlcm_pmu_type = {
	.type = PMU_CXLCM, .name = "cxlcm", .mmio_control_step = 8};
static const struct pmu_type imc_pmu_type = {
	.type = PMU_IMC, .name = "imc", .mmio_control_step = 4};
static const struct pmu_type m2m_pmu_type = {.type = PMU_M2M, .name = "m2m"};

/* A unit of each shape: MSRs; memory 8 and 4 bytes apart; configuration space. */
enum { CHA, CXLCM, IMC, M2M, SHAPES };

#define PCI_AT                                                                                     \
	{                                                                                          \
		.domain = 5, .bus = 0x7F, .device = 12, .function = 3                              \
	}

static const struct unit shapes[SHAPES] = {
	[CHA] = {.methods = &pmon_unit_methods,
		 .pmu_type = &cha_pmu_type,
		 .type = PMU_CHA,
		 .id = 3,
		 .socket = 1,
		 .cpu = 2,
		 .access = ACCESS_MSR,
		 .control = 0x2030,
		 .registers = {.control_offset = 2,
			       .counter_offset = 8,
			       .control_step = 1,
			       .counter_step = 1},
		 .counters = 4,
		 .width = 48},
	[CXLCM] = {.methods = &pmon_unit_methods,
		   .pmu_type = &cxlcm_pmu_type,
		   .type = PMU_CXLCM,
		   .id = 4,
		   .access = ACCESS_MMIO,
		   .control = CXLCM_AT,
		   .registers = {.control_offset = 0x10,
				 .counter_offset = 0x58,
				 .control_step = 8,
				 .counter_step = 8},
		   .counters = 8,
		   .width = 48},
	[IMC] = {.methods = &pmon_unit_methods,
		 .pmu_type = &imc_pmu_type,
		 .type = PMU_IMC,
		 .access = ACCESS_MMIO,
		 .control = IMC_AT,
		 .registers = {.control_offset = 0x40,
			       .counter_offset = 0x08,
			       .control_step = 4,
			       .counter_step = 8},
		 .counters = 4,
		 .width = 48},
	[M2M] = {.methods = &pmon_unit_methods,
		 .pmu_type = &m2m_pmu_type,
		 .type = PMU_M2M,
		 .access = ACCESS_PCI,
		 .control = 0x438,
		 .pci = PCI_AT,
		 .registers = {.control_offset = 0x30,
			       .counter_offset = 0x08,
			       .control_step = 8,
			       .counter_step = 8},
		 .counters = 4,
		 .width = 48},
};

static struct sim_machine m;

static struct fake_machine fake;
static struct spy spy;
static struct unit unit;
static struct undo undo;
static struct error err;

static void set_up(void)
{
	fake_init(&fake);
	spy_init(&spy, &fake.base);
	fake_memory(&fake, CXLCM_AT, 0x98);
	fake_memory(&fake, IMC_AT, 0x50);
	fake_function(&fake, 0x7F, 0x8086, 0x324A)->info.at = (struct pci_location)PCI_AT;
}

static void tear_down(void)
{
	unit_close(&spy.base, &unit);
	undo_free(&undo);
	ck_assert_uint_eq(spy.windows, 0);
	platform_destroy(&spy.base);
}

static void open_unit(int shape)
{
	unit = shapes[shape];
	ck_assert_int_eq(unit_open(&spy.base, &unit, &err), 0);
	spy_forget(&spy);
}

/* Places of registers. */

static const struct layout {
	int shape;
	enum reg_space space;
	unsigned control_bytes, counter_control_bytes;
	uint64_t control, controls, control_step, counters, counter_step;
} layouts[] = {
	{CHA, REG_MSR, 8, 8, 0x2030, 0x2032, 1, 0x2038, 1},
	{CXLCM, REG_MMIO, 8, 8, CXLCM_AT, CXLCM_AT + 0x10, 8, CXLCM_AT + 0x58, 8},
	{IMC, REG_MMIO, 4, 4, IMC_AT, IMC_AT + 0x40, 4, IMC_AT + 0x08, 8},
	{M2M, REG_PCI, 4, 8, 0x438, 0x468, 8, 0x440, 8},
};

static void assert_reg(const struct reg *reg, const struct layout *layout, unsigned bytes,
		       uint64_t address)
{
	ck_assert_int_eq(reg->space, layout->space);
	ck_assert_uint_eq(reg->bytes, bytes);
	ck_assert_uint_eq(reg->address, address);
	if (layout->space == REG_MSR)
		ck_assert_uint_eq(reg->cpu, 2);
	if (layout->space == REG_MMIO)
		ck_assert_ptr_eq(reg->window, &unit.window);
	if (layout->space != REG_PCI)
		return;
	ck_assert_uint_eq(reg->pci.domain, 5);
	ck_assert_uint_eq(reg->pci.bus, 0x7F);
	ck_assert_uint_eq(reg->pci.device, 12);
	ck_assert_uint_eq(reg->pci.function, 3);
}

FIXTURE(set_up, tear_down)

TEST_LOOP(test_registers_lie_a_step_apart, COUNT(layouts))
{
	const struct layout *l = &layouts[_i];

	open_unit(l->shape);
	const struct reg control = unit_control(&unit);
	assert_reg(&control, l, l->control_bytes, l->control);
	for (unsigned i = 0; i < unit.counters; i++) {
		const struct reg counter_control = unit_counter_control(&unit, i);
		const struct reg counter = unit_counter(&unit, i);

		assert_reg(&counter_control, l, l->counter_control_bytes,
			   l->controls + l->control_step * i);
		assert_reg(&counter, l, 8, l->counters + l->counter_step * i);
	}
}

/* Names. */

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

	unit = (struct unit){.pmu_type = names[_i].pmu_type,
			     .type = names[_i].type,
			     .id = names[_i].id,
			     .socket = names[_i].socket,
			     .die = names[_i].die};
	ck_assert_ptr_eq(unit_name(&unit, name), name);
	ck_assert_str_eq(name, names[_i].name);
}

/* Counters of a CPMU may have another width. */
TEST(test_a_counter_has_the_bits_of_its_width)
{
	unit = (struct unit){.methods = &pmon_unit_methods, .width = 48};
	ck_assert_uint_eq(unit_counter_mask(&unit, 0), UINT64_MAX >> 16);
	unit.width = 63;
	ck_assert_uint_eq(unit_counter_mask(&unit, 0), UINT64_MAX >> 1);
	unit.width = 64;
	ck_assert_uint_eq(unit_counter_mask(&unit, 0), UINT64_MAX);
}

TEST(test_the_longest_name_fits)
{
	static const struct pmu_type longest = {.type = PMU_PCIE5_X16, .name = "pcie5_x16"};
	char name[UNIT_NAME_SIZE];

	unit = (struct unit){
		.pmu_type = &longest, .id = UINT16_MAX, .socket = INT32_MAX, .die = UINT32_MAX};
	ck_assert_str_eq(unit_name(&unit, name),
			 "socket 2147483647 die 4294967295 pcie5_x16 65535");
}

/* Opening. */

/* Bytes that the registers span; 0: they are not in memory. */
static const size_t extents[SHAPES] = {[CXLCM] = 0x98, [IMC] = 0x50};

TEST_LOOP(test_opening_maps_exactly_what_the_registers_span_and_reads_the_control, SHAPES)
{
	unit = shapes[_i];
	ck_assert_int_eq(unit_open(&spy.base, &unit, &err), 0);
	ck_assert(unit.open);
	ck_assert_uint_eq(spy.map_count, extents[_i] != 0);
	if (extents[_i]) {
		ck_assert_uint_eq(spy.map_phys, unit.control);
		ck_assert_uint_eq(spy.map_length, extents[_i]);
		ck_assert(spy.map_writable);
	}
	ck_assert_uint_eq(spy.access_count, 1);
	ck_assert_uint_eq(spy_count(&spy, true), 0);
}

TEST(test_an_open_unit_is_not_mapped_again)
{
	open_unit(CXLCM);
	ck_assert_int_eq(unit_open(&spy.base, &unit, &err), 0);
	ck_assert_uint_eq(spy.map_count, 1);
	unit_close(&spy.base, &unit);
	ck_assert(!unit.open);
	ck_assert_uint_eq(spy.windows, 0);
}

TEST(test_a_closed_unit_may_be_closed_and_opened_again)
{
	open_unit(CXLCM);
	unit_close(&spy.base, &unit);
	unit_close(&spy.base, &unit);
	ck_assert_int_eq(unit_open(&spy.base, &unit, &err), 0);
	ck_assert_uint_eq(spy.windows, 1);
}

TEST(test_a_unit_whose_step_is_not_known_is_not_opened)
{
	unit = shapes[CXLCM];
	unit.registers.control_step = 0;
	ck_assert_int_eq(unit_open(&spy.base, &unit, &err), -ENOTSUP);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
	ck_assert_ptr_nonnull(strstr(err.text, "socket 0 cxlcm 4"));
	ck_assert(!unit.open);
	ck_assert_uint_eq(spy.map_count, 0);
}

TEST(test_a_unit_that_can_t_be_mapped_stays_closed)
{
	unit = shapes[CXLCM];
	fake.map_error = -EPERM;
	ck_assert_int_eq(unit_open(&spy.base, &unit, &err), -EPERM);
	ck_assert_str_eq(err.text, "fake: memory is closed");
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	ck_assert(!unit.open);
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

/* Writes a register like the hardware itself, or another program. */
static void put(struct reg reg, uint64_t value)
{
	guard_disable(&spy.base.guard);
	ck_assert_int_eq(reg_write(&spy.base, &reg, value, NULL), 0);
	spy.base.guard.allow_all = false;
}

static uint64_t get(struct reg reg)
{
	uint64_t value = 0;

	ck_assert_int_eq(reg_read(&spy.base, &reg, &value, NULL), 0);
	return value;
}

static int save(struct platform *p, const struct unit *u)
{
	undo_clear(&undo);
	return unit_save(p, u, UINT32_MAX, &undo, &err);
}

static int restore(struct platform *p)
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
			 unit.access == ACCESS_MSR ? unit.socket : UNDO_THIS_CPU);
}

TEST_LOOP(test_saving_reads_the_control_and_the_counters_and_writes_nothing, SHAPES)
{
	open_unit(_i);
	put(unit_control(&unit), UNIT_CTL_FREEZE);
	for (unsigned i = 0; i < unit.counters; i++)
		put(unit_counter(&unit, i), UINT64_C(0x123456789A00) + i);
	spy_forget(&spy);
	ck_assert_int_eq(save(&spy.base, &unit), 0);
	const struct reg control = unit_control(&unit);
	assert_step(0, &control, UNIT_CTL_FREEZE);
	for (unsigned i = 0; i < unit.counters; i++) {
		const struct reg select = unit_counter_control(&unit, i);
		const struct reg counter = unit_counter(&unit, i);

		assert_step(1 + 2 * i, &select, 0);
		assert_step(2 + 2 * i, &counter, UINT64_C(0x123456789A00) + i);
	}
	assert_step(1 + 2U * unit.counters, &control, UNIT_CTL_FREEZE);
	ck_assert_uint_eq(undo.count, 2 + 2U * unit.counters);
	for (size_t i = 0; i < undo.count; i++)
		ck_assert_int_eq(undo.steps[i].action, i == 0);
	ck_assert_uint_eq(spy_count(&spy, true), 0);
}

static void assert_not_saved(int code, enum error_kind kind, const char *text)
{
	ck_assert_int_eq(save(&spy.base, &unit), code);
	ck_assert_int_eq(err.code, code);
	ck_assert_int_eq(err.kind, kind);
	ck_assert_msg(strstr(err.text, text) != NULL, "\"%s\" without \"%s\"", err.text, text);
}

TEST_LOOP(test_a_counter_with_a_control_is_in_use, 8)
{
	char text[32];

	open_unit(CXLCM);
	put(unit_counter_control(&unit, (unsigned)_i), 0x1041);
	snprintf(text, sizeof(text), "counter %d is in use", _i);
	assert_not_saved(-EBUSY, ERROR_IN_USE, text);
	ck_assert_ptr_nonnull(strstr(err.text, "socket 0 cxlcm 4"));
	ck_assert_ptr_nonnull(strstr(err.text, "0x1041"));
}

TEST(test_what_lies_behind_the_last_control_is_no_use)
{
	struct reg behind;

	open_unit(CXLCM);
	behind = unit_counter_control(&unit, unit.counters);
	put(behind, 0x1041);
	ck_assert_int_eq(save(&spy.base, &unit), 0);
	ck_assert_uint_eq(get(behind), 0x1041);
	unit_close(&spy.base, &unit);
	unit.ownership = OWNERSHIP_SHARE;
	ck_assert_int_eq(unit_open(&spy.base, &unit, &err), 0);
}

TEST_LOOP(test_a_counter_in_use_is_taken_by_force_and_put_back, SHAPES)
{
	const uint64_t controls[UNIT_MAX_COUNTERS] = {0x1002};

	open_unit(_i);
	unit.ownership = OWNERSHIP_FORCE;
	put(unit_counter_control(&unit, 2), 0x0341);
	ck_assert_int_eq(save(&spy.base, &unit), 1);
	ck_assert_ptr_nonnull(strstr(err.text, "counter 2 is in use"));
	ck_assert_int_eq(unit_add_ours(&unit, controls, &undo, &err), 0);
	ck_assert_int_eq(unit_program(&spy.base, &unit, controls, &err), 0);
	put(unit_counter_control(&unit, 2), 0);
	ck_assert_int_eq(restore(&spy.base), 0);
	ck_assert_uint_eq(get(unit_counter_control(&unit, 0)), 0);
	ck_assert_uint_eq(get(unit_counter_control(&unit, 2)), 0x0341);
}

TEST_LOOP(test_a_unit_to_share_is_not_opened_while_somebody_uses_it, SHAPES)
{
	open_unit(_i);
	put(unit_counter_control(&unit, 3), 0x0341);
	unit_close(&spy.base, &unit);
	unit.ownership = OWNERSHIP_SHARE;
	ck_assert_int_eq(unit_open(&spy.base, &unit, &err), -EBUSY);
	ck_assert_int_eq(err.kind, ERROR_IN_USE);
	ck_assert_ptr_nonnull(strstr(err.text, "counter 3 is in use"));
}

/* Registers of an open unit may be written, and no registers next to them. */
TEST_LOOP(test_an_open_unit_s_registers_and_no_others_may_be_written, SHAPES)
{
	open_unit(_i);
	const struct reg regs[] = {unit_control(&unit), unit_counter_control(&unit, 0),
				   unit_counter(&unit, unit.counters - 1U)};
	for (unsigned i = 0; i < 3; i++)
		ck_assert_ptr_nonnull(guard_find(&spy.base.guard, &regs[i]));
	struct reg beside = regs[2];
	beside.address += unit.access == ACCESS_MSR ? 1 : 8;
	ck_assert_ptr_null(guard_find(&spy.base.guard, &beside));
	ck_assert_int_eq(reg_write(&spy.base, &beside, 0, &err), -EACCES);
	ck_assert_uint_eq(spy_count(&spy, true), 0);
}

TEST_LOOP(test_a_control_that_asks_for_an_interrupt_reaches_no_unit, SHAPES)
{
	open_unit(_i);
	const struct reg control = unit_counter_control(&unit, 0);

	ck_assert_int_eq(reg_write(&spy.base, &control, 0x101002, &err), -EACCES);
	ck_assert_ptr_nonnull(strstr(err.text, "interrupt"));
	ck_assert_uint_eq(spy_count(&spy, true), 0);
	ck_assert_int_eq(reg_restore(&spy.base, &control, 0x101002, &err), 0);
}

TEST_LOOP(test_a_unit_whose_control_is_all_ones_did_not_answer, SHAPES)
{
	open_unit(_i);
	put(unit_control(&unit), ALL_ONES);
	assert_not_saved(-ENXIO, ERROR_FAILED, "all ones");
}

/* Only a memory channel may be absent; a type that no table has lacks a PMU type that says so. */
static const struct {
	const struct pmu_type *pmu_type;
	bool absent;
} silent[] = {
	{&(const struct pmu_type){.name = "imc", .mmio_control_step = 4, .may_be_absent = true},
	 true},
	{&imc_pmu_type, false},
	{NULL, false},
};

TEST_LOOP(test_a_unit_that_is_silent_when_it_is_opened_may_be_absent, COUNT(silent))
{
	open_unit(IMC);
	put(unit_control(&unit), ALL_ONES);
	unit_close(&spy.base, &unit);
	unit.pmu_type = silent[_i].pmu_type;
	ck_assert_int_eq(unit_open(&spy.base, &unit, &err), -ENXIO);
	ck_assert_int_eq(unit.absent, silent[_i].absent);
	ck_assert(!unit.open);
}

TEST_LOOP(test_a_unit_whose_counter_control_is_all_ones_did_not_answer, SHAPES)
{
	open_unit(_i);
	put(unit_counter_control(&unit, unit.counters - 1U), ALL_ONES);
	assert_not_saved(-ENXIO, ERROR_FAILED, "all ones");
}

TEST_LOOP(test_a_counter_control_with_one_half_all_ones_did_not_answer, 2)
{
	static const uint64_t halves[] = {UINT32_MAX, UINT64_C(0xFFFFFFFF00000000)};

	open_unit(CXLCM);
	put(unit_counter_control(&unit, 2), halves[_i]);
	assert_not_saved(-ENXIO, ERROR_FAILED, "all ones");
}

/* A save may fail, or leave the counter out; a counter of 48 bits cannot hold an unread value. */
TEST_LOOP(test_a_counter_that_was_not_read_is_never_written_back_as_all_ones, SHAPES)
{
	open_unit(_i);
	put(unit_counter(&unit, 1), ALL_ONES);
	spy_forget(&spy);
	if (save(&spy.base, &unit))
		return;
	restore(&spy.base);
	for (size_t i = 0; i < spy.access_count; i++)
		if (spy.accesses[i].write)
			ck_assert(!unit_value_no_response(spy.accesses[i].value));
}

TEST_LOOP(test_a_register_that_can_t_be_read_stops_saving, 9)
{
	open_unit(CHA);
	spy.fail_code = -EIO;
	spy.fail_read = (size_t)_i + 1;
	assert_not_saved(-EIO, ERROR_FAILED, "cpu 2 msr 0x203");
	ck_assert_uint_eq(spy_count(&spy, false), (size_t)_i + 1);
}

/* Programming. */

#define FRZ	 UNIT_CTL_FREEZE
#define RST_CTRL (UNIT_CTL_FREEZE | UNIT_CTL_RESET_CONTROLS)
#define RST_CTRS (UNIT_CTL_FREEZE | UNIT_CTL_RESET_COUNTERS)

#define MSR_WRITE(address, value)                                                                  \
	{                                                                                          \
		REG_MSR, true, 2, {0}, address, 8, value                                           \
	}
#define MMIO_WRITE(address, n, value)                                                              \
	{                                                                                          \
		REG_MMIO, true, 0, {0}, address, n, value                                          \
	}
#define PCI_WRITE(address, value)                                                                  \
	{                                                                                          \
		REG_PCI, true, 0, PCI_AT, address, 4, value                                        \
	}

#define CHA_EVENT UINT64_C(0x10C8178200000136) /* all bits that a control may have */

static const uint64_t programme[] = {CHA_EVENT, 0x1002, 0x0802, 0x0405,
				     0x1041,	0x0841, 0x1052, 0x0852};

static const struct access cha_writes[] = {
	MSR_WRITE(0x2030, FRZ),	     MSR_WRITE(0x2030, RST_CTRL), MSR_WRITE(0x2032, CHA_EVENT),
	MSR_WRITE(0x2033, 0x1002),   MSR_WRITE(0x2034, 0x0802),	  MSR_WRITE(0x2035, 0x0405),
	MSR_WRITE(0x2030, RST_CTRS),
};

static const struct access cxlcm_writes[] = {
	MMIO_WRITE(CXLCM_AT, 8, FRZ),
	MMIO_WRITE(CXLCM_AT, 8, RST_CTRL),
	MMIO_WRITE(CXLCM_AT + 0x10, 8, CHA_EVENT),
	MMIO_WRITE(CXLCM_AT + 0x18, 8, 0x1002),
	MMIO_WRITE(CXLCM_AT + 0x20, 8, 0x0802),
	MMIO_WRITE(CXLCM_AT + 0x28, 8, 0x0405),
	MMIO_WRITE(CXLCM_AT + 0x30, 8, 0x1041),
	MMIO_WRITE(CXLCM_AT + 0x38, 8, 0x0841),
	MMIO_WRITE(CXLCM_AT + 0x40, 8, 0x1052),
	MMIO_WRITE(CXLCM_AT + 0x48, 8, 0x0852),
	MMIO_WRITE(CXLCM_AT, 8, RST_CTRS),
};

/* Writes to a memory controller, whose controls have 32 bits. */
static const struct access imc_writes[] = {
	MMIO_WRITE(IMC_AT, 4, FRZ),	      MMIO_WRITE(IMC_AT, 4, RST_CTRL),
	MMIO_WRITE(IMC_AT + 0x40, 4, 0x1002), MMIO_WRITE(IMC_AT + 0x44, 4, 0x0802),
	MMIO_WRITE(IMC_AT + 0x48, 4, 0x0405), MMIO_WRITE(IMC_AT + 0x4C, 4, 0x1041),
	MMIO_WRITE(IMC_AT, 4, RST_CTRS),
};

static const struct access m2m_writes[] = {
	PCI_WRITE(0x438, FRZ),	      PCI_WRITE(0x438, RST_CTRL), PCI_WRITE(0x468, 0x00000136),
	PCI_WRITE(0x46C, 0x10C81782), PCI_WRITE(0x470, 0x1002),	  PCI_WRITE(0x474, 0),
	PCI_WRITE(0x478, 0x0802),     PCI_WRITE(0x47C, 0),	  PCI_WRITE(0x480, 0x0405),
	PCI_WRITE(0x484, 0),	      PCI_WRITE(0x438, RST_CTRS),
};

static const struct {
	const uint64_t *controls;
	const struct access *writes;
	size_t count;
} sequences[SHAPES] = {
	[CHA] = {programme, cha_writes, COUNT(cha_writes)},
	[CXLCM] = {programme, cxlcm_writes, COUNT(cxlcm_writes)},
	[IMC] = {programme + 1, imc_writes, COUNT(imc_writes)},
	[M2M] = {programme, m2m_writes, COUNT(m2m_writes)},
};

TEST_LOOP(test_programming_writes_the_documented_sequence_and_reads_nothing, SHAPES)
{
	open_unit(_i);
	ck_assert_int_eq(unit_program(&spy.base, &unit, sequences[_i].controls, &err), 0);
	spy_assert_writes(&spy, sequences[_i].writes, sequences[_i].count);
	ck_assert_uint_eq(spy_count(&spy, false), 0);
}

/* Unused controls are written even without a reset: a machine of files may miss it. */
TEST(test_controls_that_are_not_used_are_written_as_0)
{
	static const uint64_t one[UNIT_MAX_COUNTERS] = {CHA_EVENT};
	struct access expected[COUNT(cha_writes)];

	memcpy(expected, cha_writes, sizeof(expected));
	for (size_t i = 3; i < 6; i++)
		expected[i].value = 0;
	open_unit(CHA);
	ck_assert_int_eq(unit_program(&spy.base, &unit, one, &err), 0);
	spy_assert_writes(&spy, expected, COUNT(expected));
}

TEST_LOOP(test_programming_stops_at_a_register_that_can_t_be_written, COUNT(cha_writes))
{
	open_unit(CHA);
	spy.fail_code = -EPERM;
	spy.fail_write = (size_t)_i + 1;
	ck_assert_int_eq(unit_program(&spy.base, &unit, programme, &err), -EPERM);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	spy_assert_writes(&spy, cha_writes, (size_t)_i + 1);
}

TEST_LOOP(test_freezing_writes_1_and_unfreezing_0_to_the_unit_s_control, SHAPES)
{
	struct access expected[] = {sequences[_i].writes[0], sequences[_i].writes[0]};

	open_unit(_i);
	expected[1].value = 0;
	const struct freeze_control gate = unit_freeze_control(&unit);
	ck_assert_int_eq(reg_write(&spy.base, &gate.reg, gate.stop, &err), 0);
	ck_assert_int_eq(unit_unfreeze(&spy.base, &unit, &err), 0);
	spy_assert_writes(&spy, expected, 2);
}

/* Restoring. */

TEST(test_a_reset_that_is_over_is_not_asked_for_again)
{
	open_unit(CXLCM);
	put(unit_control(&unit), RST_CTRL | RST_CTRS);
	ck_assert_int_eq(save(&spy.base, &unit), 0);
	ck_assert_int_eq(restore(&spy.base), 0);
	ck_assert_uint_eq(get(unit_control(&unit)), FRZ);
}

/* Counts the writes: freezes, a control and a counter each, and the unit's control last. */
static size_t restore_writes(void)
{
	return 2 + 2U * unit.counters;
}

TEST_LOOP(test_restoring_goes_on_after_a_register_that_fails, 10)
{
	char name[REG_NAME_SIZE];

	open_unit(CHA);
	ck_assert_int_eq(save(&spy.base, &unit), 0);
	spy_forget(&spy);
	spy.fail_code = -EIO;
	spy.fail_write = (size_t)_i + 1;
	ck_assert_int_eq(restore(&spy.base), -EIO);
	ck_assert_uint_eq(spy_count(&spy, true), restore_writes());
	const struct reg failed = {
		.space = REG_MSR, .cpu = 2, .address = spy_write(&spy, (size_t)_i)->address};
	ck_assert_ptr_nonnull(strstr(err.text, reg_name(&failed, name)));
}

static const unsigned simulated[] = {PMU_CHA, PMU_CXLCM, PMU_CXLDP, PMU_IMC, PMU_M2M};

FIXTURE(NULL, NULL)

TEST_LOOP(test_a_simulated_unit_is_restored_bit_for_bit, COUNT(simulated))
{
	uint64_t controls[UNIT_MAX_COUNTERS];

	for (unsigned i = 0; i < UNIT_MAX_COUNTERS; i++)
		controls[i] = 0x0101;
	sim_machine_open(&m, "spr,clock=virtual");
	struct unit *u = sim_machine_unit(&m, 0, (uint16_t)simulated[_i], 0);
	for (unsigned i = 0; i < u->counters; i++)
		sim_set_counter(m.sim, 0, u->type, u->id, i, UINT64_C(0xFEDCBA987600) + i);
	const uint64_t before = sim_state_hash(m.sim);
	ck_assert_int_eq(save(&m.spy.base, u), 0);
	ck_assert_int_eq(unit_add_ours(u, controls, &undo, &err), 0);
	ck_assert_int_eq(unit_program(&m.spy.base, u, controls, &err), 0);
	ck_assert_int_eq(unit_unfreeze(&m.spy.base, u, &err), 0);
	sim_machine_wait(&m, 1000000);
	ck_assert_uint_ne(sim_state_hash(m.sim), before);
	ck_assert_int_eq(restore(&m.spy.base), 0);
	ck_assert_uint_eq(sim_state_hash(m.sim), before);
}
