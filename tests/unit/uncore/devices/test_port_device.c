/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/devices/ports.h"

#include "fake_machine.h"
#include "spy.h"
#include "uncore/machine.h"
#include "unit.h"

#define TABLE_0 UINT64_C(0x2000000000)
#define TABLE_1 UINT64_C(0x2010000000)

#define EXPRESS_AT 0x40
#define DVSEC_AT   0x100

static struct fake_machine fake;
static struct spy spy;
static struct machine machine;

static void set_up(void)
{
	fake_init(&fake);
	spy_init(&spy, &fake.base);
}

static void tear_down(void)
{
	machine_close(&machine);
	platform_destroy(&spy.base);
}

/* Adds a socket with this number of ports; their unit ids are 2 and 3, 4 and 5, ... */
static void add_ports(int socket, unsigned ports)
{
	const uint64_t table = socket ? TABLE_1 : TABLE_0;
	struct unit_record records[16];

	for (unsigned i = 0; i < ports; i++) {
		records[2 * i] = fake_cxl_record(PMU_CXLCM, (uint16_t)(2 + 2 * i));
		records[2 * i + 1] = fake_cxl_record(PMU_CXLDP, (uint16_t)(3 + 2 * i));
	}
	fake_discovery(&fake, socket ? 0x7E : 0x1E, socket, table);
	fake_table(&fake, table, records, 2 * (size_t)ports);
}

/* Adds a root port BUS:device.0; cxl: it has a CXL DVSEC. */
static struct fake_function *add_root_port(uint8_t bus, uint8_t device, int node, bool cxl)
{
	struct fake_function *f = fake_function(&fake, bus, 0x8086, 0x352A);

	f->info.at.device = device;
	f->info.numa_node = node;
	f->config[PCI_HEADER_TYPE / 4] = PCI_HEADER_BRIDGE << 16;
	f->config[PCI_CAPABILITIES / 4] = EXPRESS_AT;
	f->config[EXPRESS_AT / 4] = PCI_CAPABILITY_EXPRESS | PCI_EXPRESS_ROOT_PORT << 20;
	fake_dvsec(f, DVSEC_AT, 0, 3, 0);
	if (cxl)
		f->config[(DVSEC_AT + DVSEC_HEADER) / 4] = CXL_DVSEC_VENDOR;
	return f;
}

/* Adds memN below a root port, on a separate bus; the number is also the low half of its bus. */
static struct cxl_device *add_device(unsigned number, uint8_t bus, uint8_t device, int node)
{
	struct cxl_device *d = &fake.devices[fake.device_count++];

	*d = (struct cxl_device){
		.path = {{.bus = bus, .device = device}, {.bus = (uint8_t)(bus + 1 + number)}},
		.depth = 2,
		.near_node = node,
		.node = (int)(4 + number),
		.bytes = UINT64_C(64) << 30,
	};
	snprintf(d->name, sizeof(d->name), "mem%u", number);
	return d;
}

/* Compares the names of devices by port, as "mem0 - mem1 ". */
static void assert_pairs(const char *expected)
{
	char names[128] = "";
	struct error err = {0};

	ck_assert_msg(!machine_open(&spy.base, &machine, &err), "%s", err.text);
	for (size_t i = 0; i < machine.port_count; i++) {
		const struct cxl_device *device = machine.ports[i].device;

		strcat(names, device ? device->name : "-");
		strcat(names, " ");
		ck_assert_int_eq(!device, !*machine.ports[i].pci);
	}
	ck_assert_str_eq(names, expected);
	ck_assert_uint_eq(spy_count(&spy, true), 0);
}

static bool said(const char *part)
{
	for (size_t i = 0; i < spy.remark_count; i++)
		if (spy.remarks[i].level == LEVEL_DETAIL && strstr(spy.remarks[i].text, part))
			return true;
	return false;
}

FIXTURE(set_up, tear_down)

/* Adds the registers of a socket 0 port's CXLCM, all zero or all ones. */
static void add_registers(unsigned port, bool respond)
{
	const struct unit_record record = fake_cxl_record(PMU_CXLCM, (uint16_t)(2 + 2 * port));

	memset(fake_memory(&fake, record.control, 4096), respond ? 0 : 0xFF, 4096);
}

/* Functions on the buses, and the device that each port gets. */
static const struct {
	unsigned ports[2];	/* ports of each socket */
	const char *responding; /* a letter for each port of socket 0; NULL: no registers */
	struct {
		uint8_t bus, device;
		int node;
		bool cxl;
	} root_ports[5]; /* bus 0: no more */
	struct {
		uint8_t bus, device;
		int node;
	} devices[3]; /* bus 0: no more */
	const char *pairs;
	const char *said; /* expected message; NULL: any */
	size_t port;
	const char *pci; /* expected PCI address of this port; NULL: any */
} buses[] = {
	/* as many ports as devices are paired in the order of PCI addresses */
	{.ports = {2},
	 .devices = {{0x40, 1, 0}, {0x30, 1, 0}},
	 .pairs = "mem1 mem0 ",
	 .said = "socket 0 port 0: mem1 at 0000:32:00.0, 64 GiB, NUMA node 5 (matched by PCI order)",
	 .port = 0,
	 .pci = "0000:32:00.0"},
	/* each socket has its own order */
	{.ports = {1, 2},
	 .devices = {{0x90, 1, 1}, {0x80, 3, 1}, {0x30, 1, 0}},
	 .pairs = "mem2 mem1 mem0 "},
	/* more ports than devices, and fewer, are not paired */
	{.ports = {3},
	 .devices = {{0x30, 1, 0}, {0x40, 1, 0}},
	 .pairs = "- - - ",
	 .said = "socket 0: 3 CXL ports, but 2 root ports with memory devices"},
	{.ports = {1}, .devices = {{0x30, 1, 0}, {0x40, 1, 0}}, .pairs = "- "},
	/* a Granite Rapids 6787P: only the port with an expander responds, of six */
	{.ports = {6},
	 .responding = "nnnynn",
	 .devices = {{0x63, 1, 0}},
	 .pairs = "- - - mem0 - - ",
	 .port = 3,
	 .pci = "0000:64:00.0"},
	/* all respond */
	{.ports = {3},
	 .responding = "yyy",
	 .devices = {{0x30, 1, 0}},
	 .pairs = "- - - ",
	 .said = "socket 0: 3 CXL ports, but 1 root port with memory devices"},
	/* root ports that speak CXL keep their place even without memory */
	{.ports = {3},
	 .root_ports = {{0x40, 1, 0, true},
			{0x30, 1, 0, true},
			{0x30, 5, 0, true},
			{0x20, 1, 0, false},
			{0x80, 1, 1, true}},
	 .devices = {{0x40, 1, 0}, {0x30, 5, 0}},
	 .pairs = "- mem1 mem0 "},
	/* if more root ports speak CXL than there are ports, only those with memory count */
	{.ports = {2},
	 .root_ports = {{0x30, 1, 0, true}, {0x30, 3, 0, true}, {0x30, 5, 0, true}},
	 .devices = {{0x30, 1, 0}, {0x30, 5, 0}},
	 .pairs = "mem0 mem1 "},
	/* devices that share a root port are not told apart */
	{.ports = {2}, .devices = {{0x30, 1, 0}, {0x30, 1, 0}, {0x40, 1, 0}}, .pairs = "- mem2 "},
	/* a node without a CPU belongs to no socket */
	{.ports = {1, 1}, .devices = {{0x30, 1, -1}, {0x40, 1, 9}}, .pairs = "- - "},
	/* without a CXL bus */
	{.ports = {2}, .root_ports = {{0x30, 1, 0, true}, {0x40, 1, 0, true}}, .pairs = "- - "},
};

TEST_LOOP(test_ports_are_paired_with_devices_where_that_is_certain, COUNT(buses))
{
	for (int socket = 0; socket < 2; socket++)
		if (buses[_i].ports[socket])
			add_ports(socket, buses[_i].ports[socket]);
	for (unsigned i = 0; buses[_i].responding && buses[_i].responding[i]; i++)
		add_registers(i, buses[_i].responding[i] == 'y');
	for (unsigned i = 0; i < 5 && buses[_i].root_ports[i].bus; i++)
		add_root_port(buses[_i].root_ports[i].bus, buses[_i].root_ports[i].device,
			      buses[_i].root_ports[i].node, buses[_i].root_ports[i].cxl);
	for (unsigned i = 0; i < 3 && buses[_i].devices[i].bus; i++)
		add_device(i, buses[_i].devices[i].bus, buses[_i].devices[i].device,
			   buses[_i].devices[i].node);
	assert_pairs(buses[_i].pairs);
	if (buses[_i].said)
		ck_assert(said(buses[_i].said));
	if (buses[_i].pci)
		ck_assert_str_eq(machine.ports[buses[_i].port].pci, buses[_i].pci);
}

/* The device of one port has no driver. */
TEST(test_root_ports_whose_link_is_down_keep_no_place)
{
	add_ports(0, 3);
	add_registers(0, true);
	add_registers(1, false);
	add_registers(2, true);
	for (uint8_t i = 0; i < 4; i++)
		add_root_port((uint8_t)(0x30 + 0x10 * i), 1, 0, true)
			->config[(EXPRESS_AT + PCI_EXPRESS_LINK) / 4] =
			i == 1 || i == 3 ? PCI_EXPRESS_LINK_ACTIVE : 0;
	add_device(0, 0x60, 1, 0);
	assert_pairs("- - mem0 ");
}

/* An integrated endpoint: its root port is hidden. */
TEST(test_a_cxl_1_device_is_paired_with_the_port_that_responds)
{
	add_ports(0, 2);
	add_registers(0, false);
	add_registers(1, true);
	add_device(0, 0x27, 0, 0)->depth = 1;
	assert_pairs("- mem0 ");
	ck_assert_str_eq(machine.ports[1].pci, "0000:27:00.0");
}

TEST(test_a_function_that_is_no_root_port_keeps_no_place)
{
	struct fake_function *f;

	add_ports(0, 2);
	add_root_port(0x30, 1, 0, true);
	f = add_root_port(0x30, 2, 0, true);
	f->config[EXPRESS_AT / 4] = PCI_CAPABILITY_EXPRESS | 5 << 20; /* upstream port */
	f = add_root_port(0x30, 3, 0, true);
	f->config[PCI_HEADER_TYPE / 4] = 0;
	f = add_root_port(0x30, 4, 0, true);
	f->config[EXPRESS_AT / 4] = 0x05 | EXPRESS_AT << 8; /* a list that leads into itself */
	add_device(0, 0x30, 1, 0);
	assert_pairs("- - ");
}

TEST(test_a_bar_around_a_unit_tells_exactly)
{
	struct fake_function *f;

	add_ports(0, 3);
	/* the third port's CXLDP, against the order */
	f = add_root_port(0x30, 1, 0, true);
	fake_bar64(f, 0, fake_cxl_record(PMU_CXLDP, 7).control & ~UINT64_C(0xfff));
	f->info.bar_size[0] = 0x1000;
	add_device(0, 0x30, 1, 0);
	assert_pairs("- - mem0 ");
	ck_assert(said("mem0 at 0000:31:00.0, 64 GiB, NUMA node 4 (matched by "
		       "register address)"));
}

TEST(test_what_addresses_leave_open_is_paired_in_order)
{
	struct fake_function *f;

	add_ports(0, 2);
	f = add_root_port(0x30, 1, 0, true);
	fake_bar64(f, 0, fake_cxl_record(PMU_CXLCM, 4).control & ~UINT64_C(0xfff));
	f->info.bar_size[0] = 0x1000;
	add_root_port(0x40, 1, 0, true);
	add_device(0, 0x30, 1, 0);
	add_device(1, 0x40, 1, 0);
	assert_pairs("mem1 mem0 ");
}

TEST(test_a_bar_around_the_units_of_two_ports_tells_nothing)
{
	struct fake_function *f;

	add_ports(0, 2);
	f = add_root_port(0x40, 1, 0, true);
	fake_bar64(f, 0, 0);
	f->config[PCI_BAR0 / 4] |= 0x1000;
	f->info.bar_size[0] = UINT64_MAX;
	add_root_port(0x30, 1, 0, true);
	add_device(0, 0x40, 1, 0);
	add_device(1, 0x30, 1, 0);
	assert_pairs("mem1 mem0 ");
}

TEST(test_without_numa_all_is_of_the_only_socket)
{
	fake.cpu_count = 2;
	fake.cpus[0].node = fake.cpus[1].node = -1;
	add_ports(0, 1);
	fake.functions[0].info.numa_node = -1;
	add_device(0, 0x30, 1, -1)->node = -1;
	assert_pairs("mem0 ");
	ck_assert(said("64 GiB, no NUMA node"));
}
