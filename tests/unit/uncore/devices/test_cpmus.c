/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/devices/cpmus.h"

#include "fake_machine.h"
#include "pci/config.h"
#include "uncore/machine.h"
#include "unit.h"

#define BAR	   UINT64_C(0x3000000000)
#define BAR_STRIDE UINT64_C(0x100000)
#define BLOCK	   0x10000
#define MEMORY	   0x0502
#define BRIDGE	   0x0604

static struct fake_machine fake;
static struct machine machine;
static struct error err;
static char logged[1024];

static void keep(void *context, enum log_level level, const char *text)
{
	(void)context;
	ck_assert_int_eq(level, LEVEL_DETAIL);
	const size_t used = strlen(logged);
	snprintf(logged + used, sizeof(logged) - used, "%s\n", text);
}

static void set_up(void)
{
	fake_init(&fake);
	fake.base.log = (struct log){.write = keep};
	logged[0] = '\0';
}

static void tear_down(void)
{
	machine_close(&machine);
	platform_destroy(&fake.base);
}

static void open_machine(size_t cpmus)
{
	ck_assert_msg(!machine_open(&fake.base, &machine, &err), "%s", err.text);
	ck_assert_uint_eq(machine.cpmu_count, cpmus);
}

/* Adds a function whose locator has this number of CPMUs, one after the other in BAR 0. */
static struct fake_function *add_function(uint8_t bus, uint16_t class, unsigned blocks)
{
	struct fake_function *f = fake_function(&fake, bus, 0x1E98, 0x0D93);

	f->config[2] = (uint32_t) class << 16;
	fake_bar64(f, 0, BAR + bus * BAR_STRIDE);
	f->info.bar_size[0] = BAR_STRIDE;
	fake_dvsec(f, 0x100, 0, 8, 0);
	f->config[0x104 / 4] = CXL_DVSEC_VENDOR | (0x0C + 8 * blocks) << 20;
	for (unsigned b = 0; b < blocks; b++) {
		f->config[0x10C / 4 + 2 * b] = (b + 1) * BLOCK | 0x400;
		f->config[0x10C / 4 + 2 * b + 1] = 0;
	}
	return f;
}

/* Adds the memory of a CPMU with a configurable counter. */
static uint64_t *add_block(uint8_t bus, unsigned n)
{
	uint64_t *words =
		fake_memory(&fake, BAR + bus * BAR_STRIDE + (n + 1) * BLOCK, CPMU_BLOCK_BYTES);

	words[0] = 48 << 8;
	words[0x100 / 8] = UINT64_C(0x1E98002500000001);
	words[0x200 / 8] = CPMU_CONFIGURABLE;
	return words;
}

static void add_device(const struct fake_function *f)
{
	struct cxl_device *device = &fake.devices[fake.device_count];

	*device = (struct cxl_device){.path = {f->info.at}, .depth = 1, .near_node = 0, .node = 2};
	snprintf(device->name, sizeof(device->name), "mem%zu", fake.device_count++);
}

FIXTURE(set_up, tear_down)

TEST(test_a_machine_without_cxl_devices_has_no_cpmu)
{
	open_machine(0);
	ck_assert_int_eq(machine.cpmu_error.code, 0);
	ck_assert_str_eq(logged, "");
}

TEST(test_cpmus_are_found_by_pci_address_and_know_their_device)
{
	add_device(add_function(0x40, MEMORY, 2));
	add_block(0x40, 0);
	add_block(0x40, 1);
	add_device(add_function(0x20, MEMORY, 1));
	add_block(0x20, 0);
	open_machine(3);
	ck_assert_uint_eq(machine.cpmus[0].address, BAR + 0x20 * BAR_STRIDE + BLOCK);
	ck_assert_str_eq(machine.cpmus[0].device->name, "mem1");
	ck_assert_uint_eq(machine.cpmus[1].pci.bus, 0x40);
	ck_assert_str_eq(machine.cpmus[2].device->name, "mem0");
	ck_assert_uint_eq(machine.cpmus[2].address, BAR + 0x40 * BAR_STRIDE + 2 * BLOCK);
	ck_assert_ptr_null(cpmu_port(&machine, &machine.cpmus[0]));
	assert_contains(logged, "CPMU of 0000:20:00.0, mem1: 1 counter of 48 bits at 0x3002010000");
}

TEST(test_all_blocks_of_a_function_are_looked_at)
{
	add_device(add_function(0x40, MEMORY, 9));
	for (unsigned n = 0; n < 9; n++)
		add_block(0x40, n);
	open_machine(9);
	for (unsigned n = 0; n < 9; n++)
		ck_assert(!machine.cpmus[n].is_part);
}

TEST(test_cpmus_of_a_function_whose_others_do_not_respond_are_a_part)
{
	add_device(add_function(0x20, MEMORY, 1));
	add_block(0x20, 0);
	add_device(add_function(0x40, MEMORY, 3));
	add_block(0x40, 0);
	add_block(0x40, 1)[0] = UINT64_MAX;
	add_block(0x40, 2);
	open_machine(3);
	ck_assert(!machine.cpmus[0].is_part);
	ck_assert(machine.cpmus[1].is_part);
	ck_assert(machine.cpmus[2].is_part);
}

TEST(test_an_amd_processor_has_its_cpmus)
{
	fake_init_turin(&fake);
	fake.base.log = (struct log){.write = keep};
	add_device(add_function(0x40, MEMORY, 1));
	add_block(0x40, 0);
	open_machine(1);
	ck_assert_str_eq(machine.cpmus[0].device->name, "mem0");
}

TEST(test_ports_and_devices_that_the_kernel_does_not_list_may_have_one)
{
	add_function(0x20, BRIDGE, 1);
	add_block(0x20, 0);
	add_function(0x40, MEMORY, 1);
	add_block(0x40, 0);
	open_machine(2);
	ck_assert_ptr_null(machine.cpmus[0].device);
	ck_assert_ptr_null(machine.cpmus[1].device);
	ck_assert_ptr_null(cpmu_port(&machine, &machine.cpmus[0]));
}

TEST(test_an_accelerator_with_memory_may_have_one)
{
	add_device(add_function(0x40, 0x1200, 1));
	add_block(0x40, 0);
	open_machine(1);
}

TEST(test_other_functions_are_not_looked_at)
{
	add_function(0x40, 0x0200, 1); /* a network adapter */
	add_block(0x40, 0);
	open_machine(0);
}

TEST(test_the_port_of_a_cpmu_is_that_of_its_device)
{
	const struct unit_record records[] = {fake_cxl_record(PMU_CXLCM, 2),
					      fake_cxl_record(PMU_CXLDP, 3)};

	fake_discovery(&fake, 0x1E, 0, UINT64_C(0x2000000000))->info.numa_node = 0;
	fake_table(&fake, UINT64_C(0x2000000000), records, 2);
	add_device(add_function(0x40, MEMORY, 1));
	add_block(0x40, 0);
	open_machine(1);
	ck_assert_uint_eq(machine.port_count, 1);
	ck_assert_ptr_eq(machine.ports[0].device, machine.cpmus[0].device);
	ck_assert_ptr_eq(cpmu_port(&machine, &machine.cpmus[0]), &machine.ports[0]);
}

/* Without the device's node, or without a device and the function's node. */
TEST_LOOP(test_without_a_numa_node_a_cpmu_is_of_the_only_socket, 2)
{
	struct fake_function *f = add_function(0x40, MEMORY, 1);

	f->info.numa_node = -1;
	add_block(0x40, 0);
	if (_i) {
		add_device(f);
		fake.devices[0].near_node = -1;
	}
	open_machine(1);
	ck_assert_int_eq(machine.cpmus[0].socket, -1);
	ck_assert_int_eq(machine.cpmus[0].unit.socket, 0);
	machine_close(&machine);
	fake.cpu_count = 2;
	open_machine(1);
	ck_assert_int_eq(machine.cpmus[0].socket, 0);
	ck_assert_int_eq(machine.cpmus[0].unit.socket, 0);
}

TEST(test_two_entries_for_one_address_are_one_cpmu)
{
	struct fake_function *f = add_function(0x40, MEMORY, 1);

	add_block(0x40, 0);
	f = add_function(0x41, MEMORY, 1);
	fake_bar64(f, 0, BAR + 0x40 * BAR_STRIDE);
	open_machine(1);
}

TEST(test_a_cpmu_of_ones_is_left_out_with_a_sentence)
{
	add_function(0x40, MEMORY, 2);
	memset(add_block(0x40, 0), 0xFF, CPMU_BLOCK_BYTES);
	add_block(0x40, 1);
	open_machine(1);
	ck_assert_int_eq(machine.cpmu_error.code, -ENXIO);
	assert_contains(machine.cpmu_error.text, "CPMU of 0000:40:00.0: no response");
	assert_contains(logged, "CPMU of 0000:40:00.0 is not used: no response");
}

/* The registers do not exist: a read of them would fail. */
TEST(test_registers_are_not_read_where_memory_space_is_disabled)
{
	struct fake_function *f = add_function(0x40, MEMORY, 1);

	f->config[1] = 0x00100404;
	open_machine(0);
	ck_assert_int_eq(machine.cpmu_error.code, -ENXIO);
	assert_contains(machine.cpmu_error.text,
			"CPMU of 0000:40:00.0: its memory space is disabled (PCI command register "
			"0x0404)");
	ck_assert_str_eq(machine.cpmu_error.command, "sudo modprobe cxl_pci");
}

TEST(test_registers_are_not_read_where_the_device_sleeps)
{
	struct fake_function *f = add_function(0x40, MEMORY, 1);

	f->config[0x34 / 4] = 0x40;
	f->config[0x40 / 4] = 0x5010;
	f->config[0x50 / 4] = 0x0001;
	f->config[0x54 / 4] = 0x000B; /* D3hot */
	open_machine(0);
	ck_assert_int_eq(machine.cpmu_error.code, -ENXIO);
	assert_contains(machine.cpmu_error.text, "CPMU of 0000:40:00.0: it is in power state D3");
	ck_assert_str_eq(machine.cpmu_error.command,
			 "echo on | sudo tee /sys/bus/pci/devices/0000:40:00.0/power/control");
	machine_close(&machine);
	f->config[0x54 / 4] = 0x0008;
	add_block(0x40, 0);
	open_machine(1);
}

TEST(test_a_block_beyond_its_bar_is_left_out_and_not_read)
{
	struct fake_function *f = add_function(0x40, MEMORY, 1);

	f->info.bar_size[0] = BLOCK;
	open_machine(0);
	ck_assert_int_eq(machine.cpmu_error.code, -ERANGE);
	assert_contains(logged, "its registers, at 0x10000 in BAR 0, do not lie in a memory BAR");
}

TEST(test_registers_that_may_not_be_mapped_are_left_out)
{
	add_function(0x40, MEMORY, 1);
	fake.map_error = -EPERM;
	open_machine(0);
	ck_assert_int_eq(machine.cpmu_error.code, -EPERM);
	ck_assert_int_eq(machine.cpmu_error.kind, ERROR_PERMISSION);
}

TEST(test_counters_beyond_those_of_a_unit_are_said)
{
	add_function(0x40, MEMORY, 1);
	add_block(0x40, 0)[0] |= 63;
	open_machine(1);
	assert_contains(logged, "only the first 32 of its 64 counters are used");
}

TEST(test_functions_that_cannot_be_listed_are_no_error)
{
	machine = (struct machine){.platform = &fake.base};
	fake.list_error = -EIO;
	ck_assert_int_eq(cpmus_find(&machine, &err), 0);
	ck_assert_uint_eq(machine.cpmu_count, 0);
}

static const struct {
	const char *vendor; /* empty: no CPUID */
	uint32_t signature;
	const char *model;
	size_t cpus;
	const char *why;
} not_known[] = {
	{"GenuineIntel", 0x606A6, "intel", 4, "GenuineIntel family 6 model 106"},
	{"AuthenticAMD", 0xA70F41, "amd", 4, "AuthenticAMD family 25 model 116"},
	{"AuthenticAMD", 0xA00F11, "other", 0, "AuthenticAMD family 25 model 1"}, /* Zen 3 */
	{"HygonGenuine", 0xA10F11, "other", 0, "HygonGenuine family 25 model 17"},
	{"", 0, "other", 0, "Arm processor, part 0xfff"},
};

static void set_processor(int i)
{
	snprintf(fake.vendor, sizeof(fake.vendor), "%s", not_known[i].vendor);
	fake.signature = not_known[i].signature;
}

TEST_LOOP(test_whatever_the_processor_its_cpmus_are_found_and_why_there_is_no_uncore,
	  COUNT_OF(not_known))
{
	set_processor(_i);
	add_device(add_function(0x40, MEMORY, 1));
	add_block(0x40, 0);
	open_machine(1);
	ck_assert_str_eq(machine.cpmus[0].device->name, "mem0");
	ck_assert_uint_eq(machine.cpu_count, not_known[_i].cpus);
	ck_assert_uint_eq(machine.discovery.unit_count, 0);
	ck_assert_str_eq(machine.model->short_name, not_known[_i].model);
	ck_assert_int_eq(machine.uncore_error.kind, ERROR_NO_UNIT);
	assert_contains(machine.uncore_error.text, not_known[_i].why);
	ck_assert_int_eq(machine_allow_all(&machine, &err), 0);
}

TEST_LOOP(test_where_nothing_else_is_known_a_cpmu_that_may_not_be_read_is_why, COUNT_OF(not_known))
{
	set_processor(_i);
	add_function(0x40, MEMORY, 1);
	fake.map_error = -EPERM;
	const int rc = machine_open(&fake.base, &machine, &err);

	ck_assert_int_eq(rc, not_known[_i].cpus ? 0 : -EPERM);
	if (rc)
		ck_assert_int_eq(err.kind, ERROR_PERMISSION);
}

TEST(test_a_bridge_that_may_not_be_read_is_no_sign_of_a_cpmu)
{
	struct fake_function *f = fake_function(&fake, 0x40, 0x1E98, 0x0D93);

	f->config[2] = (uint32_t)BRIDGE << 16;
	fake_dvsec(f, 0x100, 0, 8, 0);
	fake.extended_error = -EPERM;
	open_machine(0);
	ck_assert_int_eq(machine.cpmu_error.code, 0);
	machine_close(&machine);
	f->config[2] = (uint32_t)MEMORY << 16;
	open_machine(0);
	ck_assert_int_eq(machine.cpmu_error.code, -EPERM);
}
