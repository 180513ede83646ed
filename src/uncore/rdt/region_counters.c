/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/rdt/region_counters.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "platform/clock.h"
#include "platform/cpus.h"

/* Returns the number of registers of a domain; the first is its control. */
static size_t block_size(const struct region_counters *c)
{
	return 1 + (size_t)c->region_count * c->rmids;
}

/* Returns the register of the ith known region. */
static size_t counter_of(const struct region_counters *c, size_t domain, unsigned i, unsigned rmid)
{
	return domain * block_size(c) + 1 + i * (size_t)c->rmids + rmid;
}

static void choose_regions(struct region_counters *c)
{
	for (unsigned id = 0; id < ERDT_REGIONS; id++)
		if (c->tables.kinds[id] != REGION_NONE)
			c->regions[c->region_count++] =
				(struct region_kind){id, c->tables.kinds[id]};
}

static int check_tables(const struct region_counters *c, struct error *err)
{
	const struct erdt *erdt = &c->tables.erdt;

	for (size_t d = 0; d < erdt->count; d++)
		if (!erdt->domains[d].base)
			return error_set(err, ERROR_NO_UNIT, -ENODEV,
					 "ACPI table ERDT: L3 domain %u has no counters of bytes",
					 erdt->domains[d].id);
	if (!c->region_count)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "ACPI table MRRM: no region can be identified as DRAM or CXL "
				 "memory");
	if (!erdt->count)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "ACPI table ERDT has no L3 domain of CPUs");
	return 0;
}

/* Returns the domain of a CPU; SIZE_MAX: none has it. */
static size_t domain_of(const struct erdt *erdt, uint32_t apic)
{
	for (size_t d = 0; d < erdt->count; d++)
		for (size_t i = 0; i < erdt->domains[d].apic_count; i++)
			if (erdt->domains[d].apic_ids[i] == apic)
				return d;
	return SIZE_MAX;
}

/*
 * Finds the sockets of domains. All CPUs must be in a domain: traffic of others would be missing in
 * sums.
 */
static int find_sockets(struct region_counters *c, const struct topology *topology,
			struct error *err)
{
	uint32_t *ids = calloc(topology->count + 1, sizeof(*ids));
	int rc = 0;

	c->sockets = calloc(c->tables.erdt.count + 1, sizeof(*c->sockets));
	if (!ids || !c->sockets) {
		free(ids);
		return error_no_memory(err);
	}
	for (size_t d = 0; d < c->tables.erdt.count; d++)
		c->sockets[d] = -1;
	c->platform->ops->rdt->apic_ids(c->platform, topology, ids);
	for (size_t i = 0; !rc && i < topology->count; i++) {
		const size_t d = domain_of(&c->tables.erdt, ids[i]);

		if (d == SIZE_MAX)
			rc = error_set(err, ERROR_NO_UNIT, -ENODEV,
				       "ACPI table ERDT: cpu %u (x2APIC id %" PRIu32
				       ") is in no L3 domain",
				       topology->cpus[i].cpu, ids[i]);
		else
			c->sockets[d] = topology->cpus[i].socket;
	}
	free(ids);
	return rc;
}

static void choose_rmids(struct region_counters *c)
{
	uint32_t last = 0;

	for (size_t d = 0; d < c->tables.erdt.count; d++)
		if (c->tables.erdt.domains[d].max_rmid > last)
			last = c->tables.erdt.domains[d].max_rmid;
	c->rmids = c->platform->ops->rdt->has_groups(c->platform) ? last + 1 : 1;
}

/* Sets .longest_s to a time before the fastest counter could have wrapped. */
static void find_longest(struct region_counters *c)
{
	c->longest_s = INFINITY;
	for (size_t d = 0; d < c->tables.erdt.count; d++) {
		const struct erdt_domain *domain = &c->tables.erdt.domains[d];

		for (unsigned rmid = 0; rmid < c->rmids && rmid <= domain->max_rmid; rmid++) {
			const double range = erdt_bytes(domain, rmid, 1, 0);

			c->longest_s = fmin(c->longest_s, range / REGION_MOST_BYTES_PER_S);
		}
	}
}

struct region_reading {
	uint64_t at_ns;
	uint64_t values[]; /* by register */
};

size_t region_counters_size(const struct region_counters *c)
{
	return sizeof(struct region_reading) + c->reg_count * sizeof(uint64_t);
}

static int allocate_counters(struct region_counters *c, struct error *err)
{
	c->reg_count = c->tables.erdt.count * block_size(c);
	c->windows = calloc(c->tables.erdt.count + 1, sizeof(*c->windows));
	c->regs = calloc(c->reg_count + 1, sizeof(*c->regs));
	c->handles = calloc(c->reg_count + 1, sizeof(*c->handles));
	c->before = calloc(c->reg_count + 1, sizeof(*c->before));
	c->now = calloc(c->reg_count + 1, sizeof(*c->now));
	c->failures = calloc(c->reg_count + 1, sizeof(*c->failures));
	c->reading = calloc(1, region_counters_size(c));
	return c->windows && c->regs && c->handles && c->before && c->now && c->failures &&
			       c->reading
		       ? 0
		       : error_no_memory(err);
}

/*
 * Sets the counters of a domain. If it has fewer RMIDs than another one, it reads its last one
 * again, which is not counted.
 */
static void place_counters(struct region_counters *c, size_t d)
{
	const struct erdt_domain *domain = &c->tables.erdt.domains[d];
	const struct mmio_window *window = &c->windows[d].counters;

	for (unsigned i = 0; i < c->region_count; i++)
		for (unsigned rmid = 0; rmid < c->rmids; rmid++) {
			const unsigned there = rmid <= domain->max_rmid ? rmid : domain->max_rmid;

			c->regs[counter_of(c, d, i, rmid)] =
				reg_mmio(window, erdt_counter_offset(there, c->regions[i].id), 8);
		}
}

static int map_domain(struct region_counters *c, size_t d, struct error *err)
{
	const struct erdt_domain *domain = &c->tables.erdt.domains[d];
	const struct register_ops *registers = c->platform->ops->registers;
	struct region_windows *windows = &c->windows[d];
	int rc =
		registers->mmio_map(c->platform, domain->control, 8, false, &windows->control, err);

	if (!rc)
		rc = registers->mmio_map(c->platform, domain->base,
					 erdt_counters_size(domain->max_rmid), false,
					 &windows->counters, err);
	if (rc)
		return rc;
	c->regs[d * block_size(c)] = reg_mmio(&windows->control, 0, 8);
	place_counters(c, d);
	return 0;
}

static bool counts_totals(const struct region_counters *c, const uint64_t *values, size_t d)
{
	return values[d * block_size(c)] & ERDT_CONTROL_TOTAL;
}

static int check_controls(const struct region_counters *c, struct error *err)
{
	char name[REG_NAME_SIZE];

	for (size_t d = 0; d < c->tables.erdt.count; d++)
		if (counts_totals(c, c->now, d))
			return error_set(err, ERROR_NO_UNIT, -ENOTSUP,
					 "L3 domain %u counts all memory together, not by "
					 "region: bit 2 of %s is set",
					 c->tables.erdt.domains[d].id,
					 reg_name(&c->regs[d * block_size(c)], name));
	return 0;
}

void region_counters_read(const struct region_counters *c, uint64_t wall_ns, void *out)
{
	struct region_reading *reading = out;

	c->platform->ops->rdt->read(c->platform, c->handles, c->reg_count, wall_ns, reading->values,
				    c->failures, &reading->at_ns);
	/* a counter that could not be read is as unknown as one that reports it */
	for (size_t i = 0; i < c->reg_count; i++) {
		if (c->failures[i])
			reading->values[i] = ERDT_NOT_KNOWN;
		c->failures[i] = 0;
	}
}

static void set_now(struct region_counters *c, const struct region_reading *reading)
{
	c->now_ns = reading->at_ns;
	memcpy(c->now, reading->values, c->reg_count * sizeof(*c->now));
}

static int open_counters(struct region_counters *c, struct error *err)
{
	int rc = allocate_counters(c, err);

	for (size_t d = 0; !rc && d < c->tables.erdt.count; d++)
		rc = map_domain(c, d, err);
	if (rc)
		return rc;
	for (size_t i = 0; i < c->reg_count; i++)
		reg_prepare(c->platform, &c->regs[i], &c->handles[i]);
	region_counters_read(c, c->platform->ops->clock->wall(c->platform), c->reading);
	set_now(c, c->reading);
	return check_controls(c, err);
}

int region_counters_open(struct region_counters *c, struct platform *p,
			 const struct topology *topology, struct error *err)
{
	*c = (struct region_counters){.platform = p};
	int rc = region_tables_read(p, topology, &c->tables, err);

	if (!rc) {
		choose_regions(c);
		rc = check_tables(c, err);
	}
	if (!rc)
		rc = find_sockets(c, topology, err);
	if (rc)
		return rc;
	choose_rmids(c);
	find_longest(c);
	return open_counters(c, err);
}

void region_counters_close(struct region_counters *c)
{
	for (size_t d = 0; c->windows && d < c->tables.erdt.count; d++) {
		const struct register_ops *registers = c->platform->ops->registers;

		registers->mmio_unmap(c->platform, &c->windows[d].control);
		registers->mmio_unmap(c->platform, &c->windows[d].counters);
	}
	region_tables_free(&c->tables);
	free(c->sockets);
	free(c->windows);
	free(c->regs);
	free(c->handles);
	free(c->before);
	free(c->now);
	free(c->failures);
	free(c->reading);
	*c = (struct region_counters){.platform = NULL};
}

bool region_counters_know(const struct region_counters *c, enum memory_region kind)
{
	for (unsigned i = 0; i < c->region_count; i++)
		if (c->regions[i].kind == kind)
			return true;
	return false;
}

/* Sets the flags for faults of the latest interval. */
static void note_faults(struct region_counters *c)
{
	c->too_long |= region_counters_seconds(c) > c->longest_s;
	for (size_t d = 0; d < c->tables.erdt.count; d++) {
		c->totals |= counts_totals(c, c->now, d);
		for (size_t i = 1; i < block_size(c); i++) {
			const uint64_t value = c->now[d * block_size(c) + i];

			c->overflowed |= (value & ERDT_OVERFLOW) && !(value & ERDT_NOT_KNOWN);
		}
	}
}

void region_counters_take(struct region_counters *c, const void *reading, bool replaces)
{
	uint64_t *swapped = c->before;

	if (!replaces) {
		c->before = c->now;
		c->now = swapped;
		c->before_ns = c->now_ns;
	}
	set_now(c, reading);
	note_faults(c);
}

void region_counters_update(struct region_counters *c, uint64_t wall_ns)
{
	region_counters_read(c, wall_ns, c->reading);
	region_counters_take(c, c->reading, false);
}

double region_counters_seconds(const struct region_counters *c)
{
	return (double)(c->now_ns - c->before_ns) / NS_PER_S;
}

static double bytes_of(const struct region_counters *c, size_t domain, unsigned i, unsigned rmid)
{
	const size_t at = counter_of(c, domain, i, rmid);

	if ((c->before[at] | c->now[at]) & ERDT_NOT_KNOWN || c->now[at] & ERDT_OVERFLOW)
		return NAN;
	return erdt_bytes(&c->tables.erdt.domains[domain], rmid, c->before[at], c->now[at]);
}

/* Returns the bytes of RMIDs from first on, before end. */
static double bytes_of_rmids(const struct region_counters *c, size_t domain,
			     enum memory_region kind, unsigned first, unsigned end)
{
	double sum = region_counters_know(c, kind) ? 0 : NAN;

	if (region_counters_seconds(c) > c->longest_s || counts_totals(c, c->before, domain) ||
	    counts_totals(c, c->now, domain))
		return NAN;
	for (unsigned i = 0; i < c->region_count; i++)
		for (unsigned rmid = first; c->regions[i].kind == kind && rmid < end; rmid++)
			sum += bytes_of(c, domain, i, rmid);
	return sum;
}

/* Returns the number of a domain's RMIDs that are read. */
static unsigned rmids_of(const struct region_counters *c, size_t domain)
{
	const uint32_t last = c->tables.erdt.domains[domain].max_rmid;

	return last < c->rmids ? last + 1 : c->rmids;
}

double region_counters_bytes(const struct region_counters *c, size_t domain,
			     enum memory_region kind)
{
	return bytes_of_rmids(c, domain, kind, 0, rmids_of(c, domain));
}

double region_counters_rmid_bytes(const struct region_counters *c, unsigned rmid,
				  enum memory_region kind)
{
	double sum = 0;

	for (size_t d = 0; d < c->tables.erdt.count; d++)
		sum += rmid < rmids_of(c, d) ? bytes_of_rmids(c, d, kind, rmid, rmid + 1) : NAN;
	return sum;
}
