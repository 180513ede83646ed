/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/devices/ports.h"

#include "fake_machine.h"
#include "pci/config.h"
#include "platform/memory.h"
#include "spy.h"
#include "uncore/machine.h"
#include "unit.h"

#define GIB(n) ((uint64_t)(n) << 30)

#define DVSEC_AT 0x100

/* Ranges, and the blocks into which they are split: base and mask. */
static const struct {
	uint64_t base, bytes;
	size_t count;
	struct address_block blocks[3]; /* the first blocks */
} ranges[] = {
	{GIB(256), GIB(256), 1, {{GIB(256), ~(GIB(256) - 1)}}},
	{GIB(1024), GIB(256), 1, {{GIB(1024), ~(GIB(256) - 1)}}},
	/* its size is a power of two, but it does not begin at a multiple of its size */
	{GIB(128), GIB(256), 2, {{GIB(128), ~(GIB(128) - 1)}, {GIB(256), ~(GIB(128) - 1)}}},
	{GIB(512), GIB(384), 2, {{GIB(512), ~(GIB(256) - 1)}, {GIB(768), ~(GIB(128) - 1)}}},
	{GIB(192),
	 GIB(224),
	 3,
	 {{GIB(192), ~(GIB(64) - 1)}, {GIB(256), ~(GIB(128) - 1)}, {GIB(384), ~(GIB(32) - 1)}}},
	/* 256 MiB, the granule of CXL, at a time, up to the last block */
	{0x10000000, GIB(256) - 0x10000000, 10, {{0x10000000, ~UINT64_C(0xFFFFFFF)}}},
	{GIB(1), 1, 1, {{GIB(1), UINT64_MAX}}},
	{UINT64_C(1) << 63, UINT64_C(1) << 63, 1, {{UINT64_C(1) << 63, UINT64_C(1) << 63}}},
	{UINT64_C(1) << 63, (UINT64_C(1) << 63) + 1, 0, {{0, 0}}},
	{UINT64_MAX, 1, 1, {{UINT64_MAX, UINT64_MAX}}},
	{0, GIB(1), 0, {{0, 0}}},
	{GIB(1), 0, 0, {{0, 0}}},
};

TEST_LOOP(test_a_range_is_as_many_aligned_powers_of_two_as_it_needs, COUNT(ranges))
{
	struct address_block blocks[64];
	uint64_t next = ranges[_i].base;

	ck_assert_uint_eq(address_blocks(ranges[_i].base, ranges[_i].bytes, blocks, COUNT(blocks)),
			  ranges[_i].count);
	for (size_t i = 0; i < ranges[_i].count; i++) {
		const uint64_t size = ~blocks[i].mask + 1;

		ck_assert_uint_eq(blocks[i].base, next);
		ck_assert_uint_eq(blocks[i].base & ~blocks[i].mask, 0);
		next += size;
		if (i >= COUNT(ranges[_i].blocks) || !ranges[_i].blocks[i].base)
			continue;
		ck_assert_uint_eq(blocks[i].base, ranges[_i].blocks[i].base);
		ck_assert_uint_eq(blocks[i].mask, ranges[_i].blocks[i].mask);
	}
	if (ranges[_i].count)
		ck_assert_uint_eq(next, ranges[_i].base + ranges[_i].bytes);
}

TEST(test_blocks_without_room_are_counted_and_not_written)
{
	struct address_block blocks[3] = {{0}, {0}, {.base = 1}};

	ck_assert_uint_eq(address_blocks(GIB(192), GIB(224), blocks, 2), 3);
	ck_assert_uint_eq(blocks[1].base, GIB(256));
	ck_assert_uint_eq(blocks[2].base, 1);
}

static struct fake_machine fake;
static struct spy spy;
static struct machine machine;

/* Makes root complexes 0 to 3 and a fabric on each of two sockets, and no device. */
static void set_up(void)
{
	static const struct model vera = {.name = "Vera", .kernel_counts = true};

	fake_init(&fake);
	spy_init(&spy, &fake.base);
	machine = (struct machine){.platform = &spy.base, .model = &vera};
	ck_assert(!spy.base.ops->cpus->topology(&spy.base, &machine.topology, NULL));
	machine.discovery.units = calloc(10, sizeof(struct unit));
	for (int socket = 0; socket < 2; socket++) {
		machine.discovery.units[machine.discovery.unit_count++] =
			(struct unit){.type = PMU_UCF, .socket = socket};
		for (uint16_t rc = 0; rc < 4; rc++)
			machine.discovery.units[machine.discovery.unit_count++] =
				(struct unit){.type = PMU_PCIE_TGT, .id = rc, .socket = socket};
	}
	machine.devices = calloc(FAKE_DEVICES, sizeof(*machine.devices));
	machine.memory.regions = calloc(FAKE_REGIONS, sizeof(*machine.memory.regions));
}

static void tear_down(void)
{
	machine_close(&machine);
	platform_destroy(&spy.base);
}

/*
 * Adds memN on a socket; rc is the root complex in its root port's DVSEC, which has this vendor and
 * id.
 */
static struct fake_function *add_device_behind(int socket, uint16_t vendor, uint16_t id,
					       unsigned rc)
{
	const unsigned number = (unsigned)machine.device_count++;
	struct fake_function *f = fake_function(&fake, (uint8_t)(0x10 + number), 0x10DE, 0x22B8);
	struct cxl_device *device = &machine.devices[number];

	fake_dvsec(f, DVSEC_AT, 0, id, 0x00000500 | rc << 24);
	f->config[(DVSEC_AT + DVSEC_HEADER) / 4] = vendor;
	*device = (struct cxl_device){.path = {f->info.at, {.bus = (uint8_t)(0x80 + number)}},
				      .depth = 2,
				      .near_node = socket};
	snprintf(device->name, sizeof(device->name), "mem%u", (uint8_t)number);
	return f;
}

static struct fake_function *add_device(int socket, unsigned rc)
{
	return add_device_behind(socket, ROOT_COMPLEX_DVSEC_VENDOR, ROOT_COMPLEX_DVSEC_ID, rc);
}

/* Adds a region of devices "03": mem0 and mem3. */
static void add_region(uint64_t base, uint64_t bytes, const char *devices)
{
	struct cxl_region *region = &machine.memory.regions[machine.memory.region_count++];

	*region = (struct cxl_region){.base = base, .bytes = bytes};
	for (; *devices; devices++)
		snprintf(region->devices[region->device_count++], REGION_NAME_SIZE, "mem%c",
			 *devices);
}

static void find(void)
{
	struct error err;

	ck_assert_msg(!region_ports_find(&machine, &err), "%s", err.text);
}

/* Compares ports, as "s0 p0 mem0 rc 2: 0x4000000000/0xffffffc000000000; " for each. */
static void assert_ports(const char *expected)
{
	char text[1024] = "";
	size_t used = 0;

	for (size_t i = 0; i < machine.port_count; i++) {
		const struct port *port = &machine.ports[i];

		used += (size_t)snprintf(text + used, sizeof(text) - used, "s%d p%u %s",
					 port->socket, port->number,
					 port->device ? port->device->name : "-");
		for (size_t b = 0; b < port->tgt_count; b++)
			used += (size_t)snprintf(text + used, sizeof(text) - used, " %u:%jx/%jx",
						 port->tgt[b].id,
						 (uintmax_t)port->tgt[b].perf.block.base >> 30,
						 (uintmax_t)~port->tgt[b].perf.block.mask >> 30);
		used += (size_t)snprintf(text + used, sizeof(text) - used, "; ");
	}
	ck_assert_str_eq(text, expected);
}

FIXTURE(set_up, tear_down)

TEST(test_a_root_complex_with_a_region_is_a_port)
{
	add_device(1, 3);
	add_device(0, 2);
	add_device(0, 1);
	add_region(GIB(1024), GIB(256), "0");
	add_region(GIB(256), GIB(256), "1");
	add_region(GIB(512), GIB(128), "2");
	find();
	assert_ports("s0 p0 mem2 1:200/7f; s0 p1 mem1 2:100/ff; s1 p0 mem0 3:400/ff; ");
	ck_assert_str_eq(machine.ports[0].pci, "0000:82:00.0");
	/* root complexes without a region have no unit; the fabrics are left */
	ck_assert_uint_eq(machine.discovery.unit_count, 5);
}

TEST(test_other_processors_keep_their_units_and_ports)
{
	static const struct model other = {.name = "other"};

	machine.model = &other;
	add_device(0, 2);
	add_region(GIB(256), GIB(256), "0");
	find();
	ck_assert_uint_eq(machine.discovery.unit_count, 10);
	ck_assert_uint_eq(machine.port_count, 0);
}

TEST(test_a_range_that_is_no_power_of_two_takes_several_units)
{
	add_device(0, 2);
	add_region(GIB(192), GIB(224), "0");
	find();
	assert_ports("s0 p0 mem0 2:c0/3f 66:100/7f 130:180/1f; ");
}

TEST(test_a_device_of_two_regions_is_counted_in_both)
{
	add_device(0, 0);
	add_region(GIB(256), GIB(64), "0");
	add_region(GIB(512), GIB(64), "0");
	find();
	assert_ports("s0 p0 mem0 0:100/3f 64:200/3f; ");
}

TEST(test_a_shared_region_is_counted_on_each_of_its_root_complexes)
{
	add_device(0, 0);
	add_device(0, 1);
	add_region(GIB(512), GIB(512), "01");
	find();
	assert_ports("s0 p0 mem0 0:200/1ff; s0 p1 mem1 1:200/1ff; ");
}

TEST(test_devices_behind_one_root_complex_are_one_port_of_no_device)
{
	add_device(0, 0);
	add_device(0, 0);
	add_region(GIB(256), GIB(64), "0");
	add_region(GIB(512), GIB(64), "1");
	find();
	assert_ports("s0 p0 - 0:100/3f 64:200/3f; ");
}

TEST(test_more_ranges_than_filters_leave_the_port_uncounted)
{
	add_device(0, 0);
	for (unsigned i = 0; i <= ROOT_COMPLEX_BLOCKS; i++)
		add_region(GIB(64 * (i + 1)), GIB(32), "0");
	find();
	assert_ports("s0 p0 mem0; ");
	ck_assert_ptr_nonnull(strstr(spy_remark(&spy, LEVEL_DETAIL), "more than 8 ranges"));
}

TEST(test_as_many_ranges_as_filters_are_counted)
{
	add_device(0, 0);
	for (unsigned i = 0; i < ROOT_COMPLEX_BLOCKS; i++)
		add_region(GIB(64 * (i + 1)), GIB(32), "0");
	find();
	ck_assert_uint_eq(machine.ports[0].tgt_count, ROOT_COMPLEX_BLOCKS);
}

TEST(test_a_region_of_unknown_address_leaves_the_port_uncounted)
{
	add_device(0, 0);
	add_region(GIB(64), GIB(32), "0");
	add_region(0, GIB(32), "0");
	find();
	assert_ports("s0 p0 mem0; ");
}

TEST(test_a_device_without_a_region_has_no_port)
{
	add_device(0, 0);
	find();
	assert_ports("");
}

static const struct {
	uint16_t vendor, id;
	int unreadable;
} unknown[] = {
	{0x10DE, 3, 0},
	{0x1E98, 4, 0},
	{0x10DE, 4, -EPERM},
};

TEST_LOOP(test_without_the_dvsec_no_root_complex_is_known, COUNT(unknown))
{
	add_device_behind(0, unknown[_i].vendor, unknown[_i].id, 0)->unreadable =
		unknown[_i].unreadable;
	add_region(GIB(256), GIB(256), "0");
	find();
	assert_ports("");
	ck_assert_ptr_nonnull(strstr(spy_remark(&spy, LEVEL_NOTE), "not counted by device"));
	/* the region of the socket is still seen */
	ck_assert(!machine.discovery.units[0].no_region);
	ck_assert(machine.discovery.units[1].no_region);
}

TEST(test_a_fabric_without_a_region_on_its_socket_is_marked)
{
	add_device(1, 0);
	add_region(GIB(256), GIB(256), "0");
	find();
	ck_assert_int_eq(machine.discovery.units[0].socket, 0);
	ck_assert(machine.discovery.units[0].no_region);
	ck_assert_int_eq(machine.discovery.units[1].socket, 1);
	ck_assert(!machine.discovery.units[1].no_region);
}

TEST(test_a_region_of_unknown_devices_may_be_on_any_socket)
{
	add_region(GIB(256), GIB(256), "");
	find();
	ck_assert(!machine.discovery.units[0].no_region);
	ck_assert(!machine.discovery.units[1].no_region);
}
