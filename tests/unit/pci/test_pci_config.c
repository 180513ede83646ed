/* SPDX-License-Identifier: BSD-3-Clause */
#include "pci/config.h"

#include "fake_machine.h"
#include "platform/pci.h"
#include "unit.h"

static struct pci_memory_state state;

static const struct pci_location anywhere = {0, 0x1e, 0, 0};
static struct fake_machine fake;
static struct fake_function *space;

static void empty_space(void)
{
	fake_init(&fake);
	space = fake_function(&fake, anywhere.bus, 0x8086, 0x0d93);
}

/* Writes the header of an extended capability: id, version 1, offset of the next. */
static void capability(unsigned offset, unsigned id, unsigned next)
{
	space->config[offset / 4] = id | 1U << 16 | next << 20;
}

static int find(unsigned nth, unsigned *offset)
{
	return pci_find_extended(&fake.base, anywhere, PCI_EXTENDED_ID_DVSEC, nth, offset);
}

static void assert_found(unsigned nth, unsigned expected)
{
	unsigned offset = 0;

	ck_assert_int_eq(find(nth, &offset), 0);
	ck_assert_uint_eq(offset, expected);
}

static void assert_not_found(unsigned nth, int code)
{
	unsigned offset;

	ck_assert_int_eq(find(nth, &offset), code);
}

static const uint32_t nothing[] = {0, UINT32_MAX};

FIXTURE(empty_space, NULL)

TEST_LOOP(test_a_function_without_extended_space_has_no_capability, COUNT_OF(nothing))
{
	unsigned offset;

	space->config[PCI_EXTENDED_CAPABILITIES / 4] = nothing[_i];
	assert_not_found(0, -ENOENT);
	/* it also has no capability whose id is the low half of such a header */
	ck_assert_int_eq(pci_find_extended(&fake.base, anywhere, nothing[_i] & 0xffff, 0, &offset),
			 -ENOENT);
}

TEST_LOOP(test_a_list_that_leads_into_nothing_ends_there, COUNT_OF(nothing))
{
	capability(0x100, 0x0001, 0x200);
	space->config[0x200 / 4] = nothing[_i];
	assert_not_found(0, -ENOENT);
}

TEST(test_nth_capability_with_the_id_is_found_among_others)
{
	capability(0x100, 0x0001, 0x148);
	capability(0x148, PCI_EXTENDED_ID_DVSEC, 0x180);
	capability(0x180, 0x000B, 0x200);
	capability(0x200, PCI_EXTENDED_ID_DVSEC, 0xFFC);
	capability(0xFFC, PCI_EXTENDED_ID_DVSEC, 0);
	assert_found(0, 0x148);
	assert_found(1, 0x200);
	assert_found(2, 0xFFC);
	assert_not_found(3, -ENOENT);
}

TEST(test_all_16_bits_of_the_id_are_compared)
{
	capability(0x100, PCI_EXTENDED_ID_DVSEC | 0x0100, 0x140);
	capability(0x140, PCI_EXTENDED_ID_DVSEC | 0x8000, 0x180);
	capability(0x180, PCI_EXTENDED_ID_DVSEC, 0);
	assert_found(0, 0x180);
}

TEST(test_a_list_may_go_backwards)
{
	capability(0x100, PCI_EXTENDED_ID_DVSEC, 0x400);
	capability(0x400, PCI_EXTENDED_ID_DVSEC, 0x200);
	capability(0x200, PCI_EXTENDED_ID_DVSEC, 0x104);
	capability(0x104, PCI_EXTENDED_ID_DVSEC, 0);
	assert_found(1, 0x400);
	assert_found(2, 0x200);
	assert_found(3, 0x104);
	assert_not_found(4, -ENOENT);
}

static const struct {
	unsigned second, third; /* offsets to which the first and the second lead */
} loops[] = {{0x100, 0}, {0x200, 0x200}, {0x200, 0x100}};

TEST_LOOP(test_a_list_that_leads_back_into_itself_is_a_loop, COUNT_OF(loops))
{
	capability(0x100, 0x0001, loops[_i].second);
	capability(0x200, 0x0001, loops[_i].third);
	if (loops[_i].second == 0x100)
		capability(0x100, 0x0001, 0x100);
	assert_not_found(0, -ELOOP);
}

TEST(test_the_two_reserved_bits_of_a_pointer_are_ignored)
{
	capability(0x100, 0x0001, 0x203);
	capability(0x200, PCI_EXTENDED_ID_DVSEC, 0);
	assert_found(0, 0x200);
}

TEST(test_what_stands_before_a_loop_is_found)
{
	capability(0x100, PCI_EXTENDED_ID_DVSEC, 0x200);
	capability(0x200, 0x0001, 0x100);
	assert_found(0, 0x100);
	assert_not_found(1, -ELOOP);
}

static const unsigned bad_next[] = {0x004, 0x040, 0x0FC, 0x0FF};

TEST_LOOP(test_a_list_that_leads_out_of_extended_space_is_invalid, COUNT_OF(bad_next))
{
	capability(0x100, 0x0001, bad_next[_i]);
	assert_not_found(0, -EINVAL);
}

TEST(test_an_error_of_reading_ends_the_search)
{
	capability(0x100, 0x0001, 0x200);
	capability(0x200, PCI_EXTENDED_ID_DVSEC, 0);
	space->code = -EPERM;
	space->broken = 0x100;
	assert_not_found(0, -EPERM);
	space->code = -EIO;
	space->broken = 0x200;
	assert_not_found(0, -EIO);
}

/* Values of BAR 0 and of the dword after it, or of BAR index if that is not 0. */
static const struct {
	unsigned index;
	uint32_t low, high;
	int code;
	uint64_t address;
} bars[] = {
	{0, 0xFB000000, 0xDEADBEEF, 0, UINT64_C(0xFB000000)},	      /* 32-bit */
	{5, 0xFB000000, 0xDEADBEEF, 0, UINT64_C(0xFB000000)},	      /* 32-bit, the last */
	{2, 0xFB000008, 0xDEADBEEF, 0, UINT64_C(0xFB000000)},	      /* 32-bit, prefetchable */
	{0, 0xFB000004, 0x00000000, 0, UINT64_C(0xFB000000)},	      /* 64-bit, low */
	{0, 0x0000000C, 0x0000206A, 0, UINT64_C(0x206A00000000)},     /* 64-bit, prefetchable */
	{4, 0xFFFFFFF4, 0xFFFFFFFF, 0, UINT64_C(0xFFFFFFFFFFFFFFF0)}, /* 64-bit, all of it */
	{0, 0x0000C001, 0x00000000, -EINVAL, 0},		      /* I/O */
	{0, 0xFFFFFFFF, 0xFFFFFFFF, -EINVAL, 0},		      /* no response */
	{0, 0xFB000002, 0x00000000, -EINVAL, 0},		      /* below 1 MB: reserved now */
	{0, 0xFB000006, 0x00000000, -EINVAL, 0},		      /* reserved type */
	{5, 0xFB000004, 0x00000001, -EINVAL, 0}, /* no room for the high half */
	{0, 0x00000000, 0x00000000, -ENOENT, 0}, /* empty */
	{0, 0x00000004, 0x00000000, -ENOENT, 0}, /* 64-bit, no address */
	{6, 0xFB000000, 0x00000000, -EINVAL, 0}, /* not a BAR */
	{UINT32_MAX, 0, 0, -EINVAL, 0},
};

TEST_LOOP(test_bar_address, COUNT_OF(bars))
{
	const unsigned index = bars[_i].index;
	uint64_t address = 0;

	if (index <= PCI_BAR_COUNT) {
		space->config[PCI_BAR0 / 4 + index] = bars[_i].low;
		space->config[PCI_BAR0 / 4 + index + 1] = bars[_i].high;
	}
	ck_assert_int_eq(pci_bar_address(&fake.base, anywhere, index, &address), bars[_i].code);
	if (!bars[_i].code)
		ck_assert_uint_eq(address, bars[_i].address);
}

TEST_LOOP(test_an_error_of_reading_either_half_of_a_bar_is_passed_on, 2)
{
	uint64_t address;

	space->config[PCI_BAR0 / 4] = 0xFB000004;
	space->code = -EIO;
	space->broken = PCI_BAR0 + 4 * (unsigned)_i;
	ck_assert_int_eq(pci_bar_address(&fake.base, anywhere, 0, &address), -EIO);
}

/* Makes a function with a power management capability at 0x48, in state D2 or D0. */
static void make_memory_state(uint32_t command_status, uint32_t control)
{
	space->config[0x04 / 4] = command_status;
	space->config[0x34 / 4] = 0x40;
	space->config[0x40 / 4] = 0x4810;
	space->config[0x48 / 4] = 0x0001;
	space->config[0x4C / 4] = control;
}

static const struct {
	uint32_t command_status, control;
	bool enabled;
	unsigned power;
} states[] = {
	{0x00100002, 0x0008, true, 0},	{0x00100406, 0x000A, true, 2},
	{0x00100000, 0x0008, false, 0}, {0x00100404, 0x0003, false, 3},
	{0x00000002, 0x0003, true, 0}, /* no list of capabilities */
	{UINT32_MAX, 0x0003, false, 0},
};

TEST_LOOP(test_memory_space_and_power_are_read, COUNT_OF(states))
{
	make_memory_state(states[_i].command_status, states[_i].control);
	ck_assert_int_eq(pci_read_memory_state(&fake.base, anywhere, &state), 0);
	ck_assert_int_eq(state.enabled, states[_i].enabled);
	ck_assert_uint_eq(state.power, states[_i].power);
	ck_assert_uint_eq(state.command, states[_i].command_status & 0xFFFF);
}

TEST(test_a_list_of_capabilities_without_an_end_ends)
{
	make_memory_state(0x00100002, 0x3);
	space->config[0x48 / 4] = 0x4005;
	ck_assert_int_eq(pci_read_memory_state(&fake.base, anywhere, &state), 0);
	ck_assert_uint_eq(state.power, 0);
}

static const unsigned needed[] = {0x04, 0x34, 0x40, 0x48, 0x4C};

TEST_LOOP(test_what_can_not_be_read_of_the_memory_state_is_an_error, COUNT_OF(needed))
{
	make_memory_state(0x00100002, 0x0);
	space->broken = needed[_i];
	space->code = -EPERM;
	ck_assert_int_eq(pci_read_memory_state(&fake.base, anywhere, &state), -EPERM);
}
