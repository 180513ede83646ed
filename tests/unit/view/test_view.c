/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/view.h"

#include "formula/custom_metric.h"
#include "sim_monitor.h"
#include "unit.h"

#define TRAFFIC "read=12,write=5,cache_d2h=0.5,cache_h2d=1,clock=virtual"

#define READ  "cxl_mem_read_MBps"
#define WRITE "cxl_mem_write_MBps"
#define D2H   "cxl_cache_d2h_MBps"
#define H2D   "cxl_cache_h2d_MBps"

#define FAR "cxl_far_read_latency_ns "
#define LATENCY                                                                                    \
	"cxl_read_latency_ns ddr_local_read_latency_ns ddr_remote_read_latency_ns "                \
	"cxl_read_latency_source " FAR
#define DRAM	"dram_read_MBps dram_write_MBps hbm_read_MBps hbm_write_MBps "
#define CXL	READ " " WRITE " " D2H " " H2D " cxl_mem_read_source "
#define QUEUE	"rx_mem_data_full_pct rx_mem_req_full_pct rx_mem_data_busy_pct rx_mem_req_busy_pct "
#define LINK	"crc_errors_per_s retries_per_s tx_flits_per_s rx_flits_per_s "
#define CLOCKS	"instructions_per_s cycles_per_s ipc frequency_MHz "
#define READS	"cxl_read_local_MBps cxl_read_remote_MBps " FILLS
#define FILLS	"cxl_fill_MBps "
#define CORE	CLOCKS READS
#define CPUS	CLOCKS "cpu " READS
#define BUT_CPU CXL LATENCY DRAM QUEUE LINK
#define DEVICE                                                                                     \
	"cpmu_read_MBps cpmu_write_MBps device_dram_read_MBps device_dram_write_MBps "             \
	"amplification queue_clocks queue_residency_per_s dram_retries_per_s "                     \
	"dram_throttling_per_s dram_thermal_throttled_pct dram_power_throttled_pct "
#define TIERING                                                                                    \
	"node_used_MiB node_free_MiB promoted_per_s demoted_per_s hinting_faults_per_s "           \
	"promote_candidates_per_s "
#define PORT                                                                                       \
	"link_width link_speed_GTps link_max_GBps link_read_pct link_write_pct "                   \
	"aer_correctable_per_s aer_nonfatal_per_s aer_fatal_per_s "
#define HEALTH "device_temperature_C life_used_pct health corrected_errors_per_s "
#define UPI    "upi_read_MBps upi_write_MBps upi_read_busy_pct upi_write_busy_pct "
#define STALL                                                                                      \
	"demand_stall_pct cache_stall_pct store_stall_pct prefetched_pct read_parallelism "        \
	"read_cost_cycles "
#define LOADS                                                                                      \
	"load_l1_pct load_lfb_pct load_l2_pct load_l3_pct load_dram_pct load_remote_pct "          \
	"load_cxl_pct "
#define PATH                                                                                              \
	LOADS "cxl_demand_pct cxl_demand_MBps cxl_l2_prefetch_pct cxl_l2_prefetch_MBps "                  \
	      "cxl_l2_prefetch_latency_ns cxl_l3_prefetch_pct cxl_l3_prefetch_MBps "                      \
	      "cxl_l3_prefetch_latency_ns cxl_ownership_pct cxl_ownership_MBps "                          \
	      "cxl_ownership_latency_ns cxl_code_pct cxl_code_MBps "                                      \
	      "load_l3_miss_pct fill_l2_pct fill_l3_pct fill_other_l3_pct fill_dram_pct fill_remote_pct " \
	      "fill_cxl_pct "
#define REGION	"cxl_region_MBps cxl_region_remote_MBps dram_region_MBps dram_region_remote_MBps "
#define RESCTRL "resctrl_group l3_miss_stall_pct "
#define ALL	BUT_CPU CORE DEVICE TIERING PORT HEALTH UPI STALL PATH REGION RESCTRL

static const struct {
	const char *groups;
	enum scope finest;
	const char *columns;
} column_choices[] = {
	{"cxl", SCOPE_PORT, CXL},
	{"latency", SCOPE_PORT, LATENCY},
	{"dram", SCOPE_PORT, DRAM},
	{"queue", SCOPE_PORT, QUEUE},
	{"link", SCOPE_PORT, LINK},
	{"core", SCOPE_PORT, CORE},
	{"core", SCOPE_SYSTEM, CORE},
	{"core", SCOPE_CPU, CPUS},
	{"stall", SCOPE_SOCKET, STALL},
	{"path", SCOPE_SOCKET, PATH},
	{"path", SCOPE_CPU, "cpu " PATH},
	{"dram,stall", SCOPE_CPU, DRAM "cpu " STALL},
	{"core,stall", SCOPE_CPU, CPUS STALL},
	{"dram", SCOPE_CPU, DRAM},
	{"cxl,cxl", SCOPE_PORT, CXL},
	{"all", SCOPE_PORT, ALL},
	{"all", SCOPE_CPU, BUT_CPU CPUS DEVICE TIERING PORT HEALTH UPI STALL PATH REGION RESCTRL},
	{"cxl,device", SCOPE_PORT, CXL DEVICE},
	{"tiering,cxl", SCOPE_PORT, TIERING CXL},
	{"all,cxl", SCOPE_PORT, ALL},
	{"cxl,latency,dram", SCOPE_PORT, CXL LATENCY DRAM},
	{"dram,latency,cxl", SCOPE_PORT, DRAM LATENCY CXL},
	{"link,queue,link", SCOPE_PORT, LINK QUEUE},
	{"core,dram", SCOPE_CPU, CPUS DRAM},
	{"dram,all", SCOPE_PORT,
	 DRAM CXL LATENCY QUEUE LINK CORE DEVICE TIERING PORT HEALTH UPI STALL PATH REGION RESCTRL},
};

static struct sim_monitor m;

TEST_LOOP(test_columns_are_those_of_the_groups_in_their_order, COUNT(column_choices))
{
	const struct view_options options = {.groups = column_choices[_i].groups,
					     .finest = column_choices[_i].finest};
	char names[2048] = "";

	sim_monitor_machine(&m, "spr," TRAFFIC);
	ck_assert_int_eq(sim_monitor_view(&m, &options), 0);
	for (size_t c = 0; c < m.view.table.column_count; c++) {
		strcat(names, m.view.table.columns[c].metric->name);
		strcat(names, " ");
	}
	ck_assert_str_eq(names, column_choices[_i].columns);
}

static const struct {
	const char *groups, *expected;
} no_groups[] = {
	{"what", "'what' is not a metric group"},
	{"", "'' is not a metric group"},
	{"cxl,what", "'what' is not a metric group"},
	{"all,what", "'what' is not a metric group"},
	{"cxl,", "'' is not a metric group"},
	{",cxl", "'' is not a metric group"},
	{"cx", "'cx' is not a metric group"},
	{"cxl ", "'cxl ' is not a metric group"},
	{"CXL", "'CXL' is not a metric group"},
	{"dram,cxl_mem_read_MBps",
	 "'cxl_mem_read_MBps' is not a metric group, but a metric of group cxl: expected -m cxl"},
	{"ipc,dram", "'ipc' is not a metric group, but a metric of group core"},
};

TEST_LOOP(test_list_with_a_name_that_is_not_a_group_is_refused, COUNT(no_groups))
{
	assert_refusal(view_check_groups(no_groups[_i].groups, &m.err), &m.err,
		       no_groups[_i].expected);
}

static const struct {
	struct view_options options;
	const char *expected;
} refusals[] = {
	{{.sockets = "2"}, "no socket is selected by --socket; known sockets: 0, 1"},
	{{.sockets = "2", .groups = "core"}, "no socket is selected by --socket"},
	{{.sockets = "2", .devices = "mem0"}, "no socket is selected by --socket"},
	{{.ports = "2,7-9"},
	 "none of the 4 CXL ports of this machine is selected by --socket and --port; known: "
	 "s0 p0-1, s1 p0-1"},
	{{.sockets = "0", .ports = "5"}, "none of the 4 CXL ports of this machine is selected"},
	{{.devices = "mem4"},
	 "no CXL port is selected by --device; known devices: mem0 (node 2), mem1 (node 3), "
	 "mem2 (node 4), mem3 (node 5)"},
	{{.devices = "mem"}, "no CXL port is selected by --device"},
	{{.devices = "/dev/cxl/mem7"}, "no CXL port is selected by --device; known devices: mem0"},
	{{.nodes = "0-1"}, "no CXL port is selected by --node; known devices: mem0"},
	{{.devices = "mem0", .nodes = "3"}, "no CXL port is selected by --device and --node"},
	{{.sockets = "1", .devices = "mem0"}, "selected by --socket and --port together with"},
};

TEST_LOOP(test_view_of_nothing_known_is_refused, COUNT(refusals))
{
	sim_monitor_machine(&m, "spr,sockets=2," TRAFFIC);
	assert_refusal(sim_monitor_view(&m, &refusals[_i].options), &m.err, refusals[_i].expected);
}

/* Names a row: "s0p1" for a port, "s0" for a socket, "all" for the system. */
static void name_row(FILE *out, const struct row *row)
{
	if (row->place.kind == ROW_PORT)
		fprintf(out, "s%dp%d ", row->place.socket, row->place.port);
	else if (row->place.kind == ROW_SOCKET)
		fprintf(out, "s%d ", row->place.socket);
	else
		fputs("all ", out);
}

static void assert_rows(const struct view *view, const char *expected)
{
	char names[128] = "";
	FILE *out = fmemopen(names, sizeof(names), "w");

	for (size_t r = 0; r < view->table.row_count; r++)
		name_row(out, &view->table.rows[r]);
	fclose(out);
	ck_assert_str_eq(names, expected);
}

static const struct {
	const char *spec;
	struct view_options options;
	const char *rows;
} row_choices[] = {
	{"spr", {.finest = SCOPE_PORT}, "s0p0 s0p1 s0 all "},
	{"spr", {.finest = SCOPE_SOCKET}, "s0 all "},
	{"spr", {.finest = SCOPE_SYSTEM}, "all "},
	{"gnr,ports=1", {0}, "s0p0 s0 all "},
	{"gnr,sockets=2", {0}, "s0p0 s0p1 s1p0 s1p1 s0 s1 all "},
	{"gnr,sockets=2", {.finest = SCOPE_SOCKET}, "s0 s1 all "},
	{"gnr,sockets=2", {.sockets = "1"}, "s1p0 s1p1 s1 all "},
	{"gnr,sockets=2", {.ports = "1"}, "s0p1 s1p1 s0 s1 all "},
	{"gnr,sockets=2", {.sockets = "0", .ports = "1"}, "s0p1 s0 all "},
	{"gnr,sockets=3", {.sockets = "0,2-9", .ports = "0"}, "s0p0 s2p0 s0 s2 all "},
	{"emr,ports=6", {.ports = "0-1,5"}, "s0p0 s0p1 s0p5 s0 all "},
	{"gnr,sockets=2", {.finest = SCOPE_SYSTEM, .sockets = "1"}, "all "},
	{"gnr,sockets=2", {.devices = "mem2"}, "s1p0 s1 all "},
	/* a device of a port without a row has none either */
	{"gnr", {.groups = "cxl,health", .ports = "1"}, "s0p1 s0 all "},
	{"gnr,sockets=2", {.devices = "mem3,mem0,mem9"}, "s0p0 s1p1 s0 s1 all "},
	{"gnr,sockets=2", {.nodes = "2-3"}, "s0p0 s0p1 s0 all "},
	{"gnr,sockets=2", {.nodes = "2-4", .ports = "0"}, "s0p0 s1p0 s0 s1 all "},
	{"gnr,sockets=2", {.nodes = "2-4", .devices = "mem1", .sockets = "0"}, "s0p1 s0 all "},
};

TEST_LOOP(test_rows_are_ports_then_sockets_then_the_system_as_selected, COUNT(row_choices))
{
	sim_monitor_machine(&m, row_choices[_i].spec);
	ck_assert_int_eq(sim_monitor_view(&m, &row_choices[_i].options), 0);
	assert_rows(&m.view, row_choices[_i].rows);
}

/* One page that cannot be mapped, and the results for two ports. */
static const struct {
	uint64_t phys;
	const char *rows, *warning;
} closed[] = {
	{SIM_CXLCM(0, 0), "s0p1 s0 all ", "socket 0 port 0 is left out"},
	{SIM_CXLCM(0, 1), "s0p0 s0 all ", "socket 0 port 1 is left out"},
	{SIM_CXLDP(0, 0), "s0p1 s0 all ", "socket 0 port 0 is left out"},
	{SIM_CXLDP(0, 1), "s0p0 s0 all ", "socket 0 port 1 is left out"},
};

TEST_LOOP(test_port_that_can_not_be_mapped_is_left_out_and_the_other_keeps_its_number,
	  COUNT(closed))
{
	sim_monitor_machine(&m, "spr," TRAFFIC);
	sim_set_memory_denied(m.sim, closed[_i].phys, SIM_PAGE);
	ck_assert_int_eq(sim_monitor_view(&m, &(struct view_options){0}), 0);
	assert_rows(&m.view, closed[_i].rows);
	ck_assert_uint_eq(m.warnings, 1);
	ck_assert_ptr_nonnull(strstr(m.warning, closed[_i].warning));
	ck_assert_ptr_nonnull(strstr(m.warning, "cannot be mapped"));
}

/* A port without a device, where another port has one. */
TEST_LOOP(test_unused_ports_that_can_not_be_mapped_have_one_message, 2)
{
	sim_monitor_machine(&m, "spr,ports=3,clock=virtual");
	sim_set_memory_denied(m.sim, SIM_CXLCM(0, 2 - _i), 2 * (unsigned)(1 + _i) * SIM_PAGE);
	m.machine.ports[1].device = m.machine.ports[2].device = NULL;
	ck_assert_int_eq(sim_monitor_view(&m, &(struct view_options){0}), 0);
	assert_rows(&m.view, _i ? "s0p0 s0 all " : "s0p0 s0p1 s0 all ");
	ck_assert_uint_eq(m.warnings, 1);
	assert_contains(m.warning, _i ? "2 ports are left out, as socket 0 port 1: "
				      : "socket 0 port 2 is left out: ");
}

TEST(test_machine_whose_ports_can_not_be_mapped_fails_with_their_error)
{
	sim_monitor_machine(&m, "spr," TRAFFIC);
	sim_set_memory_denied(m.sim, SIM_CXLCM(0, 0), 4 * SIM_PAGE);
	ck_assert_int_eq(sim_monitor_view(&m, &(struct view_options){0}), -EPERM);
	ck_assert_int_eq(m.err.kind, ERROR_PERMISSION);
	ck_assert_ptr_nonnull(strstr(m.err.text, "cannot be mapped"));
}

static const struct {
	const char *spec;
	struct view_options options;
	size_t rows; /* 0: refused */
} without_ports[] = {
	{"genoa," TRAFFIC, {.groups = "cxl"}, 0},
	{"genoa," TRAFFIC, {.groups = "cxl,tiering"}, 3 + 1},
	{"genoa,bmec=1," TRAFFIC, {.groups = "cxl", .resctrl = true}, 1 + 1},
};

/* Rows of nodes' memory, and of reads by L3 caches. */
TEST_LOOP(test_without_ports_there_are_rows_of_what_else_is_known, COUNT(without_ports))
{
	sim_monitor_machine(&m, without_ports[_i].spec);
	const int rc = sim_monitor_view(&m, &without_ports[_i].options);

	if (without_ports[_i].rows) {
		ck_assert_msg(!rc, "%s", m.err.text);
		ck_assert_uint_eq(m.view.table.row_count, without_ports[_i].rows);
	} else {
		ck_assert_int_eq(m.err.kind, ERROR_NO_UNIT);
		assert_contains(m.err.text, "no event is published that counts CXL bandwidth");
	}
}

TEST(test_port_that_is_not_selected_is_not_opened)
{
	sim_monitor_machine(&m, "spr," TRAFFIC);
	sim_set_memory_denied(m.sim, SIM_CXLCM(0, 0), 2 * SIM_PAGE);
	ck_assert_int_eq(sim_monitor_view(&m, &(struct view_options){.ports = "1"}), 0);
	ck_assert_uint_eq(m.warnings, 0);
}

static const struct {
	const char *spec, *source;
	bool d2h;
} models[] = {
	{"spr," TRAFFIC, "m2s_req", false},
	{"emr," TRAFFIC, "m2s_req", false},
	{"gnr," TRAFFIC, "rxc", true},
	{"srf," TRAFFIC, "rxc", true},
};

static void start(const char *spec)
{
	sim_monitor_start(&m, .spec = spec, .start_ns = 1);
}

TEST_LOOP(test_bandwidth_is_that_of_the_traffic_and_has_its_source, COUNT(models))
{
	start(models[_i].spec);
	for (size_t r = 0; r < m.view.table.row_count; r++)
		ck_assert_str_eq(m.view.table.rows[r].values[4].text, models[_i].source);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		for (int port = 0; port < 2; port++) {
			ck_assert_double_eq(sim_monitor_value(&m, 0, port, READ), 12000);
			ck_assert_double_eq(sim_monitor_value(&m, 0, port, WRITE), 5000);
			ck_assert_double_eq(sim_monitor_value(&m, 0, port, H2D), 1000);
			if (models[_i].d2h)
				ck_assert_double_eq(sim_monitor_value(&m, 0, port, D2H), 500);
			else
				ck_assert_double_nan(sim_monitor_value(&m, 0, port, D2H));
		}
	}
}

/* Checks that a row's measurable values are the sums of the listed rows. */
static void assert_sum(int socket, const int (*of)[2], size_t count)
{
	static const char *const metrics[] = {READ, WRITE, D2H, H2D};

	for (int i = 0; i < COUNT(metrics); i++) {
		double sum = 0;

		for (size_t k = 0; k < count; k++)
			sum += sim_monitor_value(&m, of[k][0], of[k][1], metrics[i]);
		ck_assert_double_gt(sum, 0);
		ck_assert_double_eq(sim_monitor_value(&m, socket, -1, metrics[i]), sum);
	}
}

TEST(test_socket_and_system_rows_are_sums_of_their_ports)
{
	start("gnr,sockets=2,ports=2," TRAFFIC);
	sim_monitor_sample(&m);
	assert_sum(0, (const int[][2]){{0, 0}, {0, 1}}, 2);
	assert_sum(1, (const int[][2]){{1, 0}, {1, 1}}, 2);
	assert_sum(-1, (const int[][2]){{0, 0}, {0, 1}, {1, 0}, {1, 1}}, 4);
	assert_sum(-1, (const int[][2]){{0, -1}, {1, -1}}, 2);
}

TEST(test_row_of_a_selection_is_the_sum_of_what_is_selected)
{
	sim_monitor_start(&m, .spec = "gnr,sockets=2,ports=3," TRAFFIC, .view = {.ports = "0,2"});
	sim_monitor_sample(&m);
	ck_assert_double_eq(sim_monitor_value(&m, 1, -1, READ), 24000);
	ck_assert_double_eq(sim_monitor_value(&m, -1, -1, READ), 48000);
}

TEST(test_lost_unit_leaves_the_rows_it_belongs_to_unknown)
{
	start("gnr,sockets=2," TRAFFIC);
	ck_assert_int_eq(sim_set_unit_dead(m.sim, 0, PMU_CXLCM, 2, true), 0);
	sim_monitor_sample(&m);
	ck_assert_double_nan(sim_monitor_value(&m, 0, 0, READ));
	ck_assert_double_nan(sim_monitor_value(&m, 0, -1, READ));
	ck_assert_double_nan(sim_monitor_value(&m, -1, -1, READ));
	ck_assert_double_eq(sim_monitor_value(&m, 0, 1, READ), 12000);
	ck_assert_double_eq(sim_monitor_value(&m, 1, -1, READ), 24000);
	/* writes are counted by the CXLDP, which responds */
	ck_assert_double_eq(sim_monitor_value(&m, 0, 0, WRITE), 5000);
	ck_assert_double_eq(sim_monitor_value(&m, -1, -1, WRITE), 20000);
}

TEST(test_rate_of_a_unit_that_is_back_covers_both_intervals)
{
	start("gnr," TRAFFIC);
	ck_assert_int_eq(sim_set_unit_dead(m.sim, 0, PMU_CXLCM, 2, true), 0);
	sim_monitor_sample(&m);
	ck_assert_int_eq(sim_set_unit_dead(m.sim, 0, PMU_CXLCM, 2, false), 0);
	sim_monitor_sample(&m);
	ck_assert_double_eq(sim_monitor_value(&m, 0, 0, READ), 12000);
	ck_assert_double_eq(sim_monitor_value(&m, 0, -1, READ), 24000);
	ck_assert_double_eq(sim_monitor_row(&m, 0, 0)->interval_s, 1);
}

TEST(test_interval_of_a_row_is_the_time_that_was_counted)
{
	sim_monitor_start(&m, .spec = "gnr,ports=1," TRAFFIC, .interval_ns = SECOND / 2,
			  .access_ns = 1000);
	sim_monitor_sample(&m);
	sim_monitor_sample(&m);
	for (size_t r = 0; r < m.view.table.row_count; r++) {
		/* the CXLCM is frozen for three readings and the write that ends them */
		ck_assert_double_eq(m.view.table.rows[r].interval_s, 0.5 - 4e-6);
		ck_assert_double_eq(m.view.table.rows[r].counted_pct, 100);
	}
}

TEST(test_row_of_which_nothing_was_counted_has_no_interval)
{
	start("gnr," TRAFFIC);
	ck_assert_int_eq(sim_set_unit_dead(m.sim, 0, PMU_CXLCM, 4, true), 0);
	ck_assert_int_eq(sim_set_unit_dead(m.sim, 0, PMU_CXLDP, 5, true), 0);
	sim_monitor_sample(&m);
	ck_assert_double_nan(sim_monitor_row(&m, 0, 1)->interval_s);
	ck_assert_double_nan(sim_monitor_value(&m, 0, 1, WRITE));
	ck_assert_double_eq(sim_monitor_row(&m, 0, 0)->interval_s, 1);
}

TEST(test_rows_of_ports_name_the_device_and_no_others_do)
{
	static const struct {
		const char *pci, *memdev;
		int node;
	} expected[] = {{"0000:1f:00.0", "mem0", 1},
			{"0000:20:00.0", "mem1", 2},
			{"", "", -1},
			{"", "", -1}};

	start("gnr,ports=2," TRAFFIC);
	ck_assert_uint_eq(m.view.table.row_count, COUNT(expected));
	for (size_t r = 0; r < m.view.table.row_count; r++) {
		ck_assert_str_eq(m.view.table.rows[r].place.pci, expected[r].pci);
		ck_assert_str_eq(m.view.table.rows[r].place.memdev, expected[r].memdev);
		ck_assert_int_eq(m.view.table.rows[r].place.node, expected[r].node);
	}
}

TEST(test_a_single_port_is_no_range_in_the_message)
{
	sim_monitor_machine(&m, "gnr,ports=1," TRAFFIC);
	assert_refusal(sim_monitor_view(&m, &(struct view_options){.ports = "1"}), &m.err,
		       "known: s0 p0");
}

TEST(test_unknown_devices_can_not_be_selected)
{
	sim_monitor_machine(&m, "gnr," TRAFFIC);
	m.machine.ports[0].device = NULL;
	m.machine.ports[1].device = NULL;
	assert_refusal(sim_monitor_view(&m, &(struct view_options){.devices = "mem0"}), &m.err,
		       "no CXL port is selected by --device; no device is known behind any port");
}

TEST(test_a_value_says_for_how_long_its_own_units_have_counted)
{
	start("gnr,ports=1," TRAFFIC);
	sim_set_unit_dead(m.sim, 0, PMU_CXLDP, 3, true);
	sim_monitor_sample(&m);
	ck_assert_double_nan(sim_monitor_cell(&m, sim_monitor_row(&m, 0, 0), WRITE)->seconds);
	ck_assert_double_eq(sim_monitor_cell(&m, sim_monitor_row(&m, 0, 0), READ)->seconds, 1);
	sim_set_unit_dead(m.sim, 0, PMU_CXLDP, 3, false);
	sim_monitor_sample(&m);
	ck_assert_double_eq(sim_monitor_cell(&m, sim_monitor_row(&m, 0, 0), WRITE)->seconds, 2);
	ck_assert_double_eq(sim_monitor_cell(&m, sim_monitor_row(&m, 0, 0), READ)->seconds, 1);
	ck_assert_double_eq(sim_monitor_row(&m, 0, 0)->interval_s, 1);
}

/* The port that could not be read has counted for two seconds, the other for one. */
TEST(test_a_sum_covers_what_each_of_its_units_has_counted)
{
	start("gnr,ports=2," TRAFFIC);
	sim_set_unit_dead(m.sim, 0, PMU_CXLDP, 3, true);
	sim_monitor_sample(&m);
	sim_set_unit_dead(m.sim, 0, PMU_CXLDP, 3, false);
	sim_monitor_sample(&m);
	const struct value *sum = sim_monitor_cell(&m, sim_monitor_row(&m, 0, -1), WRITE);
	ck_assert_double_eq(sum->number, 2 * 5000);
	ck_assert_double_eq(sum->seconds, 1.5);
	ck_assert_double_eq(sim_monitor_cell(&m, sim_monitor_row(&m, 0, -1), READ)->seconds, 1);
	sim_monitor_sample(&m);
	ck_assert_double_eq(sum->seconds, 1);
}

/* One line in the two seconds of one port, and none in the one second of the other. */
TEST(test_a_sum_of_few_events_covers_what_was_counted_too)
{
	start("gnr,ports=2," TRAFFIC);
	sim_set_unit_dead(m.sim, 0, PMU_CXLDP, 3, true);
	sim_monitor_sample(&m);
	sim_set_unit_dead(m.sim, 0, PMU_CXLDP, 3, false);
	sim_monitor_sample(&m);
	for (size_t i = 0; i < m.plan.counter_count; i++)
		if (m.plan.units[m.plan.counters[i].unit].unit->type == PMU_CXLDP)
			m.sample.counts[i].events = m.sample.counts[i].time_running > SECOND;
	view_update(&m.view, &m.sample);
	const struct value *sum = sim_monitor_cell(&m, sim_monitor_row(&m, 0, -1), WRITE);
	ck_assert_double_eq(sum->number, 64 / 2 / 1e6);
	ck_assert_double_eq(sum->seconds, 2);
}

static const struct {
	const char *spec, *groups, *never;
} columns_never_known[] = {
	{"gnr,sockets=2", "cxl,latency", FAR},
	{"gnr,sockets=1", "cxl,latency", "ddr_remote_read_latency_ns " FAR},
	{"spr,sockets=2", "cxl,latency,dram", D2H " " FAR},
	{"spr,sockets=1", "core", READS},
	{"gnr,sockets=1", "core", "cxl_read_remote_MBps " FILLS},
	{"srf", "latency", "ddr_local_read_latency_ns ddr_remote_read_latency_ns " FAR},
	{"gnr", "cxl,queue,link", QUEUE LINK},
	{"turin", "core,stall", "cxl_read_local_MBps cxl_read_remote_MBps " STALL},
	{"srf", "stall", "prefetched_pct read_parallelism read_cost_cycles "},
	{"cwf", "stall",
	 "demand_stall_pct store_stall_pct prefetched_pct read_parallelism read_cost_cycles "},
	{"emr", "stall", ""},
};

TEST_LOOP(test_columns_that_nothing_can_fill_have_no_heading, COUNT(columns_never_known))
{
	char never[512] = "";

	sim_monitor_machine(&m, columns_never_known[_i].spec);
	ck_assert_int_eq(
		sim_monitor_view(&m,
				 &(struct view_options){.groups = columns_never_known[_i].groups}),
		0);
	for (size_t c = 0; c < m.view.table.column_count; c++) {
		if (!m.view.table.columns[c].metric->heading || table_heading(&m.view.table, c))
			continue;
		strcat(never, m.view.table.columns[c].metric->name);
		strcat(never, " ");
	}
	ck_assert_str_eq(never, columns_never_known[_i].never);
}

TEST(test_rows_do_not_guess_the_device_behind_a_port)
{
	sim_monitor_machine(&m, "gnr," TRAFFIC);
	m.machine.ports[0].device = NULL;
	ck_assert_int_eq(sim_monitor_view(&m, &(struct view_options){0}), 0);
	ck_assert_str_eq(m.view.table.rows[0].place.memdev, "");
	ck_assert_int_eq(m.view.table.rows[0].place.node, -1);
	ck_assert_str_eq(m.view.table.rows[1].place.memdev, "mem1");
}

/* Removes the uncore, as without permission for discovery, or without a table. */
static void take_uncore_away(void)
{
	discovery_free(&m.machine.discovery);
	m.machine.port_count = 0;
	error_set(&m.machine.uncore_error, ERROR_PERMISSION, -EPERM, "the reason");
}

/* Diamond Rapids, which has units, and no formula. */

static const char *const groups_without_formula[] = {"cxl", "cxl,latency,dram", "link",
						     "queue,dram"};

TEST_LOOP(test_without_an_event_list_metrics_are_refused_and_raw_events_named,
	  COUNT(groups_without_formula))
{
	const struct view_options options = {.groups = groups_without_formula[_i]};

	sim_monitor_machine(&m, "dmr,clock=virtual");
	ck_assert_int_eq(sim_monitor_view(&m, &options), -ENOTSUP);
	ck_assert_int_eq(m.err.kind, ERROR_NO_UNIT);
	ck_assert_ptr_nonnull(strstr(m.err.text, "Diamond Rapids: no event list is published"));
	ck_assert_ptr_nonnull(strstr(m.err.text, "-e cxlcm/event=N,umask=N,port_en=N/"));
}

static const char *const groups_of_cores[] = {"core", "core,cxl", "all"};

TEST_LOOP(test_without_an_event_list_metrics_of_cores_have_values, COUNT(groups_of_cores))
{
	const struct view_options options = {.groups = groups_of_cores[_i]};

	sim_monitor_machine(&m, "dmr,clock=virtual");
	ck_assert_msg(!sim_monitor_view(&m, &options), "%s", m.err.text);
}

TEST(test_without_an_uncore_cpus_are_shown)
{
	const struct view_options options = {.groups = "core", .finest = SCOPE_CPU};

	sim_monitor_machine(&m, "spr,sockets=2,cpus=4," TRAFFIC);
	take_uncore_away();
	ck_assert_msg(!sim_monitor_view(&m, &options), "%s", m.err.text);
	ck_assert_uint_eq(m.view.table.row_count, 8 + 2 + 1);
	ck_assert_uint_gt(m.view.request_count, 0);
}

static struct custom_metrics own;
static struct event_catalogue catalogue;

static void free_own(void *unused)
{
	(void)unused;
	sim_monitor_close(&m);
	custom_metrics_free(&own);
	catalogue_free(&catalogue);
}

/* Makes a view with a user-defined metric, until the end of the test. */
static void view_own(const char *text, struct view_options options)
{
	at_end(free_own, NULL);
	catalogue_init(&catalogue, m.machine.model);
	ck_assert_int_eq(
		custom_metrics_add(&own, &(struct custom_context){&catalogue}, text, &m.err), 0);
	options.custom = &own;
	ck_assert_msg(!view_make(&m.machine, &options, &m.view, &m.err), "%s", m.err.text);
}

/* A user-defined metric of cores stays one even if it is restricted to some rows. */
TEST(test_without_an_uncore_an_own_metric_of_cores_has_its_sums)
{
	sim_monitor_machine(&m, "spr,sockets=2,cpus=4," TRAFFIC);
	take_uncore_away();
	view_own("x = instructions; scope=system", (struct view_options){.finest = SCOPE_PORT});
	ck_assert_uint_eq(m.view.table.row_count, 1);
	ck_assert_int_eq(m.view.table.rows[0].place.kind, ROW_SYSTEM);
}

/* On its own CHAs, the metric would be known only in the seconds in which its CHA counts it. */
TEST(test_latencies_are_multiplexed_with_an_own_metric_of_chas)
{
	const struct view_options options = {.groups = "latency", .finest = SCOPE_SYSTEM};

	sim_monitor_machine(&m, "spr,ports=1,chas=16," TRAFFIC);
	ck_assert_msg(!sim_monitor_view(&m, &options), "%s", m.err.text);
	ck_assert_uint_eq(m.notes, 0);
	view_free(&m.view);
	view_own("x = UNC_CHA_TOR_INSERTS.IA_MISS_DRD_CXL_ACC", options);
	ck_assert_uint_eq(m.notes, 1);
	ck_assert_str_eq(m.note, "latencies are multiplexed with other events of CHAs");
}

/* The second socket has no ports. */
TEST(test_an_own_metric_of_ports_is_that_of_sockets_with_such_ports)
{
	sim_monitor_machine(&m, "turin,sockets=2,ports=2," TRAFFIC);
	m.machine.port_count = 2;
	view_own("x = by_port(cxl_port_read_data_beats_0, cxl_port_read_data_beats_1) + cycles",
		 (struct view_options){.finest = SCOPE_SOCKET});
	ck_assert_uint_eq(m.view.table.row_count, 3);
	for (size_t r = 0; r < 3; r++)
		ck_assert_int_eq(view_alternative(&m.view, r, 0, 0) != NULL, r != 1);
}

static const char *const with_uncore[] = {"cxl",  "latency", "dram",	 "queue",
					  "link", "all",     "core,dram"};

TEST_LOOP(test_without_an_uncore_anything_else_fails_with_the_reason, COUNT(with_uncore))
{
	sim_monitor_machine(&m, "spr," TRAFFIC);
	take_uncore_away();
	ck_assert_int_eq(sim_monitor_view(&m, &(struct view_options){.groups = with_uncore[_i]}),
			 -EPERM);
	ck_assert_int_eq(m.err.kind, ERROR_PERMISSION);
	ck_assert_str_eq(m.err.text, "the reason");
}

TEST(test_without_an_uncore_only_events_of_cpus_are_counted)
{
	struct event_choice choice = {.group = 0};
	struct view_options options = {.events = &choice, .event_count = 1};

	sim_monitor_machine(&m, "spr,cpus=4," TRAFFIC);
	take_uncore_away();
	choice.event = model_event(m.machine.model, "UNC_CXLCM_CLOCKTICKS");
	ck_assert_int_eq(sim_monitor_view(&m, &options), -EPERM);
	ck_assert_str_eq(m.err.text, "the reason");
	view_free(&m.view);
	choice.event = model_event(m.machine.model, "instructions");
	ck_assert_msg(!sim_monitor_view(&m, &options), "%s", m.err.text);
	ck_assert_uint_eq(m.view.table.row_count, 4);
}
