/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/top/top.h"

#include <math.h>

#include "unit.h"

static struct bytes file;
static struct top_update seen;
static struct top_row rows[TOP_RECORDED_MOST + 1];

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
	rows[0] = (struct top_row){.pid = 1001,
				   .started = 77,
				   .name = "postgres",
				   .user = "alice",
				   .cgroup = "/a/b",
				   .cxl_MBps = 1e4 / 3,
				   .dram_MBps = NAN,
				   .share_pct = 25,
				   .p50_ns = 296,
				   .p99_ns = NAN,
				   .cxl_samples = 12,
				   .cxl = 4096,
				   .dram = 8192,
				   .partial = true,
				   .age_s = 0.5,
				   .bytes = {4096, 8192}};
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
	const struct top_row *row = &seen.rows[0];
	ck_assert_uint_eq(row->pid, 1001);
	ck_assert_uint_eq(row->started, 77);
	ck_assert_str_eq(row->name, "postgres");
	ck_assert_str_eq(row->user, "alice");
	ck_assert_str_eq(row->cgroup, "/a/b");
	ck_assert_double_eq(row->cxl_MBps, 1e4 / 3);
	ck_assert_double_nan(row->dram_MBps);
	ck_assert_double_eq(row->share_pct, 25);
	ck_assert_double_eq(row->p50_ns, 296);
	ck_assert_double_nan(row->p99_ns);
	ck_assert_uint_eq(row->cxl_samples, 12);
	ck_assert(row->cxl == 4096 && row->dram == 8192 && row->partial && row->age_s == 0.5);
	ck_assert(row->bytes[0] == 4096 && row->bytes[1] == 8192 && !row->bytes[2]);
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
		rows[i] = (struct top_row){.pid = 1 + i};
	ck_assert(recode(&update));
	ck_assert_uint_eq(seen.summary.row_count, TOP_RECORDED_MOST);
	ck_assert_uint_eq(seen.rows[TOP_RECORDED_MOST - 1].pid, TOP_RECORDED_MOST);
}

TEST(test_amounts_that_can_not_be_are_damage)
{
	struct top_update update = one_process();

	rows[0].cxl = -1;
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
