/* SPDX-License-Identifier: BSD-3-Clause */
/* The run's end of the socket to the process: the test is the other one. */
#include "probe/top/top_watcher.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

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

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
	watcher = (struct top_watcher){.socket = ends[0]};
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

static void send_bytes(const void *bytes, size_t size)
{
	ck_assert_int_eq(write(process, bytes, size), (ssize_t)size);
}

static void send_summary(size_t rows, bool with_page)
{
	const struct top_summary summary = {.row_count = rows, .with_page = with_page};

	send_bytes(&summary, sizeof(summary));
}

static void send_row(unsigned pid)
{
	const struct top_row row = {.pid = pid};

	send_bytes(&row, sizeof(row));
}

TEST(test_an_update_is_taken_when_all_of_it_has_come)
{
	const struct top_page page = {.pid = 8};

	ck_assert(!top_watcher_read(&watcher));
	send_summary(2, true);
	ck_assert(!top_watcher_read(&watcher));
	send_row(7);
	send_row(8);
	send_bytes(&page, sizeof(page) - 1);
	ck_assert(!top_watcher_read(&watcher));
	ck_assert(!watcher.complete);
	send_bytes((const char *)&page + sizeof(page) - 1, 1);
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

static void assert_summary_ends_connection(const struct top_summary *summary)
{
	send_bytes(summary, sizeof(*summary));
	ck_assert(!top_watcher_read(&watcher));
	ck_assert_int_eq(watcher.socket, -1);
	ck_assert(!watcher.complete);
}

TEST(test_more_rows_than_there_is_room_for_end_the_connection)
{
	assert_summary_ends_connection(&(const struct top_summary){.row_count = TOP_ROWS_MOST + 1});
}

TEST(test_more_nodes_than_there_is_room_for_end_the_connection)
{
	assert_summary_ends_connection(
		&(const struct top_summary){.node_count = TOP_NODES_MOST + 1});
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

/* Where there is no room for more, none waits. */
TEST(test_requests_are_sent_while_there_is_room)
{
	const struct top_request request = {.interval_ns = 5, .pid = 7, .started = 9};
	struct top_request received;
	size_t count = 0;

	for (unsigned i = 0; i < 100000; i++)
		top_watcher_ask(&watcher, &request);
	ck_assert_int_eq(fcntl(process, F_SETFL, O_NONBLOCK), 0);
	while (read(process, &received, sizeof(received)) == sizeof(received)) {
		ck_assert_uint_eq(received.interval_ns, 5);
		ck_assert_uint_eq(received.pid, 7);
		ck_assert_uint_eq(received.started, 9);
		count++;
	}
	ck_assert_uint_gt(count, 0);
	ck_assert_uint_lt(count, 100000);
}
