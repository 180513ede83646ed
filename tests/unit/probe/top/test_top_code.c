/* SPDX-License-Identifier: BSD-3-Clause */
/* The coding of updates, in recordings and then in messages. */
#include "probe/top/top_code.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>

#include "base/text.h"
#include "linux/run/packet.h"
#include "record/block_kind.h"
#include "unit.h"

static struct bytes file;
static struct top_update seen;
static struct process_row rows[TOP_RECORDED_MOST + 1];

static void tear_down(void)
{
	bytes_free(&file);
	top_block.release(&seen);
	seen.rows = NULL;
}

FIXTURE(NULL, tear_down)

/* Tells if an update is valid, and is read completely. */
static bool recode(const struct top_update *update)
{
	top_block.encode(&(struct coder){.out = &file}, update);
	struct coder c = {.at = file.data, .left = file.size};
	ck_assert_int_eq(top_block.decode(&c, &seen), 0);
	return !c.bad && !c.left;
}

static struct top_update one_process(void)
{
	rows[0] = (struct process_row){.is.pid = 1001,
				       .is.started = 77,
				       .is.name = "postgres",
				       .is.user = "alice",
				       .is.cgroup = "/a/b",
				       .reads.cxl.MBps = 1e4 / 3,
				       .reads.dram.MBps = NAN,
				       .reads.share_pct = 25,
				       .reads.cxl.p50_ns = 296,
				       .reads.cxl.p99_ns = NAN,
				       .reads.cxl.samples = 12,
				       .memory.cxl = 4096,
				       .memory.dram = 8192,
				       .memory.partial = true,
				       .age_s = 0.5,
				       .memory.bytes = {4096, 8192}};
	return (struct top_update){.summary = {.wall_ns = UINT64_C(1767225600123456789),
					       .interval_s = 1,
					       .event = "loads",
					       .cxl_MBps = 5000,
					       .samples = 30,
					       .lost = 2,
					       .records_lost = 7,
					       .unsampled = 1,
					       .cost_pct = NAN,
					       .processes = 9,
					       .known = 8,
					       .refused = 1,
					       .cxl = 5e9,
					       .dram = 6e9,
					       .oldest_s = 2,
					       .nodes = {{1, true}, {0, false}},
					       .node_count = 2,
					       .row_count = 1},
				   .rows = rows};
}

TEST(test_a_process_is_as_it_was)
{
	const struct top_update update = one_process();

	ck_assert(recode(&update));
	const struct process_row *row = &seen.rows[0];
	ck_assert_uint_eq(row->is.pid, 1001);
	ck_assert_uint_eq(row->is.started, 77);
	ck_assert_str_eq(row->is.name, "postgres");
	ck_assert_str_eq(row->is.user, "alice");
	ck_assert_str_eq(row->is.cgroup, "/a/b");
	ck_assert_double_eq(row->reads.cxl.MBps, 1e4 / 3);
	ck_assert_double_nan(row->reads.dram.MBps);
	ck_assert_double_eq(row->reads.share_pct, 25);
	ck_assert_double_eq(row->reads.cxl.p50_ns, 296);
	ck_assert_double_nan(row->reads.cxl.p99_ns);
	/* not recorded */
	ck_assert(isnan(row->reads.group_p50_ns) && isnan(row->reads.group_p99_ns));
	ck_assert_uint_eq(row->reads.cxl.samples, 12);
	ck_assert(row->memory.cxl == 4096 && row->memory.dram == 8192 && row->memory.partial &&
		  row->age_s == 0.5);
	ck_assert(row->memory.bytes[0] == 4096 && row->memory.bytes[1] == 8192 &&
		  !row->memory.bytes[2]);
}

TEST(test_what_is_known_of_all_is_as_it_was)
{
	const struct top_update update = one_process();

	ck_assert(recode(&update));
	const struct top_summary *summary = &seen.summary;
	ck_assert_uint_eq(summary->wall_ns, UINT64_C(1767225600123456789));
	ck_assert_str_eq(summary->event, "loads");
	ck_assert_int_eq(summary->why_not.code, 0);
	ck_assert(summary->interval_s == 1 && summary->cxl_MBps == 5000 && summary->samples == 30);
	ck_assert_double_nan(summary->latencies_s); /* not recorded */
	ck_assert(summary->lost == 2 && summary->records_lost == 7);
	ck_assert(summary->unsampled == 1 && isnan(summary->cost_pct));
	ck_assert(summary->processes == 9 && summary->known == 8 && summary->refused == 1);
	ck_assert(summary->cxl == 5e9 && summary->dram == 6e9 && summary->oldest_s == 2);
	ck_assert_uint_eq(summary->node_count, 2);
	ck_assert(summary->nodes[0].number == 1 && summary->nodes[0].cxl);
	ck_assert(summary->nodes[1].number == 0 && !summary->nodes[1].cxl);
	ck_assert_uint_eq(summary->row_count, 1);
}

TEST(test_why_nothing_is_sampled_is_kept)
{
	struct top_update update = {.rows = rows};

	error_set(&update.summary.why_not, ERROR_PERMISSION, -EPERM, "no rights");
	ck_assert(recode(&update));
	ck_assert_str_eq(seen.summary.why_not.text, "no rights");
	ck_assert_int_ne(seen.summary.why_not.code, 0);
	const struct top_update sampled = {.rows = rows};
	bytes_free(&file);
	ck_assert(recode(&sampled));
	ck_assert_int_eq(seen.summary.why_not.code, 0);
}

TEST(test_of_many_processes_the_first_are_kept)
{
	struct top_update update = {.summary.row_count = COUNT_OF(rows), .rows = rows};

	for (unsigned i = 0; i < COUNT_OF(rows); i++)
		rows[i] = (struct process_row){.is.pid = 1 + i};
	ck_assert(recode(&update));
	ck_assert_uint_eq(seen.summary.row_count, TOP_RECORDED_MOST);
	ck_assert_uint_eq(seen.rows[TOP_RECORDED_MOST - 1].is.pid, TOP_RECORDED_MOST);
}

TEST(test_amounts_that_can_not_be_are_damage)
{
	struct top_update update = one_process();

	rows[0].memory.cxl = -1;
	ck_assert(!recode(&update));
	bytes_free(&file);
	update = one_process();
	update.summary.oldest_s = 1e300;
	ck_assert(!recode(&update));
}

#define RECORDS_LOST 3 /* bytes of the last field, whose value is 7 */

/*
 * Blocks cut off anywhere are damaged, except before the last field, which older recordings lack.
 */
TEST(test_a_part_of_a_block_is_damage)
{
	const struct top_update update = one_process();

	top_block.encode(&(struct coder){.out = &file}, &update);
	for (size_t size = 0; size < file.size; size++) {
		struct coder c = {.at = file.data, .left = size};

		ck_assert_int_eq(top_block.decode(&c, &seen), 0);
		ck_assert_int_eq(c.bad, size != file.size - RECORDS_LOST);
		ck_assert(c.bad || isnan(seen.summary.records_lost));
	}
}

/* Messages: parts of an update, and a request. */

#define NODES 2

static struct top_page page;

static void make_page(void)
{
	page = (struct top_page){
		.pid = 1001,
		.started = 77,
		.since_ns = 5,
		.sampled_s = NAN,
		.mappings = {.at = {{.name = "/usr/bin/postgr\u00e9s",
				     .reads.cxl.MBps = 6000,
				     .reads.dram.MBps = NAN,
				     .reads.share_pct = 80,
				     .reads.cxl.samples = 80}},
			     .count = 1,
			     .left_out = 3},
		.functions = {.at = {{.name = "main", .within = "/usr/bin/postgres"}}, .count = 1},
		.heat = {{.node = 1, .cxl = true, .samples = 500}},
		.heat_count = 1,
		.readings = {{.age_s = 2, .GiB = {0.1F, NAN}}},
		.reading_count = 1};
	page.heat[0].GiB[100] = 0.3F;
	page.heat[0].least[100] = UINT32_MAX;
	latencies_add(&page.latencies[MEMORY_CXL], 300, 7);
	latencies_add(&page.latencies[MEMORY_DRAM], 1e9, UINT64_MAX);
	error_set(&page.no_functions, ERROR_PERMISSION, -EPERM, "no rights");
}

static void code_summary(struct coder *c, void *part)
{
	top_code_summary(c, part);
}

static void code_row(struct coder *c, void *part)
{
	top_code_row(c, part, NODES);
}

static void code_page(struct coder *c, void *part)
{
	top_code_page(c, part);
	top_code_readings(c, part, NODES);
}

static void code_request(struct coder *c, void *part)
{
	top_code_request(c, part);
}

/* A part after it was sent. */
static union {
	struct top_summary summary;
	struct process_row row;
	struct top_page page;
	struct top_request request;
} taken;

typedef void code_part(struct coder *c, void *part);

/* Encodes a part, and decodes it. Returns false if that refuses it. */
static bool is_taken(code_part *code, void *part)
{
	bytes_free(&file);
	code(&(struct coder){.out = &file}, part);
	memset(&taken, 0, sizeof(taken));
	struct coder c = {.at = file.data, .left = file.size};
	code(&c, &taken);
	return !c.bad && !c.left;
}

TEST(test_a_sent_summary_is_as_it_was)
{
	struct top_summary sent = one_process().summary;

	sent.by = BY_USER;
	sent.with_page = true;
	sent.latencies_s = 10;
	sent.row_count = TOP_ROWS_MOST;
	error_set(&sent.why_not, ERROR_PERMISSION, -EPERM, "no rights");
	error_hint(&sent.why_not, ERROR_COMMAND_AS_ROOT);
	ck_assert(is_taken(code_summary, &sent));
	ck_assert(taken.summary.by == BY_USER && taken.summary.with_page);
	ck_assert_double_eq(taken.summary.latencies_s, 10);
	ck_assert_double_eq(taken.summary.records_lost, 7);
	ck_assert_double_nan(taken.summary.cost_pct);
	ck_assert_uint_eq(taken.summary.row_count, TOP_ROWS_MOST);
	ck_assert_int_eq(taken.summary.why_not.code, -EPERM);
	ck_assert_int_eq(taken.summary.why_not.kind, ERROR_PERMISSION);
	ck_assert_str_eq(taken.summary.why_not.text, "no rights");
	ck_assert_str_eq(taken.summary.why_not.command, ERROR_COMMAND_AS_ROOT);
}

TEST(test_a_sent_row_is_as_it_was)
{
	struct process_row sent = one_process().rows[0];

	snprintf(sent.is.name, sizeof(sent.is.name), "postgr\u00e9s");
	sent.reads.group_p50_ns = 300;
	sent.reads.group_p99_ns = NAN;
	ck_assert(is_taken(code_row, &sent));
	ck_assert_str_eq(taken.row.is.name, "postgr\u00e9s");
	ck_assert_str_eq(taken.row.is.cgroup, "/a/b");
	ck_assert(taken.row.is.pid == 1001 && taken.row.is.started == 77 &&
		  taken.row.memory.partial);
	ck_assert_double_eq(taken.row.reads.group_p50_ns, 300);
	ck_assert_double_nan(taken.row.reads.group_p99_ns);
	ck_assert_double_nan(taken.row.reads.dram.MBps);
	ck_assert_mem_eq(taken.row.memory.bytes, sent.memory.bytes, sizeof(sent.memory.bytes));
}

TEST(test_a_sent_page_is_as_it_was)
{
	make_page();
	ck_assert(is_taken(code_page, &page));
	const struct top_page *is = &taken.page;
	ck_assert(is->pid == 1001 && is->started == 77 && is->since_ns == 5);
	ck_assert_double_nan(is->sampled_s);
	ck_assert_mem_eq(is->latencies, page.latencies, sizeof(page.latencies));
	ck_assert_mem_eq(&is->mappings, &page.mappings, sizeof(page.mappings));
	ck_assert_mem_eq(&is->functions, &page.functions, sizeof(page.functions));
	ck_assert(is->heat[0].node == 1 && is->heat[0].cxl && is->heat[0].samples == 500);
	ck_assert_mem_eq(is->heat[0].GiB, page.heat[0].GiB, sizeof(page.heat[0].GiB));
	ck_assert_mem_eq(is->heat[0].least, page.heat[0].least, sizeof(page.heat[0].least));
	ck_assert_mem_eq(is->readings, page.readings, sizeof(page.readings));
	ck_assert(is->mappings.left_out == 3 && is->heat_count == 1 && is->reading_count == 1);
	ck_assert_str_eq(is->no_functions.text, "no rights");
}

TEST(test_a_sent_request_is_as_it_was)
{
	struct top_request sent = {NS_PER_S, INT_MAX, 9, true, true, BY_USER};

	ck_assert(is_taken(code_request, &sent));
	ck_assert_uint_eq(taken.request.interval_ns, NS_PER_S);
	ck_assert(taken.request.pid == INT_MAX && taken.request.started == 9);
	ck_assert(taken.request.reads && taken.request.aside && taken.request.by == BY_USER);
}

/* A value that the other side could not have made. */
struct wrong_value {
	size_t at, size;
	uint64_t bits;
};

#define WRONG(type, member, value)                                                                 \
	{                                                                                          \
		offsetof(type, member), sizeof(((type *)0)->member), value                         \
	}
#define MINUS_1	       UINT64_C(0xbff0000000000000)
#define AMOUNT_1E300   UINT64_C(0x7e37e43c8800759c)
#define FLOAT_INFINITY 0x7f800000
#define LINE_FEED      '\n'

static bool is_wrong_taken(code_part *code, void *part, const struct wrong_value *wrong)
{
	memcpy((char *)part + wrong->at, &wrong->bits, wrong->size < 8 ? wrong->size : 8);
	return is_taken(code, part);
}

static const struct wrong_value wrong_summaries[] = {
	WRONG(struct top_summary, row_count, TOP_ROWS_MOST + 1),
	WRONG(struct top_summary, row_count, SIZE_MAX - 1),
	WRONG(struct top_summary, unsampled, (uint64_t)1 << 32),
	WRONG(struct top_summary, processes, (uint64_t)1 << 32),
	WRONG(struct top_summary, known, (uint64_t)1 << 32),
	WRONG(struct top_summary, refused, (uint64_t)1 << 32),
	WRONG(struct top_summary, by, TOP_BYS),
	WRONG(struct top_summary, nodes[1].number, 0xffffffff),
	WRONG(struct top_summary, interval_s, MINUS_1),
	WRONG(struct top_summary, latencies_s, MINUS_1),
	WRONG(struct top_summary, cxl_MBps, MINUS_1),
	WRONG(struct top_summary, cost_pct, MINUS_1),
	WRONG(struct top_summary, cxl, MINUS_1),
	WRONG(struct top_summary, dram, MINUS_1),
	WRONG(struct top_summary, oldest_s, MINUS_1),
	WRONG(struct top_summary, records_lost, MINUS_1),
	WRONG(struct top_summary, event, LINE_FEED),
	WRONG(struct top_summary, why_not.code, 0xffffffff), /* without a text */
	WRONG(struct top_summary, why_not.text, LINE_FEED),
	WRONG(struct top_summary, why_not.command, LINE_FEED),
};

TEST_LOOP(test_a_wrong_summary_is_refused, COUNT(wrong_summaries))
{
	struct top_summary sent = one_process().summary;

	ck_assert(!is_wrong_taken(code_summary, &sent, &wrong_summaries[_i]));
}

static const struct wrong_value wrong_rows[] = {
	WRONG(struct process_row, is.name, 0x1b),
	WRONG(struct process_row, is.user, LINE_FEED),
	WRONG(struct process_row, is.cgroup, 0xff),
	WRONG(struct process_row, reads.cxl.MBps, MINUS_1),
	WRONG(struct process_row, reads.dram.MBps, MINUS_1),
	WRONG(struct process_row, reads.share_pct, MINUS_1),
	WRONG(struct process_row, reads.cxl.p50_ns, MINUS_1),
	WRONG(struct process_row, reads.cxl.p99_ns, MINUS_1),
	WRONG(struct process_row, memory.cxl, MINUS_1),
	WRONG(struct process_row, memory.dram, MINUS_1),
	WRONG(struct process_row, age_s, MINUS_1),
	WRONG(struct process_row, reads.group_p50_ns, MINUS_1),
	WRONG(struct process_row, reads.group_p99_ns, MINUS_1),
};

TEST_LOOP(test_a_wrong_row_is_refused, COUNT(wrong_rows))
{
	struct process_row sent = one_process().rows[0];

	ck_assert(!is_wrong_taken(code_row, &sent, &wrong_rows[_i]));
}

static const struct wrong_value wrong_pages[] = {
	WRONG(struct top_page, sampled_s, MINUS_1),
	WRONG(struct top_page, latencies[MEMORY_CXL].max, AMOUNT_1E300),
	WRONG(struct top_page, latencies[MEMORY_DRAM].max, AMOUNT_1E300),
	WRONG(struct top_page, mappings.left_out, SAMPLED_ROWS_MOST + 1),
	WRONG(struct top_page, mappings.at[0].name, LINE_FEED),
	WRONG(struct top_page, functions.at[0].within, 0xff),
	WRONG(struct top_page, mappings.at[0].reads.cxl.MBps, MINUS_1),
	WRONG(struct top_page, mappings.at[0].reads.dram.MBps, MINUS_1),
	WRONG(struct top_page, functions.at[0].reads.share_pct, MINUS_1),
	WRONG(struct top_page, no_functions.text, LINE_FEED),
	WRONG(struct top_page, heat[0].GiB[100], FLOAT_INFINITY),
	WRONG(struct top_page, readings[0].age_s, MINUS_1),
	WRONG(struct top_page, readings[0].GiB[NODES - 1], FLOAT_INFINITY),
};

TEST_LOOP(test_a_wrong_page_is_refused, COUNT(wrong_pages))
{
	make_page();
	ck_assert(!is_wrong_taken(code_page, &page, &wrong_pages[_i]));
}

static bool summary_fits(void)
{
	const struct top_summary *is = &taken.summary;

	return is->row_count <= TOP_ROWS_MOST && is->node_count <= SCAN_NODES_MOST &&
	       (unsigned)is->by < TOP_BYS && text_is_printable(is->event, sizeof(is->event)) &&
	       error_is_valid(&is->why_not);
}

static bool row_fits(void)
{
	return text_is_printable(taken.row.is.name, sizeof(taken.row.is.name)) &&
	       text_is_printable(taken.row.is.user, sizeof(taken.row.is.user)) &&
	       text_is_printable(taken.row.is.cgroup, sizeof(taken.row.is.cgroup));
}

static bool page_fits(void)
{
	const struct top_page *is = &taken.page;

	return is->mappings.count <= TOP_PAGE_ROWS && is->functions.count <= TOP_PAGE_ROWS &&
	       is->heat_count <= SCAN_NODES_MOST && is->reading_count <= TOP_READINGS_MOST &&
	       !isinf(is->readings[0].GiB[0]) && error_is_valid(&is->no_functions);
}

static const struct {
	code_part *code;
	bool (*fits)(void);
} parts[] = {{code_summary, summary_fits}, {code_row, row_fits}, {code_page, page_fits}};

static void encode_part(size_t part)
{
	struct top_update update = one_process();
	void *const all[] = {&update.summary, update.rows, &page};

	make_page();
	parts[part].code(&(struct coder){.out = &file}, all[part]);
}

/* Decodes a part from a copy of exactly its size, in which a read beyond it is found. */
static bool decode_part(size_t part, const uint8_t *bytes, size_t size)
{
	uint8_t *copy = malloc(size + !size);

	memcpy(copy, bytes, size);
	memset(&taken, 0, sizeof(taken));
	struct coder c = {.at = copy, .left = size};
	parts[part].code(&c, &taken);
	free(copy);
	return !c.bad && !c.left;
}

TEST_LOOP(test_a_part_that_is_cut_off_is_refused, COUNT(parts))
{
	encode_part((size_t)_i);
	for (size_t size = 0; size < file.size; size++)
		ck_assert(!decode_part((size_t)_i, file.data, size));
	ck_assert(decode_part((size_t)_i, file.data, file.size));
	bytes_put(&file, "", 1);
	ck_assert(!decode_part((size_t)_i, file.data, file.size));
}

/* Each byte is replaced by others: the part is refused, or all in it is possible. */
TEST_LOOP(test_a_changed_part_is_refused_or_possible, COUNT(parts))
{
	static const uint8_t others[] = {0,    1,    3,	   9,	 0x1b, 0x20,
					 0x61, 0x7f, 0x80, 0xbf, 0xf0, 0xff};

	encode_part((size_t)_i);
	for (size_t at = 0; at < file.size; at++) {
		const uint8_t was = file.data[at];

		for (size_t i = 0; i < COUNT_OF(others); i++) {
			file.data[at] = others[i];
			if (decode_part((size_t)_i, file.data, file.size))
				ck_assert_msg(parts[_i].fits(), "byte %zu: %u", at, others[i]);
		}
		file.data[at] = was;
	}
}

/* Names, numbers and counts that take most room. */
TEST(test_the_largest_page_is_two_messages)
{
	make_page();
	page.mappings.count = page.functions.count = TOP_PAGE_ROWS;
	page.heat_count = SCAN_NODES_MOST;
	page.reading_count = TOP_READINGS_MOST;
	page.pid = UINT_MAX;
	page.started = page.since_ns = UINT64_MAX;
	for (size_t i = 0; i < TOP_PAGE_ROWS; i++) {
		struct top_page_row *row = &page.mappings.at[i];

		memset(row->name, 'a', sizeof(row->name) - 1);
		memset(row->within, 'a', sizeof(row->within) - 1);
		row->reads.cxl.MBps = row->reads.dram.MBps = row->reads.share_pct = 0.1;
		row->reads.cxl.samples = UINT64_MAX;
		page.functions.at[i] = *row;
	}
	for (size_t i = 0; i < SCAN_NODES_MOST; i++) {
		page.heat[i] = page.heat[0];
		page.heat[i].node = INT_MAX - 1;
		page.heat[i].samples = UINT64_MAX;
	}
	for (size_t i = 0; i < TOP_READINGS_MOST; i++)
		page.readings[i].age_s = 0.1;
	for (size_t m = 0; m < 2; m++) {
		page.latencies[m] = (struct latencies){.count = UINT64_MAX, .max = 0.1};
		memset(page.latencies[m].buckets, 0xff, sizeof(page.latencies[m].buckets));
	}
	memset(page.no_functions.text, 'a', sizeof(page.no_functions.text) - 1);
	memset(page.no_functions.command, 'a', sizeof(page.no_functions.command) - 1);
	struct coder out = {.out = &file};
	top_code_page(&out, &page);
	ck_assert_uint_gt(file.size, PACKET_BYTES_MOST / 2);
	ck_assert_uint_lt(file.size, PACKET_BYTES_MOST);
	file.size = 0;
	top_code_readings(&out, &page, SCAN_NODES_MOST);
	ck_assert_uint_gt(file.size, PACKET_BYTES_MOST / 2);
	ck_assert_uint_lt(file.size, PACKET_BYTES_MOST);
}
