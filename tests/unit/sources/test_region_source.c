/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of regions of memory: sums by socket, and their use in place of group cxl. */
#include "sources/sources.h"

#include <math.h>

#include "record/recording.h"
#include "sim_monitor.h"
#include "unit.h"

#define MACHINE "dmr,sockets=2,read=10,write=4,dram_read=30,dram_write=10,clock=virtual"

static struct sim_monitor m;

static const struct {
	const char *metric;
	double socket, system;
} values[] = {
	{"cxl_region_MBps", 21000, 42000},
	{"cxl_region_remote_MBps", 7000, 14000},
	{"dram_region_MBps", 30000, 60000},
	{"dram_region_remote_MBps", 10000, 20000},
};

TEST_LOOP(test_sockets_and_the_system_have_bytes_by_region, COUNT_OF(values))
{
	sim_monitor_start(&m, .spec = MACHINE, .view = {.groups = "region"});
	sim_monitor_sample(&m);
	for (int socket = 0; socket < 2; socket++)
		ck_assert(sim_monitor_value(&m, socket, -1, values[_i].metric) ==
			  values[_i].socket);
	ck_assert(sim_monitor_value(&m, -1, -1, values[_i].metric) == values[_i].system);
	ck_assert_str_eq(sim_monitor_cell(&m, sim_monitor_row(&m, 0, -1), values[_i].metric)
				 ->inputs->formula->source,
			 "rmbm");
	ck_assert_uint_eq(m.view.table.row_count, 3);
	ck_assert(sim_monitor_row(&m, 0, -1)->interval_s == 1);
}

TEST(test_l3_domains_of_a_socket_with_several_have_rows)
{
	unsigned count = 0;

	sim_monitor_start(&m, .spec = MACHINE ",dies=2", .view = {.groups = "region"});
	for (size_t r = 0; r < m.view.table.row_count; r++)
		if (m.view.table.rows[r].place.kind == ROW_DOMAIN) {
			ck_assert_int_eq(m.view.table.rows[r].place.port, (int)count);
			ck_assert_int_eq(m.view.table.rows[r].place.socket, (int)count / 2);
			count++;
		}
	ck_assert_uint_eq(count, 4);
}

TEST(test_the_system_is_the_sum_of_the_sockets_that_were_selected)
{
	sim_monitor_start(&m, .spec = MACHINE, .view = {.groups = "region", .sockets = "1"});
	sim_monitor_sample(&m);
	ck_assert_uint_eq(m.view.table.row_count, 2);
	ck_assert(sim_monitor_value(&m, -1, -1, "cxl_region_MBps") == 21000);
}

TEST(test_a_single_socket_counts_nothing_of_other_sockets)
{
	sim_monitor_start(&m, .spec = "dmr,read=6,write=3,clock=virtual",
			  .view = {.groups = "region"});
	sim_monitor_sample(&m);
	ck_assert(!m.view.table.columns[table_find(&m.view.table, "cxl_region_remote_MBps")]
			   .never_known);
	ck_assert(sim_monitor_value(&m, 0, -1, "cxl_region_remote_MBps") == 0);
}

static const struct source_cell all = {.place = &row_unknown.place};

static bool is_known(void)
{
	struct input_value item;
	struct inputs inputs = {.items = &item};
	const struct source *regions = &m.view.sources.regions.base;
	const bool known = !isnan(
		regions->kind->inputs(regions, &all, metric_by_name("cxl_region_MBps"), &inputs));

	ck_assert(inputs.formula == (known ? &region_rate : NULL));
	return known;
}

TEST(test_bytes_are_known_between_two_readings)
{
	const struct view_options options = {.groups = "region"};

	sim_monitor_machine(&m, MACHINE);
	ck_assert_int_eq(sim_monitor_view(&m, &options), 0);
	ck_assert(!is_known());
	sim_monitor_start(&m, .spec = MACHINE, .view = options);
	sim_monitor_sample(&m);
	ck_assert(is_known());
	sim_monitor_start(&m, .spec = MACHINE ",regions=unknown", .view = options);
	sim_monitor_sample(&m);
	ck_assert(!is_known());
}

static const struct {
	const char *spec, *groups;
	bool instead;
	int rc;
	bool shown;
} choices[] = {
	{"dmr,clock=virtual", "cxl", true, 0, true},
	{"dmr,clock=virtual", "dram,all", true, 0, true},
	{"dmr,clock=virtual", "cxl", false, -ENOTSUP, false},
	{"dmr,clock=virtual", "dram", true, -ENOTSUP, false},
	{"dmr,clock=virtual,regions=none", "cxl", true, -ENOTSUP, false},
	{"dmr,clock=virtual,regions=none", "region", true, -ENODEV, false},
	{"dmr,clock=virtual,regions=total", "cxl", true, -ENOTSUP, false},
	{"dmr,clock=virtual,regions=total", "region", true, -ENOTSUP, false},
	{"gnr,clock=virtual", "cxl", true, 0, false},
	{"gnr,clock=virtual", "region", true, -ENODEV, false},
	{"gnr,clock=virtual", "region,cxl", true, 0, false},
};

TEST_LOOP(test_regions_stand_in_for_cxl_bandwidth_that_no_unit_counts, COUNT_OF(choices))
{
	const struct view_options options = {.groups = choices[_i].groups,
					     .regions_instead = choices[_i].instead};

	sim_monitor_machine(&m, choices[_i].spec);
	ck_assert_int_eq(sim_monitor_view(&m, &options), choices[_i].rc);
	ck_assert(region_counters_know(&m.view.sources.regions.counters, REGION_CXL) ==
		  choices[_i].shown);
	ck_assert(table_find(&m.view.table, "cxl_region_MBps") != SIZE_MAX || !choices[_i].shown);
}

/* Records the latest sample in *file, and reads it back. */
static void record(struct bytes *file, struct recording *r)
{
	static const struct recording_info info = {
		.program = "1", .processor = "P", .interval_ns = SECOND};
	enum recording_item found = RECORDING_NOTHING;

	recording_put_header(file, &info, &m.view.table);
	recording_put_sample(file, &m.view.table, &m.sample, NULL);
	for (size_t at = 0, used; found != RECORDING_SAMPLE; at += used) {
		ck_assert_msg(!recording_decode(r, file->data + at, file->size - at, &used, &found,
						&m.err),
			      "%s", m.err.text);
		ck_assert_int_ne(found, RECORDING_NOTHING);
	}
}

TEST_LOOP(test_a_recording_has_bytes_by_region, COUNT_OF(values))
{
	struct recording r = {.samples = 0};
	struct bytes file = {.size = 0};

	sim_monitor_start(&m, .spec = MACHINE, .view = {.groups = "region"});
	sim_monitor_sample(&m);
	record(&file, &r);
	const size_t column = table_find(&r.table, values[_i].metric);
	ck_assert_uint_eq(r.table.row_count, 3);
	for (size_t i = 0; i < r.table.row_count; i++) {
		const struct row *row = &r.table.rows[i];
		const double expected =
			row->place.kind == ROW_SYSTEM ? values[_i].system : values[_i].socket;

		ck_assert_double_eq(row->values[column].number, expected);
	}
	recording_free(&r);
	bytes_free(&file);
}
