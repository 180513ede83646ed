/* SPDX-License-Identifier: BSD-3-Clause */
/* The run's end of the socket to the process, whose end the test has. */
#include "probe/top/top_watcher.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux/run/packet.h"
#include "probe/top/top_code.h"
#include "session/session.h"
#include "unit.h"

static struct top_watcher watcher;
static int process;
static struct bytes coded; /* the next part that the process sends */
static struct coder coder = {.out = &coded};

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
	bytes_free(&coded);
}

FIXTURE(set_up, tear_down)

/* Parts of an update, by their types. */
enum { SUMMARY, ROWS, PAGE, READINGS };

static void send_part(void)
{
	ck_assert_int_eq(packet_send(process, &coded), 0);
	coded.size = 0;
}

static void send_summary(size_t rows, bool with_page)
{
	struct top_summary summary = {.row_count = rows, .with_page = with_page};

	code_u8(&coder, SUMMARY);
	top_code_summary(&coder, &summary);
	send_part();
}

static void send_row(unsigned pid)
{
	struct process_row row = {.is.pid = pid};

	code_u8(&coder, ROWS);
	top_code_row(&coder, &row, 0);
	send_part();
}

static void send_page(unsigned pid)
{
	struct top_page page = {.pid = pid};

	code_u8(&coder, PAGE);
	top_code_page(&coder, &page);
	send_part();
}

static void send_readings(void)
{
	struct top_page page = {.reading_count = 1};

	code_u8(&coder, READINGS);
	top_code_readings(&coder, &page, 0);
	send_part();
}

TEST(test_an_update_is_taken_when_all_of_it_has_come)
{
	ck_assert(!top_watcher_read(&watcher));
	send_summary(2, true);
	ck_assert(!top_watcher_read(&watcher));
	send_row(7);
	send_row(8);
	ck_assert(!top_watcher_read(&watcher));
	ck_assert(!watcher.complete);
	send_page(8);
	ck_assert(!top_watcher_read(&watcher));
	send_readings();
	ck_assert(top_watcher_read(&watcher));
	ck_assert(watcher.complete);
	ck_assert_uint_eq(watcher.last.summary.row_count, 2);
	ck_assert_uint_eq(watcher.last.rows[0].is.pid, 7);
	ck_assert_uint_eq(watcher.last.rows[1].is.pid, 8);
	ck_assert_uint_eq(watcher.last.page->pid, 8);
	ck_assert_uint_eq(watcher.last.page->reading_count, 1);
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
	ck_assert_uint_eq(watcher.last.rows[0].is.pid, 8);
	ck_assert_uint_eq(watcher.last.rows[1].is.pid, 9);
	send_row(10);
	ck_assert(top_watcher_read(&watcher));
	ck_assert_uint_eq(watcher.last.summary.row_count, 1);
	ck_assert_uint_eq(watcher.last.rows[0].is.pid, 10);
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
	ck_assert_uint_eq(watcher.last.rows[0].is.pid, 7);
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
	ck_assert_uint_eq(watcher.last.rows[0].is.pid, 8);
	ck_assert_int_ge(watcher.socket, 0);
}

static void assert_connection_ends(void)
{
	ck_assert(!top_watcher_read(&watcher));
	ck_assert_int_eq(watcher.socket, -1);
	ck_assert(!watcher.complete);
}

/* Values that a process could not have sent: each part has one. */
TEST(test_a_wrong_summary_ends_the_connection)
{
	send_summary(TOP_ROWS_MOST + 1, false);
	assert_connection_ends();
}

TEST(test_a_wrong_row_ends_the_connection)
{
	struct process_row wrong = {.is.pid = 8, .memory.cxl = -1};

	send_summary(2, false);
	send_row(7);
	code_u8(&coder, ROWS);
	top_code_row(&coder, &wrong, 0);
	send_part();
	assert_connection_ends();
}

TEST(test_a_wrong_page_ends_the_connection)
{
	static struct top_page wrong = {.sampled_s = -1};

	send_summary(0, true);
	code_u8(&coder, PAGE);
	top_code_page(&coder, &wrong);
	send_part();
	assert_connection_ends();
}

TEST(test_a_part_of_another_type_ends_the_connection)
{
	send_summary(0, true);
	code_u8(&coder, READINGS + 1);
	send_part();
	assert_connection_ends();
}

/* Bytes after the last value. */
TEST(test_a_part_that_is_too_long_ends_the_connection)
{
	struct top_summary summary = {.row_count = 0};

	code_u8(&coder, SUMMARY);
	top_code_summary(&coder, &summary);
	bytes_put(&coded, "", 1);
	send_part();
	assert_connection_ends();
}

/* Parts that cannot follow each other. */
static const struct {
	size_t rows; /* rows in the summary; SIZE_MAX: no summary */
	bool with_page;
	unsigned rows_sent, pages_sent, readings_sent;
} wrong_orders[] = {
	{SIZE_MAX, false, 0, 0, 1}, {0, true, 0, 0, 1},	     {0, true, 0, 1, 2}, {1, true, 0, 0, 1},

	{SIZE_MAX, false, 1, 0},    {SIZE_MAX, false, 0, 1}, {0, false, 1, 0},	 {1, false, 2, 0},
	{0, false, 0, 1},	    {1, true, 0, 1},	     {0, true, 0, 2},
};

TEST_LOOP(test_a_part_that_no_summary_has_announced_ends_the_connection, COUNT(wrong_orders))
{
	if (wrong_orders[_i].rows != SIZE_MAX)
		send_summary(wrong_orders[_i].rows, wrong_orders[_i].with_page);
	for (unsigned i = 0; i < wrong_orders[_i].rows_sent; i++)
		send_row(i);
	for (unsigned i = 0; i < wrong_orders[_i].pages_sent; i++)
		send_page(7);
	for (unsigned i = 0; i < wrong_orders[_i].readings_sent; i++)
		send_readings();
	top_watcher_read(&watcher);
	ck_assert_int_eq(watcher.socket, -1);
}

TEST(test_what_was_taken_before_a_wrong_update_stays)
{
	send_summary(1, false);
	send_row(7);
	send_summary(TOP_ROWS_MOST + 1, false);
	ck_assert(top_watcher_read(&watcher));
	ck_assert_int_eq(watcher.socket, -1);
	ck_assert_uint_eq(watcher.last.rows[0].is.pid, 7);
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
	ck_assert_uint_eq(watcher.last.rows[TOP_ROWS_MOST - 1].is.pid, TOP_ROWS_MOST - 1);
}

/* Rows whose names and numbers take most room. */
static struct top *make_top(void)
{
	struct top *top = calloc(1, sizeof(*top));
	struct process_row row = {.is.started = UINT64_MAX,
				  .reads.cxl.MBps = 0.1,
				  .reads.dram.MBps = 0.1,
				  .reads.share_pct = 0.1,
				  .reads.cxl.samples = UINT64_MAX,
				  .reads.cxl.p50_ns = 0.1,
				  .reads.cxl.p99_ns = 0.1,
				  .reads.group_p50_ns = 0.1,
				  .reads.group_p99_ns = 0.1,
				  .memory.cxl = 0.1,
				  .memory.dram = 0.1,
				  .memory.partial = true,
				  .age_s = 0.1};

	ck_assert_ptr_nonnull(top);
	top->summary = (struct top_summary){
		.row_count = TOP_ROWS_MOST, .node_count = SCAN_NODES_MOST, .with_page = true};
	top->page.pid = 9;
	memset(row.is.name, 'a', sizeof(row.is.name) - 1);
	memset(row.is.user, 'a', sizeof(row.is.user) - 1);
	memset(row.is.cgroup, 'a', sizeof(row.is.cgroup) - 1);
	memset(row.memory.bytes, 0xff, sizeof(row.memory.bytes));
	for (unsigned i = 0; i < TOP_ROWS_MOST; i++) {
		top->rows[i] = row;
		top->rows[i].is.pid = UINT_MAX - i;
	}
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
		ck_assert_uint_eq(watcher.last.rows[i].is.pid, UINT_MAX - i);
	ck_assert_str_eq(watcher.last.rows[0].is.cgroup, top->rows[0].is.cgroup);
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
	const struct top_request request = {.interval_ns = NS_PER_S, .pid = 7, .started = 9};
	struct coder c;
	size_t count = 0;

	for (unsigned i = 0; i < 100000; i++)
		top_watcher_ask(&watcher, &request);
	while (packet_receive(process, watcher.buffer, &c, NULL) > 0) {
		struct top_request received = {.interval_ns = 0};

		top_code_request(&c, &received);
		ck_assert(!c.bad && !c.left);
		ck_assert_uint_eq(received.interval_ns, NS_PER_S);
		ck_assert(received.pid == 7 && received.started == 9);
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
