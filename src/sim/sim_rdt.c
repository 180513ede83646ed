/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes by region of memory: the tables ERDT and MRRM, and the counters that they describe, in the
 * layout of Intel's specification (uncore/rdt/erdt.c). Each die is an L3 domain with 128 KiB of
 * memory: its counters, and 64 KiB after them its control register.
 *
 * The domain's CPUs move the lines that traffic_core_lines() returns. Without groups, all lines
 * have RMID 0.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "platform/cpus.h"
#include "platform/memory.h"
#include "platform/reg.h"
#include "platform/task_groups.h"
#include "sim/sim_machine.h"
#include "sim/sim_private.h"
#include "sim/sim_stalls.h"

#define FIRST_OFFSET   UINT64_C(0xF000000) /* offset in a socket's memory */
#define DOMAIN_STRIDE  UINT64_C(0x20000)
#define COUNTERS_BYTES UINT64_C(0x10000)
#define CONTROL_BYTES  UINT64_C(0x1000)

#define REGIONS	      4
#define RMIDS	      32
#define UP_SCALE      64 /* bytes per count: a line */
#define NOT_AVAILABLE (UINT64_C(1) << 63)
#define HAS_WRAPPED   (UINT64_C(1) << 62)
#define CONTROL_TOTAL UINT64_C(4)

int sim_rdt_add(struct sim *sim, unsigned socket)
{
	const unsigned dies = sim->spec.dies;
	struct sim_rdt *grown;

	if (sim->spec.regions == SIM_REGIONS_NONE)
		return 0;
	grown = realloc(sim->rdt, (sim->rdt_count + dies) * sizeof(*grown));
	if (!grown)
		return -ENOMEM;
	sim->rdt = grown;
	for (unsigned die = 0; die < dies; die++) {
		const uint64_t address = SIM_MMIO_BASE + socket * SIM_MMIO_STRIDE + FIRST_OFFSET +
					 die * DOMAIN_STRIDE;

		sim->rdt[sim->rdt_count++] =
			(struct sim_rdt){.socket = socket, .die = die, .address = address};
		sim_add_region(sim, address, COUNTERS_BYTES + CONTROL_BYTES, NULL);
	}
	return 0;
}

/* A factor of 1 is 65536. */
static uint32_t factor_of(const struct sim_spec *spec)
{
	return (uint32_t)(spec->region_factor * 65536);
}

/* Returns the bytes in the nth region until t ns. */
static long double bytes_of(const struct sim *sim, const struct sim_rdt *domain, unsigned region,
			    uint64_t t)
{
	const bool remote = region & 1, cxl = region & 2;
	const bool mixed = sim->spec.regions == SIM_REGIONS_MIXED;
	long double lines = 0;

	for (unsigned cpu = 0; cpu < sim->core_count; cpu++) {
		const struct sim_core *core = &sim->cores[cpu];

		if (core->socket != domain->socket || core->die != domain->die)
			continue;
		if (!mixed || !cxl)
			lines += traffic_core_lines(&sim->loads, cpu, cxl, remote, t);
		if (mixed && !cxl)
			lines += traffic_core_lines(&sim->loads, cpu, true, remote, t);
	}
	return lines * 64;
}

/* Returns the counts of a counter until t ns, before it wraps. */
static uint64_t count_of(const struct sim *sim, const struct sim_rdt *domain, unsigned region,
			 unsigned rmid, uint64_t t)
{
	const unsigned groups = sim->spec.region_groups + 1;
	const uint32_t factor = factor_of(&sim->spec);
	const long double counts =
		rmid < groups ? bytes_of(sim, domain, region, t) / groups / UP_SCALE : 0;

	return (uint64_t)roundl(factor ? counts * 65536 / factor : counts);
}

/* Returns the RMID of a counter's offset, from its clump and its 8 bytes in the region there. */
static unsigned rmid_of(uint64_t offset)
{
	const unsigned clump = (unsigned)(offset / 0x4000), n = (unsigned)(offset % 2048 / 8);

	return n / 8 * 32 + clump * 8 + n % 8;
}

static uint64_t load_counter(const struct sim *sim, const struct sim_rdt *domain, uint64_t offset,
			     uint64_t t)
{
	const unsigned region = (unsigned)(offset % 0x4000 / 2048), rmid = rmid_of(offset);
	const unsigned width = sim->spec.region_width;

	if (region >= REGIONS || rmid >= RMIDS)
		return 0;
	if (sim->spec.regions == SIM_REGIONS_UNKNOWN)
		return NOT_AVAILABLE;
	const uint64_t count = count_of(sim, domain, region, rmid, t);
	return count & ((UINT64_C(1) << width) - 1);
}

static struct sim_rdt *find_domain(const struct sim *sim, uint64_t address)
{
	for (size_t i = 0; i < sim->rdt_count; i++)
		if (address >= sim->rdt[i].address &&
		    address - sim->rdt[i].address < COUNTERS_BYTES + CONTROL_BYTES)
			return &sim->rdt[i];
	return NULL;
}

bool sim_rdt_load(const struct sim *sim, uint64_t address, uint64_t t, uint64_t *value)
{
	const struct sim_rdt *domain = find_domain(sim, address);

	if (!domain)
		return false;
	const uint64_t offset = address - domain->address;
	*value = offset < COUNTERS_BYTES		  ? load_counter(sim, domain, offset, t)
		 : offset > COUNTERS_BYTES		  ? 0
		 : sim->spec.regions == SIM_REGIONS_TOTAL ? CONTROL_TOTAL
							  : 0;
	return true;
}

/* Tables, while they are made. */
struct table {
	uint8_t *bytes;
	size_t size;
};

static void put_number(struct table *table, size_t width, uint64_t value)
{
	for (size_t i = 0; i < width; i++)
		table->bytes[table->size++] = (uint8_t)(value >> 8 * i);
}

static void set_length(struct table *table, size_t at, size_t width, size_t begin)
{
	const size_t end = table->size;

	table->size = at;
	put_number(table, width, end - begin);
	table->size = end;
}

static int begin_table(struct table *table, const char *signature, size_t most, struct error *err)
{
	*table = (struct table){.bytes = calloc(most, 1), .size = 36};
	if (!table->bytes)
		return error_no_memory(err);
	memcpy(table->bytes, signature, 4);
	table->bytes[8] = 1;
	return 0;
}

static void end_table(struct table *table)
{
	uint8_t sum = 0;

	set_length(table, 4, 4, 0);
	for (size_t i = 0; i < table->size; i++)
		sum = (uint8_t)(sum + table->bytes[i]);
	table->bytes[9] = (uint8_t)-sum;
}

static size_t begin_part(struct table *table, unsigned type)
{
	put_number(table, 2, type);
	put_number(table, 2, 0);
	return table->size - 4;
}

static uint32_t apic_id(const struct sim *sim, unsigned cpu)
{
	return sim->cores[cpu].socket << 10 | cpu % sim->spec.cpus << 1;
}

static void put_cpus(struct table *table, const struct sim *sim, const struct sim_rdt *domain,
		     unsigned id)
{
	const size_t begin = begin_part(table, 1);

	put_number(table, 2, 0);
	put_number(table, 2, id);
	for (unsigned cpu = 0; cpu < sim->core_count; cpu++)
		if (sim->cores[cpu].socket == domain->socket && sim->cores[cpu].die == domain->die)
			put_number(table, 4, apic_id(sim, cpu));
	set_length(table, begin + 2, 2, begin);
}

static void put_counters(struct table *table, const struct sim *sim, const struct sim_rdt *domain)
{
	const size_t begin = begin_part(table, 4);
	const uint32_t factor = factor_of(&sim->spec);

	table->size += 8;
	put_number(table, 1, 1);
	table->size += 11;
	put_number(table, 8, domain->address);
	put_number(table, 4, COUNTERS_BYTES / 4096);
	put_number(table, 1, sim->spec.region_width);
	put_number(table, 8, UP_SCALE);
	table->size += 7;
	put_number(table, 4, factor != 0);
	if (factor)
		put_number(table, 4, factor);
	set_length(table, begin + 2, 2, begin);
}

static void put_domain(struct table *table, const struct sim *sim, unsigned id)
{
	const struct sim_rdt *domain = &sim->rdt[id];
	const size_t begin = begin_part(table, 0);

	put_number(table, 2, 1);
	table->size += 12;
	put_number(table, 2, id);
	put_number(table, 4, RMIDS - 1);
	put_number(table, 8, domain->address + COUNTERS_BYTES);
	put_number(table, 2, CONTROL_BYTES / 4096);
	put_cpus(table, sim, domain, id);
	put_counters(table, sim, domain);
	set_length(table, begin + 2, 2, begin);
}

static int make_erdt(const struct sim *sim, struct table *out, struct error *err)
{
	const size_t most = 64 + 256 * sim->rdt_count + 4 * sim->core_count;
	const int rc = begin_table(out, "ERDT", most, err);

	if (rc)
		return rc;
	put_number(out, 4, 16);
	out->size = 64;
	for (size_t i = 0; i < sim->rdt_count; i++)
		put_domain(out, sim, (unsigned)i);
	end_table(out);
	return 0;
}

static void put_range(struct table *table, const struct memory_range *range, unsigned local)
{
	begin_part(table, 0);
	put_number(table, 4, 0);
	put_number(table, 8, range->first);
	put_number(table, 8, range->end - range->first);
	put_number(table, 2, 3);
	put_number(table, 1, local);
	put_number(table, 1, local + 1);
	put_number(table, 4, 0);
	set_length(table, table->size - 30, 2, table->size - 32);
}

static int make_mrrm(struct sim *sim, struct table *out, struct error *err)
{
	struct memory_map map;
	int rc = sim_memory_map(&sim->base, &map, err);

	if (!rc)
		rc = begin_table(out, "MRRM", 64 + 32 * map.count, err);
	if (!rc) {
		put_number(out, 1, REGIONS);
		out->size = 64;
		for (size_t i = 0; i < map.count; i++) {
			const bool dram = sim_socket_of_node(sim, map.ranges[i].node) != SIZE_MAX;
			const bool mixed = sim->spec.regions == SIM_REGIONS_MIXED;

			put_range(out, &map.ranges[i], dram || mixed ? 0 : 2);
		}
		end_table(out);
	}
	memory_map_free(&map);
	return rc;
}

static int make_table(struct platform *p, const char *signature, uint8_t **bytes, size_t *size,
		      struct error *err)
{
	struct sim *sim = sim_of(p);
	struct table table = {.bytes = NULL};

	*bytes = NULL;
	if (!sim->rdt_count)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "firmware has no ACPI table %s, which says where bytes by region "
				 "of memory are counted (simulated)",
				 signature);
	const int rc = !strcmp(signature, "ERDT") ? make_erdt(sim, &table, err)
						  : make_mrrm(sim, &table, err);
	*bytes = table.bytes;
	*size = table.size;
	return rc;
}

static void apic_ids(struct platform *p, const struct topology *topology, uint32_t *ids)
{
	for (size_t i = 0; i < topology->count; i++)
		ids[i] = apic_id(sim_of(p), topology->cpus[i].cpu);
}

static bool has_groups(struct platform *p)
{
	return sim_of(p)->spec.region_groups > 0;
}

/* Marks a counter that has wrapped since it was last read. It does so once per wrap. */
static uint64_t mark_wrap(struct sim *sim, uint64_t address, uint64_t t)
{
	struct sim_rdt *domain = find_domain(sim, address);
	const uint64_t offset = domain ? address - domain->address : COUNTERS_BYTES;
	const unsigned region = (unsigned)(offset % 0x4000 / 2048);

	if (sim->spec.regions != SIM_REGIONS_OVERFLOW || offset >= COUNTERS_BYTES ||
	    rmid_of(offset) || region >= REGIONS)
		return 0;
	const uint64_t wraps = count_of(sim, domain, region, 0, t) >> sim->spec.region_width;
	const bool more = wraps > domain->wraps[region];
	domain->wraps[region] = wraps;
	return more ? HAS_WRAPPED : 0;
}

static void read_counters(struct platform *p, const struct reg_handle *handles, size_t count,
			  uint64_t wall_ns, uint64_t *values, int *failures, uint64_t *at_ns)
{
	struct sim *sim = sim_of(p);

	*at_ns = sim_time_of(sim, wall_ns);
	for (size_t i = 0; i < count; i++) {
		const uint64_t address = handles[i].reg->address;

		if (sim_rdt_load(sim, address, *at_ns, &values[i]))
			values[i] |= mark_wrap(sim, address, *at_ns);
		else
			failures[i] = -ENXIO;
	}
}

const struct rdt_ops sim_rdt_ops = {
	.table = make_table,
	.apic_ids = apic_ids,
	.has_groups = has_groups,
	.read = read_counters,
};

/*
 * Groups of tasks (region_groups=): the default group, and others. The tasks of each have an equal
 * part of every CPU's time, and wait as in sim_stalls.h.
 */
static const char *const group_names[] = {
	"/",   "g1",  "g2",  "g3",  "g4",  "g5",  "g6",	 "g7",	"g8",  "g9",  "g10",
	"g11", "g12", "g13", "g14", "g15", "g16", "g17", "g18", "g19", "g20", "g21",
	"g22", "g23", "g24", "g25", "g26", "g27", "g28", "g29", "g30", "g31",
};

static int open_groups(struct platform *p, struct task_groups *out, struct error *err)
{
	const struct sim *sim = sim_of(p);

	if (!sim->spec.region_groups || sim->spec.facts->vendor != SIM_INTEL)
		return error_set(err, ERROR_NO_UNIT, -ENODEV,
				 "resctrl: this simulated machine has no groups of tasks: expected "
				 "an Intel processor and region_groups=, as "
				 "--sim=cwf,region_groups=2");
	*out = (struct task_groups){group_names, sim->spec.region_groups + 1};
	return 0;
}

static void read_group(struct platform *p, size_t group, uint64_t wall_ns, struct group_counts *out)
{
	const struct sim *sim = sim_of(p);
	const struct sim_stalls stalls = sim_stalls_of(&sim->spec);
	const unsigned groups = sim->spec.region_groups + 1;

	(void)group;
	out->at_ns = sim_time_of(sim, wall_ns);
	const long double cycles = SIM_CORE_GHZ * out->at_ns * sim->core_count / groups;
	out->counts[GROUP_CYCLES] = (double)floorl(cycles);
	out->counts[GROUP_STALLED_CYCLES] =
		(double)floorl(cycles * stalls.demand / (100 * stalls.cycles));
}

const struct task_group_ops sim_task_groups = {
	.open = open_groups,
	.read = read_group,
};
