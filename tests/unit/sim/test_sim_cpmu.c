/* SPDX-License-Identifier: BSD-3-Clause */
/* Simulated CPMUs, as the machine and its units see them. */

#include "pci/config.h"
#include "platform/cpus.h"
#include "platform/reg.h"
#include "platform/simulation.h"
#include "sim_machine.h"
#include "tests/registers.h"
#include "uncore/devices/cpmus.h"
#include "uncore/units/cpmu.h"
#include "unit.h"

#define SPEC   "spr,cpus=2,ports=2,read=6.4,write=3.2,clock=virtual,cpmu=1"
#define SECOND UINT64_C(1000000000)
#define READS  UINT64_C(100000000) /* lines per second */
#define WRITES UINT64_C(50000000)
#define ENABLE UINT64_C(0x100)

enum { FIXED, RUNNING, CONFIGURABLE, COUNTERS = 6 };

static struct sim_machine m;
static struct cpmu *cpmu;
static struct mmio_window window;
static struct error err;

/* Accesses to the first CPMU bypass the guard. */
static void open_machine(const char *spec)
{
	sim_machine_open(&m, spec);
	ck_assert_uint_gt(m.machine.cpmu_count, 0);
	cpmu = &m.machine.cpmus[0];
	ck_assert_int_eq(m.spy.base.ops->registers->mmio_map(&m.spy.base, cpmu->address,
							     CPMU_BLOCK_BYTES, true, &window, &err),
			 0);
}

static void tear_down(void)
{
	if (window.length)
		m.spy.base.ops->registers->mmio_unmap(&m.spy.base, &window);
}

static uint64_t get(uint64_t offset)
{
	uint64_t value;

	ck_assert_int_eq(raw_mmio_read(&m.spy.base, &window, offset, 8, &value), 0);
	return value;
}

static void put(uint64_t offset, uint64_t value)
{
	ck_assert_int_eq(raw_mmio_write(&m.spy.base, &window, offset, 8, value), 0);
}

static void put32(uint64_t offset, uint32_t value)
{
	ck_assert_int_eq(raw_mmio_write(&m.spy.base, &window, offset, 4, value), 0);
}

static uint64_t counter(unsigned i)
{
	return get(0xC00 + 8 * i);
}

static void configure(unsigned i, unsigned group, uint32_t events)
{
	put(0x200 + 8 * i, ENABLE | (uint64_t)events << 24 | (uint64_t)group << 59);
}

static const char *const models[] = {"spr",   "emr",	"gnr",	 "gnr-d", "srf", "cwf", "dmr",
				     "turin", "venice", "genoa", "intel", "amd", "arm"};

FIXTURE(NULL, tear_down)

TEST_LOOP(test_every_memory_device_has_a_cpmu, COUNT_OF(models))
{
	char spec[64];

	snprintf(spec, sizeof(spec), "%s,sockets=2,ports=2,clock=virtual,cpmu=1", models[_i]);
	open_machine(spec);
	ck_assert_uint_eq(m.machine.cpmu_count, 4);
	for (size_t i = 0; i < m.machine.cpmu_count; i++) {
		const struct cpmu *found = &m.machine.cpmus[i];

		ck_assert_ptr_eq(found->device, &m.machine.devices[i]);
		ck_assert_int_eq(found->unit.socket, (int)i / 2);
		ck_assert_uint_eq(found->counter_count, COUNTERS);
		ck_assert_uint_eq(found->width, 48);
		ck_assert(found->can_freeze && found->is_writable && !found->filters);
		ck_assert_int_eq(found->counters[FIXED].type, CPMU_FIXED);
		ck_assert_int_eq(found->counters[RUNNING].type, CPMU_FREE_RUNNING);
		ck_assert_int_eq(found->counters[COUNTERS - 1].type, CPMU_CONFIGURABLE);
	}
	ck_assert_int_eq(m.machine.cpmu_error.code, 0);
}

static const struct {
	const char *spec, *model;
	size_t cpus;
} not_known[] = {{"intel", "intel", 8}, {"amd", "amd", 8}, {"arm", "other", 0}};

TEST_LOOP(test_a_processor_that_is_not_known_has_cpus_and_memory_behind_root_ports,
	  COUNT_OF(not_known))
{
	char spec[64];

	snprintf(spec, sizeof(spec), "%s,ports=2,clock=virtual,cpmu=1", not_known[_i].spec);
	open_machine(spec);
	ck_assert_str_eq(m.machine.model->short_name, not_known[_i].model);
	ck_assert_uint_eq(m.machine.cpu_count, not_known[_i].cpus);
	ck_assert_uint_eq(m.machine.topology.count, 8);
	ck_assert_uint_eq(m.machine.port_count, 0);
	ck_assert_uint_eq(m.machine.discovery.table_count, 0);
	ck_assert_int_eq(m.machine.uncore_error.kind, ERROR_NO_UNIT);
	ck_assert_uint_eq(m.machine.device_count, 2);
	for (size_t i = 0; i < 2; i++)
		ck_assert_uint_eq(m.machine.devices[i].depth, 2);
	ck_assert_ptr_eq(m.machine.cpmus[1].device, &m.machine.devices[1]);
}

TEST(test_arm_has_neither_cpuid_nor_msrs)
{
	struct platform *p = sim_make("arm,clock=virtual");
	uint32_t regs[4];
	uint64_t value;

	ck_assert_int_eq(p->ops->cpus->cpuid(p, 0, 0, 0, regs, &err), -EOPNOTSUPP);
	ck_assert_int_eq(raw_msr_read(p, 0, 0x10, &value), -ENOENT);
	ck_assert_int_eq(raw_msr_write(p, 0, 0x186, 0), -ENOENT);
}

TEST(test_the_port_of_a_cpmu_is_that_of_its_memory)
{
	open_machine(SPEC);
	for (size_t i = 0; i < m.machine.cpmu_count; i++)
		ck_assert_ptr_eq(cpmu_port(&m.machine, &m.machine.cpmus[i]), &m.machine.ports[i]);
}

TEST(test_without_the_key_there_is_none)
{
	struct register_block block;
	size_t count;

	sim_machine_open(&m, "spr,clock=virtual");
	ck_assert_uint_eq(m.machine.cpmu_count, 0);
	ck_assert_int_eq(register_locator_find(&m.spy.base, m.machine.devices[0].path[0],
					       REGISTER_BLOCK_CPMU, &block, 1, &count),
			 -ENOENT);
}

TEST(test_component_registers_come_before_it)
{
	struct register_block block;
	size_t count;

	open_machine(SPEC);
	for (unsigned id = REGISTER_BLOCK_COMPONENT; id <= REGISTER_BLOCK_CPMU; id++) {
		ck_assert_int_eq(
			register_locator_find(&m.spy.base, cpmu->pci, id, &block, 1, &count), 0);
		ck_assert_uint_eq(count, id != REGISTER_BLOCK_BAR_VIRTUALIZATION);
	}
	ck_assert_uint_eq(block.offset, 0x20000);
}

/* Index of the event capability, events, and their count per second. */
static const struct {
	unsigned group;
	uint32_t events;
	uint64_t count;
} counted[] = {
	{1, 0x1, 0},		/* clock ticks: only the free-running counter counts them */
	{2, 0x2, READS},	/* MemRd */
	{2, 0x100, READS / 10}, /* MemSpecRd */
	{2, 0x102, READS + READS / 10},
	{2, 0x4, 0},
	{2, 0x2 | 0x40, READS}, /* the other is not supported */
	{3, 0x2, WRITES},	/* MemWr */
	{4, 0x1, WRITES},	/* Cmp */
	{5, 0x1, READS},	/* MemData */
	{6, 0x4, READS},	/* CAS of reads */
	{6, 0xC, READS + WRITES},
	{0, 0x1, 0}, /* only the fixed counter counts it */
	{7, 0x1, 0}, /* no such capability */
};

TEST_LOOP(test_a_configurable_counter_counts_what_it_is_told, COUNT_OF(counted))
{
	open_machine(SPEC ",memspecrd=10");
	configure(CONFIGURABLE, counted[_i].group, counted[_i].events);
	const uint64_t before = counter(CONFIGURABLE);
	sim_machine_wait(&m, SECOND);
	ck_assert_uint_eq(before, 0);
	ck_assert_uint_eq(counter(CONFIGURABLE), counted[_i].count);
	put(0x200 + 8 * CONFIGURABLE, get(0x200 + 8 * CONFIGURABLE) & ~ENABLE);
	sim_machine_wait(&m, SECOND);
	ck_assert_uint_eq(counter(CONFIGURABLE), counted[_i].count);
}

TEST(test_a_fixed_counter_counts_data_sent_while_it_is_enabled)
{
	open_machine(SPEC);
	sim_machine_wait(&m, SECOND);
	ck_assert_uint_eq(counter(FIXED), 0);
	put(0x200, ENABLE | UINT64_C(0xFE) << 24 | UINT64_C(3) << 59);
	ck_assert_uint_eq(get(0x200), ENABLE | 1 | UINT64_C(1) << 24);
	sim_machine_wait(&m, SECOND);
	ck_assert_uint_eq(counter(FIXED), READS);
}

TEST(test_a_free_running_counter_always_runs)
{
	open_machine(SPEC);
	put(0x018, UINT64_MAX);
	put(0x208, 0);
	put(0xC08, 0);
	ck_assert_uint_eq(get(0x018), 0x3D);
	ck_assert_uint_eq(get(0x208), ENABLE | UINT64_C(1) << 24 | UINT64_C(1) << 59);
	sim_machine_wait(&m, SECOND);
	ck_assert_uint_eq(counter(RUNNING), SECOND);
}

TEST(test_a_frozen_counter_stands_still_and_others_run)
{
	open_machine(SPEC);
	configure(2, 2, 0x2);
	configure(3, 2, 0x2);
	put(0x018, 0x4);
	sim_machine_wait(&m, SECOND);
	ck_assert_uint_eq(counter(2), 0);
	ck_assert_uint_eq(counter(3), READS);
	put(0x018, 0);
	sim_machine_wait(&m, SECOND);
	ck_assert_uint_eq(counter(2), READS);
}

TEST(test_a_counter_that_is_enabled_after_the_freeze_runs)
{
	open_machine(SPEC);
	put(0x018, 0x4);
	configure(2, 2, 0x2);
	sim_machine_wait(&m, SECOND);
	ck_assert_uint_eq(counter(2), READS);
	put(0x018, 0x4);
	put(0xC10, 0);
	sim_machine_wait(&m, SECOND);
	ck_assert_uint_eq(counter(2), 0);
}

#define MEM_RD (UINT64_C(0x2) << 24 | UINT64_C(2) << 59)

/* Writes to an enabled counter; allowed by the specification, or not. */
static const struct {
	uint64_t offset, value;
	bool allowed;
} changes[] = {
	{0x210, MEM_RD | ENABLE, true},
	{0x210, MEM_RD, true},
	{0x210, MEM_RD | ENABLE | 0x10000, false},
	{0x210, UINT64_C(0x2) << 24 | UINT64_C(3) << 59 | ENABLE, false},
	{0x210, 0, false}, /* not even in the write that disables */
	{0x440, UINT64_C(0xFFFFFFFF00000001), false},
	{0x440, UINT64_MAX, true}, /* the value that it has */
};

TEST_LOOP(test_a_counter_that_is_changed_while_it_is_enabled_goes_wild, COUNT_OF(changes))
{
	open_machine("spr,cpus=2,ports=2,read=6.4,clock=virtual,cpmu_kind=filters");
	put(0x440, UINT64_MAX);
	put(0x210, MEM_RD);
	put(0x210, MEM_RD | ENABLE);
	put(0x018, 0x4); /* frozen is not disabled */
	put(changes[_i].offset, changes[_i].value);
	put(0x018, 0);
	sim_machine_wait(&m, SECOND);
	ck_assert(changes[_i].allowed == (counter(2) <= READS));
	/* counts again after a proper change */
	put(0x210, get(0x210) & ~ENABLE);
	put(0x440, UINT64_MAX);
	put(0x210, MEM_RD);
	put(0x210, MEM_RD | ENABLE);
	put(0x018, 0x4);
	put(0xC10, 0);
	put(0x018, 0);
	sim_machine_wait(&m, SECOND);
	ck_assert_uint_eq(counter(2), READS);
}

/* Group, events and threshold, with their count per second. */
static const struct {
	unsigned group;
	uint32_t events;
	unsigned threshold;
	uint64_t count;
} thresholds[] = {
	{1, 0x2, 1, READS},	     /* MemRd */
	{5, 0xC, 0, READS + WRITES}, /* CAS of reads and writes, in the same clocks */
	{5, 0xC, 1, READS},	     {5, 0x4, 2, 0},
	{6, 0x1, 0, 40 * READS}, /* entries of the queue of reads */
	{6, 0x1, 1, SECOND},	 /* clocks in which it has one */
	{6, 0x3, 0, 3 * SECOND}, /* not allowed */
	{7, 0x3, 1, 3 * SECOND},
};

TEST_LOOP(test_a_threshold_makes_clocks_of_events, COUNT_OF(thresholds))
{
	open_machine("spr,cpus=2,ports=2,read=6.4,write=3.2,clock=virtual,cpmu_kind=cxl4");
	put(0x210, ENABLE | (uint64_t)thresholds[_i].threshold << 16 |
			   (uint64_t)thresholds[_i].events << 24 |
			   (uint64_t)thresholds[_i].group << 59);
	sim_machine_wait(&m, SECOND);
	ck_assert_uint_eq(counter(2), thresholds[_i].count);
}

TEST(test_heat_throttles_the_dram_of_one_kind_in_a_quarter_of_clocks)
{
	open_machine("spr,cpus=2,ports=2,clock=virtual,cpmu_kind=throttled");
	put(0x210, ENABLE | 0x10000 | UINT64_C(1) << 24 | UINT64_C(9) << 59);
	put(0x218, ENABLE | 0x10000 | UINT64_C(8) << 24 | UINT64_C(8) << 59);
	sim_machine_wait(&m, SECOND);
	ck_assert_uint_eq(counter(2), SECOND / 4);
	ck_assert_uint_eq(counter(3), 250);
}

TEST(test_a_counter_is_written_only_while_it_is_frozen)
{
	open_machine(SPEC);
	put(0xC10, 77);
	ck_assert_uint_eq(counter(2), 0);
	put(0x018, 0x4);
	put(0xC10, UINT64_C(0xFFFF000000000077));
	put(0xC18, 77);
	ck_assert_uint_eq(counter(2), 0x77);
	ck_assert_uint_eq(counter(3), 0);
}

TEST(test_a_counter_wraps_at_48_bits_and_says_so)
{
	open_machine(SPEC);
	configure(2, 2, 0x2);
	put(0x018, 0x4);
	put(0xC10, UINT64_C(0xFFFFFFFFFFFF));
	put(0x018, 0);
	sim_machine_wait(&m, SECOND);
	ck_assert_uint_eq(counter(2), READS - 1);
	ck_assert_uint_eq(get(0x010), 0x4);
	put(0x010, 0x3B);
	ck_assert_uint_eq(get(0x010), 0x4);
	put32(0x014, UINT32_MAX);
	ck_assert_uint_eq(get(0x010), 0x4);
	put(0x010, 0x4);
	ck_assert_uint_eq(get(0x010), 0);
	ck_assert_uint_eq(counter(2), READS - 1);
}

TEST(test_reserved_bits_and_an_interrupt_stay_0)
{
	open_machine(SPEC);
	put(0x210, UINT64_MAX);
	ck_assert_uint_eq(get(0x210), UINT64_C(0xF8FFFFFFFFFF1D02));
	put(0x000, 0);
	put(0x100, 0);
	ck_assert_uint_eq(get(0x000) & 0x3F, COUNTERS - 1);
	ck_assert_uint_eq(get(0x100), UINT64_C(0x1E98002500000001));
	ck_assert_uint_eq(get(0x020), 0);
	ck_assert_uint_eq(get(0x400), 0);
}

TEST(test_halves_of_a_register_are_accessed_with_4_bytes)
{
	uint64_t high;

	open_machine(SPEC);
	put32(0x214, UINT32_C(2) << 27);
	put32(0x210, 0x02000100);
	ck_assert_uint_eq(get(0x210), ENABLE | 2 | UINT64_C(2) << 24 | UINT64_C(2) << 59);
	ck_assert_int_eq(raw_mmio_read(&m.spy.base, &window, 0x214, 4, &high), 0);
	ck_assert_uint_eq(high, UINT32_C(2) << 27);
}

static void tell(int node, double read)
{
	struct injected_load load = {.node = node, .read = read};

	ck_assert_int_eq(m.spy.inner->ops->simulation->inject_load(m.spy.inner, &load, &err), 0);
}

TEST(test_a_device_counts_its_own_memory_behind_whatever_port)
{
	open_machine("spr,cpus=2,ports=2,read=0,swap=1,clock=virtual,cpmu=1");
	put(0x200, ENABLE);
	tell(2, 6.4e9);
	sim_machine_wait(&m, SECOND);
	ck_assert_uint_eq(counter(FIXED), 0);
	tell(2, 0);
	tell(1, 6.4e9);
	sim_machine_wait(&m, SECOND);
	ck_assert_uint_eq(counter(FIXED), READS);
}

TEST(test_suspending_resets_it)
{
	open_machine(SPEC);
	configure(2, 2, 0x2);
	put(0x018, 0x8);
	sim_machine_wait(&m, SECOND);
	sim_suspend(m.sim, SECOND);
	ck_assert_uint_eq(get(0x210), 2);
	ck_assert_uint_eq(get(0x018), 0);
	ck_assert_uint_eq(counter(2), 0);
	ck_assert_uint_eq(counter(RUNNING), 0);
}

TEST(test_a_dead_one_reads_as_all_ones_and_is_left_out)
{
	open_machine(SPEC);
	ck_assert_int_eq(sim_set_cpmu_dead(m.sim, 0, true), 0);
	ck_assert_int_eq(sim_set_cpmu_dead(m.sim, 2, true), -ENOENT);
	put(0x018, 0);
	ck_assert_uint_eq(get(0), UINT64_MAX);
	m.spy.base.ops->registers->mmio_unmap(&m.spy.base, &window);
	machine_close(&m.machine);
	ck_assert_int_eq(machine_open(&m.spy.base, &m.machine, &err), 0);
	ck_assert_uint_eq(m.machine.cpmu_count, 1);
	ck_assert_str_eq(m.machine.cpmus[0].device->name, "mem1");
	assert_contains(m.machine.cpmu_error.text, "no response");
}
