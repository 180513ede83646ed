/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/sink.h"

#include <math.h>
#include <time.h>

#include "sim_monitor.h"
#include "text_output.h"
#include "unit.h"

#define TRAFFIC "read=12,write=5,cache_d2h=0.5,cache_h2d=1,clock=virtual"
#define HEADER                                                                                     \
	"time,interval_s,missed,scope,socket,port,pci,memdev,node,"                                \
	"cxl_mem_read_MBps,cxl_mem_write_MBps,cxl_cache_d2h_MBps,cxl_cache_h2d_MBps,"              \
	"cxl_mem_read_source,counted_pct\n"
#define BARE_HEADER "time,interval_s,missed,scope,socket,port,pci,memdev,node,counted_pct\n"

static struct sink sink;

static const struct {
	const char *spec, *expected;
} runs[] = {
	/* a later sample differs only in its time */
	{"gnr,ports=1," TRAFFIC,
	 HEADER "2026-01-01T00:00:01.000000Z,1.000000,0,port,0,0,0000:1f:00.0,mem0,1,"
		"12000.000,5000.000,500.000,1000.000,rxc,100\n"
		"2026-01-01T00:00:01.000000Z,1.000000,0,socket,0,,,,,"
		"12000.000,5000.000,500.000,1000.000,rxc,100\n"
		"2026-01-01T00:00:01.000000Z,1.000000,0,system,,,,,,"
		"12000.000,5000.000,500.000,1000.000,rxc,100\n"
		"2026-01-01T00:00:02.000000Z,1.000000,0,port,0,0,0000:1f:00.0,mem0,1,"
		"12000.000,5000.000,500.000,1000.000,rxc,100\n"
		"2026-01-01T00:00:02.000000Z,1.000000,0,socket,0,,,,,"
		"12000.000,5000.000,500.000,1000.000,rxc,100\n"
		"2026-01-01T00:00:02.000000Z,1.000000,0,system,,,,,,"
		"12000.000,5000.000,500.000,1000.000,rxc,100\n"},
	/* the start waits a microsecond to see that the uncore clock runs */
	{"spr,ports=1," TRAFFIC,
	 HEADER "2026-01-01T00:00:01.000001Z,1.000000,0,port,0,0,0000:1f:00.0,mem0,1,"
		"12000.000,5000.000,,1000.000,m2s_req,100\n"
		"2026-01-01T00:00:01.000001Z,1.000000,0,socket,0,,,,,"
		"12000.000,5000.000,,1000.000,m2s_req,100\n"
		"2026-01-01T00:00:01.000001Z,1.000000,0,system,,,,,,"
		"12000.000,5000.000,,1000.000,m2s_req,100\n"
		"2026-01-01T00:00:02.000001Z,1.000000,0,port,0,0,0000:1f:00.0,mem0,1,"
		"12000.000,5000.000,,1000.000,m2s_req,100\n"
		"2026-01-01T00:00:02.000001Z,1.000000,0,socket,0,,,,,"
		"12000.000,5000.000,,1000.000,m2s_req,100\n"
		"2026-01-01T00:00:02.000001Z,1.000000,0,system,,,,,,"
		"12000.000,5000.000,,1000.000,m2s_req,100\n"},
};

static struct sim_monitor m;

TEST_LOOP(test_csv_of_a_run_is_the_same_bytes_every_time, COUNT(runs))
{
	sim_monitor_start(&m, .spec = runs[_i].spec, .start_ns = 1);
	text_output_open(&sink, &format_csv, &m.view.table);
	for (unsigned k = 0; k < 2; k++) {
		sim_monitor_sample(&m);
		format_csv.sample(&sink, &m.sample);
	}
	text_output_assert(&sink, runs[_i].expected);
}

TEST(test_what_is_not_known_is_an_empty_field)
{
	sim_monitor_start(&m, .spec = "gnr,ports=1," TRAFFIC, .view = {.finest = SCOPE_SYSTEM});
	text_output_open(&sink, &format_csv, &m.view.table);
	sim_set_unit_dead(m.sim, 0, PMU_CXLCM, 2, true);
	sim_monitor_sample(&m);
	format_csv.sample(&sink, &m.sample);
	sim_set_unit_dead(m.sim, 0, PMU_CXLDP, 3, true);
	sim_monitor_sample(&m);
	format_csv.sample(&sink, &m.sample);
	text_output_assert(&sink, HEADER
			   "2026-01-01T00:00:01.000000Z,1.000000,0,system,,,,,,,5000.000,,,,100\n"
			   "2026-01-01T00:00:02.000000Z,,0,system,,,,,,,,,,,\n");
}

TEST(test_missed_deadlines_stand_in_every_row)
{
	sim_monitor_start(&m, .spec = "gnr,ports=1,read=0,clock=virtual",
			  .view = {.finest = SCOPE_SOCKET});
	text_output_open(&sink, &format_csv, &m.view.table);
	pass_time(m.platform, 4 * SECOND);
	sim_monitor_sample(&m);
	format_csv.sample(&sink, &m.sample);
	text_output_assert(&sink, HEADER "2026-01-01T00:00:04.000000Z,4.000000,3,socket,0,,,,,"
					 "0.000,0.000,0.000,0.000,rxc,100\n"
					 "2026-01-01T00:00:04.000000Z,4.000000,3,system,,,,,,"
					 "0.000,0.000,0.000,0.000,rxc,100\n");
}

/* Asserts a row of a view without columns, with one port, made by hand. */
static void assert_row(const struct row *row, const struct sample *sample, const char *expected)
{
	struct row rows[] = {*row};
	const struct table table = {.rows = rows, .row_count = 1};

	text_output_open(&sink, &format_csv, &table);
	format_csv.sample(&sink, sample);
	text_output_assert(&sink, expected);
}

static const struct {
	const char *text, *field;
} quotings[] = {
	{"mem0", "mem0"},
	{"", ""},
	{"mem 0;'x'", "mem 0;'x'"},
	{"a,b", "\"a,b\""},
	{"say \"hi\"", "\"say \"\"hi\"\"\""},
	{"\"", "\"\"\"\""},
	{"two\nlines", "\"two\nlines\""},
	{"return\r", "\"return\r\""},
	/* a name that a spreadsheet takes for a formula is unchanged */
	{"=1+2", "=1+2"},
	{"@SUM(A1)", "@SUM(A1)"},
	{"\r=1", "\"\r=1\""},
	{"=\"a\",b", "\"=\"\"a\"\",b\""},
};

TEST_LOOP(test_text_with_a_comma_a_quote_or_a_line_end_is_quoted, COUNT(quotings))
{
	char expected[256];

	snprintf(expected, sizeof(expected),
		 BARE_HEADER "1970-01-01T00:00:00.000000Z,0.500000,0,port,1,7,%s,%s,4,100\n",
		 quotings[_i].field, quotings[_i].field);
	assert_row(&(struct row){.place = {.kind = ROW_PORT,
					   .socket = 1,
					   .port = 7,
					   .pci = quotings[_i].text,
					   .memdev = quotings[_i].text,
					   .node = 4},
				 .interval_s = 0.5,
				 .counted_pct = 100},
		   &(struct sample){0}, expected);
}

TEST(test_event_names_are_as_they_are_and_negative_numbers_are_numbers)
{
	const struct pmu_type pmu_type = {.name = "cha"};
	const struct unit unit = {.pmu_type = &pmu_type};
	const struct event event = {.name = "=HYPERLINK(\"x\")"};
	struct row rows[] = {{.place = {.kind = ROW_SYSTEM,
					.socket = -1,
					.port = -1,
					.pci = "",
					.memdev = "",
					.node = -1},
			      .interval_s = 1,
			      .counted_pct = 100,
			      .unit = &unit,
			      .event = &event,
			      .count = -5,
			      .per_s = -5}};
	const struct table table = {.rows = rows, .row_count = 1, .event_rows = 1};

	text_output_open(&sink, &format_csv, &table);
	format_csv.sample(&sink, &(struct sample){0});
	text_output_assert(&sink, "time,interval_s,missed,scope,socket,port,pci,memdev,node,"
				  "type,id,event,count,per_s,counted_pct\n"
				  "1970-01-01T00:00:00.000000Z,1.000000,0,system,,,,,,"
				  "cha,0,\"=HYPERLINK(\"\"x\"\")\",-5,-5.000,100\n");
}

static const struct {
	uint64_t wall_ns;
	const char *time;
} times[] = {
	{0, "1970-01-01T00:00:00.000000Z"},
	{999, "1970-01-01T00:00:00.000000Z"},
	{1000, "1970-01-01T00:00:00.000001Z"},
	{UINT64_C(951782399999999999), "2000-02-28T23:59:59.999999Z"},
	{UINT64_C(951782400000000000), "2000-02-29T00:00:00.000000Z"},
	{UINT64_C(1767225599123456789), "2025-12-31T23:59:59.123456Z"},
};

TEST_LOOP(test_time_is_rfc_3339_in_utc_with_microseconds, COUNT(times))
{
	char expected[256];

	setenv("TZ", "EST5EDT", 1);
	tzset();
	snprintf(expected, sizeof(expected), BARE_HEADER "%s,,5,system,,,,,,33.33\n",
		 times[_i].time);
	assert_row(&(struct row){.place = {.kind = ROW_SYSTEM,
					   .socket = -1,
					   .port = -1,
					   .pci = "",
					   .memdev = "",
					   .node = -1},
				 .interval_s = NAN,
				 .counted_pct = 100 / 3.0},
		   &(struct sample){.wall_ns = times[_i].wall_ns, .missed = 5}, expected);
}

TEST(test_formats_are_found_by_their_names_alone)
{
	ck_assert_ptr_eq(format_find("csv"), &format_csv);
	ck_assert_ptr_eq(format_find("table"), &format_table);
	ck_assert_ptr_eq(format_find("json"), &format_json);
	ck_assert_ptr_eq(format_find("openmetrics"), &format_openmetrics);
	ck_assert_ptr_null(format_find("CSV"));
	ck_assert_ptr_null(format_find("cs"));
	ck_assert_ptr_null(format_find(""));
}
