/* SPDX-License-Identifier: BSD-3-Clause */
/* ERDT: domains and their counters; every way to be broken, at its offset; counts to bytes. */
#include "uncore/rdt/region_tables.h"

#include "acpi_bytes.h"
#include "unit.h"

static struct acpi_bytes table;
static struct erdt erdt;
static struct error err;

static size_t begin_part(unsigned type)
{
	acpi_put(&table, 2, type);
	acpi_put(&table, 2, 0);
	return table.size - 4;
}

static void end_part(size_t begin)
{
	acpi_set(&table, begin + 2, 2, table.size - begin);
}

static size_t begin_domain(unsigned flags, unsigned id, uint32_t max_rmid)
{
	const size_t begin = begin_part(0);

	acpi_put(&table, 2, flags);
	acpi_put(&table, 2, 16);
	acpi_put(&table, 1, 1);
	acpi_put(&table, 1, 16);
	acpi_put(&table, 8, 0);
	acpi_put(&table, 2, id);
	acpi_put(&table, 4, max_rmid);
	acpi_put(&table, 8, 0xFE000000 + id * 0x1000);
	acpi_put(&table, 2, 1);
	return begin;
}

static void put_counters(uint64_t base, unsigned width, uint64_t up_scale, uint32_t factors)
{
	const size_t begin = begin_part(4);

	acpi_put(&table, 4, 0);
	acpi_put(&table, 4, 0);
	acpi_put(&table, 1, 1);
	table.size += 11;
	acpi_put(&table, 8, base);
	acpi_put(&table, 4, 16);
	acpi_put(&table, 1, width);
	acpi_put(&table, 8, up_scale);
	table.size += 7;
	acpi_put(&table, 4, factors);
	for (uint32_t i = 0; i < factors; i++)
		acpi_put(&table, 4, 0x10000 + i);
	end_part(begin);
}

/*
 * Makes a table: the domain of CPUs at 64, with its CPUs at 98, an unknown sub-table at 114, its
 * counters at 122; a domain of devices at 194; another of CPUs, without counters, at 228.
 */
static void make_table(void)
{
	size_t domain, part;

	acpi_begin(&table, "ERDT");
	acpi_put(&table, 4, 16);
	table.size = 64;
	domain = begin_domain(1, 5, 3);
	part = begin_part(1);
	acpi_put(&table, 2, 0);
	acpi_put(&table, 2, 5);
	acpi_put(&table, 4, 0x20);
	acpi_put(&table, 4, 0x22);
	end_part(part);
	part = begin_part(3);
	acpi_put(&table, 4, 0xFFFFFFFF);
	end_part(part);
	put_counters(0xFF000000, 44, 64, 4);
	end_part(domain);
	end_part(begin_domain(0, 5, 0xFFFFFFFF));
	end_part(begin_domain(3, 6, 1023));
	acpi_end(&table);
}

static void forget(void)
{
	erdt_free(&erdt);
}

FIXTURE(make_table, forget)

TEST(test_domains_of_cpus_have_counters)
{
	ck_assert_int_eq(erdt_parse(table.bytes, table.size, &erdt, &err), 0);
	ck_assert_uint_eq(table.size, 262);
	ck_assert_uint_eq(erdt.count, 2);
	const struct erdt_domain *d = &erdt.domains[0];
	ck_assert_uint_eq(d->id, 5);
	ck_assert_uint_eq(d->max_rmid, 3);
	ck_assert_uint_eq(d->control, 0xFE005000);
	ck_assert_uint_eq(d->apic_count, 2);
	ck_assert_uint_eq(d->apic_ids[0], 0x20);
	ck_assert_uint_eq(d->apic_ids[1], 0x22);
	ck_assert_uint_eq(d->base, 0xFF000000);
	ck_assert_uint_eq(d->bytes, 65536);
	ck_assert_uint_eq(d->counter_width, 44);
	ck_assert_uint_eq(d->up_scale, 64);
	ck_assert_uint_eq(d->factor_count, 4);
	ck_assert_uint_eq(d->factors[3], 0x10003);
	ck_assert_uint_eq(erdt.domains[1].id, 6);
	ck_assert_uint_eq(erdt.domains[1].base, 0);
	ck_assert_uint_eq(erdt.domains[1].apic_count, 0);
}

static const struct {
	size_t offset, width;
	uint64_t value;
	const char *says;
} damages[] = {
	{3, 1, 'X', "offset 0: its signature is wrong"},
	{4, 4, 0, "offset 4: its length is 0, expected 64 to 262"},
	{4, 4, 263, "offset 4: its length is 263, expected 64 to 262"},
	{8, 1, 0, "offset 8: its revision is 0, expected 1"},
	{66, 2, 0, "offset 66: the length of the entry is 0, expected 34 or more"},
	{66, 2, 33, "offset 66: the length of the entry is 33, expected 34 or more"},
	{66, 2, 199, "offset 66: the length of the entry is 199, but only 198 bytes are left"},
	{64, 2, 9, NULL}, /* an unknown entry with the same length */
	{82, 2, 6, "offset 104: CPUs of domain 5 within domain 6"},
	{84, 4, 1024, "offset 84: the last RMID is 0x400"},
	{84, 4, 2, "offset 174: 4 factors, expected none, 1, or one of each RMID"},
	{88, 8, 0, "offset 88: the address of the control register is 0x0"},
	{88, 8, 12, "offset 88: the address of the control register is 0xc"},
	{98, 2, 0, "offset 98: a domain in a domain"},
	{98, 2, 4, "offset 100: the length of the entry is 16, expected 56 or more"},
	{100, 2, 0, "offset 100: the length of the entry is 0, expected 8 or more"},
	{100, 2, 7, "offset 100: the length of the entry is 7, expected 8 or more"},
	{100, 2, 97, "offset 100: the length of the entry is 97, but only 96 bytes are left"},
	{100, 2, 14, "offset 100: 6 bytes of x2APIC ids"},
	{104, 2, 4, "offset 104: CPUs of domain 4 within domain 5"},
	{114, 2, 1, "offset 114: domain 5 has CPUs twice"},
	{116, 2, 3, "offset 116: the length of the entry is 3, expected 4 or more"},
	{116, 2, 80, NULL}, /* the counters are a part of it */
	{116, 2, 81, "offset 116: the length of the entry is 81, but only 80 bytes are left"},
	{124, 2, 55, "offset 124: the length of the entry is 55, expected 56 or more"},
	{124, 2, 73, "offset 124: the length of the entry is 73, but only 72 bytes are left"},
	{124, 2, 71, "offset 174: 4 factors, but there is room for 3"},
	{124, 2, 69, "offset 174: 4 factors, but there is room for 3"},
	{134, 1, 0, "offset 134: index function 0 is unknown"},
	{134, 1, 2, "offset 134: index function 2 is unknown"},
	{146, 8, 0, "offset 146: the address of counters is 0x0"},
	{146, 8, 4, "offset 146: the address of counters is 0x4"},
	{146, 8, UINT64_C(0xFFFFFFFFFFFFF000), "offset 146: the address of counters is 0xfff"},
	{154, 4, 1, "offset 154: too few for all RMIDs: bytes of counters is 0x1000"},
	{154, 4, 0, "offset 154: too few for all RMIDs: bytes of counters is 0x0"},
	{158, 1, 0, "offset 158: the width of counters is 0x0"},
	{158, 1, 63, "offset 158: the width of counters is 0x3f"},
	{159, 8, 0, "offset 159: bytes a count is 0x0"},
	{159, 8, (UINT64_C(1) << 48) + 1, "offset 159: bytes a count is 0x1000000000001"},
	{174, 4, 5, "offset 174: 5 factors, expected none, 1, or one of each RMID"},
	{174, 4, 0xFFFFFFFF, "offset 174: 4294967295 factors, expected"},
	{196, 2, 33, "offset 196: the length of the entry is 33, expected 34 or more"},
	{246, 2, 5, "offset 246: domain 5 occurs twice"},
	{230, 2, 35, "offset 230: the length of the entry is 35, but only 34 bytes are left"},
};

TEST_LOOP(test_broken_tables_are_refused_with_the_offset, COUNT_OF(damages))
{
	acpi_set(&table, damages[_i].offset, damages[_i].width, damages[_i].value);
	acpi_seal(&table);
	const int rc = erdt_parse(table.bytes, table.size, &erdt, &err);
	ck_assert_msg(rc == (damages[_i].says ? -EBADMSG : 0), "%d: %s", rc, err.text);
	if (!damages[_i].says)
		return;
	ck_assert_int_eq(err.kind, ERROR_FAILED);
	ck_assert_msg(strstr(err.text, damages[_i].says) != NULL, "%s", err.text);
}

TEST(test_counters_twice_are_refused)
{
	acpi_begin(&table, "ERDT");
	table.size = 64;
	const size_t domain = begin_domain(1, 0, 0);
	put_counters(0x10000, 62, 1, 1);
	put_counters(0x20000, 62, 1, 0);
	end_part(domain);
	acpi_end(&table);
	ck_assert_int_eq(erdt_parse(table.bytes, table.size, &erdt, &err), -EBADMSG);
	ck_assert_ptr_nonnull(strstr(err.text, "offset 158: domain 0 has counters twice"));
}

/* Reads a file that ends early, at each byte, from memory of just that length. */
TEST_LOOP(test_a_file_that_ends_early_is_refused, 262)
{
	uint8_t *bytes = malloc((size_t)_i + 1);

	memcpy(bytes, table.bytes, (size_t)_i);
	ck_assert_int_eq(erdt_parse(bytes, (size_t)_i, &erdt, &err), -EBADMSG);
	free(bytes);
}

static const struct {
	unsigned rmid, region;
	uint64_t offset;
} offsets[] = {
	{0, 0, 0},
	{0, 3, 6144},
	{7, 0, 56},
	{8, 0, 16384},
	{31, 2, 49152 + 56 + 4096},
	{32, 0, 64},
	{1023, 3, 49152 + 2040 + 6144},
};

TEST_LOOP(test_counters_are_where_the_index_function_says, COUNT_OF(offsets))
{
	ck_assert_uint_eq(erdt_counter_offset(offsets[_i].rmid, offsets[_i].region),
			  offsets[_i].offset);
}

TEST(test_no_two_counters_share_an_address)
{
	static bool taken[65536 / 8];

	for (unsigned rmid = 0; rmid < ERDT_RMIDS; rmid++)
		for (unsigned region = 0; region < ERDT_REGIONS; region++) {
			const uint64_t at = erdt_counter_offset(rmid, region) / 8;

			ck_assert(at < COUNT_OF(taken) && !taken[at]);
			taken[at] = true;
		}
}

static uint32_t factor_of_all[] = {0x18000};
static uint32_t factors[] = {0, 0x8000, UINT32_MAX};

static const struct {
	unsigned width;
	uint64_t up_scale;
	uint32_t *factors;
	size_t factor_count;
	unsigned rmid;
	uint64_t before, now;
	double bytes;
} counts[] = {
	{62, 64, NULL, 0, 0, 0, 0, 0},
	{62, 64, NULL, 0, 7, 10, 12, 128},
	{24, 64, NULL, 0, 0, 0xFFFFFF, 1, 128},
	{24, 64, NULL, 0, 0, ERDT_OVERFLOW | 0xFFFFFF, ERDT_NOT_KNOWN | 1, 128},
	{62, 1, NULL, 0, 0, ERDT_OVERFLOW - 1, 0, 1},
	{1, 1, NULL, 0, 0, 1, 0, 1},
	{62, 10, factor_of_all, 1, 1023, 0, 3, 40},
	{62, 10, factors, 3, 0, 0, 3, 30},
	{62, 10, factors, 3, 1, 0, 3, 10},
	{62, 1, factors, 3, 2, 0, 65536, 4294967295.0},
	{62, UINT64_C(1) << 48, factors, 3, 2, 1, 0, 0x1.fffffffep77 * 0x1p48},
};

TEST_LOOP(test_a_count_becomes_bytes, COUNT_OF(counts))
{
	const struct erdt_domain domain = {
		.counter_width = counts[_i].width,
		.up_scale = counts[_i].up_scale,
		.factors = counts[_i].factors,
		.factor_count = counts[_i].factor_count,
	};

	ck_assert(erdt_bytes(&domain, counts[_i].rmid, counts[_i].before, counts[_i].now) ==
		  counts[_i].bytes);
}
