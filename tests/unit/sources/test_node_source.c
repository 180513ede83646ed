/* SPDX-License-Identifier: BSD-3-Clause */
/* The kernel's statistics of NUMA nodes: rates and sums of readings, and rows of a view. */
#include "sources/sources.h"

#include <math.h>

#include "base/number.h"
#include "platform/clock.h"
#include "platform/cxl.h"
#include "platform/kernel_stats.h"
#include "platform/memory.h"
#include "sim_monitor.h"
#include "table/spell.h"
#include "unit.h"
#include "view/view.h"

#define U     NAN
#define MIB   (UINT64_C(1) << 20)
#define NODES 2

/* A kernel whose statistics a test sets. */
static struct kernel {
	struct platform base;
	struct kernel_stats nodes[NODES], machine;
	int failure[NODES]; /* error of reading it; 0: none */
} kernel;

static struct sources t;
static struct marks marks;

static int list_nodes(struct platform *p, int **nodes, size_t *count, struct error *err)
{
	(void)p;
	(void)err;
	*count = NODES;
	*nodes = calloc(NODES, sizeof(**nodes));
	ck_assert_ptr_nonnull(*nodes);
	(*nodes)[1] = 3;
	return 0;
}

static int read_node(struct platform *p, int node, uint64_t wall_ns, struct kernel_stats *out)
{
	const unsigned i = node == 3;

	(void)p;
	(void)wall_ns;
	*out = node == NODE_MACHINE ? kernel.machine : kernel.nodes[i];
	if (node == NODE_MACHINE || !kernel.failure[i])
		return 0;
	*out = kernel_stats_unknown(0);
	return kernel.failure[i];
}

static uint64_t wall(struct platform *p)
{
	(void)p;
	return 1;
}

static const struct clock_ops kernel_clock = {.wall = wall};
static const struct memory_ops kernel_memory = {.nodes = list_nodes, .stats = read_node};
static const struct platform_ops ops = {
	.clock = &kernel_clock, .cxl = &(const struct cxl_ops){0}, .memory = &kernel_memory};

/* Sets up both nodes, shown, before anything was counted. */
static void set_up(void)
{
	struct error err;

	kernel = (struct kernel){.base.ops = &ops, .machine = kernel_stats_unknown(0)};
	kernel.machine.values[NODE_HINTING_FAULTS] = 0;
	t = (struct sources){.sample_ns = 0};
	ck_assert_int_eq(node_source_open(&t.nodes, &kernel.base, &err), 0);
	ck_assert_uint_eq(t.nodes.count, NODES);
	t.nodes.nodes[0].shown = t.nodes.nodes[1].shown = true;
}

static void tear_down(void)
{
	sources_close(&t);
}

/* Makes the next reading of all nodes, that many ms after the machine began. */
static void read_at(uint64_t ms)
{
	for (unsigned i = 0; i < NODES; i++)
		kernel.nodes[i].at_ns = ms * 1000000;
	kernel.machine.at_ns = ms * 1000000;
	sources_update(&t, &(struct sample){.wall_ns = 1}, &marks);
}

/*
 * Sets the inputs of a cell in the row of a node, or of the system. Returns the seconds that they
 * cover.
 */
static double inputs_of(int node, const char *metric, struct inputs *out)
{
	const struct place place = {.kind = node == NODE_MACHINE ? ROW_SYSTEM : ROW_NODE};
	const struct source_cell cell = {.place = &place, .subject = node == 3};

	return t.nodes.base.kind->inputs(&t.nodes.base, &cell, metric_by_name(metric), out);
}

static double interval_s(int node)
{
	struct input_value item;
	struct inputs inputs = {.items = &item};

	return inputs_of(node, "node_used_MiB", &inputs);
}

/* Returns a cell, without its inputs. */
static struct value cell(int node, const char *metric)
{
	const struct metric *m = metric_by_name(metric);
	struct input_value item;
	struct inputs inputs = {.items = &item};
	struct value value;

	inputs_of(node, metric, &inputs);
	ck_assert(!inputs.formula || inputs.formula->is_level == !m->family.counter);
	value_compute(&inputs, m->family.counter, &value);
	value.inputs = NULL;
	return value;
}

static void assert_number(int node, const char *metric, double expected)
{
	const struct value value = cell(node, metric);

	if (isnan(expected)) {
		ck_assert_double_nan(value.number);
		ck_assert_double_nan(value.seconds);
	} else {
		ck_assert_double_eq(value.number, expected);
	}
	ck_assert_str_eq(value.text, "");
}

FIXTURE(set_up, tear_down)

TEST(test_a_rate_is_of_the_time_between_the_readings_themselves)
{
	kernel.nodes[0].values[NODE_PROMOTED] = 1000;
	kernel.nodes[0].values[NODE_DEMOTED] = 500;
	kernel.nodes[1].values[NODE_DEMOTED] = 250;
	kernel.machine.values[NODE_HINTING_FAULTS] = 8000;
	read_at(500);
	assert_number(0, "promoted_per_s", 2000);
	assert_number(0, "demoted_per_s", 1000);
	assert_number(3, "promoted_per_s", 0);
	assert_number(3, "demoted_per_s", 500);
	assert_number(NODE_MACHINE, "promoted_per_s", 2000);
	assert_number(NODE_MACHINE, "demoted_per_s", 1500);
	assert_number(NODE_MACHINE, "hinting_faults_per_s", 16000);
	assert_number(0, "hinting_faults_per_s", NAN);
	ck_assert_double_eq(cell(0, "promoted_per_s").seconds, 0.5);
	ck_assert_double_eq(interval_s(0), 0.5);
	ck_assert_double_eq(interval_s(NODE_MACHINE), 0.5);
	kernel.nodes[0].values[NODE_PROMOTED] = 1001;
	read_at(4500);
	assert_number(0, "promoted_per_s", 0.25);
	assert_number(0, "demoted_per_s", 0);
}

TEST(test_memory_is_that_of_the_latest_reading_and_its_sum)
{
	kernel.nodes[0].values[NODE_USED] = 3 * MIB + MIB / 2;
	kernel.nodes[0].values[NODE_FREE] = 5 * MIB;
	kernel.nodes[1].values[NODE_USED] = 0;
	kernel.nodes[1].values[NODE_FREE] = 7 * MIB;
	read_at(2000);
	assert_number(0, "node_used_MiB", 3.5);
	assert_number(3, "node_used_MiB", 0);
	assert_number(NODE_MACHINE, "node_used_MiB", 3.5);
	assert_number(NODE_MACHINE, "node_free_MiB", 12);
	ck_assert_double_eq(cell(0, "node_used_MiB").seconds, 2);
}

TEST(test_what_is_unknown_is_unknown_in_the_sum_too)
{
	kernel.nodes[1].values[NODE_USED] = U;
	kernel.nodes[1].values[NODE_PROMOTED] = U;
	read_at(1000);
	assert_number(0, "node_used_MiB", 0);
	assert_number(3, "node_used_MiB", NAN);
	assert_number(NODE_MACHINE, "node_used_MiB", NAN);
	assert_number(NODE_MACHINE, "promoted_per_s", NAN);
	assert_number(NODE_MACHINE, "demoted_per_s", 0);
}

TEST(test_a_counter_that_goes_backwards_is_unknown_once)
{
	kernel.nodes[0].values[NODE_PROMOTED] = 100;
	read_at(1000);
	assert_number(0, "promoted_per_s", 100);
	kernel.nodes[0].values[NODE_PROMOTED] = 40; /* the node was taken off, and put back */
	read_at(2000);
	assert_number(0, "promoted_per_s", NAN);
	assert_number(NODE_MACHINE, "promoted_per_s", NAN);
	kernel.nodes[0].values[NODE_PROMOTED] = 45;
	read_at(3000);
	assert_number(0, "promoted_per_s", 5);
}

TEST(test_after_a_failed_reading_the_next_has_its_counts)
{
	kernel.nodes[0].values[NODE_DEMOTED] = 100;
	kernel.failure[0] = -ENODATA;
	read_at(1000);
	assert_number(0, "demoted_per_s", NAN);
	assert_number(0, "node_used_MiB", NAN);
	ck_assert_double_nan(interval_s(0));
	ck_assert_double_eq(interval_s(NODE_MACHINE), 1);
	kernel.failure[0] = 0;
	read_at(4000);
	assert_number(0, "demoted_per_s", 25);
	ck_assert_double_eq(cell(0, "demoted_per_s").seconds, 4);
	/* the other node was read every second */
	ck_assert_double_eq(cell(3, "demoted_per_s").seconds, 3);
}

TEST(test_two_readings_at_one_time_have_no_rate)
{
	kernel.nodes[0].values[NODE_PROMOTED] = 1;
	read_at(0);
	assert_number(0, "promoted_per_s", NAN);
	assert_number(NODE_MACHINE, "hinting_faults_per_s", NAN);
}

TEST(test_an_older_kernel_counts_demotions_of_the_machine_alone)
{
	kernel.machine.values[NODE_DEMOTED] = 0;
	for (unsigned i = 0; i < NODES; i++)
		kernel.nodes[i].values[NODE_DEMOTED] = U;
	read_at(1000);
	kernel.machine.values[NODE_DEMOTED] = 60;
	read_at(2000);
	assert_number(0, "demoted_per_s", NAN);
	assert_number(NODE_MACHINE, "demoted_per_s", 60);
	ck_assert(sources_can_know(&t, metric_by_name("demoted_per_s")));
	/* a number of the machine is not the sum of the selected nodes */
	t.nodes.nodes[1].shown = false;
	kernel.machine.values[NODE_HINTING_FAULTS] = 9;
	read_at(3000);
	assert_number(NODE_MACHINE, "demoted_per_s", NAN);
	assert_number(NODE_MACHINE, "hinting_faults_per_s", 9);
}

TEST(test_a_node_without_a_row_is_in_no_sum)
{
	t.nodes.nodes[1].shown = false;
	kernel.nodes[0].values[NODE_PROMOTED] = 3;
	kernel.nodes[1].values[NODE_PROMOTED] = 5;
	kernel.machine.values[NODE_PROMOTED] = 8;
	read_at(1000);
	assert_number(NODE_MACHINE, "promoted_per_s", 3);
}

/* Tests on a simulated machine. */

#define SPEC "spr,sockets=2,clock=virtual,promote=1000,demote=300,hint=5000"

static struct sim_monitor m;

static void open_view(const char *spec, const struct view_options *options)
{
	sim_monitor_machine(&m, spec);
	sim_monitor_view(&m, options);
}

static void start(const char *spec, const char *groups, enum scope finest)
{
	sim_monitor_start(&m, .spec = spec, .view = {.groups = groups, .finest = finest});
	sim_monitor_sample(&m);
}

static double value(size_t row, const char *metric)
{
	return sim_monitor_cell(&m, &m.view.table.rows[row], metric)->number;
}

FIXTURE(NULL, NULL)

TEST(test_every_node_has_a_row_with_exact_rates)
{
	static const struct {
		int socket, node;
		const char *memdev, *pci;
		double promoted, demoted;
	} rows[] = {
		{0, 0, "", "", 2000, 600},
		{1, 1, "", "", 2000, 600},
		{0, 2, "mem0", "0000:1f:00.0", 0, 0},
		{0, 3, "mem1", "0000:20:00.0", 0, 0},
		{1, 4, "mem2", "0000:3f:00.0", 0, 0},
		{1, 5, "mem3", "0000:40:00.0", 0, 0},
	};

	start(SPEC, "tiering", SCOPE_PORT);
	ck_assert_uint_eq(m.view.table.row_count, COUNT_OF(rows) + 1);
	ck_assert_uint_eq(m.view.request_count, 0);
	for (size_t r = 0; r < COUNT_OF(rows); r++) {
		const struct row *row = &m.view.table.rows[r];

		ck_assert_str_eq(row_scope_name(row), "node");
		ck_assert_int_eq(row->place.kind, ROW_NODE);
		ck_assert_int_eq(row->place.socket, rows[r].socket);
		ck_assert_int_eq(row->place.node, rows[r].node);
		ck_assert_str_eq(row->place.memdev, rows[r].memdev);
		ck_assert_str_eq(row->place.pci, rows[r].pci);
		ck_assert_int_eq(row->place.port, -1);
		ck_assert_double_eq(row->interval_s, 1);
		ck_assert_double_eq(row->counted_pct, 100);
		ck_assert_double_eq(value(r, "promoted_per_s"), rows[r].promoted);
		ck_assert_double_eq(value(r, "demoted_per_s"), rows[r].demoted);
		ck_assert_double_nan(value(r, "hinting_faults_per_s"));
	}
	ck_assert_double_eq(value(COUNT_OF(rows), "promoted_per_s"), 4000);
	ck_assert_double_eq(value(COUNT_OF(rows), "hinting_faults_per_s"), 20000);
}

TEST_LOOP(test_a_node_of_several_devices_is_at_their_socket_if_they_share_one, 2)
{
	sim_monitor_machine(&m, SPEC);
	m.machine.devices[_i ? 2 : 1].node = 2;
	ck_assert_int_eq(sim_monitor_view(&m, &(struct view_options){.groups = "tiering",
								     .finest = SCOPE_PORT}),
			 0);
	ck_assert_int_eq(m.view.table.rows[2].place.node, 2);
	ck_assert_int_eq(m.view.table.rows[2].place.socket, _i ? -1 : 0);
	ck_assert_str_eq(m.view.table.rows[2].place.memdev, "");
}

TEST(test_pages_that_move_change_what_is_used)
{
	start(SPEC, "tiering", SCOPE_PORT);
	const double dram = value(0, "node_used_MiB"), cxl = value(2, "node_used_MiB");
	const double all = value(6, "node_used_MiB");

	sim_monitor_sample(&m);
	ck_assert_double_eq(value(0, "node_used_MiB") - dram, 2 * 700 / 256.0);
	ck_assert_double_eq(value(2, "node_used_MiB") - cxl, -700 / 256.0);
	ck_assert_double_eq(value(6, "node_used_MiB"), all);
}

/* Readings may be late. */
TEST(test_a_simulated_reading_is_that_of_its_sample)
{
	start(SPEC, "tiering", SCOPE_PORT);
	m.sample.wall_ns += NS_PER_S / 2;
	pass_time(m.platform, 100 * NS_PER_S);
	view_update(&m.view, &m.sample);
	ck_assert_double_eq(value(0, "promoted_per_s"), 2000);
	ck_assert_double_eq(m.view.table.rows[0].interval_s, 0.5);
}

static const struct {
	const char *groups;
	enum scope finest;
	size_t nodes, others; /* rows of nodes; rows of ports, sockets and the system */
} shown[] = {
	{"tiering", SCOPE_PORT, 6, 1},		{"tiering", SCOPE_CPU, 6, 1},
	{"tiering", SCOPE_SOCKET, 0, 1},	{"tiering", SCOPE_SYSTEM, 0, 1},
	{"cxl,tiering", SCOPE_PORT, 6, 7},	{"cxl,tiering", SCOPE_SOCKET, 0, 3},
	{"tiering,dram", SCOPE_PORT, 6, 3},	{"device,tiering", SCOPE_PORT, 6, 1},
	{"device,tiering", SCOPE_SYSTEM, 0, 1},
};

TEST_LOOP(test_rows_of_nodes_are_as_fine_as_those_of_ports, COUNT_OF(shown))
{
	size_t nodes = 0;

	start(SPEC, shown[_i].groups, shown[_i].finest);
	sim_monitor_sample(&m); /* the first reading was before the counters were started */
	for (size_t r = 0; r < m.view.table.row_count; r++)
		nodes += m.view.table.rows[r].place.kind == ROW_NODE;
	ck_assert_uint_eq(nodes, shown[_i].nodes);
	ck_assert_uint_eq(m.view.table.row_count - nodes, shown[_i].others);
	ck_assert_double_eq(value(m.view.table.row_count - 1, "promoted_per_s"), 4000);
}

static const struct {
	struct view_options options;
	const char *nodes; /* nodes of the rows; NULL: refused, with these words */
	const char *refusal;
} selections[] = {
	{{.groups = "tiering", .nodes = "0"}, "0 ", NULL},
	{{.groups = "tiering", .nodes = "2-3,1"}, "1 2 3 ", NULL},
	{{.groups = "tiering", .devices = "mem1"}, "3 ", NULL},
	{{.groups = "tiering", .sockets = "1"}, "1 4 5 ", NULL},
	{{.groups = "tiering", .ports = "1"}, "3 5 ", NULL},
	{{.groups = "tiering", .ports = "1", .sockets = "0"}, "3 ", NULL},
	{{.groups = "cxl,tiering", .nodes = "0"}, "0 ", NULL},
	{{.groups = "cxl,tiering", .nodes = "0,4"}, "0 4 ", NULL},
	{{.groups = "tiering", .nodes = "9"},
	 NULL,
	 "nodes with memory: 0, 1, 2 (mem0), 3 (mem1), 4 (mem2), 5 (mem3)"},
	{{.groups = "tiering", .nodes = "0", .devices = "mem0"}, NULL, "no NUMA node is selected"},
	{{.groups = "cxl,tiering", .nodes = "9"}, NULL, "no CXL port is selected by --node"},
	{{.groups = "cxl", .nodes = "0"}, NULL, "no CXL port is selected by --node"},
	{{.groups = "tiering", .sockets = "7"}, NULL, "no socket is selected"},
};

TEST_LOOP(test_nodes_are_selected_as_ports_are, COUNT_OF(selections))
{
	struct view_options options = selections[_i].options;
	char nodes[64] = "";

	options.finest = SCOPE_PORT;
	open_view(SPEC, &options);
	for (size_t r = 0; r < m.view.table.row_count; r++)
		if (m.view.table.rows[r].place.kind == ROW_NODE)
			snprintf(nodes + strlen(nodes), sizeof(nodes) - strlen(nodes), "%d ",
				 m.view.table.rows[r].place.node);
	ck_assert_str_eq(nodes, selections[_i].nodes ? selections[_i].nodes : "");
	if (selections[_i].refusal) {
		ck_assert_int_eq(m.err.kind, ERROR_USAGE);
		assert_contains(m.err.text, selections[_i].refusal);
	}
}

TEST(test_units_are_needed_for_anything_else)
{
	ck_assert(!view_needs_units(&(struct view_options){.groups = "tiering"}));
	ck_assert(!view_needs_units(&(struct view_options){.groups = "tiering,tiering"}));
	ck_assert(view_needs_units(&(struct view_options){.groups = "tiering,cxl"}));
	ck_assert(view_needs_units(&(struct view_options){.groups = "all"}));
	ck_assert(view_needs_units(&(struct view_options){.groups = "tierin"}));
	ck_assert(view_needs_units(&(struct view_options){.groups = NULL}));
	ck_assert(view_needs_units(&(struct view_options){.groups = "tiering", .event_count = 1}));
}

/* Devices. */

static void assert_cell(size_t row, const char *metric, double expected)
{
	if (isnan(expected))
		ck_assert_double_nan(value(row, metric));
	else
		ck_assert_double_eq_tol(value(row, metric), expected,
					1e-5); /* an access takes time */
}

TEST(test_rows_of_ports_and_devices_have_the_link_and_its_use)
{
	start("spr,clock=virtual,ports=2,read=16,write=8,aer_correctable=3,aer_fatal=1", "port",
	      SCOPE_PORT);
	ck_assert_uint_eq(m.view.table.row_count, 2);
	for (size_t r = 0; r < 2; r++) {
		ck_assert_str_eq(row_scope_name(&m.view.table.rows[r]), "port");
		assert_cell(r, "link_width", 16);
		assert_cell(r, "link_speed_GTps", 32);
		assert_cell(r, "link_max_GBps", 64 * 128 / 130.0);
		assert_cell(r, "link_read_pct", 100 * 16 / (64 * 128 / 130.0));
		assert_cell(r, "link_write_pct", 100 * 8 / (64 * 128 / 130.0));
		assert_cell(r, "aer_correctable_per_s", 3);
		assert_cell(r, "aer_nonfatal_per_s", 0);
		assert_cell(r, "aer_fatal_per_s", 1);
	}
}

/* Each device: the sums of three severities, then the kinds that have happened. */
TEST(test_errors_of_a_device_are_tallied_by_severity_and_kind)
{
	static const struct tally expected[] = {
		{.severity = AER_CORRECTABLE, .kind = ""},
		{.severity = AER_NONFATAL, .kind = ""},
		{.severity = AER_FATAL, .kind = ""},
		{.severity = AER_CORRECTABLE, .kind = "BadTLP"},
		{.severity = AER_FATAL, .kind = "SDES"},
	};
	const struct tallies *found = &m.view.table.tallies;

	start("spr,clock=virtual,ports=1,aer_correctable=300,aer_fatal=100", "port", SCOPE_PORT);
	ck_assert_uint_eq(found->count, COUNT_OF(expected));
	for (size_t i = 0; i < found->count; i++) {
		const struct tally *tally = &found->items[i];

		ck_assert_str_eq(tally->device, "mem0");
		ck_assert_int_eq(tally->severity, expected[i].severity);
		ck_assert_str_eq(tally->kind, expected[i].kind);
		if (tally->severity == AER_NONFATAL)
			ck_assert_double_eq(tally->count, 0);
		else
			ck_assert_double_ge(tally->count, 100);
	}
	ck_assert_double_eq(found->items[3].count, found->items[0].count);
	ck_assert_double_eq(found->items[4].count, found->items[2].count);
}

TEST(test_the_rate_that_the_user_gives_wins)
{
	sim_monitor_start(&m, .spec = "spr,clock=virtual,ports=1,read=16",
			  .view = {.groups = "port", .finest = SCOPE_PORT, .link_rate = 20e9});
	sim_monitor_sample(&m);
	assert_cell(0, "link_read_pct", 80);
	assert_cell(0, "link_max_GBps", 64 * 128 / 130.0);
}

/* AMD's ports are not related to devices, which therefore have rows of their own. */
TEST(test_devices_behind_no_port_have_rows)
{
	start("turin,clock=virtual,ports=2", "cxl,port", SCOPE_PORT);
	size_t devices = 0;

	for (size_t r = 0; r < m.view.table.row_count; r++) {
		const bool device = m.view.table.rows[r].place.kind == ROW_DEVICE;

		assert_cell(r, "link_width", device ? 16 : NAN);
		assert_cell(r, "link_read_pct", NAN);
		devices += device;
	}
	ck_assert_uint_eq(devices, m.machine.device_count);
}

static void sample_after(double s)
{
	m.sample.wall_ns += (uint64_t)(s * NS_PER_S);
	view_update(&m.view, &m.sample);
}

TEST(test_devices_are_read_once_a_second_at_most)
{
	start("spr,clock=virtual,ports=1,aer_correctable=10,read=1", "port", SCOPE_PORT);
	sample_after(0.5);
	assert_cell(0, "link_width", 16);
	assert_cell(0, "aer_correctable_per_s", NAN);
	sample_after(0.5);
	assert_cell(0, "aer_correctable_per_s", 10);
	ck_assert_double_eq(
		sim_monitor_cell(&m, &m.view.table.rows[0], "aer_correctable_per_s")->seconds, 1);
}

TEST(test_a_link_that_changes_is_seen_and_so_is_a_device_that_is_gone)
{
	start("spr,clock=virtual,ports=2,link_change=2,link_back=5,read=16", "port", SCOPE_PORT);
	sample_after(1);
	assert_cell(0, "link_width", 8);
	assert_cell(0, "link_read_pct", NAN);
	assert_cell(1, "link_width", 16);
	ck_assert_uint_eq(m.machine.devices[0].hops[0].now.lanes, 8);
	sample_after(2);
	assert_cell(0, "link_read_pct", 100 * 16 / (32 * 128 / 130.0));
	sample_after(3);
	assert_cell(0, "link_width", 16);
	start("spr,clock=virtual,ports=2,link_change=2,link_change_width=0,aer_fatal=1,read=16",
	      "port", SCOPE_PORT);
	sample_after(1);
	assert_cell(0, "link_width", NAN);
	assert_cell(0, "link_read_pct", NAN);
	assert_cell(0, "aer_fatal_per_s", NAN);
	assert_cell(1, "aer_fatal_per_s", 1);
}

static void assert_mark(enum mark_kind kind, const char *expected)
{
	const struct mark *mark = &m.view.table.marks.items[0];
	char line[MARK_LINE_SIZE];

	ck_assert_uint_eq(m.view.table.marks.count, 1);
	ck_assert_int_eq(mark->kind, kind);
	ck_assert_uint_eq(mark->wall_ns, m.sample.wall_ns);
	ck_assert_str_eq(mark_line(mark, line), expected);
}

TEST(test_each_change_of_a_link_is_marked_once)
{
	start("turin,clock=virtual,ports=2,link_change=2,link_back=4", "port", SCOPE_PORT);
	ck_assert_uint_eq(m.view.table.marks.count, 0);
	sample_after(1);
	assert_mark(MARK_LINK, "mem0: link between 0000:1e:01.1 and 0000:1f:00.0 is 32.0 GT/s x8, "
			       "was 32.0 GT/s x16");
	sample_after(0.1);
	ck_assert_uint_eq(m.view.table.marks.count, 0);
	sample_after(1);
	ck_assert_uint_eq(m.view.table.marks.count, 0);
	sample_after(1);
	assert_mark(MARK_LINK, "mem0: link between 0000:1e:01.1 and 0000:1f:00.0 is 32.0 GT/s x16, "
			       "was 32.0 GT/s x8");
}

/* The marks do not depend on what is shown. */
TEST(test_a_device_that_vanishes_and_returns_is_marked_once_each)
{
	start("spr,clock=virtual,link_change=2,link_change_width=0,link_back=4", "core",
	      SCOPE_SYSTEM);
	sample_after(1);
	assert_mark(MARK_DEVICE, "mem0: the device is gone");
	sample_after(1);
	ck_assert_uint_eq(m.view.table.marks.count, 0);
	sample_after(1);
	assert_mark(MARK_DEVICE, "mem0: the device has returned");
}

TEST(test_the_group_port_wants_units_and_does_not_need_them)
{
	ck_assert(!view_needs_units(&(struct view_options){.groups = "port,tiering"}));
	ck_assert(view_wants_units(&(struct view_options){.groups = "tiering,port"}));
	ck_assert(!view_wants_units(&(struct view_options){.groups = "tiering"}));
}
