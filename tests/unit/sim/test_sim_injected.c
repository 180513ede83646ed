/* SPDX-License-Identifier: BSD-3-Clause */
/* A load that is injected into a simulated machine (simulation_ops.inject_load), as its counters
 * see it. */
#include "sim/sim.h"

#include "msr/core_pmu.h"
#include "platform/simulation.h"
#include "sim_registers.h"
#include "unit.h"

#define GB 1e9

enum { CPU_NODE = 0, FIRST_PORT = 1, SECOND_PORT = 2 }; /* nodes of a machine with one socket */

/* Requests and data of writes, on a CXLDP; reads of DRAM by an iMC; inserts of a CHA. */
#define REQUESTS   0x1002
#define WRITES	   0x2002
#define DRAM_READS 0xCF05
#define INSERTS	   UINT64_C(0x10C8178200000135)

static struct injected_load tell(struct platform *p, int node, double read, double write)
{
	struct injected_load load = {.node = node, .read = read, .write = write};
	struct error err = {0};

	ck_assert_msg(!p->ops->simulation->inject_load(p, &load, &err), "%s", err.text);
	return load;
}

static void count(struct platform *p, unsigned port, unsigned counter, uint64_t event)
{
	memory_poke(p, SIM_CXLDP(0, port) + CXL_CONTROL(counter), 8, event);
}

static uint64_t counted(struct platform *p, unsigned port, unsigned counter)
{
	return memory_peek(p, SIM_CXLDP(0, port) + CXL_COUNTER(counter), 8);
}

static struct platform *counting(const char *spec)
{
	struct platform *p = sim_make(spec);

	for (unsigned port = 0; port < 2; port++) {
		count(p, port, 0, REQUESTS);
		count(p, port, 1, WRITES);
	}
	return p;
}

TEST(test_injected_bytes_are_counted_where_the_memory_is)
{
	struct platform *p = counting("spr,read=0,clock=virtual");

	tell(p, SECOND_PORT, 6.4 * GB, 3.2 * GB);
	pass_time(p, SECOND / 2);
	const struct injected_load load = tell(p, SECOND_PORT, 0, 0);
	pass_time(p, SECOND);
	ck_assert_uint_eq(load.bytes_read, 3200000000);
	ck_assert_uint_eq(load.bytes_written, 1600000000);
	ck_assert_uint_eq(counted(p, 1, 0), 50000000);
	ck_assert_uint_eq(counted(p, 1, 1), 25000000);
	ck_assert_uint_eq(counted(p, 0, 0), 0);
	ck_assert_uint_eq(counted(p, 0, 1), 0);
}

/* Reads at the node of the first port. */
static const struct {
	const char *spec;
	double read;
	uint64_t requests[2];
} told[] = {
	{"spr,read=6.4,clock=virtual", 6.4, {200000000, 100000000}}, /* besides other traffic */
	{"spr,read=0,swap=1,clock=virtual", 6.4, {0, 100000000}},
	/* spread evenly over the devices of a region, independently of other traffic */
	{"spr,ports=2,ways=2,imbalance=50,read=0,clock=virtual", 12.8, {100000000, 100000000}},
};

TEST_LOOP(test_injected_load_is_counted_by_the_ports_that_carry_it, COUNT(told))
{
	struct platform *p = counting(told[_i].spec);

	tell(p, FIRST_PORT, told[_i].read * GB, 0);
	pass_time(p, SECOND);
	for (unsigned port = 0; port < 2; port++)
		ck_assert_uint_eq(counted(p, port, 0), told[_i].requests[port]);
	ck_assert_uint_eq(tell(p, FIRST_PORT, 0, 0).bytes_read, (uint64_t)(told[_i].read * GB));
}

TEST(test_rates_follow_each_other_without_a_gap)
{
	struct platform *p = counting("spr,read=0,clock=virtual");

	for (unsigned i = 1; i <= 100; i++) {
		tell(p, FIRST_PORT, 6.4 * GB * i, 0);
		tell(p, FIRST_PORT, 64e6 * i, 0);
		pass_time(p, SECOND / 1000);
	}
	ck_assert_uint_eq(counted(p, 0, 0), 1000 * 100 * 101 / 2);
}

TEST(test_load_of_dram_is_counted_by_memory_controllers_of_the_socket)
{
	struct platform *p = sim_make("spr,read=0,clock=virtual");

	memory_poke(p, SIM_IMC(3) + 0x40, 4, DRAM_READS);
	tell(p, CPU_NODE, 25.6 * GB, 0);
	pass_time(p, SECOND);
	ck_assert_uint_eq(memory_peek(p, SIM_IMC(3) + 0x08, 8), 100000000);
}

TEST(test_inserts_of_the_chas_are_those_of_all_ports)
{
	struct platform *p = sim_make("spr,read=0,clock=virtual");

	msr_poke(p, 0, SIM_CHA(3) + 2, INSERTS);
	tell(p, FIRST_PORT, 6.4 * GB, 0);
	tell(p, SECOND_PORT, 12.8 * GB, 0);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 0, SIM_CHA(3) + 8), 300000000 / 8);
}

static const struct {
	const char *spec;
	double read, write;
	uint64_t bytes_read, bytes_written;
} most[] = {
	{"spr,read=0,clock=virtual", 3e15, 1e15, 22500000000, 7500000000},
	/* reads and writes do not take the limit from each other */
	{"spr,read=0,limit=20,clock=virtual", 2e15, 1e15, 20000000000, 10000000000},
	/* other traffic takes from both */
	{"spr,read=4,limit=20,clock=virtual", 1e15, 1e15, 16666666666, 16666666666},
	/* an interleaved node carries what the links of all its devices do */
	{"spr,ports=2,ways=2,limit=30,read=0,clock=virtual", 100 * GB, 0, 60000000000, 0},
};

TEST_LOOP(test_more_than_can_be_had_is_the_most, COUNT(most))
{
	struct platform *p = counting(most[_i].spec);

	tell(p, FIRST_PORT, most[_i].read, most[_i].write);
	pass_time(p, SECOND);
	const struct injected_load load = tell(p, FIRST_PORT, 0, 0);

	ck_assert_uint_eq(load.bytes_read, most[_i].bytes_read);
	ck_assert_uint_eq(load.bytes_written, most[_i].bytes_written);
}

/* u = 0.5, then 1: see sim/sim_load.h. */
TEST(test_limit_is_shared_with_other_traffic_and_makes_reads_slower)
{
	struct platform *p = counting("spr,read=4,limit=20,latency=320,clock=virtual");

	tell(p, FIRST_PORT, 6 * GB, 0);
	ck_assert_double_eq_tol(tell(p, FIRST_PORT, 6 * GB, 0).latency_ns, 320 * (1 + 0.0625 / 2.2),
				1e-9);
	tell(p, FIRST_PORT, 1e15, 0);
	pass_time(p, 24 * SECOND);
	const struct injected_load load = tell(p, FIRST_PORT, 0, 0);

	ck_assert_double_eq_tol((double)load.bytes_read, 20e9 * 20, 1);
	ck_assert_double_eq_tol((double)counted(p, 0, 0), 20e9 / 64 * 24, 1);
	pass_time(p, SECOND);
	ck_assert_double_eq_tol((double)counted(p, 0, 0), (20e9 * 24 + 4e9) / 64, 1);
	ck_assert_double_eq(tell(p, SECOND_PORT, 0, 0).latency_ns, 320);
}

/* u = 0.5. */
TEST(test_the_larger_of_reads_and_writes_makes_reads_slower)
{
	struct platform *p = counting("spr,read=0,limit=20,latency=320,clock=virtual");

	tell(p, FIRST_PORT, 10 * GB, 10 * GB);
	ck_assert_double_eq_tol(tell(p, FIRST_PORT, 5 * GB, 10 * GB).latency_ns,
				320 * (1 + 0.0625 / 2.2), 1e-9);
}

TEST(test_traffic_that_begins_later_is_not_there_before)
{
	struct platform *p = counting("spr,read=6.4,begin=3,clock=virtual");

	pass_time(p, 3 * SECOND);
	ck_assert_uint_eq(counted(p, 0, 0), 0);
	pass_time(p, SECOND);
	ck_assert_uint_eq(counted(p, 0, 0), 100000000);
}

static const struct {
	const char *keys;
	uint64_t requests[2], writes[2];
} faults[] = {
	{"miscount=port", {50000000, 50000000}, {25000000, 25000000}},
	{"miscount=port,miscount_port=1", {100000000, 50000000}, {50000000, 25000000}},
	{"miscount=m2s_req,miscount_pct=0", {0, 0}, {50000000, 50000000}},
	{"miscount=m2s_req,miscount_port=0", {50000000, 100000000}, {50000000, 50000000}},
	{"miscount=write,miscount_pct=150", {100000000, 100000000}, {75000000, 75000000}},
	{"miscount=rxc,miscount_pct=0", {100000000, 100000000}, {50000000, 50000000}},
	{"miscount=tor,miscount_pct=0", {100000000, 100000000}, {50000000, 50000000}},
};

TEST_LOOP(test_fault_makes_its_counts_wrong_and_no_others, COUNT_OF(faults))
{
	char spec[128];

	snprintf(spec, sizeof(spec), "spr,read=0,clock=virtual,%s", faults[_i].keys);
	struct platform *p = counting(spec);

	for (int node = FIRST_PORT; node <= SECOND_PORT; node++)
		tell(p, node, 6.4 * GB, 3.2 * GB);
	pass_time(p, SECOND);
	for (unsigned port = 0; port < 2; port++) {
		ck_assert_uint_eq(counted(p, port, 0), faults[_i].requests[port]);
		ck_assert_uint_eq(counted(p, port, 1), faults[_i].writes[port]);
	}
	ck_assert_uint_eq(tell(p, FIRST_PORT, 0, 0).bytes_read, 6400000000);
}

TEST(test_node_that_is_not_there_is_an_error)
{
	struct platform *p = sim_make("spr,clock=virtual");
	struct injected_load load = {.node = 3};
	struct error err = {0};

	ck_assert_int_eq(p->ops->simulation->inject_load(p, &load, &err), -ENODEV);
	assert_contains(err.text, "node 3");
}

/* Kernels that CPUs run. */

/* A read of DRAM takes 300 cycles, one of CXL memory 900; the machine's program waits for reads in
 * a fifth of its cycles. */
#define RUNNING_SPEC                                                                               \
	"gnr,sockets=2,read=0,ddr_latency=100,ddr_remote_latency=200,latency=300,overlap=100,"     \
	"demand_stall=20,cache_stall=0,store_stall=0,clock=virtual"
#define READ_STALLS  (COUNTING | 9 << 24 | 0x0947)
#define STORE_STALLS (COUNTING | 2 << 24 | 0x40A6)
#define COUNTING     (PERFEVTSEL_EN | PERFEVTSEL_USR | PERFEVTSEL_OS)

static struct injected_load run(struct platform *p, int node, enum calibration_kernel kernel,
				unsigned cpu)
{
	struct injected_load load = {
		.node = node, .kernel = kernel, .chains = 1, .cpus = {cpu}, .cpu_count = 1};
	struct error err = {0};

	ck_assert_msg(!p->ops->simulation->inject_load(p, &load, &err), "%s", err.text);
	return load;
}

static void count_stalls(struct platform *p, unsigned cpu)
{
	msr_poke(p, cpu, IA32_PERFEVTSEL0, READ_STALLS);
	msr_poke(p, cpu, IA32_PERFEVTSEL0 + 4, STORE_STALLS);
	msr_poke(p, cpu, IA32_PERF_GLOBAL_CTRL, 0xFF);
}

TEST(test_a_cpu_that_runs_a_kernel_has_its_waits_and_the_others_have_not)
{
	struct platform *p = sim_make(RUNNING_SPEC);

	count_stalls(p, 0);
	count_stalls(p, 1);
	pass_time(p, SECOND);
	run(p, CPU_NODE, KERNEL_CHASE, 1);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 0, IA32_PMC0), 2 * 600000000);
	ck_assert_uint_eq(msr_peek(p, 1, IA32_PMC0), 600000000 + 2940000000);
	run(p, CPU_NODE, KERNEL_STORES, 1);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 1, IA32_PMC0), 600000000 + 2940000000);
	ck_assert_uint_eq(msr_peek(p, 1, IA32_PMC0 + 4), 2100000000);
	/* nothing is injected any more */
	tell(p, CPU_NODE, 0, 0);
	pass_time(p, SECOND);
	ck_assert_uint_eq(msr_peek(p, 1, IA32_PMC0), 2 * 600000000 + 2940000000);
	ck_assert_uint_eq(msr_peek(p, 1, IA32_PMC0 + 4), 2100000000);
}

/* Nodes 0 and 1 are the sockets', whose CPUs 0 and 8 are the first; 2 is the first port's. */
static const struct {
	int node;
	double latency_ns;
} far[] = {{0, 100}, {1, 200}, {2, 300}};

TEST_LOOP(test_a_kernel_waits_longer_and_moves_less_the_farther_its_memory_is, COUNT(far))
{
	struct platform *p = sim_make(RUNNING_SPEC);
	/* 98 cycles and the model's addition, in which 98 / 300 lines are read */
	const double cycles = 100 + 98 * (far[_i].latency_ns / 100 - 1) / (1 + 100.0 / 300);
	const double bytes = 3e9 / cycles * 98 / 300 * 64;

	count_stalls(p, 3);
	run(p, far[_i].node, KERNEL_CHASE, 3);
	pass_time(p, SECOND);
	const struct injected_load load = run(p, far[_i].node, KERNEL_CHASE, 3);
	ck_assert_double_eq_tol((double)msr_peek(p, 3, IA32_PMC0), 3e9 * (cycles - 2) / cycles,
				1.5);
	ck_assert_double_eq_tol((double)load.bytes_read, bytes, 1.5);
	ck_assert_uint_eq(load.bytes_written, 0);
}

TEST(test_kernels_move_what_they_read_and_store)
{
	struct platform *p = sim_make(RUNNING_SPEC);

	run(p, CPU_NODE, KERNEL_STREAM, 0);
	pass_time(p, SECOND);
	run(p, CPU_NODE, KERNEL_STORES, 0);
	pass_time(p, SECOND);
	const struct injected_load load = tell(p, CPU_NODE, 0, 0);
	ck_assert_uint_eq(load.bytes_read, 12000000000);
	ck_assert_uint_eq(load.bytes_written, 6000000000);
}

/* Reads the moved bytes a thousand times. */
TEST(test_questions_change_nothing)
{
	struct platform *p = sim_make(RUNNING_SPEC);

	count_stalls(p, 1);
	for (int i = 0; i < 1000; i++) {
		run(p, CPU_NODE, KERNEL_CHASE, 1);
		pass_time(p, SECOND / 1000 + 1);
	}
	ck_assert_uint_eq(msr_peek(p, 1, IA32_PMC0), (uint64_t)(1000001000.0L * 3 * 98 / 100));
	ck_assert_uint_eq(run(p, CPU_NODE, KERNEL_CHASE, 100).bytes_read, 627200627);
}
