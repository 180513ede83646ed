/* SPDX-License-Identifier: BSD-3-Clause */
/* The simulated processors of AMD: CPUID, topology, and MSRs bit by bit. */

#include "msr/cpuid.h"
#include "platform/cpus.h"
#include "platform/reg.h"
#include "sim_registers.h"
#include "unit.h"

#define BIT(n)	   (UINT64_C(1) << (n))
#define COUNTER_48 (BIT(48) - 1)

/* Two sockets of 8 CPUs, so 4 L3 caches */
#define SPEC "turin,sockets=2,read=6.4,write=3.2,dram_read=12.8,dram_write=6.4,clock=virtual"

#define STATUS 0xC0000300
#define GLOBAL 0xC0000301
#define CLEAR  0xC0000302

#define ENABLE	   BIT(22)
#define UMC_ENABLE BIT(31)
#define USR	   BIT(16)
#define OS	   BIT(17)
#define CYCLES	   (UINT64_C(0x76) | USR | OS | ENABLE)
#define DCLK	   UMC_ENABLE /* event 0 of a UMC: its clock */

#define CYCLES_A_SECOND	   UINT64_C(3000000000)
#define TSC_A_SECOND	   UINT64_C(2000000000)
#define DCLK_A_SECOND	   UINT64_C(2400000000)
#define CXL_READS_A_SECOND UINT64_C(100000000) /* reads of one port */

/* Port 0 is read: event 31Fh, umask FFEh */
#define PORT_READ (UINT64_C(0x1F) | UINT64_C(3) << 32 | UINT64_C(0xFE) << 8 | UINT64_C(0xF) << 24)

static struct topology topology;

static struct platform *p;

static void set_up(void)
{
	p = sim_make(SPEC);
}

static void read_cpuid(struct platform *machine, uint32_t leaf, uint32_t regs[CPUID_REGS])
{
	ck_assert_int_eq(machine->ops->cpus->cpuid(machine, 0, leaf, 0, regs, NULL), 0);
}

FIXTURE(set_up, NULL)

TEST(test_there_is_no_architectural_pmu)
{
	uint32_t leaf[CPUID_REGS];

	read_cpuid(p, 0xA, leaf);
	for (int i = 0; i < CPUID_REGS; i++)
		ck_assert_uint_eq(leaf[i], 0);
}

static const struct {
	const char *spec;
	unsigned counters, active;
} umcs[] = {
	{"turin", 16, 0x1D},
	{"genoa,imcs=1", 4, 0x1},
	{"venice,imcs=12", 48, 0x1FFD},
	{"turin,imcs=15", 60, 0xFFFD},
	{"turin,imcs=16", 64, 0x1FFFD},
	{"turin,imcs=32", 128, 0xFFFFFFFF},
};

TEST_LOOP(test_cpuid_describes_the_counters, COUNT(umcs))
{
	struct platform *machine = sim_make(umcs[_i].spec);
	uint32_t leaf[CPUID_REGS];

	read_cpuid(machine, 0x80000022, leaf);
	ck_assert_uint_eq(leaf[CPUID_EAX], 1);
	ck_assert_uint_eq(leaf[CPUID_EBX] & 0xF, 6);
	ck_assert_uint_eq(leaf[CPUID_EBX] >> 10 & 0x3F, 16);
	ck_assert_uint_eq(leaf[CPUID_EBX] >> 16, umcs[_i].counters);
	ck_assert_uint_eq(leaf[CPUID_ECX], umcs[_i].active);
}

TEST(test_a_guest_has_no_counters_but_those_of_its_cpus)
{
	static const uint32_t absent[] = {AMD_DF(0), AMD_DF(0) + 1, AMD_L3(0), AMD_UMC(0, 0),
					  STATUS,    GLOBAL,	    CLEAR};
	uint32_t leaf[CPUID_REGS];
	uint64_t value;

	sim_set_hypervisor(sim_of(p), "KVMKVMKVM");
	read_cpuid(p, 1, leaf);
	ck_assert_uint_eq(leaf[CPUID_ECX], 1U << 31);
	read_cpuid(p, 0x80000001, leaf);
	ck_assert_uint_eq(leaf[CPUID_ECX], 1U << 23);
	read_cpuid(p, 0x80000022, leaf);
	for (int i = 0; i < CPUID_REGS; i++)
		ck_assert_uint_eq(leaf[i], 0);
	for (int i = 0; i < COUNT(absent); i++) {
		ck_assert_int_eq(raw_msr_read(p, 0, absent[i], &value), -EIO);
		ck_assert_int_eq(raw_msr_write(p, 0, absent[i], 0), -EIO);
	}
	msr_poke(p, 0, AMD_CORE(0), CYCLES);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 0, AMD_CORE(0) + 1), CYCLES_A_SECOND);
}

/* L3 cache of each CPU of two sockets */
static const struct {
	const char *spec;
	int l3[24];
} topologies[] = {
	{"turin,sockets=2", {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3}},
	{"genoa,sockets=2,cpus=6,dies=2", {0, 0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3}},
	{"venice,sockets=2,cpus=3", {0, 0, 0, 1, 1, 1}},
	/* three caches per socket */
	{"venice,sockets=2,cpus=12",
	 {0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 4, 4, 4, 4, 5, 5, 5, 5, 6, 6, 6, 6}},
};

TEST_LOOP(test_four_cpus_share_an_l3_cache, COUNT(topologies))
{
	struct platform *machine = sim_make(topologies[_i].spec);

	ck_assert_int_eq(machine->ops->cpus->topology(machine, &topology, NULL), 0);
	for (size_t i = 0; i < topology.count; i++) {
		ck_assert_int_eq(topology.cpus[i].l3, topologies[_i].l3[i]);
		ck_assert_int_eq(topology.cpus[i].die, 0);
	}
	topology_free(&topology);
}

/* Registers of Intel, and those after the last counter of each kind. */
static const uint32_t unknown[] = {
	0x0,	    0xC1,	 0x186,	    0x1A6,	0x309,	       0x38D,
	0x38E,	    0x38F,	 0x392,	    0x4C1,	0x2000,	       0x2FF0,
	0x3FED,	    AMD_CORE(6), AMD_L3(6), AMD_DF(16), AMD_UMC(4, 0), AMD_UMC(0, 0) - 1,
	0x710,	    0x1A0,	 0x345,	    0x3F1,	0x1D9,	       CLEAR + 1,
	STATUS - 1,
};

TEST_LOOP(test_unknown_register_is_a_general_protection_fault, COUNT(unknown))
{
	assert_no_msr(p, unknown[_i]);
}

/* Bits that each register takes; all others are refused. */
static const struct {
	uint32_t msr;
	uint64_t bits;
} writable[] = {
	{AMD_DF(0), AMD_DF_BITS},
	{AMD_DF(15), AMD_DF_BITS},
	{AMD_L3(0), AMD_L3_BITS},
	{AMD_L3(5), AMD_L3_BITS},
	{AMD_UMC(0, 0), AMD_UMC_BITS},
	{AMD_UMC(3, 3), AMD_UMC_BITS},
	{AMD_CORE(0), UINT64_C(0x30FFFD7FFFF) & ~BIT(19)},
	{AMD_CORE(5), UINT64_C(0x30FFFD7FFFF) & ~BIT(19)},
	{AMD_DF(0) + 1, COUNTER_48},
	{AMD_L3(5) + 1, COUNTER_48},
	{AMD_UMC(3, 3) + 1, COUNTER_48},
	{AMD_CORE(5) + 1, COUNTER_48},
	{GLOBAL, 0x3F},
};

TEST_LOOP(test_write_of_a_reserved_bit_faults_and_changes_nothing, COUNT(writable))
{
	msr_poke(p, 0, AMD_UMC(3, 0), UMC_ENABLE);
	for (int bit = 0; bit < 64; bit++) {
		const uint64_t hash = sim_state_hash(sim_of(p));
		const bool taken = writable[_i].bits >> bit & 1;

		ck_assert_int_eq(raw_msr_write(p, 0, writable[_i].msr, BIT(bit)), taken ? 0 : -EIO);
		if (taken)
			ck_assert_uint_eq(msr_peek(p, 0, writable[_i].msr), BIT(bit));
		else
			ck_assert_uint_eq(sim_state_hash(sim_of(p)), hash);
	}
}

TEST(test_the_data_fabric_is_that_of_the_cpu_s_socket)
{
	msr_poke(p, 0, AMD_DF(15), PORT_READ | ENABLE);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 7, AMD_DF(15) + 1), CXL_READS_A_SECOND);
	ck_assert_uint_eq(msr_peek(p, 8, AMD_DF(15)), 0);
	ck_assert_uint_eq(msr_peek(p, 15, AMD_DF(15) + 1), 0);
}

TEST(test_an_l3_cache_is_that_of_the_cpu_s_complex)
{
	msr_poke(p, 5, AMD_L3(0), 0xAC);
	ck_assert_uint_eq(msr_peek(p, 7, AMD_L3(0)), 0xAC);
	ck_assert_uint_eq(msr_peek(p, 3, AMD_L3(0)), 0);
	ck_assert_uint_eq(msr_peek(p, 13, AMD_L3(0)), 0);
	msr_poke(p, 8, AMD_L3(0) + 1, 5);
	ck_assert_uint_eq(msr_peek(p, 11, AMD_L3(0) + 1), 5);
	ck_assert_uint_eq(msr_peek(p, 12, AMD_L3(0) + 1), 0);
}

TEST(test_memory_controllers_are_numbered_without_those_that_are_not_active)
{
	msr_poke(p, 0, AMD_UMC(3, 2), DCLK);
	msr_poke(p, 0, 0xC0010800, DCLK);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 1, AMD_UMC(3, 2) + 1), DCLK_A_SECOND);
	ck_assert_uint_eq(msr_peek(p, 1, 0xC0010801), DCLK_A_SECOND);
	ck_assert_uint_eq(msr_peek(p, 1, AMD_UMC(1, 0) + 1), 0);
}

static const struct {
	uint32_t msr;
	uint64_t control, enable, a_second;
} enables[] = {
	{AMD_DF(3), PORT_READ, ENABLE, CXL_READS_A_SECOND},
	{AMD_CORE(2), CYCLES & ~ENABLE, ENABLE, CYCLES_A_SECOND},
	{AMD_UMC(1, 1), 0, UMC_ENABLE, DCLK_A_SECOND}, /* the last one, which does not wrap */
};

TEST_LOOP(test_counter_counts_while_its_enable_bit_is_set, COUNT(enables))
{
	const uint32_t counter = enables[_i].msr + 1;

	msr_poke(p, 0, enables[_i].msr, enables[_i].control);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 0, counter), 0);
	msr_poke(p, 0, enables[_i].msr, enables[_i].control | enables[_i].enable);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 0, counter), enables[_i].a_second);
	msr_poke(p, 0, enables[_i].msr, enables[_i].control);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 0, counter), enables[_i].a_second);
	ck_assert_uint_eq(msr_peek(p, 0, enables[_i].msr), enables[_i].control);
}

TEST_LOOP(test_counter_wraps_at_48_bits, COUNT(enables) - 1)
{
	const uint32_t counter = enables[_i].msr + 1;

	msr_poke(p, 0, enables[_i].msr, enables[_i].control | enables[_i].enable);
	msr_poke(p, 0, counter, COUNTER_48);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 0, counter), enables[_i].a_second - 1);
}

TEST(test_counter_of_a_memory_controller_stops_and_sets_bit_48)
{
	const uint32_t counter = AMD_UMC(2, 3) + 1;

	msr_poke(p, 0, AMD_UMC(2, 3), DCLK);
	msr_poke(p, 0, counter, COUNTER_48 - DCLK_A_SECOND);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 0, counter), COUNTER_48);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 0, counter), BIT(48) | COUNTER_48);
	msr_poke(p, 0, AMD_UMC(2, 3), 0);
	ck_assert_uint_eq(msr_peek(p, 0, counter), BIT(48) | COUNTER_48);
	msr_poke(p, 0, AMD_UMC(2, 3), DCLK);
	msr_poke(p, 0, counter, 0);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 0, counter), DCLK_A_SECOND);
}

/* Behaviour of Genoa and Turin. Source: observations of FreeBSD's developers. */
TEST(test_counters_of_a_memory_controller_take_writes_while_one_of_its_controls_is_enabled)
{
	msr_poke(p, 0, AMD_UMC(2, 0) + 1, 7);
	msr_poke(p, 0, AMD_UMC(2, 3), DCLK & ~UMC_ENABLE);
	msr_poke(p, 0, AMD_UMC(2, 3) + 1, 7);
	msr_poke(p, 0, AMD_UMC(1, 0), DCLK); /* a control of another channel */
	msr_poke(p, 0, AMD_UMC(2, 1) + 1, 7);
	for (unsigned i = 0; i < 4; i++)
		ck_assert_uint_eq(msr_peek(p, 0, AMD_UMC(2, i) + 1), 0);
	msr_poke(p, 0, AMD_UMC(2, 3), DCLK);
	msr_poke(p, 0, AMD_UMC(2, 0) + 1, 7);
	msr_poke(p, 0, AMD_UMC(2, 3) + 1, 8);
	ck_assert_uint_eq(msr_peek(p, 0, AMD_UMC(2, 0) + 1), 7);
	ck_assert_uint_eq(msr_peek(p, 0, AMD_UMC(2, 3) + 1), 8);
	msr_poke(p, 0, AMD_UMC(2, 3), 0);
	msr_poke(p, 0, AMD_UMC(2, 0) + 1, 9);
	ck_assert_uint_eq(msr_peek(p, 0, AMD_UMC(2, 0) + 1), 7);
}

/* Counts per second with a control of a CPU and its bit of the global control. */
static const struct {
	uint64_t control, global, counted;
} core[] = {
	{CYCLES, 0x3F, CYCLES_A_SECOND},
	{CYCLES, 0x01, CYCLES_A_SECOND},
	{CYCLES, 0x3E, 0},
	{CYCLES, 0, 0},
	{CYCLES & ~USR, 1, CYCLES_A_SECOND},
	{CYCLES & ~OS, 1, CYCLES_A_SECOND},
	{CYCLES & ~(USR | OS), 1, 0},
	{CYCLES | BIT(40), 1, CYCLES_A_SECOND},
	{CYCLES ^ 0x76 ^ 0xC0, 1, CYCLES_A_SECOND / 4 * 5},
	{(CYCLES ^ 0x76 ^ 0x20) | BIT(32) | 0x100, 1, TSC_A_SECOND},
	{(CYCLES ^ 0x76 ^ 0x20) | BIT(32), 1, 0},
	{CYCLES | 0x100, 1, 0},
	{CYCLES | BIT(33), 1, 0},
};

TEST_LOOP(test_core_counter_counts_when_enabled_in_a_ring_and_globally, COUNT(core))
{
	msr_poke(p, 3, GLOBAL, core[_i].global);
	msr_poke(p, 3, AMD_CORE(0), core[_i].control);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 3, AMD_CORE(0) + 1), core[_i].counted);
	ck_assert_uint_eq(msr_peek(p, 2, AMD_CORE(0)), 0);
}

TEST(test_overflow_of_a_core_counter_leaves_its_status_bit)
{
	ck_assert_uint_eq(msr_peek(p, 1, STATUS), 0);
	msr_poke(p, 1, AMD_CORE(5), CYCLES);
	msr_poke(p, 1, AMD_CORE(5) + 1, COUNTER_48);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 1, STATUS), BIT(5));
	ck_assert_uint_eq(msr_peek(p, 1, CLEAR), 0);
	ck_assert_int_eq(raw_msr_write(p, 1, STATUS, 0), -EIO);
	ck_assert_int_eq(raw_msr_write(p, 1, CLEAR, BIT(6)), -EIO);
	msr_poke(p, 1, CLEAR, BIT(4));
	ck_assert_uint_eq(msr_peek(p, 1, STATUS), BIT(5));
	msr_poke(p, 1, CLEAR, BIT(5));
	ck_assert_uint_eq(msr_peek(p, 1, STATUS), 0);
}

TEST(test_time_stamp_counter_runs)
{
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 9, 0x10), TSC_A_SECOND);
	ck_assert_int_eq(raw_msr_write(p, 9, 0x10, 0), -EIO);
}

TEST(test_faults_reach_these_registers_too)
{
	uint64_t value;

	sim_set_msr_fault(sim_of(p), AMD_DF(1), -EACCES);
	ck_assert_int_eq(raw_msr_read(p, 0, AMD_DF(1), &value), -EACCES);
	ck_assert_int_eq(sim_set_unit_dead(sim_of(p), 1, 0x100, 0, true), 0);
	ck_assert_uint_eq(msr_peek(p, 8, AMD_DF(2) + 1), UINT64_MAX);
	msr_poke(p, 8, AMD_DF(2), ENABLE);
	ck_assert_int_eq(sim_set_unit_dead(sim_of(p), 1, 0x100, 0, false), 0);
	ck_assert_uint_eq(msr_peek(p, 8, AMD_DF(2)), 0);
	msr_poke(p, 0, AMD_UMC(3, 0), UMC_ENABLE);
	ck_assert_int_eq(sim_set_counter(sim_of(p), 0, 0x102, 3, 1, 77), 0);
	ck_assert_uint_eq(msr_peek(p, 0, AMD_UMC(3, 1) + 1), 77);
	sim_set_writes_refused(sim_of(p), true);
	ck_assert_int_eq(raw_msr_write(p, 0, AMD_DF(0), 0), -EPERM);
}

TEST(test_the_driver_changes_nothing_as_it_loads)
{
	msr_poke(p, 0, AMD_DF(0), PORT_READ | ENABLE);
	msr_poke(p, 0, AMD_DF(0) + 1, 5);
	sim_load_driver(sim_of(p));
	ck_assert_uint_eq(msr_peek(p, 0, AMD_DF(0)), PORT_READ | ENABLE);
	ck_assert_uint_eq(msr_peek(p, 0, AMD_DF(0) + 1), 5);
}

TEST(test_a_suspension_clears_registers_and_keeps_the_topology)
{
	msr_poke(p, 0, AMD_DF(0), PORT_READ | ENABLE);
	msr_poke(p, 12, AMD_L3(0), 0xAC);
	sim_suspend(sim_of(p), SECOND);
	ck_assert_uint_eq(msr_peek(p, 0, AMD_DF(0)), 0);
	ck_assert_uint_eq(msr_peek(p, 12, AMD_L3(0)), 0);
	ck_assert_int_eq(p->ops->cpus->topology(p, &topology, NULL), 0);
	ck_assert_int_eq(topology.cpus[12].l3, 3);
	topology_free(&topology);
}
