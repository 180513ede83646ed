/* SPDX-License-Identifier: BSD-3-Clause */
/* Units of a port, and its number, on machines that are opened. */
#include "uncore/devices/ports.h"

#include "fake_machine.h"
#include "sim_machine.h"
#include "unit.h"

#define TABLE_0 UINT64_C(0x2000000000)
#define TABLE_1 UINT64_C(0x2010000000)

#define MAX_IDS 6

static struct sim_machine m;

static struct fake_machine fake;
static struct machine machine;
static struct error err;

static void set_up(void)
{
	fake_init(&fake);
}

static void tear_down(void)
{
	machine_close(&machine);
	platform_destroy(&fake.base);
}

FIXTURE(set_up, tear_down)

static void open_machine(size_t ports)
{
	int rc = machine_open(&fake.base, &machine, &err);

	ck_assert_msg(rc == 0, "%s", err.text);
	ck_assert_uint_eq(machine.port_count, ports);
}

/* Adds a discovery device with CXLCMs and CXLDPs of these ids; each list ends with 0. */
static void add_die(uint8_t bus, int node, uint64_t phys, const uint16_t *cms, const uint16_t *dps)
{
	struct unit_record records[2 * MAX_IDS];
	size_t n = 0;

	for (size_t i = 0; i < MAX_IDS && cms[i]; i++)
		records[n++] = fake_cxl_record(PMU_CXLCM, cms[i]);
	for (size_t i = 0; i < MAX_IDS && dps[i]; i++)
		records[n++] = fake_cxl_record(PMU_CXLDP, dps[i]);
	fake_discovery(&fake, bus, node, phys);
	fake_table(&fake, phys, records, n);
}

static void assert_port(size_t p, int socket, unsigned number, unsigned cm, unsigned dp)
{
	const struct port *port = &machine.ports[p];

	ck_assert_int_eq(port->socket, socket);
	ck_assert_uint_eq(port->number, number);
	ck_assert_uint_eq(port->cxlcm ? port->cxlcm->id : 0, cm);
	ck_assert_uint_eq(port->cxldp ? port->cxldp->id : 0, dp);
	if (port->cxlcm)
		ck_assert_uint_eq(port->cxlcm->type, PMU_CXLCM);
	if (port->cxldp)
		ck_assert_uint_eq(port->cxldp->type, PMU_CXLDP);
}

static const struct {
	uint16_t cms[MAX_IDS], dps[MAX_IDS];
	size_t ports;
	struct {
		uint16_t cm, dp;
	} pairs[MAX_IDS];
} pairings[] = {
	/* as many of both: the nth belongs to the nth, whatever the ids and their order */
	{{2, 4}, {3, 5}, 2, {{2, 3}, {4, 5}}},
	{{16, 8, 2}, {9, 3, 17}, 3, {{2, 3}, {8, 9}, {16, 17}}},
	{{1, 2}, {1, 2}, 2, {{1, 1}, {2, 2}}},
	{{2, 4}, {9, 11}, 2, {{2, 9}, {4, 11}}},
	/* a CXLDP is missing: first, in the middle, last, all */
	{{2, 4, 6}, {5, 7}, 3, {{2, 0}, {4, 5}, {6, 7}}},
	{{2, 4, 6}, {3, 7}, 3, {{2, 3}, {4, 0}, {6, 7}}},
	{{2, 4, 6}, {3, 5}, 3, {{2, 3}, {4, 5}, {6, 0}}},
	{{2, 4}, {0}, 2, {{2, 0}, {4, 0}}},
	/* a CXLCM is missing */
	{{4, 6}, {3, 5, 7}, 3, {{0, 3}, {4, 5}, {6, 7}}},
	{{2, 6}, {3, 5, 7}, 3, {{2, 3}, {0, 5}, {6, 7}}},
	{{2, 4}, {3, 5, 7}, 3, {{2, 3}, {4, 5}, {0, 7}}},
	{{0}, {3, 5}, 2, {{0, 3}, {0, 5}}},
	/* none belongs to another */
	{{2, 4, 6}, {9, 11}, 5, {{2, 0}, {4, 0}, {6, 0}, {0, 9}, {0, 11}}},
};

TEST_LOOP(test_cxlcms_and_cxldps_pair_and_one_left_alone_is_a_port, COUNT(pairings))
{
	add_die(0x1E, 0, TABLE_0, pairings[_i].cms, pairings[_i].dps);
	open_machine(pairings[_i].ports);
	for (unsigned p = 0; p < pairings[_i].ports; p++)
		assert_port(p, 0, p, pairings[_i].pairs[p].cm, pairings[_i].pairs[p].dp);
}

TEST(test_the_number_of_another_processors_cxlcm_is_no_port)
{
	const struct unit_record other = fake_cxl_record(PMU_CXLCM_DMR, 2);

	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	fake_table(&fake, TABLE_0, &other, 1);
	open_machine(0);
	ck_assert_uint_eq(machine.discovery.unit_count, 1);
}

TEST(test_each_socket_numbers_its_ports_from_0)
{
	add_die(0x1E, 1, TABLE_0, (const uint16_t[]){2, 4, 0}, (const uint16_t[]){3, 5, 0});
	add_die(0x3E, 0, TABLE_1, (const uint16_t[]){8, 0}, (const uint16_t[]){9, 0});
	open_machine(3);
	assert_port(0, 0, 0, 8, 9);
	assert_port(1, 1, 0, 2, 3);
	assert_port(2, 1, 1, 4, 5);
	ck_assert_uint_eq(machine.socket_count, 2);
	ck_assert_int_eq(machine.sockets[0], 0);
	ck_assert_int_eq(machine.sockets[1], 1);
}

TEST(test_port_numbers_go_on_from_die_to_die)
{
	add_die(0x1E, 0, TABLE_0, (const uint16_t[]){4, 6, 0}, (const uint16_t[]){5, 7, 0});
	add_die(0x3E, 0, TABLE_1, (const uint16_t[]){2, 6, 0}, (const uint16_t[]){3, 7, 0});
	open_machine(4);
	assert_port(0, 0, 0, 4, 5);
	assert_port(1, 0, 1, 6, 7);
	assert_port(2, 0, 2, 2, 3);
	assert_port(3, 0, 3, 6, 7);
	for (size_t p = 0; p < 4; p++) {
		ck_assert_uint_eq(machine.ports[p].cxlcm->die, p / 2);
		ck_assert_uint_eq(machine.ports[p].cxldp->die, p / 2);
	}
	ck_assert_uint_eq(machine.socket_count, 1);
}

/* The kernel also names a unit only by its id if no die repeats it. */
TEST(test_ids_that_no_die_repeats_number_the_ports_of_a_socket)
{
	add_die(0x1E, 0, TABLE_0, (const uint16_t[]){6, 16, 0}, (const uint16_t[]){7, 17, 0});
	add_die(0x3E, 0, TABLE_1, (const uint16_t[]){2, 8, 0}, (const uint16_t[]){0});
	open_machine(4);
	assert_port(0, 0, 0, 2, 0);
	assert_port(1, 0, 1, 6, 7);
	assert_port(2, 0, 2, 8, 0);
	assert_port(3, 0, 3, 16, 17);
}

TEST(test_units_of_two_dies_never_pair)
{
	add_die(0x1E, 0, TABLE_0, (const uint16_t[]){2, 0}, (const uint16_t[]){0});
	add_die(0x3E, 0, TABLE_1, (const uint16_t[]){0}, (const uint16_t[]){3, 0});
	open_machine(2);
	assert_port(0, 0, 0, 2, 0);
	assert_port(1, 0, 1, 0, 3);
}

TEST(test_a_socket_without_ports_is_listed)
{
	struct unit_record imc = fake_cxl_record(PMU_IMC, 0);

	fake_discovery(&fake, 0x1E, 0, TABLE_0);
	fake_table(&fake, TABLE_0, &imc, 1);
	add_die(0x3E, 1, TABLE_1, (const uint16_t[]){2, 0}, (const uint16_t[]){3, 0});
	open_machine(1);
	assert_port(0, 1, 0, 2, 3);
	ck_assert_uint_eq(machine.socket_count, 2);
	ck_assert_int_eq(machine.sockets[0], 0);
	ck_assert_int_eq(machine.sockets[1], 1);
}

/* Each of five dies has some of the units: ids of CHAs continue, ids of ports begin again. */
TEST(test_ports_of_diamond_rapids_are_cxlcms_alone)
{
	sim_machine_open(&m, "dmr,sockets=2,ports=3,clock=virtual");
	ck_assert_uint_eq(m.machine.port_count, 6);
	for (size_t i = 0; i < 6; i++) {
		const struct port *port = &m.machine.ports[i];

		ck_assert_int_eq(port->socket, (int)i / 3);
		ck_assert_uint_eq(port->number, i % 3);
		ck_assert_uint_eq(port->cxlcm->id, i % 3 ? 0x8000 + i % 3 - 1 : 0);
		ck_assert_ptr_null(port->cxldp);
		ck_assert_ptr_nonnull(port->device);
	}
}

TEST(test_ports_of_simulated_dies_have_numbers_of_their_own)
{
	static const uint16_t ids[] = {2, 4, 2, 2, 4, 2, 2};
	static const unsigned dies[] = {0, 0, 1, 2, 2, 3, 4};

	sim_machine_open(&m, "gnr,sockets=2,dies=5,ports=7,chas=10");
	machine = m.machine;
	ck_assert_uint_eq(machine.discovery.table_count, 10);
	ck_assert_uint_eq(machine.port_count, 2 * COUNT(ids));
	for (unsigned p = 0; p < 2 * COUNT(ids); p++) {
		const unsigned i = p % COUNT(ids);

		assert_port(p, (int)p / COUNT(ids), i, ids[i], ids[i] + 1U);
		ck_assert_uint_eq(machine.ports[p].cxlcm->die, dies[i]);
	}
	for (size_t u = 0, id = 0; u < machine.discovery.unit_count; u++)
		if (machine.discovery.units[u].type == PMU_CHA)
			ck_assert_uint_eq(machine.discovery.units[u].id, id++ % 10);
	memset(&machine, 0, sizeof(machine));
}
