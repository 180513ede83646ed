/* SPDX-License-Identifier: BSD-3-Clause */
#include "probe/top/top_watcher.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "linux/kernel/clock.h"
#include "linux/kernel/limits.h"
#include "linux/perf/perf.h"
#include "linux/rights/rights.h"
#include "linux/run/packet.h"
#include "linux/run/process.h"
#include "platform/process.h"
#include "probe/top/top_code.h"

/* only inherited descriptor, except standard error */
#define SOCKET	  STDIN_FILENO
#define NS_PER_MS (NS_PER_S / 1000)
/* time between readings of samples, see process/load_run.h */
#define TICK_NS	 (100 * NS_PER_MS)
#define LEAST_NS (250 * NS_PER_MS) /* least time between updates */

#define LOCKED_BYTES (128 << 20) /* more than the rings of all CPUs need */

/* The process. */

/* Takes the latest request. Returns false if the run has ended, or sent an invalid one. */
static bool take_requests(struct top_request *request)
{
	struct packet_buffer buffer;
	struct coder c;
	int rc;

	while ((rc = packet_receive(SOCKET, &buffer, &c, NULL)) > 0) {
		top_code_request(&c, request);
		if (c.bad || c.left)
			return false;
	}
	return !rc;
}

/* Waits for the first request. Returns false if the run has ended, or sent an invalid one. */
static bool wait_for_request(struct top_request *request)
{
	packet_wait(SOCKET, POLLIN);
	return take_requests(request);
}

/*
 * Sends the reason of a failure, in a summary. Waits for room, because nothing else is left to do.
 */
static void send_failure(struct top *top, const struct error *err)
{
	size_t sent = 0;

	top->summary = (struct top_summary){.why_not = *err};
	while (top_parts_send(SOCKET, top, &sent) == -EAGAIN)
		packet_wait(SOCKET, POLLOUT);
}

/*
 * Sends the last update, and reads samples until the next one is due, or sampling is to begin or
 * end. A part that a slow run leaves no room for until then is not sent. Returns false if the run
 * has ended.
 */
static bool send_until(struct top *top, uint64_t due, struct top_request *request)
{
	const bool reads = request->reads;
	size_t sent = 0;
	int rc;

	while ((rc = top_parts_send(SOCKET, top, &sent)) != -EPIPE) {
		const uint64_t now = clock_monotonic();
		struct pollfd ready = {.fd = SOCKET, .events = rc ? POLLIN | POLLOUT : POLLIN};

		if (now >= due || request->reads != reads)
			break;
		const uint64_t left = due - now < TICK_NS ? due - now : TICK_NS;
		poll(&ready, 1, (int)(left / NS_PER_MS) + 1);
		if (!take_requests(request))
			return false;
		top_read(top);
	}
	return rc != -EPIPE && take_requests(request);
}

/* Passes an interval on a virtual clock, which does so at once. */
static void pass_time(struct top *top, uint64_t ns)
{
	const struct clock_ops *clock = top->p->ops->clock;

	if (top->p->virtual_clock)
		clock->sleep_until(top->p, clock->now(top->p) + ns, NULL, &(int){0});
}

/*
 * Opens the sampler, unless that was done or has failed before, begins to sample, and gives up the
 * right to open events.
 */
static int begin_first_sampling(struct top *top, struct error *err)
{
	int rc = top->sampling || top->summary.why_not.code ? 0 : top_open(top, err);

	if (!rc)
		rc = top_begin(top, err);
	const struct rights_use use = {
		.role = RIGHTS_WATCHER,
		.caller = *top->options->caller,
		.perf_events = top->loads.handles,
		.perf_event_count = top->loads.handle_count,
		.samples = true,
	};
	return rc ? rc : rights_begin_sampling(&use, err);
}

/* State of sampling after the last request. */
struct watched {
	bool opened;   /* events are open, or cannot be opened */
	bool sampling; /* the last request asked for reads */
};

/* Begins or ends sampling if a request differs from the one before. */
static int follow_request(struct top *top, const struct top_request *request,
			  struct watched *watched, struct error *err)
{
	int rc = 0;

	if (!request->reads && !watched->opened)
		return top_open_memory(top, err);
	if (!watched->opened)
		rc = begin_first_sampling(top, err);
	else if (request->reads != watched->sampling)
		rc = request->reads ? top_begin(top, err) : top_pause(top, err);
	watched->opened = true;
	watched->sampling = request->reads;
	return rc;
}

static void watch_processes(struct top *top, struct top_request *request)
{
	struct watched watched = {.opened = false};
	struct error err = {0};

	for (;;) {
		const uint64_t begun = clock_monotonic();
		int rc = follow_request(top, request, &watched, &err);

		top->processes.aside = request->aside;
		top->by = request->by;
		if (!rc)
			rc = top_show(top, request->pid, request->started, &err);
		if (!rc) {
			pass_time(top, request->interval_ns);
			rc = top_update(top, &err);
		}
		if (rc) {
			send_failure(top, &err);
			return;
		}
		const uint64_t interval =
			request->interval_ns > LEAST_NS ? request->interval_ns : LEAST_NS;
		if (!send_until(top, begun + interval, request))
			return;
	}
}

/*
 * Raises limits while that is allowed. Sampling buffers are locked memory, of which processes
 * without CAP_IPC_LOCK have little: with a low limit, buffers are smaller.
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

/*
 * Tells if events can be opened later with the remaining rights, tried in a child process that has
 * no others: kernels before 5.8 want CAP_SYS_ADMIN, as some distributions also do later.
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
 * Prepares sampling before anything is read from the run. Events that cannot be opened later are
 * opened now, but do not count yet.
 */
static int prepare_sampling(const struct top_options *options, struct top *top, struct error *err)
{
	struct rights_use use = {.role = RIGHTS_WATCHER,
				 .caller = *options->caller,
				 .starts_sampling = true,
				 .opens_events = true};

	raise_limits();
	top_prepare(options, top);
	use.opens_events = options->sim || may_open_later(&use);
	const int rc = use.opens_events ? 0 : top_open(top, err);
	return rc ? rc : rights_give_up(&use, err);
}

__attribute__((noreturn)) static void run(const struct top_options *options, int socket)
{
	struct top *top = calloc(1, sizeof(*top));
	struct top_request request = {.interval_ns = 0};
	struct error err = {0};

	if (!top || !helper_begin("cxlmon-top", &socket, 1))
		_exit(EXIT_FAILURE);
	int rc = prepare_sampling(options, top, &err);
	if (!rc && !wait_for_request(&request))
		_exit(EXIT_SUCCESS);
	if (rc)
		send_failure(top, &err);
	else
		watch_processes(top, &request);
	top_close(top);
	free(top);
	_exit(EXIT_SUCCESS);
}

/* The run. */

/* Allocates an update. Freed by free_update(), also after failure. */
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
	*out = (struct top_watcher){.socket = -1, .buffer = malloc(sizeof(*out->buffer))};
	int rc = out->buffer ? new_update(&out->last) : -ENOMEM;
	if (!rc)
		rc = new_update(&out->next);
	if (!rc) {
		out->pid = helper_fork(&out->socket);
		if (out->pid == 0)
			run(options, out->socket);
		rc = out->pid < 0 ? out->pid : 0;
	}
	if (!rc)
		return 0;
	top_watcher_stop(out);
	return error_set(err, ERROR_FAILED, rc,
			 "the process that watches processes cannot be started: %s", strerror(-rc));
}

void top_watcher_ask(const struct top_watcher *watcher, const struct top_request *request)
{
	struct bytes bytes = {.failed = false};
	struct top_request copy = *request;

	top_code_request(&(struct coder){.out = &bytes}, &copy);
	packet_send(watcher->socket, &bytes);
	bytes_free(&bytes);
}

void top_watcher_stop(struct top_watcher *watcher)
{
	if (watcher->socket >= 0)
		close(watcher->socket);
	free_update(&watcher->last);
	free_update(&watcher->next);
	free(watcher->buffer);
	*watcher = (struct top_watcher){.socket = -1};
}
