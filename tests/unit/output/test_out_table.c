/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/sink.h"

#include <math.h>
#include <time.h>

#include "formula/custom_metric.h"
#include "output/fields.h"
#include "sim_monitor.h"
#include "text_output.h"
#include "unit.h"

#define TRAFFIC "read=12,write=5,cache_d2h=0.5,cache_h2d=1,clock=virtual"
#define HEADER                                                                                     \
	"                                            CXL.cache  CXL.cache\n"                       \
	"                       CXL read  CXL write        D2H        H2D\n"                       \
	"TIME         WHERE         MB/s       MB/s       MB/s       MB/s\n"

#define HEADER_DEVICES                                                                             \
	"                                               CXL.cache  CXL.cache\n"                    \
	"                          CXL read  CXL write        D2H        H2D\n"                    \
	"TIME         WHERE            MB/s       MB/s       MB/s       MB/s\n"

static struct sim_monitor m;
static struct sink sink;

static void use_utc(void)
{
	setenv("TZ", "UTC0", 1);
	tzset();
}

static void start(const struct sim_setup *setup)
{
	use_utc();
	sim_monitor_start_as(&m, setup);
	text_output_open(&sink, &format_table, &m.view.table);
}

static void sample(void)
{
	sim_monitor_sample(&m);
	format_table.sample(&sink, &m.sample);
}

TEST(test_table_off_a_terminal_has_one_header_and_no_escapes)
{
	setenv("TERM", "xterm", 1);
	unsetenv("NO_COLOR");
	start(&(struct sim_setup){.spec = "gnr,sockets=2,ports=1," TRAFFIC});
	sample();
	sample();
	text_output_assert(&sink, HEADER_DEVICES
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
}

TEST(test_header_is_not_repeated_off_a_terminal_however_long_it_gets)
{
	unsigned headers = 0, lines = 0;

	start(&(struct sim_setup){.spec = "gnr,ports=1," TRAFFIC,
				  .view = {.finest = SCOPE_SYSTEM}});
	for (unsigned k = 0; k < 200; k++)
		sample();
	for (const char *at = text_output_close(&sink); *at; at++) {
		lines += *at == '\n';
		headers += *at == 'W'; /* W of WHERE */
	}
	ck_assert_uint_eq(headers, 1);
	ck_assert_uint_eq(lines, 203);
}

/* Header on Sapphire Rapids, which has no event for data of CXL.cache from the device. */
#define HEADER_SPR                                                                                 \
	"                                               CXL.cache\n"                               \
	"                          CXL read  CXL write        H2D\n"                               \
	"TIME         WHERE            MB/s       MB/s       MB/s\n"

TEST(test_what_is_not_known_is_a_dash_and_what_never_can_be_has_no_column)
{
	start(&(struct sim_setup){.spec = "spr,ports=1," TRAFFIC, .start_ns = 1});
	sample();
	sim_set_unit_dead(m.sim, 0, PMU_CXLDP, 3, true);
	sample();
	text_output_assert(&sink,
			   HEADER_SPR "00:00:01.000 s0 p0 mem0    12000.0     5000.0     1000.0\n"
				      "             s0            12000.0     5000.0     1000.0\n"
				      "             system        12000.0     5000.0     1000.0\n"
				      "00:00:02.000 s0 p0 mem0          -     5000.0     1000.0\n"
				      "             s0                  -     5000.0     1000.0\n"
				      "             system              -     5000.0     1000.0\n");
}

static const struct {
	double count;
	const char *shown;
} counts[] = {
	{0, "           0         0.0"},      {1, "           1         1.0"},
	{999, "         999       999.0"},    {1000, "       1.0 k       1.0 k"},
	{1049, "       1.0 k       1.0 k"},   {999949, "     999.9 k     999.9 k"},
	{999951, "       1.0 M       1.0 M"}, {30e9, "      30.0 G      30.0 G"},
	{1.5e12, "       1.5 T       1.5 T"}, {123e15, "     123.0 P     123.0 P"},
	{2e18, "       2.0 E       2.0 E"},   {2e22, "   20000.0 E   20000.0 E"},
	{NAN, "           -           -"},
};

/* Prints a row of an event, made by hand, and compares its line. */
static void assert_event(const char *name, double count, bool terminal, const char *line)
{
	const struct pmu_type pmu_type = {.name = "cha"};
	const struct unit unit = {.pmu_type = &pmu_type, .id = 7};
	const struct event event = {.name = name};
	struct row row = {.place.kind = ROW_SYSTEM,
			  .unit = &unit,
			  .event = &event,
			  .count = count,
			  .per_s = count,
			  .counted_pct = 100};
	const struct table table = {.rows = &row, .row_count = 1, .event_rows = 1};
	char expected[256];

	use_utc();
	snprintf(expected, sizeof(expected),
		 "TIME         WHERE   UNIT              COUNT  PER SECOND  EVENT\n"
		 "00:00:00.000 system  cha 7      %s\n",
		 line);
	text_output_open(&sink, &format_table, &table);
	sink.terminal = terminal;
	sink.fd = -1;
	format_table.sample(&sink, &(struct sample){0});
	text_output_assert(&sink, expected);
}

TEST_LOOP(test_counts_have_prefixes_of_the_si, (int)COUNT_OF(counts))
{
	char line[128];

	snprintf(line, sizeof(line), "%s  clocks", counts[_i].shown);
	assert_event("clocks", counts[_i].count, false, line);
}

/* The name has room for 22 of 80 characters. */
TEST(test_the_name_of_an_event_that_has_no_room_has_a_line_of_its_own)
{
	assert_event("UNC_M_PRE_COUNT.PGT_RD", 0, true,
		     "           0         0.0  UNC_M_PRE_COUNT.PGT_RD");
	assert_event("UNC_M_PRE_COUNT.PGT_ALL", 0, true,
		     "           0         0.0\n             UNC_M_PRE_COUNT.PGT_ALL");
}

static const struct {
	double number;
	unsigned decimals;
	bool estimate;
	const char *shown;
} plain[] = {
	{0, CUSTOM_DECIMALS, false, "       0.00"},
	{0.25765, CUSTOM_DECIMALS, false, "      0.258"},
	{0.0012345, CUSTOM_DECIMALS, false, "    0.00123"},
	{12.345, CUSTOM_DECIMALS, true, "      ~12.3"},
	{999.4, CUSTOM_DECIMALS, false, "        999"},
	{999.5, CUSTOM_DECIMALS, false, "     1.00 k"},
	{257659474, CUSTOM_DECIMALS, false, "      258 M"},
	{-257659474, CUSTOM_DECIMALS, true, "    ~-258 M"},
	{NAN, CUSTOM_DECIMALS, false, "          -"},
	{257659474, 0, false, "  257659474"},
	{0.25764, 4, false, "     0.2576"},
};

TEST_LOOP(test_a_number_of_a_custom_metric_without_a_unit_has_three_digits, (int)COUNT_OF(plain))
{
	const struct metric metric = {
		.name = "m", .group = CUSTOM_GROUP, .unit = "", .decimals = plain[_i].decimals};
	FILE *out = text_open();

	field_value(out, &metric, plain[_i].number, 11, plain[_i].estimate);
	ck_assert_str_eq(text_close(out), plain[_i].shown);
}

TEST(test_counts_of_hardware_are_in_millions_in_all_rows)
{
	start(&(struct sim_setup){.spec = "spr,ports=1,cpus=2,read=12,crc=1500,clock=virtual",
				  .view = {.groups = "core,link,cxl", .finest = SCOPE_SYSTEM}});
	sample();
	const char *text = text_output_close(&sink);
	assert_contains(text, "         M/s        M/s                   MHz ");
	/* instructions, cycles, instructions per cycle, MHz */
	assert_contains(text, " system        7500.0     6000.0      1.250     3000.0 ");
	assert_contains(text, "     1500.0        0.0 ");
	assert_contains(text, "    12000.0 ");
}

TEST(test_a_port_whose_device_is_not_known_takes_no_room_for_it)
{
	use_utc();
	sim_monitor_machine(&m, "gnr,ports=1," TRAFFIC);
	m.machine.ports[0].device = NULL;
	sim_monitor_measure(&m, .spec = NULL);
	text_output_open(&sink, &format_table, &m.view.table);
	sample();
	text_output_assert(&sink, HEADER
			   "00:00:01.000 s0 p0      12000.0     5000.0      500.0     1000.0\n"
			   "             s0         12000.0     5000.0      500.0     1000.0\n"
			   "             system     12000.0     5000.0      500.0     1000.0\n");
}

/* Time and place take 23 of 80 characters, and five metrics 55: CXL.cache goes before DRAM. */
TEST(test_a_terminal_has_the_metrics_that_have_room)
{
	sim_monitor_start(&m, .spec = "gnr,ports=1," TRAFFIC, .view = {.groups = "cxl,dram"});
	bool shown[16];

	ck_assert_uint_le(m.view.table.column_count, COUNT_OF(shown));
	out_table_fit(&m.view.table, 80, shown);
	ck_assert(shown[table_find(&m.view.table, "dram_read_MBps")]);
	ck_assert(shown[table_find(&m.view.table, "dram_write_MBps")]);
	ck_assert(shown[table_find(&m.view.table, "cxl_cache_d2h_MBps")]);
	ck_assert(!shown[table_find(&m.view.table, "cxl_cache_h2d_MBps")]);
	out_table_fit(&m.view.table, 66, shown);
	ck_assert(!shown[table_find(&m.view.table, "dram_write_MBps")]);
	ck_assert(!shown[table_find(&m.view.table, "cxl_cache_d2h_MBps")]);
}

TEST(test_missed_deadlines_stand_behind_the_first_row_of_their_sample)
{
	start(&(struct sim_setup){.spec = "gnr,ports=1," TRAFFIC,
				  .view = {.finest = SCOPE_SOCKET}});
	pass_time(m.platform, 3 * SECOND + SECOND / 4);
	sample();
	sample();
	text_output_assert(
		&sink, HEADER
		"00:00:03.250 s0         12000.0     5000.0      500.0     1000.0  2 missed\n"
		"             system     12000.0     5000.0      500.0     1000.0\n"
		"00:00:04.000 s0         12000.0     5000.0      500.0     1000.0\n"
		"             system     12000.0     5000.0      500.0     1000.0\n");
}

TEST(test_table_without_a_sample_is_empty)
{
	start(&(struct sim_setup){.spec = "gnr," TRAFFIC});
	text_output_assert(&sink, "");
}

/* A terminal of 24 lines: two of headings, one of units, 20 samples, and the cursor's. */
TEST(test_header_is_repeated_on_a_terminal_when_it_would_scroll_off)
{
	unsigned line = 0, headers = 0;

	setenv("TERM", "dumb", 1);
	use_utc();
	sim_monitor_start(&m, .spec = "gnr,ports=1," TRAFFIC, .view = {.finest = SCOPE_SYSTEM});
	text_output_open(&sink, &format_table, &m.view.table);
	sink.terminal = true;
	sink.fd = -1;
	for (unsigned k = 0; k < 60; k++)
		sample();
	for (const char *at = text_output_close(&sink); *at; at = strchr(at, '\n') + 1, line++)
		if (!strncmp(at, "TIME ", 5)) {
			ck_assert_uint_eq(line, 2 + 23 * headers);
			headers++;
		}
	ck_assert_uint_eq(headers, 3);
}
