/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of regions, from the memory in their ranges. */
#include "uncore/rdt/rdt_private.h"

#include "base/error.h"
#include "linux/cxl/cxl.h"
#include "linux/memory/nodes.h"
#include "platform/cpus.h"
#include "platform/cxl.h"
#include "platform/memory.h"
#include "platform/platform.h"
#include "sim_machine.h"
#include "unit.h"

#define GIB UINT64_C(0x40000000)

/* DRAM below 4 GiB and from 8 GiB on; CXL memory between, and after a hole. */
static const struct memory_piece pieces[] = {
	{0, 4 * GIB - 1, false},
	{4 * GIB, 8 * GIB - 1, true},
	{8 * GIB, 16 * GIB - 1, false},
	{32 * GIB, 64 * GIB - 1, true},
};

#define N MRRM_NO_REGION

static const struct {
	struct mrrm_range ranges[4];
	size_t count;
	enum memory_region regions[ERDT_REGIONS];
	unsigned warnings;
	const char *says;
} machines[] = {
	{{{0, GIB - 1, 0, 1}, {4 * GIB, 5 * GIB - 1, 2, 3}},
	 2,
	 {REGION_DRAM, REGION_DRAM_REMOTE, REGION_CXL, REGION_CXL_REMOTE},
	 0,
	 ""},
	/* several ranges of a region, in any order */
	{{{32 * GIB, 33 * GIB - 1, 1, N},
	  {8 * GIB, 16 * GIB - 1, 0, N},
	  {4 * GIB, 8 * GIB - 1, 1, N},
	  {0, 4 * GIB - 1, 0, N}},
	 4,
	 {REGION_DRAM, REGION_CXL, REGION_NONE, REGION_NONE},
	 0,
	 ""},
	/* wider than the known memory */
	{{{20 * GIB, 80 * GIB, 3, N}},
	 1,
	 {REGION_NONE, REGION_NONE, REGION_NONE, REGION_CXL},
	 0,
	 ""},
	/* without any memory */
	{{{16 * GIB, 32 * GIB - 1, 0, 1}}, 1, {REGION_NONE}, 0, ""},
	/* by one byte too wide */
	{{{0, 4 * GIB, 0, N}}, 1, {REGION_NONE}, 1, "region 0 has both DRAM and CXL memory"},
	{{{0, 4 * GIB - 1, 2, N}, {32 * GIB, 33 * GIB, 2, 3}},
	 2,
	 {REGION_NONE, REGION_NONE, REGION_NONE, REGION_CXL_REMOTE},
	 1,
	 "region 2 has both DRAM and CXL memory"},
	{{{0, GIB, 0, N}, {GIB + 1, 2 * GIB, 1, 0}},
	 2,
	 {REGION_NONE, REGION_DRAM},
	 1,
	 "region 0 has accesses both from the memory's own socket and from others"},
	{{{4 * GIB, 5 * GIB, 2, 2}}, 1, {REGION_NONE}, 1, "region 2 has accesses both from"},
	{{{0, GIB, N, N}}, 1, {REGION_NONE}, 0, ""},
	/* regions that cannot have counters */
	{{{0, GIB, 4, 255}}, 1, {REGION_NONE}, 0, ""},
};

static unsigned warnings;
static char warning[512];

static void take(void *context, enum log_level level, const char *text)
{
	(void)context;
	ck_assert_int_eq(level, LEVEL_WARNING);
	warnings++;
	snprintf(warning, sizeof(warning), "%s", text);
}

TEST_LOOP(test_regions_are_the_memory_of_their_ranges, COUNT_OF(machines))
{
	const struct log log = {.write = take};
	struct mrrm_range ranges[4];
	const struct mrrm mrrm = {4, ranges, machines[_i].count};
	enum memory_region regions[ERDT_REGIONS];

	memcpy(ranges, machines[_i].ranges, sizeof(ranges));
	warnings = 0;
	regions_find(&mrrm, pieces, COUNT_OF(pieces), &log, regions);
	for (unsigned i = 0; i < ERDT_REGIONS; i++)
		ck_assert_int_eq(regions[i], machines[_i].regions[i]);
	ck_assert_uint_eq(warnings, machines[_i].warnings);
	ck_assert_msg(!warnings || strstr(warning, machines[_i].says), "%s", warning);
}

static const struct memory_ops memory_of_tree = {.map = linux_memory_map,
						 .layout = linux_memory_layout};
static const struct cxl_ops devices_of_tree = {.devices = linux_cxl_devices};
static const struct platform_ops tree_ops = {.memory = &memory_of_tree, .cxl = &devices_of_tree};

TREE_FIXTURE(NULL, NULL)

/* Blocks of 1 GiB: block 1 has the end of DRAM, and the beginning of the CXL region of node 2. */
TEST(test_a_block_that_dram_and_cxl_memory_share_is_neither)
{
	static struct cpu_location cpu = {.node = 0};
	const struct topology topology = {.cpus = &cpu, .count = 1};
	const struct log log = {.write = take};
	/* as in firmware, which does not know blocks */
	struct mrrm_range ranges[] = {{0, GIB * 3 / 2 - 1, 0, N}, {GIB * 3 / 2, 3 * GIB - 1, 2, N}};
	const struct mrrm mrrm = {4, ranges, COUNT_OF(ranges)};
	enum memory_region regions[ERDT_REGIONS];
	struct memory_piece *found;
	struct error err;
	size_t count;

	tree_file("sys/devices/system/memory/block_size_bytes", "40000000\n");
	tree_directory("sys/devices/system/node/node0/memory0");
	tree_directory("sys/devices/system/node/node0/memory1");
	tree_directory("sys/devices/system/node/node2/memory1");
	tree_directory("sys/devices/system/node/node2/memory2");
	tree_directory("sys/devices/system/memory/memory2/node2");
	tree_file("sys/bus/cxl/devices/region0/resource", "0x60000000\n");
	tree_file("sys/bus/cxl/devices/region0/size", "0x60000000\n");
	warnings = 0;
	struct platform *p = tree_platform();
	p->ops = &tree_ops;
	ck_assert_int_eq(memory_pieces(p, &topology, &found, &count, &err), 0);
	regions_find(&mrrm, found, count, &log, regions);
	free(found);
	ck_assert_msg(!warnings, "%s", warning);
	ck_assert_int_eq(regions[0], REGION_DRAM);
	ck_assert_int_eq(regions[2], REGION_CXL);
}
