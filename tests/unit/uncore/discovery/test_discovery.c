/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/discovery/discovery.h"

#include "fake_machine.h"
#include "platform/cpus.h"
#include "platform/guard.h"
#include "platform/pci.h"
#include "spy.h"
#include "unit.h"

#define TABLE_0	    UINT64_C(0x2000000000) /* above 4 GiB */
#define TABLE_1	    UINT64_C(0x2010000000)
#define TABLE_LOW   UINT64_C(0xFB000000)
#define RECORD_SIZE (FAKE_STRIDE * 8)

static struct fake_machine fake;
static struct spy spy;
static struct topology topology;
static struct discovery found;
static struct error err;

static void set_up(void)
{
	fake_init(&fake);
	spy_init(&spy, &fake.base);
	ck_assert_int_eq(spy.base.ops->cpus->topology(&spy.base, &topology, NULL), 0);
}

static void tear_down(void)
{
	discovery_free(&found);
	topology_free(&topology);
	ck_assert_uint_eq(spy.windows, 0);
	platform_destroy(&spy.base);
}

static int discover_as(const char *model)
{
	return discovery_read(&spy.base, fake_model(model), &topology, &found, &err);
}

static void assert_found(size_t tables, size_t units)
{
	int rc = discover_as("spr");

	ck_assert_msg(rc == 0, "%s", err.text);
	ck_assert_uint_eq(found.table_count, tables);
	ck_assert_uint_eq(found.unit_count, units);
}

static void assert_refused(int code, enum error_kind kind)
{
	ck_assert_int_eq(discover_as("spr"), code);
	ck_assert_int_eq(err.code, code);
	ck_assert_int_eq(err.kind, kind);
	ck_assert_str_ne(err.text, "");
}

static void assert_warned(size_t count)
{
	ck_assert_uint_eq(spy_remarks(&spy, LEVEL_WARNING), count);
}

/* Adds a table of CXLCMs with ids 0, 1, 2... */
static uint64_t *add_table(uint64_t phys, uint16_t count)
{
	struct unit_record records[8];

	ck_assert_int_le(count, COUNT(records));
	for (uint16_t i = 0; i < count; i++)
		records[i] = fake_cxl_record(PMU_CXLCM, i);
	return fake_table(&fake, phys, records, count);
}

/* Adds an Intel function that is not the generic one, and points to a table. */
static struct fake_function *add_other_device(uint8_t bus, uint64_t phys)
{
	struct fake_function *f = fake_function(&fake, bus, 0x8086, 0x3250);

	fake_bar64(f, 0, phys);
	fake_dvsec(f, 0x100, 0, 1, 0);
	return f;
}

/* Functions with a table. */

FIXTURE(set_up, tear_down)

TEST(test_the_generic_device_is_preferred_to_any_other)
{
	add_other_device(0x10, TABLE_1);
	add_table(TABLE_1, 2);
	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	add_table(TABLE_0, 3);
	assert_found(1, 3);
	ck_assert_uint_eq(found.tables[0].at.bus, 0x1E);
}

TEST(test_without_the_generic_device_every_intel_function_is_looked_at)
{
	fake_function(&fake, 0x00, 0x8086, 0x3251);
	add_other_device(0x10, TABLE_0);
	add_table(TABLE_0, 2);
	add_other_device(0x30, TABLE_1);
	add_table(TABLE_1, 3);
	assert_found(2, 5);
}

TEST(test_a_generic_device_without_a_table_is_no_reason_to_stop)
{
	fake_function(&fake, 0x1E, 0x8086, 0x09A7);
	add_other_device(0x30, TABLE_0);
	add_table(TABLE_0, 3);
	assert_found(1, 3);
}

TEST(test_a_function_of_another_vendor_is_never_touched)
{
	struct fake_function *f = fake_discovery(&fake, 0x1E, 0, TABLE_0);

	f->info.vendor = 0x1022;
	add_table(TABLE_0, 2);
	assert_refused(-ENODEV, ERROR_NO_UNIT);
	ck_assert_uint_eq(spy.access_count, 0);
}

TEST(test_no_function_at_all_is_no_unit)
{
	assert_refused(-ENODEV, ERROR_NO_UNIT);
	ck_assert_ptr_nonnull(strstr(err.text, "Sapphire Rapids"));
}

/* An entry before a good one. */
static const struct {
	unsigned id;
	uint32_t offset; /* offset of its table, and its BAR */
	size_t warnings;
} entries[] = {
	{2, 1, 0},	/* another id */
	{1, 0x1000, 1}, /* a table at an offset */
	{1, 0, 0},	/* the same table, whose units count once */
};

TEST_LOOP(test_behind_another_entry_a_table_is_found_once, COUNT(entries))
{
	struct fake_function *f = fake_discovery(&fake, 0x1E, 0, TABLE_0);

	f->config[0x100 / 4] = 0x1000B | 0x120U << 20; /* another capability */
	fake_dvsec(f, 0x120, 0x140, entries[_i].id, entries[_i].offset);
	fake_dvsec(f, 0x140, 0, 1, 0);
	add_table(TABLE_0, 2);
	assert_found(1, 2);
	assert_warned(entries[_i].warnings);
}

TEST(test_a_list_of_capabilities_that_leads_into_itself_ends)
{
	fake_dvsec(fake_discovery(&fake, 0x1E, 0, TABLE_0), 0x100, 0x100, 2, 0);
	assert_refused(-ENODEV, ERROR_NO_UNIT);
	assert_contains(spy_remark(&spy, LEVEL_DETAIL), "the list is circular");
}

TEST(test_a_dvsec_that_runs_out_of_configuration_space_is_no_table)
{
	struct fake_function *f = fake_discovery(&fake, 0x1E, 0, TABLE_0);

	f->config[0x100 / 4] = 0x1000B | 0xFFCU << 20;
	f->config[0xFFC / 4] = 0x10023;
	assert_refused(-ENODEV, ERROR_NO_UNIT);
}

static const uint32_t table_offsets[] = {0x8, 0x1000, 0x80000000};

TEST_LOOP(test_a_table_at_an_offset_in_its_bar_is_left_out_with_a_warning, COUNT(table_offsets))
{
	fake_dvsec(fake_discovery(&fake, 0x1E, 0, TABLE_0), 0x100, 0, 1, table_offsets[_i]);
	add_table(TABLE_0, 2);
	assert_refused(-ENODEV, ERROR_NO_UNIT);
	assert_warned(1);
	ck_assert_ptr_nonnull(strstr(spy_remark(&spy, LEVEL_WARNING), "0000:1e:00.0"));
}

/* Its DVSEC names BAR 7, which no function has. */
TEST(test_a_bar_without_a_memory_address_is_left_out_with_a_warning)
{
	fake_dvsec(fake_function(&fake, 0x1E, 0x8086, 0x09A7), 0x100, 0, 1, 7);
	assert_refused(-ENODEV, ERROR_NO_UNIT);
	ck_assert_uint_ge(spy_remarks(&spy, LEVEL_WARNING), 1);
}

static const int denials[] = {-EPERM, -EACCES};

TEST_LOOP(test_configuration_space_that_may_not_be_read_is_a_matter_of_permission, COUNT(denials))
{
	fake_discovery(&fake, 0x1E, 0, TABLE_0)->unreadable = denials[_i];
	assert_refused(-EPERM, ERROR_PERMISSION);
}

TEST(test_functions_that_can_t_be_listed_pass_their_error_on)
{
	fake.list_error = -EIO;
	assert_refused(-EIO, ERROR_FAILED);
	ck_assert_str_eq(err.text, "fake: no list");
}

/* The socket and die of a table. */

TEST(test_a_table_is_of_the_socket_of_its_numa_node)
{
	fake_discovery(&fake, 0x1E, 1, TABLE_0);
	add_table(TABLE_0, 2);
	fake_discovery(&fake, 0x3E, 0, TABLE_1);
	add_table(TABLE_1, 3);
	assert_found(2, 5);
	ck_assert_int_eq(found.tables[0].socket, 1);
	ck_assert_int_eq(found.tables[1].socket, 0);
	ck_assert_uint_eq(found.tables[0].die, 0);
	ck_assert_uint_eq(found.tables[1].die, 0);
	for (size_t i = 0; i < 5; i++)
		ck_assert_int_eq(found.units[i].socket, i < 2 ? 1 : 0);
}

static void add_discovery_at(struct pci_location at, int node, uint64_t phys, uint16_t units)
{
	fake_discovery(&fake, at.bus, node, phys)->info.at = at;
	add_table(phys, units);
}

/*
 * Order of addresses, which differs from the order of detection: libpci lists functions in the
 * order of a directory.
 */
static const struct pci_location ascending[][2] = {
	{{0, 0x1E, 0, 0}, {0, 0x3E, 0, 0}}, {{0, 0xFE, 0, 0}, {1, 0x1E, 0, 0}},
	{{0, 0x1E, 3, 0}, {0, 0x1E, 4, 0}}, {{0, 0x1E, 3, 1}, {0, 0x1E, 3, 2}},
	{{0, 0x1E, 3, 7}, {0, 0x1E, 4, 0}},
};

TEST_LOOP(test_functions_without_a_node_are_of_sockets_in_the_order_of_their_addresses,
	  COUNT(ascending))
{
	add_discovery_at(ascending[_i][1], -1, TABLE_1, 3);
	add_discovery_at(ascending[_i][0], -1, TABLE_0, 2);
	assert_found(2, 5);
	for (int t = 0; t < 2; t++) {
		ck_assert_int_eq(found.tables[t].socket, t);
		ck_assert_uint_eq(found.tables[t].phys, t ? TABLE_1 : TABLE_0);
	}
}

TEST(test_several_functions_of_a_socket_are_its_dies_in_the_order_of_their_addresses)
{
	for (uint8_t n = 4; n-- > 0;)
		add_discovery_at((struct pci_location){.bus = (uint8_t)(0x1E + 0x20 * (n / 2)),
						       .function = n % 2},
				 -1, TABLE_0 + 0x10000U * n, (uint16_t)(1 + n));
	assert_found(4, 10);
	for (unsigned t = 0; t < 4; t++) {
		ck_assert_int_eq(found.tables[t].socket, (int)t / 2);
		ck_assert_uint_eq(found.tables[t].die, t % 2);
		ck_assert_uint_eq(found.tables[t].phys, TABLE_0 + 0x10000 * t);
	}
}

TEST(test_a_function_with_a_node_leaves_the_other_socket_to_one_without)
{
	fake_discovery(&fake, 0x1E, 1, TABLE_0);
	add_table(TABLE_0, 2);
	fake_discovery(&fake, 0x3E, -1, TABLE_1);
	add_table(TABLE_1, 3);
	assert_found(2, 5);
	ck_assert_int_eq(found.tables[0].socket, 1);
	ck_assert_int_eq(found.tables[1].socket, 0);
}

TEST(test_cpus_without_a_node_are_of_no_function_s_node)
{
	for (size_t i = 0; i < topology.count; i++)
		topology.cpus[i].node = -1;
	add_discovery_at(ascending[0][1], -1, TABLE_1, 3);
	add_discovery_at(ascending[0][0], -1, TABLE_0, 2);
	assert_found(2, 5);
	ck_assert_int_eq(found.tables[0].socket, 0);
	ck_assert_int_eq(found.tables[1].socket, 1);
}

/* Adds an entry after the first, on another BAR. */
static void add_entry(struct fake_function *f, uint64_t phys)
{
	fake_bar64(f, 2, phys);
	fake_dvsec(f, 0x100, 0x140, 1, 0);
	fake_dvsec(f, 0x140, 0, 1, 2);
}

TEST_LOOP(test_every_table_of_a_function_is_read_and_of_its_socket, 2)
{
	add_entry(fake_discovery(&fake, 0x1E, _i ? 0 : -1, TABLE_0), TABLE_0 + 0x10000);
	add_table(TABLE_0, 1);
	add_table(TABLE_0 + 0x10000, 2);
	add_entry(fake_discovery(&fake, 0x3E, _i ? 1 : -1, TABLE_1), TABLE_1 + 0x10000);
	add_table(TABLE_1, 3);
	add_table(TABLE_1 + 0x10000, 4);
	assert_found(4, 10);
	for (unsigned t = 0; t < 4; t++) {
		ck_assert_uint_eq(found.tables[t].at.bus, t / 2 ? 0x3E : 0x1E);
		ck_assert_int_eq(found.tables[t].socket, (int)t / 2);
		ck_assert_uint_eq(found.tables[t].die, t % 2);
	}
}

/* All CPUs of the socket are offline. */
TEST(test_a_table_whose_node_has_no_online_cpu_is_left_out_with_a_warning)
{
	fake_discovery(&fake, 0x1E, 7, TABLE_0);
	add_table(TABLE_0, 2);
	fake_discovery(&fake, 0x3E, 0, TABLE_1);
	add_table(TABLE_1, 3);
	assert_found(1, 3);
	ck_assert_int_eq(found.tables[0].socket, 0);
	ck_assert_uint_eq(spy_remarks(&spy, LEVEL_WARNING), 1);
}

static const struct unit_record cha = {.counters = 4,
				       .control_offset = 2,
				       .width = 48,
				       .counter_offset = 8,
				       .access = ACCESS_MSR,
				       .control = 0x2010,
				       .type = PMU_CHA,
				       .id = 1};

static void take_offline(int socket)
{
	size_t kept = 0;

	for (size_t i = 0; i < topology.count; i++)
		if (topology.cpus[i].socket != socket)
			topology.cpus[kept++] = topology.cpus[i];
	topology.count = kept;
}

/* Adds the functions of two sockets, for which the kernel has no node, with a CHA each. */
static void add_two_sockets(void)
{
	fake_discovery(&fake, 0x1E, -1, TABLE_0);
	fake_table(&fake, TABLE_0, &cha, 1);
	fake_discovery(&fake, 0x3E, -1, TABLE_1);
	fake_table(&fake, TABLE_1, &cha, 1);
}

#define UBOX_NODE  (0xC0 / 4)
#define UBOX_NODES (0xD4 / 4)

/* Adds a UBOX with its package's number: nodes has 3 bits for each of eight. */
static void add_ubox(uint8_t bus, uint32_t node, uint32_t nodes)
{
	struct fake_function *f = fake_function(&fake, bus, 0x8086, 0x3250);

	f->info.at.device = 8;
	f->config[UBOX_NODE] = node;
	f->config[UBOX_NODES] = nodes;
}

#define IN_ORDER 0010 /* package 0 is node 0, package 1 is node 1 */
#define SWAPPED	 0001 /* package 0 is node 1, package 1 is node 0 */

static void assert_said(const char *text)
{
	for (size_t i = 0; i < spy.remark_count; i++)
		if (strstr(spy.remarks[i].text, text))
			return;
	ck_abort_msg("not said: %s", text);
}

/* Two tables that program the same MSR belong to two sockets, and it is unknown which is online. */
TEST_LOOP(test_without_nodes_no_table_is_used_if_a_socket_is_offline, 2)
{
	add_two_sockets();
	take_offline(_i);
	ck_assert_int_eq(discover_as("gnr"), -ENODEV);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
	assert_warned(2);
	assert_said("discovery table of 0000:1e:00.0 skipped: its socket is unknown");
	assert_said("discovery table of 0000:3e:00.0 skipped: its socket is unknown");
	ck_assert(found.has_offline_socket);
}

TEST(test_a_table_with_a_node_is_used_though_that_of_another_socket_has_none)
{
	add_two_sockets();
	fake.functions[0].info.numa_node = 0;
	take_offline(1);
	ck_assert_int_eq(discover_as("gnr"), 0);
	ck_assert_uint_eq(found.table_count, 1);
	ck_assert_uint_eq(found.unit_count, 1);
	ck_assert_uint_eq(found.tables[0].at.bus, 0x1E);
	assert_warned(1);
}

TEST(test_eight_sockets_of_which_one_is_offline_have_no_table_twice)
{
	take_offline(0);
	topology.cpus[0].socket = 2; /* sockets 1 and 2 of 3 are online */
	add_two_sockets();
	fake_discovery(&fake, 0x5E, -1, TABLE_LOW);
	fake_table(&fake, TABLE_LOW, &cha, 1);
	ck_assert_int_eq(discover_as("gnr"), -ENODEV);
	assert_warned(3);
}

/* The sockets together lack as many functions as have none yet: only without sockets is none left.
 */
TEST(test_a_table_for_which_no_socket_is_left_is_left_out_with_a_warning)
{
	topology.count = 0;
	fake_discovery(&fake, 0x1E, -1, TABLE_0);
	add_table(TABLE_0, 2);
	assert_refused(-ENODEV, ERROR_NO_UNIT);
	assert_warned(1);
	assert_said("discovery table of 0000:1e:00.0 skipped: no CPU of its socket is online");
}

/* Packages of the UBOXes. */
static const struct {
	uint32_t nodes;
	int online;
	uint8_t bus; /* bus of the table that is used */
} ubox[] = {{IN_ORDER, 0, 0x1E}, {IN_ORDER, 1, 0x3E}, {SWAPPED, 0, 0x3E}, {SWAPPED, 1, 0x1E}};

TEST_LOOP(test_a_table_without_a_node_is_of_the_package_of_the_ubox_of_its_bus, COUNT(ubox))
{
	add_two_sockets();
	add_ubox(0x1F, 0, ubox[_i].nodes);
	add_ubox(0x3E, 1, ubox[_i].nodes);
	take_offline(!ubox[_i].online);
	assert_found(1, 1);
	ck_assert_int_eq(found.units[0].socket, ubox[_i].online);
	ck_assert_uint_eq(found.tables[0].at.bus, ubox[_i].bus);
	assert_warned(1);
	assert_said("skipped: no CPU of its socket is online");
	ck_assert(found.has_offline_socket);
}

TEST_LOOP(test_with_all_sockets_online_the_ubox_decides, 2)
{
	add_two_sockets();
	add_ubox(0x1E, 0, _i ? SWAPPED : IN_ORDER);
	add_ubox(0x3E, 1, _i ? SWAPPED : IN_ORDER);
	assert_found(2, 2);
	ck_assert_int_eq(found.tables[0].socket, _i);
	ck_assert_int_eq(found.tables[1].socket, !_i);
	assert_warned(0);
	ck_assert(!found.has_offline_socket);
}

/* A package with two UBOXes, or one that cannot be read: only the order is left. */
TEST_LOOP(test_uboxes_of_one_package_or_none_say_nothing, 3)
{
	add_two_sockets();
	add_ubox(0x1E, 1, SWAPPED);
	add_ubox(0x3E, _i == 1 ? 7 : 1, SWAPPED);
	if (_i == 2)
		fake.functions[2].unreadable = -EIO;
	assert_found(2, 2);
	ck_assert_int_eq(found.tables[0].socket, 0);
	ck_assert_int_eq(found.tables[1].socket, 1);
}

TEST(test_a_ubox_of_another_domain_or_a_lower_bus_says_nothing)
{
	add_two_sockets();
	add_ubox(0x1D, 0, SWAPPED);
	add_ubox(0x3E, 1, SWAPPED);
	fake.functions[3].info.at.domain = 1;
	assert_found(2, 2);
	ck_assert_int_eq(found.tables[0].socket, 0);
	ck_assert_int_eq(found.tables[1].socket, 1);
}

/* Units of the second IMH of a socket have ids of their own. */
TEST_LOOP(test_tables_of_diamond_rapids_with_the_same_ids_are_of_two_sockets, 2)
{
	struct unit_record records[] = {fake_cxl_record(PMU_CXLCM_DMR, 0),
					fake_cxl_record(PMU_CXLCM_DMR, _i ? 0x8000 : 0)};

	records[1].control += 0x100000;
	take_offline(1);
	for (unsigned t = 0; t < 2; t++) {
		const uint8_t bus = t ? 0x3E : 0x1E;

		fake_discovery(&fake, bus, -1, t ? TABLE_1 : TABLE_0)->info.device = 0x09A1;
		fake_table(&fake, t ? TABLE_1 : TABLE_0, &records[t], 1);
	}
	ck_assert_int_eq(discover_as("dmr"), _i ? 0 : -ENODEV);
	ck_assert_uint_eq(found.table_count, _i ? 2 : 0);
	assert_warned(_i ? 0 : 2);
}

TEST(test_a_unit_s_msrs_are_reached_through_the_first_cpu_of_its_socket)
{

	fake_discovery(&fake, 0x1E, 1, TABLE_0);
	fake_table(&fake, TABLE_0, &cha, 1);
	assert_found(1, 1);
	ck_assert_uint_eq(found.units[0].cpu, 2);
	ck_assert_uint_eq(found.units[0].control, 0x2010);
	ck_assert_uint_eq(found.units[0].registers.control_step, 1);
}

/* Results of records. */

TEST(test_a_unit_is_as_its_record_says)
{
	struct unit_record dp = fake_cxl_record(PMU_CXLDP, 3);

	dp.width = 47;
	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	fake_table(&fake, TABLE_0, &dp, 1);
	assert_found(1, 1);
	const struct unit *unit = &found.units[0];
	ck_assert_str_eq(unit->pmu_type->name, "cxldp");
	ck_assert_uint_eq(unit->type, PMU_CXLDP);
	ck_assert_uint_eq(unit->id, 3);
	ck_assert_int_eq(unit->access, ACCESS_MMIO);
	ck_assert_uint_eq(unit->control, dp.control);
	ck_assert_uint_eq(unit->registers.control_offset, 0x10);
	ck_assert_uint_eq(unit->registers.counter_offset, 0x58);
	ck_assert_uint_eq(unit->counters, 4);
	ck_assert_uint_eq(unit->width, 47);
	ck_assert_uint_eq(unit->registers.control_step, 8);
	ck_assert(!unit->open);
}

/* Before its step was found, a B2CXL was detected but refused. */
TEST(test_a_b2cxl_is_programmed_like_any_other_unit)
{
	const struct unit_record b2cxl = fake_cxl_record(PMU_B2CXL, 0);
	const uint64_t controls[8] = {[1] = 0x1};
	uint64_t *words = fake_memory(&fake, b2cxl.control & ~UINT64_C(0xFFF), 0x1000);

	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	fake_table(&fake, TABLE_0, &b2cxl, 1);
	ck_assert_int_eq(discover_as("gnr"), 0);
	struct unit *unit = &found.units[0];
	ck_assert_int_eq(unit_open(&spy.base, unit, &err), 0);
	ck_assert_int_eq(unit_program(&spy.base, unit, controls, &err), 0);
	ck_assert_uint_eq(words[(b2cxl.control % 0x1000 + b2cxl.control_offset) / 8 + 1], 1);
	unit_close(&spy.base, unit);
}

TEST(test_a_pci_unit_lies_where_its_packed_address_says)
{
	struct unit_record m2m = fake_cxl_record(PMU_M2M, 0);

	m2m.access = ACCESS_PCI;
	m2m.control = 0xD7F63438;
	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	fake_table(&fake, TABLE_0, &m2m, 1);
	assert_found(1, 1);
	ck_assert_uint_eq(found.units[0].control, 0x438);
	ck_assert_uint_eq(found.units[0].pci.domain, 5);
	ck_assert_uint_eq(found.units[0].pci.bus, 0x7F);
	ck_assert_uint_eq(found.units[0].pci.device, 12);
	ck_assert_uint_eq(found.units[0].pci.function, 3);
	ck_assert_uint_eq(found.units[0].registers.control_step, 8);
}

TEST(test_a_unit_of_an_unknown_type_has_no_pmu_type_and_no_step)
{
	struct unit_record odd = fake_cxl_record(99, 1);

	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	fake_table(&fake, TABLE_0, &odd, 1);
	assert_found(1, 1);
	ck_assert_ptr_null(found.units[0].pmu_type);
	ck_assert_uint_eq(found.units[0].registers.control_step, 0);
}

TEST(test_units_are_sorted_by_type_and_id_within_their_table)
{
	static const uint16_t order[][2] = {{PMU_CXLDP, 3}, {PMU_CXLCM, 16}, {PMU_CXLDP, 17},
					    {PMU_CXLCM, 2}, {PMU_CXLCM, 4},  {PMU_CXLDP, 5}};
	static const uint16_t sorted[][2] = {{PMU_CXLCM, 2}, {PMU_CXLCM, 4}, {PMU_CXLCM, 16},
					     {PMU_CXLDP, 3}, {PMU_CXLDP, 5}, {PMU_CXLDP, 17}};
	struct unit_record records[COUNT(order)];

	for (int i = 0; i < COUNT(order); i++)
		records[i] = fake_cxl_record(order[i][0], order[i][1]);
	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	fake_table(&fake, TABLE_0, records, COUNT(order));
	fake_discovery(&fake, 0x3E, 1, TABLE_1);
	fake_table(&fake, TABLE_1, records, COUNT(order));
	assert_found(2, 2 * COUNT(order));
	for (int i = 0; i < 2 * COUNT(order); i++) {
		ck_assert_int_eq(found.units[i].socket, i / COUNT(order));
		ck_assert_uint_eq(found.units[i].type, sorted[i % COUNT(order)][0]);
		ck_assert_uint_eq(found.units[i].id, sorted[i % COUNT(order)][1]);
	}
}

/* Makes one record for each fault, in the order of enum record_fault, and a unit before it. */
static void make_faulty(struct unit_record *records)
{
	for (uint16_t i = 0; i < RECORD_FAULTS; i++)
		records[i] = fake_cxl_record(PMU_CXLCM, i);
	records[RECORD_EMPTY].control = 0;
	records[RECORD_NO_OFFSET].counter_offset = 0;
	records[RECORD_BAD_ACCESS].access = 3;
	records[RECORD_BAD_ADDRESS].access = ACCESS_PCI;
	records[RECORD_BAD_ADDRESS].control = 0x438;
	records[RECORD_BAD_SHAPE].counters = 0;
	records[RECORD_DUPLICATE] = records[RECORD_VALID];
	records[RECORD_IGNORED].type = PMU_UPI;
}

TEST(test_records_of_each_fault_are_counted_and_left_out)
{
	struct unit_record records[RECORD_FAULTS];

	make_faulty(records);
	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	fake_table(&fake, TABLE_0, records, RECORD_FAULTS);
	assert_found(1, 1);
	for (unsigned f = 0; f < RECORD_FAULTS; f++)
		ck_assert_uint_eq(found.tables[0].faults[f], 1);
	ck_assert_uint_eq(found.units[0].id, 0);
	ck_assert_uint_eq(spy_remarks(&spy, LEVEL_DETAIL), RECORD_FAULTS - 1);
	assert_warned(0);
}

/* Counter controls of the type are 8 bytes apart, and are written 8 bytes at a time. */
TEST(test_a_record_that_splits_the_controls_of_its_pmu_type_is_left_out)
{
	struct unit_record records[3] = {
		fake_cxl_record(PMU_CXLCM, 0),
		fake_cxl_record(PMU_CXLCM, 1),
		fake_cxl_record(PMU_IMC, 2),
	};

	records[1].control_offset = 0x14;
	records[2].control_offset = 0x14;
	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	fake_table(&fake, TABLE_0, records, 3);
	assert_found(1, 2);
	ck_assert_uint_eq(found.tables[0].faults[RECORD_BAD_ADDRESS], 1);
	ck_assert_uint_eq(found.units[0].type, PMU_IMC);
	ck_assert_uint_eq(found.units[1].id, 0);
}

TEST(test_of_a_repeated_unit_the_first_record_counts)
{
	struct unit_record records[3];

	for (unsigned i = 0; i < 3; i++) {
		records[i] = fake_cxl_record(PMU_CXLCM, 2);
		records[i].control += 0x1000 * i;
	}
	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	fake_table(&fake, TABLE_0, records, 3);
	assert_found(1, 1);
	ck_assert_uint_eq(found.tables[0].faults[RECORD_DUPLICATE], 2);
	ck_assert_uint_eq(found.units[0].control, records[0].control);
}

TEST(test_the_same_unit_on_another_die_is_no_duplicate)
{
	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	add_table(TABLE_0, 2);
	fake_discovery(&fake, 0x3E, 0, TABLE_1);
	add_table(TABLE_1, 2);
	assert_found(2, 4);
	ck_assert_uint_eq(found.tables[1].faults[RECORD_DUPLICATE], 0);
}

TEST(test_upi_records_are_units_where_the_model_trusts_them)
{
	const struct unit_record upi = fake_cxl_record(PMU_UPI, 0);

	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	fake_table(&fake, TABLE_0, &upi, 1);
	ck_assert_int_eq(discover_as("gnr"), 0);
	ck_assert_uint_eq(found.unit_count, 1);
}

/* Adds two sockets, with UPI links 0 and 2 on the first and 1 on the second. */
static void add_upi_functions(int first_node, int second_node)
{
	static const struct pci_location at[] = {
		{.bus = 0x1E, .device = 3, .function = 1},
		{.bus = 0x1E, .device = 1, .function = 1},
		{.bus = 0x3E, .device = 2, .function = 1},
		/* other functions: not a link, another function number, and another device id */
		{.bus = 0x1E, .device = 5, .function = 1},
		{.bus = 0x1E, .device = 2, .function = 0},
		{.bus = 0x3E, .device = 3, .function = 1},
	};

	for (size_t i = 0; i < COUNT_OF(at); i++) {
		struct fake_function *f = fake_function(&fake, at[i].bus, 0x8086,
							i == COUNT_OF(at) - 1 ? 0x3242 : 0x3241);

		f->info.at = at[i];
		f->info.numa_node = at[i].bus == 0x1E ? first_node : second_node;
	}
	fake_discovery(&fake, 0x1F, first_node, TABLE_0);
	add_table(TABLE_0, 1);
	fake_discovery(&fake, 0x3F, second_node, TABLE_1);
	add_table(TABLE_1, 1);
}

static void assert_upi(const struct unit *unit, int socket, uint16_t id, uint8_t bus)
{
	ck_assert_uint_eq(unit->type, PMU_UPI);
	ck_assert_int_eq(unit->socket, socket);
	ck_assert_uint_eq(unit->id, id);
	ck_assert_uint_eq(unit->pci.bus, bus);
	ck_assert_uint_eq(unit->pci.device, id + 1);
	ck_assert_uint_eq(unit->pci.function, 1);
	ck_assert_int_eq(unit->access, ACCESS_PCI);
	ck_assert_uint_eq(unit->control, 0x318);
	ck_assert_uint_eq(unit_counter_control(unit, 3).address, 0x368);
	ck_assert_uint_eq(unit_counter(unit, 3).address, 0x338);
	ck_assert_uint_eq(unit->counters, 4);
	ck_assert_uint_eq(unit->width, 48);
	ck_assert_uint_eq(unit->usable, 0xF);
}

/* By NUMA node; without nodes, by the order of buses. */
TEST_LOOP(test_upi_units_of_sapphire_rapids_are_functions_by_bus, 2)
{
	add_upi_functions(_i ? 1 : -1, _i ? 0 : -1);
	assert_found(2, 5);
	const int first = _i ? 1 : 0;
	for (unsigned i = 0, upi = 0; i < 5; i++) {
		const struct unit *unit = &found.units[i];

		if (unit->type != PMU_UPI)
			continue;
		assert_upi(unit, unit->socket, unit->socket == first ? (upi ? 2 : 0) : 1,
			   unit->socket == first ? 0x1E : 0x3E);
		upi += unit->socket == first;
	}
}

TEST(test_upi_functions_of_an_unknown_socket_are_no_units)
{
	struct fake_function *f;

	add_upi_functions(-1, -1);
	/* a third bus, whose socket is unknown */
	f = fake_function(&fake, 0x5E, 0x8086, 0x3241);
	f->info.at = (struct pci_location){.bus = 0x5E, .device = 1, .function = 1};
	f->info.numa_node = -1;
	assert_found(2, 2);
}

TEST(test_upi_functions_of_a_bus_are_of_the_package_of_its_ubox)
{
	add_upi_functions(-1, -1);
	add_ubox(0x1F, 0, SWAPPED);
	add_ubox(0x3F, 1, SWAPPED);
	take_offline(1);
	assert_found(1, 2);
	ck_assert_uint_eq(found.units[0].type, PMU_UPI);
	assert_upi(&found.units[0], 0, 1, 0x3E);
}

TEST(test_a_table_of_invalid_records_only_is_no_unit)
{
	memset(add_table(TABLE_0, 2) + FAKE_STRIDE, 0, 2 * RECORD_SIZE);
	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	assert_refused(-ENODEV, ERROR_NO_UNIT);
}

/* Tables that cannot be trusted. */

TEST(test_beside_an_unusable_table_the_other_is_used)
{
	add_table(TABLE_0, 2)[0] = UINT64_MAX;
	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	add_table(TABLE_1, 3);
	fake_discovery(&fake, 0x3E, 1, TABLE_1);
	assert_found(1, 3);
	assert_warned(1);
	ck_assert_int_eq(found.tables[0].socket, 1);
	ck_assert_int_eq(found.units[0].socket, 1);
}

TEST(test_the_smallest_stride_that_holds_a_record_is_used)
{
	uint64_t *words = fake_memory(&fake, TABLE_0, 9 * 8);
	const struct unit_record records[] = {fake_cxl_record(PMU_CXLCM, 2),
					      fake_cxl_record(PMU_CXLDP, 3)};

	words[0] = 3 << 8 | UINT64_C(2) << 16;
	fake_record(words + 3, &records[0]);
	fake_record(words + 6, &records[1]);
	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	assert_found(1, 2);
}

/* BAR sizes in bytes, and how many records of a table of four are within; 0: unknown. */
static const struct {
	uint64_t bar_size;
	size_t units;
} sizes[] = {
	{0, 4},
	{5 * RECORD_SIZE, 4},
	{5 * RECORD_SIZE - 1, 3},
	{3 * RECORD_SIZE, 2},
	{2 * RECORD_SIZE, 1},
	{0x10000, 4},
};

TEST_LOOP(test_just_the_records_that_fit_into_the_bar_are_mapped_and_only_to_read, COUNT(sizes))
{
	fake_discovery(&fake, 0x1E, 0, TABLE_0)->info.bar_size[0] = sizes[_i].bar_size;
	add_table(TABLE_0, 4);
	assert_found(1, sizes[_i].units);
	assert_warned(sizes[_i].units < 4);
	ck_assert_uint_eq(spy.map_phys, TABLE_0);
	ck_assert_uint_eq(spy.map_length, (sizes[_i].units + 1) * RECORD_SIZE);
	ck_assert(!spy.map_writable);
	ck_assert_uint_eq(spy_count(&spy, true), 0);
}

static const uint64_t tiny_bars[] = {2 * RECORD_SIZE - 1, RECORD_SIZE, RECORD_SIZE - 1, 8};

TEST_LOOP(test_a_bar_without_room_for_a_record_is_no_unit, COUNT(tiny_bars))
{
	fake_discovery(&fake, 0x1E, 0, TABLE_0)->info.bar_size[0] = tiny_bars[_i];
	add_table(TABLE_0, 4);
	assert_refused(-ENODEV, ERROR_NO_UNIT);
	assert_warned(1);
}

TEST(test_two_tables_without_records_are_no_unit)
{
	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	add_table(TABLE_0, 0);
	fake_discovery(&fake, 0x3E, 1, TABLE_1);
	add_table(TABLE_1, 0);
	assert_refused(-ENODEV, ERROR_NO_UNIT);
}

static const int map_errors[] = {-EPERM, -ENXIO, -EIO, -EINVAL};

TEST_LOOP(test_a_table_that_can_t_be_mapped_passes_its_error_on, COUNT(map_errors))
{
	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	add_table(TABLE_0, 2);
	fake.map_error = map_errors[_i];
	assert_refused(map_errors[_i], ERROR_PERMISSION);
	ck_assert_str_eq(err.text, "fake: memory is closed");
}

TEST(test_a_first_record_that_can_t_be_read_is_left_out_with_a_warning)
{
	struct fake_function *f = fake_discovery(&fake, 0x1E, 0, TABLE_0);

	add_table(TABLE_0, 2);
	spy.fail_code = -EIO;
	/*
	 * header, entry, table, both halves of the BAR, the header again (is there another entry?),
	 * then the first word of the table
	 */
	spy.fail_read = 7;
	ck_assert_int_eq(f->info.numa_node, 0);
	assert_refused(-ENODEV, ERROR_NO_UNIT);
	assert_warned(1);
}

TEST(test_a_record_that_can_t_be_read_is_a_failure)
{
	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	add_table(TABLE_0, 2);
	spy.fail_code = -EIO;
	spy.fail_read = 5 + DISCOVERY_RECORD_WORDS + 2;
	assert_refused(-EIO, ERROR_FAILED);
}

/* Diamond Rapids: tables of IMHs, named by its own discovery device, and one of each die's CPUs. */

static void add_imh(uint64_t phys, uint16_t first_id)
{
	const struct unit_record records[] = {fake_cxl_record(PMU_CXLCM_DMR, first_id),
					      fake_cxl_record(PMU_MSE, first_id)};
	struct fake_function *f =
		fake_discovery(&fake, (uint8_t)(0x1E + first_id / 0x8000), 0, phys);

	f->info.device = 0x09A1;
	fake_table(&fake, phys, records, COUNT(records));
}

/* Adds the table of a core building block, to which these CPUs' MSR points. */
static void add_cbb(uint64_t phys, unsigned first_cpu, unsigned cpus)
{
	const struct unit_record records[] = {fake_cxl_record(PMU_CBO, 0),
					      fake_cxl_record(PMU_CBO, 1),
					      fake_cxl_record(PMU_SB2UCIE, 0)};
	uint64_t *words = fake_table(&fake, phys, records, COUNT(records));

	words[1] = 0x3000000000;
	for (unsigned cpu = first_cpu; cpu < first_cpu + cpus; cpu++)
		fake.die_tables[cpu] = phys;
}

static void assert_dmr(size_t tables, size_t units)
{
	int rc = discover_as("dmr");

	ck_assert_msg(rc == 0, "%s", err.text);
	ck_assert_uint_eq(found.table_count, tables);
	ck_assert_uint_eq(found.unit_count, units);
}

TEST(test_diamond_rapids_has_a_discovery_device_of_its_own)
{
	add_imh(TABLE_0, 0);
	fake_discovery(&fake, 0x7E, 0, TABLE_1); /* 09A7, which is another device there */
	add_table(TABLE_1, 2);
	assert_dmr(1, 1);
	ck_assert_uint_eq(found.units[0].type, PMU_CXLCM_DMR);
	ck_assert_uint_eq(found.units[0].registers.control_step, 8);
	ck_assert_uint_eq(found.tables[0].faults[RECORD_IGNORED], 1);
	discovery_free(&found);
	assert_found(1, 2);
}

TEST(test_ids_of_the_second_imh_go_on_from_0x8000)
{
	add_imh(TABLE_0, 0);
	add_imh(TABLE_1, 0x8000);
	assert_dmr(2, 2);
	ck_assert_uint_eq(found.units[1].id, 0x8000);
	ck_assert_uint_eq(found.units[1].die, 1);
}

TEST(test_the_msr_of_one_cpu_of_each_die_points_to_its_table)
{
	char source[REG_NAME_SIZE];

	add_imh(TABLE_0, 0);
	add_cbb(TABLE_1, 0, 2);
	add_cbb(TABLE_LOW, 2, 1);
	topology.cpus[3].die = 1; /* a die of socket 1, without a table */
	assert_dmr(3, 5);
	ck_assert_uint_eq(spy_count_space(&spy, REG_MSR), 3);
	ck_assert_str_eq(discovery_table_source(&found.tables[0], source), "0000:1e:00.0");
	ck_assert_str_eq(discovery_table_source(&found.tables[1], source), "cpu 0 msr 0x710");
	ck_assert_str_eq(discovery_table_source(&found.tables[2], source), "cpu 2 msr 0x710");
	ck_assert_uint_eq(found.tables[1].die, 1);
	ck_assert_int_eq(found.tables[2].socket, 1);
	ck_assert_uint_eq(found.tables[2].die, 0);
	ck_assert_uint_eq(found.tables[1].global.control, 0x3000000000);
	ck_assert_uint_eq(found.tables[1].faults[RECORD_IGNORED], 1);
	ck_assert_uint_eq(found.units[3].cpu, 2);
	assert_warned(0);
}

TEST(test_two_dies_that_point_to_one_table_count_its_units_once)
{
	add_imh(TABLE_0, 0);
	add_cbb(TABLE_1, 0, 4);
	assert_dmr(2, 3);
}

TEST(test_tables_of_dies_alone_are_enough)
{
	add_cbb(TABLE_1, 0, 2);
	assert_dmr(1, 2);
}

static const int die_errors[] = {-EPERM, -ENOENT, -EIO};

TEST_LOOP(test_where_the_msr_can_t_be_read_that_is_said_and_other_tables_are_used,
	  COUNT(die_errors))
{
	add_imh(TABLE_0, 0);
	add_cbb(TABLE_1, 0, 4);
	fake.die_tables_error = die_errors[_i];
	assert_dmr(1, 1);
	assert_warned(1);
	ck_assert_ptr_nonnull(strstr(spy_remark(&spy, LEVEL_WARNING), "core building blocks"));
	ck_assert_ptr_nonnull(strstr(spy_remark(&spy, LEVEL_WARNING), "cpu 0 msr 0x710"));
}

TEST(test_no_other_processor_s_msr_is_read)
{
	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	add_table(TABLE_0, 2);
	add_cbb(TABLE_1, 0, 4);
	assert_found(1, 2);
	ck_assert_uint_eq(spy_count_space(&spy, REG_MSR), 0);
}
