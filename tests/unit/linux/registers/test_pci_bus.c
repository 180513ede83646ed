/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/registers/pci_bus.h"

#include <sys/resource.h>
#include <unistd.h>

#include "allocations.h"
#include "platform/pci.h"
#include "unit.h"

#define DEVICES "sys/bus/pci/devices/"

/* A 32-bit BAR, an I/O BAR, and a 64-bit prefetchable BAR above 4 GB. */
static const struct tree_function with_bars = {
	.name = "0000:1e:00.3",
	.vendor = 0x8086,
	.device = 0x09a7,
	.numa_node = 1,
	.resource = "0x00000000fb000000 0x00000000fb01ffff 0x0000000000040200\n"
		    "0x000000000000c000 0x000000000000c0ff 0x0000000000040101\n"
		    "0x0000206a00000000 0x0000206a000fffff 0x000000000014220c\n"
		    "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
		    "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
		    "0x0000000000000000 0x0000000000000000 0x0000000000000000\n"
		    "0x0000000000000000 0x0000000000000000 0x0000000000000000\n",
	.config_bytes = PCI_CONFIG_BYTES,
};
static const struct pci_location with_bars_at = {0, 0x1e, 0, 3};

/*
 * A function of 64 bytes, as the kernel shows it to all users; in a domain of its own, as with VMD.
 */
static const struct tree_function short_one = {
	.name = "10000:7f:1f.7",
	.vendor = 0x1af4,
	.device = 0x1000,
	.numa_node = -1,
	.config_bytes = 64,
};
static const struct pci_location short_one_at = {0x10000, 0x7f, 0x1f, 7};

static struct pci_bus *bus;

static void open_bus(void)
{
	struct error err = {0};

	ck_assert_msg(!pci_bus_open(tree_root(), &bus, &err), "%s", err.text);
}

static void make_two(void)
{
	tree_pci_function(&with_bars);
	tree_pci_function(&short_one);
	open_bus();
}

static void close_bus(void)
{
	pci_bus_close(bus);
}

static const struct pci_function *function_at(const struct pci_function *list, size_t count,
					      unsigned bus_number)
{
	for (size_t i = 0; i < count; i++)
		if (list[i].at.bus == bus_number)
			return &list[i];
	ck_abort_msg("bus %02x is not in the list", bus_number);
}

TREE_FIXTURE(make_two, close_bus)

TEST(test_every_function_is_listed)
{
	struct pci_function *list;
	size_t count = 0;

	ck_assert_int_eq(pci_bus_list(bus, &list, &count, NULL), 0);
	ck_assert_uint_eq(count, 2);
	const struct pci_function *f = function_at(list, count, 0x1e);
	ck_assert_uint_eq(f->at.domain, 0);
	ck_assert_uint_eq(f->at.device, 0);
	ck_assert_uint_eq(f->at.function, 3);
	ck_assert_uint_eq(f->vendor, 0x8086);
	ck_assert_uint_eq(f->device, 0x09a7);
	ck_assert_int_eq(f->numa_node, 1);
	f = function_at(list, count, 0x7f);
	ck_assert_uint_eq(f->at.domain, 0x10000);
	ck_assert_uint_eq(f->at.device, 0x1f);
	ck_assert_uint_eq(f->at.function, 7);
	ck_assert_uint_eq(f->vendor, 0x1af4);
	ck_assert_uint_eq(f->device, 0x1000);
	ck_assert_int_eq(f->numa_node, -1);
	free(list);
}

TEST(test_sizes_and_addresses_of_bars_are_listed)
{
	static const uint64_t sizes[PCI_BAR_COUNT] = {0x20000, 0x100, 0x100000};
	static const uint64_t addresses[PCI_BAR_COUNT] = {0xfb000000, 0, 0x206a00000000};
	struct pci_function *list;
	size_t count;

	ck_assert_int_eq(pci_bus_list(bus, &list, &count, NULL), 0);
	ck_assert_mem_eq(function_at(list, count, 0x1e)->bar_size, sizes, sizeof(sizes));
	ck_assert_mem_eq(function_at(list, count, 0x1e)->bar_address, addresses, sizeof(addresses));
	free(list);
}

static const unsigned offsets[] = {0, 0x100, 0xFFC};

TEST_LOOP(test_a_dword_is_read_in_the_machines_order, COUNT_OF(offsets))
{
	const uint32_t stored = 0x80ABCDEF;
	uint32_t value;

	tree_bytes(DEVICES "0000:1e:00.3/config", offsets[_i], &stored, sizeof(stored));
	ck_assert_int_eq(pci_bus_read(bus, with_bars_at, offsets[_i], &value), 0);
	ck_assert_uint_eq(value, stored);
}

TEST(test_a_written_dword_stays_written)
{
	uint32_t value;

	ck_assert_int_eq(pci_bus_write(bus, with_bars_at, 0x438, 0xCAFE0001), 0);
	ck_assert_int_eq(pci_bus_read(bus, with_bars_at, 0x438, &value), 0);
	ck_assert_uint_eq(value, 0xCAFE0001);
	ck_assert_uint_eq(tree_word(DEVICES "0000:1e:00.3/config", 0x438), 0xCAFE0001);
	pci_bus_close(bus);
	open_bus();
	ck_assert_int_eq(pci_bus_read(bus, with_bars_at, 0x438, &value), 0);
	ck_assert_uint_eq(value, 0xCAFE0001);
}

/* Nothing can be opened any more: the kernel checks the opening of a file, not its use. */
TEST(test_what_was_written_can_be_put_back_when_nothing_can_be_opened)
{
	struct rlimit before, none;
	uint32_t value;

	ck_assert_int_eq(pci_bus_write(bus, with_bars_at, 0x438, 1), 0);
	ck_assert_int_eq(pci_bus_write(bus, short_one_at, 0x3C, 2), 0);
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	none = (struct rlimit){.rlim_cur = 0, .rlim_max = before.rlim_max};
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &none), 0);
	ck_assert_int_eq(pci_bus_write(bus, with_bars_at, 0x438, 3), 0);
	ck_assert_int_eq(pci_bus_write(bus, short_one_at, 0x3C, 4), 0);
	ck_assert_int_eq(pci_bus_read(bus, with_bars_at, 0x438, &value), 0);
	ck_assert_uint_eq(value, 3);
	ck_assert_int_eq(pci_bus_read(bus, short_one_at, 0x3C, &value), 0);
	ck_assert_uint_eq(value, 4);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &before), 0);
}

TEST(test_beyond_the_64_bytes_that_everyone_sees_is_a_matter_of_permission)
{
	uint32_t value;

	ck_assert_int_eq(pci_bus_read(bus, short_one_at, 0x3C, &value), 0);
	ck_assert_int_eq(pci_bus_read(bus, short_one_at, 0x40, &value), -EPERM);
	ck_assert_int_eq(pci_bus_read(bus, short_one_at, 0x100, &value), -EPERM);
}

/* Everyone may read 64 bytes, and only root write. A running program cannot be opened for writing.
 */
TEST(test_what_is_only_read_is_not_opened_for_writing)
{
	uint32_t value;

	ck_assert_int_eq(unlink(tree_path(DEVICES "0000:1e:00.3/config")), 0);
	tree_link(DEVICES "0000:1e:00.3/config", "/proc/self/exe");
	ck_assert_int_eq(pci_bus_read(bus, with_bars_at, 0, &value), 0);
	ck_assert_uint_eq(value, 0x464C457F); /* "\177ELF" */
}

/* A conventional PCI function has 256 bytes; a user who can read byte 64 lacks no capability. */
TEST(test_beyond_the_256_bytes_of_a_conventional_function_is_no_matter_of_permission)
{
	const struct pci_location at = {0, 0, 0, 0};
	uint32_t value;

	close_bus();
	tree_pci_function(&(struct tree_function){.name = "0000:00:00.0", .config_bytes = 256});
	open_bus();
	ck_assert_int_eq(pci_bus_read(bus, at, 0xFC, &value), 0);
	ck_assert_int_ne(pci_bus_read(bus, at, 0x100, &value), -EPERM);
}

TEST(test_a_config_file_that_is_gone_is_an_error_of_the_kernel)
{
	uint32_t value;

	ck_assert_int_eq(unlink(tree_path(DEVICES "10000:7f:1f.7/config")), 0);
	ck_assert_int_eq(pci_bus_read(bus, short_one_at, 0, &value), -EIO);
	ck_assert_int_eq(pci_bus_write(bus, short_one_at, 0, 1), -ENOENT);
}

TEST(test_a_write_without_memory_is_no_matter_of_permission)
{
	allocations_fail(1);
	ck_assert_int_eq(pci_bus_write(bus, with_bars_at, 0x438, 1), -ENOMEM);
	allocations_fail(0);
	ck_assert_int_eq(pci_bus_write(bus, with_bars_at, 0x438, 1), 0);
}

TEST(test_a_dword_of_which_a_part_was_written_is_an_error_of_input_and_output)
{
	struct rlimit before, half;

	ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
	half = (struct rlimit){.rlim_cur = 0x43A, .rlim_max = before.rlim_max};
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &half), 0);
	const int rc = pci_bus_write(bus, with_bars_at, 0x438, 1);
	ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
	ck_assert_int_eq(rc, -EIO);
}

static const struct pci_location strangers[] = {
	{1, 0x1e, 0, 3}, {0, 0x1f, 0, 3}, {0, 0x1e, 1, 3}, {0, 0x1e, 0, 2}, {0, 0x7f, 0x1f, 7},
};

TEST_LOOP(test_an_unknown_function_is_no_device, COUNT_OF(strangers))
{
	uint32_t value;

	ck_assert_int_eq(pci_bus_read(bus, strangers[_i], 0, &value), -ENODEV);
	ck_assert_int_eq(pci_bus_write(bus, strangers[_i], 0, 1), -ENODEV);
}

static const struct {
	uint64_t phys, length;
	int bar; /* -1: no BAR covers it */
	uint64_t offset;
} places[] = {
	{UINT64_C(0xfb000000), 0x20000, 0, 0},	       /* all of it */
	{UINT64_C(0xfb000800), 8, 0, 0x800},	       /* inside */
	{UINT64_C(0xfb01fff8), 8, 0, 0x1fff8},	       /* to its last byte */
	{UINT64_C(0xfb01fff8), 9, -1, 0},	       /* one byte too many */
	{UINT64_C(0xfb000000), 0x20001, -1, 0},	       /* longer than it */
	{UINT64_C(0xfafffff8), 16, -1, 0},	       /* starts before it */
	{UINT64_C(0xfb020000), 8, -1, 0},	       /* just after it */
	{UINT64_C(0x206a00001000), 0x1000, 2, 0x1000}, /* above 4 GB */
	{UINT64_C(0x00001000), 8, -1, 0},	       /* only the low half */
	{UINT64_C(0xc000), 8, -1, 0},		       /* an I/O BAR is not memory */
	{0, 8, -1, 0},				       /* empty BARs cover nothing */
	{UINT64_C(0xfb000000), UINT64_MAX, -1, 0},     /* the sum overflows */
	{UINT64_C(0xfffffffffffffff8), 16, -1, 0},     /* this sum also overflows */
};

TEST_LOOP(test_the_bar_that_covers_memory_is_found, COUNT_OF(places))
{
	struct pci_bar_location place;
	int rc = pci_bus_find_bar(bus, places[_i].phys, places[_i].length, &place);

	if (places[_i].bar < 0) {
		ck_assert_int_eq(rc, -ENOENT);
		return;
	}
	ck_assert_int_eq(rc, 0);
	ck_assert_uint_eq(place.at.bus, 0x1e);
	ck_assert_uint_eq(place.at.function, 3);
	ck_assert_uint_eq(place.bar, (unsigned)places[_i].bar);
	ck_assert_uint_eq(place.offset, places[_i].offset);
}

TREE_FIXTURE(NULL, NULL)

TEST(test_no_pci_bus_is_no_unit_to_monitor_and_may_be_closed)
{
	struct error err = {0};

	ck_assert_int_eq(pci_bus_open(tree_root(), &bus, &err), -ENOENT);
	ck_assert_int_eq(err.code, -ENOENT);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
	assert_contains(err.text, "no PCI bus");
	ck_assert_int_eq(pci_bus_open(tree_root(), &bus, NULL), -ENOENT);
	pci_bus_close(NULL);
}

TEST(test_an_empty_bus_has_no_functions)
{
	struct pci_function *list;
	size_t count = 1;

	tree_directory("sys/bus/pci/devices");
	open_bus();
	ck_assert_int_eq(pci_bus_list(bus, &list, &count, NULL), 0);
	ck_assert_uint_eq(count, 0);
	free(list);
	close_bus();
}

TEST(test_an_unknown_numa_node_is_minus_one)
{
	struct pci_function *list;
	size_t count;

	tree_pci_function(&with_bars);
	ck_assert_int_eq(unlink(tree_path(DEVICES "0000:1e:00.3/numa_node")), 0);
	open_bus();
	ck_assert_int_eq(pci_bus_list(bus, &list, &count, NULL), 0);
	ck_assert_int_eq(list[0].numa_node, -1);
	free(list);
	close_bus();
}

static const char *const needed[] = {"vendor", "device", "resource"};

/* An unplugged device leaves such a directory for a moment. */
TEST_LOOP(test_a_broken_device_directory_leaves_the_other_functions, COUNT_OF(needed))
{
	struct pci_function *functions;
	size_t count, found = 0;

	tree_pci_function(&with_bars);
	ck_assert_int_eq(unlink(tree_path(tree_name(DEVICES "0000:1e:00.3/%s", needed[_i]))), 0);
	tree_pci_function(&(struct tree_function){.name = "0000:00:00.0", .vendor = 0x8086});
	open_bus();
	ck_assert_int_eq(pci_bus_list(bus, &functions, &count, NULL), 0);
	for (size_t i = 0; i < count; i++)
		found += functions[i].at.bus == 0 && functions[i].vendor != 0;
	ck_assert_uint_eq(found, 1);
	free(functions);
	close_bus();
}
