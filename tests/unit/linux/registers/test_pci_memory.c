/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/registers/pci_bus.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "platform/reg.h"
#include "unit.h"

#define RESOURCE "sys/bus/pci/devices/0000:1e:00.0/resource0"
#define BAR_PHYS UINT64_C(0xfb000000)
#define BAR_SIZE 0x4000

/* Physical memory below the root: regular files, long enough for the addresses used here. */
#define MEM_SIZE 0x10000

static struct pci_bus *bus;
static struct mmio_window window;
static struct error err;

static void make_file(const char *path, off_t size)
{
	tree_bytes(path, size - 1, "", 1);
}

/* A BAR that shares its first page with something else, as the kernel shows it. */
#define SHARED_RESOURCE "sys/bus/pci/devices/0000:1e:01.0/resource0"
#define SHARED_PHYS	0x4800

static void open_bus(void)
{
	tree_pci_function(&(struct tree_function){
		.name = "0000:1e:01.0",
		.vendor = 0x8086,
		.resource = "0x0000000000004800 0x00000000000067ff 0x0000000000040200\n",
		.config_bytes = 64,
	});
	tree_pci_function(&(struct tree_function){
		.name = "0000:1e:00.0",
		.vendor = 0x8086,
		.resource = "0x00000000fb000000 0x00000000fb003fff 0x0000000000040200\n",
		.config_bytes = 64,
	});
	ck_assert_int_eq(pci_bus_open(tree_root(), &bus, NULL), 0);
	err = (struct error){0};
}

static void close_bus(void)
{
	memory_unmap(&window);
	pci_bus_close(bus);
}

static int map(uint64_t phys, size_t length, bool writable)
{
	return memory_map(tree_root(), bus, phys, length, writable, &window, &err);
}

TREE_FIXTURE(open_bus, close_bus)

TEST(test_memory_in_a_bar_is_mapped_through_its_resource_file)
{
	const uint64_t stored = UINT64_C(0x1122334455667788);

	make_file(RESOURCE, BAR_SIZE);
	make_file("dev/mem", MEM_SIZE);
	tree_bytes(RESOURCE, 0x2000, &stored, sizeof(stored));
	ck_assert_int_eq(map(BAR_PHYS + 0x2000, 0x1000, false), 0);
	ck_assert_uint_eq(window.phys, BAR_PHYS + 0x2000);
	ck_assert_uint_eq(window.length, 0x1000);
	ck_assert_uint_eq(memory_load(&window, 0, 8), stored);
}

TEST(test_memory_in_no_bar_is_mapped_through_dev_mem)
{
	const uint64_t stored = UINT64_C(0x99AABBCCDDEEFF00);

	make_file(RESOURCE, BAR_SIZE);
	make_file("dev/mem", MEM_SIZE);
	tree_bytes("dev/mem", 0x3000, &stored, sizeof(stored));
	ck_assert_int_eq(map(0x3000, 0x1000, false), 0);
	ck_assert_uint_eq(memory_load(&window, 0, 8), stored);
}

/* mmap() of a resource file begins with the page that the BAR begins in, not with the BAR. */
TEST(test_a_bar_that_does_not_begin_on_a_page_is_mapped_through_dev_mem)
{
	const uint64_t right = 0x1111, wrong = 0x2222;

	make_file(SHARED_RESOURCE, 0x2000);
	tree_bytes(SHARED_RESOURCE, 0x100, &wrong, sizeof(wrong));
	make_file("dev/mem", MEM_SIZE);
	tree_bytes("dev/mem", SHARED_PHYS + 0x100, &right, sizeof(right));
	ck_assert_int_eq(map(SHARED_PHYS + 0x100, 8, false), 0);
	ck_assert_uint_eq(window.phys, SHARED_PHYS + 0x100);
	ck_assert_uint_eq(memory_load(&window, 0, 8), right);
}

static const struct {
	uint64_t phys;
	size_t length;
} unaligned[] = {{0x3008, 8}, {0x3FF8, 8}, {0x3FF8, 0x1010}, {0x1004, 0x2FF0}, {0xFFF8, 8}};

TEST_LOOP(test_a_window_starts_at_its_address_and_not_at_its_page, COUNT_OF(unaligned))
{
	const uint64_t first = 0xF1, last = UINT64_C(0xF2) << 56;
	const uint64_t end = unaligned[_i].phys + unaligned[_i].length;

	make_file("dev/mem", MEM_SIZE);
	tree_bytes("dev/mem", (off_t)unaligned[_i].phys, &first, 4);
	tree_bytes("dev/mem", (off_t)end - 4, (const char *)&last + 4, 4);
	ck_assert_int_eq(map(unaligned[_i].phys, unaligned[_i].length, false), 0);
	ck_assert_uint_eq(memory_load(&window, 0, 4), 0xF1);
	ck_assert_uint_eq(memory_load(&window, unaligned[_i].length - 4, 4), 0xF2000000);
}

TEST(test_a_load_takes_as_many_bytes_as_asked)
{
	const uint64_t stored = UINT64_C(0x8899AABBCCDDEEFF);

	make_file("dev/mem", MEM_SIZE);
	tree_bytes("dev/mem", 0x2010, &stored, sizeof(stored));
	ck_assert_int_eq(map(0x2000, 0x1000, false), 0);
	ck_assert_uint_eq(memory_load(&window, 0x10, 8), stored);
	ck_assert_uint_eq(memory_load(&window, 0x10, 4), 0xCCDDEEFF);
	ck_assert_uint_eq(memory_load(&window, 0x14, 4), 0x8899AABB);
}

TEST(test_a_store_changes_as_many_bytes_as_asked)
{
	make_file(RESOURCE, BAR_SIZE);
	ck_assert_int_eq(map(BAR_PHYS, 0x1000, true), 0);
	memory_store(&window, 0x20, 8, UINT64_MAX);
	memory_store(&window, 0x24, 4, UINT64_C(0xDEADBEEF00000012));
	memory_store(&window, 0x28, 8, UINT64_C(0x0123456789ABCDEF));
	ck_assert_uint_eq(tree_word(RESOURCE, 0x20), UINT64_C(0x00000012FFFFFFFF));
	ck_assert_uint_eq(tree_word(RESOURCE, 0x28), UINT64_C(0x0123456789ABCDEF));
	ck_assert_uint_eq(tree_word(RESOURCE, 0x18), 0);
	ck_assert_uint_eq(tree_word(RESOURCE, 0x30), 0);
}

/* A running program may not be opened for writing. */
TEST(test_a_window_to_read_is_not_opened_for_writing)
{
	tree_link("dev/mem", "/proc/self/exe");
	ck_assert_int_eq(map(0, 4, false), 0);
	ck_assert_uint_eq(memory_load(&window, 0, 4), 0x464C457F); /* "\177ELF" */
	memory_unmap(&window);
	ck_assert_int_lt(map(0, 4, true), 0);
}

TEST_LOOP(test_a_file_that_ends_within_the_window_is_an_error, 8)
{
	make_file("dev/mem", 0x3000 + _i);
	ck_assert_int_eq(map(0x3000, 8, false), -ENXIO);
	ck_assert_int_eq(err.code, -ENXIO);
	ck_assert_int_eq(err.kind, ERROR_FAILED);
	assert_contains(err.text, "0x3000");
	ck_assert_ptr_null(window.base);
}

TEST(test_a_window_beyond_the_last_address_is_an_error)
{
	make_file("dev/mem", MEM_SIZE);
	ck_assert_int_lt(map(UINT64_MAX - 7, 16, false), 0);
	ck_assert_ptr_null(window.base);
}

TEST(test_a_resource_file_that_ends_too_soon_is_not_used)
{
	make_file(RESOURCE, 0x1000);
	make_file("dev/mem", MEM_SIZE);
	ck_assert_int_eq(map(BAR_PHYS + 0x1000, 0x1000, false), -ENXIO);
	ck_assert_ptr_null(window.base);
}

TEST(test_without_dev_mem_it_is_the_kernels_set_up)
{
	ck_assert_int_eq(map(0x3000, 8, false), -ENOENT);
	ck_assert_int_eq(err.code, -ENOENT);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	assert_contains(err.text, "mmio 0x3000");
	assert_contains(err.text, "no /dev/mem");
	ck_assert_int_eq(memory_map(tree_root(), bus, 0x3000, 8, false, &window, NULL), -ENOENT);
}

/* Makes memory that may be opened for writing but not mapped so: mmap() fails with EPERM. */
static void forbid_dev_mem(void)
{
	int fd = close_at_end(memfd_create("mem", MFD_ALLOW_SEALING | MFD_CLOEXEC));

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(ftruncate(fd, MEM_SIZE), 0);
	ck_assert_int_eq(fcntl(fd, F_ADD_SEALS, F_SEAL_WRITE), 0);
	tree_link("dev/mem", tree_name("/proc/%ld/fd/%d", (long)getpid(), fd));
}

static const struct {
	const char *lockdown;
	const char *says;
} refusals[] = {
	{"none [integrity] confidentiality\n", "lockdown forbids /dev/mem"},
	{"none integrity [confidentiality]\n", "lockdown forbids /dev/mem"},
	{"[none] integrity confidentiality\n", "CAP_SYS_RAWIO"},
	{"[none] integrity confidentiality\n", "iomem=relaxed"},
	{NULL, "CAP_SYS_RAWIO"},
};

TEST_LOOP(test_a_refusal_to_map_is_explained, COUNT_OF(refusals))
{
	forbid_dev_mem();
	if (refusals[_i].lockdown)
		tree_file("sys/kernel/security/lockdown", "%s", refusals[_i].lockdown);
	ck_assert_int_eq(map(0x3000, 8, true), -EPERM);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	assert_contains(err.text, refusals[_i].says);
}

TEST(test_a_missing_permission_says_sudo)
{
	const uid_t nobody = 65534, was = geteuid();

	make_file("dev/mem", MEM_SIZE);
	ck_assert_int_eq(chmod(tree_path("dev/mem"), 0), 0);
	if (!was)
		ck_assert_int_eq(seteuid(nobody), 0);
	int rc = map(0x3000, 8, false);
	ck_assert_int_eq(seteuid(was), 0);
	ck_assert_int_eq(rc, -EACCES);
	ck_assert_int_eq(err.kind, ERROR_PERMISSION);
	assert_contains(err.text, "sudo");
}

/* Tells if this process has mapped the file. */
static bool is_mapped(const char *path)
{
	FILE *maps = fopen("/proc/self/maps", "re");
	char line[512];
	bool found = false;

	ck_assert_ptr_nonnull(maps);
	while (fgets(line, sizeof(line), maps))
		found |= strstr(line, path) != NULL;
	fclose(maps);
	return found;
}

TEST(test_unmap_leaves_nothing_and_may_be_called_again)
{
	make_file("dev/mem", MEM_SIZE);
	ck_assert_int_eq(map(0x1000, 0x1000, false), 0);
	ck_assert(is_mapped(tree_path("dev/mem")));
	memory_unmap(&window);
	ck_assert(!is_mapped(tree_path("dev/mem")));
	ck_assert_ptr_null(window.base);
	ck_assert_ptr_null(window.map);
	memory_unmap(&window);
}
