/* SPDX-License-Identifier: BSD-3-Clause */
#include "uncore/machine.h"

#include "fake_machine.h"
#include "platform/guard.h"
#include "sim_machine.h"
#include "spy.h"
#include "uncore/devices/cpmus.h"
#include "unit.h"

#define TABLE UINT64_C(0x2000000000)

static struct sim_machine m;

static struct fake_machine fake;
static struct spy spy;
static struct machine machine;
static struct error err;

static void set_up(void)
{
	fake_init(&fake);
	spy_init(&spy, &fake.base);
}

static void tear_down(void)
{
	machine_close(&machine);
	ck_assert_uint_eq(spy.windows, 0);
	platform_destroy(&spy.base);
}

static void open_machine(size_t ports)
{
	int rc = machine_open(&spy.base, &machine, &err);

	ck_assert_msg(rc == 0, "%s", err.text);
	ck_assert_uint_eq(machine.port_count, ports);
}

/* Adds a discovery device with the units of one port. */
static void add_port(void)
{
	const struct unit_record records[] = {fake_cxl_record(PMU_CXLCM, 2),
					      fake_cxl_record(PMU_CXLDP, 3)};

	fake_discovery(&fake, 0x1E, 0, TABLE);
	fake_table(&fake, TABLE, records, COUNT(records));
}

/* Checks that the machine has CPUs, and no uncore for this reason. */
static void assert_cpus_alone(int code, enum error_kind kind)
{
	open_machine(0);
	ck_assert_int_eq(machine.uncore_error.code, code);
	ck_assert_int_eq(machine.uncore_error.kind, kind);
	ck_assert_uint_eq(machine.discovery.unit_count, 0);
	ck_assert_uint_eq(machine.cpu_count, fake.cpu_count);
	ck_assert_uint_eq(machine.socket_count, 2);
	ck_assert_int_eq(machine.sockets[0], 0);
	ck_assert_int_eq(machine.sockets[1], 1);
}

/* Processors. */

static const struct {
	const char *vendor;
	uint32_t signature;
	const char *found;
} strangers[] = {
	{"CentaurHauls", 0x806F0, "CentaurHauls family 6 model 143"},
	{"HygonGenuine", 0xA10F11, "HygonGenuine family 25 model 17"}, /* Genoa's numbers */
	{"", 0x806F0, "this processor (Arm processor, part 0xfff) is not supported"},
};

FIXTURE(set_up, tear_down)

TEST_LOOP(test_a_processor_of_another_vendor_is_refused_and_named, COUNT(strangers))
{
	strcpy(fake.vendor, strangers[_i].vendor);
	fake.signature = strangers[_i].signature;
	add_port();
	ck_assert_int_eq(machine_open(&spy.base, &machine, &err), -ENODEV);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
	ck_assert_msg(strstr(err.text, strangers[_i].found) != NULL, "%s", err.text);
	ck_assert_ptr_null(machine.model);
	/* only the class of a function, which may be a CXL device's */
	ck_assert_uint_eq(spy.access_count, 1);
}

TEST(test_a_table_of_an_offline_socket_shows_that_there_is_one)
{
	fake.cpu_count = 2;
	add_port();
	open_machine(1);
	ck_assert(!machine.topology.has_offline_socket);
	machine_close(&machine);
	fake_discovery(&fake, 0x3E, 1, TABLE + 0x10000000);
	open_machine(1);
	ck_assert(machine.topology.has_offline_socket);
}

/* Ice Lake, one of the family of the Pentium 4, and Phoenix, a Zen 4 */
static const struct {
	const char *vendor;
	uint32_t signature;
	const char *found, *model;
} others[] = {
	{"GenuineIntel", 0x606A6, "GenuineIntel family 6 model 106", "intel"},
	{"GenuineIntel", 0x00F8F, "GenuineIntel family 15 model 8", "intel"},
	{"AuthenticAMD", 0xA70F41, "AuthenticAMD family 25 model 116", "amd"},
};

TEST_LOOP(test_another_processor_of_a_known_vendor_has_its_cpus_and_no_table_is_looked_for,
	  COUNT(others))
{
	strcpy(fake.vendor, others[_i].vendor);
	fake.signature = others[_i].signature;
	add_port();
	assert_cpus_alone(-ENODEV, ERROR_NO_UNIT);
	ck_assert_str_eq(machine.model->short_name, others[_i].model);
	ck_assert_msg(strstr(machine.uncore_error.text, others[_i].found) != NULL, "%s",
		      machine.uncore_error.text);
	/* only the class of a function, which may be a CXL device's */
	ck_assert_uint_eq(spy.access_count, 1);
	ck_assert_uint_eq(spy.accesses[0].address, 0x08);
	ck_assert(!spy.accesses[0].write);
}

TEST(test_tables_that_may_not_be_read_leave_the_cpus)
{
	add_port();
	fake.functions[0].unreadable = -EPERM;
	assert_cpus_alone(-EPERM, ERROR_PERMISSION);
	ck_assert_msg(strstr(machine.uncore_error.text, "CAP_SYS_ADMIN") != NULL, "%s",
		      machine.uncore_error.text);
}

TEST(test_what_breaks_for_another_reason_is_an_error)
{
	fake.list_error = -EIO;
	ck_assert_int_eq(machine_open(&spy.base, &machine, &err), -EIO);
	ck_assert_int_eq(err.kind, ERROR_FAILED);
}

TEST(test_a_machine_without_a_discovery_table_has_its_cpus)
{
	assert_cpus_alone(-ENODEV, ERROR_NO_UNIT);
}

TEST(test_a_machine_without_a_cxl_port_is_one_all_the_same)
{
	struct unit_record imc = fake_cxl_record(PMU_IMC, 0);

	fake_discovery(&fake, 0x1E, 0, TABLE);
	fake_table(&fake, TABLE, &imc, 1);
	open_machine(0);
	ck_assert_uint_eq(machine.discovery.unit_count, 1);
	ck_assert_uint_eq(machine.socket_count, 1);
	ck_assert_int_eq(machine.sockets[0], 0);
}

static void count_warnings(void *context, enum log_level level, const char *text)
{
	(void)text;
	*(unsigned *)context += level == LEVEL_WARNING;
}

/* Tables are not needed if the kernel counts, and only root may read them. */
TEST_LOOP(test_tables_are_warned_of_where_their_units_are_counted_by_registers, 2)
{
	static int (*const open[])(struct platform *, struct machine *,
				   struct error *) = {machine_open, machine_open_perf};
	unsigned warnings = 0;
	struct platform *sim = sim_make("dmr,clock=virtual");
	struct machine opened;
	struct error why;

	sim_set_msr_absent(sim_of(sim), true);
	sim->log = (struct log){.write = count_warnings, .context = &warnings};
	ck_assert_msg(!open[_i](sim, &opened, &why), "%s", why.text);
	ck_assert_uint_eq(warnings, _i ? 0 : 1);
	machine_close(&opened);
}

TEST(test_every_online_cpu_is_a_unit)
{
	add_port();
	open_machine(1);
	ck_assert_uint_eq(machine.cpu_count, fake.cpu_count);
	for (size_t i = 0; i < machine.cpu_count; i++) {
		ck_assert_uint_eq(machine.cpus[i].type, PMU_CORE);
		ck_assert_uint_eq(machine.cpus[i].cpu, fake.cpus[i].cpu);
		ck_assert_int_eq(machine.cpus[i].socket, fake.cpus[i].socket);
		ck_assert(!machine.cpus[i].open);
	}
}

TEST(test_opening_a_machine_writes_no_register_and_touches_no_msr)
{
	add_port();
	open_machine(1);
	ck_assert_str_eq(machine.model->short_name, "spr");
	ck_assert_int_eq(machine.uncore_error.code, 0);
	ck_assert_ptr_eq(machine.platform, &spy.base);
	ck_assert_uint_eq(spy_count(&spy, true), 0);
	ck_assert_uint_eq(spy_count_space(&spy, REG_MSR), 0);
	ck_assert_uint_eq(spy.windows, 0);
}

TEST(test_closing_a_machine_closes_its_units)
{
	add_port();
	fake_memory(&fake, fake_cxl_record(PMU_CXLCM, 2).control, 0x1000);
	open_machine(1);
	ck_assert_int_eq(unit_open(&spy.base, machine.ports[0].cxlcm, &err), 0);
	machine_close(&machine);
	ck_assert_uint_eq(spy.windows, 0);
}

static const struct {
	const char *spec, *name;
} processors[] = {
	{"gnr", "Granite Rapids"},
	{"turin", "Turin"},
	{"intel,cpmu=1", "processor of no known model"},
	{"amd,cpmu=1", "processor of no known model"},
	{"arm,cpmu=1", "Arm processor, part 0xfff"},
};

TEST_LOOP(test_a_processor_that_is_not_known_has_the_name_that_it_has_itself, COUNT(processors))
{
	sim_machine_open(&m, processors[_i].spec);
	ck_assert_str_eq(machine_processor(&m.machine), processors[_i].name);
	*m.machine.cpu.name = '\0';
	ck_assert_str_eq(machine_processor(&m.machine), m.machine.model->name);
}

/* Such as a machine without a PCI bus. */
TEST(test_a_reason_for_neither_units_nor_cpmus_is_said_once)
{
	sim_machine_open(&m, "intel");
	error_set(&m.machine.uncore_error, ERROR_NO_UNIT, -ENODEV, "no units");
	error_set(&m.machine.cpmu_error, ERROR_NO_UNIT, -ENODEV, "no CPMUs");
	ck_assert_int_eq(machine_no_uncore(&m.machine, &err), -ENODEV);
	ck_assert_str_eq(err.text, "no units; no CPMUs");
	m.machine.cpmu_error = m.machine.uncore_error;
	ck_assert_int_eq(machine_no_uncore(&m.machine, &err), -ENODEV);
	ck_assert_str_eq(err.text, "no units");
}

/* Returns the CPUs through which the units of a type are accessed. */
static uint64_t cpus_of_units(const char *spec, uint16_t type)
{
	uint64_t cpus = 0;

	sim_machine_open(&m, spec);
	for (size_t i = 0; i < m.machine.discovery.unit_count; i++) {
		const struct unit *unit = &m.machine.discovery.units[i];

		if (unit->access == ACCESS_MSR && unit->type == type)
			cpus |= UINT64_C(1) << unit->cpu;
	}
	sim_machine_close(&m);
	return cpus;
}

TEST(test_no_isolated_cpu_is_interrupted_where_another_reaches_the_registers)
{
	ck_assert_uint_eq(cpus_of_units("spr,sockets=2,cpus=4", PMU_CHA), 0x11);
	ck_assert_uint_eq(cpus_of_units("spr,sockets=2,cpus=4,isolated=3", PMU_CHA), 0x88);
	ck_assert_uint_eq(cpus_of_units("spr,sockets=2,cpus=4,isolated=4", PMU_CHA), 0x11);
	ck_assert_uint_eq(cpus_of_units("turin,cpus=16", PMU_DF), 1U << 0);
	ck_assert_uint_eq(cpus_of_units("turin,cpus=16,isolated=5", PMU_DF), 1U << 5);
	/* an L3 cache has four CPUs, and only they can access its counters */
	ck_assert_uint_eq(cpus_of_units("turin,cpus=16", PMU_L3), 0x1111);
	ck_assert_uint_eq(cpus_of_units("turin,cpus=16,isolated=5", PMU_L3), 0x1121);
}

TEST(test_cpmus_know_the_steps_of_other_runs)
{
	static const struct undo steps;

	sim_machine_open(&m, "spr,ports=2,cpmu=1");
	machine_set_others(&m.machine, &steps);
	ck_assert_uint_eq(m.machine.cpmu_count, 2);
	for (size_t i = 0; i < 2; i++)
		ck_assert_ptr_eq(m.machine.cpmus[i].others, &steps);
	sim_machine_close(&m);
}

TEST(test_the_user_names_the_cpus_that_are_interrupted)
{
	sim_machine_open(&m, "spr,sockets=2,cpus=4,isolated=2");
	struct topology *topology = &m.machine.topology;

	ck_assert_int_eq(topology_reader_cpu(topology, 0), 2);
	ck_assert_int_eq(topology_reader_cpu(topology, 1), 6);
	ck_assert(topology_name_readers(topology, "1,3"));
	ck_assert_int_eq(topology_reader_cpu(topology, 0), 1);
	ck_assert_int_eq(topology_reader_cpu(topology, 1), 6);
	ck_assert(!topology_name_readers(topology, "8-99"));
	sim_machine_close(&m);
}
