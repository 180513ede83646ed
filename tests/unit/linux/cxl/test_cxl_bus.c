/* SPDX-License-Identifier: BSD-3-Clause */

#include <stdarg.h>

#include "allocations.h"
#include "linux/cxl/cxl.h"
#include "platform/cxl.h"
#include "platform/pci.h"
#include "unit.h"

#define CXL_DEVICES "sys/bus/cxl/devices"
#define ACPI	    "sys/devices/platform/ACPI0017:00/root0"

static struct cxl_device *devices;
static size_t count;

static void forget(void)
{
	free(devices);
	devices = NULL;
}

static void read_devices(size_t expected)
{
	struct error err = {0};

	ck_assert_msg(!linux_cxl_devices(tree_platform(), &devices, &count, &err), "%s", err.text);
	ck_assert_uint_eq(count, expected);
}

__attribute__((format(printf, 2, 3))) static void file(const char *text, const char *format, ...)
{
	char path[300];
	va_list args;

	va_start(args, format);
	vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	tree_file(path, "%s\n", text);
}

/* Makes a device of the CXL bus: its directory below sys/devices, and the link to it. */
static void entry(const char *name, const char *parent)
{
	tree_directory(tree_name("sys/devices/%s/%s", parent, name));
	tree_link(tree_name(CXL_DEVICES "/%s", name),
		  tree_name("../../../devices/%s/%s", parent, name));
}

/* Makes memN behind a root port, on CPU node 1, with 256 MiB of each kind of memory. */
static void memdev(unsigned number, const char *functions)
{
	const char *name = tree_name("mem%u", number);
	const char *parent = tree_name("pci0000:34/%s", functions);

	entry(name, parent);
	file("1", "sys/devices/%s/%s/numa_node", parent, name);
	file("0x10000000", "sys/devices/%s/%s/ram/size", parent, name);
	file("0x10000000", "sys/devices/%s/%s/pmem/size", parent, name);
	file("0x1234567", "sys/devices/%s/%s/serial", parent, name);
}

/* Makes the endpoint of memN and its decoder. */
static void endpoint(unsigned number, unsigned memdev_number)
{
	entry(tree_name("endpoint%u", number), "platform/ACPI0017:00/root0/port1");
	tree_link(tree_name(ACPI "/port1/endpoint%u/uport", number),
		  tree_name("../../../../../../bus/cxl/devices/mem%u", memdev_number));
	entry(tree_name("decoder%u.0", number),
	      tree_name("platform/ACPI0017:00/root0/port1/endpoint%u", number));
}

/* Makes regionN with these targets; NULL: the target is not set. */
static void region(unsigned number, const char *resource, const char *first, const char *second)
{
	entry(tree_name("region%u", number), "platform/ACPI0017:00/root0/decoder0.0");
	file(second ? "2" : "1", ACPI "/decoder0.0/region%u/interleave_ways", number);
	file(resource, ACPI "/decoder0.0/region%u/resource", number);
	file(first, ACPI "/decoder0.0/region%u/target0", number);
	if (second)
		file(second, ACPI "/decoder0.0/region%u/target1", number);
}

static void dax(unsigned number, const char *target_node)
{
	const char *below =
		tree_name("decoder0.0/region%u/dax_region%u/dax%u.0", number, number, number);

	file(target_node, ACPI "/%s/target_node", below);
	tree_link(tree_name("sys/bus/dax/devices/dax%u.0", number),
		  tree_name("../../../devices/platform/ACPI0017:00/root0/%s", below));
}

static void two_devices(void)
{
	memdev(0, "0000:34:01.0/0000:35:00.0");
	memdev(1, "0000:34:02.0/0000:36:00.0");
	endpoint(4, 0);
	endpoint(5, 1);
}

static void assert_location(struct pci_location at, const char *expected)
{
	char text[PCI_TEXT_SIZE];

	ck_assert_str_eq(pci_location_text(at, text), expected);
}

TREE_FIXTURE(NULL, forget)

TEST(test_a_kernel_without_cxl_has_no_devices)
{
	read_devices(0);
	tree_directory("sys/bus");
	forget();
	read_devices(0);
}

TEST(test_a_listing_that_lacks_memory_is_an_error)
{
	struct error err;
	size_t nth = 1;
	int rc;

	memdev(3, "0000:34:01.0/0000:35:00.0");
	region(0, "0x100000000", "decoder4.0", NULL);
	do {
		allocations_fail(nth++);
		rc = linux_cxl_devices(tree_platform(), &devices, &count, &err);
		allocations_fail(0);
		ck_assert(rc == 0 || rc == -ENOMEM);
		ck_assert_uint_eq(count, rc ? 0 : 1);
		forget();
	} while (rc);
	ck_assert_uint_gt(nth, 3);
}

TEST(test_a_device_has_its_name_size_and_the_way_to_it)
{
	memdev(3, "0000:34:01.0/0000:35:00.0");
	read_devices(1);
	ck_assert_str_eq(devices[0].name, "mem3");
	ck_assert_uint_eq(devices[0].serial, 0x1234567);
	ck_assert_uint_eq(devices[0].bytes, 512 << 20);
	ck_assert_uint_eq(devices[0].depth, 2);
	assert_location(devices[0].path[0], "0000:34:01.0");
	assert_location(devices[0].path[1], "0000:35:00.0");
	ck_assert_int_eq(devices[0].near_node, 1);
	ck_assert_int_eq(devices[0].node, -1);
}

/* Makes one end of a link: its present state, and its capability. */
static void end_of_link(const char *at, const char *speed, const char *width, const char *max_speed,
			const char *max_width)
{
	file(speed, "sys/bus/pci/devices/%s/current_link_speed", at);
	file(width, "sys/bus/pci/devices/%s/current_link_width", at);
	file(max_speed, "sys/bus/pci/devices/%s/max_link_speed", at);
	file(max_width, "sys/bus/pci/devices/%s/max_link_width", at);
}

static void assert_hop(size_t h, const char *above, const char *below, const char *now,
		       const char *possible)
{
	const struct pci_hop *hop = &devices[0].hops[h];
	char text[PCI_LINK_TEXT_SIZE];

	assert_location(hop->above, above);
	assert_location(hop->below, below);
	ck_assert_str_eq(pci_link_text(hop->now, text), now);
	ck_assert_str_eq(pci_link_text(hop->possible, text), possible);
}

/* The slot has 8 lanes: the device, which supports 16, is not at fault. */
TEST(test_a_link_can_do_what_both_its_ends_can)
{
	memdev(3, "0000:34:01.0/0000:35:00.0");
	end_of_link("0000:34:01.0", "32.0 GT/s PCIe", "8", "32.0 GT/s PCIe", "8");
	end_of_link("0000:35:00.0", "32.0 GT/s PCIe", "8", "64.0 GT/s PCIe", "16");
	read_devices(1);
	ck_assert_uint_eq(devices[0].hop_count, 1);
	assert_hop(0, "0000:34:01.0", "0000:35:00.0", "32.0 GT/s x8", "32.0 GT/s x8");
	ck_assert(!pci_hop_is_degraded(&devices[0].hops[0]));
}

/*
 * Between the two ports of a switch there is not a link; above the root port there may be a bridge.
 */
TEST_LOOP(test_each_link_behind_a_switch_is_known, 2)
{
	memdev(0, _i ? "0000:00:0e.0/10000:34:01.0/10000:35:00.0/10000:36:00.0/10000:37:00.0"
		     : "10000:34:01.0/10000:35:00.0/10000:36:00.0/10000:37:00.0");
	end_of_link("10000:34:01.0", "32.0 GT/s PCIe", "16", "32.0 GT/s PCIe", "16");
	end_of_link("10000:35:00.0", "32.0 GT/s PCIe", "16", "32.0 GT/s PCIe", "16");
	end_of_link("10000:36:00.0", "16.0 GT/s PCIe", "8", "32.0 GT/s PCIe", "16");
	end_of_link("10000:37:00.0", "16.0 GT/s PCIe", "8", "32.0 GT/s PCIe", "8");
	read_devices(1);
	ck_assert_uint_eq(devices[0].hop_count, 2);
	assert_hop(0, "10000:34:01.0", "10000:35:00.0", "32.0 GT/s x16", "32.0 GT/s x16");
	assert_hop(1, "10000:36:00.0", "10000:37:00.0", "16.0 GT/s x8", "32.0 GT/s x8");
	ck_assert_ptr_eq(cxl_device_narrowest(&devices[0]), &devices[0].hops[1]);
}

static const char *const unknown[][2] = {
	{"Unknown", "0"},	  {"", ""},	 {"32.0 GT/s PCIe", "63"},	{"inf", "8"},
	{"1e99 GT/s PCIe", "-1"}, {"nan", "0x"}, {"8", "99999999999999999999"},
};

TEST_LOOP(test_a_link_that_does_not_say_is_not_known, (int)COUNT_OF(unknown))
{
	memdev(0, "0000:34:01.0/0000:35:00.0");
	end_of_link("0000:35:00.0", unknown[_i][0], unknown[_i][1], "32.0 GT/s PCIe", "16");
	read_devices(1);
	assert_hop(0, "0000:34:01.0", "0000:35:00.0", "", "");
	ck_assert(!pci_hop_is_degraded(&devices[0].hops[0]));
	ck_assert_ptr_null(cxl_device_narrowest(&devices[0]));
}

/* Speed 5 is 32 GT/s. The capability of its hidden port is unknown. */
TEST(test_the_link_of_a_cxl_1_device_is_in_its_status_register)
{
	memdev(0, "0000:35:00.0");
	file("0085", "sys/bus/pci/devices/0000:35:00.0/rcd_link_status");
	read_devices(1);
	ck_assert_uint_eq(devices[0].hop_count, 1);
	assert_hop(0, "0000:35:00.0", "0000:35:00.0", "32.0 GT/s x8", "");
}

TEST(test_a_cxl_1_device_is_its_own_way)
{
	memdev(0, "10000:35:1f.7");
	read_devices(1);
	ck_assert_uint_eq(devices[0].depth, 1);
	assert_location(devices[0].path[0], "10000:35:1f.7");
}

TEST(test_of_a_way_that_is_too_long_the_ends_are_kept)
{
	memdev(0, "0000:34:01.0/0000:35:00.0/0000:36:00.0/0000:37:00.0/0000:38:00.0/0000:39:00.0/"
		  "0000:3a:00.0/0000:3b:00.0/0000:3c:00.0");
	read_devices(1);
	ck_assert_uint_eq(devices[0].depth, CXL_PATH_MAX);
	assert_location(devices[0].path[0], "0000:34:01.0");
	assert_location(devices[0].path[CXL_PATH_MAX - 1], "0000:3c:00.0");
}

TEST(test_devices_are_listed_by_number_and_those_off_pci_are_not)
{
	memdev(10, "0000:34:01.0/0000:35:00.0");
	memdev(9, "0000:34:02.0/0000:36:00.0");
	entry("mem1", "platform/cxl_mem.0");
	entry("port1", "platform/ACPI0017:00/root0");
	read_devices(2);
	ck_assert_str_eq(devices[0].name, "mem9");
	ck_assert_str_eq(devices[1].name, "mem10");
}

TEST(test_what_the_kernel_does_not_say_is_not_known)
{
	entry("mem0", "pci0000:34/0000:35:00.0");
	read_devices(1);
	ck_assert_int_eq(devices[0].near_node, -1);
	ck_assert_int_eq(devices[0].node, -1);
	ck_assert_uint_eq(devices[0].bytes, 0);
}

TEST(test_the_node_is_that_of_the_dax_device_of_the_region)
{
	two_devices();
	region(0, "0x1000000000", "decoder4.0", NULL);
	region(1, "0x2000000000", "decoder5.0", NULL);
	dax(0, "2");
	dax(1, "3");
	read_devices(2);
	ck_assert_int_eq(devices[0].node, 2);
	ck_assert_int_eq(devices[1].node, 3);
}

/* The driver dax_hmem makes a device of Soft Reserved memory of firmware. */
TEST(test_the_node_is_that_of_a_dax_device_in_the_region_s_memory)
{
	two_devices();
	region(0, "0x1000000000", "decoder4.0", NULL);
	region(1, "0x2000000000", "decoder5.0", NULL);
	file("0x40000000", ACPI "/decoder0.0/region0/size");
	file("0x40000000", ACPI "/decoder0.0/region1/size");
	file("3", "sys/devices/platform/hmem.0/dax0.0/target_node");
	file("0x2000000000", "sys/devices/platform/hmem.0/dax0.0/resource");
	tree_link("sys/bus/dax/devices/dax0.0", "../../../devices/platform/hmem.0/dax0.0");
	file("4", "sys/devices/platform/hmem.1/dax1.0/target_node");
	file("0x1040000000", "sys/devices/platform/hmem.1/dax1.0/resource");
	tree_link("sys/bus/dax/devices/dax1.0", "../../../devices/platform/hmem.1/dax1.0");
	read_devices(2);
	ck_assert_int_eq(devices[0].node, -1);
	ck_assert_int_eq(devices[1].node, 3);
}

TEST(test_devices_that_are_interleaved_have_the_same_node)
{
	two_devices();
	region(12, "0x1000000000", "decoder5.0", "decoder4.0");
	dax(12, "7");
	read_devices(2);
	ck_assert_int_eq(devices[0].node, 7);
	ck_assert_int_eq(devices[1].node, 7);
}

TEST(test_of_several_regions_the_first_that_has_a_node_counts)
{
	memdev(0, "0000:34:01.0/0000:35:00.0");
	endpoint(4, 0);
	region(2, "0", "decoder4.0", NULL);
	region(9, "0", "decoder4.0", NULL);
	region(10, "0", "decoder4.0", NULL);
	dax(9, "5");
	dax(10, "6");
	read_devices(1);
	ck_assert_int_eq(devices[0].node, 5);
}

/* Returns the node of a device in a region, with blocks of memory of 2 GiB. */
static int node_of_region(const char *resource, const char *target, const char *second_target)
{
	memdev(0, "0000:34:01.0/0000:35:00.0");
	endpoint(4, 0);
	region(0, resource, target, second_target);
	file("0x80000000", ACPI "/decoder0.0/region0/size");
	tree_file("sys/devices/system/memory/block_size_bytes", "80000000\n");
	read_devices(1);
	return devices[0].node;
}

TEST(test_ordinary_memory_has_the_node_of_its_block)
{
	tree_directory("sys/devices/system/memory/memory33/node4");
	tree_directory("sys/devices/system/memory/memory32/node0");
	ck_assert_int_eq(node_of_region("0x1080000000", "decoder4.0", NULL), 4);
}

/* Blocks of 2 GiB: the region shares its first one with DRAM, its last with another region. */
TEST(test_a_region_s_node_is_that_of_a_block_that_lies_wholly_in_it)
{
	two_devices();
	region(0, "0x10c0000000", "decoder4.0", NULL);
	file("0x140000000", ACPI "/decoder0.0/region0/size");
	region(1, "0x1200000000", "decoder5.0", NULL);
	file("0x140000000", ACPI "/decoder0.0/region1/size");
	tree_file("sys/devices/system/memory/block_size_bytes", "80000000\n");
	tree_directory("sys/devices/system/memory/memory33/node0");
	tree_directory("sys/devices/system/memory/memory33/node2");
	tree_directory("sys/devices/system/memory/memory34/node2");
	tree_directory("sys/devices/system/memory/memory35/node2");
	tree_directory("sys/devices/system/memory/memory37/node3"); /* 36 is missing */
	tree_directory("sys/devices/system/memory/memory38/node4"); /* partly in the region */
	read_devices(2);
	ck_assert_int_eq(devices[0].node, 2);
	ck_assert_int_eq(devices[1].node, 3);
}

TEST(test_a_region_without_a_whole_block_has_no_node)
{
	tree_directory("sys/devices/system/memory/memory33/node0");
	tree_directory("sys/devices/system/memory/memory34/node2");
	ck_assert_int_eq(node_of_region("0x10c0000000", "decoder4.0", NULL), -1);
}

TEST(test_a_region_that_is_not_set_up_gives_no_node)
{
	tree_directory("sys/devices/system/memory/memory0/node0");
	dax(0, "-1");
	ck_assert_int_eq(node_of_region("0x0", "", "decoder9.0"), -1);
}

/* Linux shows the expander of CXL 1.1 of an Emerald Rapids below the root, without a port. */
TEST(test_the_memory_of_a_cxl_1_device_is_found_without_a_port)
{
	entry("mem0", "pci0000:27/0000:27:00.0");
	file("0", "sys/devices/pci0000:27/0000:27:00.0/mem0/numa_node");
	file("0x2000000000", "sys/devices/pci0000:27/0000:27:00.0/mem0/ram/size");
	entry("root0", "platform/ACPI0017:00");
	entry("decoder0.0", "platform/ACPI0017:00/root0");
	entry("endpoint1", "platform/ACPI0017:00/root0");
	entry("decoder1.0", "platform/ACPI0017:00/root0/endpoint1");
	tree_link(ACPI "/endpoint1/uport", "../../../../../bus/cxl/devices/mem0");
	region(0, "0x1000000000", "decoder1.0", NULL);
	dax(0, "2");
	read_devices(1);
	ck_assert_uint_eq(devices[0].depth, 1);
	assert_location(devices[0].path[0], "0000:27:00.0");
	ck_assert_int_eq(devices[0].near_node, 0);
	ck_assert_int_eq(devices[0].node, 2);
	ck_assert_uint_eq(devices[0].bytes, UINT64_C(128) << 30);
}
