/* SPDX-License-Identifier: BSD-3-Clause */
#include "linux/linux_private.h"

#include <errno.h>
#include <stdlib.h>

#include "platform/cpus.h"
#include "unit.h"

TREE_FIXTURE(NULL, NULL)

TEST(test_a_table_is_read_whole_and_is_an_error_if_firmware_has_none)
{
	struct platform *p = tree_platform();
	struct error err;
	uint8_t *bytes;
	size_t size;

	tree_file("sys/firmware/acpi/tables/ERDT", "ERDT, of 20 bytes...");
	ck_assert_int_eq(linux_rdt.table(p, "ERDT", &bytes, &size, &err), 0);
	ck_assert_uint_eq(size, 20);
	ck_assert_mem_eq(bytes, "ERDT, of 20 bytes...", size);
	free(bytes);
	ck_assert_int_eq(linux_rdt.table(p, "MRRM", &bytes, &size, &err), -ENODEV);
	ck_assert_ptr_null(bytes);
}

/* The kernel leaves out CPUs that are offline. */
TEST(test_apic_ids_are_those_of_the_kernel_and_unknown_without_one)
{
	static struct cpu_location cpus[] = {{.cpu = 0}, {.cpu = 2}, {.cpu = 5}, {.cpu = 6}};
	const struct topology topology = {cpus, COUNT_OF(cpus)};
	uint32_t ids[COUNT_OF(cpus)] = {0};

	tree_file("proc/cpuinfo", "processor\t: 2\napicid\t\t: 4\ninitial apicid\t: 7\n\n"
				  "processor\t: 3\napicid\t\t: 6\n\n"
				  "processor\t: 5\napicid\t\t: 266\n");
	linux_rdt.apic_ids(tree_platform(), &topology, ids);
	ck_assert_uint_eq(ids[0], APIC_NOT_KNOWN);
	ck_assert_uint_eq(ids[1], 4);
	ck_assert_uint_eq(ids[2], 266);
	ck_assert_uint_eq(ids[3], APIC_NOT_KNOWN);
}
