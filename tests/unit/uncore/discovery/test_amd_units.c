/* SPDX-License-Identifier: BSD-3-Clause */
/* The units of an AMD processor, from CPUID and the topology. */
#include "uncore/discovery/amd_units.h"

#include "fake_machine.h"
#include "platform/cpus.h"
#include "sim/sim.h"
#include "spy.h"
#include "tests/register_kinds.h"
#include "uncore/machine.h"
#include "uncore/units/amd_unit.h"
#include "unit.h"

#define CORE UINT32_C(0x00800000)
#define DF   UINT32_C(0x01000000)
#define L3   UINT32_C(0x10000000)

static struct fake_machine fake;
static struct spy spy;
static struct machine machine;
static struct error err;

static void set_up(void)
{
	fake_init_turin(&fake);
	spy_init(&spy, &fake.base);
}

static void tear_down(void)
{
	machine_close(&machine);
	platform_destroy(&spy.base);
}

static const struct unit *find(int socket, uint16_t type, unsigned id)
{
	for (size_t i = 0; i < machine.discovery.unit_count; i++) {
		const struct unit *unit = &machine.discovery.units[i];

		if (unit->socket == socket && unit->type == type && unit->id == id)
			return unit;
	}
	return NULL;
}

static unsigned counters_of(int socket, uint16_t type, unsigned id)
{
	const struct unit *unit = find(socket, type, id);

	return unit ? unit->counters : 0;
}

FIXTURE(set_up, tear_down)

TEST(test_each_socket_has_a_data_fabric_its_l3s_and_active_memory_controllers)
{
	static const struct {
		uint16_t type;
		unsigned id;
		uint64_t control;
		unsigned counters;
	} units[] = {
		{PMU_DF, 0, AMD_DF(0), 16},	{PMU_L3, 0, AMD_L3(0), 6},
		{PMU_L3, 1, AMD_L3(0), 6},	{PMU_UMC, 0, AMD_UMC(0, 0), 4},
		{PMU_UMC, 1, AMD_UMC(1, 0), 4},
	};

	ck_assert_int_eq(machine_open(&spy.base, &machine, &err), 0);
	ck_assert_int_eq(machine.uncore_error.code, 0);
	ck_assert_uint_eq(machine.discovery.unit_count, 2 * COUNT_OF(units));
	for (size_t i = 0; i < 2 * COUNT_OF(units); i++) {
		const size_t k = i % COUNT_OF(units);
		const int socket = (int)(i / COUNT_OF(units));
		const struct unit *unit = find(socket, units[k].type, units[k].id);

		ck_assert_ptr_nonnull(unit);
		ck_assert_uint_eq(unit->control, units[k].control);
		ck_assert_uint_eq(unit->counters, units[k].counters);
		ck_assert_uint_eq(unit->width, 48);
	}
	ck_assert_uint_eq(spy.access_count, 0); /* CPUID has everything */
}

TEST(test_an_l3_is_reached_by_the_cpus_that_share_it_alone)
{
	ck_assert_int_eq(machine_open(&spy.base, &machine, &err), 0);
	for (size_t i = 0; i < machine.topology.count; i++) {
		const struct cpu_location *cpu = &machine.topology.cpus[i];

		for (unsigned id = 0; id < 2; id++)
			ck_assert_int_eq(unit_reached_by(find(1, PMU_L3, id), cpu),
					 cpu->cpu == 2 + id);
		ck_assert_int_eq(unit_reached_by(find(1, PMU_DF, 0), cpu), cpu->socket == 1);
		ck_assert_int_eq(unit_reached_by(find(1, PMU_UMC, 1), cpu), cpu->socket == 1);
	}
}

TEST(test_cpus_that_share_an_l3_are_one_unit)
{
	for (unsigned i = 0; i < 4; i++)
		fake.cpus[i].l3 = (int)(i / 2);
	ck_assert_int_eq(machine_open(&spy.base, &machine, &err), 0);
	ck_assert_ptr_nonnull(find(0, PMU_L3, 0));
	ck_assert_ptr_null(find(0, PMU_L3, 1));
	ck_assert_uint_eq(find(1, PMU_L3, 0)->cpu, 2);
}

TEST(test_an_l3_whose_number_is_not_known_is_left_out)
{
	for (unsigned i = 0; i < 4; i++)
		fake.cpus[i].l3 = -1;
	ck_assert_int_eq(machine_open(&spy.base, &machine, &err), 0);
	ck_assert_ptr_null(find(0, PMU_L3, 0));
	ck_assert_ptr_nonnull(find(0, PMU_DF, 0));
}

/* CPUID of processors, and the counters that are found. */
static const struct {
	uint32_t highest, features, v2, ebx, umcs;
	unsigned df, l3, umc, second_umc;
} processors[] = {
	{0x80000022, DF | L3, 1, 16 << 10 | 48 << 16, 0xFFF, 16, 6, 4, 4},
	{0x80000022, DF | L3, 1, 8 << 10 | 4 << 16, 0x800, 8, 6, 4, 0},
	{0x80000022, DF | L3, 1, 16 << 10 | 64 << 16, 0xFFFF, 16, 6, 4, 4}, /* eight bits */
	{0x80000022, DF | L3, 1, 16 << 10 | 128 << 16, UINT32_MAX, 16, 6, 4, 4},
	/* 51 per controller, of which 32 are used */
	{0x80000022, DF | L3, 1, 16 << 10 | 255 << 16 | 1U << 24, 0x1F, 16, 6, 32, 32},
	{0x80000022, DF | L3, 1, 16 << 10, 0, 16, 6, 0, 0},
	{0x80000022, DF | L3, 0, 16 << 10 | 48 << 16, 0xFFF, 4, 6, 0, 0}, /* before PerfMonV2 */
	{0x80000021, DF | L3, 1, 16 << 10 | 48 << 16, 0xFFF, 4, 6, 0, 0},
	{0x80000022, DF, 1, 16 << 10, 0, 16, 0, 0, 0},
	{0x80000022, L3, 1, 16 << 10, 0, 0, 6, 0, 0},
};

TEST_LOOP(test_there_are_as_many_counters_as_cpuid_says, COUNT_OF(processors))
{
	fake_leaf(&fake, 0x80000000)[0] = processors[_i].highest;
	fake_leaf(&fake, 0x80000001)[2] = processors[_i].features;
	fake_leaf(&fake, 0x80000022)[0] = processors[_i].v2;
	fake_leaf(&fake, 0x80000022)[1] = processors[_i].ebx;
	fake_leaf(&fake, 0x80000022)[2] = processors[_i].umcs;
	ck_assert_int_eq(machine_open(&spy.base, &machine, &err), 0);
	ck_assert_int_eq(machine.uncore_error.code, 0);
	for (int socket = 0; socket < 2; socket++) {
		ck_assert_uint_eq(counters_of(socket, PMU_DF, 0), processors[_i].df);
		ck_assert_uint_eq(counters_of(socket, PMU_L3, 0), processors[_i].l3);
		ck_assert_uint_eq(counters_of(socket, PMU_UMC, 0), processors[_i].umc);
		ck_assert_uint_eq(counters_of(socket, PMU_UMC, 1), processors[_i].second_umc);
	}
}

TEST_LOOP(test_a_guest_without_counters_has_no_unit_and_is_told_to_use_the_host, 2)
{
	fake_leaf(&fake, 0x80000001)[2] = _i ? CORE : 0;
	fake_leaf(&fake, 0x80000022)[0] = 0;
	ck_assert_int_eq(machine_open(&spy.base, &machine, &err), 0);
	ck_assert_int_eq(machine.uncore_error.code, -ENODEV);
	ck_assert_int_eq(machine.uncore_error.kind, ERROR_NO_UNIT);
	assert_contains(machine.uncore_error.text, "virtual machine");
	assert_contains(machine.uncore_error.text, "run cxlmon on the host");
	ck_assert_uint_eq(machine.port_count, 0);
	ck_assert_uint_eq(machine.cpu_count, 4);
	ck_assert_uint_eq(spy.access_count, 0);
}

TEST(test_turin_has_four_ports_a_socket_on_its_data_fabric)
{
	ck_assert_int_eq(machine_open(&spy.base, &machine, &err), 0);
	ck_assert_uint_eq(machine.port_count, 8);
	for (size_t i = 0; i < 8; i++) {
		ck_assert_int_eq(machine.ports[i].socket, (int)(i / 4));
		ck_assert_uint_eq(machine.ports[i].number, i % 4);
		ck_assert_ptr_eq(machine.ports[i].df, find((int)(i / 4), PMU_DF, 0));
		ck_assert_ptr_null(machine.ports[i].cxlcm);
		ck_assert_ptr_null(machine.ports[i].name);
	}
}

/* Makes two nodes in socket 0, and one, of two CPUs, in socket 1. */
static void set_nodes(void)
{
	fake_leaf(&fake, 0x80000001)[2] |= UINT32_C(1) << 22; /* topology extensions */
	for (unsigned cpu = 0; cpu < 4; cpu++)
		fake.amd_nodes[cpu] = (uint8_t)(cpu < 2 ? cpu : 2);
}

TEST(test_each_node_of_a_socket_has_a_data_fabric_and_memory_controllers)
{
	set_nodes();
	ck_assert_int_eq(machine_open(&spy.base, &machine, &err), 0);
	ck_assert_uint_eq(machine.discovery.unit_count, 3 * (1 + 2) + 4);
	for (unsigned node = 0; node < 2; node++) {
		ck_assert_uint_eq(find(0, PMU_DF, node)->cpu, node);
		ck_assert_uint_eq(find(0, PMU_UMC, 2 * node + 1)->cpu, node);
		ck_assert_uint_eq(find(0, PMU_UMC, 2 * node + 1)->control, 0xC0010808);
	}
	ck_assert_ptr_null(find(1, PMU_DF, 1));
	for (size_t i = 0; i < machine.topology.count; i++) {
		const struct cpu_location *cpu = &machine.topology.cpus[i];

		ck_assert_int_eq(unit_reached_by(find(0, PMU_DF, 1), cpu), cpu->cpu == 1);
		ck_assert_int_eq(unit_reached_by(find(0, PMU_UMC, 0), cpu), cpu->cpu == 0);
		ck_assert_int_eq(unit_reached_by(find(1, PMU_DF, 0), cpu), cpu->socket == 1);
	}
}

TEST(test_the_ports_of_a_second_node_go_on_counting)
{
	set_nodes();
	ck_assert_int_eq(machine_open(&spy.base, &machine, &err), 0);
	ck_assert_uint_eq(machine.port_count, 12);
	for (unsigned i = 0; i < 8; i++) {
		ck_assert_int_eq(machine.ports[i].socket, 0);
		ck_assert_uint_eq(machine.ports[i].number, i);
		ck_assert_uint_eq(machine.ports[i].df_event, i % 4);
		ck_assert_ptr_eq(machine.ports[i].df, find(0, PMU_DF, i / 4));
	}
	ck_assert_uint_eq(machine.ports[8].number, 0);
}

/* PMUs of a kernel that knows only sockets: socket 0 has two nodes. */
TEST(test_data_fabrics_that_the_kernel_does_not_count_on_are_said)
{
	struct unit units[] = {{.type = PMU_DF, .socket = 0},
			       {.type = PMU_L3, .socket = 0},
			       {.type = PMU_DF, .socket = 1},
			       {.type = PMU_DF, .socket = 0, .id = 1}};
	struct discovery kernels = {.units = units, .unit_count = 3};

	set_nodes();
	ck_assert_int_eq(machine_open(&spy.base, &machine, &err), 0);
	amd_units_report_missing(&spy.base, &machine.topology, &kernels);
	ck_assert_uint_eq(spy_remarks(&spy, LEVEL_WARNING), 1);
	kernels.unit_count = 4;
	amd_units_report_missing(&spy.base, &machine.topology, &kernels);
	ck_assert_uint_eq(spy_remarks(&spy, LEVEL_WARNING), 1);
}

/* An L3's CPUs are on one node; without topology extensions, CPUID has no nodes. */
TEST_LOOP(test_without_nodes_a_socket_has_one_data_fabric, 2)
{
	set_nodes();
	if (_i)
		fake_leaf(&fake, 0x80000001)[2] &= ~(UINT32_C(1) << 22);
	else
		fake.cpus[1].l3 = fake.cpus[0].l3;
	ck_assert_int_eq(machine_open(&spy.base, &machine, &err), 0);
	ck_assert_ptr_null(find(0, PMU_DF, 1));
	ck_assert(!find(0, PMU_DF, 0)->l3_scoped);
	ck_assert_uint_eq(machine.port_count, 8);
}

TEST_LOOP(test_stepping_a0_of_venice_is_known_by_its_model, 3)
{
	static const struct {
		uint32_t signature;
		const char *name;
	} steppings[] = {{0xB50F00, "venice-a0"}, {0xB50F10, "venice"}, {0xB50F70, "venice"}};

	fake.signature = steppings[_i].signature;
	ck_assert_int_eq(machine_open(&spy.base, &machine, &err), 0);
	ck_assert_str_eq(machine.model->short_name, steppings[_i].name);
	ck_assert_int_eq(machine.model->wrong_metric != NULL, _i == 0);
}

TEST_LOOP(test_venice_has_16_ccms_and_genoa_has_no_ports, 2)
{
	static const struct {
		uint32_t signature;
		size_t ports;
	} models[] = {{0xB50F00, 32}, {0xA10F11, 0}};

	fake.signature = models[_i].signature;
	ck_assert_int_eq(machine_open(&spy.base, &machine, &err), 0);
	ck_assert_uint_eq(machine.port_count, models[_i].ports);
	for (size_t i = 0; i < machine.port_count; i++)
		ck_assert_str_eq(machine.ports[i].name, "ccm");
}

/* The kernel has one PMU for all L3s, and numbers memory controllers through all sockets. */
TEST(test_units_of_the_kernel_have_the_ids_that_registers_have)
{
	static const char spec[] = "turin,sockets=2,cpus=12,imcs=3,clock=virtual";
	struct platform *p = sim_make(spec);
	struct machine perf = {.platform = NULL};

	ck_assert_int_eq(machine_open(p, &machine, &err), 0);
	ck_assert_int_eq(machine_open_perf(p, &perf, &err), 0);
	ck_assert_uint_eq(machine.discovery.unit_count, 2 * (1 + 3 + 3));
	ck_assert_uint_eq(perf.discovery.unit_count, machine.discovery.unit_count);
	for (size_t i = 0; i < perf.discovery.unit_count; i++) {
		const struct unit *unit = &perf.discovery.units[i];
		const struct unit *same = find(unit->socket, unit->type, unit->id);

		ck_assert_ptr_nonnull(same);
		for (size_t k = 0; unit->type == PMU_L3 && k < machine.topology.count; k++)
			if (machine.topology.cpus[k].cpu == unit->cpu)
				ck_assert_int_eq(machine.topology.cpus[k].l3, same->l3);
		if (unit->type == PMU_UMC && unit->socket == 1 && unit->id == 0)
			ck_assert_str_eq(unit->perf.pmu->name, "amd_umc_3");
	}
	ck_assert_uint_eq(perf.port_count, machine.port_count);
	machine_close(&perf);
	machine_close(&machine);
}

/* AMD APM volume 3, CPUID 8000001Dh: ways, partitions and bytes of a line, less 1; and sets. */
static const struct {
	uint32_t highest, eax, ebx, ecx;
	uint64_t bytes;
} caches[] = {
	{0x80000028, 3 << 5 | 3, 15 << 22 | 63, 32767, UINT64_C(32) << 20},
	{0x80000028, 7 << 14 | 3 << 5 | 3, 15 << 22 | 63, 16383, UINT64_C(16) << 20},
	{0x80000028, 3 << 5 | 3, 15 << 22 | 1 << 12 | 63, 16383, UINT64_C(32) << 20},
	{0x8000001D, 3 << 5 | 3, UINT32_C(1023) << 22 | 63, 65535, UINT64_C(4) << 30},
	{0x80000028, 2 << 5 | 3, 15 << 22 | 63, 32767, 0}, /* an L2, and no other */
	{0x80000028, 0, 15 << 22 | 63, 32767, 0},
	{0x8000001C, 3 << 5 | 3, 15 << 22 | 63, 32767, 0},
};

TEST_LOOP(test_the_size_of_the_l3_is_what_cpuid_says, COUNT_OF(caches))
{
	fake_leaf(&fake, 0x80000000)[0] = caches[_i].highest;
	fake_leaf(&fake, 0x8000001D)[0] = caches[_i].eax;
	fake_leaf(&fake, 0x8000001D)[1] = caches[_i].ebx;
	fake_leaf(&fake, 0x8000001D)[2] = caches[_i].ecx;
	ck_assert_uint_eq(amd_l3_bytes(&spy.base, 0), caches[_i].bytes);
}

static const struct {
	uint32_t signature, sets;
	bool unsure;
} zens[] = {
	{0xA10F11, 32767, false}, /* Genoa with 32 MiB of L3 per CCX */
	{0xA10F11, 16383, true},  /* Genoa with 16 MiB */
	{0xA10F11, 65535, false}, /* Genoa with 64 MiB */
	{0xA10F11, 0, true},	  /* Genoa of unknown size */
	{0xAA0F02, 16383, true},  /* Bergamo */
	{0xB00F21, 16383, false}, /* Turin */
};

TEST_LOOP(test_the_unit_of_latencies_is_unsure_on_zen_4_with_less_than_32_mib_of_l3, COUNT_OF(zens))
{
	fake.signature = zens[_i].signature;
	fake_leaf(&fake, 0x8000001D)[0] = zens[_i].sets ? 3 << 5 | 3 : 0;
	fake_leaf(&fake, 0x8000001D)[1] = 15 << 22 | 63;
	fake_leaf(&fake, 0x8000001D)[2] = zens[_i].sets;
	ck_assert_int_eq(machine_open(&spy.base, &machine, &err), 0);
	ck_assert_int_eq(machine.unsure_latency, zens[_i].unsure);
}
