/* SPDX-License-Identifier: BSD-3-Clause */
/* Updates as text, CSV and JSON. */
#include "probe/top/top_print.h"

#include <math.h>

#include "json_at.h"
#include "unit.h"

#define MIB 1048576.0

static const struct process_row work = {
	.is.pid = 7,
	.is.name = "work, hard",
	.is.user = "someone",
	.is.cgroup = "/slice",
	.reads.cxl.MBps = 128,
	.reads.dram.MBps = 64.5,
	.reads.share_pct = 75,
	.reads.cxl.samples = 12,
	.reads.cxl.p50_ns = 296,
	.reads.cxl.p99_ns = NAN,
	.memory.cxl = 3 * MIB,
	.memory.dram = 2 * MIB,
	.age_s = 1.5,
	.memory.bytes = {3 << 20, 2 << 20},
};
static const struct process_row unknown = {
	.is.pid = 8,
	.reads.cxl.MBps = NAN,
	.reads.dram.MBps = NAN,
	.reads.share_pct = NAN,
	.reads.cxl.p50_ns = NAN,
	.reads.cxl.p99_ns = NAN,
	.memory.cxl = NAN,
	.memory.dram = NAN,
	.age_s = NAN,
};
static struct process_row rows[2];
static struct top_group group;
static struct top_line lines[2];
static struct top_summary summary;

static void begin(void)
{
	rows[0] = work;
	rows[1] = unknown;
	lines[0] = (struct top_line){&rows[0]};
	lines[1] = (struct top_line){&rows[1]};
	summary = (struct top_summary){.interval_s = 1,
				       .latencies_s = 10,
				       .event = "loads",
				       .cxl_MBps = 128,
				       .samples = 20,
				       .lost = 3,
				       .records_lost = NAN,
				       .cost_pct = 0.5,
				       .processes = 5,
				       .known = 4,
				       .refused = 1,
				       .cxl = 3 * MIB,
				       .dram = 3 * MIB,
				       .oldest_s = 1.5,
				       .nodes = {{1, true}, {0, false}},
				       .node_count = 2};
}

FIXTURE(begin, NULL)

static const char *printed(top_printer *print, enum row_by by, size_t width)
{
	struct top_sheet sheet = {.out = text_open(), .by = by, .width = width};

	print(&sheet, &(struct top_shown){&summary, lines, 2, 0});
	return text_close(sheet.out);
}

#define TIME "1970-01-01T00:00:00.000000Z,"

TEST(test_csv_has_the_system_each_process_and_its_nodes)
{
	ck_assert_str_eq(
		printed(top_csv, BY_PROCESS, 0),
		"time,interval_s,missed,scope,pid,user,command,name,cgroup,node,processes,cxl_MBps,"
		"dram_MBps,read_share_pct,cxl_samples,latencies_s,cxl_p50_ns,cxl_p99_ns,used_MiB,"
		"share_pct,total_MiB,memory,age_s,event,samples,lost,records_lost,unsampled_cpus,"
		"cost_pct,seen,counted,refused\n" TIME
		"1.000000,0,system,,,,,,,5,128.000,,,,10.000,,,3.000,50,6.000,counted,1.500,loads,"
		"20,3,,0,0.500,5,4,1\n" TIME
		"1.000000,0,process,7,someone,\"work, hard\",,/slice,,1,128.000,64.500,75,12,10.000,"
		"296.0,,3.000,60,5.000,counted,1.500,,,,,,,,,\n" TIME
		"1.000000,0,node,7,someone,\"work, hard\",,/slice,1,1,,,,,10.000,,,3.000,,,counted,"
		"1.500,,,,,,,,,\n" TIME
		"1.000000,0,node,7,someone,\"work, hard\",,/slice,0,1,,,,,10.000,,,2.000,,,counted,"
		"1.500,,,,,,,,,\n" TIME
		"1.000000,0,process,8,,,,,,1,,,,0,10.000,,,,,,,,,,,,,,,,\n");
}

TEST(test_without_samples_nothing_is_said_of_reads)
{
	error_set(&summary.why_not, ERROR_NO_UNIT, -ENODEV, "no loads");
	summary.cxl_MBps = NAN;
	rows[0].memory.partial = true;
	assert_contains(printed(top_csv, BY_PROCESS, 0),
			",1,128.000,64.500,75,,10.000,296.0,,3.000,,5.000,least,1.500,");
	assert_lacks(printed(top_table, BY_PROCESS, 80), "samples");
	assert_contains(printed(top_json, BY_PROCESS, 0), "\"not_sampled\":\"no loads\"");
}

TEST(test_one_process_and_one_sample_are_not_plural)
{
	summary.processes = summary.samples = 1;
	assert_contains(printed(top_table, BY_PROCESS, 80), "  1 process, memory of 4 counted");
	assert_contains(printed(top_table, BY_PROCESS, 80), "\n1 sample of loads");
}

TEST(test_what_is_saved_is_csv_without_a_count_of_deadlines)
{
	FILE *out = text_open();

	summary.row_count = 2;
	top_save(&summary, rows, out);
	const char *text = text_close(out);
	assert_contains(text, "time,interval_s,missed,scope,");
	assert_contains(text, TIME "1.000000,,process,7,someone,");
}

TEST(test_json_has_an_object_of_all)
{
	const json_t *all = json_of(printed(top_json, BY_USER, 0));

	assert_json(all, "by", "\"user\"");
	assert_json(all, "seen", "5");
	assert_json(all, "rows.0.used_MiB", "3.0");
	assert_json(all, "rows.0.cxl_p99_ns", "null");
	assert_json(all, "rows.0.nodes.0.node", "1");
	ck_assert_uint_eq(json_array_size(json_at(all, "rows.0.nodes")), 2);
}

TEST(test_a_table_has_the_columns_that_there_is_room_for)
{
	ck_assert_str_eq(printed(top_table, BY_PROCESS, 60),
			 "00:00:00.000  5 processes, memory of 4 counted, of 1\n"
			 "              refused, 1.5 s ago at most\n"
			 "20 samples of loads, ~128.0 MB/s of CXL reads, 3 lost, 0.50\n"
			 "  % of a CPU\n"
			 "                   CXL read        CXL\n"
			 "    PID USER           MB/s        MiB COMMAND\n"
			 "      7 someone      ~128.0        3.0 work, hard\n"
			 "      8                   -          - \n");
	group = (struct top_group){.name = "/slice", .processes = 4};
	lines[0].group = lines[1].group = &group;
	assert_contains(
		printed(top_table, BY_CGROUP, 130),
		"  PROCS                MB/s       MB/s       %      ns      ns        MiB        MiB"
		"       s CGROUP\n"
		"      4              ~128.0      ~64.5    75.0     296       -        3.0        2.0"
		"     1.5 /slice\n");
}
