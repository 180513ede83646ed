/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows made from processes and samples. */
#include "probe/top/top.h"

#include <math.h>

#include "unit.h"

#define MIB 1048576.0
#define NOW (100 * NS_PER_S)

static const struct load_event event = {.name = "loads", .counts = true};
static const struct top_options everybody;
static struct top_options options;
static struct top *top;
static struct process_names names;
static struct sampled_row hot[8], sum;
static const struct sampled_row *rows[8];
static struct process_report report;
static struct scanned_process processes[8];

static void begin(void)
{
	top = calloc(1, sizeof(*top));
	options = everybody;
	top->options = &options;
	top->processes.at = processes;
	memset(processes, 0, sizeof(processes));
	memset(hot, 0, sizeof(hot));
	ck_assert_int_eq(process_names_init(&names), 0);
	report = (struct process_report){
		.event = &event, .names = &names, .rows = rows, .all = &sum, .ns = NS_PER_S};
}

static void end(void)
{
	process_names_free(&names);
	for (size_t i = 0; i < 8; i++)
		sampled_row_free(&hot[i]);
	top_latencies_free(&top->latencies);
	free(top);
}

/* Adds a process; pids ascend. */
static struct scanned_process *process(unsigned pid, const char *name, double cxl, double dram)
{
	struct scanned_process *p = &processes[top->processes.count++];

	*p = (struct scanned_process){.is.pid = pid,
				      .is.started = pid + 1,
				      .is.resident = 1,
				      .state = MEMORY_COUNTED,
				      .read_ns = NOW - 2 * NS_PER_S,
				      .memory.cxl = cxl * MIB,
				      .memory.dram = dram * MIB,
				      .is.user = "someone"};
	snprintf(p->is.name, sizeof(p->is.name), "%s", name);
	snprintf(p->is.cgroup, sizeof(p->is.cgroup), "/slice/%s", name);
	return p;
}

/* Adds samples, each of which stands for a million loads of 64 bytes. */
static struct sampled_row *sampled(unsigned pid, uint64_t cxl, uint64_t dram)
{
	struct sampled_row *row = &hot[report.count];

	row->pid = pid;
	row->command = process_names_add(&names, 0, "sampled");
	row->counts[TIME_INTERVAL][MEMORY_CXL] = (struct read_count){cxl, cxl * 1000000, cxl};
	row->counts[TIME_INTERVAL][MEMORY_DRAM] = (struct read_count){dram, dram * 1000000, dram};
	for (uint64_t i = 0; i < cxl; i++)
		sampled_row_add_latency(row, TIME_INTERVAL, MEMORY_CXL, 300, 1);
	rows[report.count++] = row;
	return row;
}

static void join(const struct process_report *of)
{
	if (of)
		ck_assert_int_eq(top_latencies_add(&top->latencies, of), 0);
	top_join(top, of, NOW);
}

FIXTURE(begin, end)

TEST(test_a_row_has_memory_and_samples_of_a_process)
{
	process(7, "work", 5, 3);
	sampled(7, 2, 1);
	report.timed = true;
	join(&report);
	ck_assert_uint_eq(top->summary.row_count, 1);
	const struct process_row *row = top->rows;
	ck_assert_uint_eq(row->is.pid, 7);
	ck_assert_uint_eq(row->is.started, 8);
	ck_assert_str_eq(row->is.name, "work");
	ck_assert_str_eq(row->is.user, "someone");
	ck_assert_str_eq(row->is.cgroup, "/slice/work");
	ck_assert(row->memory.cxl == 5 * MIB && row->memory.dram == 3 * MIB);
	ck_assert(row->age_s == 2);
	ck_assert(row->reads.cxl.MBps == 128 && row->reads.dram.MBps == 64);
	ck_assert(row->reads.share_pct == 100);
	ck_assert(row->reads.cxl.p50_ns >= 290 && row->reads.cxl.p50_ns <= 310);
	ck_assert(isnan(row->reads.cxl.p99_ns)); /* two samples are too few */
	ck_assert(processes[0].reads);
}

/* 50 samples, of one interval, are too few for a 99th percentile; 100 of two are enough. */
TEST(test_latencies_are_of_several_intervals)
{
	process(7, "work", 5, 3);
	sampled(7, 50, 0);
	join(&report);
	ck_assert(isnan(top->rows[0].reads.cxl.p99_ns));
	join(&report);
	ck_assert(top->rows[0].reads.cxl.p99_ns >= 290 && top->rows[0].reads.cxl.p99_ns <= 310);
	ck_assert_uint_eq(top->rows[0].reads.cxl.samples, 50);
	/* the percentile stays while the process pauses */
	report.count = 0;
	join(&report);
	ck_assert(top->rows[0].reads.cxl.p99_ns >= 290 && top->rows[0].reads.cxl.p99_ns <= 310);
	ck_assert(top->rows[0].reads.cxl.MBps == 0);
}

TEST(test_those_that_read_most_are_first_then_those_with_most_memory)
{
	process(1, "idle", 9, 0);
	process(2, "reads", 1, 0);
	process(3, "reads more", 1, 0);
	process(4, "idle, too", 10, 0);
	sampled(3, 5, 0);
	sampled(2, 3, 0);
	join(&report);
	ck_assert_uint_eq(top->summary.row_count, 4);
	ck_assert_uint_eq(top->rows[0].is.pid, 3);
	ck_assert_uint_eq(top->rows[1].is.pid, 2);
	ck_assert_uint_eq(top->rows[2].is.pid, 4);
	ck_assert_uint_eq(top->rows[3].is.pid, 1);
	ck_assert(top->rows[0].reads.share_pct == 62.5 && top->rows[1].reads.share_pct == 37.5);
	ck_assert(top->rows[2].reads.cxl.MBps == 0); /* zero, not unknown: it was sampled */
}

TEST(test_without_cxl_memory_and_reads_there_is_no_row)
{
	process(1, "DRAM alone", 0, 100);
	process(2, "CXL", 1, 0);
	join(&report);
	ck_assert_uint_eq(top->summary.row_count, 1);
	ck_assert_uint_eq(top->rows[0].is.pid, 2);
	/* the sums include the other process */
	ck_assert_uint_eq(top->summary.processes, 2);
	ck_assert(top->summary.dram == 100 * MIB && top->summary.cxl == MIB);
}

TEST(test_samples_of_a_process_that_is_not_listed_have_a_row)
{
	process(5, "listed", 1, 0);
	sampled(4, 1, 0);
	sampled(6, 2, 0);
	join(&report);
	ck_assert_uint_eq(top->summary.row_count, 3);
	ck_assert_uint_eq(top->rows[0].is.pid, 6);
	ck_assert_str_eq(top->rows[0].is.name, "sampled");
	ck_assert_str_eq(top->rows[0].is.user, "");
	ck_assert(isnan(top->rows[0].memory.cxl) && isnan(top->rows[0].age_s));
	ck_assert_uint_eq(top->rows[1].is.pid, 4);
}

TEST(test_of_a_pid_that_is_used_again_all_samples_are_added)
{
	process(7, "second", 1, 0);
	sampled(7, 1, 0);
	sampled(7, 3, 2);
	join(&report);
	ck_assert_uint_eq(top->summary.row_count, 1);
	ck_assert_uint_eq(top->rows[0].reads.cxl.samples, 4);
	ck_assert(top->rows[0].reads.cxl.MBps == 256 && top->rows[0].reads.dram.MBps == 128);
}

TEST(test_what_is_not_known_is_no_zero)
{
	process(1, "refused", 0, 0)->state = MEMORY_REFUSED;
	process(2, "vm", 1, 0)->runs_vm = true;
	sampled(1, 1, 0);
	sampled(2, 1, 0);
	join(&report);
	ck_assert_uint_eq(top->rows[0].is.pid, 1);
	ck_assert(isnan(top->rows[0].memory.cxl) && top->rows[0].reads.cxl.MBps == 64);
	ck_assert_uint_eq(top->summary.refused, 1);
	/* a guest's reads are not sampled */
	ck_assert(isnan(top->rows[1].reads.cxl.MBps) && top->rows[1].memory.cxl == MIB);
}

TEST(test_only_memory_that_the_kernel_refuses_to_show_is_refused)
{
	process(1, "refused", 0, 0)->state = MEMORY_REFUSED;
	process(2, "unclear", 0, 0)->state = MEMORY_UNCLEAR;
	process(3, "none", 0, 0)->state = MEMORY_NONE;
	join(NULL);
	ck_assert_uint_eq(top->summary.processes, 3);
	ck_assert_uint_eq(top->summary.known, 0);
	ck_assert_uint_eq(top->summary.refused, 1);
}

TEST(test_without_samples_memory_alone_is_known)
{
	process(1, "small", 1, 0);
	process(2, "large", 2, 0);
	error_set(&top->summary.why_not, ERROR_NO_UNIT, -ENODEV, "no");
	join(NULL);
	ck_assert_uint_eq(top->summary.row_count, 2);
	ck_assert_uint_eq(top->rows[0].is.pid, 2);
	ck_assert(isnan(top->rows[0].reads.cxl.MBps) && isnan(top->rows[0].reads.share_pct));
}

TEST(test_where_cpus_are_not_sampled_there_are_no_rates)
{
	process(1, "work", 1, 0);
	sampled(1, 1, 0);
	report.unsampled = 1;
	join(&report);
	ck_assert(isnan(top->rows[0].reads.cxl.MBps));
	ck_assert_uint_eq(top->rows[0].reads.cxl.samples, 1);
}

TEST(test_only_the_chosen_processes_have_rows)
{
	process(1, "one", 1, 0);
	process(2, "two", 1, 0);
	process(3, "three", 1, 0);
	options.pids = "1,3-4";
	join(NULL);
	ck_assert_uint_eq(top->summary.row_count, 2);
	options.pids = NULL;
	snprintf(top->cgroup, sizeof(top->cgroup), "/slice/tw");
	join(NULL);
	ck_assert_uint_eq(top->summary.row_count, 0);
	snprintf(top->cgroup, sizeof(top->cgroup), "/slice/two");
	join(NULL);
	ck_assert_uint_eq(top->summary.row_count, 1);
	ck_assert_uint_eq(top->rows[0].is.pid, 2);
}

TEST(test_the_age_of_all_is_that_of_the_oldest_row)
{
	process(1, "old", 1, 0)->read_ns = NOW - 9 * NS_PER_S;
	process(2, "new", 1, 0);
	process(3, "older, but no row", 0, 1)->read_ns = NOW - 20 * NS_PER_S;
	join(NULL);
	ck_assert(top->summary.oldest_s == 9);
}

static const struct top_options simulated = {.root = "/",
					     .sim = "gnr,read=10,dram_read=20,clock=virtual"};
static struct error err;

static void update_after(unsigned seconds)
{
	top->p->ops->clock->sleep_until(
		top->p, top->p->ops->clock->now(top->p) + seconds * NS_PER_S, NULL, &(int){0});
	ck_assert_msg(!top_update(top, &err), "%s", err.text);
}

static void begin_run(void)
{
	ck_assert_msg(!top_open(top, &err) && !top_begin(top, &err), "%s", err.text);
}

static void close_run(void)
{
	top_close(top);
	memset(&top->processes, 0, sizeof(top->processes));
}

/* Two readings of memory are needed. */
TEST(test_without_samples_an_interval_is_between_updates)
{
	const struct top_options paranoid = {.root = "/", .sim = "gnr,paranoid=1,clock=virtual"};

	top_prepare(&paranoid, top);
	begin_run();
	ck_assert_int_eq(top->summary.why_not.code, -EACCES);
	update_after(5);
	ck_assert_double_eq(top->summary.interval_s, 5);
	update_after(2);
	ck_assert_double_eq(top->summary.interval_s, 2);
	ck_assert_msg(!top_update(top, &err), "%s", err.text);
	ck_assert_double_nan(top->summary.interval_s);
	close_run();
}

/* A run on a simulated machine, whose clock the test moves. */
TEST(test_simulated_processes_read_what_ports_count)
{
	top_prepare(&simulated, top);
	begin_run();
	ck_assert_int_eq(top->summary.why_not.code, 0);
	ck_assert_str_eq(top->summary.event, "MEM_LOAD_RETIRED.L3_MISS");
	for (unsigned i = 0; i < 3; i++)
		update_after(1);
	ck_assert(top->summary.interval_s == 1);
	ck_assert(top->summary.latencies_s == 3);
	ck_assert(top->summary.cost_pct > 0); /* includes the kernel's part, by the samples */
	ck_assert_uint_ge(top->summary.row_count, 3);
	ck_assert_str_eq(top->rows[0].is.name, "postgres");
	ck_assert(top->rows[0].reads.cxl.MBps > top->rows[1].reads.cxl.MBps);
	ck_assert(top->summary.cxl_MBps > 0);
	uint64_t cxl_samples = 0;
	double sum_MBps = 0;
	for (size_t i = 0; i < top->summary.row_count; i++) {
		sum_MBps += top->rows[i].reads.cxl.MBps;
		cxl_samples += top->rows[i].reads.cxl.samples;
	}
	assert_double(sum_MBps, top->summary.cxl_MBps, 0.001);
	/* DRAM has as many samples, except for incomplete periods */
	ck_assert_uint_gt(top->summary.samples, cxl_samples + cxl_samples / 2);
	close_run();
}

TEST(test_reads_are_unknown_while_sampling_is_stopped)
{
	top_prepare(&simulated, top);
	begin_run();
	for (unsigned i = 0; i < 3; i++)
		update_after(1);
	const double MBps = top->summary.cxl_MBps;
	ck_assert(MBps > 0);
	ck_assert_msg(!top_pause(top, &err), "%s", err.text);
	update_after(5);
	ck_assert_double_eq(top->summary.interval_s, 5);
	ck_assert_double_nan(top->summary.cxl_MBps);
	ck_assert_double_nan(top->rows[0].reads.cxl.MBps);
	ck_assert_double_nan(top->rows[0].reads.cxl.p50_ns);
	ck_assert(top->rows[0].memory.cxl > 0);
	/* nothing of the time before is in the next interval */
	ck_assert_msg(!top_begin(top, &err), "%s", err.text);
	update_after(2);
	ck_assert_double_eq(top->summary.interval_s, 2);
	ck_assert_double_eq(top->summary.latencies_s, 2);
	ck_assert_double_eq_tol(top->summary.cxl_MBps, MBps, MBps / 10);
	close_run();
}

TEST(test_memory_is_known_before_reads_are_asked_for)
{
	top_prepare(&simulated, top);
	for (unsigned i = 0; i < 2; i++) {
		ck_assert_msg(!top_open_memory(top, &err), "%s", err.text);
		update_after(1);
	}
	ck_assert_uint_eq(top->summary.row_count, 3);
	ck_assert_str_eq(top->rows[0].is.name, "memcached");
	ck_assert_double_nan(top->rows[0].reads.cxl.MBps);
	ck_assert_int_eq(top->summary.why_not.code, 0);
	begin_run();
	for (unsigned i = 0; i < 2; i++)
		update_after(1);
	ck_assert_str_eq(top->rows[0].is.name, "postgres");
	ck_assert(top->rows[0].reads.cxl.MBps > 0);
	close_run();
}
