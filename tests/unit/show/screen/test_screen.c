/* SPDX-License-Identifier: BSD-3-Clause */
/* Screens of simulated machines, on a canvas. */
#include "show/screen/screen_draw.h"

#include <math.h>

#include "canvas_text.h"
#include "sim_monitor.h"
#include "unit.h"

#define ALL	"cxl,latency,dram,queue,link"
#define TRAFFIC "read=20,write=8,cache_h2d=1,dram_read=60,dram_write=30,clock=virtual"

static struct sim_monitor m;
static struct panels panels;
static struct recording_info info;
static struct explain explain;
static struct findings findings;
static struct screen_state state;
static struct scene scene;
static struct canvas c;
static struct layout layout;
static const struct panel *room[64];

static void start(const char *spec, const char *groups)
{
	sim_monitor_start(&m, .spec = spec, .start_ns = 1,
			  .view = {.groups = groups, .finest = SCOPE_PORT});
	ck_assert_int_eq(panels_init(&panels, &m.view.table), 0);
	state = (struct screen_state){.scope = SCOPE_PORT, .interval_ns = SECOND};
	info = (struct recording_info){.interval_ns = SECOND,
				       .devices = m.machine.devices,
				       .device_count = m.machine.device_count,
				       .memory = m.machine.memory};
	explain_free(&explain);
	ck_assert_int_eq(explain_init(&explain, &m.view.table, &info), 0);
	scene = (struct scene){.panels = &panels,
			       .explain = &explain,
			       .findings = &findings,
			       .chosen = room,
			       .state = &state,
			       .processor = "Some Rapids",
			       .interval_ns = SECOND,
			       .message = ""};
}

static void sample(unsigned count)
{
	while (count--) {
		sim_monitor_sample(&m);
		panels_update(&panels, &m.sample, SECOND);
		explain_add(&explain, &m.sample, NULL);
		scene.samples++;
	}
}

static void draw(int rows, int columns, enum glyphs glyphs)
{
	canvas_free(&c);
	ck_assert_int_eq(canvas_init(&c, rows, columns, glyphs), 0);
	explain_conclude(&explain, &findings);
	layout = screen_draw(&c, &scene);
}

static void tear_down(void)
{
	canvas_free(&c);
	panels_free(&panels);
	explain_free(&explain);
}

/* clang-format off: it reads best as it looks */
#define SMALL_SCREEN                                                                               \
	" Some Rapids  1 socket  2 ports       every 1 s  samples 2  for 00:02  00:00:02\n"        \
	"              CXL         CXL        DRAM        DRAM      CXL  DRAM latency\n"           \
	"             read       write        read       write  latency       (local)\n"           \
	"s0     40.00 GB/s  16.00 GB/s  60.00 GB/s  30.00 GB/s   320 ns        110 ns\n"           \
	"                              CXL read        CXL write       CXL read\n"                 \
	">s0 p0  mem0  node 1        20.00 GB/s  32%  8.000 GB/s  13%  #################\n"        \
	" s0 p1  mem1  node 2        20.00 GB/s  32%  8.000 GB/s  13%  #################\n"        \
	"+- s0 p0  mem0  node 1  0000:1f:00.0 ------------------------------------------+\n"       \
	"| CXL read   20.00 GB/s  32% [###############                                ] |\n"       \
	"| CXL write   8.00 GB/s  13% [######                                         ] |\n"       \
	"|   20 GB/s+################################################################## |\n"       \
	"|         0+------------------------------------------------------------------ |\n"       \
	"|    8 GB/s+################################################################## |\n"       \
	"|           1 s ago                       0.5 s                            now |\n"       \
	"| CXL.cache D2H 0 B/s        CXL.cache H2D 1.000 GB/s                          |\n"       \
	"+------------------------------------------------------------------------------+\n"       \
	"+- read latency  system -------------------------------------------------------+\n"       \
	"| CXL latency 320 ns    DRAM latency (local) 110 ns                            |\n"       \
	"|    400 ns+                                                                   |\n"       \
	"|          |****************************************************************** |\n"       \
	"|         0+****************************************************************** |\n"       \
	"|           1 s ago                       0.5 s                            now |\n"       \
	"+------------------------------------------------------------------------------+\n"       \
	" q quit  ? help  Tab processes  Enter details  e explain  p pause       by port\n"

FIXTURE(NULL, tear_down)

TEST(test_a_small_screen_shows_all_of_two_ports)
{
	start("gnr,sockets=1,ports=2," TRAFFIC, "cxl,latency,dram");
	sample(2);
	draw(24, 80, GLYPHS_ASCII);
	canvas_assert(&c, SMALL_SCREEN);
}

/* Columns were found when panels were made. */
TEST(test_no_metric_is_looked_up_by_its_name_while_it_is_drawn)
{
	struct metric nameless[64];

	start("gnr,sockets=1,ports=2," TRAFFIC, "cxl,latency,dram");
	sample(2);
	ck_assert_uint_le(m.view.table.column_count, COUNT(nameless));
	for (size_t i = 0; i < m.view.table.column_count; i++) {
		struct column *column = &m.view.table.columns[i];

		nameless[i] = *column->metric;
		nameless[i].name = "";
		column->metric = &nameless[i];
	}
	draw(24, 80, GLYPHS_ASCII);
	canvas_assert(&c, SMALL_SCREEN);
}

/* A value without room is left out, and none is cut off. */
TEST(test_a_narrow_list_has_whole_values_alone)
{
	start("gnr,sockets=1,ports=2," TRAFFIC, "cxl,latency,dram");
	sample(2);
	draw(24, 60, GLYPHS_ASCII);
	ck_assert_str_eq(canvas_row(&c, 5),
			 ">s0 p0  mem0  node 1        20.00 GB/s  32%  8.000 GB/s  13%");
	draw(24, 59, GLYPHS_ASCII);
	ck_assert_str_eq(canvas_row(&c, 5),
			 ">s0 p0  mem0  node 1        20.00 GB/s  32%  8.000 GB/s");
	draw(24, 50, GLYPHS_ASCII);
	ck_assert_str_eq(canvas_row(&c, 5), ">s0 p0  mem0  node 1        20.00 GB/s  32%");
}

TEST(test_panel_of_a_port_has_its_device_and_a_graph)
{
	start("spr,sockets=2,ports=2," TRAFFIC, ALL);
	sample(4);
	draw(40, 120, GLYPHS_BRAILLE);
	ck_assert_uint_eq(layout.visible, 2);
	assert_contains(canvas_row(&c, 5), "─ s0 p0  mem0  node 2  0000:1f:00.0 ─");
	assert_contains(canvas_row(&c, 5), "─ s0 p1  mem1  node 3  0000:20:00.0 ─");
	assert_contains(canvas_row(&c, 6), "│ CXL read   20.00 GB/s  32% ▕████████");
	assert_contains(canvas_row(&c, 8), "│   20 GB/s┤⣿⣿⣿⣿");
	draw(60, 120, GLYPHS_BRAILLE);
	ck_assert(canvas_shows(&c, "│ CRC errors 0/s       link retries 0/s "));
	ck_assert(canvas_shows(&c, "│ data buffer full ~0.0%    request buffer full ~0.0% "));
	ck_assert(canvas_shows(&c, "─ read latency  system ─"));
}

TEST(test_nothing_that_cannot_be_measured_takes_room)
{
	start("turin,sockets=1," TRAFFIC, ALL);
	sample(2);
	draw(60, 200, GLYPHS_ASCII);
	ck_assert(!canvas_shows(&c, "retries") && !canvas_shows(&c, "buffer"));
	ck_assert(!canvas_shows(&c, "D2H") && !canvas_shows(&c, "remote"));
	/* no other text looks like a dash */
	ck_assert(!canvas_shows(&c, " - ") && !canvas_shows(&c, "~-"));
}

/* The values of a chart of zeros are below the graphs of other charts. */
TEST(test_a_chart_of_zeros_has_no_graph)
{
	start("gnr,sockets=1,ports=1,read=20,clock=virtual", "cxl,dram");
	sample(2);
	draw(60, 120, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "CXL.cache D2H 0 B/s"));
	ck_assert(canvas_shows(&c, "- DRAM  system -"));
	ck_assert(canvas_shows(&c, "|   20 GB/s+"));
	ck_assert(!canvas_shows(&c, "|        1+") && !canvas_shows(&c, "1 MB/s+"));
}

TEST(test_the_first_of_charts_of_zeros_has_a_graph)
{
	start("gnr,sockets=1,ports=1,read=0,clock=virtual", "cxl");
	sample(2);
	draw(24, 80, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 7), "|         0+-----");
	assert_contains(canvas_row(&c, 21), "| CXL.cache D2H 0 B/s  ");
}

TEST(test_idle_panels_are_a_line)
{
	start("venice,sockets=1," TRAFFIC, "cxl");
	sample(12);
	draw(24, 80, GLYPHS_ASCII);
	ck_assert_uint_eq(scene.busy, 2);
	assert_contains(canvas_row(&c, 22), " idle: s0 ccm2, s0 ccm3, ");
	assert_contains(canvas_row(&c, 22), " more");
}

TEST(test_a_list_has_a_line_for_each_port_and_the_panel_of_one)
{
	start("spr,sockets=2,ports=8,read=1,write=0.5,clock=virtual", "cxl");
	sample(2);
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(layout.list);
	ck_assert(canvas_shows(&c, ">s0 p0  mem0  node 2        1.000 GB/s"));
	ck_assert(canvas_shows(&c, "+- s0 p0  mem0  node 2 "));
	ck_assert(!canvas_shows(&c, "s1 p7"));
	state.selected = 15;
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, ">s1 p7  mem15"));
	ck_assert(canvas_shows(&c, "+- s1 p7  mem15 "));
	state.alone = true;
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(!canvas_shows(&c, "s0 p0"));
	assert_contains(canvas_row(&c, 1), "+- s1 p7  mem15 ");
}

/* One of two devices has its part of the bandwidth. */
TEST(test_a_port_alone_has_what_firmware_promises)
{
	start("spr,ports=2,ways=2,promised_bandwidth=50,promised_latency=250," TRAFFIC, "cxl");
	sample(2);
	state.selected = 1;
	state.alone = true;
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "| 256.0 GiB  link 32.0 GT/s x16  firmware: 25.0 GB/s, 250 ns"));
}

TEST(test_a_port_alone_has_its_device_and_what_its_socket_has)
{
	start("spr,sockets=2,ports=1," TRAFFIC, ALL);
	sample(2);
	state.selected = 1;
	state.alone = true;
	draw(60, 120, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "| 256.0 GiB  link 32.0 GT/s x16 "));
	ck_assert(canvas_shows(&c, "| socket 1  CXL latency 320 ns "));
	ck_assert(canvas_shows(&c, "| socket 1  DRAM read 60.00 GB/s "));
	ck_assert(canvas_shows(&c, "|    400 ns+"));
	ck_assert(!canvas_shows(&c, "system"));
}

TEST(test_a_port_alone_has_single_metrics_of_its_socket)
{
	start("spr,sockets=2,ports=1," TRAFFIC, "cxl,core");
	sample(2);
	state.selected = 1;
	state.alone = true;
	draw(60, 120, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "| socket 1  instructions "));
	ck_assert(canvas_shows(&c, "| socket 1  IPC "));
}

TEST(test_bandwidth_can_be_in_powers_of_1024)
{
	start("spr,sockets=1,ports=1," TRAFFIC, "cxl");
	sample(2);
	state.binary = true;
	draw(24, 80, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 0), " Some Rapids  1 socket  1 port  ");
	ck_assert(canvas_shows(&c, "| CXL read   18.6 GiB/s  32% [###"));
	ck_assert(canvas_shows(&c, "| CXL write   7.5 GiB/s  13% [###"));
	ck_assert(canvas_shows(&c, "|  20 GiB/s+:::"));
	ck_assert(canvas_shows(&c, "|   8 GiB/s+###"));
}

TEST(test_a_list_has_the_first_two_of_several_latencies)
{
	start("spr,sockets=4,ports=1," TRAFFIC, "cxl,latency");
	sample(2);
	state.scope = SCOPE_SOCKET;
	state.group = 2;
	draw(14, 100, GLYPHS_ASCII);
	ck_assert(layout.list);
	assert_contains(canvas_row(&c, layout.body.row + 1), ">socket 0    ");
	assert_contains(canvas_row(&c, layout.body.row),
			"  CXL latency  DRAM latency (local)  CXL lat");
	assert_contains(canvas_row(&c, layout.body.row + 1),
			"       320 ns                110 ns  ####");
}

TEST(test_a_list_that_goes_on_says_so)
{
	start("spr,sockets=4,ports=8," TRAFFIC, "cxl");
	sample(12);
	draw(24, 80, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 23), "by port, 1-7 of 32");
}

TEST(test_a_column_has_one_unit)
{
	start("spr,sockets=1,ports=8,read=1,clock=virtual", "cxl");
	sample(2);
	m.view.table.rows[1].values[panels.cxl_read].number = 3.5;
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "1.000 GB/s"));
	ck_assert(canvas_shows(&c, "0.004 GB/s"));
}

TEST(test_panel_of_a_port_has_what_its_device_counts)
{
	start("spr,sockets=1,ports=2,cpmu=1," TRAFFIC, "cxl,device");
	sample(2);
	draw(40, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "| CPMU read 20.00 GB/s   CPMU write 8.000 GB/s "));
	ck_assert(
		canvas_shows(&c, "| device DRAM read 20.00 GB/s   device DRAM write 8.000 GB/s "));
	ck_assert(canvas_shows(&c, "| device amplification 1.000 "));
	/* the port counts none of these */
	ck_assert(!canvas_shows(&c, "queue") && !canvas_shows(&c, "throttl"));
}

TEST(test_a_device_whose_port_is_not_known_has_a_panel)
{
	start("arm,cpmu=1," TRAFFIC, "cxl,device");
	sample(2);
	draw(40, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "- mem0  node 1 -"));
	ck_assert(canvas_shows(&c, "| CXL read   20.00 GB/s "));
}

TEST(test_nodes_have_panels_behind_those_of_ports)
{
	start("spr,sockets=1,ports=1,promote=1000,demote=300,hint=5000," TRAFFIC, "cxl,tiering");
	sample(2);
	draw(60, 80, GLYPHS_ASCII);
	ck_assert_uint_eq(scene.count, 3);
	ck_assert(canvas_shows(&c, "- s0 p0  mem0  node 1  0000:1f:00.0 -"));
	ck_assert(canvas_shows(&c, "- node 0 -"));
	ck_assert(canvas_shows(&c, "- node 1  mem0 -"));
	ck_assert(canvas_shows(&c, "| memory used 128.0 GiB   memory free 128.0 GiB "));
	ck_assert(canvas_shows(&c, " 150 GiB+"));
	ck_assert(canvas_shows(&c, "| pages promoted 1k/s      pages demoted 300/s "));
	/* panels without CXL data come last */
	state.by_traffic = true;
	draw(60, 80, GLYPHS_ASCII);
	assert_contains(scene.chosen[0]->title, "s0 p0 ");
	state.scope = SCOPE_SYSTEM;
	draw(40, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "| hinting faults 5k/s "));
}

TEST(test_table_beside_ports_has_dram_and_latency_of_each_socket)
{
	start("spr,sockets=2,ports=1," TRAFFIC, ALL);
	sample(1);
	draw(24, 80, GLYPHS_BRAILLE);
	assert_contains(canvas_row(&c, 1), "                DRAM     DRAM");
	assert_contains(canvas_row(&c, 2), "DRAM     CXL latency  latency");
	assert_contains(canvas_row(&c, 3), "write latency (local) (remote)");
	ck_assert_str_eq(
		canvas_row(&c, 4),
		"s0     20.00 GB/s  8.00 GB/s  60.0 GB/s 30.00 GB/s  320 ns  110 ns   190 ns");
	ck_assert_str_eq(
		canvas_row(&c, 6),
		"system 40.00 GB/s 16.00 GB/s 120.0 GB/s 60.00 GB/s  320 ns  110 ns   190 ns");
	/* no more lines than the width demands */
	draw(24, 90, GLYPHS_BRAILLE);
	assert_contains(canvas_row(&c, 1), "CXL  DRAM latency  DRAM latency");
	assert_contains(canvas_row(&c, 2), "latency       (local)      (remote)");
	draw(24, 120, GLYPHS_BRAILLE);
	assert_contains(canvas_row(&c, 1),
			"CXL latency  DRAM latency (local)  DRAM latency (remote)");
}

TEST(test_a_link_whose_rate_is_known_has_percent_and_bars)
{
	start("spr,sockets=1,ports=2," TRAFFIC, "cxl");
	scene.link_MBps = 40000;
	sample(1);
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "| CXL read   20.00 GB/s  50% [####"));
	ck_assert_int_eq(canvas_style_of(&c, "50% ["), STYLE_PLAIN);
	ck_assert(!canvas_shows(&c, "of the link"));
	scene.link_MBps = 22000;
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, " ! s0 p0  mem0: CXL read is 91% of the link, at most 84%"));
	ck_assert_int_eq(canvas_style_of(&c, "91%"), STYLE_ERROR);
}

/* Use depends on direction and mix: 71 % of a link is far from full if all traffic is reads. */
TEST(test_a_link_is_full_by_direction)
{
	start("spr,ports=1,link_width=8,link_max_width=8,write=22.5,clock=virtual", "cxl");
	sample(1);
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, " ! s0 p0  mem0: CXL write is 71% of the link, at most 75%"));
	ck_assert_int_eq(canvas_style_of(&c, "71% ["), STYLE_WARNING);
	panels_free(&panels);
	start("spr,ports=1,link_width=8,link_max_width=8,read=22.5,clock=virtual", "cxl");
	sample(1);
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, " 71% ["));
	ck_assert(!canvas_shows(&c, "of the link"));
}

/* The capacity of links with 256-byte flits is unknown. */
TEST(test_how_full_a_faster_link_is_is_not_known)
{
	start("spr,ports=1,link_width=1,link_speed=64,link_max_width=1,read=7.9,clock=virtual",
	      "cxl");
	sample(1);
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, " 99% ["));
	ck_assert(!canvas_shows(&c, "of the link"));
}

TEST(test_a_link_below_what_its_ends_can_do_is_named)
{
	start("arm,cpmu=1,ports=1,link_width=8," TRAFFIC, "cxl");
	sample(1);
	draw(24, 100, GLYPHS_ASCII);
	ck_assert(
		canvas_shows(&c, "! mem0: link x8 of x16 at 32 GT/s, at most 31.5 GB/s each way"));
}

/*
 * The device's link has 31.5 GB/s, unless --link-GBps says otherwise; a socket has all its ports'
 * links.
 */
#define CHANGING "turin,ports=1,link_change=2,link_change_width=4,link_back=4," TRAFFIC
#define NARROWED                                                                                   \
	"mem0: link between 0000:1e:01.1 and 0000:1f:00.0 is 32.0 GT/s x4, was 32.0 GT/s x16"

TEST(test_what_has_happened_is_a_line_while_it_is_recent)
{
	start(CHANGING, "cxl,port");
	sample(1);
	draw(40, 120, GLYPHS_ASCII);
	ck_assert_int_eq(layout.marks.rows, 0);
	sample(2);
	draw(40, 120, GLYPHS_ASCII);
	ck_assert_int_eq(layout.marks.rows, 1);
	ck_assert_str_eq(canvas_row(&c, layout.marks.row), " ! 00:00:02: " NARROWED);
	sample(2);
	draw(40, 160, GLYPHS_ASCII);
	assert_contains(
		canvas_row(&c, layout.marks.row),
		" ! 00:00:04: mem0: link between 0000:1e:01.1 and 0000:1f:00.0 is 32.0 GT/s "
		"x16, was 32.0 GT/s x4  ! 00:00:02: mem0");
	sample(59);
	draw(40, 120, GLYPHS_ASCII);
	ck_assert_int_eq(layout.marks.rows, 0);
	state.paused = true;
	state.shown = panels.series.all_steps - 60;
	draw(40, 120, GLYPHS_ASCII);
	ck_assert_int_eq(layout.marks.rows, 2);
}

TEST(test_a_link_has_a_graph_where_it_has_changed)
{
	start("spr,ports=1," TRAFFIC, "cxl,port");
	sample(3);
	draw(40, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "link width 16 lanes"));
	ck_assert(!canvas_shows(&c, "20 lanes+"));
	tear_down();
	start("spr,ports=1,link_change=2,link_change_width=4," TRAFFIC, "cxl,port");
	sample(4);
	draw(40, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "link width 4 lanes"));
	ck_assert(canvas_shows(&c, "20 lanes+"));
}

TEST(test_what_has_happened_is_wrapped_and_counted_where_there_is_no_room)
{
	start(CHANGING, "cxl,port");
	sample(3);
	draw(30, 70, GLYPHS_ASCII);
	ck_assert_int_eq(layout.marks.rows, 2);
	assert_contains(canvas_row(&c, layout.marks.row + 1), "was 32.0 GT/s x16");
	for (unsigned i = 0; i < PANELS_MARKS; i++)
		panels.marks[panels.mark_count++ % PANELS_MARKS] = panels.marks[0];
	draw(30, 70, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, layout.marks.row + 1), "  and 31 more");
}

TEST(test_what_has_happened_is_not_said_by_the_message_as_well)
{
	start(CHANGING, "cxl,port");
	sample(3);
	scene.message = NARROWED;
	draw(40, 120, GLYPHS_ASCII);
	ck_assert_int_eq(layout.message.rows, 0);
	scene.message = "something else";
	draw(40, 120, GLYPHS_ASCII);
	ck_assert_int_eq(layout.message.rows, 1);
}

TEST(test_the_kernel_says_how_fast_a_link_is)
{
	start("spr,sockets=1,ports=2,link_width=8," TRAFFIC, "cxl");
	sample(1);
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "| CXL read   20.00 GB/s  63% [####"));
	ck_assert_double_eq_tol(screen_link_MBps(&scene, &panels.all[2]), 2 * 31507.7, 0.1);
}

TEST(test_what_is_not_known_is_a_dash_and_a_gap)
{
	start("spr,ports=1," TRAFFIC, "cxl");
	sample(2);
	sim_set_unit_dead(m.sim, 0, PMU_CXLDP, 3, true);
	sample(2);
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "| CXL read            -      ["));
	const struct curve curve = panel_curve(&panels.all[0], panels.cxl_read);
	ck_assert(isnan(curve_at(curve, 0)));
	ck_assert_double_eq(curve_at(curve, 2), 20000);
	/* the state at that time */
	state.paused = true;
	state.shown = 2;
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "| CXL read   20.00 GB/s "));
	assert_contains(canvas_row(&c, 0), "PAUSED");
	ck_assert(canvas_shows(&c, " 2 s ago "));
}

TEST(test_link_errors_are_marked)
{
	start("spr,ports=1,crc=3," TRAFFIC, ALL);
	sample(1);
	draw(24, 80, GLYPHS_BRAILLE);
	ck_assert(canvas_shows(&c, " ! s0 p0  mem0: CRC errors 3/s"));
	ck_assert_int_eq(canvas_style_of(&c, "3/s"), STYLE_ERROR);
	scene.missed = 4;
	draw(24, 80, GLYPHS_BRAILLE);
	ck_assert(canvas_shows(&c, " ! 4 samples missed  ! s0 p0"));
	draw(24, 50, GLYPHS_BRAILLE);
	ck_assert(canvas_shows(&c, " ! 4 samples missed  and 1 more"));
	scene.missed = 1;
	draw(24, 80, GLYPHS_BRAILLE);
	ck_assert(canvas_shows(&c, " ! 1 sample missed  ! s0 p0"));
}

static const struct {
	const char *ns;
	bool slow;
} latencies[] = {{"820", true}, {"819", false}, {"320", false}};

/* A latency of twice the usual maximum of such devices is slow. */
TEST_LOOP(test_what_limits_cxl_so_far_is_said_with_its_key, COUNT_OF(latencies))
{
	char spec[64];

	snprintf(spec, sizeof(spec), "gnr,read=20,clock=virtual,latency=%s", latencies[_i].ns);
	start(spec, ALL);
	sample(3);
	draw(24, 80, GLYPHS_ASCII);
	ck_assert_int_eq(canvas_shows(&c, " ! so far: socket 0: at the peak, reads of CXL memory "
					  "take 820 ns,... e: explain"),
			 latencies[_i].slow);
	ck_assert_int_eq(canvas_shows(&c, "! "), latencies[_i].slow);
	state.explained = 1;
	draw(40, 100, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 0), " what limits CXL, by 3 samples ");
	ck_assert_int_eq(canvas_shows(&c, "1.  socket 0: at the peak, reads of CXL memory take"),
			 latencies[_i].slow);
	ck_assert_int_eq(canvas_shows(&c, "1.  These checks found no limit of CXL: "),
			 !latencies[_i].slow);
	ck_assert(canvas_shows(&c, "Not checked: throttling, health of devices, "));
	ck_assert(canvas_shows(&c, "After this run, missing values can be recorded: sudo cxlmon "));
	ck_assert_uint_eq(scene.explained_pages, 1);
	assert_contains(canvas_row(&c, 39), "any key: back");
}

TEST(test_what_is_wrong_now_comes_before_what_was_so_far)
{
	start("spr,ports=1,crc=3," TRAFFIC, ALL);
	sample(1);
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, " e: explain"));
	ck_assert(!canvas_shows(&c, "so far"));
}

TEST(test_the_past_is_not_explained_by_what_came_later)
{
	start("gnr,read=20,clock=virtual,latency=900", ALL);
	sample(8);
	state.paused = true;
	state.shown = 3;
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(!canvas_shows(&c, "so far"));
}

/* The advice follows the numbers of the last place. */
TEST(test_findings_that_differ_only_in_numbers_are_one)
{
	start("spr,ports=2,read=5,crc=2.5,wave=1,clock=virtual", "cxl,link");
	sample(4);
	state.explained = 1;
	draw(40, 200, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "1.  socket 0 port 0 mem0, socket 0 port 1 mem1, each: its "
				   "link has errors, after which it sends"));
	ck_assert(canvas_shows(&c, "    socket 0 port 0 mem0: Measured: CXL read "));
	ck_assert(canvas_shows(&c, "    socket 0 port 1 mem1: Measured: CXL read "));
	ck_assert(canvas_shows(&c, "    What to do: Reseat"));
	ck_assert(!canvas_shows(&c, "2. "));
}

TEST(test_findings_that_need_several_pages_are_all_shown)
{
	start("gnr,read=20,clock=virtual,latency=900", ALL);
	sample(2);
	state.explained = 1;
	draw(16, 80, GLYPHS_ASCII);
	ck_assert_uint_eq(scene.explained_pages, 2);
	assert_contains(canvas_row(&c, 15), "e: next page; any other key: back");
	ck_assert(!canvas_shows(&c, "can be recorded"));
	/* also after more pages than there are now */
	state.explained = 3;
	draw(16, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "can be recorded"));
	assert_contains(canvas_row(&c, 15), " any key: back");
}

TEST_LOOP(test_what_a_device_says_of_itself_is_marked_unless_it_is_fine, 2)
{
	start(_i ? "spr,ports=1,health=1538," TRAFFIC : "spr,ports=1,health=0," TRAFFIC,
	      "cxl,health");
	sample(1);
	draw(40, 120, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, _i ? " ! s0 p0  mem0: its health: media data lost, "
					"performance degraded"
				      : " ! ") == _i);
}

TEST(test_without_unicode_all_is_ascii)
{
	start("spr,sockets=2,ports=2," TRAFFIC, ALL);
	sample(9);
	for (state.help = 0;; state.help = 2) {
		draw(60, 200, GLYPHS_ASCII);
		for (int row = 0; row < 60; row++)
			for (int column = 0; column < 200; column++)
				ck_assert_int_lt(canvas_at(&c, row, column).character, 0x7F);
		if (state.help)
			break;
	}
}

TEST(test_sockets_and_the_system_have_panels_of_their_own)
{
	start("spr,sockets=2,ports=2," TRAFFIC, ALL);
	sample(1);
	state.scope = SCOPE_SOCKET;
	draw(60, 100, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "- socket 1 -"));
	ck_assert(canvas_shows(&c, "| CXL read   40.00 GB/s "));
	ck_assert(canvas_shows(&c, "| DRAM read 60.00 GB/s   DRAM write 30.00 GB/s "));
	ck_assert(canvas_shows(&c, "| CXL latency 320 ns    DRAM latency (local) 110 ns "));
	state.scope = SCOPE_SYSTEM;
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "- system -"));
	ck_assert(canvas_shows(&c, "| CXL read   80.00 GB/s "));
}

TEST(test_metrics_of_cores_have_graphs_and_names)
{
	start("spr,sockets=1,ports=1," TRAFFIC, "core");
	sample(2);
	state.scope = panels_next_scope(&panels, SCOPE_CPU);
	draw(60, 100, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "| instructions 30G/s "));
	ck_assert(canvas_shows(&c, "| IPC 1.250 "));
	ck_assert(canvas_shows(&c, "| core clock 3.000 GHz "));
	ck_assert(canvas_shows(&c, "  1.5+"));
}

TEST(test_metrics_that_no_port_has_are_shown_by_socket)
{
	start("spr,sockets=2,ports=1," TRAFFIC, "cxl,latency");
	sample(2);
	state.group = 2;
	draw(30, 100, GLYPHS_ASCII);
	ck_assert(!canvas_shows(&c, "- s0 p0 "));
	ck_assert(canvas_shows(&c, "- socket 1 -"));
	ck_assert(canvas_shows(&c, "| CXL latency 320 ns "));
	assert_contains(canvas_row(&c, 29), "latency, by socket");
	state.group = 1;
	draw(30, 100, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "- s0 p0 "));
	state.group = 0;
	draw(30, 100, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 29), "by port");
}

TEST(test_one_metric_group_can_be_shown_alone)
{
	start("spr,sockets=1,ports=1," TRAFFIC, "cxl,link");
	sample(2);
	state.group = 2;
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(!canvas_shows(&c, "| CXL read"));
	ck_assert(canvas_shows(&c, "| flits received "));
	assert_contains(canvas_row(&c, 23), "link, by port");
}

static struct row port_rows[3];
static struct value values[3][2];

/* Makes panels of ports, with reads and writes of CXL memory. */
static void make_ports(size_t count)
{
	static const struct metric read = {.name = "cxl_mem_read_MBps", .rows = 1 << ROW_PORT};
	static const struct metric write = {.name = "cxl_mem_write_MBps", .rows = 1 << ROW_PORT};
	static struct column columns[] = {{.metric = &read}, {.metric = &write}};
	static struct table table = {.columns = columns, .column_count = 2, .rows = port_rows};

	table.row_count = count;
	for (int i = 0; i < (int)count; i++) {
		values[i][0] = values[i][1] = value_unknown;
		port_rows[i] = row_unknown;
		port_rows[i].place.kind = ROW_PORT;
		port_rows[i].place.port = i;
		port_rows[i].values = values[i];
	}
	ck_assert_int_eq(panels_init(&panels, &table), 0);
}

/* Adds a sample after this time. */
static void pass(uint64_t ns)
{
	static uint64_t wall_ns;

	wall_ns += ns;
	panels_update(&panels, &(struct sample){.wall_ns = wall_ns}, SECOND);
}

TEST(test_panels_are_sorted_by_traffic_and_unknown_comes_last)
{
	make_ports(3);
	values[1][0].number = 5;
	values[2][1].number = 6;
	pass(SECOND);
	ck_assert_uint_eq(panels_choose(&panels, SCOPE_PORT, false, room), 3);
	ck_assert_int_eq(room[0]->row->place.port, 0);
	ck_assert_uint_eq(panels_choose(&panels, SCOPE_PORT, true, room), 3);
	ck_assert_int_eq(room[0]->row->place.port, 2);
	ck_assert_int_eq(room[1]->row->place.port, 1);
	ck_assert_int_eq(room[2]->row->place.port, 0);
}

/* Traffic that comes in bursts passes steady traffic in every other sample. */
TEST(test_order_by_traffic_is_that_of_the_last_samples_together)
{
	make_ports(2);
	values[1][0].number = 7;
	for (unsigned i = 0; i < 40; i++) {
		values[0][0].number = i % 2 ? 0 : 10;
		pass(SECOND);
		if (!i)
			continue;
		ck_assert_uint_eq(panels_choose(&panels, SCOPE_PORT, true, room), 2);
		ck_assert_int_eq(room[0]->row->place.port, 1);
	}
	/* a lasting change is seen soon */
	values[0][0].number = 8;
	for (unsigned i = 0; i < 10; i++)
		pass(SECOND);
	panels_choose(&panels, SCOPE_PORT, true, room);
	ck_assert_int_eq(room[0]->row->place.port, 0);
}

TEST(test_a_sample_that_comes_a_little_early_is_a_step)
{
	make_ports(1);
	pass(SECOND);
	pass(99 * SECOND / 100);
	pass(101 * SECOND / 100);
	ck_assert_uint_eq(panels.series.step_count, 3);
	ck_assert_double_eq(panels_ago(&panels, 1), 1.01);
	/* the latest step, and one that is not kept */
	ck_assert_double_eq(panels_ago(&panels, 0), 0);
	ck_assert_double_eq(panels_ago(&panels, 3), 0);
}

TEST(test_samples_that_are_faster_than_the_graphs_are_averaged)
{
	make_ports(1);
	pass(SECOND);
	for (unsigned i = 0; i < 20; i++) {
		values[0][0].number = i;
		panels_update(&panels, &(struct sample){.wall_ns = panels.wall_ns + SECOND / 100},
			      SECOND / 100);
	}
	ck_assert_uint_eq(panels.series.step_count, 3);
	ck_assert_double_eq(panel_value(&panels.all[0], 0, 1), 4.5);
}

TEST(test_the_latest_hour_can_be_seen)
{
	make_ports(1);
	for (int i = 0; i < 3610; i++) {
		values[0][0].number = i;
		pass(SECOND);
	}
	ck_assert_double_eq(panel_value(&panels.all[0], 0, 3599), 10);
	ck_assert(isnan(panel_value(&panels.all[0], 0, 3600)));
}

/* Writes the place of each label. */
static void find_labels(char *text, size_t size)
{
	static const char *const labels[] = {"CRC",  "retries", "sent ",   "received ",
					     "full", "in use",	"D2H",	   "H2D",
					     "CXL",  "(local)", "(remote)"};
	size_t used = 0;

	for (int row = 0; row < c.rows; row++) {
		const char *line = canvas_row(&c, row);

		if (strstr(line, " ! "))
			continue;
		for (size_t i = 0; i < COUNT_OF(labels); i++)
			for (const char *at = strstr(line, labels[i]); at;
			     at = strstr(at + 1, labels[i]))
				used += (size_t)snprintf(text + used, size - used, "%s %d:%d\n",
							 labels[i], row, (int)(at - line));
	}
}

static const struct {
	int rows, columns;
	enum scope scope;
} places[] = {
	{24, 80, SCOPE_PORT},	{30, 100, SCOPE_PORT},	 {60, 200, SCOPE_PORT},
	{24, 80, SCOPE_SOCKET}, {30, 100, SCOPE_SOCKET}, {60, 200, SCOPE_SYSTEM},
};

TEST_LOOP(test_values_of_any_length_leave_all_labels_in_their_places, COUNT_OF(places))
{
	static const double numbers[] = {0, 0.0001, 0.25, 9.5, 12.34, 999.7, 123456, 62.4e6, 203e6};
	static char expected[8192], found[8192];

	start("spr,sockets=4,ports=2," TRAFFIC, ALL);
	sample(1);
	state.scope = places[_i].scope;
	for (unsigned n = 0; n < 2 * COUNT_OF(numbers); n++) {
		for (size_t p = 0; p < m.view.table.row_count; p++) {
			for (size_t s = 0; s < m.view.table.column_count; s++) {
				m.view.table.rows[p].values[s].number = numbers[n / 2];
				m.view.table.rows[p].values[s].scaled = n % 2;
			}
		}
		scene.missed = 1; /* a missed sample adds the line */
		draw(places[_i].rows, places[_i].columns, GLYPHS_ASCII);
		find_labels(n ? found : expected, sizeof(found));
		if (n)
			ck_assert_str_eq(found, expected);
	}
}

TEST(test_help_explains_keys_and_words)
{
	start("spr,ports=1," TRAFFIC, "cxl,latency");
	sample(1);
	state.help = 1;
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "- keys -"));
	for (const struct screen_key_help *k = screen_key_table; k->key; k++)
		ck_assert_msg(!screen_key_is_of(k, TAB_PORTS) || canvas_shows(&c, k->help),
			      "not on the screen: %s", k->help);
	ck_assert_uint_eq(scene.help_pages, 2);
	state.help = 2;
	draw(24, 80, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "| CXL read                  CXL.mem data from the device"));
	ck_assert(canvas_shows(&c, "| DRAM latency (local) "));
	ck_assert(!canvas_shows(&c, "(remote)"));
	ck_assert(canvas_shows(&c, "an estimate: multiplexed, few reads, many"));
	/* text without room gets further pages */
	draw(12, 60, GLYPHS_ASCII);
	ck_assert_uint_gt(scene.help_pages, 3);
	ck_assert(!canvas_shows(&c, "an estimate"));
	assert_contains(canvas_row(&c, 11), "?: next page");
	state.help = scene.help_pages;
	draw(12, 60, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, "no traffic in the last ten"));
	assert_contains(canvas_row(&c, 11), "- any key: back -");
}

TEST(test_system_is_the_last_row_that_gives_way_to_panels)
{
	start("spr,sockets=4,ports=1," TRAFFIC, ALL);
	sample(1);
	for (int rows = 24; rows >= 14; rows--) {
		draw(rows, 80, GLYPHS_ASCII);
		ck_assert_msg(canvas_shows(&c, "system "), "not with %d rows", rows);
	}
	ck_assert(!canvas_shows(&c, "s0  "));
	draw(15, 80, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 4), "s0 ");
	assert_contains(canvas_row(&c, 5), "system ");
	/* a heading without lines is useless */
	scene.message = "something is wrong";
	draw(14, 80, GLYPHS_ASCII);
	ck_assert(!canvas_shows(&c, "(local)"));
	ck_assert_int_eq(layout.table.rows, 0);
}

TEST(test_messages_and_pause_and_smallness_are_said)
{
	start("spr,ports=1," TRAFFIC, "cxl");
	scene.message = "something is wrong";
	state.paused = true;
	draw(24, 80, GLYPHS_ASCII);
	assert_contains(canvas_row(&c, 22), " something is wrong");
	assert_contains(canvas_row(&c, 0), "PAUSED");
	/* only names and values */
	draw(2, 20, GLYPHS_ASCII);
	canvas_assert(&c, "Some Rapids\n\n");
	sample(1);
	draw(4, 20, GLYPHS_ASCII);
	canvas_assert(&c, "CXL read  20.00 GB/s\nCXL write 8.000 GB/s\nCXL.cache 1.000 GB/s\n\n");
	draw(1, 1, GLYPHS_ASCII);
	canvas_assert(&c, "s\n");
}

static const struct {
	const char *groups, *label;
} choices[] = {
	{"cxl", "CXL write "},	       {"dram", "DRAM write "}, {"latency", "CXL latency "},
	{"queue,link", "CRC errors "}, {"core", "IPC "},	{"device", "CPMU read "},
	{"tiering", "memory used "},   {"all", "CPMU read "},
};

TEST_LOOP(test_every_size_and_choice_of_metrics_can_be_drawn, COUNT(choices))
{
	start("spr,sockets=2,ports=3,cpmu=1," TRAFFIC, choices[_i].groups);
	for (unsigned samples = 0; samples < 2; samples++) {
		for (state.scope = panels_next_scope(&panels, SCOPE_CPU); state.scope < SCOPE_COUNT;
		     state.scope++)
			for (int rows = 1; rows < 70; rows += 3)
				for (int columns = 1; columns < 220; columns += 11)
					draw(rows, columns, (enum glyphs)(rows % 3));
		sample(3);
	}
	state.scope = SCOPE_PORT;
	draw(70, 220, GLYPHS_ASCII);
	ck_assert(canvas_shows(&c, choices[_i].label));
}
