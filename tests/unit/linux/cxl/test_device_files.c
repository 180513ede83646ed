/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/cxl/cxl.h"
#include "linux/cxl/cxl_private.h"

#include <stdarg.h>

#include "linux/kernel/kernel_text.h"
#include "platform/cxl.h"
#include "platform/kernel_stats.h"
#include "platform/pci.h"
#include "unit.h"

#define FUNCTION "sys/bus/pci/devices/0000:"
#define COR(n)	 "RxErr 1\nTOTAL_ERR_COR " n "\n"

static struct cxl_device device;
static struct device_stats stats;

/* Makes a root port, and the device below it. */
static void set_up(void)
{
	device = (struct cxl_device){
		.name = "mem0", .path = {{.bus = 0x34, .device = 1}, {.bus = 0x35}}, .depth = 2};
	cxl_device_set_hops(&device);
}

static int look(void)
{
	return linux_device_stats(tree_platform(), &device, 0, &stats);
}

static void link_is(const char *speed, const char *width)
{
	tree_file(FUNCTION "35:00.0/current_link_speed", "%s\n", speed);
	tree_file(FUNCTION "35:00.0/current_link_width", "%s\n", width);
}

static void assert_link(const char *expected)
{
	char text[PCI_LINK_TEXT_SIZE];

	ck_assert_str_eq(pci_link_text(stats.links[0], text), expected);
}

static void assert_stat(enum kernel_stat stat, double expected)
{
	assert_double(stats.kernel.values[stat], expected, 0);
}

TREE_FIXTURE(set_up, NULL)

TEST(test_a_link_is_what_it_is_now)
{
	link_is("32.0 GT/s PCIe", "16");
	ck_assert_int_eq(look(), 0);
	assert_link("32.0 GT/s x16");
	ck_assert_uint_gt(stats.kernel.at_ns, 0);
	link_is("16.0 GT/s PCIe", "8");
	ck_assert_int_eq(look(), 0);
	assert_link("16.0 GT/s x8");
}

TEST(test_a_link_without_a_device_is_that_of_its_port)
{
	link_is("Unknown", "0");
	tree_file(FUNCTION "34:01.0/current_link_speed", "32.0 GT/s PCIe\n");
	tree_file(FUNCTION "34:01.0/current_link_width", "4\n");
	ck_assert_int_eq(look(), 0);
	assert_link("32.0 GT/s x4");
}

TEST(test_a_device_that_vanishes_is_gone_until_it_returns)
{
	ck_assert_int_eq(look(), -ENODEV);
	ck_assert(stats.gone);
	assert_link("");
	link_is("32.0 GT/s PCIe", "16");
	ck_assert_int_eq(look(), 0);
	ck_assert(!stats.gone);
}

/* After privileges were dropped, files may not be opened. */
TEST(test_of_a_device_that_says_nothing_nothing_is_known)
{
	tree_directory(FUNCTION "35:00.0");
	ck_assert_int_eq(look(), -ENODATA);
	ck_assert(!stats.gone);
	assert_stat(AER_CORRECTABLE, NAN);
}

TEST(test_errors_are_those_of_all_functions_on_the_way)
{
	tree_file(FUNCTION "34:01.0/aer_dev_correctable", COR("3"));
	tree_file(FUNCTION "35:00.0/aer_dev_correctable", COR("40"));
	tree_file(FUNCTION "35:00.0/aer_dev_nonfatal", "DLP 1\nTOTAL_ERR_NONFATAL 0\n");
	ck_assert_int_eq(look(), 0);
	assert_stat(AER_CORRECTABLE, 43);
	assert_stat(AER_NONFATAL, 0);
	assert_stat(AER_FATAL, NAN);
}

TEST(test_where_firmware_handles_errors_none_is_unknown)
{
	tree_directory(FUNCTION "35:00.0");
	tree_file(FUNCTION "34:01.0/aer_dev_correctable", COR("0"));
	tree_file(FUNCTION "34:01.0/aer_dev_fatal", "TOTAL_ERR_FATAL 2\n");
	tree_directory("sys/bus/pci_express/devices/0000:34:01.0:pcie001");
	ck_assert_int_eq(look(), 0);
	assert_stat(AER_CORRECTABLE, NAN);
	assert_stat(AER_FATAL, 2);
	tree_directory("sys/bus/pci_express/devices/0000:34:01.0:pcie002");
	ck_assert_int_eq(look(), 0);
	assert_stat(AER_CORRECTABLE, 0);
}

/* The endpoint of VMD, above the root port, has no port services. */
TEST(test_below_vmd_the_root_port_shows_who_handles_errors)
{
	device = (struct cxl_device){
		.name = "mem0",
		.path = {{.bus = 0x20}, {.bus = 0x34, .device = 1}, {.bus = 0x35}},
		.depth = 3};
	cxl_device_set_hops(&device);
	tree_directory(FUNCTION "35:00.0");
	tree_file(FUNCTION "34:01.0/aer_dev_correctable", COR("0"));
	tree_directory("sys/bus/pci_express/devices/0000:34:01.0:pcie002");
	ck_assert_int_eq(look(), 0);
	assert_stat(AER_CORRECTABLE, 0);
}

/* A sum without one function would be too small. */
TEST(test_errors_of_which_a_part_is_unknown_are_unknown)
{
	tree_file(FUNCTION "34:01.0/aer_dev_correctable", "%s", "");
	tree_file(FUNCTION "35:00.0/aer_dev_correctable", COR("40"));
	tree_directory(FUNCTION "35:00.0/aer_dev_fatal");
	ck_assert_int_eq(look(), -ENODATA);
	assert_stat(AER_CORRECTABLE, NAN);
	assert_stat(AER_FATAL, NAN);
}

static const struct {
	const char *text;
	double total;
} counts[] = {
	{COR("7"), 7},
	{"TOTAL_ERR_NONFATAL 0\n", 0},
	{"TOTAL_ERR_FATAL 18446744073709551615\n", 0x1p64},
	{"TOTAL_ERR_FATAL 18446744073709551616\n", NAN},
	{"TOTAL_ERR_COR 7", NAN}, /* cut off, with a part of the number */
	{"TOTAL_ERR_COR\n", NAN},
	{"TOTAL_ERR_COR -1\n", NAN},
	{"TOTAL_ERR_COR 0x1\n", NAN},
	{"TOTAL_ERR_ 7\n", NAN},
	{"XTOTAL_ERR_COR 7\n", NAN},
	{"RxErr 7\n", NAN},
	{"\n\n", NAN},
	{"", NAN},
};

TEST_LOOP(test_the_count_is_that_of_the_line_of_the_total, COUNT_OF(counts))
{
	const char *text = counts[_i].text;
	const double total = device_files_aer_total((struct span){text, text + strlen(text)});

	assert_double(total, counts[_i].total, 0);
}

static void add_kinds(enum kernel_stat severity, const char *text, struct aer_kinds *kinds)
{
	device_files_aer_kinds((struct span){text, text + strlen(text)}, severity, kinds);
}

TEST(test_kinds_of_errors_are_added_up_over_functions)
{
	struct aer_kinds kinds = {.count = 0};

	add_kinds(AER_CORRECTABLE, "RxErr 0\nBadTLP 3\nTimeout 1\nTOTAL_ERR_COR 4\n", &kinds);
	add_kinds(AER_CORRECTABLE, "RxErr 0\nBadTLP 40\nTOTAL_ERR_COR 40\n", &kinds);
	add_kinds(AER_FATAL, "BadTLP 5\n", &kinds);
	ck_assert_uint_eq(kinds.count, 3);
	ck_assert_str_eq(kinds.items[0].name, "BadTLP");
	ck_assert_double_eq(kinds.items[0].count, 43);
	ck_assert_str_eq(aer_severity(kinds.items[0].severity), "correctable");
	ck_assert_str_eq(kinds.items[1].name, "Timeout");
	ck_assert_double_eq(kinds.items[2].count, 5);
	ck_assert_str_eq(aer_severity(kinds.items[2].severity), "fatal");
}

TEST(test_lines_that_are_no_kinds_of_errors_are_left_out)
{
	struct aer_kinds kinds = {.count = 0};
	char line[32];

	add_kinds(AER_FATAL, "\nX\nX -1\nX a\nX 18446744073709551615\nX 1", &kinds);
	ck_assert_uint_eq(kinds.count, 0);
	add_kinds(AER_FATAL, "A\x1b[2J\xff 7\nANameThatIsMuchLongerThanAnyOfTheKernel 1\n", &kinds);
	ck_assert_str_eq(kinds.items[0].name, "A?[2J?");
	ck_assert_str_eq(kinds.items[1].name, "ANameThatIsMuchLongerTh");
	for (unsigned i = 0; i < 100; i++) {
		snprintf(line, sizeof(line), "K%u 1\n", i);
		add_kinds(AER_FATAL, line, &kinds);
	}
	ck_assert_uint_eq(kinds.count, AER_KINDS_MOST);
}

TEST(test_what_is_longer_than_an_attribute_is_cut_off)
{
	static char text[8192];

	memset(text, 'x', sizeof(text) - 1);
	link_is("32.0 GT/s PCIe", "16");
	tree_bytes(FUNCTION "35:00.0/aer_dev_correctable", 0, text, sizeof(text));
	ck_assert_int_eq(look(), 0);
	assert_stat(AER_CORRECTABLE, NAN);
}
