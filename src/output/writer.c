/* SPDX-License-Identifier: BSD-3-Clause */
#include "output/writer.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "counts/decoder.h"
#include "linux/kernel/clock.h"
#include "linux/run/signals.h"
#include "output/diagnostics.h"
#include "output/file_process.h"
#include "poller/poller.h"

/*
 * Times of polling. The writer polls the ring, because waking it would cost the sampler a system
 * call per sample. It sleeps until shortly after the next sample is due, when it has most likely
 * been read. If the sample is late (slow registers, a suspended machine), it polls with growing
 * pauses. A poll takes microseconds, so that with the longest pause an idle writer takes less than
 * a thousandth of a CPU, and the pause is too short to be noticed.
 */
#define READ_TIME_PART 100 /* share of the interval, within these limits */
#define MIN_READ_TIME  (MS / 10)
#define MAX_READ_TIME  MS
#define MIN_BACKOFF    (MS / 5)
#define MAX_BACKOFF    (5 * MS)

#define DRAIN_TIMEOUT_NS (1 * NS_PER_S) /* time for the reader after writer_drain() */

/* Writing to a full disk is retried at each sample, within these limits. */
#define MIN_RETRY_NS (10 * MS)
#define MAX_RETRY_NS (1 * NS_PER_S)

#define MS	   UINT64_C(1000000) /* ns */
#define NO_TIMEOUT UINT64_MAX

struct writer {
	struct writer_setup setup;
	struct ring *ring;
	pthread_t thread, owner;
	int wake_fd; /* eventfd that is signalled with each request */
	int flags;   /* flags of the output before writer_drain() */

	/* Members that the owner sets. */
	_Atomic uint64_t pushed_ns;   /* clock_monotonic() of the last sample's push */
	_Atomic uint64_t interval_ns; /* initially from setup */
	_Atomic uint64_t frame_ns;    /* initially from setup */
	atomic_bool break_line, reopening, closed, draining, aborted;
	/* Members that the writer sets. */
	atomic_bool ended;

	/* Private members of the writer's thread. */
	struct decoder *decoder;
	size_t capacity;		 /* frames that the ring holds */
	uint64_t lost_readings, skipped; /* see struct sample */
	struct sink sink;
	FILE *text; /* memory stream of the bytes to be written next */
	char *bytes;
	size_t size, written;
	bool has_sample; /* the bytes have a sample */
	uint64_t backoff_ns;
	bool input_ready; /* an input of the sink is readable */
	struct diagnostics diagnostics;
	bool slow_reported, disk_full_reported, recovery_reported, disk_full, last_try;
	int failure; /* negative errno, or 0 */
};

/* Writing bytes: slow readers, and full disks. */

static uint64_t clamp_number(uint64_t value, uint64_t least, uint64_t most)
{
	if (value < least)
		return least;
	return value < most ? value : most;
}

/*
 * Waits until the writer is woken, fd (-1: none) is writable or, if inputs are wanted, an input of
 * an interactive sink is readable. Returns false after ns.
 */
static bool wait_for(struct writer *w, int fd, bool inputs, uint64_t ns)
{
	const struct timespec time = {.tv_sec = (time_t)(ns / NS_PER_S),
				      .tv_nsec = (long)(ns % NS_PER_S)};
	struct pollfd fds[2 + SINK_INPUTS] = {{.fd = w->wake_fd, .events = POLLIN},
					      {.fd = fd, .events = POLLOUT}};
	struct pollfd *input = &fds[2];
	uint64_t count;

	for (size_t i = 0; i < SINK_INPUTS; i++)
		input[i] = (struct pollfd){.fd = inputs ? w->sink.inputs[i] : -1, .events = POLLIN};
	const int found = ppoll(fds, 2 + SINK_INPUTS, ns == NO_TIMEOUT ? NULL : &time, NULL);

	if (found > 0 && fds[0].revents) {
		const ssize_t ignored = read(w->wake_fd, &count, sizeof(count));

		(void)ignored; /* another thread may have reset it */
	}
	for (size_t i = 0; i < SINK_INPUTS; i++)
		w->input_ready |= input[i].revents != 0;
	return found != 0;
}

/*
 * Reports a slow reader, once; from this thread, so that the sampler never waits for the reader of
 * stderr. Not if the disk was full, which was reported already; nor for a screen: the interval may
 * be too short for it, which it shows as missed deadlines.
 */
static void report_slow_reader(struct writer *w)
{
	if (w->slow_reported || w->disk_full_reported || w->sink.format->handle_input ||
	    !w->skipped)
		return;
	w->slow_reported = true;
	log_write(
		w->setup.log, LEVEL_WARNING,
		"the reader of the output is slow: samples are merged into longer ones, no counts are lost; "
		"-v says how many");
}

static int wait_for_reader(struct writer *w)
{
	const bool draining = atomic_load(&w->draining);

	if (atomic_load(&w->aborted))
		return -EAGAIN;
	if (wait_for(w, w->sink.fd, false, draining ? DRAIN_TIMEOUT_NS : NO_TIMEOUT))
		return 0;
	return -EAGAIN;
}

/*
 * Waits for room on the disk. Returns code after the last attempt, which follows the last sample.
 */
static int wait_for_disk(struct writer *w, int code)
{
	w->disk_full = true;
	if (!w->disk_full_reported) {
		w->disk_full_reported = true;
		log_write(w->setup.log, LEVEL_WARNING,
			  "%s: cannot be written: %s; retrying at each sample, no counts are lost",
			  w->setup.name, strerror(-code));
	}
	if (w->last_try)
		return code;
	w->last_try = atomic_load(&w->closed);
	if (!w->last_try)
		wait_for(w, -1, false,
			 clamp_number(atomic_load(&w->interval_ns), MIN_RETRY_NS, MAX_RETRY_NS));
	return 0;
}

/* Writes bytes. Returns their number, or a negative errno. */
static ssize_t write_some(const struct writer *w)
{
	if (w->setup.replaced) {
		const int rc = file_process_replace(w->setup.replaced, w->bytes, w->size);
		return rc ? rc : (ssize_t)w->size;
	}
	const ssize_t n = write(w->sink.fd, w->bytes + w->written, w->size - w->written);
	return n < 0 ? -errno : n;
}

/* Writes all bytes. 0, or the negative errno that ends the writer. */
static int write_all(struct writer *w)
{
	int rc = 0;

	while (!rc && w->written < w->size) {
		const ssize_t n = write_some(w);
		const int code = n < 0 ? (int)n : 0;

		if (n > 0)
			w->written += (size_t)n;
		else if (code == -EAGAIN)
			rc = wait_for_reader(w);
		else if ((code == -ENOSPC && !w->setup.device) || code == -EDQUOT || code == -EIO)
			rc = wait_for_disk(w, code);
		else if (code != -EINTR)
			rc = code;
	}
	if (rc || !w->disk_full)
		return rc;
	w->disk_full = false;
	if (!w->recovery_reported)
		log_write(w->setup.log, LEVEL_WARNING, "%s: writable again", w->setup.name);
	w->recovery_reported = true;
	return 0;
}

/* Removes an incomplete row, which readers of the file would take for a complete one. */
static void truncate_partial_row(const struct writer *w)
{
	struct stat st;
	const off_t at = lseek(w->sink.fd, 0, SEEK_CUR);

	if (w->setup.own_file && w->written < w->size && !fstat(w->sink.fd, &st) &&
	    S_ISREG(st.st_mode) && at >= (off_t)w->written &&
	    ftruncate(w->sink.fd, at - (off_t)w->written))
		log_write(w->setup.log, LEVEL_WARNING, "%s: the last row is incomplete",
			  w->setup.name);
}

static void explain_failure(struct writer *w, struct error *err)
{
	const struct frame *frame;
	const int rc = w->failure;
	size_t missing = w->has_sample; /* number of samples that were not written */

	for (; (frame = ring_oldest(w->ring)); ring_drop(w->ring))
		missing += frame->sample;

	if (rc == -ENOMEM) {
		error_set(err, ERROR_FAILED, rc, "out of memory");
		return;
	}
	error_set(err, ERROR_FAILED, rc, "%s: cannot be written: %s; %zu sample%s missing",
		  w->setup.name,
		  rc == -EAGAIN ? "the reader has stopped reading" : file_process_reason(rc),
		  missing, missing == 1 ? " is" : "s are");
	truncate_partial_row(w);
}

static int flush_text(struct writer *w)
{
	if (fflush(w->text) || ferror(w->text))
		return -ENOMEM;
	w->written = 0;
	const int rc = write_all(w);
	if (!rc)
		rewind(w->text);
	return rc;
}

static int open_again(struct writer *w)
{
	const struct format *format = w->sink.format;
	struct stat now, before;
	struct error err;

	const int fd = file_process_open(w->setup.reopened, &err);
	if (fd < 0) {
		log_write(w->setup.log, LEVEL_WARNING,
			  "%s; rows are written to the old file as before", err.text);
		return 0;
	}
	/* the open file was not renamed */
	if (!fstat(w->sink.fd, &before) && !fstat(fd, &now) && now.st_dev == before.st_dev &&
	    now.st_ino == before.st_ino) {
		close(fd);
		return 0;
	}
	const off_t end = lseek(fd, 0, SEEK_END);
	close(w->sink.fd);
	w->sink.fd = fd;
	log_write(w->setup.log, LEVEL_DETAIL, "%s: opened again", w->setup.name);
	rewind(w->text); /* it may have the header that the old file still lacks */
	if (end)
		return 0;
	/* begins as a new run does */
	if (format->end)
		format->end(&w->sink);
	w->sink.state = NULL;
	w->sink.no_header = w->setup.sink.no_header;
	const int rc = format->begin(&w->sink);
	return rc ? rc : flush_text(w);
}

/* The thread, and requests of its owner. */

static void wake_writer(struct writer *w)
{
	const uint64_t one = 1;
	const ssize_t ignored = write(w->wake_fd, &one, sizeof(one));

	(void)ignored; /* it fails only if the writer is already woken */
}

static int write_sample(struct writer *w, const struct sample *sample)
{
	w->skipped = sample->skipped;
	if (atomic_exchange(&w->break_line, false) && w->sink.terminal &&
	    w->sink.format == &format_table)
		putc('\n', w->text);
	decoder_report(w->decoder, w->setup.log);
	w->lost_readings += sample->lost_readings;
	view_update(w->setup.view, sample);
	diagnostics_report(&w->diagnostics, w->setup.view);
	if (w->setup.summary)
		summary_add(w->setup.summary, sample);
	w->sink.format->sample(&w->sink, sample);
	w->has_sample = true;
	const int rc = flush_text(w);
	if (rc)
		return rc;
	w->has_sample = false;
	report_slow_reader(w);
	if (w->setup.taken)
		w->setup.taken(w->setup.context, sample);
	/* handles keys even if samples follow without a pause */
	if (w->sink.format->handle_input)
		wait_for(w, -1, true, 0);
	return 0;
}

/* Frees the frame's slot of the ring before the sample is written. */
static int take_frame(struct writer *w, const struct frame *frame)
{
	struct sample sample;
	const bool complete = decoder_add(w->decoder, frame, &sample);

	ring_drop(w->ring);
	return complete ? write_sample(w, &sample) : 0;
}

static int handle_input(struct writer *w)
{
	const enum input_result then = w->sink.format->handle_input(&w->sink);
	int rc = then == INPUT_NO_MEMORY ? -ENOMEM : flush_text(w);

	w->input_ready = false;
	if (rc || then != INPUT_SUSPEND)
		return rc;
	w->sink.format->suspend(&w->sink);
	return flush_text(w);
}

static int finish_writer(struct writer *w)
{
	if (w->setup.taken)
		w->setup.taken(w->setup.context, NULL);
	if (!w->sink.format->finish)
		return 0;
	w->sink.format->finish(&w->sink);
	return flush_text(w);
}

/* Waits for a frame. Wakes before frames within a sample (rotation) fill the ring. */
static void wait_for_frame(struct writer *w)
{
	const uint64_t interval = atomic_load(&w->interval_ns);
	const uint64_t due = atomic_load(&w->pushed_ns) + interval +
			     clamp_number(interval / READ_TIME_PART, MIN_READ_TIME, MAX_READ_TIME);
	const uint64_t half_full = w->capacity / 2 * atomic_load(&w->frame_ns);
	const uint64_t now = clock_monotonic();

	if (interval && now < due) {
		wait_for(w, -1, true, due - now < half_full ? due - now : half_full);
		return;
	}
	wait_for(w, -1, true, w->backoff_ns);
	w->backoff_ns = clamp_number(2 * w->backoff_ns, MIN_BACKOFF, MAX_BACKOFF);
}

static void *write_samples(void *context)
{
	struct writer *w = context;
	int rc = 0;

	signals_unblock_kick();
	while (!rc) {
		/* read before the ring: frames pushed before the close are then in it */
		const bool closed = atomic_load(&w->closed);
		const struct frame *frame = ring_oldest(w->ring);

		if (atomic_exchange(&w->reopening, false)) {
			rc = open_again(w);
		} else if (w->input_ready && !closed) {
			rc = handle_input(w);
		} else if (frame) {
			w->backoff_ns = MIN_BACKOFF;
			rc = take_frame(w, frame);
		} else if (closed) {
			break;
		} else {
			wait_for_frame(w);
		}
	}
	w->failure = rc ? rc : finish_writer(w);
	atomic_store(&w->ended, true);
	signals_kick(w->owner);
	return NULL;
}

void writer_free(struct writer *w)
{
	if (w->sink.state && w->sink.format->end)
		w->sink.format->end(&w->sink);
	if (w->text)
		fclose(w->text);
	free(w->bytes);
	if (w->wake_fd >= 0)
		close(w->wake_fd);
	ring_free(w->ring);
	decoder_free(w->decoder);
	free(w);
}

static int init_writer(struct writer *w)
{
	const struct writer_setup *setup = &w->setup;
	const struct frame_size size = poller_frame_size(setup->plan);

	tzset(); /* while /etc/localtime may be read: times are formatted later */
	w->owner = pthread_self();
	w->backoff_ns = MIN_BACKOFF;
	w->diagnostics.log = setup->log;
	w->sink = setup->sink;
	w->sink.table = &setup->view->table;
	w->sink.terminal = isatty(setup->sink.fd);
	w->sink.no_header |= setup->continued;
	for (size_t i = 0; i < SINK_INPUTS; i++)
		w->sink.inputs[i] = -1;
	w->input_ready = w->sink.format->handle_input;
	atomic_store(&w->interval_ns, setup->interval_ns);
	atomic_store(&w->frame_ns, setup->frame_ns);
	atomic_store(&w->pushed_ns, clock_monotonic());
	w->decoder = decoder_new(setup->plan);
	w->capacity = ring_room_for(size);
	w->ring = ring_new(w->capacity, size);
	w->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	w->text = open_memstream(&w->bytes, &w->size);
	if (!w->decoder || !w->ring || w->wake_fd < 0 || !w->text)
		return -ENOMEM;
	__fsetlocking(w->text, FSETLOCKING_BYCALLER); /* by one thread at a time */
	w->sink.out = w->text;
	return w->sink.format->begin(&w->sink);
}

int writer_new(const struct writer_setup *setup, struct writer **out, struct error *err)
{
	struct writer *w = calloc(1, sizeof(*w));

	if (!w)
		return error_no_memory(err);
	w->setup = *setup;
	w->wake_fd = -1;
	int rc = init_writer(w);
	if (rc)
		error_set(err, ERROR_FAILED, rc, "cannot start the output thread: %s",
			  strerror(-rc));
	if (rc)
		writer_free(w);
	else
		*out = w;
	return rc;
}

int writer_start(struct writer *w, struct error *err)
{
	const int rc = pthread_create(&w->thread, NULL, write_samples, w);

	if (!rc)
		return 0;
	writer_free(w);
	return error_set(err, ERROR_FAILED, -rc, "cannot start the output thread: %s",
			 strerror(rc));
}

bool writer_has_room(const struct writer *w)
{
	return ring_has_room(w->ring);
}

void writer_push(struct writer *w, const struct frame *frame)
{
	ring_push(w->ring, frame);
	if (!frame->sample)
		return;
	atomic_store(&w->pushed_ns, clock_monotonic());
}

void writer_push_last(struct writer *w, const struct frame *frame)
{
	ring_push_last(w->ring, frame);
}

void writer_set_interval(struct writer *w, uint64_t interval_ns, uint64_t frame_ns)
{
	atomic_store(&w->interval_ns, interval_ns);
	atomic_store(&w->frame_ns, frame_ns);
	wake_writer(w);
}

void writer_break_line(struct writer *w)
{
	atomic_store(&w->break_line, true);
}

void writer_reopen(struct writer *w)
{
	if (!w->setup.reopened)
		return;
	atomic_store(&w->reopening, true);
	wake_writer(w);
}

void writer_close(struct writer *w)
{
	atomic_store(&w->closed, true);
	wake_writer(w);
}

/*
 * Sets O_NONBLOCK before the request, so that a running write is interrupted and a later one does
 * not block. A regular file never blocks; if it may be opened again, its descriptor is the
 * writer's.
 */
void writer_drain(struct writer *w)
{
	if (!w->setup.reopened) {
		w->flags = fcntl(w->sink.fd, F_GETFL);
		fcntl(w->sink.fd, F_SETFL, w->flags | O_NONBLOCK);
	}
	atomic_store(&w->draining, true);
	wake_writer(w);
	signals_kick(w->thread);
}

void writer_abort(struct writer *w)
{
	atomic_store(&w->aborted, true);
	wake_writer(w);
}

bool writer_ended(const struct writer *w)
{
	return atomic_load(&w->ended);
}

int writer_fd(const struct writer *w)
{
	return w->sink.fd;
}

uint64_t writer_lost_readings(const struct writer *w)
{
	return w->lost_readings;
}

int writer_join(struct writer *w, struct error *err)
{
	pthread_join(w->thread, NULL);
	report_slow_reader(w);
	const int rc = w->failure;

	if (rc)
		explain_failure(w, err);
	if (atomic_load(&w->draining) && !w->setup.reopened)
		fcntl(w->sink.fd, F_SETFL, w->flags);
	writer_free(w);
	return rc;
}
