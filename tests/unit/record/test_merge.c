/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/merge.h"

#include <malloc.h>

#include "host_recording.h"
#include "output/sink.h"
#include "text_output.h"
#include "unit.h"

EACH_IN_A_PROCESS

#define MOST 3

static struct recording_file files[MOST];
static struct replay replays[MOST];
static struct merge merge;
static struct error err;
static size_t opened;

static void tear_down(void)
{
	merge_free(&merge);
	for (size_t i = 0; i < opened; i++) {
		replay_free(&replays[i]);
		recording_file_close(&files[i]);
	}
}

TREE_FIXTURE(NULL, tear_down)

/* Writes and opens a recording, which is shown in rows of this interval; 0: every sample. */
static void add_host(const struct host_recording *h, uint64_t interval_ns)
{
	const struct aggregate_choice choice = {.finest = SCOPE_CPU};
	const size_t i = opened++;

	ck_assert_int_eq(recording_file_open(write_host(h), NULL, &files[i], &err), 0);
	ck_assert_int_eq(replay_init(&replays[i], &files[i], &choice, interval_ns, &err), 0);
	ck_assert_int_eq(merge_add(&merge, &replays[i], h->host), 0);
}

/* Returns all samples in a format. */
static const char *show(const struct format *format)
{
	struct sink sink;
	int rc;

	ck_assert_int_eq(merge_begin(&merge, &err), 0);
	text_output_open(&sink, format, &merge.table);
	while ((rc = merge_next(&merge, &err)) > 0)
		format->sample(&sink, merge.sample);
	ck_assert_int_eq(rc, 0);
	return text_output_close(&sink);
}

static void assert_shown(const struct format *format, const char *expected)
{
	ck_assert_str_eq(show(format), expected);
}

#define FIRST  "time,interval_s,missed,scope,socket,port,pci,memdev,node,"
#define SYSTEM ",0,system,,,,,,"
#define AT     "2023-11-14T22:13:2"

TEST(test_samples_of_all_hosts_come_in_the_order_of_time)
{
	add_host(&(struct host_recording){"a", "n1", NULL, 10, 400, .samples = 3}, 0);
	add_host(&(struct host_recording){"b", "n2", NULL, 20, 500, .samples = 2,
					  .late_ns = HOST_S / 2},
		 0);
	assert_shown(&format_csv,
		     FIRST "cxl_mem_read_MBps,cxl_read_latency_ns,counted_pct,host\n" AT
			   "1.000000Z,1.000000" SYSTEM "10.000,400.0,100,n1\n" AT
			   "1.500000Z,1.000000" SYSTEM "20.000,500.0,100,n2\n" AT
			   "2.000000Z,1.000000" SYSTEM "10.000,400.0,100,n1\n" AT
			   "2.500000Z,1.000000" SYSTEM "20.000,500.0,100,n2\n" AT
			   "3.000000Z,1.000000" SYSTEM "10.000,400.0,100,n1\n");
}

TEST(test_samples_of_the_same_time_come_in_the_order_of_hosts)
{
	add_host(&(struct host_recording){"b", "n2", NULL, 20, 500, .samples = 1}, 0);
	add_host(&(struct host_recording){"a", "n1", NULL, 10, 400, .samples = 1}, 0);
	assert_shown(&format_csv,
		     FIRST "cxl_mem_read_MBps,cxl_read_latency_ns,counted_pct,host\n" AT
			   "1.000000Z,1.000000" SYSTEM "20.000,500.0,100,n2\n" AT
			   "1.000000Z,1.000000" SYSTEM "10.000,400.0,100,n1\n");
}

TEST(test_a_cell_that_a_recording_lacks_is_unknown)
{
	add_host(&(struct host_recording){"a", "n1", NULL, 10, 400, .samples = 1,
					  .without_latency = true},
		 0);
	add_host(&(struct host_recording){"b", "n2", NULL, NAN, 500, .samples = 1}, 0);
	assert_shown(&format_csv,
		     FIRST "cxl_mem_read_MBps,cxl_read_latency_ns,counted_pct,host\n" AT
			   "1.000000Z,1.000000" SYSTEM "10.000,,100,n1\n" AT
			   "1.000000Z,1.000000" SYSTEM ",500.0,100,n2\n");
}

TEST(test_other_intervals_have_their_own_rows)
{
	add_host(&(struct host_recording){"a", "n1", NULL, 10, 400, .samples = 2}, 0);
	add_host(&(struct host_recording){"b", "n2", NULL, 20, 500, .samples = 1,
					  .interval_ns = 2 * HOST_S},
		 0);
	assert_shown(&format_csv,
		     FIRST "cxl_mem_read_MBps,cxl_read_latency_ns,counted_pct,host\n" AT
			   "1.000000Z,1.000000" SYSTEM "10.000,400.0,100,n1\n" AT
			   "2.000000Z,1.000000" SYSTEM "10.000,400.0,100,n1\n" AT
			   "2.000000Z,2.000000" SYSTEM "20.000,500.0,100,n2\n");
}

TEST(test_rows_of_one_length_come_together)
{
	add_host(&(struct host_recording){"a", "n1", NULL, 10, 400, .samples = 2}, 2 * HOST_S);
	add_host(&(struct host_recording){"b", "n2", NULL, 20, 500, .samples = 1,
					  .interval_ns = 2 * HOST_S},
		 2 * HOST_S);
	assert_shown(&format_csv,
		     FIRST "cxl_mem_read_MBps,cxl_read_latency_ns,counted_pct,host\n" AT
			   "2.000000Z,2.000000" SYSTEM "10.000,400.0,100,n1\n" AT
			   "2.000000Z,2.000000" SYSTEM "20.000,500.0,100,n2\n");
}

TEST(test_json_names_the_host_of_each_sample)
{
	add_host(&(struct host_recording){"a", "n1", NULL, 10, 400, .samples = 1}, 0);
	add_host(&(struct host_recording){"b", "n2", NULL, 20, 500, .samples = 1}, 0);
	const char *text = show(&format_json);
	assert_contains(text, "{\"schema\":2,\"host\":\"n1\",\"time\":\"2023");
	assert_contains(text, "{\"schema\":2,\"host\":\"n2\",\"time\":\"2023");
}

TEST(test_the_table_has_a_column_of_hosts_as_wide_as_the_longest)
{
	add_host(&(struct host_recording){"a", "n1", NULL, 10, 400, .samples = 1}, 0);
	add_host(&(struct host_recording){"b", "node-of-job", NULL, 20, 500, .samples = 1}, 0);
	const char *text = show(&format_table);
	assert_contains(text, "TIME         HOST        WHERE ");
	assert_contains(text, " n1          system ");
	assert_contains(text, " node-of-job system ");
}

/* 200 recordings, all open, have to fit in 256 MiB. This one has 0.5 MB. */
TEST(test_memory_of_a_recording_does_not_grow_with_its_samples)
{
	const size_t before = mallinfo2().uordblks; /* 0 with sanitizers */

	add_host(&(struct host_recording){"a", "n1", NULL, 10, 400, .samples = 15000}, 0);
	ck_assert_int_eq(merge_begin(&merge, &err), 0);
	while (merge_next(&merge, &err) > 0)
		ck_assert_uint_lt(mallinfo2().uordblks - before, 1 << 18);
}

TEST(test_damage_ends_only_its_host)
{
	add_host(&(struct host_recording){"a", "n1", NULL, 10, 400, .samples = 1,
					  .incomplete = true},
		 0);
	add_host(&(struct host_recording){"b", "n2", NULL, 20, 500, .samples = 2}, 0);
	assert_shown(&format_csv,
		     FIRST "cxl_mem_read_MBps,cxl_read_latency_ns,counted_pct,host\n" AT
			   "1.000000Z,1.000000" SYSTEM "10.000,400.0,100,n1\n" AT
			   "1.000000Z,1.000000" SYSTEM "20.000,500.0,100,n2\n" AT
			   "2.000000Z,1.000000" SYSTEM "20.000,500.0,100,n2\n");
	ck_assert_int_eq(merge.hosts[0].flaw.code, -EBADMSG);
	assert_contains(merge.hosts[0].flaw.text, "still being written or truncated");
	ck_assert_int_eq(merge.hosts[1].flaw.code, 0);
}
