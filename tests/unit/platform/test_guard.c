/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/platform.h"

#include "msr/core_pmu.h"
#include "platform/guard.h"
#include "platform/reg.h"
#include "sim_monitor.h"
#include "uncore/units/cpmu.h"
#include "unit.h"

static struct sim_monitor m;

static struct guard guard;

static void tear_down(void)
{
	guard_free(&guard);
}

static void allow(enum reg_space space, uint64_t first, uint64_t last)
{
	const struct guard_rule rule = {
		.space = space, .first = first, .last = last, .mask = 1, .what = "a register"};

	ck_assert_int_eq(guard_allow(&guard, &rule), 0);
}

static bool finds(enum reg_space space, uint64_t address, uint8_t bytes)
{
	const struct reg reg = {.space = space, .bytes = bytes, .address = address};

	return guard_find(&guard, &reg) != NULL;
}

FIXTURE(NULL, tear_down)

TEST(test_a_new_guard_allows_nothing)
{
	ck_assert(!finds(REG_MSR, 0, 8));
	ck_assert(!finds(REG_MSR, 0x186, 8));
	ck_assert(!finds(REG_MMIO, 0, 8));
	ck_assert(!finds(REG_PCI, 0, 4));
}

/* Rules come in any order, and each register finds its own. */
TEST(test_a_register_finds_its_rule_and_its_neighbours_find_none)
{
	static const uint64_t firsts[] = {0x2010, 0x186, 0x2000, 0xC1, 0x2020};

	for (size_t i = 0; i < COUNT_OF(firsts); i++)
		allow(REG_MSR, firsts[i], firsts[i] + 3);
	for (size_t i = 0; i < COUNT_OF(firsts); i++) {
		ck_assert(!finds(REG_MSR, firsts[i] - 1, 8));
		ck_assert(finds(REG_MSR, firsts[i], 8));
		ck_assert(finds(REG_MSR, firsts[i] + 3, 8));
		ck_assert(!finds(REG_MSR, firsts[i] + 4, 8));
		ck_assert(!finds(REG_MMIO, firsts[i], 8));
	}
}

TEST(test_an_access_must_not_reach_beyond_its_rule)
{
	allow(REG_MMIO, 0x1000, 0x100B);
	ck_assert(finds(REG_MMIO, 0x1000, 8));
	ck_assert(finds(REG_MMIO, 0x1008, 4));
	ck_assert(!finds(REG_MMIO, 0x1008, 8));
	ck_assert(!finds(REG_MMIO, 0xFFC, 8));
}

TEST(test_the_last_address_of_all_is_no_way_around)
{
	allow(REG_MMIO, UINT64_MAX - 7, UINT64_MAX);
	ck_assert(finds(REG_MMIO, UINT64_MAX - 7, 8));
	ck_assert(!finds(REG_MMIO, UINT64_MAX - 3, 8));
	ck_assert(!finds(REG_MMIO, 0, 8));
}

TEST(test_a_rule_of_one_function_says_nothing_of_another)
{
	const struct guard_rule rule = {.space = REG_PCI,
					.pci = {.bus = 0x7F, .device = 12},
					.first = 0x438,
					.last = 0x43B,
					.mask = 1};
	struct reg reg = {.space = REG_PCI, .bytes = 4, .pci = rule.pci, .address = 0x438};

	ck_assert_int_eq(guard_allow(&guard, &rule), 0);
	ck_assert_ptr_nonnull(guard_find(&guard, &reg));
	reg.pci.function = 1;
	ck_assert_ptr_null(guard_find(&guard, &reg));
	reg.pci = (struct pci_location){.domain = 1, .bus = 0x7F, .device = 12};
	ck_assert_ptr_null(guard_find(&guard, &reg));
}

TEST(test_the_same_rule_again_is_kept_once)
{
	for (unsigned i = 0; i < 200; i++)
		allow(REG_MSR, 0x2000 + i / 2, 0x2000 + i / 2);
	ck_assert_uint_eq(guard.count, 100);
}

/* Addresses in and around all registers that measuring accesses, and addresses of other things. */
static const struct {
	uint64_t first, last;
} classes[] = {
	{0x00, 0xC0},	  {0x174, 0x176},	    {0x198, 0x19C},
	{0x1A0, 0x1A5},	  {0x1A8, 0x1B2},	    {0x1D9, 0x1FC},
	{0x200, 0x2FF},	  {0x345, 0x345},	    {0x38E, 0x38E},
	{0x391, 0x392},	  {0x3F1, 0x3F1},	    {0x600, 0x64F},
	{0x700, 0x71F},	  {0x770, 0x7FF},	    {0xE01, 0xFFF},
	{0x2FF1, 0x2FFF}, {0xC0000080, 0xC0000103}, {0xFFFFFFF0, 0xFFFFFFFF},
};

static const char *const machines[] = {"spr", "emr", "gnr", "gnr-d", "srf", "cwf", "dmr"};

FIXTURE(NULL, NULL)

TEST_LOOP(test_no_msr_but_those_of_counters_may_be_written_on_any_machine, COUNT_OF(machines))
{
	sim_monitor_machine(&m, machines[_i]);
	ck_assert_int_eq(machine_allow_all(&m.machine, &m.err), 0);
	for (size_t c = 0; c < COUNT_OF(classes); c++) {
		for (uint64_t msr = classes[c].first; msr <= classes[c].last; msr++) {
			const struct reg reg = {.space = REG_MSR, .bytes = 8, .address = msr};

			ck_assert_int_eq(reg_write(m.platform, &reg, 0, &m.err), -EACCES);
			ck_assert_int_eq(reg_restore(m.platform, &reg, 0, &m.err), -EACCES);
		}
	}
}

/* The registers are allowed only if an event of the model needs them. */
TEST_LOOP(test_offcore_response_registers_may_be_written_where_events_need_them, COUNT_OF(machines))
{
	const bool allowed = !strncmp(machines[_i], "gnr", 3) || _i < 2;

	sim_monitor_machine(&m, machines[_i]);
	ck_assert_int_eq(machine_allow_all(&m.machine, &m.err), 0);
	for (uint64_t msr = 0x1A6; msr <= 0x1A7; msr++) {
		const struct reg reg = {.space = REG_MSR, .bytes = 8, .address = msr};

		ck_assert_int_eq(reg_write(m.platform, &reg, 0x703C04477, &m.err),
				 allowed ? 0 : -EACCES);
		ck_assert_int_eq(reg_write(m.platform, &reg, UINT64_C(1) << 38, &m.err), -EACCES);
	}
}

TEST(test_a_cpmu_on_which_only_the_kernel_counts_may_not_be_written)
{
	sim_monitor_machine(&m, "vera,cpmu=1,cxl_pmu=1");
	ck_assert_uint_gt(m.machine.cpmu_count, 0);
	ck_assert_int_eq(machine_allow_all(&m.machine, &m.err), 0);
	const struct reg freeze = {
		.space = REG_MMIO, .bytes = 8, .address = m.machine.cpmus[0].address + CPMU_FREEZE};
	ck_assert_ptr_null(guard_find(&m.platform->guard, &freeze));
}

static const struct {
	uint32_t msr;
	uint64_t value;
	bool allowed;
} values[] = {
	{IA32_PERFEVTSEL0, 0x4300C0, true},
	{IA32_PERFEVTSEL0, 0x5300C0, false}, /* INT */
	{IA32_PERFEVTSEL0 + 7, 0x4300C0, true},
	{IA32_PERFEVTSEL0 + 8, 0x4300C0, false},
	{IA32_FIXED_CTR_CTRL, 0x333, true},
	{IA32_FIXED_CTR_CTRL, 0x0B0, false}, /* PMI */
	{IA32_PERF_GLOBAL_CTRL, 0x7000000FF, true},
	{IA32_PERF_GLOBAL_STATUS, 0, false},
	{IA32_MISC_ENABLE, 0, false},
	{0x2FF0, 1, true},
	{0x2002, 0x1041, true},
	{0x2002, 0x101041, false}, /* overflow enable */
};

TEST_LOOP(test_what_asks_for_an_interrupt_is_refused, COUNT_OF(values))
{
	const struct reg reg = {.space = REG_MSR, .bytes = 8, .address = values[_i].msr};

	sim_monitor_machine(&m, "spr");
	ck_assert_int_eq(machine_allow_all(&m.machine, &m.err), 0);
	ck_assert_int_eq(reg_write(m.platform, &reg, values[_i].value, &m.err),
			 values[_i].allowed ? 0 : -EACCES);
	if (!values[_i].allowed)
		ck_assert_int_eq(m.err.kind, ERROR_PERMISSION);
}

/* The core PMU is untouched until a core metric is requested. */
TEST(test_bandwidth_allows_no_msr_at_all)
{
	sim_monitor_machine(&m, "spr");
	ck_assert_int_eq(sim_monitor_view(&m, &(struct view_options){.groups = "cxl"}), 0);
	ck_assert_uint_gt(m.platform->guard.count, 0);
	for (size_t i = 0; i < m.platform->guard.count; i++)
		ck_assert_int_ne(m.platform->guard.rules[i].space, REG_MSR);
}
