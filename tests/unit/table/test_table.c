/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/table.h"

#include <math.h>

#include "../record/counted.h"
#include "unit.h"

#define ROWS 3 /* the last one is an event's */

static const struct program own_program = {
	.inputs = {{.kind = INPUT_METRIC, .index = 0}},
	.input_count = 1,
	.metrics = {"read_MBps"},
	.metric_count = 1,
	.steps = {{.kind = OP_INPUT}, {.kind = OP_INPUT}, {.kind = OP_ADD}},
	.step_count = 3,
};
static const struct formula own_formula = {.program = &own_program, .source = "own"};

static const struct metric metrics[] = {
	{.name = "own_MBps", .program = &own_program},
	{.name = "source", .kind = METRIC_SOURCE, .of = "read_MBps"},
	{.name = "read_MBps", .heading = "read", .family.counter = true},
	{.name = "cxl_read_latency_ns"},
	{.name = "ddr_local_read_latency_ns"},
};
#define COLUMNS COUNT_OF(metrics)

static struct table table;
static size_t computed[16], computed_count;

static void set_up(void)
{
	table = (struct table){.column_count = COLUMNS, .row_count = ROWS, .event_rows = 1};
	table.columns = calloc(COLUMNS, sizeof(*table.columns));
	table.rows = calloc(ROWS, sizeof(*table.rows));
	ck_assert(table.columns && table.rows);
	for (size_t c = 0; c < COLUMNS; c++)
		table.columns[c].metric = &metrics[c];
	for (size_t r = 0; r < ROWS; r++)
		table.rows[r] = row_unknown;
	table.columns[0].formulas = (struct formula_list){{&own_formula}, 1};
	table.columns[0].named[0] = 2;
	table.columns[2].formulas = (struct formula_list){{&counted_rate}, 1};
	table.columns[3].formulas = (struct formula_list){{&counted_latency}, 1};
	table.columns[4].formulas = (struct formula_list){{&counted_latency}, 1};
	table_link_columns(&table);
	ck_assert_int_eq(table_make_values(&table), 0);
	ck_assert_int_eq(table_make_inputs(&table), 0);
	computed_count = 0;
}

static void tear_down(void)
{
	table_free(&table);
}

FIXTURE(set_up, tear_down)

static void compute(void *maker, struct table *of, size_t row, size_t column)
{
	ck_assert_ptr_eq(maker, metrics);
	computed[computed_count++] = column;
	table_compute_cell(of, row, column);
}

static void set_rate(size_t row, size_t column, const struct formula *formula, double per_second)
{
	struct inputs *inputs = table_inputs(&table, row, column);

	inputs->formula = formula;
	inputs->items[0] = (struct input_value){per_second, 1e9};
}

TEST(test_values_are_unknown_until_they_are_computed)
{
	for (size_t r = 0; r < ROWS; r++)
		for (size_t c = 0; c < COLUMNS; c++)
			ck_assert_double_nan(table.rows[r].values[c].number);
	ck_assert_ptr_eq(table.rows[2].values, table_unknown(&table));
}

TEST(test_a_formula_that_names_a_column_is_computed_after_it)
{
	set_rate(1, 2, &counted_rate, 5);
	table_inputs(&table, 1, 0)->formula = &own_formula;
	ck_assert_double_eq(table_compute(&table, 1, compute, (void *)metrics), 0);
	ck_assert_uint_eq(computed_count, COLUMNS);
	ck_assert_uint_eq(computed[COLUMNS - 1], 0);
	ck_assert_double_eq(table.rows[1].values[2].number, 5);
	ck_assert_double_eq(table.rows[1].values[0].number, 10);
}

TEST(test_a_source_column_shows_the_source_of_its_metric)
{
	set_rate(0, 2, &counted_rate, 5);
	table_compute(&table, 0, compute, (void *)metrics);
	ck_assert_str_eq(table.rows[0].values[1].text, "rxc");
}

static void set_latency(size_t column, double reads_per_s)
{
	struct inputs *inputs = table_inputs(&table, 0, column);

	inputs->formula = &counted_latency;
	inputs->reads = ENOUGH_READS;
	inputs->items[0] = (struct input_value){200 * reads_per_s, 1e9};
	inputs->items[1] = (struct input_value){reads_per_s, 1e9};
}

/* DRAM reads that each stay 4 ns in the queue add less than 5 % to the latency, or more. */
TEST_LOOP(test_a_latency_that_dram_reads_may_have_raised_is_an_estimate, 2)
{
	const double dram_reads = _i ? 8000 : 7000;

	set_latency(3, 3000);
	set_latency(4, dram_reads);
	ck_assert_double_eq(table_compute(&table, 0, compute, (void *)metrics),
			    _i ? dram_reads / 3000 : 0);
	ck_assert_double_eq(table.rows[0].values[3].number, 200);
	ck_assert_int_eq(table.rows[0].values[3].raised, _i);
	ck_assert_int_eq(table.rows[0].values[3].scaled, _i);
}

static const struct {
	enum row_kind kind;
	const char *metric;
	bool has;
} cells[] = {
	{ROW_CPU, "ipc", true},
	{ROW_CPU, "dram_read_MBps", false},
	{ROW_PORT, "retries_per_s", true},
	{ROW_PORT, "l3_miss_stall_pct", false},
	{ROW_DEVICE, "link_width", true},
	{ROW_DEVICE, "retries_per_s", true},
	{ROW_DEVICE, "dram_read_MBps", false},
	{ROW_NODE, "promoted_per_s", true},
	{ROW_NODE, "hinting_faults_per_s", false},
	{ROW_DOMAIN, "cxl_region_MBps", true},
	{ROW_DOMAIN, "cxl_mem_read_MBps", false},
	{ROW_GROUP, "l3_miss_stall_pct", true},
	{ROW_GROUP, "cxl_mem_read_MBps", false},
	{ROW_SOCKET, "dram_read_MBps", true},
	{ROW_SOCKET, "promoted_per_s", false},
	{ROW_SYSTEM, "hinting_faults_per_s", true},
	{ROW_SYSTEM, "link_width", false},
};

TEST_LOOP(test_a_row_can_have_what_its_kind_has, COUNT_OF(cells))
{
	const struct row row = {.place.kind = cells[_i].kind};

	ck_assert_int_eq(row_can_have(&row, metric_by_name(cells[_i].metric)), cells[_i].has);
}

TEST(test_only_shown_columns_are_found)
{
	ck_assert_uint_eq(table_find(&table, "cxl_read_latency_ns"), 3);
	ck_assert_uint_eq(table_find(&table, "dram_read_MBps"), SIZE_MAX);
	ck_assert_uint_eq(table_find(&table, NULL), SIZE_MAX);
	table.column_count = 3;
	table.named_count = 2;
	ck_assert_uint_eq(table_find(&table, "cxl_read_latency_ns"), SIZE_MAX);
	ck_assert_uint_eq(table_all_columns(&table), COLUMNS);
}

TEST(test_the_system_s_row_is_one_of_metrics)
{
	table.rows[0].place.kind = ROW_SOCKET;
	ck_assert_uint_eq(table_system_row(&table), 1);
	table.rows[1].place.kind = ROW_SOCKET;
	ck_assert_uint_eq(table_system_row(&table), SIZE_MAX);
}

TEST(test_a_column_that_nothing_can_fill_has_no_heading)
{
	ck_assert_str_eq(table_heading(&table, 2), "read");
	table.columns[2].never_known = true;
	ck_assert_ptr_null(table_heading(&table, 2));
}
