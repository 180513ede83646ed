/* SPDX-License-Identifier: BSD-3-Clause */
#include "pci/config.h"

#include "fake_machine.h"
#include "platform/pci.h"
#include "unit.h"

#define AT   0x200 /* offset of the locator */
#define ROOM 4

static const struct pci_location anywhere = {0, 0x1e, 0, 0};
static struct fake_machine fake;
static struct fake_function *space;
static struct pci_function function;
static struct register_block found[ROOM];

static void put_dvsec(unsigned at, unsigned next, unsigned vendor, unsigned id, unsigned length)
{
	space->config[at / 4] = PCI_EXTENDED_ID_DVSEC | 1U << 16 | next << 20;
	space->config[at / 4 + 1] = vendor | length << 20;
	space->config[at / 4 + 2] = id;
}

static void put_entry(unsigned n, uint32_t low, uint32_t high)
{
	space->config[AT / 4 + 3 + 2 * n] = low;
	space->config[AT / 4 + 3 + 2 * n + 1] = high;
}

/* Writes another DVSEC of CXL, then a locator with room for that many entries. */
static void put_locator(unsigned entries)
{
	put_dvsec(0x100, AT, CXL_DVSEC_VENDOR, 3, 0x28);
	put_dvsec(AT, 0, CXL_DVSEC_VENDOR, 8, 0x0C + 8 * entries);
}

static void make_function(void)
{
	fake_init(&fake);
	space = fake_function(&fake, anywhere.bus, 0x8086, 0x0d93);
	function = (struct pci_function){.at = anywhere, .bar_size = {[0] = 0x100000}};
	space->config[PCI_BAR0 / 4] = 0x00000004;
	space->config[PCI_BAR0 / 4 + 1] = 0x20;
}

static void assert_finds(enum register_block_id id, int rc, size_t expected)
{
	size_t count = ROOM + 1;

	ck_assert_int_eq(register_locator_find(&fake.base, anywhere, id, found, ROOM, &count), rc);
	ck_assert_uint_eq(count, expected);
}

FIXTURE(make_function, NULL)

TEST(test_blocks_of_an_identifier_are_found_in_order)
{
	put_locator(4);
	put_entry(0, 0x00000100, 0);	      /* component registers, BAR 0 */
	put_entry(1, 0x00030402, 0x00000001); /* CPMU, BAR 2, offset above 4 GiB */
	put_entry(2, 0x00010300, 0);	      /* device registers */
	put_entry(3, 0xABCD0400, 0);	      /* CPMU */
	assert_finds(REGISTER_BLOCK_CPMU, 0, 2);
	ck_assert_uint_eq(found[0].bar, 2);
	ck_assert_uint_eq(found[0].offset, UINT64_C(0x100030000));
	ck_assert_uint_eq(found[1].bar, 0);
	ck_assert_uint_eq(found[1].offset, 0xABCD0000);
	assert_finds(REGISTER_BLOCK_COMPONENT, 0, 1);
	assert_finds(REGISTER_BLOCK_BAR_VIRTUALIZATION, 0, 0);
}

TEST(test_reserved_bits_of_an_entry_are_ignored)
{
	put_locator(1);
	put_entry(0, 0x000104F8, 0);
	assert_finds(REGISTER_BLOCK_CPMU, 0, 1);
	ck_assert_uint_eq(found[0].bar, 0);
	ck_assert_uint_eq(found[0].offset, 0x10000);
}

TEST(test_an_entry_that_is_repeated_is_one_block)
{
	put_locator(3);
	put_entry(0, 0x00010400, 0);
	put_entry(1, 0x00020400, 0);
	put_entry(2, 0x00010400, 0);
	assert_finds(REGISTER_BLOCK_CPMU, 0, 2);
}

TEST(test_no_more_blocks_are_listed_than_there_is_room_for)
{
	put_locator(ROOM + 2);
	for (unsigned n = 0; n < ROOM + 2; n++)
		put_entry(n, 0x00000400 | n << 16, 0);
	assert_finds(REGISTER_BLOCK_CPMU, 0, ROOM);
	ck_assert_uint_eq(found[ROOM - 1].offset, (ROOM - 1) << 16);
}

TEST(test_entries_end_with_the_locator)
{
	put_locator(1);
	put_dvsec(AT, 0, CXL_DVSEC_VENDOR, 8, 0x0C + 8 + 7); /* the second one is cut off */
	put_entry(0, 0x00010400, 0);
	put_entry(1, 0x00020400, 0);
	assert_finds(REGISTER_BLOCK_CPMU, 0, 1);
}

TEST(test_a_locator_without_entries_has_no_block)
{
	put_locator(0);
	put_entry(0, 0x00010400, 0);
	assert_finds(REGISTER_BLOCK_CPMU, 0, 0);
}

static const struct {
	unsigned vendor, id;
} others[] = {{CXL_DVSEC_VENDOR, 3}, {0x8086, 8}, {0xFFFF, 0xFFFF}};

TEST_LOOP(test_other_dvsecs_are_no_locator, COUNT_OF(others))
{
	put_dvsec(0x100, 0, others[_i].vendor, others[_i].id, 0x28);
	assert_finds(REGISTER_BLOCK_CPMU, -ENOENT, 0);
}

static const unsigned bad_lengths[] = {0, 4, 0x0B, PCI_CONFIG_BYTES - AT + 1, 0xFFF};

TEST_LOOP(test_a_locator_of_an_impossible_length_is_invalid, COUNT_OF(bad_lengths))
{
	put_dvsec(0x100, AT, CXL_DVSEC_VENDOR, 3, 0x28);
	put_dvsec(AT, 0, CXL_DVSEC_VENDOR, 8, bad_lengths[_i]);
	assert_finds(REGISTER_BLOCK_CPMU, -EINVAL, 0);
}

TEST(test_a_locator_may_reach_the_end_of_configuration_space)
{
	put_dvsec(0x100, AT, CXL_DVSEC_VENDOR, 3, 0x28);
	put_dvsec(AT, 0, CXL_DVSEC_VENDOR, 8, PCI_CONFIG_BYTES - AT);
	space->config[PCI_CONFIG_BYTES / 4 - 3] = 0x00010400; /* the last entry that fits */
	assert_finds(REGISTER_BLOCK_CPMU, 0, 1);
}

TEST(test_a_dvsec_whose_header_is_cut_off_is_invalid)
{
	put_dvsec(0x100, 0xFFC, CXL_DVSEC_VENDOR, 3, 0x28);
	space->config[0xFFC / 4] = PCI_EXTENDED_ID_DVSEC | 1U << 16;
	assert_finds(REGISTER_BLOCK_CPMU, -EINVAL, 0);
}

static const unsigned offsets[] = {AT, AT + 4, AT + 8, AT + 0x0C, AT + 0x10};

TEST_LOOP(test_an_error_of_reading_is_passed_on, COUNT_OF(offsets))
{
	put_locator(1);
	put_entry(0, 0x00010400, 0);
	space->broken = offsets[_i];
	space->code = -EPERM;
	assert_finds(REGISTER_BLOCK_CPMU, -EPERM, 0);
}

static const struct {
	unsigned bar;
	uint64_t offset, length;
	int code;
} blocks[] = {
	{0, 0, 0x1000, 0},
	{0, 0xF0000, 0x10000, 0},			      /* to the end of the BAR */
	{0, 0xF0000, 0x10001, -ERANGE},			      /* and a byte more */
	{0, 0x100000, 0x1000, -ERANGE},			      /* beyond its end */
	{0, UINT64_MAX & ~UINT64_C(0xFFFF), 0x1000, -ERANGE}, /* its end wraps around */
	{0, 0, 0x100001, -ERANGE},			      /* longer than the BAR */
	{1, 0, 0x1000, -ENOENT},			      /* the high half of BAR 0 */
	{6, 0, 0x1000, -EINVAL},			      /* not a BAR */
};

TEST_LOOP(test_block_address, COUNT_OF(blocks))
{
	const struct register_block block = {blocks[_i].bar, blocks[_i].offset};
	uint64_t address = 0;

	ck_assert_int_eq(
		register_block_address(&fake.base, &function, &block, blocks[_i].length, &address),
		blocks[_i].code);
	ck_assert_uint_eq(address,
			  blocks[_i].code ? 0 : UINT64_C(0x2000000000) + blocks[_i].offset);
}

/* The BAR holds an address of the bus, which the host bridge translates. */
TEST(test_a_block_lies_where_the_kernel_maps_its_bar)
{
	const struct register_block block = {0, 0x10000};
	struct pci_function translated = function;
	uint64_t address = 0;

	translated.bar_address[0] = UINT64_C(0x50000000000);
	ck_assert_int_eq(register_block_address(&fake.base, &translated, &block, 0x1000, &address),
			 0);
	ck_assert_uint_eq(address, UINT64_C(0x50000010000));
}

TEST(test_a_block_of_addresses_beyond_64_bits_is_invalid)
{
	const struct register_block block = {0, 0xF0000};
	uint64_t address;

	space->config[PCI_BAR0 / 4] = 0xFFF10004;
	space->config[PCI_BAR0 / 4 + 1] = UINT32_MAX;
	ck_assert_int_eq(register_block_address(&fake.base, &function, &block, 0x10000, &address),
			 -EINVAL);
}
