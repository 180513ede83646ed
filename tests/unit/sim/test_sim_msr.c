/* SPDX-License-Identifier: BSD-3-Clause */
/* Model-specific registers of a simulated CPU: sim/sim.h, through the platform. */

#include "msr/core_pmu.h"
#include "msr/cpuid.h"
#include "platform/cpus.h"
#include "sim_registers.h"
#include "unit.h"

#define BIT(n) (UINT64_C(1) << (n))

#define SPEC	   "spr,read=1,clock=virtual"
#define CYCLES	   UINT64_C(0x3C)
#define RUNNING	   (CYCLES | PERFEVTSEL_EN | PERFEVTSEL_USR | PERFEVTSEL_OS)
#define A_SECOND   UINT64_C(3000000000) /* cycles of a simulated core */
#define COUNTER_48 (BIT(48) - 1)

static struct platform *p;

static void set_up(void)
{
	p = sim_make(SPEC);
}

FIXTURE(set_up, NULL)

static const uint32_t unknown[] = {0x0,	   0x123,  0xC9,   0x18E,      0x30D,  0x4C9,
				   0x1FFF, 0x2006, 0x200C, SIM_CHA(8), 0x3FED, UINT32_MAX};

TEST_LOOP(test_unknown_register_is_a_general_protection_fault, COUNT(unknown))
{
	assert_no_msr(p, unknown[_i]);
}

static const struct {
	uint32_t msr;
	unsigned bit;
} reserved[] = {
	{IA32_PERFEVTSEL0, 21},
	{IA32_PERFEVTSEL0, 34},
	{IA32_PERFEVTSEL0, 63},
	{IA32_PERFEVTSEL0 + 7, 21},
	{IA32_FIXED_CTR_CTRL, 2},
	{IA32_FIXED_CTR_CTRL, 6},
	{IA32_FIXED_CTR_CTRL, 10},
	{IA32_FIXED_CTR_CTRL, 14},
	{IA32_FIXED_CTR_CTRL, 16},
	{IA32_FIXED_CTR_CTRL, 63},
	{IA32_PERF_GLOBAL_CTRL, 8},
	{IA32_PERF_GLOBAL_CTRL, 31},
	{IA32_PERF_GLOBAL_CTRL, 36},
	{IA32_PERF_GLOBAL_CTRL, 63},
	{IA32_PERF_GLOBAL_OVF_CTRL, 8},
	{IA32_PERF_GLOBAL_STATUS_SET, 36},
	{IA32_A_PMC0, 48},
	{IA32_FIXED_CTR0, 48},
	{SIM_CHA(0), 1},
	{SIM_CHA(0), 7},
	{SIM_CHA(0), 10},
	{SIM_CHA(0), 63},
	{SIM_CHA(0) + 2, 17},
	{SIM_CHA(0) + 2, 19},
	{SIM_CHA(0) + 2, 21},
	{SIM_CHA(0) + 2, 22},
	{SIM_CHA(0) + 8, 48},
};

TEST_LOOP(test_write_of_a_reserved_bit_faults_and_changes_nothing, COUNT(reserved))
{
	const uint64_t hash = sim_state_hash(sim_of(p));

	ck_assert_int_eq(raw_msr_write(p, 0, reserved[_i].msr, BIT(reserved[_i].bit)), -EIO);
	ck_assert_uint_eq(sim_state_hash(sim_of(p)), hash);
}

static const struct {
	uint32_t msr;
	uint64_t written, held;
} writable[] = {
	{IA32_PERFEVTSEL0, ~PERFEVTSEL_ANY &UINT64_C(0x3FFFFFFFF),
	 ~PERFEVTSEL_ANY &UINT64_C(0x3FFFFFFFF)},
	{IA32_FIXED_CTR_CTRL, 0xBBBB, 0xBBBB},
	{IA32_PERF_GLOBAL_CTRL, UINT64_C(0xF000000FF), UINT64_C(0xF000000FF)},
	{IA32_A_PMC0 + 7, COUNTER_48, COUNTER_48},
	{IA32_FIXED_CTR0 + 3, COUNTER_48, COUNTER_48},
	{SIM_CHA(7), 1, 1},
	{SIM_CHA(7) + 5, UINT64_C(0xFFFFFFFFFF95FFFF), UINT64_C(0xFFFFFFFFFF95FFFF)},
	{SIM_CHA(7) + 11, COUNTER_48, COUNTER_48},
	{SIM_FREEZE_MSR, 1, 1},
	/* of 32 bits, which are sign-extended */
	{IA32_PMC0 + 5, 0xFFFFFFFF, COUNTER_48},
	{IA32_PMC0 + 5, 0x80000000, UINT64_C(0xFFFF80000000)},
	{IA32_PMC0 + 5, 0x7FFFFFFF, 0x7FFFFFFF},
	{IA32_PMC0 + 5, UINT64_C(0x100000001), 1},
	{IA32_PMC0 + 5, UINT64_C(0xFFFFFFFF00000000), 0},
};

TEST_LOOP(test_register_holds_what_was_written, COUNT(writable))
{
	msr_poke(p, 0, writable[_i].msr, writable[_i].written);
	ck_assert_uint_eq(msr_peek(p, 0, writable[_i].msr), writable[_i].held);
}

static const struct {
	uint64_t perfevtsel, global_ctrl, counted;
} general[] = {
	{RUNNING, BIT(0), A_SECOND},
	{RUNNING & ~PERFEVTSEL_OS, BIT(0), A_SECOND},
	{RUNNING & ~PERFEVTSEL_USR, BIT(0), A_SECOND},
	{RUNNING & ~(PERFEVTSEL_USR | PERFEVTSEL_OS), BIT(0), 0},
	{RUNNING & ~PERFEVTSEL_EN, BIT(0), 0},
	{RUNNING, 0, 0},
	{RUNNING, BIT(1), 0},
	{RUNNING ^ CYCLES ^ 0xC0, BIT(0), A_SECOND / 4 * 5}, /* instructions */
	{RUNNING | 0x0100, BIT(0), 2 * SECOND},		     /* reference cycles */
	{RUNNING | 0x5500, BIT(0), 0},			     /* no such event here */
};

TEST_LOOP(test_core_counter_counts_when_enabled_in_a_ring_and_globally, COUNT(general))
{
	msr_poke(p, 3, IA32_PERF_GLOBAL_CTRL, 0);
	msr_poke(p, 3, IA32_PERFEVTSEL0, general[_i].perfevtsel);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 3, IA32_PMC0), 0);
	msr_poke(p, 3, IA32_PERF_GLOBAL_CTRL, general[_i].global_ctrl);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 3, IA32_PMC0), general[_i].counted);
	ck_assert_uint_eq(msr_peek(p, 3, IA32_A_PMC0), general[_i].counted);
}

static const struct {
	uint64_t ctrl, global_ctrl, counted[4];
} fixed[] = {
	{0x3333, UINT64_C(0xF) << 32, {3750000000, A_SECOND, 2000000000, 18000000000}},
	{0x0013, UINT64_C(0xF) << 32, {3750000000, A_SECOND, 0, 0}},
	{0x3333, UINT64_C(0x2) << 32, {0, A_SECOND, 0, 0}},
	{0x2000, UINT64_C(0xF) << 32, {0, 0, 0, 18000000000}},
	{0x0000, UINT64_C(0xF) << 32, {0, 0, 0, 0}},
	{0x3333, 0xF, {0, 0, 0, 0}},
};

TEST_LOOP(test_fixed_counters_count_when_enabled_in_a_ring_and_globally, COUNT(fixed))
{
	msr_poke(p, 0, IA32_FIXED_CTR_CTRL, fixed[_i].ctrl);
	msr_poke(p, 0, IA32_PERF_GLOBAL_CTRL, fixed[_i].global_ctrl);
	for (unsigned n = 0; n < 4; n++)
		msr_poke(p, 0, IA32_FIXED_CTR0 + n, 0);
	pass_time(p, SECOND);
	for (unsigned n = 0; n < 4; n++)
		ck_assert_uint_eq(msr_peek(p, 0, IA32_FIXED_CTR0 + n), fixed[_i].counted[n]);
}

TEST(test_core_counter_wraps_at_48_bits_and_leaves_an_overflow_bit_that_ovf_ctrl_clears)
{
	msr_poke(p, 0, IA32_PMC0 + 2, 0xFFFFFFFF);
	msr_poke(p, 0, IA32_FIXED_CTR0 + 1, COUNTER_48);
	msr_poke(p, 0, IA32_PERFEVTSEL0 + 2, RUNNING);
	msr_poke(p, 0, IA32_FIXED_CTR_CTRL, 0x30);
	ck_assert_uint_eq(msr_peek(p, 0, IA32_PERF_GLOBAL_STATUS), 0);
	pass_time(p, SECOND);
	ck_assert_int_eq(raw_msr_write(p, 0, IA32_PERF_GLOBAL_STATUS, 0), -EIO);
	ck_assert_uint_eq(msr_peek(p, 0, IA32_PERF_GLOBAL_STATUS), BIT(2) | BIT(33));
	ck_assert_uint_eq(msr_peek(p, 0, IA32_PMC0 + 2), A_SECOND - 1);
	ck_assert_uint_eq(msr_peek(p, 0, IA32_FIXED_CTR0 + 1), A_SECOND - 1);
	msr_poke(p, 0, IA32_PERF_GLOBAL_OVF_CTRL, BIT(2));
	ck_assert_uint_eq(msr_peek(p, 0, IA32_PERF_GLOBAL_STATUS), BIT(33));
	msr_poke(p, 0, IA32_PERF_GLOBAL_OVF_CTRL, BIT(33) | BIT(62) | BIT(63));
	ck_assert_uint_eq(msr_peek(p, 0, IA32_PERF_GLOBAL_STATUS), 0);
	ck_assert_uint_eq(msr_peek(p, 0, IA32_PERF_GLOBAL_OVF_CTRL), 0);
}

TEST(test_overflow_bits_can_be_set)
{
	msr_poke(p, 0, IA32_PERF_GLOBAL_STATUS_SET, BIT(7) | BIT(32));
	ck_assert_uint_eq(msr_peek(p, 0, IA32_PERF_GLOBAL_STATUS), BIT(7) | BIT(32));
}

/* Values of controls, and of IA32_PERF_GLOBAL_INUSE then. */
static const struct {
	uint32_t msr;
	uint64_t value, inuse;
} inuse[] = {
	{IA32_PERFEVTSEL0 + 4, RUNNING, BIT(4)},
	{IA32_PERFEVTSEL0 + 4, RUNNING & ~PERFEVTSEL_EN,
	 BIT(4)}, /* an event number that was left */
	/* no event, though it is enabled */
	{IA32_PERFEVTSEL0 + 4, PERFEVTSEL_EN | PERFEVTSEL_OS, 0},
	{IA32_PERFEVTSEL0 + 4, 0xFF00, 0},
	{IA32_PERFEVTSEL0, PERFEVTSEL_INT, GLOBAL_INUSE_PMI},
	{IA32_FIXED_CTR_CTRL, 0x0300, BIT(34)},
	{IA32_FIXED_CTR_CTRL, 0x2001, BIT(32) | BIT(35)},
	{IA32_FIXED_CTR_CTRL, 0x0800, GLOBAL_INUSE_PMI},
	{IA32_FIXED_CTR_CTRL, 0x0B00, BIT(34) | GLOBAL_INUSE_PMI},
	{IA32_PEBS_ENABLE, 0x1, GLOBAL_INUSE_PMI},
};

TEST_LOOP(test_counters_in_use_are_those_that_have_something_selected, COUNT(inuse))
{
	ck_assert_uint_eq(msr_peek(p, 0, IA32_PERF_GLOBAL_INUSE), 0);
	msr_poke(p, 0, inuse[_i].msr, inuse[_i].value);
	ck_assert_uint_eq(msr_peek(p, 0, IA32_PERF_GLOBAL_INUSE), inuse[_i].inuse);
}

#define THREADS	   "gnr,sockets=2,cpus=4,threads=2,ports=1,read=6.4,clock=virtual"
#define LOCAL_CXL  UINT64_C(0x700C04477)
#define REMOTE_CXL UINT64_C(0x703004477)
#define OFFCORE	   (PERFEVTSEL_EN | PERFEVTSEL_USR | PERFEVTSEL_OS | 0x12A)

TEST(test_threads_of_a_core_share_its_offcore_response_registers)
{
	p = sim_make(THREADS);
	for (uint32_t r = 0; r < 2; r++) {
		msr_poke(p, 3, IA32_OFFCORE_RSP_0 + r, LOCAL_CXL + r);
		ck_assert_uint_eq(msr_peek(p, 2, IA32_OFFCORE_RSP_0 + r), LOCAL_CXL + r);
		ck_assert_uint_eq(msr_peek(p, 1, IA32_OFFCORE_RSP_0 + r), 0);
		ck_assert_uint_eq(msr_peek(p, 4, IA32_OFFCORE_RSP_0 + r), 0);
		ck_assert_int_eq(raw_msr_write(p, 0, IA32_OFFCORE_RSP_0 + r, UINT64_C(1) << 38),
				 -EIO);
	}
}

/* A socket reads 100 million lines per second: a tenth of them by CPU 0, four tenths by CPU 3. */
TEST(test_an_offcore_event_counts_what_its_register_selects_on_the_first_four_counters)
{
	p = sim_make(THREADS);
	msr_poke(p, 3, IA32_OFFCORE_RSP_0, LOCAL_CXL);
	msr_poke(p, 3, IA32_OFFCORE_RSP_0 + 1, REMOTE_CXL);
	msr_poke(p, 3, IA32_PERFEVTSEL0, OFFCORE);
	msr_poke(p, 3, IA32_PERFEVTSEL0 + 3, OFFCORE + 1);
	msr_poke(p, 3, IA32_PERFEVTSEL0 + 4, OFFCORE);
	msr_poke(p, 0, IA32_PERFEVTSEL0, OFFCORE); /* its offcore registers select nothing */
	msr_poke(p, 3, IA32_PERF_GLOBAL_CTRL, 0xFF);
	msr_poke(p, 0, IA32_PERF_GLOBAL_CTRL, 0xFF);
	pass_time(p, SECOND);
	/* the other thread clears the shared register, and the event counts nothing more */
	msr_poke(p, 2, IA32_OFFCORE_RSP_0, 0);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 3, IA32_PMC0), 30000000);
	ck_assert_uint_eq(msr_peek(p, 3, IA32_PMC0 + 3), 20000000);
	ck_assert_uint_eq(msr_peek(p, 3, IA32_PMC0 + 4), 0);
	ck_assert_uint_eq(msr_peek(p, 0, IA32_PMC0), 0);
}

/*
 * A CPU of PROGRAM has 3 * 10^9 cycles per second. A read of DRAM takes 300 of them, one of CXL
 * memory 900; three are outstanding at once.
 */
#define PROGRAM                                                                                    \
	"sockets=1,ports=1,read=1,clock=virtual,ddr_latency=100,latency=300,demand_stall=20,"      \
	"cache_stall=10,store_stall=5,prefetched=25,parallelism=3,overlap=100,cxl_share="
#define STALL(code, umask, cmask)                                                                  \
	(PERFEVTSEL_EN | PERFEVTSEL_USR | PERFEVTSEL_OS | (cmask) << 24 | (umask) << 8 | (code))

/*
 * Events of PROGRAM. A read waits for 100 cycles in DRAM, of which none overlap. In CXL memory, by
 * the model: of 100 cycles in DRAM, 20 for reads become 20 + 20 * 2 / (1 + 100 / 100) = 40, 10 for
 * caches 10 + 10 * 2 / 4 = 15, and 5 for stores 5 + 5 * 2 = 15: 135 cycles in all. The same 0.2
 * reads are outstanding for 180 cycles in place of 60. Half of the memory there adds half of the
 * difference. 1.2 loads miss the L1D, of which a quarter finds its line on its way.
 */
static const struct {
	uint64_t control;
	uint64_t in_dram, half, in_cxl; /* counts in 1000 cycles in DRAM */
} stalls[] = {
	{STALL(0x47, 0x09, 9), 200, 300, 400},	  {STALL(0x47, 0x05, 5), 200, 300, 400},
	{STALL(0x47, 0x03, 3), 300, 425, 550},	  {STALL(0xA6, 0x40, 2), 50, 100, 150},
	{STALL(0x21, 0x01, 0), 2, 2, 2},	  {STALL(0x20, 0x01, 1), 200, 300, 400},
	{STALL(0x20, 0x01, 0), 600, 1200, 1800},  {STALL(0xC0, 0x00, 0), 1250, 1250, 1250},
	{STALL(0x3C, 0x00, 0), 1000, 1175, 1350}, {STALL(0x47, 0x09, 8), 0, 0, 0},
	{STALL(0xA6, 0x40, 0), 0, 0, 0},	  {STALL(0xD1, 0x08, 0), 9, 9, 9},
	{STALL(0xD1, 0x40, 0), 3, 3, 3},	  {STALL(0xD1, 0x48, 0), 0, 0, 0},
};

static uint64_t stalls_counted(const char *model, const char *share, uint64_t control,
			       unsigned counter)
{
	char spec[256];

	snprintf(spec, sizeof(spec), "%s," PROGRAM "%s", model, share);
	p = sim_make(spec);
	msr_poke(p, 1, IA32_PERFEVTSEL0 + counter, control);
	msr_poke(p, 1, IA32_PERF_GLOBAL_CTRL, 0xFF);
	pass_time(p, SECOND);
	return msr_peek(p, 1, IA32_PMC0 + counter);
}

TEST_LOOP(test_a_program_waits_longer_for_cxl_memory_as_the_model_says, COUNT(stalls))
{
	const uint64_t control = stalls[_i].control;
	const struct {
		const char *share;
		uint64_t events, cycles;
	} runs[] = {{"0", stalls[_i].in_dram, 1000},
		    {"50", stalls[_i].half, 1175},
		    {"100", stalls[_i].in_cxl, 1350}};

	for (int i = 0; i < COUNT(runs); i++)
		ck_assert_uint_eq(stalls_counted("gnr", runs[i].share, control, 3),
				  A_SECOND * runs[i].events / runs[i].cycles);
}

TEST(test_stalls_are_counted_by_the_first_four_counters_but_those_of_stores)
{
	ck_assert_uint_gt(stalls_counted("spr", "0", STALL(0x47, 0x09, 9), 3), 0);
	ck_assert_uint_eq(stalls_counted("spr", "0", STALL(0x47, 0x09, 9), 4), 0);
	ck_assert_uint_gt(stalls_counted("spr", "0", STALL(0xD1, 0x40, 0), 3), 0);
	ck_assert_uint_eq(stalls_counted("spr", "0", STALL(0xD1, 0x40, 0), 4), 0);
	ck_assert_uint_gt(stalls_counted("spr", "0", STALL(0xA6, 0x40, 2), 7), 0);
	/* other cores count none */
	static const char *const without[] = {"srf", "cwf", "dmr", "intel"};
	for (int i = 0; i < COUNT(without); i++)
		ck_assert_uint_eq(stalls_counted(without[i], "0", STALL(0x47, 0x09, 9), 0), 0);
}

/*
 * MEM_BOUND_STALLS_LOAD of E-cores, which adds up its umask's bits; loads that hit the L3 are 2 %
 * of the cycles in DRAM. Clearwater Forest has fewer bits.
 */
static const struct {
	uint64_t umask;
	uint64_t sierra, clearwater; /* counts in 1350 cycles in CXL memory */
} load_stalls[] = {
	{0x01, 150, 150}, {0x06, 20, 20}, {0x02, 20, 20}, {0x04, 0, 0},	  {0x08, 0, 0},
	{0x10, 400, 400}, {0x78, 400, 0}, {0x7E, 420, 0}, {0x7F, 570, 0}, {0x80, 150, 0},
};

TEST_LOOP(test_e_cores_count_stalls_by_the_load_that_they_wait_for, COUNT(load_stalls) * 8)
{
	const unsigned counter = (unsigned)_i % 8;
	const uint64_t control = STALL(0x34, load_stalls[_i / 8].umask, 0);

	ck_assert_uint_eq(stalls_counted("srf", "100", control, counter),
			  A_SECOND * load_stalls[_i / 8].sierra / 1350);
	ck_assert_uint_eq(stalls_counted("cwf", "100", control, counter),
			  A_SECOND * load_stalls[_i / 8].clearwater / 1350);
	ck_assert_uint_eq(stalls_counted("gnr", "100", control, counter), 0);
	ck_assert_uint_eq(stalls_counted("srf", "100", control | UINT64_C(1) << 24, counter), 0);
}

TEST(test_without_latency_nothing_is_counted_of_reads)
{
	p = sim_make("spr,ddr_latency=0,cxl_share=100,clock=virtual");
	msr_poke(p, 0, IA32_PERFEVTSEL0, STALL(0x21, 0x01, 0));
	msr_poke(p, 0, IA32_PERF_GLOBAL_CTRL, 0xFF);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 0, IA32_PMC0), 0);
}

TEST(test_number_of_chas_is_in_a_register_on_granite_rapids)
{
	p = sim_make("gnr,chas=37,clock=virtual");
	ck_assert_uint_eq(msr_peek(p, 0, 0x3FED), 37);
	ck_assert_int_eq(raw_msr_write(p, 0, 0x3FED, 1), -EIO);
}

/* Faults of a CPU's registers, and the errors of reads and writes then. */
static const struct {
	enum { NOTHING, OFFLINE, NO_MODULE, REFUSED, BROKEN, ANOTHER_BROKEN, MENDED } fault;
	unsigned cpu;
	int read, write;
} failures[] = {
	{NOTHING, 0, 0, 0},
	{NOTHING, 8, -ENOENT, -ENOENT},
	{OFFLINE, 0, -ENXIO, -ENXIO},
	{OFFLINE, 1, 0, 0},
	{NO_MODULE, 1, -ENOENT, -ENOENT},
	{REFUSED, 1, 0, -EPERM},
	{BROKEN, 0, -EACCES, -EACCES},
	{BROKEN, 7, -EACCES, -EACCES},
	{ANOTHER_BROKEN, 0, 0, 0},
	{MENDED, 0, 0, 0},
};

TEST_LOOP(test_access_fails_as_the_msr_driver_would_say, COUNT(failures))
{
	const unsigned cpu = failures[_i].cpu;
	struct sim *sim = sim_of(p);
	uint64_t value;

	sim_set_cpu_online(sim, 0, failures[_i].fault != OFFLINE);
	sim_set_msr_absent(sim, failures[_i].fault == NO_MODULE);
	sim_set_writes_refused(sim, failures[_i].fault == REFUSED);
	if (failures[_i].fault >= BROKEN)
		sim_set_msr_fault(sim, SIM_CHA(failures[_i].fault == ANOTHER_BROKEN), -EACCES);
	if (failures[_i].fault == MENDED)
		sim_set_msr_fault(sim, SIM_CHA(0), 0);
	ck_assert_int_eq(raw_msr_read(p, cpu, SIM_CHA(0), &value), failures[_i].read);
	ck_assert_int_eq(raw_msr_write(p, cpu, SIM_CHA(0), 1), failures[_i].write);
}

static const char *const processors[] = {"spr", "emr", "gnr", "gnr-d", "srf", "cwf"};

TEST_LOOP(test_cpuid_describes_the_core_pmu, COUNT(processors))
{
	p = sim_make(processors[_i]);
	uint32_t leaf[CPUID_REGS];
	struct core_pmu_info info = {0};

	ck_assert_int_eq(p->ops->cpus->cpuid(p, 0, 0xA, 0, leaf, NULL), 0);
	core_pmu_decode(leaf, &info);
	ck_assert_uint_eq(info.version, 5);
	ck_assert_uint_eq(info.general, 8);
	ck_assert_uint_eq(info.general_width, 48);
	ck_assert_uint_eq(info.fixed, 4);
	ck_assert_uint_eq(info.fixed_width, 48);
}
