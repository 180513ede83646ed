/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/screen/top_save.h"

#include <math.h>

#include "unit.h"

#define MIB 1048576.0

/* Of a list without nodes: what is not known is empty. */
TEST(test_processes_as_csv)
{
	struct top_row rows[] = {
		{.pid = 7,
		 .name = "work, hard",
		 .user = "someone",
		 .cgroup = "/slice",
		 .cxl_MBps = 128,
		 .dram_MBps = 64.5,
		 .share_pct = 75,
		 .cxl_samples = 12,
		 .p50_ns = 296,
		 .p99_ns = NAN,
		 .cxl = 3 * MIB,
		 .dram = 2 * MIB,
		 .age_s = 1.5,
		 .bytes = {3 << 20, 2 << 20}},
		{.pid = 8,
		 .cxl_MBps = NAN,
		 .dram_MBps = NAN,
		 .share_pct = NAN,
		 .p50_ns = NAN,
		 .p99_ns = NAN,
		 .cxl = NAN,
		 .dram = NAN,
		 .age_s = NAN},
	};
	const struct top_list list = {.rows = rows,
				      .summary = {.row_count = 2,
						  .latencies_s = 10,
						  .nodes = {{1, true}, {0, false}},
						  .node_count = 2}};
	FILE *out = text_open();

	top_save(&list, out);
	ck_assert_str_eq(
		text_close(out),
		"time,pid,name,user,cgroup,cxl_read_MBps,dram_read_MBps,cxl_share_pct,cxl_samples,"
		"latencies_s,cxl_p50_ns,cxl_p99_ns,cxl_MiB,dram_MiB,at_least,age_s,node1_MiB,"
		"node0_MiB\n"
		"1970-01-01T00:00:00.000000Z,7,\"work, hard\",someone,/slice,128.000,64.500,75,12,"
		"10.000,296,,3.000,2.000,0,1.500,3.000,2.000\n"
		"1970-01-01T00:00:00.000000Z,8,,,,,,,0,10.000,,,,,0,,,\n");
}
