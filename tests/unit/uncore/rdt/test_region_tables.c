/* SPDX-License-Identifier: BSD-3-Clause */
/* Both tables of a simulated machine, and the memory of each region. */
#include "uncore/rdt/region_tables.h"

#include "platform/cpus.h"
#include "sim/sim.h"
#include "unit.h"

static struct platform *p;
static struct topology topology;
static struct region_tables tables;
static struct error err;

static int read_tables(const char *spec)
{
	p = sim_make(spec);
	ck_assert_int_eq(p->ops->cpus->topology(p, &topology, &err), 0);
	return region_tables_read(p, &topology, &tables, &err);
}

static void forget(void)
{
	region_tables_free(&tables);
	topology_free(&topology);
}

FIXTURE(NULL, forget)

TEST(test_regions_have_the_names_of_their_memory)
{
	ck_assert_int_eq(read_tables("dmr,sockets=2,dies=2"), 0);
	ck_assert_uint_eq(tables.erdt.count, 4);
	ck_assert_str_eq(region_tables_name(&tables, 0), "DRAM");
	ck_assert_str_eq(region_tables_name(&tables, 1), "remote DRAM");
	ck_assert_str_eq(region_tables_name(&tables, 2), "CXL");
	ck_assert_str_eq(region_tables_name(&tables, 3), "remote CXL");
	ck_assert_ptr_null(region_tables_name(&tables, MRRM_NO_REGION));
	ck_assert_ptr_null(region_tables_name(&tables, ERDT_REGIONS));
}

TEST(test_a_region_of_both_kinds_of_memory_has_no_name)
{
	ck_assert_int_eq(read_tables("dmr,regions=mixed"), 0);
	ck_assert_uint_gt(tables.mrrm.count, 1);
	ck_assert_ptr_null(region_tables_name(&tables, 0));
}
