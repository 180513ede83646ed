/* SPDX-License-Identifier: BSD-3-Clause */
/* Exact counts of each event of the simulated processors of AMD. */
#include "platform/simulation.h"
#include "sim_registers.h"
#include "unit.h"

#define ENABLE	   (UINT64_C(1) << 22)
#define UMC_ENABLE (UINT64_C(1) << 31)
#define RINGS	   (UINT64_C(3) << 16)

/*
 * Rates of a port: 10^8 lines per second are read, half as many written. DRAM: 2 x 10^8 and 10^8.
 */
#define RATES "read=6.4,write=3.2,dram_read=12.8,dram_write=6.4,clock=virtual"
#define LINES UINT64_C(100000000)

static uint64_t df(unsigned event, unsigned umask)
{
	return (event & 0xFF) | (uint64_t)(event >> 8) << 32 | (uint64_t)(umask & 0xFF) << 8 |
	       (uint64_t)(umask >> 8) << 24 | ENABLE;
}

/* Returns a control that counts everywhere: slice id 3, all cores, all slices, thread mask 3. */
static uint64_t l3(unsigned event, unsigned umask)
{
	return event | umask << 8 | ENABLE | UINT64_C(0x0303C00000000000);
}

static uint64_t umc(unsigned event, unsigned mask)
{
	return event | mask << 8 | UMC_ENABLE;
}

/* Returns the count of one second of the counter whose control is at msr. */
static uint64_t counted(struct platform *p, unsigned cpu, uint32_t msr, uint64_t control)
{
	msr_poke(p, cpu, msr, control);
	msr_poke(p, cpu, msr + 1, 0);
	pass_time(p, SECOND);
	return msr_peek(p, cpu, msr + 1);
}

static uint64_t counted_by(const char *spec, unsigned cpu, uint32_t msr, uint64_t control)
{
	return counted(sim_make(spec), cpu, msr, control);
}

#define TURIN  "turin," RATES
#define VENICE "venice,cpus=12," RATES /* three CCMs, two ports */

static const struct {
	const char *spec;
	unsigned event, umask;
	uint64_t count;
} fabric[] = {
	{TURIN, 0x31F, 0xFFE, LINES},
	{TURIN, 0x35F, 0xFFE, LINES},
	{TURIN, 0x39F, 0xFFE, LINES},
	{TURIN, 0x3DF, 0xFFE, LINES},
	{TURIN, 0x31F, 0xCFD, LINES / 2},
	{TURIN, 0x3DF, 0xCFD, LINES / 2},
	{TURIN, 0x41F, 0xFFE, 0},
	{TURIN, 0x2DF, 0xFFE, 0},
	{TURIN, 0x320, 0xFFE, 0},
	{TURIN, 0x31F, 0xFE, 0},
	{TURIN, 0x31F, 0xFE0, 0},
	{TURIN, 0x41E, 0xFE0, 0},
	{TURIN ",ports=2", 0x35F, 0xFFE, LINES},
	{TURIN ",ports=2", 0x39F, 0xFFE, 0},
	{TURIN ",ports=2", 0x3DF, 0xCFD, 0},
	/* 2 x 10^8 lines, in halves, as 1 : 2 : 3 */
	{VENICE, 0x41E, 0xFE0, 4 * LINES / 6},
	{VENICE, 0x45E, 0xFE0, 8 * LINES / 6},
	{VENICE, 0x49E, 0xFE0, 2 * LINES},
	{VENICE, 0x4DE, 0xFE0, 0},
	{VENICE, 0x7DE, 0xFE0, 0},
	{VENICE, 0x49E, 0xFE1, LINES / 2},
	{VENICE, 0x31F, 0xFFE, 0},
	{VENICE, 0x41E, 0xFFE, 0},
	/* more caches than CCMs: sixteen of these */
	{"venice,cpus=68," RATES, 0x7DE, 0xFE0, 4 * LINES * 16 / 136},
	{"genoa," RATES, 0x31F, 0xFFE, 0},
	{"genoa," RATES, 0x41E, 0xFE0, 0},
	{TURIN ",miscount=m2s_req", 0x31F, 0xFFE, LINES / 2},
	{TURIN ",miscount=rxc", 0x31F, 0xFFE, LINES / 2},
	{TURIN ",miscount=rxc", 0x31F, 0xCFD, LINES / 2},
	{TURIN ",miscount=write", 0x31F, 0xCFD, LINES / 4},
	{TURIN ",miscount=port,miscount_port=1", 0x31F, 0xFFE, LINES},
	{TURIN ",miscount=port,miscount_port=1", 0x35F, 0xFFE, LINES / 2},
	{TURIN ",miscount=tor", 0x31F, 0xFFE, LINES},
	{VENICE ",miscount=m2s_req", 0x49E, 0xFE0, LINES},
	{VENICE ",miscount=port", 0x49E, 0xFE0, 2 * LINES},
};

TEST_LOOP(test_event_of_the_data_fabric, COUNT(fabric))
{
	ck_assert_uint_eq(
		counted_by(fabric[_i].spec, 0, AMD_DF(0), df(fabric[_i].event, fabric[_i].umask)),
		fabric[_i].count);
}

/* Two ports and two caches: the first cache has a third of the reads. */
#define TWO_PORTS "turin,ports=2," RATES ",latency=300,ddr_latency=120,ddr_remote_latency=200"
#define CXL	  (2 * LINES / 64 / 3)
#define DRAM	  (2 * LINES / 64 / 3)

static const struct {
	const char *spec;
	unsigned umask;
	uint64_t requests, latency; /* per second; latency in units of 10 ns */
} caches[] = {
	{TWO_PORTS, 0x01, DRAM, 12500000},
	{TWO_PORTS, 0x02, 0, 0},
	{TWO_PORTS, 0x04, 0, 0},
	{TWO_PORTS, 0x08, 0, 0},
	{TWO_PORTS, 0x10, CXL, 31250000},
	{TWO_PORTS, 0x20, 0, 0},
	{TWO_PORTS, 0x3F, 4 * LINES / 64 / 3, 43750000},
	{"genoa,ports=2," RATES, 0x10, CXL, 33333333},
	{"venice," RATES, 0x10, CXL, 33333333},
	/* a quarter of the reads goes to the other socket */
	{TWO_PORTS ",sockets=2", 0x01, 2 * LINES * 3 / 4 / 64 / 3, 9375000},
	{TWO_PORTS ",sockets=2", 0x02, 2 * LINES / 4 / 64 / 3, 5208333},
	{TWO_PORTS ",sockets=2", 0x10, 2 * LINES * 3 / 4 / 64 / 3, 23437500},
	{TWO_PORTS ",sockets=2", 0x20, 2 * LINES / 4 / 64 / 3, 9895833},
	{TWO_PORTS ",miscount=latency", 0x10, CXL, 15625000},
};

TEST_LOOP(test_sampled_latency_of_an_l3_cache, COUNT(caches))
{
	ck_assert_uint_eq(counted_by(caches[_i].spec, 1, AMD_L3(0), l3(0xAD, caches[_i].umask)),
			  caches[_i].requests);
	ck_assert_uint_eq(counted_by(caches[_i].spec, 1, AMD_L3(5), l3(0xAC, caches[_i].umask)),
			  caches[_i].latency);
}

TEST(test_the_second_l3_cache_has_the_other_two_thirds)
{
	ck_assert_uint_eq(counted_by(TWO_PORTS, 4, AMD_L3(0), l3(0xAD, 0x10)), 4 * LINES / 64 / 3);
}

/* Bits without which nothing is sampled, and another value of the slice id */
static const uint64_t missing[] = {
	UINT64_C(1) << 46, UINT64_C(1) << 47, UINT64_C(1) << 48, UINT64_C(1) << 49,
	UINT64_C(1) << 50, UINT64_C(1) << 56, UINT64_C(1) << 57,
};

TEST_LOOP(test_latency_is_sampled_only_everywhere, COUNT(missing))
{
	ck_assert_uint_eq(counted_by(TWO_PORTS, 0, AMD_L3(0), l3(0xAC, 0x3F) ^ missing[_i]), 0);
	ck_assert_uint_eq(counted_by(TWO_PORTS, 0, AMD_L3(0), l3(0xAD, 0x3F) ^ missing[_i]), 0);
}

/* Checks the mean latency of the reads between two readings, with a limit that raises it. */
TEST(test_latency_is_the_mean_of_the_interval)
{
	struct platform *p = sim_make("turin,cpus=4,read=9,limit=10,latency=320,clock=virtual");
	const double expected = 320 * (1 + 5 * 0.6561 / 3); /* at 0.9 of the limit */

	msr_poke(p, 0, AMD_L3(0), l3(0xAC, 0x10));
	msr_poke(p, 0, AMD_L3(1), l3(0xAD, 0x10));
	pass_time(p, SECOND);
	ck_assert_double_eq_tol(10.0 * (double)msr_peek(p, 0, AMD_L3(0) + 1) /
					(double)msr_peek(p, 0, AMD_L3(1) + 1),
				expected, expected / 1000);
}

static const struct {
	const char *spec;
	unsigned event, mask;
	uint64_t count;
} controllers[] = {
	{TURIN, 0x0A, 0, 3 * LINES / 4},
	{TURIN, 0x0A, 1, 2 * LINES / 4},
	{TURIN, 0x0A, 2, LINES / 4},
	{TURIN, 0x0A, 3, 0},
	{TURIN, 0x00, 0, UINT64_C(2400000000)},
	{TURIN, 0x0B, 0, 0},
	{"genoa,imcs=12," RATES, 0x0A, 1, LINES / 6},
	{TURIN ",miscount=dram_read", 0x0A, 1, LINES / 4},
	{TURIN ",miscount=dram_read", 0x0A, 2, LINES / 4},
	{TURIN ",miscount=dram_read", 0x0A, 0, LINES / 2},
	{TURIN ",miscount=dram_write", 0x0A, 2, LINES / 8},
};

TEST_LOOP(test_event_of_a_memory_controller, COUNT(controllers))
{
	const uint64_t control = umc(controllers[_i].event, controllers[_i].mask);

	ck_assert_uint_eq(counted_by(controllers[_i].spec, 0, AMD_UMC(1, 1), control),
			  controllers[_i].count);
}

/*
 * Fills of CPU 7, the last of eight, which has 8 parts of 36: from a socket's four ports, or from
 * DRAM; and as many from caches as the loads of its program, 0.75 in 100 clocks, of which the L3
 * supplies a tenth.
 */
#define LOADS ",cache_stall=10,prefetched=25"
static const struct {
	const char *spec;
	uint64_t event;
	uint64_t count;
} fills[] = {
	{TURIN, 0x8043, 4 * LINES * 8 / 36},
	{TURIN, 0x8044, 4 * LINES * 8 / 36},
	{TURIN ",sockets=2", 0x8044, 4 * LINES * 8 / 36},
	{TURIN, 0x0844, 2 * LINES * 8 / 36},
	{TURIN, 0x4044, 0},
	{TURIN ",sockets=2", 0x0844, 2 * LINES * 8 / 36 * 3 / 4},
	{TURIN ",sockets=2", 0x4044, 2 * LINES * 8 / 36 / 4},
	{TURIN LOADS, 0x0143, 20250000},
	{TURIN LOADS, 0x0244, 2250000},
	{TURIN LOADS, 0x0443, 0},
	{TURIN LOADS, 0x1044, 0},
	{TURIN LOADS, 0x0343, 22500000},
	{TURIN ",sockets=2", 0x5043, 2 * LINES * 8 / 36 / 4},
	{"venice," RATES, 0x8043, 2 * LINES * 8 / 36},
	{"genoa," RATES, 0x8043, 2 * LINES * 8 / 36},
};

TEST_LOOP(test_fills_of_a_cpu_s_data_cache, COUNT(fills))
{
	const uint64_t count =
		counted_by(fills[_i].spec, 7, AMD_CORE(0), fills[_i].event | ENABLE | RINGS);

	/* near and far reads are rounded apart */
	ck_assert_uint_ge(count + 1, fills[_i].count);
	ck_assert_uint_le(count, fills[_i].count);
}

/*
 * Returns the count of one second with a load injected at a node: 10^8 lines are read, half as
 * many written.
 */
static uint64_t counted_injected(const char *spec, int node, unsigned cpu, uint32_t msr,
				 uint64_t control)
{
	struct platform *p = sim_make(spec);
	struct injected_load load = {.node = node, .read = 6.4e9, .write = 3.2e9};
	struct error err = {0};

	ck_assert_msg(!p->ops->simulation->inject_load(p, &load, &err), "%s", err.text);
	return counted(p, cpu, msr, control);
}

#define IDLE	  "turin,ports=2,read=0,clock=virtual" /* nodes: 0 of CPUs, 1 and 2 of ports */
#define IDLE_CCMS "venice,read=0,clock=virtual"
#define FIRST	  (LINES / 64 / 3) /* samples of the first of two caches */

static const struct {
	const char *spec;
	int node;
	uint32_t msr;
	uint64_t control;
	uint64_t count;
} injected[] = {
	{IDLE, 1, AMD_DF(0), UINT64_C(0x30F40FE1F), LINES},	/* reads of port 0 */
	{IDLE, 1, AMD_DF(0), UINT64_C(0x30C40FD1F), LINES / 2}, /* writes */
	{IDLE, 1, AMD_DF(0), UINT64_C(0x30F40FE5F), 0},
	{IDLE, 2, AMD_DF(0), UINT64_C(0x30F40FE5F), LINES}, /* reads of port 1 */
	{IDLE, 0, AMD_DF(0), UINT64_C(0x30F40FE1F), 0},
	{IDLE ",swap=1", 1, AMD_DF(0), UINT64_C(0x30F40FE5F), LINES},
	{"turin,ports=2," RATES, 2, AMD_DF(0), UINT64_C(0x30F40FE5F), 2 * LINES},
	{IDLE_CCMS, 2, AMD_DF(0), UINT64_C(0x40F40E05E), 4 * LINES / 3}, /* reads of CCM 1 */
	{IDLE_CCMS, 2, AMD_DF(0), UINT64_C(0x40F40E15E), LINES / 3},
	{IDLE, 1, AMD_L3(0), UINT64_C(0x0303C000004010AD), FIRST},
	{IDLE, 1, AMD_L3(0), UINT64_C(0x0303C000004010AC), 16666666}, /* 320 ns */
	{IDLE ",limit=7.1111111111111111", 1, AMD_L3(0), UINT64_C(0x0303C000004010AD), FIRST},
	/* at nine tenths of the limit */
	{IDLE ",limit=7.1111111111111111", 1, AMD_L3(0), UINT64_C(0x0303C000004010AC), 34891666},
	{IDLE, 0, AMD_L3(0), UINT64_C(0x0303C000004001AD), FIRST},
	{IDLE, 0, AMD_L3(0), UINT64_C(0x0303C000004010AD), 0},
	{IDLE ",sockets=2", 2, AMD_L3(0), UINT64_C(0x0303C000004020AD),
	 0}, /* all of the load is near */
	{IDLE, 0, AMD_UMC(1, 0), UINT64_C(0x8000010A), LINES / 4},
	{IDLE, 0, AMD_UMC(1, 0), UINT64_C(0x8000000A), 3 * LINES / 8},
	{IDLE, 0, AMD_UMC(1, 0), UINT64_C(0x80000000), UINT64_C(2400000000)},
	{IDLE, 1, AMD_CORE(0), UINT64_C(0x438043), LINES / 36}, /* one part of 36 */
	{IDLE, 0, AMD_CORE(0), UINT64_C(0x430844), LINES / 36},
};

TEST_LOOP(test_injected_load_is_counted_where_the_memory_is, COUNT(injected))
{
	ck_assert_uint_eq(counted_injected(injected[_i].spec, injected[_i].node, 0,
					   injected[_i].msr, injected[_i].control),
			  injected[_i].count);
}
