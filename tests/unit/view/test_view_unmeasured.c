/* SPDX-License-Identifier: BSD-3-Clause */
/* Default metrics that cannot be measured, and the reasons. */
#include "view/view_unmeasured.h"

#include "sim_monitor.h"
#include "unit.h"

#define NO_EVENT "no event that counts it is published for this processor"

static struct sim_monitor m;

static const struct {
	const char *spec;
	bool perf;
	const char *groups, *sockets;
	enum scope finest;
	const char *told, *all;
} machines[] = {
	{"gnr,clock=virtual", .groups = METRIC_DEFAULTS, .told = "", .all = ""},
	{"gnr,sockets=2,clock=virtual", .groups = "all", .told = "", .all = ""},
	/* others of the group are measured */
	{"srf,clock=virtual", .groups = METRIC_DEFAULTS, .told = "",
	 .all = "ddr_local_read_latency_ns (" NO_EVENT ")"},
	{"spr,clock=virtual", .groups = "all", .told = "",
	 .all = "cxl_cache_d2h_MBps (its event is not known to count correctly on this processor)"},
	{"genoa,clock=virtual", .groups = METRIC_DEFAULTS,
	 .told = "cxl_mem_read_MBps, cxl_mem_write_MBps, cxl_cache_d2h_MBps, cxl_cache_h2d_MBps "
		 "(" NO_EVENT ")"},
	{"genoa,clock=virtual", .groups = "latency,dram", .told = "", .all = ""},
	{"genoa,clock=virtual", .groups = METRIC_DEFAULTS, .finest = SCOPE_SOCKET,
	 .told = "cxl_mem_read_MBps, cxl_mem_write_MBps, cxl_cache_d2h_MBps, cxl_cache_h2d_MBps "
		 "(" NO_EVENT ")"},
	{"turin,kernel=6.1,clock=virtual", .perf = true, .groups = METRIC_DEFAULTS,
	 .told = "dram_read_MBps, dram_write_MBps (the kernel shows no PMU of umc)",
	 .all = "cxl_cache_d2h_MBps, cxl_cache_h2d_MBps (" NO_EVENT
		"); dram_read_MBps, dram_write_MBps (the kernel shows no PMU of umc)"},
	{"turin,kernel=6.1,clock=virtual", .perf = true, .groups = METRIC_DEFAULTS, .sockets = "0",
	 .told = "dram_read_MBps, dram_write_MBps (the kernel shows no PMU of umc)",
	 .all = "cxl_cache_d2h_MBps, cxl_cache_h2d_MBps (" NO_EVENT
		"); dram_read_MBps, dram_write_MBps (the kernel shows no PMU of umc)"},
};

TEST_LOOP(test_columns_that_cannot_be_measured_are_listed_with_their_reason, COUNT_OF(machines))
{
	const struct view_options options = {.groups = machines[_i].groups,
					     .sockets = machines[_i].sockets,
					     .finest = machines[_i].finest ? machines[_i].finest
									   : SCOPE_PORT};
	const char *all = machines[_i].all ? machines[_i].all : machines[_i].told;
	char text[UNMEASURED_TEXT_SIZE];

	if (machines[_i].perf)
		sim_monitor_perf_machine(&m, machines[_i].spec);
	else
		sim_monitor_machine(&m, machines[_i].spec);
	ck_assert_msg(!sim_monitor_view(&m, &options), "%s", m.err.text);
	view_list_unmeasured(&m.view, false, text);
	ck_assert_str_eq(text, machines[_i].told);
	view_list_unmeasured(&m.view, true, text);
	ck_assert_str_eq(text, all);
}
