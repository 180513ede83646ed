/* SPDX-License-Identifier: BSD-3-Clause */
/* What a screen shows of simulated machines, on a canvas. */
#include "screen/screen_draw.h"

#include <math.h>
#include <stdio.h>

#include "canvas_text.h"
#include "sim_monitor.h"
#include "suites.h"
#include "support.h"

#define ALL	"cxl,latency,dram,queue,link"
#define TRAFFIC "read=20,write=8,cache_h2d=1,dram_read=60,dram_write=30,clock=virtual"

static struct sim_monitor m;
static struct panels panels, copy;
static struct screen_state state;
static struct scene scene;
static struct canvas c;
static struct layout layout;
static const struct panel *room[64];

static void start(const char *spec, const char *groups)
{
	sim_monitor_start(&m,
			  &(struct sim_setup){.spec = spec,
					      .start_ns = 1,
					      .view = {.groups = groups, .finest = SCOPE_PORT}});
	ck_assert_int_eq(panels_init(&panels, &m.view), 0);
	state = (struct screen_state){.scope = SCOPE_PORT, .interval_ns = SECOND};
	scene = (struct scene){.panels = &panels,
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
		panels_update(&panels, &m.view, &m.sample, SECOND);
		scene.samples++;
	}
}

static void draw(int rows, int columns, bool unicode)
{
	canvas_free(&c);
	ck_assert_int_eq(canvas_init(&c, rows, columns, unicode), 0);
	layout = screen_draw(&c, &scene);
}

static void tear_down(void)
{
	canvas_free(&c);
	panels_free(&panels);
	panels_free(&copy);
	if (m.platform)
		sim_monitor_close(&m);
}

/* clang-format off: it reads best as it looks */
#define PANEL                                                                                      \
	"| read   20.00 GB/s ########################################################## |\n"       \
	"| write  8.000 GB/s #######################                                    |\n"       \
	"| read, up to 20.00 GB/s                                                    ## |\n"       \
	"|                                                                           ## |\n"       \
	"| write, up to 8.000 GB/s                                                   ## |\n"       \
	"|                                                                           ## |\n"       \
	"|                                                                           ## |\n"       \
	"| cache d2h 0  B/s      h2d 1.000 GB/s                                         |\n"       \
	"+------------------------------------------------------------------------------+\n"

#define SMALL_SCREEN                                                                               \
	" Some Rapids                          1 s  samples 2  missed 0  frozen 0.000 ms\n"        \
	"            CXL read  CXL write  DRAM read DRAM write CXL lat.    local   remote\n"       \
	" socket 0 40.00 GB/s 16.00 GB/s 60.00 GB/s 30.00 GB/s   320 ns   110 ns        -\n"       \
	"+- s0 p0  mem0  node 1  0000:1f:00.0 ------------------------------------------+\n" PANEL \
	"+- s0 p1  mem1  node 2  0000:20:00.0 ------------------------------------------+\n" PANEL \
	" q quit  p pause  + - interval  g group  s sort  ? help                 by port\n"
/* clang-format on */

START_TEST(test_a_small_screen_shows_all_of_two_ports)
{
	start("gnr,sockets=1,ports=2," TRAFFIC, "cxl,latency,dram");
	sample(2);
	draw(24, 80, false);
	canvas_assert(&c, SMALL_SCREEN);
}
END_TEST

START_TEST(test_panel_of_a_port_has_its_device_bars_and_a_graph)
{
	start("spr,sockets=2,ports=2," TRAFFIC, ALL);
	sample(4);
	draw(24, 80, true);
	ck_assert_uint_eq(layout.visible, 2);
	assert_contains(canvas_row(&c, 5), "─ s0 p0  mem0  node 2  0000:1f:00.0 ─");
	assert_contains(canvas_row(&c, 5), "─ s0 p1  mem1  node 3  0000:20:00.0 ─");
	assert_contains(canvas_row(&c, 6), "│ read   20.00 GB/s ██████████████████ │");
	assert_contains(canvas_row(&c, 7), "│ write  8.000 GB/s ███████▎           │");
	assert_contains(canvas_row(&c, 8), "│ read+write, up to 28.00 GB/s      ⣿⣿ │");
	assert_contains(canvas_row(&c, 11), "│ link  crc 0/s      retry 0/s");
	assert_contains(canvas_row(&c, 12), "│ full  data ~0.0%   requests ~0.0%");
}
END_TEST

START_TEST(test_panel_of_a_port_has_what_its_device_counts)
{
	start("spr,sockets=1,ports=2,cpmu=1," TRAFFIC, "cxl,device");
	sample(2);
	draw(24, 80, false);
	ck_assert(canvas_shows(&c, "| cpmu  rd 20.00 GB/s  wr 8.000 GB/s "));
	ck_assert(canvas_shows(&c, "| DRAM  rd 20.00 GB/s  wr 8.000 GB/s  amplified 1.000 "));
	/* it counts none of these */
	ck_assert(!canvas_shows(&c, "queue") && !canvas_shows(&c, "throttle"));
	state.scope = SCOPE_SYSTEM;
	draw(24, 80, false);
	ck_assert(!canvas_shows(&c, "cpmu"));
}
END_TEST

START_TEST(test_queues_and_errors_of_a_device_are_shown_where_it_counts_them)
{
	start("gnr,sockets=1,ports=1,cpmu_kind=cxl4," TRAFFIC, "device");
	sample(2); /* its counters take turns */
	draw(24, 80, false);
	ck_assert(canvas_shows(&c, "| err   retry ~0/s     throttle ~0/s "));
	ck_assert(canvas_shows(&c, "| queue clocks ~35.43 residency ~438M/s "));
}
END_TEST

START_TEST(test_a_device_whose_port_is_not_known_has_a_panel)
{
	start("arm,cpmu=1," TRAFFIC, "cxl,device");
	sample(2);
	draw(24, 80, false);
	ck_assert(canvas_shows(&c, "- mem0  node 1 -"));
	ck_assert(canvas_shows(&c, "| read   20.00 GB/s ##"));
	ck_assert(canvas_shows(&c, "| cpmu  rd 20.00 GB/s  wr 8.000 GB/s "));
}
END_TEST

START_TEST(test_nodes_have_panels_behind_those_of_ports)
{
	start("spr,sockets=1,ports=1,promote=1000,demote=300,hint=5000," TRAFFIC, "cxl,tiering");
	sample(2);
	draw(40, 80, false);
	ck_assert_uint_eq(layout.lines, 3);
	ck_assert(canvas_shows(&c, "- s0 p0  mem0  node 1  0000:1f:00.0 -"));
	ck_assert(canvas_shows(&c, "- node 0 -"));
	ck_assert(canvas_shows(&c, "- node 1  mem0 -"));
	ck_assert(canvas_shows(&c, "| used       128.0 GiB "));
	ck_assert(canvas_shows(&c, "| free       128.0 GiB "));
	ck_assert(canvas_shows(&c, "| promoted   1k/s "));
	ck_assert(canvas_shows(&c, "| demoted    300/s "));
	ck_assert(!canvas_shows(&c, "faults"));
	/* they move no CXL data, and so come last */
	state.by_traffic = true;
	draw(40, 80, false);
	assert_contains(canvas_row(&c, 3), "- s0 p0 ");
	state.scope = SCOPE_SYSTEM;
	draw(24, 80, false);
	ck_assert(canvas_shows(&c, "| promoted   1k/s "));
	ck_assert(canvas_shows(&c, "| hinting    faults 5k/s "));
}
END_TEST

START_TEST(test_nodes_alone_have_panels)
{
	start("spr,sockets=1,ports=1,promote=1000," TRAFFIC, "tiering");
	sample(2);
	draw(24, 80, false);
	ck_assert_uint_eq(panels_next_scope(&panels, SCOPE_CPU), SCOPE_PORT);
	ck_assert(canvas_shows(&c, "- node 0 -"));
	ck_assert(!canvas_shows(&c, "read"));
}
END_TEST

START_TEST(test_table_beside_ports_has_dram_and_latency_of_each_socket)
{
	start("spr,sockets=2,ports=1," TRAFFIC, ALL);
	sample(1);
	draw(24, 80, true);
	ck_assert_str_eq(canvas_row(&c, 2),
			 " socket 0 20.00 GB/s 8.000 GB/s 60.00 GB/s 30.00 GB/s   320 ns   110 "
			 "ns   190 ns");
	ck_assert_str_eq(canvas_row(&c, 4),
			 " system   40.00 GB/s 16.00 GB/s 120.0 GB/s 60.00 GB/s   320 ns   110 "
			 "ns   190 ns");
}
END_TEST

START_TEST(test_bars_are_shares_of_the_link_where_it_is_known)
{
	start("spr,sockets=1,ports=2," TRAFFIC, "cxl");
	scene.link_MBps = 40000;
	sample(1);
	draw(24, 80, false);
	ck_assert(canvas_shows(&c, "read   20.00 GB/s #############################   "));
	ck_assert(canvas_shows(&c, "read, up to 40.00 GB/s") ||
		  canvas_shows(&c, "read+write, up to 80.00 GB/s"));
	state.scope = SCOPE_SOCKET;
	draw(24, 80, false);
	ck_assert(canvas_shows(&c, "CXL read, up to 80.00 GB/s"));
}
END_TEST

START_TEST(test_what_is_not_known_is_a_dash_and_a_gap)
{
	start("spr,ports=1," TRAFFIC, "cxl");
	sample(2);
	sim_set_unit_dead(m.sim, 0, BOX_CXLDP, 3, true);
	sample(2);
	draw(24, 80, false);
	ck_assert(canvas_shows(&c, "| read            -          "));
	ck_assert(isnan(history_at(&panels.all[0].history[SHOWN_CXL_READ], 0)));
	ck_assert_double_eq(history_at(&panels.all[0].history[SHOWN_CXL_READ], 2), 20000);
	ck_assert_double_eq(panels.all[0].cxl_peak, 20000);
	ck_assert(canvas_shows(&c, "##   |"));
}
END_TEST

START_TEST(test_link_errors_are_marked)
{
	start("spr,ports=1,crc=3," TRAFFIC, ALL);
	sample(1);
	draw(24, 80, true);
	ck_assert_int_eq(canvas_style_of(&c, "crc 3/s"), STYLE_ERROR);
	ck_assert_int_eq(canvas_style_of(&c, "retry 0/s"), STYLE_PLAIN);
}
END_TEST

START_TEST(test_without_unicode_all_is_ascii)
{
	start("spr,sockets=2,ports=2," TRAFFIC, ALL);
	sample(9);
	for (state.help = false;; state.help = true) {
		draw(60, 200, false);
		for (int row = 0; row < 60; row++)
			for (int column = 0; column < 200; column++)
				ck_assert_int_lt(canvas_at(&c, row, column)->character, 0x7F);
		if (state.help)
			break;
	}
}
END_TEST

START_TEST(test_sockets_and_the_system_have_panels_of_their_own)
{
	start("spr,sockets=2,ports=2," TRAFFIC, ALL);
	sample(1);
	state.scope = SCOPE_SOCKET;
	draw(24, 80, false);
	ck_assert(canvas_shows(&c, "- socket 1 -"));
	ck_assert(canvas_shows(&c, "CXL read    40.00 GB/s #"));
	ck_assert(canvas_shows(&c, "DRAM write  30.00 GB/s #"));
	ck_assert(canvas_shows(&c, "latency    CXL 320 ns   local 110 ns   remote 190 ns"));
	state.scope = SCOPE_SYSTEM;
	draw(24, 80, false);
	ck_assert(canvas_shows(&c, "- system -"));
	ck_assert(canvas_shows(&c, "CXL read    80.00 GB/s #"));
}
END_TEST

START_TEST(test_panels_are_sorted_by_traffic_and_unknown_comes_last)
{
	struct panel all[3] = {{.port = 0}, {.port = 1}, {.port = 2}};
	const struct panels some = {.all = all, .count = 3};

	for (int i = 0; i < 3; i++)
		all[i].scope = SCOPE_PORT;
	all[0].values[SHOWN_CXL_READ].number = NAN;
	all[0].values[SHOWN_CXL_WRITE].number = NAN;
	all[1].values[SHOWN_CXL_READ].number = 5;
	all[2].values[SHOWN_CXL_READ].number = NAN;
	all[2].values[SHOWN_CXL_WRITE].number = 6;
	ck_assert_uint_eq(panels_choose(&some, SCOPE_PORT, false, room), 3);
	ck_assert_int_eq(room[0]->port, 0);
	ck_assert_uint_eq(panels_choose(&some, SCOPE_PORT, true, room), 3);
	ck_assert_int_eq(room[0]->port, 2);
	ck_assert_int_eq(room[1]->port, 1);
	ck_assert_int_eq(room[2]->port, 0);
}
END_TEST

/* Traffic that comes in bursts passes steady traffic in every other sample. */
START_TEST(test_order_by_traffic_is_that_of_the_last_samples_together)
{
	struct panel all[2] = {{.scope = SCOPE_PORT, .port = 0}, {.scope = SCOPE_PORT, .port = 1}};
	const struct panels some = {.all = all, .count = 2};

	for (unsigned i = 0; i < 40; i++) {
		const double bursts = i % 2 ? 0 : 10, steady = 7;

		all[0].values[SHOWN_CXL_READ].number = bursts;
		all[1].values[SHOWN_CXL_READ].number = steady;
		history_add(&all[0].history[SHOWN_CXL_READ], bursts, 1, 1);
		history_add(&all[1].history[SHOWN_CXL_READ], steady, 1, 1);
		if (!i)
			continue;
		ck_assert_uint_eq(panels_choose(&some, SCOPE_PORT, true, room), 2);
		ck_assert_int_eq(room[0]->port, 1);
	}
	/* what has really changed is seen soon */
	for (unsigned i = 0; i < 10; i++)
		history_add(&all[0].history[SHOWN_CXL_READ], 8, 1, 1);
	panels_choose(&some, SCOPE_PORT, true, room);
	ck_assert_int_eq(room[0]->port, 0);
}
END_TEST

/* Where each label stands. */
static void find_labels(char *text, size_t size)
{
	static const char *const labels[] = {"crc", "retry", "tx ", "rx ",   "data",  "requests",
					     "d2h", "h2d",   "CXL", "local", "remote"};
	size_t used = 0;

	for (int row = 0; row < c.rows; row++) {
		const char *line = canvas_row(&c, row);

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

START_TEST(test_values_of_any_length_leave_all_labels_in_their_places)
{
	static const double numbers[] = {0, 0.0001, 0.25, 9.5, 12.34, 999.7, 123456, 62.4e6, 203e6};
	static char expected[8192], found[8192];

	start("spr,sockets=4,ports=2," TRAFFIC, ALL);
	sample(1);
	state.scope = places[_i].scope;
	for (unsigned n = 0; n < 2 * COUNT_OF(numbers); n++) {
		for (size_t p = 0; p < panels.count; p++) {
			for (unsigned s = 0; s < SHOWN_COUNT; s++) {
				panels.all[p].values[s].number = numbers[n / 2];
				panels.all[p].values[s].scaled = n % 2;
			}
		}
		draw(places[_i].rows, places[_i].columns, false);
		find_labels(n ? found : expected, sizeof(found));
		if (n)
			ck_assert_str_eq(found, expected);
	}
}
END_TEST

START_TEST(test_help_fits_a_small_screen)
{
	start("spr,ports=1," TRAFFIC, "cxl");
	state.help = true;
	draw(24, 80, false);
	ck_assert(canvas_shows(&c, "+- keys ----"));
	for (const struct screen_key_help *k = screen_key_table; k->key; k++)
		ck_assert_msg(canvas_shows(&c, k->help), "not on the screen: %s", k->help);
	ck_assert(canvas_shows(&c, "counted only part of the time, and scaled"));
	ck_assert_str_eq(canvas_row(&c, 23), " q quit  p pause  + - interval  g group  s sort  ? "
					     "help                 by port");
}
END_TEST

START_TEST(test_system_is_the_last_row_that_gives_way_to_panels)
{
	start("spr,sockets=4,ports=1," TRAFFIC, ALL);
	sample(1);
	for (int rows = 24; rows >= 10; rows--) {
		draw(rows, 80, false);
		ck_assert_msg(canvas_shows(&c, " system "), "not with %d rows", rows);
	}
	ck_assert(!canvas_shows(&c, " socket 0 "));
	draw(11, 80, false);
	assert_contains(canvas_row(&c, 2), " socket 0 ");
	assert_contains(canvas_row(&c, 3), " system ");
	/* a heading alone is of no use */
	scene.message = "something is wrong";
	draw(10, 80, false);
	ck_assert(!canvas_shows(&c, "CXL lat."));
	ck_assert_int_eq(layout.table.rows, 0);
}
END_TEST

START_TEST(test_more_panels_than_fit_are_scrolled)
{
	start("spr,sockets=2,ports=8," TRAFFIC, "cxl");
	sample(1);
	draw(24, 80, false);
	ck_assert(canvas_shows(&c, "by port 1-6 of 16"));
	ck_assert(canvas_shows(&c, "s0 p5"));
	ck_assert(!canvas_shows(&c, "s0 p6"));
	state.scroll = 99;
	draw(24, 80, false);
	ck_assert(canvas_shows(&c, "by port 11-16 of 16"));
	ck_assert(canvas_shows(&c, "s1 p7"));
}
END_TEST

/* The footer has room for the keys only. */
START_TEST(test_narrow_screen_says_how_many_panels_are_hidden)
{
	start("spr,sockets=2,ports=2," TRAFFIC, "cxl,latency,dram");
	sample(1);
	draw(15, 60, false);
	ck_assert_uint_eq(layout.visible, 1);
	ck_assert_str_eq(canvas_row(&c, 13),
			 "+- 3 more: Up and Down scroll -----------------------------+");
	assert_contains(canvas_row(&c, 14), "? help");
	state.scroll = 2;
	draw(15, 60, false);
	assert_contains(canvas_row(&c, 13), " 3 more: Up and Down scroll ");
	draw(15, 80, false);
	ck_assert(!canvas_shows(&c, "more:"));
	assert_contains(canvas_row(&c, 14), "by port 3-4 of 4");
	state.scope = SCOPE_SYSTEM;
	draw(15, 60, false);
	ck_assert(!canvas_shows(&c, "more:"));
}
END_TEST

START_TEST(test_a_copy_stays_while_samples_go_on)
{
	start("spr,ports=1," TRAFFIC, "cxl");
	ck_assert_int_eq(panels_init(&copy, &m.view), 0);
	sample(1);
	panels_copy(&copy, &panels);
	sample(3);
	ck_assert_uint_eq(copy.all[0].history[SHOWN_CXL_READ].count, 1);
	ck_assert_uint_eq(panels.all[0].history[SHOWN_CXL_READ].count, 4);
}
END_TEST

START_TEST(test_messages_and_pause_and_smallness_are_said)
{
	start("spr,ports=1," TRAFFIC, "cxl");
	scene.message = "something is wrong";
	state.paused = true;
	draw(24, 80, false);
	assert_contains(canvas_row(&c, 22), " something is wrong");
	assert_contains(canvas_row(&c, 0), "PAUSED");
	draw(5, 20, false);
	canvas_assert(&c, "terminal too small:\nneeds 40x10\n\n\n\n");
	draw(1, 1, false);
	canvas_assert(&c, "t\n");
}
END_TEST

START_TEST(test_every_size_and_choice_of_metrics_can_be_drawn)
{
	static const char *const groups[] = {"cxl", "dram", "latency", "queue,link", "core", "all"};

	start("spr,sockets=2,ports=3," TRAFFIC, groups[_i]);
	sample(3);
	for (state.scope = panels_next_scope(&panels, SCOPE_CPU); state.scope < SCOPE_COUNT;
	     state.scope++)
		for (int rows = 1; rows < 70; rows += 3)
			for (int columns = 1; columns < 220; columns += 11)
				draw(rows, columns, rows % 2);
}
END_TEST

Suite *suite_screen(void)
{
	Suite *suite = suite_create("screen");
	TCase *tc = tcase_create("screen");

	tcase_add_checked_fixture(tc, NULL, tear_down);
	tcase_add_test(tc, test_a_small_screen_shows_all_of_two_ports);
	tcase_add_test(tc, test_panel_of_a_port_has_its_device_bars_and_a_graph);
	tcase_add_test(tc, test_panel_of_a_port_has_what_its_device_counts);
	tcase_add_test(tc, test_queues_and_errors_of_a_device_are_shown_where_it_counts_them);
	tcase_add_test(tc, test_a_device_whose_port_is_not_known_has_a_panel);
	tcase_add_test(tc, test_nodes_have_panels_behind_those_of_ports);
	tcase_add_test(tc, test_nodes_alone_have_panels);
	tcase_add_test(tc, test_table_beside_ports_has_dram_and_latency_of_each_socket);
	tcase_add_test(tc, test_bars_are_shares_of_the_link_where_it_is_known);
	tcase_add_test(tc, test_what_is_not_known_is_a_dash_and_a_gap);
	tcase_add_test(tc, test_link_errors_are_marked);
	tcase_add_test(tc, test_without_unicode_all_is_ascii);
	tcase_add_test(tc, test_sockets_and_the_system_have_panels_of_their_own);
	tcase_add_test(tc, test_panels_are_sorted_by_traffic_and_unknown_comes_last);
	tcase_add_test(tc, test_order_by_traffic_is_that_of_the_last_samples_together);
	tcase_add_loop_test(tc, test_values_of_any_length_leave_all_labels_in_their_places, 0,
			    COUNT_OF(places));
	tcase_add_test(tc, test_help_fits_a_small_screen);
	tcase_add_test(tc, test_system_is_the_last_row_that_gives_way_to_panels);
	tcase_add_test(tc, test_more_panels_than_fit_are_scrolled);
	tcase_add_test(tc, test_narrow_screen_says_how_many_panels_are_hidden);
	tcase_add_test(tc, test_a_copy_stays_while_samples_go_on);
	tcase_add_test(tc, test_messages_and_pause_and_smallness_are_said);
	tcase_add_loop_test(tc, test_every_size_and_choice_of_metrics_can_be_drawn, 0, 6);
	suite_add_tcase(suite, tc);
	return suite;
}
