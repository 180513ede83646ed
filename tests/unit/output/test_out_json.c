/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/sink.h"

#include <math.h>

#include "json_at.h"
#include "sim_monitor.h"
#include "text_output.h"
#include "uncore/models/models.h"
#include "unit.h"

#define TRAFFIC "read=12,write=5,cache_d2h=0.5,cache_h2d=1,clock=virtual"

#define MAX_FIELDS 128

static struct sink sink;

static struct sim_monitor m;

TEST(test_json_of_a_run_is_an_object_a_sample)
{
	sim_monitor_start(&m, .spec = "spr,ports=1," TRAFFIC, .start_ns = 1,
			  .view = {.finest = SCOPE_PORT, .ports = "0"});
	text_output_open(&sink, &format_json, &m.view.table);
	for (unsigned k = 0; k < 2; k++) {
		sim_monitor_sample(&m);
		format_json.sample(&sink, &m.sample);
	}
#define ROW                                                                                        \
	"\"cxl_mem_read_MBps\":12000.000,\"cxl_mem_write_MBps\":5000.000,"                         \
	"\"cxl_cache_d2h_MBps\":null,\"cxl_cache_h2d_MBps\":1000.000,"                             \
	"\"cxl_mem_read_source\":\"m2s_req\",\"counted_pct\":100}"
#define SAMPLE(time)                                                                               \
	"{\"schema\":2,\"time\":\"" time "\",\"interval_s\":1.000000,\"missed\":0,\"rows\":["      \
	"{\"scope\":\"port\",\"interval_s\":1.000000,\"socket\":0,\"port\":0,"                     \
	"\"pci\":\"0000:1f:00.0\",\"memdev\":\"mem0\",\"node\":1," ROW                             \
	",{\"scope\":\"socket\",\"interval_s\":1.000000,\"socket\":0,\"port\":null,"               \
	"\"pci\":null,\"memdev\":null,\"node\":null," ROW                                          \
	",{\"scope\":\"system\",\"interval_s\":1.000000,\"socket\":null,\"port\":null,"            \
	"\"pci\":null,\"memdev\":null,\"node\":null," ROW "]}\n"
	text_output_assert(&sink, SAMPLE("2026-01-01T00:00:01.000001Z")
					  SAMPLE("2026-01-01T00:00:02.000001Z"));
}

/* Splits a line without quotes into its fields. */
static size_t split(char *line, char *fields[MAX_FIELDS])
{
	size_t n = 0;

	for (char *field; (field = strsep(&line, ",")) && n < MAX_FIELDS;)
		fields[n++] = field;
	return n;
}

static bool is_text(const char *name)
{
	static const char *const texts[] = {
		"scope", "pci",	 "memdev", "cxl_mem_read_source", "cxl_read_latency_source",
		"time",	 "type", "event",
	};

	for (size_t i = 0; i < COUNT_OF(texts); i++)
		if (!strcmp(name, texts[i]))
			return true;
	return false;
}

static void put_member(FILE *out, const char *name, const char *field)
{
	const char *quote = is_text(name) && *field ? "\"" : "";

	fprintf(out, "\"%s\":%s%s%s", name, quote, *field ? field : "null", quote);
}

/*
 * Converts CSV's rows of one sample to the expected JSON: fields in their order, but the scope
 * first.
 */
static void convert(FILE *out, char *csv)
{
	char *names[MAX_FIELDS], *fields[MAX_FIELDS], *line = strsep(&csv, "\n");
	const size_t count = split(line, names);

	for (unsigned r = 0; (line = strsep(&csv, "\n")) && *line; r++) {
		ck_assert_uint_eq(split(line, fields), count);
		fputs(r ? ",{" : "{", out);
		put_member(out, names[3], fields[3]);
		for (size_t c = 1; c < count; c++) {
			if (c == 2 || c == 3)
				continue;
			putc(',', out);
			put_member(out, names[c], fields[c]);
		}
		putc('}', out);
	}
	fputs("]}\n", out);
}

static void assert_same_as_csv(void)
{
	struct sink csv, json;

	text_output_open(&csv, &format_csv, &m.view.table);
	text_output_open(&json, &format_json, &m.view.table);
	format_csv.sample(&csv, &m.sample);
	format_json.sample(&json, &m.sample);
	FILE *out = text_open();
	convert(out, (char *)text_output_close(&csv));
	const char *rows = strstr(text_output_close(&json), "\"rows\":[");
	ck_assert_ptr_nonnull(rows);
	ck_assert_str_eq(rows + strlen("\"rows\":["), text_close(out));
}

static const struct sim_setup setups[] = {
	{.spec = "spr,sockets=2,clock=virtual", .view = {.groups = "all"}, .start_ns = 777},
	{.spec = "emr,ports=3,crc=7,retry=3,clock=virtual", .view = {.groups = "all"}},
	{.spec = "gnr,cpus=2,clock=virtual", .view = {.groups = "all", .finest = SCOPE_CPU}},
	{.spec = "srf,clock=virtual", .view = {.groups = "latency,cxl"}, .interval_ns = 123457000},
};

TEST_LOOP(test_numbers_are_csv_s_to_the_last_digit, COUNT_OF(setups))
{
	struct sim_setup setup = setups[_i];

	setup.view.finest = setup.view.finest ? setup.view.finest : SCOPE_PORT;
	sim_monitor_start_as(&m, &setup);
	for (unsigned k = 0; k < 3; k++) {
		sim_monitor_sample(&m);
		assert_same_as_csv();
	}
	sim_set_unit_dead(m.sim, 0, PMU_CXLCM, 2, true);
	sim_monitor_sample(&m);
	assert_same_as_csv();
}

TEST(test_event_rows_are_csv_s_too)
{
	const struct event_choice choice = {
		.event = model_event(model_find(&(struct cpu_identity){
					     .vendor = "GenuineIntel", .family = 6, .model = 143}),
				     "UNC_CXLCM_CLOCKTICKS")};

	ck_assert_ptr_nonnull(choice.event);
	sim_monitor_start(&m, .spec = "spr,clock=virtual",
			  .view = {.events = &choice, .event_count = 1});
	sim_monitor_sample(&m);
	assert_same_as_csv();
}

TEST(test_text_is_escaped_and_every_line_is_json)
{
	struct row rows[] = {{.place = {.kind = ROW_PORT,
					.socket = 1,
					.port = 7,
					.pci = "say \"hi\"\\",
					.memdev = "two\nlines\x01",
					.node = -1},
			      .interval_s = NAN,
			      .counted_pct = NAN}};
	const struct table table = {.rows = rows, .row_count = 1};

	text_output_open(&sink, &format_json, &table);
	format_json.sample(&sink, &(struct sample){.missed = 3});
	const char *text = text_output_close(&sink);
	const json_t *object = json_of(text);
	assert_json(object, "missed", "3");
	assert_json(object, "interval_s", "null");
	ck_assert_str_eq(json_string_value(json_at(object, "rows.0.pci")), "say \"hi\"\\");
	ck_assert_str_eq(json_string_value(json_at(object, "rows.0.memdev")), "two\nlines\x01");
	assert_json(object, "rows.0.node", "null");
	assert_json(object, "rows.0.counted_pct", "null");
	ck_assert_ptr_eq(strchr(text, '\n'), text + strlen(text) - 1);
}

TEST(test_errors_of_links_are_counted_by_kind)
{
	sim_monitor_start(&m, .spec = "gnr,ports=2,aer_correctable=3,aer_fatal=1," TRAFFIC,
			  .view = {.finest = SCOPE_SYSTEM});
	sim_monitor_sample(&m);
	text_output_open(&sink, &format_json, &m.view.table);
	format_json.sample(&sink, &m.sample);
	assert_contains(
		text_output_close(&sink),
		"\"missed\":0,\"aer_errors\":["
		"{\"memdev\":\"mem0\",\"severity\":\"correctable\",\"kind\":\"BadTLP\",\"total\":3},"
		"{\"memdev\":\"mem0\",\"severity\":\"fatal\",\"kind\":\"SDES\",\"total\":1},"
		"{\"memdev\":\"mem1\",\"severity\":\"correctable\",\"kind\":\"BadTLP\",\"total\":3},"
		"{\"memdev\":\"mem1\",\"severity\":\"fatal\",\"kind\":\"SDES\",\"total\":1}],"
		"\"rows\":[");
}

TEST(test_a_sample_names_the_time_since_which_earlier_ones_are_doubtful)
{
	const struct table table = {.row_count = 0};

	text_output_open(&sink, &format_json, &table);
	format_json.sample(&sink, &(struct sample){.wall_ns = UINT64_C(1767225601000000000)});
	format_json.sample(&sink,
			   &(struct sample){.wall_ns = UINT64_C(1767225602000000000),
					    .doubtful_since_ns = UINT64_C(1767225600123456789)});
	const char *text = text_output_close(&sink);
	assert_contains(text, "01.000000Z\",\"interval_s\":null,\"missed\":0,\"rows\"");
	assert_contains(text, "\"missed\":0,\"doubtful_since\":\"2026-01-01T00:00:00.123456Z\",");
}
