/* SPDX-License-Identifier: BSD-3-Clause */
/* Traffic made by cxlmon: on this machine's memory, and injected into a simulated machine. */
#include "probe/load/load.h"

#include <sched.h>

#include "linux/linux.h"
#include "platform/load_sample.h"
#include "probe/load/load_private.h"
#include "sim_registers.h"
#include "unit.h"

#define MIB (UINT64_C(1) << 20)

static struct pacing pacing;
static struct placement m;
static struct error err;

/* Returns a platform that takes no injected load, so that memory is this machine's. */
static struct platform *real_machine(void)
{
	struct platform *p;

	ck_assert_msg(!platform_linux("/", &silent_log, &p, &err), "%s", err.text);
	destroy_at_end(p);
	return p;
}

static size_t own_cpus(unsigned *cpus, size_t room)
{
	cpu_set_t set;
	size_t count = 0;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(set), &set), 0);
	for (unsigned cpu = 0; cpu < CPU_SETSIZE && count < room; cpu++)
		if (CPU_ISSET(cpu, &set))
			cpus[count++] = cpu;
	return count;
}

static struct load *open_load(struct platform *p, int node, uint64_t bytes)
{
	unsigned cpus[4] = {0};
	const struct load_spec spec = {
		.node = node, .bytes = bytes, .cpus = cpus, .cpu_count = own_cpus(cpus, 4)};
	struct load *load;

	ck_assert_msg(!load_open(p, &spec, &load, &err), "%s", err.text);
	return load;
}

/* Opens a load on all CPUs, all of which run kernels. */
static struct load *open_for_kernels(struct platform *p, int node, uint64_t bytes, size_t most)
{
	unsigned cpus[4] = {0};
	const struct load_spec spec = {.node = node,
				       .bytes = bytes,
				       .cpus = cpus,
				       .cpu_count = own_cpus(cpus, most),
				       .runs_kernels = true};
	struct load *load;

	ck_assert_msg(!load_open(p, &spec, &load, &err), "%s", err.text);
	return load;
}

static void run_kernel(struct load *load, enum calibration_kernel kernel, unsigned chains)
{
	const struct load_traffic traffic = {
		.kernel_alone = true, .kernel = kernel, .chains = chains};

	ck_assert_msg(!load_start(load, &traffic, &err), "%s", err.text);
}

static void start(struct load *load, double bytes_per_s, double read_share, bool chase)
{
	const struct load_traffic traffic = {
		.bytes_per_s = bytes_per_s, .read_share = read_share, .chase = chase};

	ck_assert_msg(!load_start(load, &traffic, &err), "%s", err.text);
}

static struct load_progress progress(struct load *load)
{
	struct load_progress now;

	ck_assert_msg(!load_progress(load, &now, &err), "%s", err.text);
	return now;
}

/* Waits until bytes were transferred, however busy this machine is. */
static void wait_for_bytes(struct load *load, uint64_t bytes)
{
	struct load_progress now;

	do
		now = progress(load);
	while (now.bytes_read + now.bytes_written < bytes);
}

TEST(test_ring_visits_every_line_once)
{
	enum { LINES = 1024 };
	static _Alignas(KERNEL_LINE) char area[LINES * KERNEL_LINE + 7 * KERNEL_LINE];
	bool seen[LINES] = {false};
	void *line = area;

	ck_assert_uint_eq(kernel_link(area, sizeof(area)), LINES);
	for (int i = 0; i < LINES; i++) {
		const size_t at = (size_t)((char *)line - area) / KERNEL_LINE;

		ck_assert_uint_lt(at, LINES);
		ck_assert(!seen[at]);
		seen[at] = true;
		line = kernel_chase(line, 1);
	}
	ck_assert_ptr_eq(line, area);
	ck_assert_ptr_eq(kernel_chase(line, LINES), area);
}

TEST(test_chains_follow_the_ring_each_for_itself)
{
	enum { LINES = 1024, CHAINS = 4, LINKS = LINES / CHAINS };
	static _Alignas(KERNEL_LINE) char area[LINES * KERNEL_LINE];
	unsigned seen[LINES] = {0};
	void *at[CHAINS], *expected[CHAINS];

	kernel_link(area, sizeof(area));
	for (size_t i = 0; i < CHAINS; i++)
		at[i] = kernel_chain(area, LINES, CHAINS, i);
	for (int link = 0; link < LINKS; link++) {
		for (int i = 0; i < CHAINS; i++) {
			seen[(size_t)((char *)at[i] - area) / KERNEL_LINE]++;
			expected[i] = kernel_chase(at[i], 1);
		}
		kernel_chase_all(at, CHAINS, 1);
		ck_assert_mem_eq(at, expected, sizeof(at));
	}
	/* the chains share the ring, except its first few links, which keep them apart */
	unsigned lines = 0;
	for (int i = 0; i < LINES; i++)
		lines += seen[i] > 0;
	ck_assert_uint_ge(lines, LINES - CHAINS * 97);
}

TEST(test_write_fills_its_lines_and_no_others)
{
	static _Alignas(KERNEL_LINE) char area[3 * KERNEL_LINE];

	kernel_write(area + KERNEL_LINE, KERNEL_LINE);
	for (size_t i = 0; i < sizeof(area); i++)
		ck_assert_int_eq(area[i] != 0, i / KERNEL_LINE == 1);
	kernel_read(area, sizeof(area));
	kernel_write(area, 0);
	ck_assert_int_eq(area[0], 0);
	memset(area, 0, sizeof(area));
	kernel_store(area + KERNEL_LINE, KERNEL_LINE);
	for (size_t i = 0; i < sizeof(area); i++)
		ck_assert_int_eq(area[i] != 0, i / KERNEL_LINE == 1);
}

TEST(test_chunk_is_due_when_its_rate_says)
{
	pacing_begin(&pacing, 64e6, 1000);
	ck_assert_uint_eq(pacing_moved(&pacing, 64, 1000), 2000);
	ck_assert_uint_eq(pacing_moved(&pacing, 128, 1500), 4000);
	/* late by less than a burst: the next one is due as without a delay */
	ck_assert_uint_eq(pacing_moved(&pacing, 64, 40000000), 5000);
}

TEST(test_long_delay_is_not_made_up_for_by_a_long_burst)
{
	const uint64_t late = 10 * SECOND;
	uint64_t bytes = 0;

	pacing_begin(&pacing, 64e6, 0);
	pacing_moved(&pacing, 64, late);
	while (pacing_moved(&pacing, 64, late) <= late)
		bytes += 64;
	ck_assert_uint_le(bytes, 64000000 / 20);
	ck_assert_uint_ge(bytes, 64000000 / 21);
}

TEST(test_most_never_waits)
{
	pacing_begin(&pacing, LOAD_MOST, 0);
	for (uint64_t now = 0; now < 1000; now++)
		ck_assert_uint_eq(pacing_moved(&pacing, 1 << 20, now), now);
}

TEST(test_chunks_are_whole_lines_of_a_fraction_of_a_millisecond)
{
	ck_assert_uint_eq(pacing_chunk(1), KERNEL_LINE);
	ck_assert_uint_eq(pacing_chunk(100e6), 20000 / KERNEL_LINE * KERNEL_LINE);
	ck_assert_uint_eq(pacing_chunk(LOAD_MOST) % KERNEL_LINE, 0);
	ck_assert_uint_le(pacing_chunk(LOAD_MOST), 1 << 20);
}

TEST(test_memory_is_on_its_node_and_gone_afterwards)
{
	ck_assert_msg(!placement_reserve(&m, 0, 5 * MIB, &err), "%s", err.text);
	ck_assert_uint_eq(m.bytes, 6 * MIB);
	ck_assert_uint_eq((uintptr_t)m.base % PLACEMENT_HUGE_PAGE, 0);
	memset(m.base, 1, m.bytes);
	ck_assert_msg(!placement_verify(&m, 0, &err), "%s", err.text);
	placement_free(&m);
	ck_assert_ptr_null(m.base);
	placement_free(&m);
}

TEST(test_page_that_is_not_there_is_no_proof)
{
	ck_assert_msg(!placement_reserve(&m, 0, 2 * MIB, &err), "%s", err.text);
	ck_assert_int_eq(placement_verify(&m, 0, &err), -ENOENT);
	assert_contains(err.text, "node 0");
	placement_free(&m);
}

TEST(test_page_on_another_node_is_an_error)
{
	ck_assert_msg(!placement_reserve(&m, 0, 2 * MIB, &err), "%s", err.text);
	memset(m.base, 1, m.bytes);
	ck_assert_int_eq(placement_verify(&m, 7, &err), -EXDEV);
	assert_contains(err.text, "is on node 0");
	placement_free(&m);
}

TEST(test_more_than_is_free_is_refused)
{
	ck_assert_int_eq(placement_reserve(&m, 0, UINT64_C(1) << 60, &err), -ENOMEM);
	assert_contains(err.text, "are free");
	ck_assert_int_eq(placement_reserve(&m, 999, MIB, &err), -ENODEV);
	assert_contains(err.text, "node 999");
	placement_free(&m);
}

static const struct {
	double read_share;
} shares[] = {{1}, {0}, {0.75}};

TEST_LOOP(test_bytes_are_counted_as_they_were_asked_for, COUNT_OF(shares))
{
	struct platform *p = real_machine();
	struct load *load = open_load(p, 0, 14 * MIB);

	start(load, LOAD_MOST, shares[_i].read_share, false);
	wait_for_bytes(load, 64 * MIB);
	ck_assert_int_eq(load_stop(load, &err), 0);
	const struct load_progress end = progress(load);
	ck_assert_double_eq_tol((double)end.bytes_read /
					(double)(end.bytes_read + end.bytes_written),
				shares[_i].read_share, 1e-4);
	ck_assert_uint_eq(progress(load).bytes_read, end.bytes_read);
	load_close(load);
}

/*
 * The rate, which any machine can move, is kept in at least one of many short times: the machine
 * may be busy in most of them.
 */
TEST(test_a_low_rate_is_kept)
{
	enum { TRIES = 800 };
	const double asked = 20e6;
	struct platform *p = real_machine();
	struct load *load = open_load(p, 0, 14 * MIB);
	double off = 1;

	start(load, asked, 0.5, false);
	for (int i = 0; i < TRIES && off > 0.02; i++) {
		const struct load_progress from = progress(load);

		pass_time(p, SECOND / 20);
		const struct load_progress to = progress(load);
		const double bytes = (double)(to.bytes_read + to.bytes_written - from.bytes_read -
					      from.bytes_written);
		off = fabs(bytes / (double)(to.time_ns - from.time_ns) * 1e9 / asked - 1);
	}
	ck_assert_double_le(off, 0.02);
	load_close(load);
}

TEST_LOOP(test_chase_measures_latency_beside_traffic_or_alone, 2)
{
	struct platform *p = real_machine();
	struct load *load = open_load(p, 0, 8 * MIB);
	struct load_progress now;

	start(load, _i ? 1e6 : 0, 1, true);
	do
		now = progress(load);
	while (now.chased < 10000);
	ck_assert_double_gt(now.chase_ns / now.chased, 0.5);
	if (!_i)
		ck_assert_uint_eq(now.bytes_read + now.bytes_written, 0);
	load_close(load);
}

TEST(test_load_on_cpus_that_are_not_ours_is_refused)
{
	struct platform *p = real_machine();
	const unsigned cpu = CPU_SETSIZE - 1;
	const struct load_spec spec = {.bytes = MIB, .cpus = &cpu, .cpu_count = 1};
	struct load *load;

	ck_assert_int_eq(load_open(p, &spec, &load, &err), -ENODEV);
	ck_assert_ptr_null(load);
	assert_contains(err.text, "may run on none of the CPUs");
}

TEST(test_simulated_machine_says_what_it_has_moved)
{
	struct platform *p = sim_make("spr,read=0,clock=virtual");
	struct load *load = open_load(p, 1, 0);

	start(load, 8e9, 0.75, false);
	pass_time(p, SECOND);
	ck_assert_uint_eq(progress(load).bytes_read, 6000000000);
	ck_assert_uint_eq(progress(load).bytes_written, 2000000000);
	start(load, LOAD_MOST, 1, false);
	pass_time(p, SECOND);
	ck_assert_uint_eq(progress(load).bytes_read, 36000000000);
	ck_assert_int_eq(load_stop(load, &err), 0);
	pass_time(p, SECOND);
	ck_assert_uint_eq(progress(load).bytes_read, 36000000000);
	ck_assert_uint_eq(progress(load).time_ns, 3 * SECOND);
	load_close(load);
}

TEST(test_simulated_machine_is_chased_along_its_latency)
{
	struct platform *p = sim_make("spr,read=0,latency=400,clock=virtual");
	struct load *load = open_load(p, 2, 0);

	start(load, 1e9, 1, true);
	pass_time(p, SECOND);
	const struct load_progress now = progress(load);

	ck_assert_double_eq_tol(now.chase_ns / now.chased, 400, 1e-9);
	ck_assert_double_eq_tol(now.chased, 2500000, 1e-3);
	ck_assert_uint_eq(now.bytes_read, 1000000000);
	load_close(load);
}

TEST(test_closed_load_leaves_a_simulated_machine_idle)
{
	struct platform *p = sim_make("spr,read=0,clock=virtual");
	struct load *load = open_load(p, 1, 0);

	start(load, 1e9, 1, false);
	load_close(load);
	load = open_load(p, 1, 0);
	pass_time(p, SECOND);
	ck_assert_uint_eq(progress(load).bytes_read, 0);
	load_close(load);
}

/* A chase reads whole lines, equally many in each chain. */
TEST_LOOP(test_kernels_read_or_write_alone, 2)
{
	static const struct {
		enum calibration_kernel kernel;
		unsigned chains;
	} kernels[] = {
		{KERNEL_CHASE, 1}, {KERNEL_CHASE, 16}, {KERNEL_STREAM, 1}, {KERNEL_STORES, 1}};
	struct platform *p = real_machine();
	struct load *load = open_for_kernels(p, 0, 14 * MIB, _i ? 4 : 1);
	struct load_progress from = {.bytes_read = 0};

	for (size_t i = 0; i < COUNT_OF(kernels); i++) {
		run_kernel(load, kernels[i].kernel, kernels[i].chains);
		wait_for_bytes(load, from.bytes_read + from.bytes_written + 4 * MIB);
		ck_assert_int_eq(load_stop(load, &err), 0);
		const struct load_progress to = progress(load);
		const uint64_t read = to.bytes_read - from.bytes_read;

		if (kernels[i].kernel == KERNEL_STORES)
			ck_assert_uint_eq(read, 0);
		else
			ck_assert_uint_eq(to.bytes_written, 0);
		if (kernels[i].kernel == KERNEL_CHASE)
			ck_assert_uint_eq(read % (KERNEL_LINE * kernels[i].chains), 0);
		ck_assert_double_eq(to.chased, 0);
		from = to;
	}
	load_close(load);
}

TEST(test_all_memory_is_filled_also_what_a_division_among_workers_leaves)
{
	_Alignas(KERNEL_LINE) char moved[100 * KERNEL_LINE], ring[KERNEL_LINE];
	const struct worker_memory memory = {moved, sizeof(moved), ring, sizeof(ring)};
	unsigned cpus[7];

	own_cpus(cpus, 1);
	for (size_t i = 1; i < COUNT(cpus); i++)
		cpus[i] = cpus[0];
	memset(moved, 1, sizeof(moved));
	struct workers *workers = workers_new(cpus, COUNT(cpus), true, &memory);
	ck_assert_msg(!workers_fill(workers, &err), "%s", err.text);
	for (size_t i = 0; i < sizeof(moved); i++)
		ck_assert_int_eq(moved[i], 0);
	workers_free(workers);
}

TEST(test_simulated_cpus_run_kernels)
{
	struct platform *p = sim_make("spr,read=0,clock=virtual");
	const unsigned cpus[] = {1, 3};
	const struct load_spec spec = {
		.node = 0, .cpus = cpus, .cpu_count = 2, .runs_kernels = true};
	struct load *load;

	ck_assert_msg(!load_open(p, &spec, &load, &err), "%s", err.text);
	run_kernel(load, KERNEL_STREAM, 1);
	pass_time(p, SECOND);
	ck_assert_uint_eq(progress(load).bytes_read, 24000000000);
	run_kernel(load, KERNEL_STORES, 1);
	pass_time(p, SECOND);
	ck_assert_uint_eq(progress(load).bytes_written, 12000000000);
	ck_assert_int_eq(load_stop(load, &err), 0);
	pass_time(p, SECOND);
	ck_assert_uint_eq(progress(load).bytes_read, 24000000000);
	ck_assert_uint_eq(progress(load).bytes_written, 12000000000);
	load_close(load);
}
