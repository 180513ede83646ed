/* SPDX-License-Identifier: BSD-3-Clause */
/* Tables of replays, compared with tables of the recorded runs, on machines drawn at random. */
#include <math.h>

#include "record/recording_file.h"
#include "sim_monitor.h"
#include "table/spell.h"
#include "unit.h"

#define SAMPLES 6

static struct sim_monitor m;
static struct recording r;
static struct bytes file;
static size_t at; /* place of the next block in the file */
static uint64_t state;

static void tear_down(void)
{
	bytes_free(&file);
	recording_free(&r);
}

FIXTURE(NULL, tear_down)

static size_t draw_below(size_t bound)
{
	state = state * 6364136223846793005U + 1442695040888963407U;
	return (size_t)(state >> 33) % bound;
}

#define DRAW(list) (list)[draw_below(COUNT_OF(list))]

static void start_random(unsigned seed)
{
	static const char *const models[] = {
		"spr,tor_leak=40", "emr",   "gnr,sockets=2", "gnr-d",
		"srf,dies=2",	   "cwf",   "dmr",	     "turin",
		"venice",	   "genoa", "intel,cpmu=1",  "arm,cpmu=1"};
	static const char *const traffic[] = {
		"read=20,write=8,dram_read=40,dram_write=10,wave=1",
		"read=3,dram_read=90,latency=600,ramp=3",
		"link_width=8,read=24,crc=12,retry=3,full=40,begin=2",
		"link_change=2,link_change_width=4,aer_correctable=5,read=9",
		"cpmu=1,cpmu_kind=full,read=3,write=2,temperature=90,promote=500",
		"sockets=2,ports=3,cpus=4,remote=60,read=5",
	};
	static const enum scope scopes[] = {SCOPE_CPU, SCOPE_PORT, SCOPE_PORT, SCOPE_SYSTEM};
	static const uint64_t intervals[] = {SECOND / 10, SECOND, 5 * SECOND};
	char spec[256];

	state = seed;
	snprintf(spec, sizeof(spec), "%s,%s,clock=virtual", DRAW(models), DRAW(traffic));
	sim_monitor_start(&m, .spec = spec,
			  .view = {.groups = draw_below(3) ? "all" : "cxl,latency,dram,tiering",
				   .finest = DRAW(scopes),
				   .latency = draw_below(4) ? LATENCY_SPATIAL : LATENCY_ROTATE},
			  .interval_ns = DRAW(intervals), .start_ns = draw_below(3));
}

static void decode_until(enum recording_item wanted)
{
	enum recording_item found = RECORDING_NOTHING;

	for (size_t used; found != wanted; at += used) {
		ck_assert_msg(!recording_decode(&r, file.data + at, file.size - at, &used, &found,
						&m.err),
			      "%s", m.err.text);
		ck_assert_int_ne(found, RECORDING_NOTHING);
	}
}

static void assert_same_value(const struct value *replayed, const struct value *value)
{
	ck_assert_mem_eq(&replayed->number, &value->number, sizeof(double));
	ck_assert_mem_eq(&replayed->seconds, &value->seconds, sizeof(double));
	ck_assert_str_eq(replayed->text, value->text);
	ck_assert_int_eq(replayed->scaled, value->scaled);
	ck_assert_int_eq(replayed->raised, value->raised);
}

/* Returns the number of known values. */
static size_t assert_same_rows(const struct table *replayed, const struct table *table)
{
	size_t known = 0;

	ck_assert_uint_eq(replayed->row_count, table->row_count);
	ck_assert_uint_eq(replayed->column_count, table->column_count);
	for (size_t i = 0; i < table->row_count; i++) {
		const struct row *row = &table->rows[i], *other = &replayed->rows[i];

		ck_assert_int_eq(row_compare(other, row), 0);
		ck_assert_mem_eq(&other->interval_s, &row->interval_s, sizeof(double));
		ck_assert_mem_eq(&other->counted_pct, &row->counted_pct, sizeof(double));
		for (size_t c = 0; c < table->column_count; c++) {
			assert_same_value(&other->values[c], &row->values[c]);
			ck_assert_int_eq(row_can_have(other, replayed->columns[c].metric),
					 row_can_have(row, table->columns[c].metric));
			known += !isnan(row->values[c].number);
		}
	}
	return known;
}

static void assert_same_headings(const struct table *replayed, const struct table *table)
{
	for (size_t c = 0; c < table->column_count; c++) {
		ck_assert_pstr_eq(table_heading(replayed, c), table_heading(table, c));
		ck_assert_str_eq(metric_title(replayed->columns[c].metric),
				 metric_title(table->columns[c].metric));
	}
}

TEST_LOOP(test_a_replay_has_the_table_of_its_run_to_the_last_bit, 40)
{
	static const struct recording_info info = {
		.program = "1", .processor = "P", .interval_ns = SECOND};
	size_t known = 0;

	at = 0;
	start_random((unsigned)_i);
	recording_put_header(&file, &info, &m.view.table);
	decode_until(RECORDING_HEADER);
	assert_same_headings(&r.table, &m.view.table);
	for (unsigned s = 0; s < SAMPLES; s++) {
		pass_time(m.platform, draw_below(3) * SECOND);
		sim_monitor_sample(&m);
		recording_put_sample(&file, &m.view.table, &m.sample, NULL);
		decode_until(RECORDING_SAMPLE);
		known += assert_same_rows(&r.table, &m.view.table);
	}
	ck_assert_uint_gt(known, 0);
}
