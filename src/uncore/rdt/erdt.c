/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/rdt/region_tables.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "uncore/rdt/rdt_private.h"

#define SUBTABLES_OFFSET 64 /* after max_clos and 24 reserved bytes */
#define PAGE_BYTES	 UINT64_C(4096)

enum subtable { RMDD = 0, CACD = 1, MMRC = 4 };

/* Offsets in a sub-table, from its type on. */
enum {
	RMDD_FLAGS = 4,
	RMDD_DOMAIN = 18,
	RMDD_MAX_RMID = 20,
	RMDD_CONTROL = 24,
	RMDD_BYTES = 34,
	CACD_DOMAIN = 6,
	CACD_IDS = 8,
	MMRC_INDEX_FUNCTION = 12,
	MMRC_BASE = 24,
	MMRC_PAGES = 32,
	MMRC_WIDTH = 36,
	MMRC_UP_SCALE = 37,
	MMRC_FACTOR_COUNT = 52,
	MMRC_FACTORS = 56,
};

/* The most bytes per count, so that a count of all bits times a factor fits into 128 bits. */
#define UP_SCALE_MOST (UINT64_C(1) << 48)

#define RMDD_OF_CPUS   1U /* flag: an L3 domain of CPUs */
#define INDEX_FUNCTION 1

/* The index function: clumps of 8 RMIDs, four of which are 4 pages apart; then the next four. */
#define CLUMP	     8
#define CLUMPS	     4
#define CLUMP_STRIDE (4 * PAGE_BYTES)
#define REGION_BYTES UINT64_C(2048)

__extension__ typedef unsigned __int128 uint128;

uint64_t erdt_counter_offset(unsigned rmid, unsigned region)
{
	const unsigned row = rmid / (CLUMP * CLUMPS) * CLUMP + rmid % CLUMP;

	return rmid % (CLUMP * CLUMPS) / CLUMP * CLUMP_STRIDE + row * UINT64_C(8) +
	       region * REGION_BYTES;
}

double erdt_bytes(const struct erdt_domain *domain, unsigned rmid, uint64_t before, uint64_t now)
{
	const uint64_t mask = (UINT64_C(1) << domain->counter_width) - 1;
	const uint64_t count = (now - before) & mask;
	const uint32_t factor = !domain->factor_count	    ? 0
				: domain->factor_count == 1 ? domain->factors[0]
							    : domain->factors[rmid];
	const uint128 scaled = factor ? (uint128)count * factor >> 16 : count;

	return (double)(scaled * domain->up_scale);
}

static int refuse_table(struct error *err, size_t offset, const char *what, uint64_t value)
{
	return acpi_table_broken(err, ERDT_SIGNATURE, offset, "%s is 0x%" PRIx64, what, value);
}

uint64_t erdt_counters_size(uint32_t max_rmid)
{
	uint64_t end = 0;

	for (unsigned rmid = 0; rmid <= max_rmid; rmid++) {
		const uint64_t offset = erdt_counter_offset(rmid, ERDT_REGIONS - 1) + 8;

		end = offset > end ? offset : end;
	}
	return end;
}

static int check_counters(const struct erdt_domain *d, size_t at, struct error *err)
{
	if (!d->base || d->base % 8 || d->base + d->bytes < d->base)
		return refuse_table(err, at + MMRC_BASE, "the address of counters", d->base);
	if (d->bytes < erdt_counters_size(d->max_rmid))
		return refuse_table(err, at + MMRC_PAGES,
				    "too few for all RMIDs: bytes of counters", d->bytes);
	if (!d->counter_width || d->counter_width > ERDT_COUNTER_BITS)
		return refuse_table(err, at + MMRC_WIDTH, "the width of counters",
				    d->counter_width);
	if (!d->up_scale || d->up_scale > UP_SCALE_MOST)
		return refuse_table(err, at + MMRC_UP_SCALE, "bytes a count", d->up_scale);
	return 0;
}

static int copy_numbers(const uint8_t *bytes, size_t at, size_t count, uint32_t **out,
			struct error *err)
{
	*out = calloc(count + 1, sizeof(**out));
	if (!*out)
		return error_no_memory(err);
	for (size_t i = 0; i < count; i++)
		(*out)[i] = acpi_u32(bytes + at + 4 * i);
	return 0;
}

static int take_factors(const uint8_t *bytes, size_t at, size_t length, struct erdt_domain *out,
			struct error *err)
{
	out->factor_count = acpi_u32(bytes + at + MMRC_FACTOR_COUNT);
	if (out->factor_count > 1 && out->factor_count != (uint64_t)out->max_rmid + 1)
		return acpi_table_broken(err, ERDT_SIGNATURE, at + MMRC_FACTOR_COUNT,
					 "%zu factors, expected none, 1, or one of each RMID",
					 out->factor_count);
	if (out->factor_count > (length - MMRC_FACTORS) / 4)
		return acpi_table_broken(err, ERDT_SIGNATURE, at + MMRC_FACTOR_COUNT,
					 "%zu factors, but there is room for %zu",
					 out->factor_count, (length - MMRC_FACTORS) / 4);
	return copy_numbers(bytes, at + MMRC_FACTORS, out->factor_count, &out->factors, err);
}

static int take_counters(const uint8_t *bytes, size_t at, size_t length, struct erdt_domain *out,
			 struct error *err)
{
	const unsigned function = bytes[at + MMRC_INDEX_FUNCTION];

	if (out->base)
		return acpi_table_broken(err, ERDT_SIGNATURE, at, "domain %u has counters twice",
					 out->id);
	if (function != INDEX_FUNCTION)
		return acpi_table_broken(err, ERDT_SIGNATURE, at + MMRC_INDEX_FUNCTION,
					 "index function %u is unknown", function);
	out->base = acpi_u64(bytes + at + MMRC_BASE);
	out->bytes = acpi_u32(bytes + at + MMRC_PAGES) * PAGE_BYTES;
	out->counter_width = bytes[at + MMRC_WIDTH];
	out->up_scale = acpi_u64(bytes + at + MMRC_UP_SCALE);
	const int rc = check_counters(out, at, err);
	return rc ? rc : take_factors(bytes, at, length, out, err);
}

static int take_cpus(const uint8_t *bytes, size_t at, size_t length, struct erdt_domain *out,
		     struct error *err)
{
	const unsigned id = acpi_u16(bytes + at + CACD_DOMAIN);

	if (out->apic_ids)
		return acpi_table_broken(err, ERDT_SIGNATURE, at, "domain %u has CPUs twice",
					 out->id);
	if (id != out->id)
		return acpi_table_broken(err, ERDT_SIGNATURE, at + CACD_DOMAIN,
					 "CPUs of domain %u within domain %u", id, out->id);
	if ((length - CACD_IDS) % 4)
		return acpi_table_broken(err, ERDT_SIGNATURE, at + 2,
					 "%zu bytes of x2APIC ids of 4 bytes", length - CACD_IDS);
	out->apic_count = (length - CACD_IDS) / 4;
	return copy_numbers(bytes, at + CACD_IDS, out->apic_count, &out->apic_ids, err);
}

static size_t least_length(enum subtable type)
{
	return type == MMRC ? MMRC_FACTORS : type == CACD ? CACD_IDS : 0;
}

/* Takes the sub-tables of a domain; other kinds, such as its L3 occupancy, are skipped. */
static int take_parts(const uint8_t *bytes, size_t at, size_t end, struct erdt_domain *out,
		      struct error *err)
{
	while (at < end) {
		const enum subtable type = end - at >= 2 ? acpi_u16(bytes + at) : RMDD;
		const int length =
			acpi_entry_length(bytes, ERDT_SIGNATURE, at, end, least_length(type), err);
		int rc = length < 0 ? length : 0;

		if (!rc && type == RMDD)
			rc = acpi_table_broken(err, ERDT_SIGNATURE, at, "a domain in a domain");
		if (!rc && type == CACD)
			rc = take_cpus(bytes, at, (size_t)length, out, err);
		if (!rc && type == MMRC)
			rc = take_counters(bytes, at, (size_t)length, out, err);
		if (rc)
			return rc;
		at += (size_t)length;
	}
	return 0;
}

static int take_domain(const uint8_t *bytes, size_t at, size_t length, struct erdt *out,
		       struct error *err)
{
	struct erdt_domain *domain = &out->domains[out->count];

	if (!(acpi_u16(bytes + at + RMDD_FLAGS) & RMDD_OF_CPUS))
		return 0;
	*domain = (struct erdt_domain){
		.id = acpi_u16(bytes + at + RMDD_DOMAIN),
		.max_rmid = acpi_u32(bytes + at + RMDD_MAX_RMID),
		.control = acpi_u64(bytes + at + RMDD_CONTROL),
	};
	for (size_t i = 0; i < out->count; i++)
		if (out->domains[i].id == domain->id)
			return acpi_table_broken(err, ERDT_SIGNATURE, at + RMDD_DOMAIN,
						 "domain %u occurs twice", domain->id);
	if (domain->max_rmid >= ERDT_RMIDS)
		return refuse_table(err, at + RMDD_MAX_RMID, "the last RMID", domain->max_rmid);
	if (!domain->control || domain->control % 8)
		return refuse_table(err, at + RMDD_CONTROL, "the address of the control register",
				    domain->control);
	out->count++;
	return take_parts(bytes, at + RMDD_BYTES, at + length, domain, err);
}

int erdt_parse(const uint8_t *bytes, size_t size, struct erdt *out, struct error *err)
{
	size_t end = 0;

	*out = (struct erdt){.count = 0};
	int rc = acpi_table_check(bytes, size, ERDT_SIGNATURE, SUBTABLES_OFFSET, &end, err);
	if (rc)
		return rc;
	out->domains = calloc((end - SUBTABLES_OFFSET) / RMDD_BYTES + 1, sizeof(*out->domains));
	if (!out->domains)
		return error_no_memory(err);
	for (size_t at = SUBTABLES_OFFSET; !rc && at < end;) {
		const bool is_domain = end - at >= 2 && acpi_u16(bytes + at) == RMDD;
		const int length = acpi_entry_length(bytes, ERDT_SIGNATURE, at, end,
						     is_domain ? RMDD_BYTES : 0, err);

		if (length < 0)
			return length;
		if (is_domain)
			rc = take_domain(bytes, at, (size_t)length, out, err);
		at += (size_t)length;
	}
	return rc;
}

void erdt_free(struct erdt *erdt)
{
	for (size_t i = 0; i < erdt->count; i++) {
		free(erdt->domains[i].apic_ids);
		free(erdt->domains[i].factors);
	}
	free(erdt->domains);
	*erdt = (struct erdt){.count = 0};
}
