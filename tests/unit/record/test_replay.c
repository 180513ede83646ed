/* SPDX-License-Identifier: BSD-3-Clause */
/* Samples of a file that are shown, and ends of rows with longer intervals. */
#include "record/recording_file.h"

#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "counted.h"
#include "unit.h"

EACH_IN_A_PROCESS

#define S	 UINT64_C(1000000000) /* ns */
#define START	 (1700000000 * S)
#define INTERVAL S

static struct recording_file file;
static struct replay replay;
static struct error err;

/*
 * Makes samples with these ends, in ns since the start. Their only row has their number as its
 * value.
 */
static void make(const uint64_t *ends, size_t count, bool complete)
{
	static const struct metric metric = {
		.name = "number", .group = "cxl", .family.counter = true};
	struct counted counted;
	struct value value;
	struct column column = {&metric, {{&counted_rate}, 1}};
	struct row row = {.place = {.kind = ROW_SYSTEM, .pci = "", .memdev = ""}, .values = &value};
	const struct table table = {.model = "spr",
				    .columns = &column,
				    .column_count = 1,
				    .rows = &row,
				    .row_count = 1};
	const struct recording_info info = {
		.program = "1", .processor = "P", .interval_ns = INTERVAL, .started_ns = START};
	struct bytes bytes = {.failed = false};

	row.place.socket = row.place.port = row.place.cpu = row.place.node = -1;
	recording_put_header(&bytes, &info, &table);
	for (size_t i = 0; i < count; i++) {
		value = count_rate(&counted, (double)i + 1, 1);
		row.interval_s = 1;
		row.counted_pct = 100;
		recording_put_sample(&bytes, &table, &(struct sample){.wall_ns = START + ends[i]},
				     NULL);
	}
	if (complete)
		recording_put_end(&bytes, count);
	const char *path = tree_path("recording");
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	ck_assert_int_eq(write(fd, bytes.data, bytes.size), bytes.size);
	close(fd);
	bytes_free(&bytes);
	recording_file_close(&file);
	ck_assert_msg(!recording_file_open(path, NULL, &file, &err), "%s", err.text);
}

/* Makes samples that end a second and a bit after each other, as when deadlines are met. */
static void make_seconds(size_t count, bool complete)
{
	uint64_t ends[100];

	for (size_t i = 0; i < count; i++)
		ends[i] = (i + 1) * S + 80000 + i % 3 * 1000;
	make(ends, count, complete);
}

static void tear_down(void)
{
	replay_free(&replay);
	recording_file_close(&file);
}

/* Shows the last sample of each row. Returns the result after them. */
static int show(uint64_t interval_ns, char *text, size_t size)
{
	size_t used = 0;
	int rc;

	replay_free(&replay);
	ck_assert_int_eq(replay_init(&replay, &file,
				     &(struct aggregate_choice){.finest = SCOPE_CPU}, interval_ns,
				     &err),
			 0);
	text[0] = '\0';
	while ((rc = replay_next(&replay, &err)) > 0)
		used += (size_t)snprintf(
			text + used, size - used, "%llu ",
			(unsigned long long)((replay.aggregate.sample.wall_ns - START + S / 2) /
					     S));
	return rc;
}

static const struct {
	uint64_t from, to;
	const char *shown;
} windows[] = {
	{0, 0, "1 2 3 4 5 6 7 8 9 10 11 12 "},
	{3 * S, 6 * S, "4 5 6 "}, /* the sample that ends at 3 s is before */
	{3 * S + S / 4, 6 * S + S / 4, "4 5 6 "},
	{3 * S + 3 * S / 4, 0, "5 6 7 8 9 10 11 12 "},
	{0, 2 * S, "1 2 "},
	{11 * S, 100 * S, "12 "},
	{12 * S, 0, ""},
	{0, S / 4, ""},
};

TREE_FIXTURE(NULL, tear_down)

TEST_LOOP(test_samples_in_the_time_that_was_selected_are_shown, COUNT_OF(windows))
{
	char text[256];

	make_seconds(12, true);
	file.from_ns = windows[_i].from ? START + windows[_i].from : 0;
	file.to_ns = windows[_i].to ? START + windows[_i].to : UINT64_MAX;
	ck_assert_int_eq(show(0, text, sizeof(text)), 0);
	ck_assert_str_eq(text, windows[_i].shown);
	ck_assert_int_eq(file.selected == 0, !*windows[_i].shown);
}

/* The recording may still be being written. */
TEST(test_nothing_is_read_behind_the_time_that_was_selected)
{
	char text[256];

	make_seconds(12, false);
	ck_assert_int_eq(show(0, text, sizeof(text)), -EBADMSG);
	make_seconds(12, false);
	file.to_ns = START + 5 * S;
	ck_assert_int_eq(show(0, text, sizeof(text)), 0);
	ck_assert_str_eq(text, "1 2 3 4 5 ");
}

static const struct {
	uint64_t interval, from;
	const char *ends;
} intervals[] = {
	{S, 0, "1 2 3 4 5 6 7 8 9 10 11 12 "},
	{5 * S, 0, "5 10 12 "}, /* the rest is a shorter row */
	{12 * S, 0, "12 "},
	{100 * S, 0, "12 "},
	{4 * S, 2 * S, "6 10 12 "}, /* begins with the first selected sample */
	/* not a multiple of the samples' interval: longer and shorter rows, without a drift */
	{5 * S / 2, 0, "2 5 7 10 12 "},
	{3 * S / 2, 0, "1 3 4 6 7 9 10 12 "},
};

TEST_LOOP(test_rows_end_with_the_sample_that_is_next_to_the_interval, COUNT_OF(intervals))
{
	char text[256];

	make_seconds(12, true);
	file.from_ns = START + intervals[_i].from;
	ck_assert_int_eq(show(intervals[_i].interval, text, sizeof(text)), 0);
	ck_assert_str_eq(text, intervals[_i].ends);
}

TEST(test_a_row_of_ten_samples_is_their_mean)
{
	make_seconds(20, true);
	ck_assert_int_eq(replay_init(&replay, &file,
				     &(struct aggregate_choice){.finest = SCOPE_CPU}, 10 * S, &err),
			 0);
	ck_assert_int_eq(replay_next(&replay, &err), 1);
	ck_assert_double_eq(replay.aggregate.table.rows[0].values[0].number, 5.5);
	ck_assert_double_eq(replay.aggregate.table.rows[0].interval_s, 10);
	ck_assert_int_eq(replay_next(&replay, &err), 1);
	ck_assert_double_eq(replay.aggregate.table.rows[0].values[0].number, 15.5);
	ck_assert_int_eq(replay_next(&replay, &err), 0);
	ck_assert_int_eq(replay_next(&replay, &err), 0);
}

TEST(test_what_was_summed_up_comes_before_the_error)
{
	char text[256];

	make_seconds(12, false);
	ck_assert_int_eq(show(5 * S, text, sizeof(text)), -EBADMSG);
	ck_assert_str_eq(text, "5 10 12 ");
	assert_contains(err.text, "still being written or truncated");
}

/* Samples that were merged because the output was slow, and a clock that was set back. */
TEST(test_a_long_sample_counts_for_its_time_and_a_clock_set_back_for_one)
{
	static const uint64_t merged[] = {S, 2 * S, 9 * S, 10 * S, 11 * S};
	static const uint64_t back[] = {11 * S, 12 * S, 3 * S, 4 * S, 5 * S};
	char text[256];

	make(merged, COUNT_OF(merged), true);
	ck_assert_int_eq(show(5 * S, text, sizeof(text)), 0);
	ck_assert_str_eq(text, "9 10 11 ");
	make(back, COUNT_OF(back), true);
	ck_assert_int_eq(show(13 * S, text, sizeof(text)), 0);
	ck_assert_str_eq(text, "3 5 ");
}
