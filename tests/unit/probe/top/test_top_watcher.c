/* SPDX-License-Identifier: BSD-3-Clause */
/* The run's end of the socket to the process, whose end the test has. */
#include "probe/top/top_watcher.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux/run/packet.h"
#include "session/session.h"
#include "tests/packet_pair.h"
#include "unit.h"

static struct top_watcher watcher;
static int process;

static void make_update(struct top_update *update)
{
	update->rows = calloc(TOP_ROWS_MOST, sizeof(*update->rows));
	update->page = calloc(1, sizeof(*update->page));
	ck_assert(update->rows && update->page);
}

static void set_up(void)
{
	int ends[2];

	ck_assert_int_eq(packet_pair(ends), 0);
	watcher =
		(struct top_watcher){.socket = ends[0], .buffer = malloc(sizeof(*watcher.buffer))};
	ck_assert_ptr_nonnull(watcher.buffer);
	process = ends[1];
	make_update(&watcher.last);
	make_update(&watcher.next);
}

static void tear_down(void)
{
	top_watcher_stop(&watcher);
	close(process);
}

FIXTURE(set_up, tear_down)

/* Parts of an update, by their types. */
enum { SUMMARY, ROWS, PAGE };

static void send_part(uint64_t type, const void *bytes, size_t size)
{
	ck_assert_int_eq(packet_send(process, &(struct packet){type, bytes, size}), 0);
}

static void send_summary(size_t rows, bool with_page)
{
	const struct top_summary summary = {.row_count = rows, .with_page = with_page};

	send_part(SUMMARY, &summary, sizeof(summary));
}

static void send_row(unsigned pid)
{
	const struct top_row row = {.pid = pid};

	send_part(ROWS, &row, sizeof(row));
}

TEST(test_an_update_is_taken_when_all_of_it_has_come)
{
	const struct top_page page = {.pid = 8};

	ck_assert(!top_watcher_read(&watcher));
	send_summary(2, true);
	ck_assert(!top_watcher_read(&watcher));
	send_row(7);
	send_row(8);
	ck_assert(!top_watcher_read(&watcher));
	ck_assert(!watcher.complete);
	send_part(PAGE, &page, sizeof(page));
	ck_assert(top_watcher_read(&watcher));
	ck_assert(watcher.complete);
	ck_assert_uint_eq(watcher.last.summary.row_count, 2);
	ck_assert_uint_eq(watcher.last.rows[0].pid, 7);
	ck_assert_uint_eq(watcher.last.rows[1].pid, 8);
	ck_assert_uint_eq(watcher.last.page->pid, 8);
	ck_assert(!top_watcher_read(&watcher));
	ck_assert(watcher.complete);
}

TEST(test_the_last_of_several_updates_is_kept_while_the_next_one_comes)
{
	send_summary(1, false);
	send_row(7);
	send_summary(0, false);
	send_summary(2, false);
	send_row(8);
	send_row(9);
	send_summary(1, false);
	ck_assert(top_watcher_read(&watcher));
	ck_assert_uint_eq(watcher.last.summary.row_count, 2);
	ck_assert_uint_eq(watcher.last.rows[0].pid, 8);
	ck_assert_uint_eq(watcher.last.rows[1].pid, 9);
	send_row(10);
	ck_assert(top_watcher_read(&watcher));
	ck_assert_uint_eq(watcher.last.summary.row_count, 1);
	ck_assert_uint_eq(watcher.last.rows[0].pid, 10);
}

TEST(test_what_had_come_whole_before_the_process_ended_stays)
{
	send_summary(1, false);
	send_row(7);
	send_summary(1, false);
	close(process);
	process = -1;
	ck_assert(top_watcher_read(&watcher));
	ck_assert_int_eq(watcher.socket, -1);
	ck_assert(!top_watcher_read(&watcher));
	ck_assert(watcher.complete);
	ck_assert_uint_eq(watcher.last.rows[0].pid, 7);
	top_watcher_ask(&watcher, &(const struct top_request){.pid = 7});
}

TEST(test_a_process_that_sends_without_end_does_not_stop_the_run)
{
	unsigned reads = 0;

	for (unsigned i = 0; i < 80; i++)
		send_summary(0, false);
	while (top_watcher_read(&watcher))
		reads++;
	ck_assert_uint_gt(reads, 1);
	ck_assert_int_ge(watcher.socket, 0);
}

TEST(test_an_update_without_its_end_is_dropped_when_the_next_one_begins)
{
	send_summary(2, true);
	send_row(7);
	send_summary(1, false);
	send_row(8);
	ck_assert(top_watcher_read(&watcher));
	ck_assert_uint_eq(watcher.last.summary.row_count, 1);
	ck_assert_uint_eq(watcher.last.rows[0].pid, 8);
	ck_assert_int_ge(watcher.socket, 0);
}

static void assert_connection_ends(void)
{
	ck_assert(!top_watcher_read(&watcher));
	ck_assert_int_eq(watcher.socket, -1);
	ck_assert(!watcher.complete);
}

/* Bytes in a part of an update that its sender could not have made. */
struct wrong_bytes {
	size_t at, size;
	uint64_t bytes;
};

#define BITS_OF_INFINITY       UINT64_C(0x7ff0000000000000)
#define BITS_OF_MINUS_1	       UINT64_C(0xbff0000000000000)
#define BITS_OF_FLOAT_INFINITY 0x7f800000

/* A string without an end. */
#define ENDLESS UINT64_MAX

#define WRONG(type, member, value)                                                                 \
	{                                                                                          \
		offsetof(type, member), sizeof(((type *)0)->member), value                         \
	}

static void make_wrong(void *part, const struct wrong_bytes *wrong)
{
	if (wrong->bytes == ENDLESS)
		memset((char *)part + wrong->at, 'a', wrong->size);
	else
		memcpy((char *)part + wrong->at, &wrong->bytes, wrong->size < 8 ? wrong->size : 8);
}

static const struct wrong_bytes wrong_summaries[] = {
	WRONG(struct top_summary, row_count, TOP_ROWS_MOST + 1),
	WRONG(struct top_summary, row_count, SIZE_MAX - 1),
	WRONG(struct top_summary, node_count, SCAN_NODES_MOST + 1),
	WRONG(struct top_summary, unsampled, (uint64_t)1 << 32),
	WRONG(struct top_summary, processes, (uint64_t)1 << 32),
	WRONG(struct top_summary, known, (uint64_t)1 << 32),
	WRONG(struct top_summary, refused, (uint64_t)1 << 32),
	WRONG(struct top_summary, with_page, 2),
	WRONG(struct top_summary, by, TOP_BYS),
	WRONG(struct top_summary, nodes[1].number, 0xffffffff),
	WRONG(struct top_summary, nodes[1].cxl, 2),
	WRONG(struct top_summary, interval_s, BITS_OF_INFINITY),
	WRONG(struct top_summary, latencies_s, BITS_OF_MINUS_1),
	WRONG(struct top_summary, cxl_MBps, BITS_OF_MINUS_1),
	WRONG(struct top_summary, cost_pct, BITS_OF_INFINITY),
	WRONG(struct top_summary, cxl, BITS_OF_MINUS_1),
	WRONG(struct top_summary, dram, BITS_OF_MINUS_1),
	WRONG(struct top_summary, oldest_s, BITS_OF_MINUS_1),
	WRONG(struct top_summary, records_lost, BITS_OF_MINUS_1),
	WRONG(struct top_summary, event, ENDLESS),
	WRONG(struct top_summary, event, '\n'),
	WRONG(struct top_summary, why_not.code, 1),
	WRONG(struct top_summary, why_not.text, ENDLESS),
	WRONG(struct top_summary, why_not.command, ENDLESS),
};

TEST_LOOP(test_a_wrong_summary_ends_the_connection, COUNT(wrong_summaries))
{
	struct top_summary summary = {.row_count = 0, .node_count = 2};

	make_wrong(&summary, &wrong_summaries[_i]);
	send_part(SUMMARY, &summary, sizeof(summary));
	assert_connection_ends();
}

static const struct wrong_bytes wrong_rows[] = {
	WRONG(struct top_row, name, ENDLESS),
	WRONG(struct top_row, user, ENDLESS),
	WRONG(struct top_row, cgroup, ENDLESS),
	WRONG(struct top_row, name, 0x1b),
	WRONG(struct top_row, cxl_MBps, BITS_OF_INFINITY),
	WRONG(struct top_row, group_p50_ns, BITS_OF_MINUS_1),
	WRONG(struct top_row, group_p99_ns, BITS_OF_INFINITY),
	WRONG(struct top_row, dram_MBps, BITS_OF_MINUS_1),
	WRONG(struct top_row, share_pct, BITS_OF_MINUS_1),
	WRONG(struct top_row, p50_ns, BITS_OF_MINUS_1),
	WRONG(struct top_row, p99_ns, BITS_OF_MINUS_1),
	WRONG(struct top_row, cxl, BITS_OF_INFINITY),
	WRONG(struct top_row, dram, BITS_OF_MINUS_1),
	WRONG(struct top_row, age_s, BITS_OF_MINUS_1),
	WRONG(struct top_row, partial, 2),
};

TEST_LOOP(test_a_wrong_row_ends_the_connection, COUNT(wrong_rows))
{
	struct top_row row = {.pid = 8};

	make_wrong(&row, &wrong_rows[_i]);
	send_summary(2, false);
	send_row(7);
	send_part(ROWS, &row, sizeof(row));
	assert_connection_ends();
}

static const struct wrong_bytes wrong_pages[] = {
	WRONG(struct top_page, sampled_s, BITS_OF_MINUS_1),
	WRONG(struct top_page, latencies[MEMORY_CXL].max, BITS_OF_INFINITY),
	WRONG(struct top_page, latencies[MEMORY_DRAM].max, BITS_OF_MINUS_1),
	WRONG(struct top_page, mappings.count, TOP_PAGE_ROWS + 1),
	WRONG(struct top_page, functions.count, TOP_PAGE_ROWS + 1),
	WRONG(struct top_page, mappings.left_out, PROCESS_ROWS_MOST + 1),
	WRONG(struct top_page, mappings.at[0].name, ENDLESS),
	WRONG(struct top_page, functions.at[0].within, ENDLESS),
	WRONG(struct top_page, mappings.at[0].cxl_MBps, BITS_OF_MINUS_1),
	WRONG(struct top_page, mappings.at[0].dram_MBps, BITS_OF_MINUS_1),
	WRONG(struct top_page, functions.at[0].share_pct, BITS_OF_INFINITY),
	WRONG(struct top_page, no_functions.text, ENDLESS),
	WRONG(struct top_page, no_functions.code, 1),
	WRONG(struct top_page, heat_count, SCAN_NODES_MOST + 1),
	WRONG(struct top_page, heat[0].cxl, 2),
	WRONG(struct top_page, heat[0].GiB[100], BITS_OF_FLOAT_INFINITY),
	WRONG(struct top_page, reading_count, TOP_READINGS_MOST + 1),
	WRONG(struct top_page, readings[0].age_s, BITS_OF_MINUS_1),
	WRONG(struct top_page, readings[0].GiB[SCAN_NODES_MOST - 1], BITS_OF_FLOAT_INFINITY),
};

static void send_page(const struct top_page *page)
{
	send_summary(0, true);
	send_part(PAGE, page, sizeof(*page));
}

TEST_LOOP(test_a_wrong_page_ends_the_connection, COUNT(wrong_pages))
{
	struct top_page page = {
		.mappings.count = 1, .functions.count = 1, .heat_count = 1, .reading_count = 1};

	make_wrong(&page, &wrong_pages[_i]);
	send_page(&page);
	assert_connection_ends();
}

TEST(test_what_is_behind_a_count_of_a_page_may_be_anything)
{
	struct top_page page = {.pid = 7};

	memset(&page.mappings.at, 0xff, sizeof(page.mappings.at));
	memset(&page.heat, 0xff, sizeof(page.heat));
	memset(&page.readings, 0xff, sizeof(page.readings));
	send_page(&page);
	ck_assert(top_watcher_read(&watcher));
	ck_assert_uint_eq(watcher.last.page->pid, 7);
}

/* Parts that cannot follow each other. */
static const struct {
	size_t rows; /* rows in the summary; SIZE_MAX: no summary */
	bool with_page;
	unsigned rows_sent, pages_sent;
} wrong_orders[] = {
	{SIZE_MAX, false, 1, 0}, {SIZE_MAX, false, 0, 1}, {0, false, 1, 0}, {1, false, 2, 0},
	{0, false, 0, 1},	 {1, true, 0, 1},	  {0, true, 0, 2},
};

TEST_LOOP(test_a_part_that_no_summary_has_announced_ends_the_connection, COUNT(wrong_orders))
{
	static const struct top_page page;
	static const struct top_row rows[2];

	if (wrong_orders[_i].rows != SIZE_MAX)
		send_summary(wrong_orders[_i].rows, wrong_orders[_i].with_page);
	if (wrong_orders[_i].rows_sent)
		send_part(ROWS, rows, wrong_orders[_i].rows_sent * sizeof(rows[0]));
	for (unsigned i = 0; i < wrong_orders[_i].pages_sent; i++)
		send_part(PAGE, &page, sizeof(page));
	top_watcher_read(&watcher);
	ck_assert_int_eq(watcher.socket, -1);
}

TEST(test_what_was_taken_before_a_wrong_update_stays)
{
	const struct top_summary wrong = {.row_count = TOP_ROWS_MOST + 1};

	send_summary(1, false);
	send_row(7);
	send_part(SUMMARY, &wrong, sizeof(wrong));
	ck_assert(top_watcher_read(&watcher));
	ck_assert_int_eq(watcher.socket, -1);
	ck_assert_uint_eq(watcher.last.rows[0].pid, 7);
}

TEST(test_as_many_rows_are_taken_as_there_is_room_for)
{
	send_summary(TOP_ROWS_MOST, false);
	for (unsigned i = 0; i < TOP_ROWS_MOST; i++) {
		ck_assert(!watcher.complete);
		send_row(i);
		top_watcher_read(&watcher);
	}
	ck_assert(watcher.complete);
	ck_assert_uint_eq(watcher.last.rows[TOP_ROWS_MOST - 1].pid, TOP_ROWS_MOST - 1);
}

static struct top *make_top(void)
{
	struct top *top = calloc(1, sizeof(*top));

	ck_assert_ptr_nonnull(top);
	top->summary = (struct top_summary){.row_count = TOP_ROWS_MOST, .with_page = true};
	top->page.pid = 9;
	for (unsigned i = 0; i < TOP_ROWS_MOST; i++)
		top->rows[i].pid = i + 1;
	return top;
}

/* The sockets have room for only a part of the update. */
TEST(test_an_update_is_sent_without_waiting_for_the_run)
{
	struct top *top = make_top();
	size_t sent = 0, before;

	ck_assert_int_eq(top_parts_send(process, top, &sent), -EAGAIN);
	before = sent;
	ck_assert_uint_gt(sent, 1);
	ck_assert_int_eq(top_parts_send(process, top, &sent), -EAGAIN);
	ck_assert_uint_eq(sent, before);
	while (!top_watcher_read(&watcher))
		ck_assert_int_ne(top_parts_send(process, top, &sent), -EPIPE);
	ck_assert_int_eq(top_parts_send(process, top, &sent), 0);
	ck_assert_uint_eq(watcher.last.summary.row_count, TOP_ROWS_MOST);
	for (unsigned i = 0; i < TOP_ROWS_MOST; i++)
		ck_assert_uint_eq(watcher.last.rows[i].pid, i + 1);
	ck_assert_uint_eq(watcher.last.page->pid, 9);
	ck_assert(!top_watcher_read(&watcher));
	free(top);
}

TEST(test_nothing_is_sent_to_a_run_that_has_ended)
{
	struct top *top = make_top();
	size_t sent = 0;

	signal(SIGPIPE, SIG_IGN); /* the process blocks it */
	close(watcher.socket);
	watcher.socket = -1;
	ck_assert_int_eq(top_parts_send(process, top, &sent), -EPIPE);
	free(top);
}

/* Requests do not wait if the socket has no room. */
TEST(test_requests_are_sent_while_there_is_room)
{
	const struct top_request request = {.interval_ns = 5, .pid = 7, .started = 9};
	const struct packet_kind kinds[] = {{sizeof(request), sizeof(request), 0}};
	struct packet packet;
	size_t count = 0;

	for (unsigned i = 0; i < 100000; i++)
		top_watcher_ask(&watcher, &request);
	while (packet_receive(process, kinds, 1, watcher.buffer, &packet) > 0) {
		const struct top_request *received = packet.bytes;

		ck_assert_uint_eq(received->interval_ns, 5);
		ck_assert_uint_eq(received->pid, 7);
		ck_assert_uint_eq(received->started, 9);
		count++;
	}
	ck_assert_uint_gt(count, 0);
	ck_assert_uint_lt(count, 100000);
}

/* Requests that a run could not have made: the process ends before it opens anything. */
static const struct top_request wrong_requests[] = {
	{.interval_ns = SESSION_MIN_INTERVAL_NS - 1},
	{.interval_ns = SESSION_MAX_INTERVAL_NS + 1},
	{.interval_ns = UINT64_MAX},
	{.interval_ns = NS_PER_S, .pid = (unsigned)INT_MAX + 1},
	{.interval_ns = NS_PER_S, .by = TOP_BYS},
};

TEST_LOOP(test_a_wrong_request_ends_the_process, COUNT(wrong_requests))
{
	const struct sudo_user nobody = {.uid = 0};
	const struct top_options options = {.root = "/", .sim = "spr", .caller = &nobody};
	struct top_watcher asked;
	struct error err;

	ck_assert_int_eq(top_watcher_start(&options, &asked, &err), 0);
	top_watcher_ask(&asked, &wrong_requests[_i]);
	struct pollfd ended = {.fd = asked.socket, .events = POLLIN};
	ck_assert_int_eq(poll(&ended, 1, -1), 1);
	ck_assert(!top_watcher_read(&asked));
	ck_assert_int_eq(asked.socket, -1);
	ck_assert_int_eq(waitpid(asked.pid, NULL, 0), asked.pid);
	top_watcher_stop(&asked);
}
