/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes by L3 domain and region: read from a simulated machine, and computed from any register
 * values.
 */
#include "uncore/rdt/region_counters.h"

#include <math.h>

#include "base/number.h"
#include "platform/clock.h"
#include "platform/cpus.h"
#include "sim/sim.h"
#include "tests/sim/faults.h"
#include "unit.h"

#define MS UINT64_C(1000000)

static struct platform *p;
static struct topology topology;
static struct region_counters counters;
static struct error err;

static int open_counters(const char *spec)
{
	p = sim_make(spec);
	ck_assert_int_eq(p->ops->cpus->topology(p, &topology, &err), 0);
	return region_counters_open(&counters, p, &topology, &err);
}

static void close_counters(void)
{
	region_counters_close(&counters);
	topology_free(&topology);
}

FIXTURE(NULL, close_counters)

/* Reads the counters again ms later. */
static void read_after(uint64_t ms)
{
	const uint64_t wall = p->ops->clock->wall(p);

	sim_pass(sim_of(p), ms * MS);
	region_counters_update(&counters, wall + ms * MS);
}

/* Returns the bytes of all domains. */
static double sum_of(enum memory_region kind)
{
	double sum = 0;

	for (size_t d = 0; d < counters.tables.erdt.count; d++)
		sum += region_counters_bytes(&counters, d, kind);
	return sum;
}

/* Each port's 10 and 4 GB/s, a quarter of it for the other socket; DRAM's likewise. */
#define TRAFFIC "sockets=2,read=10,write=4,dram_read=30,dram_write=10,clock=virtual"

static const struct {
	const char *spec;
	size_t domains;
	unsigned rmids;
	double error; /* bytes per counter, for counts that are rounded */
} machines[] = {
	{"dmr," TRAFFIC, 2, 1, 0},
	{"dmr," TRAFFIC ",dies=4", 8, 1, 64},
	{"dmr," TRAFFIC ",region_width=62", 2, 1, 0},
	{"dmr," TRAFFIC ",region_groups=3", 2, 32, 64},
	{"dmr," TRAFFIC ",region_factor=2", 2, 1, 128},
	{"dmr," TRAFFIC ",region_factor=0.37,dies=2,region_groups=31", 4, 32, 64},
};

TEST_LOOP(test_bytes_are_those_of_the_traffic, COUNT_OF(machines))
{
	ck_assert_int_eq(open_counters(machines[_i].spec), 0);
	ck_assert_uint_eq(counters.tables.erdt.count, machines[_i].domains);
	ck_assert_uint_eq(counters.rmids, machines[_i].rmids);
	read_after(1000);
	const double most = machines[_i].error * (double)counters.reg_count;
	ck_assert(fabs(sum_of(REGION_CXL) - 42e9) <= most);
	ck_assert(fabs(sum_of(REGION_CXL_REMOTE) - 14e9) <= most);
	ck_assert(fabs(sum_of(REGION_DRAM) - 60e9) <= most);
	ck_assert(fabs(sum_of(REGION_DRAM_REMOTE) - 20e9) <= most);
	ck_assert(region_counters_seconds(&counters) == 1);
	ck_assert(!counters.overflowed && !counters.totals && !counters.too_long);
}

/* Three groups and the tasks outside of groups share the traffic evenly; other RMIDs have none. */
TEST(test_bytes_of_one_group_are_those_of_its_rmid)
{
	ck_assert_int_eq(open_counters("dmr," TRAFFIC ",region_groups=3"), 0);
	read_after(1000);
	for (unsigned rmid = 0; rmid < 4; rmid++) {
		ck_assert(region_counters_rmid_bytes(&counters, rmid, REGION_CXL) == 105e8);
		ck_assert(region_counters_rmid_bytes(&counters, rmid, REGION_DRAM_REMOTE) == 5e9);
	}
	ck_assert(region_counters_rmid_bytes(&counters, 4, REGION_CXL) == 0);
	ck_assert(region_counters_rmid_bytes(&counters, 31, REGION_CXL) == 0);
	ck_assert(isnan(region_counters_rmid_bytes(&counters, 32, REGION_CXL)));
	ck_assert(isnan(region_counters_rmid_bytes(&counters, 0, REGION_NONE)));
}

TEST(test_nothing_is_allowed_to_be_written)
{
	ck_assert_int_eq(open_counters("dmr,clock=virtual"), 0);
	ck_assert_uint_eq(p->guard.count, 0);
	for (size_t i = 0; i < counters.reg_count; i++)
		ck_assert_int_eq(reg_write(p, &counters.regs[i], 0, &err), -EACCES);
}

TEST(test_counters_wrap)
{
	double sum = 0;

	/* 2^32 lines are 275 GB: 1.4 s of this traffic */
	ck_assert_int_eq(open_counters("dmr,read=100,clock=virtual,region_width=32"), 0);
	for (unsigned i = 0; i < 100; i++) {
		read_after(100);
		ck_assert(sum_of(REGION_CXL) == 20e9);
		sum += sum_of(REGION_CXL);
	}
	ck_assert(sum == 2e12);
	ck_assert(!counters.too_long);
}

TEST(test_an_interval_in_which_counters_could_wrap_twice_is_not_known)
{
	ck_assert_int_eq(open_counters("dmr,read=10,clock=virtual,region_width=32"), 0);
	ck_assert_double_eq(counters.longest_s, 4294967295.0 * 64 / 2e12);
	read_after(138);
	ck_assert(isnan(sum_of(REGION_CXL)) && counters.too_long);
	read_after(137);
	ck_assert(sum_of(REGION_CXL) == 274e7);
}

TEST(test_a_counter_that_has_overflowed_is_not_known)
{
	unsigned unknown = 0;

	ck_assert_int_eq(
		open_counters("dmr,read=100,clock=virtual,region_width=32,regions=overflow"), 0);
	for (unsigned i = 0; i < 14; i++) {
		read_after(100);
		unknown += isnan(sum_of(REGION_CXL));
	}
	ck_assert_uint_eq(unknown, 1);
	ck_assert(counters.overflowed);
	ck_assert(sum_of(REGION_DRAM) == 0);
}

TEST(test_counters_that_are_not_available_are_not_zero)
{
	ck_assert_int_eq(open_counters("dmr,read=100,clock=virtual,regions=unknown"), 0);
	read_after(100);
	for (unsigned kind = REGION_CXL; kind < MEMORY_REGIONS; kind++)
		ck_assert(isnan(sum_of(kind)));
	ck_assert(!counters.overflowed);
}

static const struct {
	const char *spec;
	int rc;
	enum error_kind kind;
	const char *says;
} refused[] = {
	{"dmr,regions=none", -ENODEV, ERROR_NO_UNIT, "firmware has no ACPI table ERDT"},
	{"gnr", -ENODEV, ERROR_NO_UNIT, "firmware has no ACPI table ERDT"},
	{"dmr,regions=mixed", -ENODEV, ERROR_NO_UNIT, "MRRM: no region can be identified as DRAM"},
	{"dmr,regions=total", -ENOTSUP, ERROR_NO_UNIT,
	 "L3 domain 0 counts all memory together, not by region: bit 2 of mmio 0x200f010000"},
	{"dmr,lockdown=integrity", -EPERM, ERROR_PERMISSION, "lockdown"},
};

TEST_LOOP(test_what_does_not_count_by_region_is_refused, COUNT_OF(refused))
{
	ck_assert_int_eq(open_counters(refused[_i].spec), refused[_i].rc);
	ck_assert_int_eq(err.kind, refused[_i].kind);
	ck_assert_msg(strstr(err.text, refused[_i].says) != NULL, "%s", err.text);
}

/*
 * Values that no machine has: a domain of two RMIDs and two regions, with its control before them.
 */
enum { CONTROL, DRAM_0, DRAM_1, CXL_0, CXL_1, REGISTERS };

#define BIT(n) (UINT64_C(1) << (n))

static const struct {
	uint64_t before[REGISTERS], now[REGISTERS];
	double dram, cxl; /* NAN: unknown */
} readings[] = {
	{{0}, {0}, 0, 0},
	{{0, 1, 2, 3, 4}, {0, 2, 4, 6, 8}, 30, 70},
	{{0, BIT(20) - 1}, {0, 1, 0, 0, BIT(20) - 1}, 20, 10 * (BIT(20) - 1.0)},
	/* an overflow of the previous reading does not matter */
	{{0, BIT(62), 0, BIT(62) | 5}, {0, 1, 0, 6}, 10, 10},
	{{0}, {0, BIT(62) | 1, 1, 1, 1}, NAN, 20},
	{{0}, {0, 1, 1, 1, BIT(62) | 1}, 20, NAN},
	{{0, BIT(63)}, {0, 1, 1, 1, 1}, NAN, 20},
	{{0}, {0, 1, 1, BIT(63), 1}, 20, NAN},
	{{0}, {4, 1, 1, 1, 1}, NAN, NAN},
	{{4}, {0, 1, 1, 1, 1}, NAN, NAN},
	{{3}, {3, 1, 1, 1, 1}, 20, 20},
	{{UINT64_MAX}, {0, 1, 1, 1, 1}, NAN, NAN},
};

static void expect(double bytes, double expected)
{
	ck_assert(isnan(expected) ? isnan(bytes) : bytes == expected);
}

TEST_LOOP(test_what_two_readings_say, COUNT_OF(readings))
{
	struct erdt_domain domain = {.max_rmid = 1, .counter_width = 20, .up_scale = 10};
	uint64_t before[REGISTERS], now[REGISTERS];
	const struct region_counters two = {
		.tables.erdt = {&domain, 1},
		.regions = {{0, REGION_DRAM}, {2, REGION_CXL}},
		.region_count = 2,
		.rmids = 2,
		.longest_s = 1,
		.reg_count = REGISTERS,
		.before = before,
		.now = now,
		.now_ns = NS_PER_S,
	};

	memcpy(before, readings[_i].before, sizeof(before));
	memcpy(now, readings[_i].now, sizeof(now));
	expect(region_counters_bytes(&two, 0, REGION_DRAM), readings[_i].dram);
	expect(region_counters_bytes(&two, 0, REGION_CXL), readings[_i].cxl);
	expect(region_counters_bytes(&two, 0, REGION_CXL_REMOTE), NAN);
}
