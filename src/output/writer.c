/* SPDX-License-Identifier: BSD-3-Clause */
/* The output thread: start, samples, end. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "linux/clock.h"
#include "linux/signals.h"
#include "output/writer_private.h"
#include "poller/poller.h"

/*
 * The writer polls the ring, since waking it would cost the sampler a system call per sample. It
 * sleeps until shortly after the next sample is due, when it has most likely been read. If the
 * sample is late (slow registers, a suspended machine), the writer polls with growing pauses. A
 * poll takes microseconds, so that with the longest pause an idle writer takes less than a
 * thousandth of a CPU, and the pause is too short to be noticed.
 */
#define READ_TIME_NS (MS / 10)
#define MIN_BACKOFF  (MS / 5)
#define MAX_BACKOFF  (5 * MS)

static void wake(struct writer *w)
{
	const uint64_t one = 1;
	const ssize_t ignored = write(w->wake_fd, &one, sizeof(one));

	(void)ignored; /* it fails only if the writer is already woken */
}

static int write_sample(struct writer *w, const struct sample *sample)
{
	if (atomic_exchange(&w->break_line, false) && w->sink.terminal &&
	    w->setup.format == &format_table)
		putc('\n', w->text);
	decoder_report(w->decoder, w->setup.log);
	w->failed_reads += sample->failed_reads;
	view_update(w->setup.view, sample);
	diagnostics_report(&w->diagnostics, w->setup.view);
	if (w->setup.summary)
		summary_add(w->setup.summary, sample);
	w->sink.skipped = sample->skipped;
	w->setup.format->sample(&w->sink, sample);
	w->has_sample = true;
	const int rc = writer_flush_text(w);
	if (rc)
		return rc;
	w->has_sample = false;
	writer_report(w);
	/* keys are handled even if samples follow without a pause */
	if (w->setup.format->interaction)
		writer_wait_input(w, 0);
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
	const struct interaction *interaction = w->setup.format->interaction;
	const enum input_result then = interaction->handle_input(&w->sink);
	int rc = then == INPUT_NO_MEMORY ? -ENOMEM : writer_flush_text(w);

	w->input_ready = false;
	if (rc || then != INPUT_SUSPEND)
		return rc;
	interaction->suspend(&w->sink);
	return writer_flush_text(w);
}

static int finish(struct writer *w)
{
	if (!w->setup.format->finish)
		return 0;
	w->setup.format->finish(&w->sink);
	return writer_flush_text(w);
}

/* Wakes before frames within a sample (rotation) fill the ring. */
static void wait_for_frame(struct writer *w)
{
	const uint64_t interval = atomic_load(&w->interval_ns);
	const uint64_t due = atomic_load(&w->pushed_ns) + interval + READ_TIME_NS;
	const uint64_t half_full = w->capacity / 2 * atomic_load(&w->frame_ns);
	const uint64_t now = clock_monotonic();

	if (interval && now < due) {
		writer_wait_input(w, due - now < half_full ? due - now : half_full);
		return;
	}
	writer_wait_input(w, w->backoff_ns);
	w->backoff_ns = writer_clamp(2 * w->backoff_ns, MIN_BACKOFF, MAX_BACKOFF);
}

static void *run(void *context)
{
	struct writer *w = context;
	int rc = 0;

	signals_unblock_kick();
	while (!rc) {
		/* read first: frames pushed before the close are in the ring now */
		const bool closed = atomic_load(&w->closed);
		const struct frame *frame = ring_oldest(w->ring);

		if (atomic_exchange(&w->reopening, false)) {
			rc = writer_open_again(w);
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
	w->failure = rc ? rc : finish(w);
	atomic_store(&w->ended, true);
	signals_kick(w->owner);
	return NULL;
}

void writer_free(struct writer *w)
{
	if (w->sink.state && w->setup.format->end)
		w->setup.format->end(&w->sink);
	if (w->text)
		fclose(w->text);
	free(w->bytes);
	if (w->wake_fd >= 0)
		close(w->wake_fd);
	ring_free(w->ring);
	decoder_free(w->decoder);
	free(w);
}

static int init(struct writer *w)
{
	const struct writer_setup *setup = &w->setup;
	const struct frame_size size = poller_frame_size(setup->plan);

	tzset(); /* while /etc/localtime may be read: times are formatted later */
	w->owner = pthread_self();
	w->backoff_ns = MIN_BACKOFF;
	w->diagnostics.log = setup->log;
	w->input_ready = setup->format->interaction;
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
	w->sink = (struct sink){
		.format = setup->format,
		.out = w->text,
		.terminal = isatty(setup->fd),
		.no_header = setup->no_header || setup->continued,
		.fd = setup->fd,
		.path = setup->path,
		.view = setup->view,
		.target = setup->target,
		.info = setup->info,
		.inputs = {-1, -1},
	};
	return setup->format->begin(&w->sink);
}

int writer_new(const struct writer_setup *setup, struct writer **out, struct error *err)
{
	struct writer *w = calloc(1, sizeof(*w));

	if (!w)
		return error_no_memory(err);
	w->setup = *setup;
	w->wake_fd = -1;
	int rc = init(w);
	if (rc)
		error_set(err, EXIT_FAILED, rc, "cannot start the output thread: %s",
			  strerror(-rc));
	if (rc)
		writer_free(w);
	else
		*out = w;
	return rc;
}

int writer_start(struct writer *w, struct error *err)
{
	const int rc = pthread_create(&w->thread, NULL, run, w);

	if (!rc)
		return 0;
	writer_free(w);
	return error_set(err, EXIT_FAILED, -rc, "cannot start the output thread: %s", strerror(rc));
}

bool writer_has_room(const struct writer *w)
{
	return ring_has_room(w->ring);
}

void writer_push(struct writer *w, const struct frame *frame)
{
	ring_push(w->ring, frame);
	if (frame->sample)
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
	wake(w);
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
	wake(w);
}

void writer_close(struct writer *w)
{
	atomic_store(&w->closed, true);
	wake(w);
}

/*
 * In this order: a write that has begun is interrupted, and a later one does not block. A regular
 * file never blocks; where it may be opened again, its descriptor is the writer's.
 */
void writer_drain(struct writer *w)
{
	if (!w->setup.reopened) {
		w->flags = fcntl(w->setup.fd, F_GETFL);
		fcntl(w->setup.fd, F_SETFL, w->flags | O_NONBLOCK);
	}
	atomic_store(&w->draining, true);
	wake(w);
	signals_kick(w->thread);
}

void writer_abort(struct writer *w)
{
	atomic_store(&w->aborted, true);
	wake(w);
}

bool writer_ended(const struct writer *w)
{
	return atomic_load(&w->ended);
}

int writer_fd(const struct writer *w)
{
	return w->setup.fd;
}

uint64_t writer_failed_reads(const struct writer *w)
{
	return w->failed_reads;
}

int writer_join(struct writer *w, struct error *err)
{
	pthread_join(w->thread, NULL);
	writer_report(w);
	const int rc = w->failure;

	if (rc)
		writer_explain_failure(w, err);
	if (atomic_load(&w->draining) && !w->setup.reopened)
		fcntl(w->setup.fd, F_SETFL, w->flags);
	writer_free(w);
	return rc;
}
