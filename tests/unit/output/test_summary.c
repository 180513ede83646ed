/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/summary.h"

#include <math.h>

#include "sim_monitor.h"
#include "unit.h"

#define TRAFFIC "read=12,write=5,cache_d2h=0.5,cache_h2d=1,clock=virtual"

static struct sim_monitor m;
static struct summary *s;
static const char *text;
static int width;

static void set_up(void)
{
	width = 80;
}

static void tear_down(void)
{
	summary_free(s);
	s = NULL;
}

static void start(const struct sim_setup *setup)
{
	sim_monitor_start_as(&m, setup);
	ck_assert_int_eq(summary_new(&m.view.table, SUMMARY_WHOLE, &s), 0);
}

static void sample(unsigned count)
{
	while (count--) {
		sim_monitor_sample(&m);
		summary_add(s, &m.sample);
	}
}

static const char *print(uint64_t elapsed_ns)
{
	FILE *out = text_open();

	ck_assert_int_eq(summary_print(s, "a machine", elapsed_ns, width, out), 0);
	return text = text_close(out);
}

FIXTURE(set_up, tear_down)

TEST(test_a_summary_has_what_was_moved_and_figures_of_each_metric)
{
	start(&(struct sim_setup){.spec = "gnr,ports=2," TRAFFIC});
	sample(4);
	ck_assert_str_eq(
		print(4 * SECOND + SECOND / 2),
		"cxlmon: 4 samples in 4.500 s on a machine\n"
		"                                       total     mean      p95      max\n"
		"  CXL read, MB/s      s0 p0 mem0   48.000 GB  12000.0  12000.0  12000.0\n"
		"                      s0 p1 mem1   48.000 GB  12000.0  12000.0  12000.0\n"
		"                      system       96.000 GB  24000.0  24000.0  24000.0\n"
		"  CXL write, MB/s     s0 p0 mem0   20.000 GB   5000.0   5000.0   5000.0\n"
		"                      s0 p1 mem1   20.000 GB   5000.0   5000.0   5000.0\n"
		"                      system       40.000 GB  10000.0  10000.0  10000.0\n"
		"  CXL.cache D2H, MB/s s0 p0 mem0    2.000 GB    500.0    500.0    500.0\n"
		"                      s0 p1 mem1    2.000 GB    500.0    500.0    500.0\n"
		"                      system        4.000 GB   1000.0   1000.0   1000.0\n"
		"  CXL.cache H2D, MB/s s0 p0 mem0    4.000 GB   1000.0   1000.0   1000.0\n"
		"                      s0 p1 mem1    4.000 GB   1000.0   1000.0   1000.0\n"
		"                      system        8.000 GB   2000.0   2000.0   2000.0\n");
}

TEST(test_a_narrow_terminal_has_the_mean_and_then_the_maximum)
{
	start(&(struct sim_setup){.spec = "gnr,ports=1," TRAFFIC});
	sample(1);
	width = 69; /* the most that the longest line takes */
	assert_contains(print(SECOND), "     total     mean      p95      max\n");
	width = 60;
	assert_contains(print(SECOND), "     total     mean      max\n");
	width = 59;
	assert_contains(print(SECOND), "     total     mean\n");
	width = 10;
	assert_contains(print(SECOND), "     total     mean\n");
}

TEST(test_after_a_screen_one_line_is_left)
{
	start(&(struct sim_setup){.spec = "gnr,ports=2," TRAFFIC});
	summary_free(s);
	ck_assert_int_eq(summary_new(&m.view.table, SUMMARY_LINE, &s), 0);
	pass_time(m.platform, 3 * SECOND + SECOND / 4);
	sample(2);
	ck_assert_str_eq(print(100 * SECOND),
			 "cxlmon: 2 samples in 100.000 s on a machine, 2 deadlines missed\n");
}

TEST(test_a_single_port_is_not_shown_beside_the_system)
{
	start(&(struct sim_setup){.spec = "gnr,ports=1," TRAFFIC});
	sample(1);
	assert_lacks(print(SECOND), "s0 p0");
	assert_contains(text, "cxlmon: 1 sample in 1.000 s on a machine\n");
	assert_contains(text, "  CXL read, MB/s      system   12.000 GB  12000.0 ");
}

TEST(test_of_up_to_four_ports_all_figures_are_shown)
{
	start(&(struct sim_setup){.spec = "spr,ports=4,crc=3," TRAFFIC,
				  .view = {.groups = "cxl,link"}});
	sample(2);
	assert_contains(print(2 * SECOND), "s0 p3 mem3   24.000 GB  12000.0  12000.0 ");
	assert_contains(text, "  CRC errors");
	assert_contains(text, "s0 p3 mem3           6      3.0      3.0 ");
}

TEST(test_of_many_ports_only_what_they_moved_is_shown)
{
	start(&(struct sim_setup){.spec = "gnr,ports=5,crc=3,full=10,wave=0," TRAFFIC,
				  .view = {.groups = "cxl,link,queue"}});
	sample(2);
	assert_contains(print(2 * SECOND), "  CXL read, MB/s      s0 p0 mem0   24.000 GB\n");
	assert_contains(text, "                      system      120.000 GB  60000.0 ");
	assert_lacks(text, "s0 p4 mem4   24.000 GB ");
}

/* The total is not the rate times the elapsed time. */
TEST(test_totals_are_those_of_the_time_that_was_counted)
{
	start(&(struct sim_setup){.spec = "gnr,ports=1," TRAFFIC});
	pass_time(m.platform, 3 * SECOND + SECOND / 4);
	sample(2);
	assert_contains(print(100 * SECOND), "  CXL read, MB/s      system   48.000 GB  12000.0 ");
	assert_contains(text, "2 samples in 100.000 s on a machine, 2 deadlines missed\n");
}

TEST(test_what_was_never_known_is_left_out_and_never_0)
{
	start(&(struct sim_setup){.spec = "spr,ports=2," TRAFFIC, .view = {.groups = "cxl,dram"}});
	sim_set_unit_dead(m.sim, 0, PMU_CXLDP, 3, true);
	sample(3);
	/* there are no such events */
	assert_lacks(print(3 * SECOND), "D2H");
	assert_lacks(text, "hbm");
	assert_contains(text, "  CXL read, MB/s      s0 p0 mem0           -\n"
			      "                      s0 p1 mem1   36.000 GB ");
}

TEST(test_what_was_known_for_a_while_says_for_how_long)
{
	start(&(struct sim_setup){.spec = "gnr,ports=1," TRAFFIC});
	sample(3);
	sim_set_unit_dead(m.sim, 0, PMU_CXLDP, 3, true);
	sample(1);
	assert_contains(print(4 * SECOND),
			"  CXL write, MB/s     system   15.000 GB   5000.0   5000.0   5000.0 *\n");
	assert_contains(text,
			"  CXL read, MB/s      system   48.000 GB  12000.0  12000.0  12000.0\n");
}

TEST(test_only_rates_have_a_total)
{
	start(&(struct sim_setup){.spec = "spr,ports=1,crc=3,retry=7,full=12.5," TRAFFIC,
				  .view = {.groups = "latency,link,core"}});
	sample(2);
	print(2 * SECOND);
	assert_contains(text, "  CRC errors, 1/s     system           6      3.0 ");
	assert_contains(text, "  CXL latency, ns     system                320.0    320.0 ");
	assert_contains(text,
			"  IPC                 system                1.250    1.250    1.250\n");
}

TEST(test_without_a_sample_there_is_no_summary)
{
	start(&(struct sim_setup){.spec = "gnr,ports=1," TRAFFIC});
	ck_assert_str_eq(print(SECOND), "");
}

/* Starts with an event twice, once with a name of its own; for all units, or their sums. */
static void start_events(enum scope finest)
{
	static struct event_choice events[3];

	sim_monitor_machine(&m, "spr,sockets=2,ports=1,clock=virtual");
	events[0].event = events[1].event = model_event(m.machine.model, "UNC_CXLCM_CLOCKTICKS");
	events[2].event = model_event(m.machine.model, "cycles");
	sim_monitor_measure(
		&m, .view = {.finest = finest, .events = events, .event_count = COUNT_OF(events)});
	ck_assert_int_eq(summary_new(&m.view.table, SUMMARY_WHOLE, &s), 0);
}

static const enum scope finest[] = {SCOPE_PORT, SCOPE_SOCKET, SCOPE_SYSTEM};

TEST_LOOP(test_events_are_summed_over_all_their_units, (int)COUNT_OF(finest))
{
	start_events(finest[_i]);
	sample(3);
	ck_assert_str_eq(
		print(3 * SECOND),
		"cxlmon: 3 samples in 3.000 s on a machine\n"
		"           count   mean/s    p95/s    max/s  event, units\n"
		"      6000000000    2.0 G    2.0 G    2.0 G  UNC_CXLCM_CLOCKTICKS, cxlcm\n"
		"      6000000000    2.0 G    2.0 G    2.0 G  UNC_CXLCM_CLOCKTICKS, cxlcm\n"
		"    144000000000   48.0 G   48.0 G   48.0 G  cycles, core\n");
}

TEST(test_an_event_that_was_never_known_has_no_count)
{
	start_events(SCOPE_SYSTEM);
	sim_set_unit_dead(m.sim, 1, PMU_CXLCM, 2, true);
	sample(2);
	assert_contains(
		print(2 * SECOND),
		"               -        -        -        -  UNC_CXLCM_CLOCKTICKS, cxlcm\n");
}
