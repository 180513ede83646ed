/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/who/print.h"

#include <math.h>

#include "linux/run/process.h"
#include "probe/who/watch.h"
#include "unit.h"

#define WIDTH 80 /* width of the table */

#define MIB (UINT64_C(1) << 20)

static unsigned numbers[] = {1, 2, 3, 4};
static struct who_nodes nodes;
static double growth[2][4];
static struct process_row processes[2];
static char long_name[PROCESS_NAME_SIZE];
static struct who_scan scan;
static struct who_sheet sheet;
static const struct memory_reads not_sampled = {.per_s = NAN, .MBps = NAN};

static void begin(void)
{
	nodes = (struct who_nodes){.numa = {numbers, 1}};
	processes[0] = (struct process_row){
		.is.pid = 1234,
		.is.user = "root",
		.name = "plain",
		.memory = {256 * MIB, 256 * MIB, .bytes = {256 * MIB}},
		.growth = 1.5 * (double)MIB,
		.node_growth = growth[0],
		.reads.cxl = not_sampled,
		.counted.read_MBps = 1234.56,
	};
	processes[1] = (struct process_row){
		.is.pid = 4194304,
		.is.user = "a long name",
		.name = "=1+1, \"x\" gr\303\274n",
		.memory = {MIB / 256.0, MIB - MIB / 256.0, .bytes = {MIB / 256}},
		.growth = NAN,
		.node_growth = growth[1],
		.reads.cxl = not_sampled,
		.counted.read_MBps = NAN,
	};
	for (size_t i = 0; i < 4; i++)
		growth[0][i] = growth[1][i] = NAN;
	growth[0][0] = processes[0].growth;
	scan = (struct who_scan){.interval_s = NAN, .processes = {processes, 2}};
	sheet = (struct who_sheet){.out = text_open(), .nodes = &nodes, .width = WIDTH};
}

static void expect(who_printer *print, const char *expected)
{
	print(&sheet, &scan);
	ck_assert_str_eq(text_close(sheet.out), expected);
}

FIXTURE(begin, NULL)

TEST(test_table_of_one_node)
{
	expect(who_table, "                     node1  share    growth\n"
			  "    PID USER           MiB      %       MiB COMMAND\n"
			  "   1234 root         256.0   50.0      +1.5 plain\n"
			  "4194304 a long +       0.0    0.4         - =1+1, \"x\" gr\303\274n\n");
}

TEST(test_table_of_two_nodes_has_their_sum)
{
	nodes.numa.count = 2;
	scan.processes.count = 1;
	expect(who_table,
	       "                     node1     node2     nodes  share    growth\n"
	       "    PID USER           MiB       MiB       MiB      %       MiB COMMAND\n"
	       "   1234 root         256.0       0.0     256.0   50.0      +1.5 plain\n");
}

TEST(test_table_of_many_nodes_has_their_sum_alone)
{
	nodes.numa.count = 4;
	scan.processes.count = 1;
	sheet.reads = true;
	ck_assert(!who_table_has_nodes(&sheet));
	expect(who_table, "                     nodes  share    growth   cpu cxl\n"
			  "    PID USER           MiB      %       MiB      MB/s COMMAND\n"
			  "   1234 root         256.0   50.0      +1.5   ~1234.6 plain\n");
}

TEST(test_a_wide_terminal_has_every_node)
{
	nodes.numa.count = 4;
	sheet.width = 120;
	ck_assert(who_table_has_nodes(&sheet));
	scan.processes.count = 0;
	expect(who_table,
	       "                     node1     node2     node3     node4     nodes  share "
	       "   growth\n"
	       "    PID USER           MiB       MiB       MiB       MiB       MiB      % "
	       "      MiB COMMAND\n");
}

TEST_LOOP(test_no_line_is_longer_than_the_table, 4)
{
	size_t longest = 0;

	nodes.numa.count = _i + 1;
	memset(long_name, 'x', sizeof(long_name) - 1);
	processes[0].name = long_name;
	processes[0].memory =
		(struct process_memory){.cxl = (double)(UINT64_C(4) << 40),
					.partial = _i % 2,
					.bytes = {UINT64_C(2) << 40, UINT64_C(2) << 40}};
	who_table(&sheet, &scan);
	const char *text = text_close(sheet.out);
	for (const char *at = text; *at; at += strcspn(at, "\n") + 1)
		if (strcspn(at, "\n") > longest)
			longest = strcspn(at, "\n");
	ck_assert_uint_le(longest, WIDTH);
	assert_contains(text, "xxxxxxxxxxxxxxx+\n");
}

#define HEADER                                                                                     \
	"time,interval_s,missed,scope,pid,user,command,node,used_MiB,share_pct,growth_MiB,"        \
	"total_MiB,cpu_cxl_MBps,sampled_per_s,sampled_MBps,dax,dax_mapped_MiB\n"

TEST(test_csv_has_a_row_for_each_process_and_node)
{
	nodes.numa.count = 2;
	scan.interval_s = 0.5;
	scan.missed = 3;
	expect(who_csv, HEADER
	       "1970-01-01T00:00:00.000000Z,0.500000,3,process,1234,root,plain,,256.000,50,1.500,"
	       "512.000,1234.560,,,,\n"
	       "1970-01-01T00:00:00.000000Z,0.500000,3,node,1234,root,plain,1,256.000,50,1.500,,,,,,\n"
	       "1970-01-01T00:00:00.000000Z,0.500000,3,process,4194304,a long name,"
	       "\"=1+1, \"\"x\"\" gr\303\274n\",,0.004,0.3906,,1.000,,,,,\n"
	       "1970-01-01T00:00:00.000000Z,0.500000,3,node,4194304,a long name,"
	       "\"=1+1, \"\"x\"\" gr\303\274n\",1,0.004,0.3906,,,,,,,\n");
}

TEST(test_json_has_an_object_for_each_scan)
{
	nodes.numa.count = 2;
	scan.refused = 7;
	expect(who_json,
	       "{\"schema\":1,\"time\":\"1970-01-01T00:00:00.000000Z\",\"interval_s\":null,"
	       "\"missed\":0,\"nodes\":[1,2],\"left_out\":{\"refused\":7,\"late\":0,\"unclear\":0},"
	       "\"processes\":[{\"pid\":1234,\"user\":\"root\",\"command\":\"plain\","
	       "\"used_MiB\":256.000,\"share_pct\":50,\"growth_MiB\":1.500,\"total_MiB\":512.000,"
	       "\"cpu_cxl_MBps\":1234.560,\"sampled_per_s\":null,\"sampled_MBps\":null,\"nodes\":[{\"node\":1,\"used_MiB\":256.000,"
	       "\"share_pct\":50,\"growth_MiB\":1.500}],\"dax_mapped_MiB\":null,\"dax\":[]},"
	       "{\"pid\":4194304,\"user\":\"a long name\",\"command\":\"=1+1, \\\"x\\\" "
	       "gr\303\274n\",\"used_MiB\":0.004,\"share_pct\":0.3906,\"growth_MiB\":null,"
	       "\"total_MiB\":1.000,\"cpu_cxl_MBps\":null,\"sampled_per_s\":null,\"sampled_MBps\":null,\"nodes\":[{\"node\":1,"
	       "\"used_MiB\":0.004,\"share_pct\":0.3906,\"growth_MiB\":null}],\"dax_mapped_MiB\":null,\"dax\":[]}]}\n");
}

/* A process with two devices, and one that has mapped nothing of them. */
static void with_devdax(void)
{
	static struct devdax dax[] = {{"dax0.0", 1}, {"dax1.0", 1}, {"dax10.2", 1}};
	static uint64_t mapped[] = {512 * MIB, 0, 4 * MIB}, none[3];

	nodes.dax = dax;
	nodes.dax_count = 3;
	processes[0].dax = mapped;
	processes[0].dax_sum = 516 * MIB;
	processes[1].dax = none;
	scan.processes.count = 2;
}

TEST(test_the_table_has_what_is_mapped_of_devdax)
{
	with_devdax();
	sheet.reads = true;
	expect(who_table,
	       "                     node1  share    growth    devdax   cpu cxl\n"
	       "    PID USER           MiB      %       MiB       MiB      MB/s COMMAND\n"
	       "   1234 root         256.0   50.0      +1.5     516.0   ~1234.6 plain\n"
	       "4194304 a long +       0.0    0.4         -       0.0         - "
	       "=1+1, \"x\" gr\303\274n\n");
}

TEST(test_csv_has_a_row_for_each_devdax_that_is_mapped)
{
	with_devdax();
	expect(who_csv, HEADER
	       "1970-01-01T00:00:00.000000Z,,0,process,1234,root,plain,,256.000,50,1.500,"
	       "512.000,1234.560,,,,516.000\n"
	       "1970-01-01T00:00:00.000000Z,,0,node,1234,root,plain,1,256.000,50,1.500,,,,,,\n"
	       "1970-01-01T00:00:00.000000Z,,0,dax,1234,root,plain,1,,,,,,,,dax0.0,512.000\n"
	       "1970-01-01T00:00:00.000000Z,,0,dax,1234,root,plain,1,,,,,,,,dax10.2,4.000\n"
	       "1970-01-01T00:00:00.000000Z,,0,process,4194304,a long name,"
	       "\"=1+1, \"\"x\"\" gr\303\274n\",,0.004,0.3906,,1.000,,,,,0.000\n"
	       "1970-01-01T00:00:00.000000Z,,0,node,4194304,a long name,"
	       "\"=1+1, \"\"x\"\" gr\303\274n\",1,0.004,0.3906,,,,,,,\n");
}

TEST(test_json_has_the_devices_that_are_mapped)
{
	with_devdax();
	scan.processes.count = 1;
	who_json(&sheet, &scan);
	assert_contains(text_close(sheet.out),
			"\"growth_MiB\":1.500}],\"dax_mapped_MiB\":516.000,\"dax\":["
			"{\"dax\":\"dax0.0\",\"node\":1,\"mapped_MiB\":512.000},"
			"{\"dax\":\"dax10.2\",\"node\":1,\"mapped_MiB\":4.000}]}]}\n");
}

static void make_partial(void)
{
	processes[0].memory.partial = true;
	processes[0].growth = growth[0][0] = processes[0].counted.read_MBps = NAN;
	processes[0].memory.bytes[0] = 256 * MIB + MIB - 1;
	processes[0].memory.cxl = 256 * MIB + MIB - 1;
	scan.processes.count = 1;
}

TEST(test_the_table_marks_what_is_not_all)
{
	make_partial();
	expect(who_table, "                     node1  share    growth\n"
			  "    PID USER           MiB      %       MiB COMMAND\n"
			  "   1234 root          >256      -         - plain\n");
}

TEST_LOOP(test_programs_get_no_number_that_is_not_all, 2)
{
	make_partial();
	expect(_i ? who_json : who_csv,
	       _i ? "{\"schema\":1,\"time\":\"1970-01-01T00:00:00.000000Z\",\"interval_s\":null,"
		    "\"missed\":0,\"nodes\":[1],\"left_out\":{\"refused\":0,\"late\":0,"
		    "\"unclear\":0},\"processes\":[{\"pid\":1234,\"user\":\"root\",\"command\":"
		    "\"plain\",\"used_MiB\":null,\"share_pct\":null,\"growth_MiB\":null,"
		    "\"total_MiB\":null,\"cpu_cxl_MBps\":null,\"sampled_per_s\":null,\"sampled_MBps\":null,\"nodes\":[{\"node\":1,\"used_MiB\":"
		    "null,\"share_pct\":null,\"growth_MiB\":null}],\"dax_mapped_MiB\":null,"
		    "\"dax\":[]}]}\n"
		  : HEADER "1970-01-01T00:00:00.000000Z,,0,process,1234,root,plain,,,,,,,,,,\n"
			   "1970-01-01T00:00:00.000000Z,,0,node,1234,root,plain,1,,,,,,,,,\n");
}

TEST(test_a_node_that_was_given_back_has_a_row)
{
	processes[0].memory = (struct process_memory){0, 512 * MIB};
	processes[0].growth = growth[0][0] = -2.0 * (double)MIB;
	scan.processes.count = 1;
	expect(who_csv, HEADER
	       "1970-01-01T00:00:00.000000Z,,0,process,1234,root,plain,,0.000,0,-2.000,512.000,"
	       "1234.560,,,,\n"
	       "1970-01-01T00:00:00.000000Z,,0,node,1234,root,plain,1,0.000,0,-2.000,,,,,,\n");
}

#define REGION_COLUMNS                                                                             \
	"cxl_region_MBps,cxl_region_remote_MBps,dram_region_MBps,dram_region_remote_MBps"

/* Makes a VM, or a user whose processes were not counted to the end. */
static void of_groups(enum row_by by, bool partial)
{
	static struct process_row group;

	group = (struct process_row){
		.key = by == BY_USER ? "1000" : "/a\033",
		.name = "web, \"x\"",
		.memory = {256 * MIB, 256 * MIB, partial, {256 * MIB}},
		.growth = NAN,
		.node_growth = growth[0],
		.reads.cxl = not_sampled,
	};
	scan.groups = (struct who_rows){&group, 1};
	scan.processes.count = 0;
	sheet.by = by;
}

TEST(test_table_of_groups_has_their_names_alone)
{
	of_groups(BY_VM, false);
	expect(who_table, "     node1  share    growth\n"
			  "       MiB      %       MiB VM\n"
			  "     256.0   50.0         - web, \"x\"\n");
}

TEST(test_csv_of_groups_has_their_paths)
{
	of_groups(BY_CGROUP, false);
	expect(who_csv, "time,interval_s,missed,scope,name,cgroup,node,used_MiB,share_pct,"
			"growth_MiB,total_MiB,sampled_per_s,sampled_MBps," REGION_COLUMNS "\n"
			"1970-01-01T00:00:00.000000Z,,0,cgroup,\"web, \"\"x\"\"\",/a?,,256.000,50,,"
			"512.000,,,,,,\n"
			"1970-01-01T00:00:00.000000Z,,0,node,\"web, \"\"x\"\"\",/a?,1,256.000,50,"
			"1.500,,,,,,,\n");
}

TEST(test_json_of_users_has_their_numbers)
{
	of_groups(BY_USER, true);
	expect(who_json,
	       "{\"schema\":1,\"time\":\"1970-01-01T00:00:00.000000Z\",\"interval_s\":null,"
	       "\"missed\":0,\"nodes\":[1],\"left_out\":{\"refused\":0,\"late\":0,\"unclear\":0},"
	       "\"users\":[{\"name\":\"web, \\\"x\\\"\",\"uid\":1000,\"used_MiB\":null,"
	       "\"share_pct\":null,\"growth_MiB\":null,\"total_MiB\":null,"
	       "\"sampled_per_s\":null,\"sampled_MBps\":null,\"nodes\":[{\"node\":1,"
	       "\"used_MiB\":null,\"share_pct\":null,\"growth_MiB\":1.500}],"
	       "\"dax_mapped_MiB\":null,\"dax\":[]}]}\n");
}

TEST(test_sampled_reads_are_a_rate_and_bytes)
{
	of_groups(BY_VM, false);
	sheet.sampled = true;
	scan.interval_s = 1;
	scan.groups.at[0].reads.cxl = (struct memory_reads){.per_s = 1e6, .MBps = 64};
	expect(who_csv,
	       "time,interval_s,missed,scope,name,cgroup,node,used_MiB,share_pct,"
	       "growth_MiB,total_MiB,sampled_per_s,sampled_MBps," REGION_COLUMNS "\n"
	       "1970-01-01T00:00:00.000000Z,1.000000,0,vm,\"web, \"\"x\"\"\",/a?,,256.000,50,,"
	       "512.000,1000000.000,64.000,,,,\n"
	       "1970-01-01T00:00:00.000000Z,1.000000,0,node,\"web, \"\"x\"\"\",/a?,1,256.000,50,"
	       "1.500,,,,,,,\n");
}

TEST(test_a_table_has_sampled_reads_as_estimates)
{
	of_groups(BY_VM, false);
	sheet.sampled = true;
	scan.interval_s = 1;
	scan.groups.at[0].reads.cxl = (struct memory_reads){.per_s = 1e6, .MBps = 64};
	expect(who_table, "     node1  share    growth  cxl read\n"
			  "       MiB      %       MiB      MB/s VM\n"
			  "     256.0   50.0         -     ~64.0 web, \"x\"\n");
}

TEST(test_sampled_faults_are_no_bytes)
{
	of_groups(BY_VM, false);
	sheet.sampled = sheet.no_loads = true;
	scan.interval_s = 1;
	scan.groups.at[0].reads.cxl.per_s = 1234;
	expect(who_table, "     node1  share    growth    faults\n"
			  "       MiB      %       MiB     per s VM\n"
			  "     256.0   50.0         -   ~1234.0 web, \"x\"\n");
}

/* Makes a group of resctrl on a machine that counts bytes by region. */
static void of_regions(void)
{
	of_groups(BY_RESCTRL, false);
	sheet.regions = true;
	scan.interval_s = 1;
	scan.groups.at[0].name = "a";
	scan.groups.at[0].counted.read_MBps = scan.groups.at[0].counted.stalled_pct = NAN;
	scan.groups.at[0].counted.region_MBps[REGION_CXL] = 100.25;
	scan.groups.at[0].counted.region_MBps[REGION_CXL_REMOTE] = 50;
	scan.groups.at[0].counted.region_MBps[REGION_DRAM] = 3000;
	scan.groups.at[0].counted.region_MBps[REGION_DRAM_REMOTE] = NAN;
}

#define REGIONS_HEADER                                                                             \
	"time,interval_s,missed,scope,name,node,used_MiB,share_pct,growth_MiB,total_MiB,"          \
	"cxl_read_MBps,dax,dax_mapped_MiB,l3_miss_stall_pct," REGION_COLUMNS "\n"

TEST(test_bytes_by_region_are_of_a_group_and_not_of_its_nodes)
{
	of_regions();
	expect(who_csv, REGIONS_HEADER
	       "1970-01-01T00:00:00.000000Z,1.000000,0,resctrl,a,,256.000,50,,512.000,,,,,"
	       "100.250,50.000,3000.000,\n"
	       "1970-01-01T00:00:00.000000Z,1.000000,0,node,a,1,256.000,50,1.500,,,,,,,,,\n");
}

TEST(test_where_no_region_is_counted_their_columns_are_empty)
{
	of_regions();
	sheet.regions = false;
	expect(who_csv, REGIONS_HEADER
	       "1970-01-01T00:00:00.000000Z,1.000000,0,resctrl,a,,256.000,50,,512.000,,,,,,,,\n"
	       "1970-01-01T00:00:00.000000Z,1.000000,0,node,a,1,256.000,50,1.500,,,,,,,,,\n");
}

/* Unknown remote traffic counts as none on a machine with one socket. */
TEST_LOOP(test_a_table_has_bytes_of_cxl_memory_and_of_dram, 2)
{
	of_regions();
	sheet.one_socket = _i;
	expect(who_table, _i ? "     node1  share    growth       cxl      dram\n"
			       "       MiB      %       MiB      MB/s      MB/s GROUP\n"
			       "     256.0   50.0         -     150.2    3000.0 a\n"
			     : "     node1  share    growth       cxl      dram\n"
			       "       MiB      %       MiB      MB/s      MB/s GROUP\n"
			       "     256.0   50.0         -     150.2         - a\n");
}
