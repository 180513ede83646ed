/* SPDX-License-Identifier: BSD-3-Clause */
/* Machines that were kept in a file, and files that were changed since. */
#include "sim/snapshot/snapshot.h"

#include <inttypes.h>
#include <jansson.h>
#include <limits.h>

#include "fake_machine.h"
#include "msr/core_pmu.h"
#include "platform/cpus.h"
#include "platform/memory.h"
#include "platform/perf.h"
#include "session/sampling.h"
#include "sim_machine.h"
#include "sim_registers.h"
#include "unit.h"
#include "view/view.h"

EACH_IN_A_PROCESS

#define SHAPE "sockets=2,cpus=2,ports=3,chas=4,imcs=2"

static struct sim_machine m;

static char path[PATH_MAX];
static struct error err;

static void setup(void)
{
	strcpy(path, tree_path("machine.json"));
	err = (struct error){0};
}

/* Keeps the machine on p in the file; the text is freed by free(). */
static char *keep(struct platform *p)
{
	struct snapshot snapshot;
	struct machine machine;
	char *text;
	size_t size;

	ck_assert_msg(!machine_open(p, &machine, &err), "%s", err.text);
	ck_assert_msg(!snapshot_take(&machine, &snapshot, &err), "%s", err.text);
	ck_assert_int_eq(snapshot_encode(&snapshot, &text, &size, &err), 0);
	snapshot_free(&snapshot);
	machine_close(&machine);
	tree_bytes("machine.json", 0, text, size);
	return text;
}

static void keep_sim(const char *spec)
{
	struct platform *p = sim_make(spec);

	free(keep(p));
}

static void refuse(const char *text, size_t size, const char *says)
{
	struct snapshot snapshot;
	const int rc = snapshot_decode(text, size, &snapshot, &err);

	assert_refusal(rc, &err, says);
	snapshot_free(&snapshot);
}

/* Keeps a machine in the file, in which a word is another of as many characters. */
static void keep_changed(const char *spec, const char *word, const char *by)
{
	char *text = keep(sim_make(spec));

	ck_assert_ptr_nonnull(strstr(text, word));
	for (char *at = text; (at = strstr(at, word)); at++)
		memcpy(at, by, strlen(word));
	tree_bytes("machine.json", 0, text, strlen(text));
	free(text);
}

/* The machine of the file. */
static void reopen(const char *keys)
{
	char spec[PATH_MAX + 64];

	snprintf(spec, sizeof(spec), "%s,clock=virtual%s", path, keys);
	sim_machine_open(&m, spec);
}

/* All writes since the machine was opened, in their order. */
struct writes {
	struct access list[8192];
	size_t count;
};

static void collect(struct spy *spy, struct writes *writes)
{
	for (size_t i = 0; i < spy->access_count; i++)
		if (spy->accesses[i].write) {
			ck_assert_uint_lt(writes->count, COUNT_OF(writes->list));
			writes->list[writes->count++] = spy->accesses[i];
		}
	spy_forget(spy);
}

/* Measures everything for two samples, and stops. */
static void measure(struct writes *writes, double *first_value)
{
	const struct view_options options = {.groups = "all", .finest = SCOPE_PORT};
	struct sample sample;
	struct pmu_state pmu;
	struct sampling sampling;
	struct poller *poller;
	struct view view;
	struct plan plan;
	int signal_number;

	ck_assert_msg(!view_make(&m.machine, &options, &view, &err), "%s", err.text);
	ck_assert_int_eq(
		plan_make(&m.machine, view.requests, view.request_count, FREEZE_AUTO, &plan, &err),
		0);
	view_bind(&view, &plan);
	ck_assert_int_eq(pmu_state_init(&pmu, &plan, &err), 0);
	ck_assert_int_eq(poller_new(&pmu, UINT64_C(1000000000), &poller, &err), 0);
	ck_assert_msg(!poller_start(poller, &err), "%s", err.text);
	ck_assert_int_eq(sampling_begin(&sampling, poller, &plan, &err), 0);
	collect(&m.spy, writes);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_int_eq(sampling_wait(&sampling, NULL, &signal_number, &err), 0);
		ck_assert_int_eq(sampling_take(&sampling, &sample, &err), 0);
		collect(&m.spy, writes);
	}
	view_update(&view, &sample);
	*first_value = view.table.rows[0].values[0].number;
	ck_assert_int_eq(poller_stop(poller, &err), 0);
	collect(&m.spy, writes);
	poller_free(poller);
	sampling_free(&sampling);
	pmu_state_free(&pmu);
	plan_free(&plan);
	view_free(&view);
}

static const char *const models[] = {"spr", "emr",   "gnr",    "gnr-d", "srf",
				     "cwf", "turin", "venice", "genoa"};

static struct writes original, rebuilt;

TREE_FIXTURE(setup, NULL)

TEST_LOOP(test_the_same_registers_are_written_in_the_same_order, COUNT_OF(models))
{
	double was, is;
	char spec[128];

	snprintf(spec, sizeof(spec), "%s," SHAPE ",read=11,clock=virtual", models[_i]);
	keep_sim(spec);
	sim_machine_open(&m, spec);
	measure(&original, &was);
	sim_machine_close(&m);
	reopen(",read=11");
	measure(&rebuilt, &is);
	const bool has_ports = m.machine.port_count && !m.machine.ports[0].name;
	sim_machine_close(&m);

	ck_assert_uint_gt(original.count, 150);
	ck_assert_uint_eq(rebuilt.count, original.count);
	for (size_t i = 0; i < original.count; i++)
		spy_assert_same(&rebuilt.list[i], &original.list[i], i);
	if (has_ports) /* else no file has the traffic */
		ck_assert_double_eq(is, was);
}

TEST_LOOP(test_a_snapshot_of_a_snapshot_is_the_same, COUNT_OF(models))
{
	char again[PATH_MAX + 16], spec[128];

	snprintf(spec, sizeof(spec), "%s," SHAPE ",clock=virtual", models[_i]);
	struct platform *p = sim_make(spec);
	char *first = keep(p);
	snprintf(again, sizeof(again), "%s,clock=virtual", path);
	p = sim_make(again);
	char *second = keep(p);
	ck_assert_str_eq(second, first);
	free(first);
	free(second);
}

/* Checks several dies: the freeze bit of each die's table, and the PMUs with a CPU of each die. */
TEST(test_units_keep_their_die)
{
	/* control of the first CBB */
	const uint64_t control = 0x2002800000, units = control + 0x1000;
	struct perf_pmus was, is;
	char spec[PATH_MAX + 32];
	struct platform *p = sim_make("dmr,cpus=4,dies=2,clock=virtual");

	ck_assert_int_eq(p->ops->perf->pmus(p, &was, &err), 0);
	free(keep(p));
	snprintf(spec, sizeof(spec), "%s,read=6.4,clock=virtual", path);
	p = sim_make(spec);
	ck_assert_int_eq(p->ops->perf->pmus(p, &is, &err), 0);
	ck_assert_uint_eq(is.count, was.count);
	for (size_t i = 0; i < is.count; i++) {
		ck_assert_str_eq(is.items[i].name, was.items[i].name);
		ck_assert_uint_eq(is.items[i].cpu_count, was.items[i].cpu_count);
		ck_assert(!memcmp(is.items[i].cpus, was.items[i].cpus,
				  is.items[i].cpu_count * sizeof(unsigned)));
	}
	perf_pmus_free(&was);
	perf_pmus_free(&is);
	memory_poke(p, units + 0x20, 8, 0x0101);
	pass_time(p, SECOND);
	ck_assert_uint_eq(memory_peek(p, units + 0x40, 8), 0); /* frozen from power-on */
	memory_poke(p, control, 4, 0);
	pass_time(p, SECOND);
	ck_assert_uint_gt(memory_peek(p, units + 0x40, 8), 0);
}

TEST(test_offline_cpus_keep_their_numbers_free)
{
	struct platform *p = sim_make("spr," SHAPE);

	sim_set_cpu_online(sim_of(p), 0, false);
	free(keep(p));
	reopen("");
	ck_assert_uint_eq(m.machine.topology.count, 3);
	ck_assert_uint_eq(m.machine.topology.cpus[0].cpu, 1);
	ck_assert_int_eq(m.machine.topology.cpus[2].socket, 1);
}

/* The numbers of packages of an Arm server: any, and ascending. */
static const int packages[] = {36, 5664};

static void renumber(json_t *root, const char *list)
{
	json_t *object;
	size_t i;

	json_array_foreach(json_object_get(root, list), i, object)
	{
		const json_int_t socket = json_integer_value(json_object_get(object, "socket"));

		json_object_set_new(object, "socket", json_integer(packages[socket]));
	}
}

static const char *const renumbered[] = {"spr," SHAPE ",clock=virtual,read=1",
					 "turin,sockets=2,clock=virtual,read=1",
					 "arm,sockets=2,clock=virtual,cpmu=1"};

TEST_LOOP(test_packages_keep_their_numbers, COUNT_OF(renumbered))
{
	char *text = keep(sim_make(renumbered[_i]));
	json_t *root = json_loads(text, 0, NULL);
	struct writes unused = {.count = 0};
	double value;

	free(text);
	renumber(root, "cpus");
	renumber(root, "units");
	text = json_dumps(root, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
	json_decref(root);
	tree_bytes("machine.json", 0, text, strlen(text));
	reopen(",read=6.4");
	const struct topology *t = &m.machine.topology;
	ck_assert_int_eq(t->cpus[0].socket, packages[0]);
	ck_assert_int_eq(t->cpus[t->count - 1].socket, packages[1]);
	for (size_t i = 0; i < m.machine.port_count; i++)
		ck_assert_int_eq(m.machine.ports[i].socket,
				 packages[i >= m.machine.port_count / 2]);
	if (m.machine.discovery.unit_count) {
		measure(&unused, &value);
		ck_assert_double_eq_tol(value, 6400, 1);
	}
	/* keeps it again, from the simulation */
	char *again = keep(&m.spy.base);
	ck_assert_str_eq(again, text);
	free(again);
	free(text);
}

TEST(test_more_sockets_than_any_machine_has_are_refused)
{
	char *text = keep(sim_make("arm,cpus=65,cpmu=1"));
	json_t *root = json_loads(text, 0, NULL), *cpus = json_object_get(root, "cpus");

	free(text);
	for (size_t i = 0; i < json_array_size(cpus); i++)
		json_object_set_new(json_array_get(cpus, i), "socket", json_integer((int)i));
	text = json_dumps(root, 0);
	refuse(text, strlen(text), "cpus: expected CPUs of 64 sockets at most, and there are 65");
	json_decref(root);
	free(text);
}

/* Somebody counts on a unit and on a CPU, and a unit is dead. */
TEST(test_registers_hold_what_they_held)
{
	struct platform *p = sim_make("spr," SHAPE ",clock=virtual");

	msr_poke(p, 2, 0x2002, 0x35);
	msr_poke(p, 2, 0x2008, 1234);
	msr_poke(p, 3, IA32_PERFEVTSEL0, 0x43003C);
	msr_poke(p, 3, IA32_FIXED_CTR_CTRL, 0x30);
	msr_poke(p, 0, SIM_FREEZE_MSR, 1);
	ck_assert_int_eq(sim_set_unit_dead(sim_of(p), 0, PMU_CXLDP, 3, true), 0);
	free(keep(p));

	reopen("");
	p = &m.spy.base;
	ck_assert_uint_eq(msr_peek(p, 2, 0x2002), 0x35);
	ck_assert_uint_eq(msr_peek(p, 2, 0x2008), 1234);
	ck_assert_uint_eq(msr_peek(p, 3, IA32_PERFEVTSEL0), 0x43003C);
	ck_assert_uint_eq(msr_peek(p, 3, IA32_FIXED_CTR_CTRL), 0x30);
	ck_assert_uint_eq(msr_peek(p, 1, SIM_FREEZE_MSR), 1);
	ck_assert_uint_eq(msr_peek(p, 2, SIM_FREEZE_MSR), 0);
	for (size_t i = 0; i < m.machine.discovery.unit_count; i++) {
		struct unit *unit = &m.machine.discovery.units[i];

		if (unit->type == PMU_CXLDP)
			ck_assert_int_eq(unit_open(p, unit, &err),
					 unit->socket == 0 && unit->id == 3 ? -ENXIO : 0);
	}
}

/*
 * Checks a machine on which a program counts on a unit of each kind of AMD's, and a control of a
 * CPU has an old value.
 */
TEST(test_pairs_of_registers_hold_what_they_held)
{
	static const struct {
		unsigned cpu;
		uint32_t msr;
		uint64_t value;
	} held[] = {
		{8, AMD_DF(3), 0x030F40FE1F},
		{8, AMD_DF(3) + 1, 1234},
		{13, AMD_L3(0), 0x0303C000004010AC},
		{13, AMD_L3(0) + 1, 99},
		{0, AMD_UMC(1, 1), 0x8000010A},
		{2, AMD_CORE(3), 0x300C0},
		{3, 0xC0000301, 0x0F},
	};
	struct platform *p = sim_make("turin,sockets=2,cpus=8,imcs=2,clock=virtual");

	for (size_t i = 0; i < COUNT_OF(held); i++)
		msr_poke(p, held[i].cpu, held[i].msr, held[i].value);
	free(keep(p));

	reopen("");
	p = &m.spy.base;
	for (size_t i = 0; i < COUNT_OF(held); i++)
		ck_assert_uint_eq(msr_peek(p, held[i].cpu, held[i].msr), held[i].value);
	/* another L3 of the same socket, and another socket */
	ck_assert_uint_eq(msr_peek(p, 8, AMD_L3(0)), 0);
	ck_assert_uint_eq(msr_peek(p, 0, AMD_DF(3)), 0);
	for (size_t i = 0; i < m.machine.topology.count; i++)
		ck_assert_int_eq(m.machine.topology.cpus[i].l3, (int)(i / 4));
}

/* Checks files from before L3 caches were kept. */
TEST(test_a_cpu_without_an_l3_has_one_that_is_not_known)
{
	keep_changed("spr," SHAPE, "\"l3\"", "\"xx\"");
	reopen("");
	ck_assert_int_eq(m.machine.topology.cpus[0].l3, -1);
}

TEST(test_regions_and_promises_are_kept)
{
	keep_sim("spr,ports=4,ways=2,promised_bandwidth=30,promised_latency=250");
	reopen("");
	const struct memory_layout *memory = &m.machine.memory;

	ck_assert_uint_eq(memory->region_count, 2);
	ck_assert_str_eq(memory->regions[1].name, "region1");
	ck_assert_str_eq(memory->regions[1].mode, "ram");
	ck_assert_uint_eq(memory->regions[1].ways, 2);
	ck_assert_uint_eq(memory->regions[1].granularity, 256);
	ck_assert_uint_eq(memory->regions[1].bytes, UINT64_C(512) << 30);
	ck_assert_uint_eq(memory->regions[1].device_count, 2);
	ck_assert_str_eq(memory->regions[1].devices[1], "mem3");
	ck_assert_int_eq(memory->regions[1].node, 2);
	ck_assert_double_eq(memory_layout_node(memory, 2)->read_MBps, 30000);
	ck_assert_double_eq(memory_layout_node(memory, 2)->write_ns, 250);
}

TEST(test_a_hypervisor_keeps_its_name)
{
	struct platform *p = sim_make("spr");
	char name[CPUID_HYPERVISOR_SIZE];

	sim_set_hypervisor(sim_of(p), "KVMKVMKVM");
	free(keep(p));
	reopen("");
	ck_assert(m.machine.cpu.hypervisor);
	ck_assert_int_eq(cpuid_hypervisor(&m.spy.base, 0, name, &err), 0);
	ck_assert_str_eq(name, "KVMKVMKVM");
}

/* A core PMU that is larger than the simulated one is not promised. */
TEST(test_cpus_have_no_more_counters_than_are_simulated)
{
	struct core_pmu_info info;

	keep_changed("spr", "\"0x7300805\"", "\"0x7301005\""); /* 16 counters */
	reopen("");
	ck_assert_int_eq(core_pmu_detect(&m.spy.base, 0, &info, &err), 0);
	ck_assert_uint_eq(info.general, 8);
}

static const struct unit_record cha = {.counters = 4,
				       .control_offset = 2,
				       .width = 48,
				       .counter_offset = 8,
				       .access = ACCESS_MSR,
				       .control = 0x2000,
				       .type = PMU_CHA};

#define SERIAL_LOW  0x5EC2E701U
#define SERIAL_HIGH 0x5EC2E702U

/*
 * Makes a table on socket 0, and a memory device whose configuration space has a serial number and
 * VPD.
 */
static void make_fake(struct fake_machine *fake)
{
	fake_init(fake);
	fake_discovery(fake, 0x1e, 0, 0x10000000);
	fake_table(fake, 0x10000000, &cha, 1);
	struct fake_function *f = fake_function(fake, 0x35, 0x1234, 0x5678);
	f->config[0x34 / 4] = 0x40;
	f->config[0x40 / 4] = 0x80000003; /* vital product data, then its data register */
	f->config[0x44 / 4] = SERIAL_LOW;
	f->config[0x100 / 4] = 0x00010003; /* device serial number */
	f->config[0x104 / 4] = SERIAL_LOW;
	f->config[0x108 / 4] = SERIAL_HIGH;
	fake->devices[0] = (struct cxl_device){
		.name = "mem0", .path = {f->info.at}, .depth = 1, .near_node = 0, .node = 2};
	fake->device_count = 1;
}

/* By registers of a UBOX a table belongs to its socket if the kernel gives no NUMA node. */
TEST(test_functions_that_lead_somewhere_are_kept_without_serial_numbers)
{
	static struct fake_machine fake;

	make_fake(&fake);
	fake_function(&fake, 0x40, 0x8086, 0x1111);
	fake_function(&fake, 0x41, 0x10DE, 0x2222);
	struct fake_function *ubox = fake_function(&fake, 0x1E, 0x8086, 0x3250);
	ubox->info.at.device = 8;
	ubox->config[0xC0 / 4] = 0x5;
	ubox->config[0xD4 / 4] = 0xFAC688;
	char *text = keep(&fake.base);
	assert_contains(text, "0000:1e:00.0");
	assert_lacks(text, "0000:40:00.0");
	assert_lacks(text, "0000:41:00.0");
	assert_contains(text, "0000:1e:08.0");
	assert_contains(text, "\"0xc0\",\n     \"0x5\"");
	assert_contains(text, "\"0xd4\",\n     \"0xfac688\"");
	assert_contains(text, "0000:35:00.0");
	assert_contains(text, "0x10003"); /* the capability is kept, without the number */
	assert_lacks(text, "5ec2e701");
	assert_lacks(text, "5ec2e702");
	free(text);
}

TEST(test_a_capability_that_leads_back_ends_the_list)
{
	static struct fake_machine fake;

	make_fake(&fake);
	fake.functions[1].config[0x40 / 4] = 0x4003;
	fake.functions[1].config[0x100 / 4] = 0x10010003;
	free(keep(&fake.base));
}

static const char *const with_cpmus[] = {
	"spr," SHAPE ",clock=virtual,cpmu=1", "turin,clock=virtual,cpmu_kind=filters",
	"intel,clock=virtual,cpmu_kind=overflow", "amd,sockets=2,clock=virtual,cpmu_kind=two",
	"arm,sockets=2,clock=virtual,cpmu_kind=cxl4"};

/* Its counters have counted, one is frozen, and another program counts on one. */
TEST_LOOP(test_cpmus_keep_their_registers, COUNT_OF(with_cpmus))
{
	static struct sim_machine was;
	char *first;

	sim_machine_open(&was, with_cpmus[_i]);
	const uint64_t block = was.machine.cpmus[1].address;
	memory_poke(&was.spy.base, block + 0x018, 8, 0x4);
	memory_poke(&was.spy.base, block + 0x210, 8, UINT64_C(0x1000000002000102));
	pass_time(&was.spy.base, SECOND);
	first = keep(&was.spy.base);
	reopen("");
	ck_assert_uint_eq(m.machine.cpmu_count, was.machine.cpmu_count);
	for (size_t i = 0; i < m.machine.cpmu_count; i++) {
		const struct cpmu *a = &was.machine.cpmus[i], *b = &m.machine.cpmus[i];

		spy_forget(&was.spy);
		spy_forget(&m.spy);
		ck_assert_uint_eq(b->address, a->address);
		ck_assert_str_eq(b->device->name, a->device->name);
		ck_assert_int_eq(b->unit.socket, a->unit.socket);
		for (unsigned offset = 0; offset < CPMU_BLOCK_BYTES; offset += 8)
			/* running counters continue from their values */
			if (offset < CPMU_COUNTER)
				ck_assert_uint_eq(
					memory_peek(&m.spy.base, b->address + offset, 8),
					memory_peek(&was.spy.base, a->address + offset, 8));
	}
	ck_assert_uint_eq(memory_peek(&m.spy.base, block + 0x018, 8), 0x4);
	ck_assert_str_eq(m.machine.model->short_name, was.machine.model->short_name);
	char *second = keep(&m.spy.base);
	ck_assert_str_eq(second, first);
	free(first);
	free(second);
}

TEST_LOOP(test_a_cpmu_counts_what_its_port_carries_in_the_simulation, COUNT_OF(with_cpmus))
{
	keep_sim(with_cpmus[_i]);
	reopen(",read=6.4,write=3.2");
	const struct cpmu *cpmu = &m.machine.cpmus[0];
	unsigned i = 0;

	while (cpmu->counters[i].type != CPMU_CONFIGURABLE)
		i++;
	for (unsigned f = 0; f < CPMU_FILTERS; f++)
		memory_poke(&m.spy.base, cpmu->address + CPMU_FILTER + 4 * (CPMU_FILTERS * i + f),
			    4, UINT32_MAX);
	for (unsigned g = 0; g < cpmu->group_count; g++)
		if (cpmu->groups[g].id == 0x20)
			memory_poke(&m.spy.base, cpmu->address + CPMU_CONFIGURATION + 8 * i, 8,
				    CPMU_CFG_ENABLE | UINT64_C(2) << CPMU_CFG_EVENTS_SHIFT |
					    (uint64_t)g << CPMU_CFG_GROUP_SHIFT);
	pass_time(&m.spy.base, SECOND);
	ck_assert_uint_eq(memory_peek(&m.spy.base, cpmu->address + CPMU_COUNTER + 8 * i, 8),
			  100000000);
}

TEST(test_without_units_there_is_nothing_to_keep)
{
	static struct fake_machine fake;
	struct snapshot snapshot;
	struct machine machine;

	fake_init(&fake);
	ck_assert_int_eq(machine_open(&fake.base, &machine, &err), 0);
	ck_assert_int_eq(snapshot_take(&machine, &snapshot, &err), -ENODEV);
	ck_assert_int_eq(err.kind, ERROR_NO_UNIT);
	snapshot_free(&snapshot);
	machine_close(&machine);
}

/* Values at a place of a good snapshot, and the resulting message. "": replaces the whole. */
static const struct {
	const char *list; /* NULL: a member of the whole */
	const char *key, *value, *says;
} wrong[] = {
	{NULL, "cxlmon_snapshot", "\"1\"", "not a snapshot"},
	{NULL, "cxlmon_snapshot", "2", "a snapshot of version 2: expected version 1"},
	{NULL, "model", "\"\"", "model: expected a name"},
	{NULL, "model", "\"a-long-name\"", "model: expected a name"},
	{NULL, "model", "7", "model: expected a name"},
	{NULL, "cpuid", "[]", "cpuid: expected an array of 1 to 256"},
	{NULL, "cpus", "[]", "cpus: expected an array of 1 to 8192"},
	{NULL, "functions", "{}", "functions: expected an array"},
	{NULL, "tables", "null", "tables: expected an array"},
	{"cpuid", "eax", "\"0x100000000\"", "cpuid[0].eax: expected a string from 0x0 to"},
	{"cpuid", "leaf", "1", "cpuid[0].leaf: expected a string"},
	{"cpuid", "leaf", "\"-1\"", "cpuid[0].leaf: expected a string"},
	{"cpus", "cpu", "8192", "cpus[0].cpu: expected a number from 0 to 8191"},
	{"cpus", "cpu", "1", "cpus[1].cpu: expected more than the CPU before"},
	{"cpus", "socket", "-1", "cpus[0].socket: expected a number from 0"},
	{"cpus", "socket", "2147483648", "cpus[0].socket: expected a number from 0 to 2147483647"},
	{"cpus", "node", "1.5", "cpus[0].node: expected a number"},
	{"functions", "at", "\"0000:1e:20.0\"", "functions[0].at: expected a PCI address"},
	{"functions", "at", "\"0000:1e:00.0 \"", "functions[0].at: expected a PCI address"},
	{"functions", "bar_bytes", "[]", "functions[0].bar_bytes: expected an array of 6 to 6"},
	{"functions", "config", "[[]]", "functions[0].config: expected"},
	{"functions", "config", "[[\"0x2\", \"0x1\"]]", "runs of words within 4096 bytes"},
	{"functions", "config", "[[\"0xffc\", \"0x1\", \"0x2\"]]", "runs of words within"},
	{"tables", "address", "\"0x10000004\"", "tables[0].address: expected a multiple of 8"},
	{"tables", "words", "[\"0x0\"]", "tables[0].words: expected an array of 3 to"},
	{"units", "controls", "[\"0x0\"]", "units[0].counters: expected an array of 1 to 1"},
	{"units", "dead", "0", "units[0].dead: expected true or false"},
	{"msrs", "msr", "\"0x100000000\"", "msrs[0].msr: expected"},
	{"devices", "name", "\"mem 0\"", "devices[0].name: expected a name such as mem0"},
	{"devices", "name", "\"0123456789abcdef\"", "devices[0].name: expected a name"},
	{"devices", "path", "[]", "devices[0].path: expected an array of 1 to 8"},
	{NULL, "nodes", "{}", "nodes: expected an array of 0 to 1024"},
	{"nodes", "node", "-1", "nodes[0].node: expected a number from 0"},
	{"nodes", "weight", "256", "nodes[0].weight: expected a number from 0 to 255"},
	{"nodes", "read_MBps", "-1", "nodes[0].read_MBps: expected a number from 0"},
	{"regions", "name", "\"region 0\"", "regions[0].name: expected a name"},
	{"regions", "mode", "\"persistent\"", "regions[0].mode: expected a name such as ram"},
	{"regions", "ways", "17", "regions[0].ways: expected a number from 0 to 16"},
	{"regions", "devices", "[1]", "regions[0].devices: expected names such as mem0"},
	{NULL, "cpmus", "{}", "cpmus: expected an array of 0 to 1024"},
	{"cpmus", "at", "\"mem0\"", "cpmus[0].at: expected a PCI address"},
	{"cpmus", "address", "\"0x12\"", "cpmus[0].address: expected a multiple of 8"},
	{"cpmus", "capability", "\"0x0\"", "cpmus[0].groups: expected an array of 1 to 1"},
	{"cpmus", "counters", "[]", "cpmus[0].counters: expected an array of 6 to 6"},
	{"cpmus", "groups", "[1,1,1,1,1,1,1]", "cpmus[0].groups: expected a string"},
	{"cpmus", "filters", "[]", "cpmus[0].filters: expected an array of 48 to 48"},
};

TEST_LOOP(test_what_is_wrong_is_said_with_its_place, COUNT_OF(wrong))
{
	struct platform *p = sim_make("spr," SHAPE ",cpmu_kind=filters");
	char *text = keep(p);
	json_t *root = json_loads(text, 0, NULL);
	json_t *value = json_loads(wrong[_i].value, JSON_DECODE_ANY, NULL);
	json_t *object =
		wrong[_i].list ? json_array_get(json_object_get(root, wrong[_i].list), 0) : root;

	ck_assert_int_eq(json_object_set_new(object, wrong[_i].key, value), 0);
	free(text);
	text = json_dumps(root, 0);
	refuse(text, strlen(text), wrong[_i].says);
	json_decref(root);
	free(text);
}

TEST(test_what_is_no_json_is_refused)
{
	refuse("", 0, "expected JSON");
	refuse("{\n\"cxlmon_snapshot\": 1,,", 24, "line 2");
	refuse("[]", 2, "not a snapshot");
}

static void refuse_spec(const char *spec, const char *says)
{
	struct platform *p = NULL;
	int rc = platform_sim(spec, &silent_log, &p, &err);

	assert_refusal(rc, &err, says);
}

TEST(test_a_file_that_is_not_there_is_named)
{
	refuse_spec("/nowhere/machine.json", "/nowhere/machine.json");
	refuse_spec("nowhere.snapshot", "nowhere.snapshot");
}

TEST(test_a_snapshot_says_how_much_there_is)
{
	char spec[PATH_MAX + 64];

	keep_sim("spr");
	snprintf(spec, sizeof(spec), "%s,ports=3", path);
	refuse_spec(spec, "key 'ports' with a snapshot");
}

static const struct {
	const char *word, *by, *says;
} unusable[] = {
	{"\"spr\"", "\"z80\"", "'z80', which cannot be simulated"},
	/* tables that lead to no unit make no machine */
	{"\"0x2000000000\"", "\"0x0000000008\"",
	 "machine.json: Sapphire Rapids: no usable uncore discovery table"},
};

TEST_LOOP(test_a_snapshot_of_no_machine_that_can_be_simulated_is_refused, COUNT_OF(unusable))
{
	keep_changed("spr", unusable[_i].word, unusable[_i].by);
	refuse_spec(path, unusable[_i].says);
}

TEST(test_rates_are_asked_for_beside_the_file)
{
	double value;

	keep_sim("gnr");
	reopen(",read=3");
	measure(&rebuilt, &value);
	ck_assert_double_eq(value, 3000);
	ck_assert(m.sim->spec.rxc);
	sim_machine_close(&m);
	reopen(",rxc=0");
	ck_assert(!m.sim->spec.rxc);
}
