/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/hot/hot_block.h"

#include <math.h>

#include "platform/load_sample.h"
#include "unit.h"

static struct process_names names;
static struct sampled_rows rows;
static const struct sampled_row *sorted[SAMPLED_ROWS_MOST];
static const struct load_event event = {.name = "mem-loads", .counts = true};
static const struct reported_node nodes[] = {
	{.heat = {.node = 0, .ranges = 7, .parts = {1, 2, 3}, .least = {30, 20, 10}},
	 .used_GiB = NAN},
	{.heat = {.node = 3, .ranges = 1 << 20, .buckets = {[15] = 9}},
	 .cxl = true,
	 .used_GiB = 1 / 3.0},
};
static struct row row;
static struct table table;
static struct process_report report;
static struct bytes file;
static const struct block_kind *const kinds[] = {&hot_block, NULL};
static struct recording back;
static struct error err;

static void begin(void)
{
	const struct recording_info info = {.program = "1", .processor = "some"};

	ck_assert_int_eq(process_names_init(&names), 0);
	ck_assert_int_eq(sampled_rows_init(&rows), 0);
	row = row_unknown;
	table = (struct table){.model = "none", .rows = &row, .row_count = 1};
	report = (struct process_report){
		.by = "process",
		.names = &names,
		.event = &event,
		.ns = 500000000,
		.others = &rows.others,
		.rows = sorted,
		.timed = true,
		.counted_MB = {6000, NAN},
		.cost_ns = 1000000,
	};
	back.kinds = kinds;
	recording_put_header(&file, &info, &table);
}

static void end(void)
{
	recording_free(&back);
	bytes_free(&file);
	sampled_rows_free(&rows);
	process_names_free(&names);
}

FIXTURE(begin, end)

static void add(struct sampled_row *to, enum read_memory memory, uint64_t events, double ns)
{
	to->counts[TIME_INTERVAL][memory].samples++;
	to->counts[TIME_INTERVAL][memory].events += events;
	to->counts[TIME_INTERVAL][memory].timed += !isnan(ns);
	if (memory != MEMORY_UNKNOWN)
		sampled_row_add_latency(to, TIME_INTERVAL, memory, ns, events);
}

static struct sampled_row *row_of(unsigned pid, const char *command)
{
	struct sampled_row *found = sampled_rows_find(&rows, &(struct row_key){pid, 1});

	found->pid = pid;
	found->node = -1;
	found->command = process_names_add(&names, 0, command);
	found->function = process_names_add(&names, 0, "read_pages");
	return found;
}

static void put_interval(uint64_t wall_ns)
{
	report.count = sampled_rows_sort(&rows, TIME_INTERVAL, sorted);
	report.wall_ns = wall_ns;
	recording_put_sample(&file, &table, &(struct sample){.wall_ns = wall_ns},
			     &(struct attached_block){&hot_block, &report});
	sampled_rows_next(&rows);
}

/* Decodes up to the next sample, and advances *at. */
static void decode_sample(size_t *at)
{
	enum recording_item found = RECORDING_HEADER;
	size_t used;

	while (found != RECORDING_SAMPLE) {
		ck_assert_int_eq(recording_decode(&back, file.data + *at, file.size - *at, &used,
						  &found, &err),
				 0);
		ck_assert(found != RECORDING_NOTHING);
		*at += used;
	}
}

TEST(test_an_interval_has_every_number)
{
	size_t at = 0;

	add(row_of(7, "cold"), MEMORY_DRAM, 100, 80);
	for (unsigned i = 0; i < 100; i++)
		add(row_of(9, "hot"), MEMORY_CXL, 1000, 300 + 10.0 * i);
	add(&rows.others, MEMORY_UNKNOWN, 5, NAN);
	report.nodes = nodes;
	report.node_count = 2;
	report.colder_dram_GiB = 12;
	report.unseen_dram_GiB = 11.5;
	report.hot_cxl_GiB = 3;
	report.lost = UINT64_MAX;
	report.records_lost = 77;
	report.times = (struct event_times){4000, 3000};
	report.unsampled = 3;
	put_interval(1000);
	decode_sample(&at);
	const struct process_report *seen = hot_recorded(&back);
	struct process_row shown;
	ck_assert_ptr_nonnull(seen);
	ck_assert(!strcmp(seen->by, "process") && !strcmp(seen->event->name, "mem-loads"));
	ck_assert(seen->event->counts && !seen->event->no_loads && seen->timed);
	ck_assert_double_eq(report_seconds(seen), 0.5);
	ck_assert_double_eq(report_cost_pct(seen), 0.2);
	ck_assert_double_eq(report_counted_MBps(seen, MEMORY_CXL), 12000);
	ck_assert_double_nan(report_counted_MBps(seen, MEMORY_DRAM));
	ck_assert_uint_eq(seen->lost, UINT64_MAX);
	ck_assert_double_eq(seen->records_lost, 77);
	ck_assert_double_eq(report_running_pct(seen), 75);
	ck_assert_uint_eq(seen->unsampled, 3);
	report_row(seen, seen->rows[0], &shown);
	ck_assert_uint_eq(shown.reads.cxl.timed, 100);
	ck_assert_uint_eq(seen->count, 2);
	ck_assert_str_eq(process_name(seen->names, seen->rows[0]->command), "hot");
	ck_assert_str_eq(process_name(seen->names, seen->rows[0]->function), "read_pages");
	ck_assert_uint_eq(seen->rows[0]->pid, 9);
	ck_assert_int_eq(seen->rows[0]->node, -1);
	ck_assert_uint_eq(seen->rows[0]->counts[TIME_INTERVAL][MEMORY_CXL].events, 100000);
	ck_assert_double_eq(report_latency(seen, seen->rows[0], MEMORY_CXL, 50), 784);
	for (unsigned percent = 1; percent <= 100; percent++)
		ck_assert_double_eq(report_latency(seen, seen->rows[0], MEMORY_CXL, percent),
				    report_latency(seen, seen->all, MEMORY_CXL, percent));
	ck_assert_double_eq(report_latency(seen, seen->all, MEMORY_CXL, 100), 1290);
	ck_assert_double_eq(report_latency(seen, seen->all, MEMORY_DRAM, 100), 80);
	ck_assert_double_nan(report_latency(seen, seen->all, MEMORY_DRAM, 50));
	ck_assert_uint_eq(seen->others->counts[TIME_INTERVAL][MEMORY_UNKNOWN].events, 5);
	ck_assert_uint_eq(seen->all->counts[TIME_INTERVAL][MEMORY_UNKNOWN].samples, 1);
	ck_assert_uint_eq(seen->node_count, 2);
	ck_assert_mem_eq(&seen->nodes[1], &nodes[1], sizeof(nodes[1]));
	ck_assert_double_nan(seen->nodes[0].used_GiB);
	ck_assert_uint_eq(seen->nodes[0].heat.least[2], 10);
	ck_assert_double_eq(seen->colder_dram_GiB, 12);
	ck_assert_double_eq(seen->unseen_dram_GiB, 11.5);
}

TEST(test_a_run_is_the_sum_of_the_intervals_that_were_chosen)
{
	size_t at = 0;

	for (uint64_t i = 1; i <= 3; i++) {
		add(row_of(7, "reader"), MEMORY_CXL, i, 100 * (double)i);
		report.counted_MB[MEMORY_CXL] = (double)i;
		report.counted_MB[MEMORY_DRAM] = 10 * (double)i;
		report.missed = 100 + i;
		report.lost = 200 + i;
		report.records_lost = 400 + (double)i;
		report.throttled = 300 + i;
		report.unsampled = 10 - i;
		report.node_count = i == 1;
		report.nodes = nodes;
		put_interval(i);
	}
	for (uint64_t i = 1; i <= 3; i++) {
		decode_sample(&at);
		ck_assert_uint_eq(
			hot_recorded(&back)->all->counts[TIME_INTERVAL][MEMORY_CXL].events, i);
		if (i < 3)
			hot_recorded_sum_up(&back);
	}
	const struct process_report *run = hot_recorded_run(&back);
	ck_assert_ptr_nonnull(run);
	ck_assert_double_eq(report_seconds(run), 1);
	ck_assert_double_eq(report_counted_MBps(run, MEMORY_CXL), 3);
	ck_assert_double_eq(report_counted_MBps(run, MEMORY_DRAM), 30);
	ck_assert_uint_eq(run->missed, 203);
	ck_assert_uint_eq(run->lost, 403);
	ck_assert_double_eq(run->records_lost, 803);
	ck_assert_uint_eq(run->throttled, 603);
	/* the highest number of any interval */
	ck_assert_uint_eq(run->unsampled, 9);
	ck_assert_uint_eq(run->count, 1);
	ck_assert_uint_eq(run->rows[0]->counts[TIME_RUN][MEMORY_CXL].events, 3);
	ck_assert_uint_eq(run->all->latencies[TIME_RUN][MEMORY_CXL]->count, 2);
	ck_assert_double_eq(run->all->latencies[TIME_RUN][MEMORY_CXL]->max, 200);
	/* nodes of the last interval that had any */
	ck_assert_uint_eq(run->node_count, 1);
}

TEST(test_a_sample_without_sampled_loads_has_none)
{
	size_t at = 0;

	put_interval(1);
	recording_put_sample(&file, &table, &(struct sample){.wall_ns = 2}, NULL);
	decode_sample(&at);
	ck_assert_ptr_nonnull(hot_recorded(&back));
	decode_sample(&at);
	ck_assert_ptr_null(hot_recorded(&back));
	ck_assert_ptr_null(hot_recorded_run(&back));
}

/* A bucket after the last one would lie beyond the histogram. */
TEST(test_a_histogram_ends_where_it_ends)
{
	size_t at = 0;

	add(row_of(1, "far"), MEMORY_CXL, 1, 0);
	add(row_of(1, "far"), MEMORY_CXL, 1, 1e12);
	put_interval(1);
	decode_sample(&at);
	const struct latencies *seen =
		hot_recorded(&back)->all->latencies[TIME_INTERVAL][MEMORY_CXL];
	ck_assert_uint_eq(seen->buckets[0], 1);
	ck_assert_uint_eq(seen->buckets[LATENCY_BUCKETS - 1], 1);
	ck_assert_double_eq(seen->max, 1e12);
}

/* A block of an interval without a length would have no rates. */
TEST(test_what_is_impossible_is_refused)
{
	size_t at = 0, used;
	enum recording_item found = RECORDING_HEADER;
	int rc = 0;

	report.ns = 0;
	put_interval(1);
	while (!rc && found != RECORDING_SAMPLE) {
		rc = recording_decode(&back, file.data + at, file.size - at, &used, &found, &err);
		at += used;
	}
	ck_assert_int_eq(rc, -EBADMSG);
	ck_assert_str_eq(err.text, "sampled loads are not valid");
}
