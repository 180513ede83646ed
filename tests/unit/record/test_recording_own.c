/* SPDX-License-Identifier: BSD-3-Clause */
/* Metrics added to a recording of a simulated machine, whose run did not have them. */
#include "record/recording_own.h"

#include "record/block.h"
#include "sim_monitor.h"
#include "unit.h"

#define LINES "UNC_CXLDP_TxC_AGF_INSERTS.M2S_REQ"

static struct sim_monitor m;
static struct bytes file;
static struct recording r;
static size_t at;
static struct event_catalogue catalogue;
static struct custom_metrics metrics;
static struct error err;

static void decode_to(enum recording_item item)
{
	enum recording_item found;
	size_t used;

	do {
		ck_assert_msg(
			!recording_decode(&r, file.data + at, file.size - at, &used, &found, &err),
			"%s", err.text);
		ck_assert_int_ne(found, RECORDING_NOTHING);
		at += used;
	} while (found != item);
}

/* Begins a recording with one sample of one port, decoded up to the sample. */
static void begin(void)
{
	static const struct recording_info info = {.program = "1", .processor = "Some Rapids"};

	sim_monitor_start(&m, .spec = "spr,ports=1,read=12,write=5,clock=virtual",
			  .view = {.groups = "cxl", .finest = SCOPE_PORT});
	sim_monitor_sample(&m);
	r = (struct recording){.samples = 0};
	metrics = (struct custom_metrics){.count = 0};
	recording_put_header(&file, &info, &m.view.table);
	recording_put_sample(&file, &m.view.table, &m.sample, NULL);
	recording_put_end(&file, 1);
	ck_assert(!file.failed);
	at = 0;
	decode_to(RECORDING_HEADER);
	catalogue_init(&catalogue, m.machine.model);
}

static void end(void)
{
	recording_free(&r);
	bytes_free(&file);
	custom_metrics_free(&metrics);
	catalogue_free(&catalogue);
}

static int add(const char *text)
{
	ck_assert_msg(
		!custom_metrics_add(&metrics, &(struct custom_context){&catalogue}, text, &err),
		"%s", err.text);
	return recording_own_add(&r, &metrics, &err);
}

static double value_of(const char *name)
{
	const size_t column = table_find(&r.table, name);

	ck_assert_uint_ne(column, SIZE_MAX);
	ck_assert_int_eq(r.table.rows[0].place.kind, ROW_PORT);
	return r.table.rows[0].values[column].number;
}

FIXTURE(begin, end)

TEST(test_a_metric_follows_from_what_was_counted_for_others)
{
	const size_t columns = r.table.column_count;

	ck_assert_msg(!add("x_per_s = " LINES), "%s", err.text);
	ck_assert_uint_eq(r.table.column_count, columns + 1);
	ck_assert_uint_eq(table_find(&r.table, "x_per_s"), columns);
	decode_to(RECORDING_SAMPLE);
	ck_assert_double_eq(value_of("cxl_mem_read_MBps"), 12000);
	ck_assert_double_eq(value_of("x_per_s"), 12e9 / 64);
}

TEST(test_a_metric_may_name_columns)
{
	ck_assert_msg(!add("x_MBps = cxl_mem_read_MBps + cxl_mem_write_MBps"), "%s", err.text);
	decode_to(RECORDING_SAMPLE);
	ck_assert_double_eq(value_of("x_MBps"), 17000);
	ck_assert_double_eq(value_of("cxl_mem_write_MBps"), 5000);
}

TEST(test_a_metric_has_values_in_rows_of_its_scopes_only)
{
	size_t system = 0;

	ck_assert_msg(!add("x_MBps = cxl_mem_read_MBps; scope=system"), "%s", err.text);
	decode_to(RECORDING_SAMPLE);
	ck_assert_double_nan(value_of("x_MBps"));
	while (r.table.rows[system].place.kind != ROW_SYSTEM)
		system++;
	ck_assert_double_eq(r.table.rows[system].values[table_find(&r.table, "x_MBps")].number,
			    12000);
}

TEST(test_what_was_not_counted_is_said)
{
	ck_assert_int_eq(add("x_per_s = UNC_CHA_CLOCKTICKS"), -ENODATA);
	ck_assert_str_eq(err.text, "metric 'x_per_s': UNC_CHA_CLOCKTICKS was not counted in this "
				   "recording");
}
