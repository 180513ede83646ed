/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/remarks.h"
#include "cli/signals.h"
#include "linux/clock.h"
#include "poller/ring.h"

#define MS	 UINT64_C(1000000) /* ns */
#define NS_PER_S UINT64_C(1000000000)
#define FOREVER	 UINT64_MAX

#define GRACE_NS (1 * NS_PER_S) /* that a hurried writer gives its reader */

/*
 * Waking the writer for each sample would cost the other thread a system call, so it looks for
 * itself. Samples come at fixed times: it sleeps until shortly after the next one is due, when that
 * has most likely been read, and finds it with the first or second look. One that is later than
 * that (slow registers, a pause) is looked for less and less often: a look costs microseconds, so
 * that the longest nap keeps an idle writer below a thousandth of a CPU, and is a delay that nobody
 * notices.
 */
#define READING_NS   (MS / 10)
#define SHORTEST_NAP (MS / 5)
#define LONGEST_NAP  (5 * MS)

/* A disk without room is tried again with each sample, but neither in a busy loop nor too late. */
#define SOONEST_RETRY (10 * MS)
#define LATEST_RETRY  (1 * NS_PER_S)

struct writer {
	struct writer_setup setup;
	struct ring *ring;
	pthread_t thread, owner;
	int wake_fd; /* an eventfd: something below has changed */
	int flags;   /* of the output, before it was hurried */

	/* from the owner */
	_Atomic uint64_t offered_ns; /* clock_monotonic() when a sample came last */
	_Atomic uint64_t postponed;
	atomic_bool break_line, closed, hurried, given_up;
	/* from the writer */
	atomic_bool ended;

	/* the writer's own */
	struct sink sink;
	FILE *text; /* what goes to the output next, in memory */
	char *bytes;
	size_t size, written;
	bool has_sample; /* among the bytes */
	uint64_t nap;
	struct remarks remarks;
	bool slow_said, disk_said, room_said, disk_full, last_try;
	int failure; /* negative errno, or 0 */
};

static uint64_t clamp(uint64_t value, uint64_t least, uint64_t most)
{
	if (value < least)
		return least;
	return value < most ? value : most;
}

/* False where the time is up before there was room in the output (if fd isn't -1), or a call. */
static bool sleep_or_wake(struct writer *w, int fd, uint64_t ns)
{
	const struct timespec time = {.tv_sec = (time_t)(ns / NS_PER_S),
				      .tv_nsec = (long)(ns % NS_PER_S)};
	struct pollfd fds[] = {{.fd = w->wake_fd, .events = POLLIN}, {.fd = fd, .events = POLLOUT}};
	uint64_t ignored;
	const int found = ppoll(fds, 2, ns == FOREVER ? NULL : &time, NULL);

	if (found > 0 && fds[0].revents && read(w->wake_fd, &ignored, sizeof(ignored)) < 0)
		return true; /* nothing there to read, as little as there is to do about it */
	return found != 0;
}

static void wake(struct writer *w)
{
	const uint64_t one = 1;
	const ssize_t ignored = write(w->wake_fd, &one, sizeof(one));

	(void)ignored; /* it fails where the count is at its end, and the writer awake */
}

/*
 * Said here and not when it happens: the thread that takes samples shouldn't wait for whoever reads
 * standard error either. A full disk has been reported as such.
 */
static void report_slow(struct writer *w)
{
	if (w->slow_said || w->disk_full || !atomic_load(&w->postponed))
		return;
	w->slow_said = true;
	log_write(w->setup.log, LEVEL_WARNING,
		  "the reader of the output is slow: samples are put together into longer ones, so "
		  "that nothing counted is lost; -v says how many");
}

static int wait_for_reader(struct writer *w)
{
	const bool hurried = atomic_load(&w->hurried);

	if (atomic_load(&w->given_up))
		return -EAGAIN;
	if (sleep_or_wake(w, w->setup.fd, hurried ? GRACE_NS : FOREVER))
		return 0;
	return -EAGAIN;
}

static bool may_pass(int code)
{
	return code == -ENOSPC || code == -EDQUOT || code == -EIO;
}

/* code stands after the last try, which is the one after the last sample. */
static int wait_for_disk(struct writer *w, int code)
{
	w->disk_full = true;
	if (!w->disk_said) {
		w->disk_said = true;
		log_write(w->setup.log, LEVEL_WARNING,
			  "%s: can't be written: %s; tried again with each sample, and nothing "
			  "counted is lost meanwhile",
			  w->setup.name, strerror(-code));
	}
	if (w->last_try)
		return code;
	w->last_try = atomic_load(&w->closed);
	if (!w->last_try)
		sleep_or_wake(w, -1, clamp(w->setup.interval_ns, SOONEST_RETRY, LATEST_RETRY));
	return 0;
}

static void report_room(struct writer *w)
{
	w->disk_full = false;
	if (!w->room_said)
		log_write(w->setup.log, LEVEL_WARNING, "%s: can be written again", w->setup.name);
	w->room_said = true;
}

static int write_bytes(struct writer *w)
{
	int rc = 0;

	while (!rc && w->written < w->size) {
		const ssize_t n = write(w->setup.fd, w->bytes + w->written, w->size - w->written);
		const int code = n < 0 ? -errno : 0;

		if (n > 0)
			w->written += (size_t)n;
		else if (code == -EAGAIN)
			rc = wait_for_reader(w);
		else if (may_pass(code))
			rc = wait_for_disk(w, code);
		else if (code != -EINTR)
			rc = code;
	}
	if (!rc && w->disk_full)
		report_room(w);
	return rc;
}

static int write_sample(struct writer *w, const struct sample *sample)
{
	if (atomic_exchange(&w->break_line, false) && w->sink.terminal &&
	    w->setup.format == &format_table)
		putc('\n', w->text);
	view_update(w->setup.view, sample);
	remarks_make(&w->remarks, w->setup.view);
	w->setup.format->sample(&w->sink, sample);
	/* its room is free while it is written */
	w->has_sample = true;
	ring_drop(w->ring);
	if (fflush(w->text) || ferror(w->text))
		return -ENOMEM;
	w->written = 0;
	const int rc = write_bytes(w);
	if (rc)
		return rc;
	w->has_sample = false;
	rewind(w->text);
	report_slow(w);
	return 0;
}

static void wait_for_sample(struct writer *w)
{
	const uint64_t due = atomic_load(&w->offered_ns) + w->setup.interval_ns + READING_NS;
	const uint64_t now = clock_monotonic();

	if (w->setup.interval_ns && now < due) {
		sleep_or_wake(w, -1, due - now);
		return;
	}
	sleep_or_wake(w, -1, w->nap);
	w->nap = clamp(2 * w->nap, SHORTEST_NAP, LONGEST_NAP);
}

static void *run(void *context)
{
	struct writer *w = context;
	int rc = 0;

	signals_let_nudge();
	while (!rc) {
		/* asked first: what was offered before it was closed is there now */
		const bool closed = atomic_load(&w->closed);
		const struct sample *sample = ring_oldest(w->ring);

		if (sample) {
			w->nap = SHORTEST_NAP;
			rc = write_sample(w, sample);
		} else if (closed) {
			break;
		} else {
			wait_for_sample(w);
		}
	}
	w->failure = rc;
	atomic_store(&w->ended, true);
	signals_nudge(w->owner);
	return NULL;
}

static void destroy(struct writer *w)
{
	if (w->sink.state && w->setup.format->end)
		w->setup.format->end(&w->sink);
	if (w->text)
		fclose(w->text);
	free(w->bytes);
	if (w->wake_fd >= 0)
		close(w->wake_fd);
	ring_free(w->ring);
	free(w);
}

static int make(struct writer *w)
{
	const struct writer_setup *setup = &w->setup;

	w->owner = pthread_self();
	w->nap = SHORTEST_NAP;
	w->remarks.log = setup->log;
	atomic_store(&w->offered_ns, clock_monotonic());
	w->ring = ring_new(ring_fitting(setup->counts), setup->counts);
	w->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	w->text = open_memstream(&w->bytes, &w->size);
	if (!w->ring || w->wake_fd < 0 || !w->text)
		return -ENOMEM;
	w->sink = (struct sink){
		.format = setup->format,
		.out = w->text,
		.terminal = isatty(setup->fd),
		.fd = setup->fd,
		.view = setup->view,
	};
	return setup->format->begin(&w->sink);
}

int writer_start(const struct writer_setup *setup, struct writer **out, struct error *err)
{
	struct writer *w = calloc(1, sizeof(*w));
	int rc = -ENOMEM;

	if (w) {
		w->setup = *setup;
		w->wake_fd = -1;
		rc = make(w);
	}
	if (!rc)
		rc = -pthread_create(&w->thread, NULL, run, w);
	if (!rc) {
		*out = w;
		return 0;
	}
	if (w)
		destroy(w);
	return error_set(err, EXIT_FAILED, rc, "a thread for the output can't be started: %s",
			 strerror(-rc));
}

bool writer_offer(struct writer *w, const struct sample *sample)
{
	if (!ring_push(w->ring, sample))
		return false;
	atomic_store(&w->offered_ns, clock_monotonic());
	return true;
}

void writer_offer_last(struct writer *w, const struct sample *sample)
{
	ring_push_last(w->ring, sample);
}

void writer_count_postponed(struct writer *w)
{
	atomic_fetch_add(&w->postponed, 1);
}

uint64_t writer_postponed(const struct writer *w)
{
	return atomic_load(&w->postponed);
}

void writer_break_line(struct writer *w)
{
	atomic_store(&w->break_line, true);
}

void writer_close(struct writer *w)
{
	atomic_store(&w->closed, true);
	wake(w);
}

/* In this order a write that has begun is interrupted, and one that begins later doesn't block. */
void writer_hurry(struct writer *w)
{
	w->flags = fcntl(w->setup.fd, F_GETFL);
	fcntl(w->setup.fd, F_SETFL, w->flags | O_NONBLOCK);
	atomic_store(&w->hurried, true);
	wake(w);
	signals_nudge(w->thread);
}

void writer_give_up(struct writer *w)
{
	atomic_store(&w->given_up, true);
	wake(w);
}

bool writer_ended(const struct writer *w)
{
	return atomic_load(&w->ended);
}

/* What is left of a row would be taken for one by whoever reads the file. */
static void cut_torn_row(const struct writer *w)
{
	struct stat st;
	const off_t at = lseek(w->setup.fd, 0, SEEK_CUR);

	if (w->setup.own_file && w->written < w->size && !fstat(w->setup.fd, &st) &&
	    S_ISREG(st.st_mode) && at >= (off_t)w->written &&
	    ftruncate(w->setup.fd, at - (off_t)w->written))
		log_write(w->setup.log, LEVEL_WARNING, "%s: its last row is torn", w->setup.name);
}

static int report_failure(const struct writer *w, struct error *err)
{
	const size_t missing = ring_count(w->ring) + w->has_sample;
	const int rc = w->failure;

	if (rc == -ENOMEM)
		return error_set(err, EXIT_FAILED, rc, "out of memory");
	return error_set(err, EXIT_FAILED, rc, "%s: can't be written: %s; %zu sample%s missing",
			 w->setup.name, rc == -EAGAIN ? "its reader doesn't read" : strerror(-rc),
			 missing, missing == 1 ? " is" : "s are");
}

int writer_join(struct writer *w, struct error *err)
{
	pthread_join(w->thread, NULL);
	report_slow(w);
	const int rc = w->failure;

	if (rc) {
		report_failure(w, err);
		cut_torn_row(w);
	}
	if (atomic_load(&w->hurried))
		fcntl(w->setup.fd, F_SETFL, w->flags);
	destroy(w);
	return rc;
}
