/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/openmetrics.h"

#include <math.h>

#include "allocations.h"
#include "output/sink.h"
#include "sim_monitor.h"
#include "text_output.h"
#include "unit.h"

#define TRAFFIC "read=12,write=5,cache_d2h=0.5,cache_h2d=1,clock=virtual"

static struct sim_monitor m;
static struct series sums;
static struct openmetrics o;
static const char *text;

static void tear_down(void)
{
	series_free(&sums);
}

static void begin(const struct table *table)
{
	o = (struct openmetrics){.series = &sums};
	ck_assert_int_eq(series_init(&sums, table), 0);
	ck_assert_int_eq(series_keep_all(&sums, 0), 0);
}

static void start(const char *spec, const struct view_options *options)
{
	struct sim_setup setup = {.spec = spec, .view = *options};

	sim_monitor_start_as(&m, &setup);
	begin(&m.view.table);
}

static void sample(unsigned count)
{
	while (count--) {
		sim_monitor_sample(&m);
		series_add(&sums, 0, 0);
		openmetrics_add(&o, &m.sample);
	}
}

static const char *render(void)
{
	FILE *out = text_open();

	openmetrics_render(&o, out);
	return text = text_close(out);
}

static const char *expose(unsigned samples)
{
	sample(samples);
	return render();
}

#define OWN                                                                                        \
	"# HELP cxlmon_build_info The version of cxlmon, as a label; always 1\n"                   \
	"# TYPE cxlmon_build_info gauge\n"                                                         \
	"cxlmon_build_info{version=\"" CXLMON_VERSION "\"} 1\n"                                    \
	"# HELP cxlmon_up 1 if the latest sample has a known value, else 0\n"                      \
	"# TYPE cxlmon_up gauge\n"                                                                 \
	"cxlmon_up 1\n"                                                                            \
	"# HELP cxlmon_last_sample_timestamp_seconds When the latest sample was taken, since "     \
	"1970\n"                                                                                   \
	"# TYPE cxlmon_last_sample_timestamp_seconds gauge\n"                                      \
	"# UNIT cxlmon_last_sample_timestamp_seconds seconds\n"                                    \
	"cxlmon_last_sample_timestamp_seconds 1767225603\n"                                        \
	"# HELP cxlmon_sampling_interval_seconds Time from one sample to the next\n"               \
	"# TYPE cxlmon_sampling_interval_seconds gauge\n"                                          \
	"# UNIT cxlmon_sampling_interval_seconds seconds\n"                                        \
	"cxlmon_sampling_interval_seconds 0.1\n"

#define MACHINE                                                                                                             \
	"# HELP cxlmon_metric_available 1 if this machine can measure the metric, else 0\n# "                               \
	"TYPE cxlmon_metric_available "                                                                                     \
	"gauge\ncxlmon_metric_available{metric=\"cxlmon_cxl_mem_read_bytes_total\"} "                                       \
	"1\ncxlmon_metric_available{metric=\"cxlmon_cxl_mem_write_bytes_total\"} "                                          \
	"1\ncxlmon_metric_available{metric=\"cxlmon_cxl_cache_d2h_bytes_total\"} "                                          \
	"1\ncxlmon_metric_available{metric=\"cxlmon_cxl_cache_h2d_bytes_total\"} "                                          \
	"1\ncxlmon_metric_available{metric=\"cxlmon_link_degraded\"} 0\n# HELP "                                            \
	"cxlmon_device_info A CXL device, described by labels; always 1\n# TYPE "                                           \
	"cxlmon_device_info "                                                                                               \
	"gauge\ncxlmon_device_info{model=\"gnr\",socket=\"0\",port=\"0\",device=\"mem0\",pci=\"0000:1f:00.0\",link=\"32.0 " \
	"GT/s x16\",capacity_bytes=\"274877906944\",node=\"1\",region=\"region0\"} 1\n# HELP "                              \
	"cxlmon_link_degraded 1 if a link from root port to CXL device is degraded (below what "                            \
	"both its ends support), else 0\n# TYPE cxlmon_link_degraded gauge\n"

FIXTURE(NULL, tear_down)

TEST(test_an_exposition_has_counters_in_base_units)
{
	start("gnr,ports=1," TRAFFIC, &(struct view_options){.finest = SCOPE_PORT});
	sample(3);
	o.interval_ns = SECOND / 10;
	ck_assert_str_eq(
		render(),
		OWN "# HELP cxlmon_samples Samples taken\n"
		    "# TYPE cxlmon_samples counter\n"
		    "cxlmon_samples_total 3\n"
		    "# HELP cxlmon_missed_deadlines Deadlines at which no sample could be taken\n"
		    "# TYPE cxlmon_missed_deadlines counter\n"
		    "cxlmon_missed_deadlines_total 0\n"
		    "# HELP cxlmon_postponed_samples Samples merged with the next one, because "
		    "the queue was full\n"
		    "# TYPE cxlmon_postponed_samples counter\n"
		    "cxlmon_postponed_samples_total 0\n"
		    "# HELP cxlmon_lost_readings Readings of units that gave no values\n"
		    "# TYPE cxlmon_lost_readings counter\n"
		    "cxlmon_lost_readings_total{model=\"gnr\",socket=\"0\",port=\"0\","
		    "device=\"mem0\"} 0\n"
		    "# HELP cxlmon_frozen_seconds Time in which counters were frozen to be read\n"
		    "# TYPE cxlmon_frozen_seconds counter\n"
		    "# UNIT cxlmon_frozen_seconds seconds\n"
		    "cxlmon_frozen_seconds_total 0\n" MACHINE
		    "# HELP cxlmon_cxl_mem_read_bytes CXL.mem data from the device\n"
		    "# TYPE cxlmon_cxl_mem_read_bytes counter\n"
		    "# UNIT cxlmon_cxl_mem_read_bytes bytes\n"
		    "cxlmon_cxl_mem_read_bytes_total{model=\"gnr\",socket=\"0\",port=\"0\","
		    "device=\"mem0\"} 36000000000\n"
		    "# HELP cxlmon_cxl_mem_write_bytes CXL.mem data to the device\n"
		    "# TYPE cxlmon_cxl_mem_write_bytes counter\n"
		    "# UNIT cxlmon_cxl_mem_write_bytes bytes\n"
		    "cxlmon_cxl_mem_write_bytes_total{model=\"gnr\",socket=\"0\",port=\"0\","
		    "device=\"mem0\"} 15000000000\n"
		    "# HELP cxlmon_cxl_cache_d2h_bytes CXL.cache data from device to host\n"
		    "# TYPE cxlmon_cxl_cache_d2h_bytes counter\n"
		    "# UNIT cxlmon_cxl_cache_d2h_bytes bytes\n"
		    "cxlmon_cxl_cache_d2h_bytes_total{model=\"gnr\",socket=\"0\",port=\"0\","
		    "device=\"mem0\"} 1500000000\n"
		    "# HELP cxlmon_cxl_cache_h2d_bytes CXL.cache data from host to device\n"
		    "# TYPE cxlmon_cxl_cache_h2d_bytes counter\n"
		    "# UNIT cxlmon_cxl_cache_h2d_bytes bytes\n"
		    "cxlmon_cxl_cache_h2d_bytes_total{model=\"gnr\",socket=\"0\",port=\"0\","
		    "device=\"mem0\"} 3000000000\n"
		    "# EOF\n");
}

TEST(test_each_metric_is_exposed_at_its_finest_scope_alone)
{
	start("gnr,sockets=2," TRAFFIC,
	      &(struct view_options){.groups = "cxl,dram", .finest = SCOPE_PORT});
	expose(1);
	ck_assert_uint_eq(occurrences(text, "cxlmon_cxl_mem_read_bytes_total{"), 4);
	ck_assert_uint_eq(occurrences(text, "cxlmon_dram_read_bytes_total{"), 2);
	assert_contains(text, "cxlmon_dram_read_bytes_total{model=\"gnr\",socket=\"1\"} ");
}

TEST(test_coarser_rows_are_exposed_where_no_finer_ones_are_shown)
{
	start("gnr,sockets=2," TRAFFIC, &(struct view_options){.finest = SCOPE_SYSTEM});
	expose(1);
	assert_contains(text, "cxlmon_cxl_mem_read_bytes_total{model=\"gnr\"} 48000000000\n");
}

TEST(test_gauges_are_of_the_latest_sample_and_in_base_units)
{
	start("spr,ports=1,chas=8,latency=320,ddr_latency=110,full=25," TRAFFIC,
	      &(struct view_options){.groups = "latency,queue", .finest = SCOPE_PORT});
	expose(2);
	assert_contains(text, "# TYPE cxlmon_cxl_read_latency_seconds gauge\n"
			      "# UNIT cxlmon_cxl_read_latency_seconds seconds\n"
			      "cxlmon_cxl_read_latency_seconds{model=\"spr\",socket=\"0\"} 3.");
	assert_contains(text, "e-07\n");
	assert_contains(text, "cxlmon_rx_mem_data_full_ratio{model=\"spr\",socket=\"0\",port=\"0\","
			      "device=\"mem0\"} 0.25");
}

TEST(test_a_counter_is_left_out_while_its_value_is_not_known)
{
	start("gnr,ports=1," TRAFFIC, &(struct view_options){.finest = SCOPE_PORT});
	sample(1);
	sim_set_unit_dead(m.sim, 0, PMU_CXLDP, 3, true);
	expose(1);
	ck_assert_uint_eq(occurrences(text, "cxlmon_cxl_mem_write_bytes_total{"), 0);
	ck_assert_uint_eq(occurrences(text, "cxlmon_cxl_mem_read_bytes_total{"), 1);
	assert_contains(text, "cxlmon_lost_readings_total{model=\"gnr\",socket=\"0\",port=\"0\","
			      "device=\"mem0\"} 1\n");
	assert_contains(text, "cxlmon_up 1\n");
	/* its count meanwhile appears when it can be read again */
	sim_set_unit_dead(m.sim, 0, PMU_CXLDP, 3, false);
	assert_contains(expose(1), "device=\"mem0\"} 15000000000\n");
	sim_set_unit_dead(m.sim, 0, PMU_CXLDP, 3, true);
	sim_set_unit_dead(m.sim, 0, PMU_CXLCM, 2, true);
	assert_contains(expose(1), "cxlmon_up 0\n");
}

/*
 * Tells if the text has a port's labels after the name of a column's family; or a row without a
 * port.
 */
static bool is_exposed(const struct row *row, const struct metric *column)
{
	char series[160];
	int used = snprintf(series, sizeof(series), "\ncxlmon_%s%s{model=\"spr\",socket=\"%d\"",
			    column->family.name, column->family.counter ? "_total" : "",
			    row->place.socket);

	if (row->place.port >= 0)
		snprintf(series + used, sizeof(series) - (size_t)used, ",port=\"%d\",",
			 row->place.port);
	else
		snprintf(series + used, sizeof(series) - (size_t)used, "} ");
	return strstr(text, series);
}

TEST(test_a_series_is_absent_where_the_cell_of_a_table_is_empty)
{
	unsigned known = 0, unknown = 0;

	start("spr,sockets=2,chas=4,full=5,crc=1,retry=1," TRAFFIC,
	      &(struct view_options){.groups = "cxl,latency,dram,queue,link",
				     .finest = SCOPE_PORT});
	sample(3);
	sim_set_unit_dead(m.sim, 0, PMU_CXLCM, 2, true);
	sim_set_unit_dead(m.sim, 1, PMU_IMC, 0, true);
	expose(1);
	for (size_t i = 0; i < m.view.table.row_count * m.view.table.column_count; i++) {
		const struct row *row = &m.view.table.rows[i / m.view.table.column_count];
		const struct metric *column =
			m.view.table.columns[i % m.view.table.column_count].metric;
		const bool of_ports = metric_scopes(column) >> SCOPE_PORT & 1;

		if (!column->family.name ||
		    row_scope(row) != (of_ports ? SCOPE_PORT : SCOPE_SOCKET))
			continue;
		const bool shown = isfinite(row->values[i % m.view.table.column_count].number);

		ck_assert_msg(is_exposed(row, column) == shown, "%s of socket %d port %d",
			      column->name, row->place.socket, row->place.port);
		*(shown ? &known : &unknown) += 1;
	}
	ck_assert_uint_gt(known, 20);
	ck_assert_uint_gt(unknown, 10);
}

/* One loss for each of 4 CHAs in 2 samples; the ports are in order. */
TEST(test_lost_readings_are_of_a_port_or_of_a_type_of_unit)
{
	start("spr,chas=4,ports=2," TRAFFIC,
	      &(struct view_options){.groups = "cxl,latency", .finest = SCOPE_PORT});
	for (unsigned cha = 0; cha < 4; cha++)
		sim_set_unit_dead(m.sim, 0, PMU_CHA, cha, true);
	expose(2);
	ck_assert_uint_eq(occurrences(text, "cxlmon_lost_readings_total{"), 3);
	assert_contains(text, "cxlmon_lost_readings_total{model=\"spr\",socket=\"0\","
			      "unit=\"cha\"} 8\n");
	assert_contains(text, "cxlmon_lost_readings_total{model=\"spr\",socket=\"0\",port=\"1\","
			      "device=\"mem1\"} 0\n");
}

TEST(test_a_device_is_known_by_its_serial_number_and_link)
{
	start("gnr,ports=1,link_width=8," TRAFFIC, &(struct view_options){.finest = SCOPE_PORT});
	m.machine.devices[0].serial = 0x1234;
	expose(1);
	assert_contains(text, ",serial=\"0x1234\",link=\"32.0 GT/s x8\",capacity_bytes=");
}

TEST_LOOP(test_a_link_below_what_it_can_be_is_degraded, 2)
{
	start(_i ? "turin,ports=1,cpmu=1,link_width=8,clock=virtual"
		 : "turin,ports=1,cpmu=1,clock=virtual",
	      &(struct view_options){.groups = "device", .finest = SCOPE_PORT});
	expose(1);
	assert_contains(text, _i ? "cxlmon_link_degraded{model=\"turin\",socket=\"0\","
				   "device=\"mem0\"} 1\n"
				 : "device=\"mem0\"} 0\n");
}

TEST(test_errors_of_links_are_counted_by_kind)
{
	start("gnr,ports=1,aer_correctable=3,aer_fatal=1," TRAFFIC,
	      &(struct view_options){.finest = SCOPE_PORT});
	expose(2);
	assert_contains(text, "# TYPE cxlmon_aer_errors counter\n"
			      "cxlmon_aer_errors_total{severity=\"correctable\",kind=\"BadTLP\","
			      "device=\"mem0\"} 6\n"
			      "cxlmon_aer_errors_total{severity=\"fatal\",kind=\"SDES\","
			      "device=\"mem0\"} 2\n");
}

TEST(test_events_of_devices_are_counted_by_kind)
{
	start("gnr,events=8," TRAFFIC, &(struct view_options){.finest = SCOPE_PORT});
	expose(1);
	assert_lacks(text, "cxl_events");
	ck_assert_int_eq(event_source_open(&m.view.sources.events, m.platform, NULL, NULL), 0);
	expose(1);
	assert_contains(text, "# TYPE cxlmon_cxl_events counter\n"
			      "cxlmon_cxl_events_total{event=\"cxl_aer_correctable_error\","
			      "device=\"mem0\"} ");
	assert_contains(text, "cxlmon_cxl_events_total{event=\"cxl_poison\",device=\"mem0\"} ");
	assert_contains(text, "cxlmon_lost_cxl_events_total 0\n");
}

TEST(test_what_this_processor_cannot_measure_is_said)
{
	start("spr," TRAFFIC, &(struct view_options){.finest = SCOPE_PORT});
	expose(1);
	assert_contains(text, "{metric=\"cxlmon_cxl_mem_read_bytes_total\"} 1\n");
	assert_contains(text, "{metric=\"cxlmon_cxl_cache_d2h_bytes_total\"} 0\n");
}

TEST(test_a_stale_exposition_has_the_time_and_no_value)
{
	start("gnr," TRAFFIC, &(struct view_options){.finest = SCOPE_PORT});
	sample(3);
	o.interval_ns = SECOND / 10;
	FILE *out = text_open();
	openmetrics_render_stale(&o, out);
	text = text_close(out);
	assert_contains(text, "\ncxlmon_up 0\n");
	assert_contains(text, "\ncxlmon_last_sample_timestamp_seconds 1767225603\n");
	assert_contains(text, "\ncxlmon_sampling_interval_seconds 0.1\n# EOF\n");
	assert_lacks(text, "model=");
}

TEST(test_counters_do_not_lose_what_rounding_to_decimals_would)
{
	start("gnr,ports=1,read=0.0000001,clock=virtual", &(struct view_options){0});
	expose(1000);
	/* 64 bytes per read: 100 B/s are 0.0001 MB/s, and 0.000 in CSV */
	assert_contains(text,
			"cxlmon_cxl_mem_read_bytes_total{model=\"gnr\",socket=\"0\",port=\"0\","
			"device=\"mem0\"} 99968\n");
}

static const struct {
	double total;
	const char *shown;
} whole[] = {
	{0, "0"},
	{0.4, "0"},
	{1234567.5, "1234568"},
	{1e15, "1000000000000000"},
	{1e15 + 0.25, "1000000000000000"},
	{9007199254740993.0, "9007199254740992"},
	{3e18, "3000000000000000000"},
};

TEST_LOOP(test_counters_are_whole_numbers_without_an_exponent, COUNT_OF(whole))
{
	char expected[64];

	start("gnr,ports=1," TRAFFIC, &(struct view_options){.finest = SCOPE_PORT});
	sample(1);
	((struct series_cell *)series_cell(&sums, 0, 0))->amount = whole[_i].total;
	render();
	snprintf(expected, sizeof(expected), "port=\"0\",device=\"mem0\"} %s\n", whole[_i].shown);
	const char *series = strstr(text, "cxlmon_cxl_mem_read_bytes_total{");
	ck_assert_ptr_eq(strstr(series, expected), strchr(series, ',') + strlen(",socket=\"0\","));
}

TEST(test_a_counter_for_which_there_was_no_memory_is_absent)
{
	start("gnr,ports=1," TRAFFIC, &(struct view_options){.finest = SCOPE_PORT});
	sim_monitor_sample(&m);
	allocations_fail(1);
	series_add(&sums, 0, 0);
	allocations_fail(0);
	openmetrics_add(&o, &m.sample);
	assert_lacks(render(), "cxlmon_cxl_mem_read_bytes_total{");
	assert_contains(text, "cxlmon_cxl_mem_write_bytes_total{");
}

TEST(test_seconds_keep_their_fraction)
{
	start("gnr,ports=1," TRAFFIC, &(struct view_options){0});
	sample(1);
	o.frozen_ns = 1500000;
	assert_contains(render(), "cxlmon_frozen_seconds_total 0.0015\n");
}

TEST(test_missed_deadlines_and_frozen_time_add_up)
{
	start("gnr,ports=1," TRAFFIC, &(struct view_options){0});
	pass_time(m.platform, 3 * SECOND);
	sample(1);
	sim_set_access_time(m.sim, 1000);
	expose(2);
	assert_contains(text, "cxlmon_missed_deadlines_total 2\n");
	assert_lacks(text, "cxlmon_frozen_seconds_total 0\n");
}

TEST(test_events_are_counters_with_the_unit_as_labels)
{
	sim_monitor_machine(&m, "spr,ports=1,clock=virtual");
	const struct event_choice twice[] = {
		{.event = model_event(m.machine.model, "UNC_CXLCM_CLOCKTICKS")},
		{.event = model_event(m.machine.model, "UNC_CXLCM_CLOCKTICKS")},
	};
	sim_monitor_measure(&m, .view = {.events = twice, .event_count = 2});
	begin(&m.view.table);
	expose(1);
	ck_assert_uint_eq(occurrences(text, "cxlmon_events_total{"), 1);
	assert_contains(text, "cxlmon_events_total{model=\"spr\",socket=\"0\",port=\"0\","
			      "device=\"mem0\",die=\"0\",unit=\"cxlcm\",box=\"2\","
			      "event=\"UNC_CXLCM_CLOCKTICKS\"} ");
}

/* Asserts the labels of a view made by hand, of one system row and one column. */
static void assert_labels(const char *device, const char *expected)
{
	struct value value = {.number = 1, .text = "", .seconds = 1};
	struct row row = {.place = {.kind = ROW_PORT, .socket = 0, .port = 0, .cpu = -1},
			  .values = &value,
			  .place.memdev = device};
	struct column column = {.metric = &metric_table[0]};
	const struct table table = {.model = "spr",
				    .rows = &row,
				    .row_count = 1,
				    .columns = &column,
				    .column_count = 1};

	begin(&table);
	series_add(&sums, 0, 0);
	openmetrics_add(&o, &(struct sample){0});
	assert_contains(render(), expected);
	series_free(&sums);
}

FIXTURE(NULL, NULL)

TEST(test_label_values_are_escaped_and_empty_ones_left_out)
{
	assert_labels("", "{model=\"spr\",socket=\"0\",port=\"0\"} 1000000\n");
	assert_labels("a\"b\\c\nd", ",device=\"a\\\"b\\\\c\\nd\"} 1000000\n");
}

/* OpenMetrics' rules for names and units hold for every family of the table. */
TEST(test_families_end_with_their_unit_and_have_a_help)
{
	for (const struct metric *metric = metric_table; metric->name; metric++) {
		const struct family *f = &metric->family;

		ck_assert_int_eq(f->name != NULL, metric->kind == METRIC_NUMBER);
		if (!f->name)
			continue;
		ck_assert_msg(f->factor > 0 && *f->help, "%s", f->name);
		if (f->unit)
			ck_assert_str_eq(f->name + strlen(f->name) - strlen(f->unit), f->unit);
		ck_assert_ptr_null(strstr(f->name, "total"));
	}
}

static const struct {
	const char *path, *last_line;
} outputs[] = {
	{NULL, "# EOF\n"},
	{"x.om", "# EOF\n"},
	{"prom", "# EOF\n"},
	{"x.prom", "} 1000000000\n"},
};

FIXTURE(NULL, tear_down)

TEST_LOOP(test_a_file_for_the_textfile_collector_has_its_format, COUNT_OF(outputs))
{
	struct sink output;

	sim_monitor_start(&m, .spec = "gnr,ports=1," TRAFFIC);
	text_output_open(&output, &format_openmetrics, &m.view.table);
	output.path = outputs[_i].path;
	sim_monitor_sample(&m);
	format_openmetrics.sample(&output, &m.sample);
	text = text_output_close(&output);
	ck_assert_str_eq(text + strlen(text) - strlen(outputs[_i].last_line),
			 outputs[_i].last_line);
}

TEST(test_postponed_samples_are_as_many_as_the_writer_says)
{
	struct sink output;

	sim_monitor_start(&m, .spec = "gnr,ports=1," TRAFFIC);
	text_output_open(&output, &format_openmetrics, &m.view.table);
	sim_monitor_sample(&m);
	m.sample.skipped = 7;
	format_openmetrics.sample(&output, &m.sample);
	assert_contains(text_output_close(&output), "\ncxlmon_postponed_samples_total 7\n");
}
