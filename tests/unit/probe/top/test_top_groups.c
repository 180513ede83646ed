/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/top/top_list.h"

#include <math.h>

#include "unit.h"

static struct top *top;
static struct sampled_row rows[3];
static const struct sampled_row *sorted[3];
static struct top_list list;

/* Adds a process with reads of this latency, each of 1 MB per second. */
static void add(unsigned i, const char *user, const char *cgroup, unsigned reads, double ns)
{
	struct process_row *row = &top->rows[i];

	*row = (struct process_row){.is.pid = i + 1,
				    .reads.cxl.MBps = reads,
				    .reads.dram.MBps = NAN,
				    .reads.share_pct = NAN,
				    .reads.cxl.p50_ns = ns,
				    .reads.cxl.p99_ns = NAN,
				    .reads.cxl.samples = reads,
				    .memory.cxl = 10,
				    .memory.dram = NAN,
				    .age_s = i,
				    .memory.bytes = {10}};
	snprintf(row->is.user, sizeof(row->is.user), "%s", user);
	snprintf(row->is.cgroup, sizeof(row->is.cgroup), "%s", cgroup);
	rows[i] = (struct sampled_row){.pid = i + 1, .key = {i + 1, 0}};
	for (unsigned n = 0; n < reads; n++)
		sampled_row_add_latency(&rows[i], TIME_INTERVAL, MEMORY_CXL, ns, 1);
	sorted[i] = &rows[i];
	top->summary.row_count = i + 1;
}

static void begin(void)
{
	top = calloc(1, sizeof(*top));
	add(0, "alice", "/lxc.payload.web/a", 10, 100);
	add(1, "bob", "", 50, 200);
	add(2, "alice", "/lxc.payload.web/b", 90, 300);
	const struct process_report report = {.ns = NS_PER_S, .rows = sorted, .count = 3};
	ck_assert_int_eq(top_latencies_add(&top->latencies, &report), 0);
}

static void end(void)
{
	top_list_free(&list);
	top_latencies_free(&top->latencies);
	for (size_t i = 0; i < 3; i++)
		sampled_row_free(&rows[i]);
	free(top);
}

FIXTURE(begin, end)

static int make(enum row_by by)
{
	top->by = by;
	ck_assert_int_eq(top_group_latencies(top), 0);
	ck_assert_uint_eq(top->summary.by, by);
	ck_assert_int_eq(top_list_take(&list, &top->summary, top->rows), 0);
	top_list_arrange(&list, &(struct top_choice){.by = by});
	return (int)list.count;
}

TEST(test_a_group_has_the_percentiles_of_all_of_its_reads)
{
	ck_assert_int_eq(make(BY_USER), 2);
	ck_assert_str_eq(list.lines[0].group->name, "alice");
	ck_assert_uint_eq(list.lines[0].group->processes, 2);
	ck_assert_double_eq(list.lines[0].row->reads.cxl.MBps, 100);
	ck_assert_uint_eq(list.lines[0].row->reads.cxl.samples, 100);
	ck_assert_double_eq(list.lines[0].row->memory.cxl, 20);
	ck_assert_uint_eq(list.lines[0].row->memory.bytes[0], 20);
	ck_assert(isnan(list.lines[0].row->memory.dram) && list.lines[0].row->age_s == 2);
	/* 100 reads: 10 of 100 ns and 90 of 300 ns, which is in a bucket of 288 to 304 ns */
	ck_assert_double_eq(list.lines[0].row->reads.cxl.p50_ns, 296);
	ck_assert_double_eq(list.lines[0].row->reads.cxl.p99_ns, 296);
	ck_assert_str_eq(list.lines[1].group->name, "bob");
	/* 50 reads are too few for a 99th percentile */
	ck_assert(list.lines[1].row->reads.cxl.p50_ns > 190 &&
		  isnan(list.lines[1].row->reads.cxl.p99_ns));
}

TEST(test_a_process_without_a_group_is_in_none)
{
	ck_assert_int_eq(make(BY_CONTAINER), 1);
	ck_assert_str_eq(list.lines[0].group->name, "web");
	ck_assert_uint_eq(list.lines[0].group->processes, 2);
	ck_assert_int_eq(make(BY_VM), 0);
	ck_assert_int_eq(make(BY_CGROUP), 2);
	ck_assert_str_eq(list.lines[0].group->name, "/lxc.payload.web/b");
}

TEST(test_by_process_each_row_is_as_it_is)
{
	ck_assert_int_eq(make(BY_PROCESS), 3);
	ck_assert_uint_eq(list.lines[0].row->is.pid, 3);
	ck_assert_uint_eq(list.lines[2].row->is.pid, 1);
	ck_assert_double_eq(list.lines[2].row->reads.cxl.p50_ns, 100);
	ck_assert_ptr_null(list.lines[0].group);
}
