/* SPDX-License-Identifier: BSD-3-Clause */
/* Rows of groups of tasks in recordings: their names, and values over longer intervals. */
#include "record/recording_file.h"

#include "sim_monitor.h"
#include "table/spell.h"
#include "unit.h"

static struct sim_monitor m;
static struct bytes file;
static struct recording r;
static struct error err;

static void tear_down(void)
{
	bytes_free(&file);
	recording_free(&r);
}

FIXTURE(NULL, tear_down)

static void start(void)
{
	sim_monitor_start(&m, .spec = "cwf,region_groups=1,read=10,clock=virtual",
			  .view = {.groups = "cxl,resctrl"});
	sim_monitor_sample(&m);
}

/* Decodes the header, or also a sample. Returns the result. */
static int decode(enum recording_item last)
{
	const struct recording_info info = {.program = "1", .processor = "P", .interval_ns = 1};
	enum recording_item found = RECORDING_NOTHING;
	size_t at = 0, used;
	int rc = 0;

	recording_put_header(&file, &info, &m.view.table);
	recording_put_sample(&file, &m.view.table, &m.sample, NULL);
	while (!rc && found != last) {
		rc = recording_decode(&r, file.data + at, file.size - at, &used, &found, &err);
		at += used;
	}
	return rc;
}

TEST(test_a_row_has_its_group_and_value)
{
	start();
	ck_assert_int_eq(decode(RECORDING_SAMPLE), 0);
	const size_t column = table_find(&r.table, "l3_miss_stall_pct");
	ck_assert_uint_eq(r.table.row_count, m.view.table.row_count);
	for (size_t i = 0; i < r.table.row_count; i++) {
		const struct row *row = &r.table.rows[i], *recorded = &m.view.table.rows[i];

		ck_assert_str_eq(row_scope_name(row), row_scope_name(recorded));
		ck_assert_int_eq(row->place.kind, recorded->place.kind);
		ck_assert_pstr_eq(row->place.group, recorded->place.group);
		assert_double(row->values[column].number, recorded->values[column].number, 0);
		ck_assert(row_can_have(row, r.table.columns[column].metric) ==
			  (row->place.kind == ROW_GROUP));
	}
}

static const struct {
	int port;
	const char *group;
	int rc;
} rows[] = {
	{-1, "g1", 0},
	{-1, "", -EBADMSG},
	{0, "g1", -EBADMSG},
};

TEST_LOOP(test_a_row_of_a_group_is_of_nothing_else, COUNT_OF(rows))
{
	start();
	for (size_t i = 0; i < m.view.table.row_count; i++) {
		struct row *row = &m.view.table.rows[i];

		if (row->place.kind != ROW_GROUP)
			continue;
		row->place.port = rows[_i].port;
		row->place.group = rows[_i].group;
	}
	ck_assert_int_eq(decode(RECORDING_HEADER), rows[_i].rc);
}

/* The share is not the mean of 0 and 100 %. */
TEST(test_longer_intervals_have_the_share_of_all_cycles)
{
	struct aggregate s;

	start();
	ck_assert_int_eq(
		aggregate_init(&s, &m.view.table, &(struct aggregate_choice){.finest = SCOPE_PORT}),
		0);
	const size_t column = table_find(&m.view.table, "l3_miss_stall_pct");
	const size_t r0 = 2; /* after two ports */
	struct inputs *inputs =
		&m.view.table.inputs[r0 * table_all_columns(&m.view.table) + column];

	for (unsigned i = 0; i < 2; i++) {
		inputs->items[GROUP_CYCLES] = (struct input_value){i ? 1e9 : 3e9, 1e9};
		inputs->items[GROUP_STALLED_CYCLES] = (struct input_value){i ? 1e9 : 0, 1e9};
		value_compute(inputs, false, &m.view.table.rows[r0].values[column]);
		ck_assert_int_eq(aggregate_add(&s, &m.sample), 0);
	}
	aggregate_close(&s);
	ck_assert_str_eq(s.table.rows[r0].place.group, "/");
	assert_double(s.table.rows[r0].values[column].number, 25, 0);
	aggregate_free(&s);
}
