/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/sink.h"

#include <stdlib.h>
#include <time.h>

#include "sim_monitor.h"
#include "suites.h"
#include "text_output.h"

#define TRAFFIC "read=12,write=5,cache_d2h=0.5,cache_h2d=1,clock=virtual"
#define HEADER                                                                                     \
	"                            mem        mem      cache      cache\n"                       \
	"                           read      write        d2h        h2d\n"                       \
	"TIME         WHERE         MB/s       MB/s       MB/s       MB/s\n"

#define HEADER_DEVICES                                                                             \
	"                               mem        mem      cache      cache\n"                    \
	"                              read      write        d2h        h2d\n"                    \
	"TIME         WHERE            MB/s       MB/s       MB/s       MB/s\n"

static void use_utc(void)
{
	setenv("TZ", "UTC0", 1);
	tzset();
}

static void start(struct sim_monitor *m, struct text_output *o, const struct sim_setup *setup)
{
	use_utc();
	sim_monitor_start(m, setup);
	text_output_open(o, &format_table, &m->view);
}

static void sample(struct sim_monitor *m, struct text_output *o)
{
	sim_monitor_sample(m);
	format_table.sample(&o->sink, &m->sample);
}

START_TEST(test_table_off_a_terminal_has_one_header_and_no_escapes)
{
	struct sim_monitor m;
	struct text_output o;

	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	start(&m, &o, &(struct sim_setup){.spec = "gnr,sockets=2,ports=1," TRAFFIC});
	sample(&m, &o);
	sample(&m, &o);
	text_output_assert(&o, HEADER_DEVICES
			   "00:00:01.000 s0 p0 mem0    12000.0     5000.0      500.0     1000.0\n"
			   "             s1 p0 mem1    12000.0     5000.0      500.0     1000.0\n"
			   "             s0            12000.0     5000.0      500.0     1000.0\n"
			   "             s1            12000.0     5000.0      500.0     1000.0\n"
			   "             system        24000.0    10000.0     1000.0     2000.0\n"
			   "00:00:02.000 s0 p0 mem0    12000.0     5000.0      500.0     1000.0\n"
			   "             s1 p0 mem1    12000.0     5000.0      500.0     1000.0\n"
			   "             s0            12000.0     5000.0      500.0     1000.0\n"
			   "             s1            12000.0     5000.0      500.0     1000.0\n"
			   "             system        24000.0    10000.0     1000.0     2000.0\n");
	sim_monitor_close(&m);
}
END_TEST

START_TEST(test_header_is_not_repeated_off_a_terminal_however_long_it_gets)
{
	struct sim_monitor m;
	struct text_output o;
	unsigned headers = 0, lines = 0;

	start(&m, &o,
	      &(struct sim_setup){.spec = "gnr,ports=1," TRAFFIC,
				  .view = {.finest = SCOPE_SYSTEM}});
	for (unsigned k = 0; k < 200; k++)
		sample(&m, &o);
	fflush(o.sink.out);
	for (const char *at = o.text; *at; at++) {
		lines += *at == '\n';
		headers += *at == 'W'; /* of WHERE */
	}
	ck_assert_uint_eq(headers, 1);
	ck_assert_uint_eq(lines, 203);
	format_table.end(&o.sink);
	fclose(o.sink.out);
	free(o.text);
	sim_monitor_close(&m);
}
END_TEST

START_TEST(test_what_is_not_known_is_a_dash)
{
	struct sim_monitor m;
	struct text_output o;

	start(&m, &o, &(struct sim_setup){.spec = "spr,ports=1," TRAFFIC, .start_ns = 1});
	sample(&m, &o);
	sim_set_unit_dead(m.sim, 0, BOX_CXLDP, 3, true);
	sample(&m, &o);
	text_output_assert(&o, HEADER_DEVICES
			   "00:00:01.000 s0 p0 mem0    12000.0     5000.0          -     1000.0\n"
			   "             s0            12000.0     5000.0          -     1000.0\n"
			   "             system        12000.0     5000.0          -     1000.0\n"
			   "00:00:02.000 s0 p0 mem0          -     5000.0          -     1000.0\n"
			   "             s0                  -     5000.0          -     1000.0\n"
			   "             system              -     5000.0          -     1000.0\n");
	sim_monitor_close(&m);
}
END_TEST

START_TEST(test_a_port_whose_device_is_not_known_takes_no_room_for_it)
{
	struct sim_monitor m;
	struct text_output o;

	use_utc();
	sim_monitor_machine(&m, "gnr,ports=1," TRAFFIC);
	m.machine.ports[0].device = NULL;
	ck_assert_int_eq(sim_monitor_view(&m, &(struct view_options){0}), 0);
	sim_monitor_poller(&m, m.view.requests, m.view.request_count, &(struct sim_setup){0});
	view_bind(&m.view, &m.plan);
	ck_assert_int_eq(sim_monitor_begin(&m), 0);
	text_output_open(&o, &format_table, &m.view);
	sample(&m, &o);
	text_output_assert(&o, HEADER
			   "00:00:01.000 s0 p0      12000.0     5000.0      500.0     1000.0\n"
			   "             s0         12000.0     5000.0      500.0     1000.0\n"
			   "             system     12000.0     5000.0      500.0     1000.0\n");
	sim_monitor_close(&m);
}
END_TEST

START_TEST(test_missed_deadlines_stand_behind_the_first_row_of_their_sample)
{
	struct sim_monitor m;
	struct text_output o;

	start(&m, &o,
	      &(struct sim_setup){.spec = "gnr,ports=1," TRAFFIC,
				  .view = {.finest = SCOPE_SOCKET}});
	pass_time(m.platform, 3 * SECOND + SECOND / 4);
	sample(&m, &o);
	sample(&m, &o);
	text_output_assert(
		&o, HEADER
		"00:00:03.250 s0         12000.0     5000.0      500.0     1000.0  2 missed\n"
		"             system     12000.0     5000.0      500.0     1000.0\n"
		"00:00:04.000 s0         12000.0     5000.0      500.0     1000.0\n"
		"             system     12000.0     5000.0      500.0     1000.0\n");
	sim_monitor_close(&m);
}
END_TEST

START_TEST(test_table_without_a_sample_is_empty)
{
	struct sim_monitor m;
	struct text_output o;

	start(&m, &o, &(struct sim_setup){.spec = "gnr," TRAFFIC});
	text_output_assert(&o, "");
	sim_monitor_close(&m);
}
END_TEST

Suite *suite_out_table(void)
{
	Suite *suite = suite_create("table");
	TCase *tc = tcase_create("table");

	tcase_add_test(tc, test_table_off_a_terminal_has_one_header_and_no_escapes);
	tcase_add_test(tc, test_header_is_not_repeated_off_a_terminal_however_long_it_gets);
	tcase_add_test(tc, test_what_is_not_known_is_a_dash);
	tcase_add_test(tc, test_a_port_whose_device_is_not_known_takes_no_room_for_it);
	tcase_add_test(tc, test_missed_deadlines_stand_behind_the_first_row_of_their_sample);
	tcase_add_test(tc, test_table_without_a_sample_is_empty);
	suite_add_tcase(suite, tc);
	return suite;
}
