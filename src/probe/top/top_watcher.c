/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/top/top_watcher.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux/kernel/clock.h"
#include "linux/kernel/limits.h"
#include "linux/perf/perf.h"
#include "linux/rights/rights.h"
#include "linux/run/process.h"
#include "platform/process.h"
#include "session/session.h"

#define SOCKET	  STDIN_FILENO /* its only descriptor, besides standard error and what it opens */
#define NS_PER_MS (NS_PER_S / 1000)
#define TICK_NS	  (100 * NS_PER_MS) /* between readings of samples, see probe/hot/hot.h */
#define LEAST_NS  (250 * NS_PER_MS) /* between updates */
/* Readings at once, of a process that may send without end, also single bytes. */
#define READS_MOST 64

#define LOCKED_BYTES (128 << 20) /* more than the rings of all CPUs have */

/* The process. */

/* False: the run has ended. */
static bool send_all(const void *bytes, size_t size)
{
	const char *at = bytes;

	while (size) {
		const ssize_t sent = write(SOCKET, at, size);

		if (sent <= 0)
			return false;
		at += sent;
		size -= (size_t)sent;
	}
	return true;
}

static bool send_update(const struct top *top)
{
	const struct top_summary *summary = &top->summary;

	return send_all(summary, sizeof(*summary)) &&
	       send_all(top->rows, summary->row_count * sizeof(top->rows[0])) &&
	       (!summary->with_page || send_all(&top->page, sizeof(top->page)));
}

/* Whether a request of a run that may have been taken over can be served. */
static bool request_is_valid(const struct top_request *request)
{
	return request->interval_ns >= SESSION_MIN_INTERVAL_NS &&
	       request->interval_ns <= SESSION_MAX_INTERVAL_NS && request->pid <= INT_MAX;
}

/*
 * Waits for a request, that long at most (negative: without end). False: the run has ended, or has
 * sent a wrong one.
 */
static bool receive_request(struct top_request *request, int wait_ms)
{
	struct pollfd readable = {.fd = SOCKET, .events = POLLIN};

	if (!poll(&readable, 1, wait_ms))
		return true;
	return read(SOCKET, request, sizeof(*request)) == sizeof(*request) &&
	       request_is_valid(request);
}

/* Why nothing is known: a summary alone says so. */
static void send_failure(struct top *top, const struct error *err)
{
	top->summary = (struct top_summary){.why_not = *err};
	send_update(top);
}

/* Reads samples until it is time for an update. False: the run has ended. */
static bool wait_until(struct top *top, uint64_t due, struct top_request *request)
{
	for (uint64_t now; (now = clock_monotonic()) < due;) {
		const uint64_t left = due - now < TICK_NS ? due - now : TICK_NS;

		if (!receive_request(request, (int)(left / NS_PER_MS) + 1))
			return false;
		top_read(top);
	}
	return receive_request(request, 0);
}

/* On a virtual clock all of an interval passes at once. */
static void pass_time(struct top *top, uint64_t ns)
{
	const struct clock_ops *clock = top->p->ops->clock;

	if (top->p->virtual_clock)
		clock->sleep_until(top->p, clock->now(top->p) + ns, NULL, &(int){0});
}

static void watch_processes(struct top *top, struct top_request *request)
{
	struct error err = {0};

	for (;;) {
		const uint64_t begun = clock_monotonic();

		int rc = top_show(top, request->pid, request->started, &err);

		pass_time(top, request->interval_ns);
		if (!rc)
			rc = top_update(top, &err);
		if (rc) {
			send_failure(top, &err);
			return;
		}
		if (!send_update(top))
			return;
		const uint64_t interval =
			request->interval_ns > LEAST_NS ? request->interval_ns : LEAST_NS;
		if (!wait_until(top, begun + interval, request))
			return;
	}
}

/*
 * Limits that it cannot raise later. Buffers that the kernel fills are locked memory, of which
 * processes without CAP_IPC_LOCK have little: then buffers are smaller.
 */
static void raise_limits(void)
{
	struct rlimit memory;

	file_limit_raise();
	if (getrlimit(RLIMIT_MEMLOCK, &memory) || memory.rlim_cur >= LOCKED_BYTES)
		return;
	memory.rlim_cur = LOCKED_BYTES;
	if (memory.rlim_max < LOCKED_BYTES)
		memory.rlim_max = LOCKED_BYTES;
	setrlimit(RLIMIT_MEMLOCK, &memory);
}

/* Loads the libraries that name users: see nsswitch.conf(5). */
static void load_users(const struct top_options *options)
{
	const struct log silent = {.write = NULL};
	char name[PROCESS_USER_SIZE];
	struct platform *p;
	struct error ignored;

	if (options->sim || platform_open(NULL, options->root, &silent, &p, &ignored))
		return;
	p->ops->processes->user(p, geteuid(), name);
	platform_destroy(p);
}

/*
 * Whether events can be opened with the rights that are left, in a process that has no others:
 * kernels before 5.8 want CAP_SYS_ADMIN, as some distributions do later.
 */
static bool may_open_later(const struct rights_use *use)
{
	const struct log silent = {.write = NULL};
	const pid_t child = fork();
	int status;

	if (!child)
		_exit(rights_drop(use, &silent, NULL) || !linux_perf_is_permitted());
	return child > 0 && waitpid(child, &status, 0) == child && !status;
}

/*
 * Before it reads anything from the run. If events cannot be opened later, they are opened now, but
 * do not count yet.
 */
static int prepare_sampling(const struct top_options *options, struct top *top, struct error *err)
{
	struct rights_use use = {.role = RIGHTS_WATCHER,
				 .caller = *options->caller,
				 .starts_sampling = true,
				 .opens_events = true};

	raise_limits();
	load_users(options);
	top_prepare(options, top);
	use.opens_events = options->sim || may_open_later(&use);
	const int rc = use.opens_events ? 0 : top_open(top, err);
	return rc ? rc : rights_give_up(&use, err);
}

/* Of all that samples are read from, it opens no more. */
static int begin_sampling(struct top *top, struct error *err)
{
	int rc = top->p ? 0 : top_open(top, err);

	if (!rc)
		rc = top_begin(top, err);
	const struct rights_use use = {
		.role = RIGHTS_WATCHER,
		.caller = *top->options->caller,
		.perf_events = top->hot.handles,
		.perf_event_count = top->hot.handle_count,
		.samples = true,
	};
	return rc ? rc : rights_begin_sampling(&use, err);
}

__attribute__((noreturn)) static void run(const struct top_options *options, int socket)
{
	struct top *top = calloc(1, sizeof(*top));
	struct top_request request = {.interval_ns = 0};
	struct error err = {0};

	if (!top || !helper_begin("cxlmon-top", &socket, 1))
		_exit(EXIT_FAILURE);
	int rc = prepare_sampling(options, top, &err);
	if (!rc && !receive_request(&request, -1))
		_exit(EXIT_SUCCESS);
	if (!rc)
		rc = begin_sampling(top, &err);
	if (rc)
		send_failure(top, &err);
	else
		watch_processes(top, &request);
	top_close(top);
	free(top);
	_exit(EXIT_SUCCESS);
}

/* The run. */

/* Freed by free_update(), also after failure. */
static int new_update(struct top_update *update)
{
	update->rows = calloc(TOP_ROWS_MOST, sizeof(*update->rows));
	update->page = calloc(1, sizeof(*update->page));
	return update->rows && update->page ? 0 : -ENOMEM;
}

static void free_update(struct top_update *update)
{
	free(update->rows);
	free(update->page);
}

int top_watcher_start(const struct top_options *options, struct top_watcher *out, struct error *err)
{
	int ends[2] = {-1, -1};

	*out = (struct top_watcher){.socket = -1};
	int rc = new_update(&out->last);
	if (!rc)
		rc = new_update(&out->next);
	if (!rc && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
		rc = -errno;
	if (!rc) {
		out->pid = fork();
		if (out->pid == 0)
			run(options, ends[1]);
		rc = out->pid < 0 ? -errno : 0;
		close(ends[1]);
		out->socket = ends[0];
	}
	if (!rc)
		return 0;
	top_watcher_stop(out);
	return error_set(err, ERROR_FAILED, rc,
			 "the process that watches processes cannot be started: %s", strerror(-rc));
}

void top_watcher_ask(const struct top_watcher *watcher, const struct top_request *request)
{
	struct pollfd writable = {.fd = watcher->socket, .events = POLLOUT};

	if (poll(&writable, 1, 0) > 0 && writable.revents == POLLOUT) {
		const ssize_t ignored = write(watcher->socket, request, sizeof(*request));

		(void)ignored;
	}
}

static void *place_of_next(struct top_update *update, size_t received, size_t *wanted)
{
	const struct top_summary *summary = &update->summary;
	const size_t head = sizeof(*summary);

	if (received < head) {
		*wanted = head - received;
		return (char *)&update->summary + received;
	}
	const size_t rows = summary->row_count * sizeof(struct top_row);
	if (received < head + rows) {
		*wanted = head + rows - received;
		return (char *)update->rows + (received - head);
	}
	*wanted = head + rows + (summary->with_page ? sizeof(struct top_page) : 0) - received;
	return (char *)update->page + (received - head - rows);
}

/* Whether the part that has just come, of which place_of_next() counts bytes, can be used. */
static bool part_is_valid(const struct top_update *update, size_t received)
{
	const struct top_summary *summary = &update->summary;
	bool valid = true;

	if (received == sizeof(*summary))
		return top_summary_is_valid(summary);
	if (received > sizeof(*summary) + summary->row_count * sizeof(struct top_row))
		return top_page_is_valid(update->page);
	for (size_t i = 0; i < summary->row_count; i++)
		valid = valid && top_row_is_valid(&update->rows[i]);
	return valid;
}

static void end_connection(struct top_watcher *watcher)
{
	close(watcher->socket);
	watcher->socket = -1;
}

/* Bytes that are there; 0: none. */
static size_t receive_bytes(struct top_watcher *watcher, void *place, size_t wanted)
{
	struct pollfd readable = {.fd = watcher->socket, .events = POLLIN};

	if (poll(&readable, 1, 0) <= 0)
		return 0;
	const ssize_t got = read(watcher->socket, place, wanted);
	if (got > 0)
		return (size_t)got;
	end_connection(watcher);
	return 0;
}

/* The next one becomes the last one. */
static void turn_updates(struct top_watcher *watcher)
{
	const struct top_update last = watcher->last;

	watcher->last = watcher->next;
	watcher->next = last;
	watcher->received = 0;
	watcher->complete = true;
}

bool top_watcher_read(struct top_watcher *watcher)
{
	bool complete = false;

	for (unsigned reads = 0; watcher->socket >= 0 && reads < READS_MOST; reads++) {
		size_t wanted;
		void *place = place_of_next(&watcher->next, watcher->received, &wanted);
		const size_t got = receive_bytes(watcher, place, wanted);

		if (!got)
			break;
		watcher->received += got;
		if (got < wanted)
			continue;
		if (!part_is_valid(&watcher->next, watcher->received)) {
			end_connection(watcher);
			break;
		}
		place_of_next(&watcher->next, watcher->received, &wanted);
		if (!wanted) {
			turn_updates(watcher);
			complete = true;
		}
	}
	return complete;
}

void top_watcher_stop(struct top_watcher *watcher)
{
	if (watcher->socket >= 0)
		end_connection(watcher);
	free_update(&watcher->last);
	free_update(&watcher->next);
	*watcher = (struct top_watcher){.socket = -1};
}
