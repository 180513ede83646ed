/* SPDX-License-Identifier: BSD-3-Clause */
/* MRRM: ranges and their regions; and every way to be broken, at its offset. */
#include "uncore/rdt/region_tables.h"

#include "acpi_bytes.h"
#include "unit.h"

static struct acpi_bytes table;
static struct mrrm mrrm;
static struct error err;

static void put_range(uint64_t base, uint64_t length, unsigned flags, unsigned local,
		      unsigned remote)
{
	acpi_put(&table, 2, 0);
	acpi_put(&table, 2, 32);
	acpi_put(&table, 4, 0);
	acpi_put(&table, 8, base);
	acpi_put(&table, 8, length);
	acpi_put(&table, 2, flags);
	acpi_put(&table, 1, local);
	acpi_put(&table, 1, remote);
	acpi_put(&table, 4, 0);
}

/* Makes a table: the first range at 64; an entry of another type at 96; the second range at 104. */
static void make_table(void)
{
	acpi_begin(&table, "MRRM");
	acpi_put(&table, 1, 4);
	table.size = 64;
	put_range(0, 0x80000000, 3, 0, 1);
	acpi_put(&table, 2, 7);
	acpi_put(&table, 2, 8);
	acpi_put(&table, 4, 0xFFFFFFFF);
	put_range(0x4000000000, 0x1000000000, 2, 2, 3);
	acpi_end(&table);
}

static void forget(void)
{
	mrrm_free(&mrrm);
}

FIXTURE(make_table, forget)

TEST(test_ranges_have_regions)
{
	ck_assert_int_eq(mrrm_parse(table.bytes, table.size, &mrrm, &err), 0);
	ck_assert_uint_eq(mrrm.region_count, 4);
	ck_assert_uint_eq(mrrm.count, 2);
	ck_assert_uint_eq(mrrm.ranges[0].first, 0);
	ck_assert_uint_eq(mrrm.ranges[0].last, 0x7FFFFFFF);
	ck_assert_int_eq(mrrm.ranges[0].local, 0);
	ck_assert_int_eq(mrrm.ranges[0].remote, 1);
	ck_assert_uint_eq(mrrm.ranges[1].first, 0x4000000000);
	ck_assert_uint_eq(mrrm.ranges[1].last, 0x4FFFFFFFFF);
	ck_assert_int_eq(mrrm.ranges[1].local, MRRM_NO_REGION);
	ck_assert_int_eq(mrrm.ranges[1].remote, 3);
}

TEST(test_the_last_byte_of_the_address_space_can_be_in_a_range)
{
	acpi_set(&table, 112, 8, UINT64_C(0xFFFFFFFFFFFFF000));
	acpi_set(&table, 120, 8, 0x1000);
	acpi_seal(&table);
	ck_assert_int_eq(mrrm_parse(table.bytes, table.size, &mrrm, &err), 0);
	ck_assert_uint_eq(mrrm.ranges[1].last, UINT64_MAX);
}

TEST(test_regions_of_the_system_are_not_in_the_table)
{
	acpi_set(&table, 37, 1, 1);
	acpi_seal(&table);
	ck_assert_int_eq(mrrm_parse(table.bytes, table.size, &mrrm, &err), -ENOTSUP);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
	ck_assert_ptr_nonnull(strstr(err.text, "offset 37: "));
}

static const struct {
	size_t offset, width;
	uint64_t value;
	const char *says;
} damages[] = {
	{0, 1, 'X', "offset 0: its signature is wrong"},
	{4, 4, 63, "offset 4: its length is 63, expected 64 to 136"},
	{4, 4, 137, "offset 4: its length is 137, expected 64 to 136"},
	{4, 4, 135, "offset 106: the length of the entry is 32, but only 31 bytes are left"},
	{4, 4, 107, "offset 104: 3 bytes are left"},
	{4, 4, 105, "offset 104: 1 bytes are left"},
	{8, 1, 2, "offset 8: its revision is 2, expected 1"},
	{66, 2, 0, "offset 66: the length of the entry is 0, expected 32 or more"},
	{66, 2, 31, "offset 66: the length of the entry is 31, expected 32 or more"},
	{66, 2, 73, "offset 66: the length of the entry is 73, but only 72 bytes are left"},
	{98, 2, 0, "offset 98: the length of the entry is 0, expected 4 or more"},
	{98, 2, 3, "offset 98: the length of the entry is 3, expected 4 or more"},
	{98, 2, 0xFFFF, "offset 98: the length of the entry is 65535, but"},
	{80, 8, 0, "offset 80: a range of 0x0 bytes at 0x0"},
	{120, 8, UINT64_C(0xFFFFFFC000000001),
	 "offset 120: a range of 0xffffffc000000001 bytes at 0x4000000000"},
	{80, 8, 0x4000000001, "offset 112: the range 0x4000000000 to 0x4fffffffff overlaps"},
	{36, 1, 3, "offset 131: region 3, but the table has 3"},
	{90, 1, 4, "offset 90: region 4, but the table has 4"},
	{91, 1, 255, "offset 91: region 255, but the table has 4"},
};

TEST_LOOP(test_broken_tables_are_refused_with_the_offset, COUNT_OF(damages))
{
	acpi_set(&table, damages[_i].offset, damages[_i].width, damages[_i].value);
	acpi_seal(&table);
	if (damages[_i].offset == 4 && damages[_i].value < table.size) {
		/* the sum is the shorter table's */
		const size_t whole = table.size;

		table.size = damages[_i].value;
		acpi_seal(&table);
		table.size = whole;
	}
	ck_assert_int_eq(mrrm_parse(table.bytes, table.size, &mrrm, &err), -EBADMSG);
	ck_assert_int_eq(err.kind, ERROR_FAILED);
	ck_assert_msg(strstr(err.text, damages[_i].says) != NULL, "%s", err.text);
}

TEST(test_the_sum_is_checked)
{
	table.bytes[9] ^= 1;
	ck_assert_int_eq(mrrm_parse(table.bytes, table.size, &mrrm, &err), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(err.text, "offset 9: the sum of its bytes is not 0"));
}

/* Reads a file that ends early, at each byte, from memory of just that length. */
TEST_LOOP(test_a_file_that_ends_early_is_refused, 136)
{
	uint8_t *bytes = malloc((size_t)_i + 1);

	memcpy(bytes, table.bytes, (size_t)_i);
	ck_assert_int_eq(mrrm_parse(bytes, (size_t)_i, &mrrm, &err), -EBADMSG);
	free(bytes);
}
