/* SPDX-License-Identifier: BSD-3-Clause */
/* Registers of simulated uncore units: sim/sim.h, through the platform. */

#include "platform/pci.h"
#include "sim_registers.h"
#include "unit.h"

#define SPEC		 KINDS_MACHINE
#define CONTROL_BITS	 UINT64_C(0xFF0056789C05FFF0)
#define CONTROL_RESERVED UINT64_C(0x6A0000)
#define COUNTER_BITS	 UINT64_C(0x00219ABCDEF0)

static struct platform *p;
static const struct register_kind *kind;
static struct reg control, counter; /* registers of the unit's first counter */

static void set_unit(uint64_t value)
{
	register_poke(p, kind->unit, value);
}

static uint64_t counted(void)
{
	return register_peek(p, counter);
}

/* A machine whose unit of this kind counts its clock from now on. */
static void count_clock(int number)
{
	p = sim_make(SPEC);
	kind = &register_kinds[number];
	control = kind_control(kind, 0);
	counter = kind_counter(kind, 0);
	register_poke(p, control, kind->clock);
}

TEST_LOOP(test_counter_stands_while_its_unit_or_socket_is_frozen_and_goes_on_after,
	  2 * REGISTER_KINDS)
{
	const bool socket = _i % 2;

	count_clock(_i / 2);
	pass_time(p, SECOND);
	if (socket)
		msr_poke(p, 8 * kind->socket + 7, SIM_FREEZE_MSR, 1);
	else
		set_unit(KIND_FREEZE);
	pass_time(p, 5 * SECOND);
	ck_assert_uint_eq(counted(), kind->per_second);
	if (socket)
		msr_poke(p, 8 * kind->socket, SIM_FREEZE_MSR, 0);
	else
		set_unit(0);
	ck_assert_uint_eq(counted(), kind->per_second);
	pass_time(p, SECOND);
	ck_assert_uint_eq(counted(), 2 * kind->per_second);
}

TEST_LOOP(test_counter_wraps_at_48_bits, REGISTER_KINDS)
{
	count_clock(_i);
	register_poke(p, counter, KIND_COUNTER_MASK);
	ck_assert_uint_eq(counted(), KIND_COUNTER_MASK);
	pass_time(p, SECOND);
	ck_assert_uint_eq(counted(), (kind->per_second - 1) & KIND_COUNTER_MASK);
}

TEST_LOOP(test_counter_can_be_set_as_if_it_had_counted, REGISTER_KINDS)
{
	count_clock(_i);
	pass_time(p, SECOND);
	ck_assert_int_eq(sim_set_counter(sim_of(p), kind->socket, kind->type, kind->id, 0, 1000),
			 0);
	pass_time(p, SECOND);
	ck_assert_uint_eq(counted(), kind->per_second + 1000);
}

static const uint64_t resets[] = {KIND_RESET_CONTROLS, KIND_RESET_COUNTERS,
				  KIND_FREEZE | KIND_RESET_CONTROLS | KIND_RESET_COUNTERS};

TEST_LOOP(test_reset_bits_clear_what_they_name_and_do_not_stay, COUNT(resets) * REGISTER_KINDS)
{
	const uint64_t reset = resets[_i % COUNT(resets)];

	count_clock(_i / COUNT(resets));
	const uint64_t selected = reset & KIND_RESET_CONTROLS ? 0 : kind->clock;
	const uint64_t count = reset & KIND_RESET_COUNTERS ? 0 : kind->per_second;

	pass_time(p, SECOND);
	set_unit(reset);
	ck_assert_uint_eq(register_peek(p, kind->unit), reset & KIND_FREEZE);
	ck_assert_uint_eq(register_peek(p, control), selected);
	ck_assert_uint_eq(counted(), count);
	set_unit(0);
	pass_time(p, SECOND);
	ck_assert_uint_eq(counted(), count + (selected ? kind->per_second : 0));
}

static void set_dead(bool dead)
{
	ck_assert_int_eq(sim_set_unit_dead(sim_of(p), kind->socket, kind->type, kind->id, dead), 0);
}

TEST_LOOP(test_dead_unit_reads_all_ones_and_loses_writes, REGISTER_KINDS)
{
	count_clock(_i);
	const uint64_t hash = sim_state_hash(sim_of(p));
	const struct reg regs[] = {kind->unit, control, counter};

	set_dead(true);
	set_unit(KIND_FREEZE | KIND_RESET_CONTROLS);
	register_poke(p, control, 0);
	for (int i = 0; i < COUNT(regs); i++)
		ck_assert_uint_eq(register_peek(p, regs[i]),
				  UINT64_MAX >> (64 - 8 * regs[i].bytes));
	pass_time(p, SECOND);
	set_dead(false);
	ck_assert_uint_eq(sim_state_hash(sim_of(p)), hash);
	ck_assert_uint_eq(counted(), kind->per_second);
}

/* Reserved bits of controls, and bits 63:48 of counters, do not stay. In an MSR they fault. */
TEST_LOOP(test_each_register_keeps_its_own_value, REGISTER_KINDS)
{
	count_clock(_i);
	const bool faults = kind->unit.space == REG_MSR;
	const uint64_t reserved = faults ? 0 : CONTROL_RESERVED,
		       high = faults ? 0 : ~KIND_COUNTER_MASK,
		       mask = UINT64_MAX >> (64 - 8 * kind->control_bytes);

	set_unit(KIND_FREEZE);
	for (unsigned i = 0; i < kind->counters; i++) {
		register_poke(p, kind_control(kind, i), reserved | ((CONTROL_BITS + i) & mask));
		register_poke(p, kind_counter(kind, i), high | (COUNTER_BITS + i));
	}
	register_poke(p, kind_control(kind, 1), 0);
	ck_assert_uint_eq(register_peek(p, kind->unit), KIND_FREEZE);
	for (unsigned i = 0; i < kind->counters; i++) {
		ck_assert_uint_eq(register_peek(p, kind_control(kind, i)),
				  i == 1 ? 0 : (CONTROL_BITS + i) & mask);
		ck_assert_uint_eq(register_peek(p, kind_counter(kind, i)), COUNTER_BITS + i);
	}
}

TEST_LOOP(test_driver_that_loads_resets_units_and_leaves_them_running, REGISTER_KINDS)
{
	count_clock(_i);
	pass_time(p, SECOND);
	set_unit(KIND_FREEZE);
	sim_load_driver(sim_of(p));
	ck_assert_uint_eq(register_peek(p, kind->unit), 0);
	ck_assert_uint_eq(register_peek(p, control), 0);
	ck_assert_uint_eq(counted(), 0);
	register_poke(p, control, kind->clock);
	pass_time(p, SECOND);
	ck_assert_uint_eq(counted(), kind->per_second);
}

/* CPUs 0 to 3 of a socket belong to its first die, as do port 0 and the first four CHAs. */
TEST(test_loaded_driver_resets_a_die_whose_first_cpu_comes_online)
{
	p = sim_make("gnr,sockets=2,dies=2,read=1,clock=virtual");
	const uint64_t other_die = SIM_CXLCM(0, 0) + 0x2000000;

	sim_load_driver(sim_of(p));
	memory_poke(p, SIM_CXLCM(0, 0) + CXL_CONTROL(0), 8, 0x0802);
	memory_poke(p, other_die + CXL_CONTROL(0), 8, 0x0802);
	memory_poke(p, SIM_CXLCM(1, 0) + CXL_CONTROL(0), 8, 0x0802);
	for (unsigned cpu = 0; cpu < 4; cpu++)
		sim_set_cpu_online(sim_of(p), cpu, false);
	sim_set_cpu_online(sim_of(p), 4, false);
	sim_set_cpu_online(sim_of(p), 4, true); /* not the first online CPU of its die */
	ck_assert_uint_eq(memory_peek(p, other_die + CXL_CONTROL(0), 8), 0x0802);
	ck_assert_uint_eq(memory_peek(p, SIM_CXLCM(0, 0) + CXL_CONTROL(0), 8), 0x0802);
	sim_set_cpu_online(sim_of(p), 2, true);
	ck_assert_uint_eq(memory_peek(p, SIM_CXLCM(0, 0) + CXL_CONTROL(0), 8), 0);
	memory_poke(p, SIM_CXLCM(0, 0) + CXL_CONTROL(0), 8, 0x0802);
	sim_set_cpu_online(sim_of(p), 3, true);
	ck_assert_uint_eq(memory_peek(p, SIM_CXLCM(0, 0) + CXL_CONTROL(0), 8), 0x0802);
	ck_assert_uint_eq(memory_peek(p, other_die + CXL_CONTROL(0), 8), 0x0802);
	ck_assert_uint_eq(memory_peek(p, SIM_CXLCM(1, 0) + CXL_CONTROL(0), 8), 0x0802);
}

TEST(test_without_the_driver_a_cpu_that_comes_online_resets_nothing)
{
	p = sim_make("spr,cpus=1,read=1,clock=virtual");
	memory_poke(p, SIM_CXLCM(0, 0) + CXL_CONTROL(0), 8, 0x0802);
	sim_set_cpu_online(sim_of(p), 0, false);
	sim_set_cpu_online(sim_of(p), 0, true);
	ck_assert_uint_eq(memory_peek(p, SIM_CXLCM(0, 0) + CXL_CONTROL(0), 8), 0x0802);
}

TEST(test_unit_that_is_not_there_can_not_be_touched)
{
	p = sim_make(SPEC);
	ck_assert_int_lt(sim_set_unit_dead(sim_of(p), 0, 12, 3, true), 0);
	ck_assert_int_lt(sim_set_unit_dead(sim_of(p), 2, 12, 2, true), 0);
	ck_assert_int_lt(sim_set_counter(sim_of(p), 0, 12, 2, 8, 0), 0);
	ck_assert_int_lt(sim_set_counter(sim_of(p), 0, 99, 0, 0, 0), 0);
}

TEST(test_msr_of_a_unit_is_that_of_the_cpus_own_socket)
{
	p = sim_make(SPEC);
	msr_poke(p, 8, SIM_CHA(1) + 2, 0x0001);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 0, SIM_CHA(1) + 2), 0);
	ck_assert_uint_eq(msr_peek(p, 0, SIM_CHA(1) + 8), 0);
	ck_assert_uint_eq(msr_peek(p, 15, SIM_CHA(1) + 8), 2000000000);
}

/* Counters of a CXLCM that can count an event, and its count per second. */
static const struct {
	const char *spec;
	uint64_t control;
	unsigned counters;
	uint64_t counted;
} sights[] = {
	{"spr,read=6.4,write=1.6", 0x1002, 0x0F, 50000000},  /* Tx MEM_DATA: half lines */
	{"gnr,read=6.4,write=1.6", 0x1002, 0x0F, 25000000},  /* whole lines */
	{"spr,read=6.4,write=1.6", 0x0802, 0x0F, 100000000}, /* Tx MEM_REQ */
	{"spr,read=6.4,memspecrd=50", 0x0802, 0x0F, 150000000},
	{"emr,read=6.4,memspecrd=100", 0x0802, 0x0F, 200000000},
	{"spr,cache_h2d=6.4", 0x0402, 0x0F, 200000000}, /* Tx CACHE_DATA */
	{"spr,cache_d2h=6.4", 0x0441, 0xF0, 100000000}, /* Rx CACHE_DATA */
	{"spr,read=6.4", 0x0201, 0xFF, 1000000000},	/* the link's clock */
	{"spr,full=25", 0x1052, 0xF0, 250000000},	/* Rx FULL.MEM_DATA */
	{"spr,crc=7", 0x0840, 0xF0, 7},			/* Rx CRC_ERRORS */
	{"spr,read=12.8,write=12.8,limit=12.8", 0x1002, 0x0F,
	 200000000}, /* half of it is carried */
	{"spr,read=12.8,write=12.8,limit=12.8", 0x0802, 0x0F, 100000000},
	{"spr,read=12.8,write=12.8,limit=12.8", 0x1052, 0xF0, 1000000000}, /* always full */
	{"spr,read=6.4,limit=12.8", 0x1052, 0xF0, 15258},		   /* 0.5^16 of the time */
	{"spr,read=6.4,limit=12.8", 0x1042, 0xF0, 500000000}, /* Rx NE.MEM_DATA: half of it */
	{"spr,read=6.4,limit=6.4,full=25", 0x1052, 0xF0, 250000000},
	{"spr,read=6.4", 0x1041, 0xF0, 0},		 /* Rx MEM_DATA: not on this one */
	{"spr,read=6.4,rxc=1", 0x1041, 0xF0, 100000000}, /* unless it is asked to */
	{"emr,read=6.4", 0x1041, 0xF0, 0},
	{"gnr,read=6.4", 0x1041, 0xF0, 100000000},
	{"gnr,read=6.4,rxc=0", 0x1041, 0xF0, 0},
	{"srf,read=6.4", 0x1041, 0xF0, 100000000},
	{"spr,read=6.4", 0x7777, 0xFF, 0}, /* no event */
};

TEST_LOOP(test_event_counts_only_on_counters_that_see_it, COUNT(sights))
{
	char spec[64];

	snprintf(spec, sizeof(spec), "%s,clock=virtual", sights[_i].spec);
	p = sim_make(spec);
	for (unsigned c = 0; c < 8; c++)
		memory_poke(p, SIM_CXLCM(0, 0) + CXL_CONTROL(c), 8, sights[_i].control);
	pass_time(p, SECOND);
	for (unsigned c = 0; c < 8; c++)
		ck_assert_uint_eq(memory_peek(p, SIM_CXLCM(0, 0) + CXL_COUNTER(c), 8),
				  sights[_i].counters >> c & 1 ? sights[_i].counted : 0);
}

static const char *const traffics[] = {
	"spr,read=3.7,wave=0,clock=virtual", "spr,read=3.7,wave=1,clock=virtual",
	"spr,read=3.7,wave=1,limit=4,clock=virtual", "spr,read=3.7,ramp=10,limit=3,clock=virtual",
	"spr,limit=20,clock=virtual"};

static struct platform *counting_reads(const char *spec)
{
	struct platform *counting = sim_make(spec);

	memory_poke(counting, SIM_CXLDP(0, 0) + CXL_CONTROL(2), 8, 0x1002);
	return counting;
}

static uint64_t reads(struct platform *counting)
{
	return memory_peek(counting, SIM_CXLDP(0, 0) + CXL_COUNTER(2), 8);
}

/*
 * Counts inserts of DRD_CXL_ACC on counter 1 of each CHA, occupancy on counter 0: sums of one
 * second.
 */
static void count_tor(uint64_t *inserts, uint64_t *occupancy)
{
	*inserts = *occupancy = 0;
	for (unsigned cha = 0; cha < 8; cha++) {
		msr_poke(p, 0, SIM_CHA(cha) + 2, UINT64_C(0x10C8178200000136));
		msr_poke(p, 0, SIM_CHA(cha) + 3, UINT64_C(0x10C8178200000135));
	}
	pass_time(p, SECOND);
	for (unsigned cha = 0; cha < 8; cha++) {
		*occupancy += msr_peek(p, 0, SIM_CHA(cha) + 8);
		*inserts += msr_peek(p, 0, SIM_CHA(cha) + 9);
	}
}

/* Two ports of 6.4 GB/s read 2e8 lines per second; a clock of a CHA is half a nanosecond. */
static const struct {
	const char *spec;
	uint64_t inserts, clocks;
} tors[] = {
	{"spr,read=6.4,latency=300,clock=virtual", 200000000, 600},
	{"spr,read=6.4,latency=300,memspecrd=80,clock=virtual", 200000000, 600},
	{"spr,read=6.4,latency=300,limit=6.4,clock=virtual", 200000000, 3600},
	{"spr,read=6.4,latency=300,limit=1.6,clock=virtual", 50000000, 3600},
};

TEST_LOOP(test_tor_is_occupied_by_each_insert_for_as_long_as_the_load_makes_it, COUNT(tors))
{
	p = sim_make(tors[_i].spec);
	uint64_t inserts, occupancy;

	count_tor(&inserts, &occupancy);
	ck_assert_uint_eq(inserts, tors[_i].inserts);
	ck_assert_uint_eq(occupancy, tors[_i].inserts * tors[_i].clocks);
}

TEST_LOOP(test_counter_does_not_depend_on_how_often_it_is_read, COUNT(traffics))
{
	struct platform *often = counting_reads(traffics[_i]), *once = counting_reads(traffics[_i]);

	pass_time(often, 5 * SECOND);
	pass_time(once, 5 * SECOND);
	for (unsigned i = 0; i < 997; i++) {
		pass_time(often, 13);
		reads(often);
	}
	pass_time(once, 997 * 13);
	ck_assert_uint_gt(reads(once), 0);
	ck_assert_uint_eq(reads(often), reads(once));
}
