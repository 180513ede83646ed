/* SPDX-License-Identifier: BSD-3-Clause */
/* The page of a process on a simulated machine, whose clock the test moves, or in memory. */
#include "probe/top/top_page.h"

#include <math.h>

#include "probe/top/top.h"
#include "probe/top/top_code.h"
#include "unit.h"

#define GIB (UINT64_C(1) << 30)

static struct top_options options;
static struct top *top;
static struct error err;

/* Two nodes of CXL memory, and one of DRAM. */
static void begin(void)
{
	options = (struct top_options){
		.root = "/",
		.sim = "gnr,sockets=1,ports=2,read=20,dram_read=10,clock=virtual,readers=2"};
	top = calloc(1, sizeof(*top));
	top_prepare(&options, top);
	ck_assert_msg(!top_open(top, &err) && !top_begin(top, &err), "%s", err.text);
}

static void end(void)
{
	top_close(top);
	free(top);
}

FIXTURE(begin, end)

/* Checks that the run accepts all of an update. */
static void check_sent(void)
{
	const size_t nodes = top->summary.node_count;
	struct bytes bytes = {.failed = false};
	struct coder out = {.out = &bytes};
	struct top_page *page = calloc(1, sizeof(*page));
	struct top_summary summary = {.wall_ns = 0};

	top_code_summary(&out, &top->summary);
	for (size_t i = 0; i < top->summary.row_count; i++)
		top_code_row(&out, &top->rows[i], nodes);
	top_code_page(&out, &top->page);
	top_code_readings(&out, &top->page, nodes);
	struct coder in = {.at = bytes.data, .left = bytes.size};
	top_code_summary(&in, &summary);
	for (size_t i = 0; i < summary.row_count; i++)
		top_code_row(&in, &(struct process_row){.is.pid = 0}, nodes);
	top_code_page(&in, page);
	top_code_readings(&in, page, nodes);
	ck_assert(!in.bad && !in.left);
	ck_assert_mem_eq(page->readings, top->page.readings, sizeof(page->readings));
	bytes_free(&bytes);
	free(page);
}

static void pass_ns(uint64_t ns)
{
	top->p->ops->clock->sleep_until(top->p, top->p->ops->clock->now(top->p) + ns, NULL,
					&(int){0});
}

static void pass(void)
{
	pass_ns(NS_PER_S);
	ck_assert_msg(!top_update(top, &err), "%s", err.text);
	check_sent();
}

static const struct process_row *row_of(unsigned pid)
{
	for (size_t i = 0; i < top->summary.row_count; i++)
		if (top->rows[i].is.pid == pid)
			return &top->rows[i];
	return NULL;
}

/* Shows a process with a row; a process without one has start time 0. */
static void show(unsigned pid)
{
	const struct process_row *row = row_of(pid);

	ck_assert_msg(!top_show(top, pid, row ? row->is.started : 0, &err), "%s", err.text);
}

TEST(test_until_a_page_is_opened_there_is_none)
{
	pass();
	ck_assert(!top->summary.with_page);
	show(1001);
	pass();
	ck_assert(top->summary.with_page);
	ck_assert_uint_eq(top->page.pid, 1001);
	show(0);
	pass();
	ck_assert(!top->summary.with_page);
}

TEST(test_mappings_and_functions_are_of_that_process_alone)
{
	pass();
	show(1002);
	pass();
	const struct top_page *page = &top->page;
	ck_assert(page->sampled_s == 1);
	ck_assert_uint_eq(page->mappings.count, 1);
	ck_assert_str_eq(page->mappings.at[0].name, "//anon");
	ck_assert(page->mappings.at[0].reads.share_pct == 100);
	/* samples of the same second */
	ck_assert_uint_eq(page->mappings.at[0].reads.cxl.samples, row_of(1002)->reads.cxl.samples);
	assert_double(page->mappings.at[0].reads.cxl.MBps, row_of(1002)->reads.cxl.MBps, 0.001);
	assert_double(page->mappings.at[0].reads.dram.MBps, row_of(1002)->reads.dram.MBps, 0.001);
	ck_assert_uint_eq(page->functions.count, 2);
	ck_assert_str_eq(page->functions.at[0].name, "read_hot");
	ck_assert_str_eq(page->functions.at[0].within, "/usr/bin/memcached");
	ck_assert_str_eq(page->functions.at[1].name, "read_cold");
	ck_assert_uint_eq(page->functions.at[0].reads.cxl.samples +
				  page->functions.at[1].reads.cxl.samples,
			  row_of(1002)->reads.cxl.samples);
	ck_assert_int_eq(page->no_functions.code, 0);
}

TEST(test_samples_add_up_until_another_process_is_opened)
{
	pass();
	show(1001);
	pass();
	const uint64_t first = top->page.mappings.at[0].reads.cxl.samples;
	show(1001);
	pass();
	ck_assert(top->page.sampled_s == 2);
	ck_assert_uint_eq(top->page.mappings.at[0].reads.cxl.samples,
			  first + row_of(1001)->reads.cxl.samples);
	show(1002);
	pass();
	ck_assert(top->page.sampled_s == 1);
	ck_assert_uint_eq(top->page.mappings.at[0].reads.cxl.samples,
			  row_of(1002)->reads.cxl.samples);
}

TEST(test_samples_before_a_page_is_opened_are_not_of_it)
{
	pass();
	pass_ns(3 * NS_PER_S);
	show(1002);
	pass();
	/* samples of one second, and of four */
	ck_assert_uint_lt(3 * top->page.mappings.at[0].reads.cxl.samples,
			  row_of(1002)->reads.cxl.samples);
}

/* All characters from the third byte on have two bytes. */
TEST(test_a_long_name_is_cut_off_between_characters)
{
	char name[NAMES_TEXT_SIZE] = "/a";

	for (unsigned n = 0; n < TOP_PAGE_NAME / 2; n++)
		strcat(name, "\303\251");
	pass();
	show(1001);
	pass();
	const struct process_names *names = &top->loads.intake.names;
	size_t i = 0;
	while (i < names->count && strcmp(names->at[i].text, top->page.mappings.at[0].name) != 0)
		i++;
	ck_assert_uint_lt(i, names->count);
	free(names->at[i].text);
	names->at[i].text = strdup(name);
	pass();
	ck_assert_uint_eq(strlen(top->page.mappings.at[0].name), TOP_PAGE_NAME - 2);
}

/* Latencies include reads before the page was opened. */
TEST(test_latencies_are_of_the_last_intervals)
{
	for (unsigned i = 0; i < 3; i++)
		pass();
	show(1001);
	pass();
	const struct latencies *latencies = top->page.latencies;
	ck_assert(top->summary.latencies_s == 4);
	ck_assert_uint_gt(latencies[MEMORY_CXL].count, 3 * row_of(1001)->reads.cxl.samples);
	ck_assert(latencies_percentile(&latencies[MEMORY_CXL], 50) ==
		  row_of(1001)->reads.cxl.p50_ns);
	ck_assert(latencies[MEMORY_DRAM].max < latencies[MEMORY_CXL].max);
}

TEST(test_heat_is_how_much_memory_has_which_part_of_the_reads)
{
	pass();
	show(1001);
	for (unsigned i = 0; i < 5; i++)
		pass();
	const struct top_page *page = &top->page;
	ck_assert_uint_eq(page->heat_count, 3);
	for (size_t n = 0; n < 3; n++) {
		const struct top_page_heat *heat = &page->heat[n];

		ck_assert_int_eq(heat->node, (int)n);
		ck_assert_int_eq(heat->cxl, n > 0);
		ck_assert_uint_gt(heat->samples, 0);
		ck_assert(heat->GiB[1] >= 2.0F / 1024);
		for (size_t percent = 1; percent < 100; percent++) {
			ck_assert(heat->GiB[percent] <= heat->GiB[percent + 1]);
			ck_assert_uint_gt(heat->least[percent], 0);
		}
	}
}

TEST(test_of_a_process_without_samples_there_is_nothing)
{
	show(77);
	pass();
	ck_assert(top->summary.with_page);
	ck_assert_uint_eq(top->page.mappings.count, 0);
	ck_assert_uint_eq(top->page.heat_count, 0);
	ck_assert_uint_eq(top->page.latencies[MEMORY_CXL].count, 0);
	ck_assert_uint_eq(top->page.reading_count, 0);
}

TEST(test_memory_is_that_of_the_row_whenever_it_is_read)
{
	pass();
	show(1001);
	for (unsigned i = 0; i < 4; i++)
		pass();
	const struct top_page *page = &top->page;
	double cxl_GiB = 0;

	ck_assert_uint_eq(page->reading_count, 4);
	for (size_t n = 0; n < top->summary.node_count; n++)
		cxl_GiB += top->summary.nodes[n].cxl ? page->readings[0].GiB[n] : 0;
	ck_assert(cxl_GiB == row_of(1001)->memory.cxl / (double)GIB);
	ck_assert(page->readings[0].age_s == row_of(1001)->age_s);
	ck_assert(page->readings[3].age_s == page->readings[0].age_s + 3);
}

/* Pages without samples. */

static struct top_focus *focus;
static struct top_page *page;
static const struct top_latencies none;

static void begin_memory(void)
{
	focus = calloc(1, sizeof(*focus));
	page = calloc(1, sizeof(*page));
	top_focus_init(focus, false, NULL);
	ck_assert_int_eq(top_focus_choose(focus, 7, 70, NS_PER_S), 0);
}

static void end_memory(void)
{
	top_focus_free(focus);
	free(focus);
	free(page);
}

FIXTURE(begin_memory, end_memory)

static void read_memory(uint64_t second, uint64_t started, uint64_t GiB)
{
	struct scanned_process process = {.is.pid = 7,
					  .is.started = started,
					  .state = MEMORY_COUNTED,
					  .read_ns = second * NS_PER_S,
					  .memory.bytes = {[1] = GiB * GIB}};

	top_focus_update(focus, &process, second * NS_PER_S);
}

static void make(uint64_t second)
{
	top_page_make(focus, &none, second * NS_PER_S, page);
}

TEST(test_memory_is_known_over_time_with_its_age)
{
	read_memory(1, 70, 3);
	read_memory(1, 70, 3); /* memory was not read again */
	read_memory(4, 70, 5);
	make(6);
	ck_assert_uint_eq(page->reading_count, 2);
	ck_assert(page->readings[0].age_s == 2 && page->readings[0].GiB[1] == 5);
	ck_assert(page->readings[1].age_s == 5 && page->readings[1].GiB[1] == 3);
	ck_assert(page->readings[0].GiB[0] == 0);
	ck_assert(isnan(page->sampled_s));
	ck_assert_uint_eq(page->pid, 7);
}

TEST(test_memory_of_another_process_of_the_pid_is_left_out)
{
	read_memory(1, 70, 3);
	read_memory(2, 80, 9);
	top_focus_update(focus, NULL, 3 * NS_PER_S);
	make(6);
	ck_assert_uint_eq(page->reading_count, 1);
}

TEST(test_the_oldest_readings_are_forgotten)
{
	for (uint64_t second = 1; second <= TOP_READINGS_MOST + 5; second++)
		read_memory(second, 70, second);
	make(TOP_READINGS_MOST + 5);
	ck_assert_uint_eq(page->reading_count, TOP_READINGS_MOST);
	ck_assert(page->readings[0].age_s == 0);
	ck_assert(page->readings[TOP_READINGS_MOST - 1].GiB[1] == 6);
	ck_assert_int_eq(top_focus_choose(focus, 8, 1, 0), 0);
	make(0);
	ck_assert_uint_eq(page->reading_count, 0);
}
