/* SPDX-License-Identifier: BSD-3-Clause */
/* The writer's life: its start, the samples, its end. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "linux/clock.h"
#include "linux/signals.h"
#include "output/writer_parts.h"
#include "poller/poller.h"

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

static void wake(struct writer *w)
{
	const uint64_t one = 1;
	const ssize_t ignored = write(w->wake_fd, &one, sizeof(one));

	(void)ignored; /* it fails where the count is at its end, and the writer awake */
}

/* All that was printed. */
static int put_text(struct writer *w)
{
	if (fflush(w->text) || ferror(w->text))
		return -ENOMEM;
	w->written = 0;
	const int rc = writer_put(w);
	if (!rc)
		rewind(w->text);
	return rc;
}

static void report_units(struct writer *w, const struct sample *sample)
{
	if (sample->new_warning)
		log_write(w->setup.log, LEVEL_WARNING, "%s", sample->warning->text);
	if (sample->note)
		log_write(w->setup.log, LEVEL_WARNING, "%s", sample->note);
}

static int write_sample(struct writer *w, const struct sample *sample)
{
	if (atomic_exchange(&w->break_line, false) && w->sink.terminal &&
	    w->setup.format == &format_table)
		putc('\n', w->text);
	report_units(w, sample);
	w->lost_units += sample->lost_units;
	view_update(w->setup.view, sample);
	remarks_make(&w->remarks, w->setup.view);
	w->sink.skipped = sample->skipped;
	w->setup.format->sample(&w->sink, sample);
	w->has_sample = true;
	const int rc = put_text(w);
	if (rc)
		return rc;
	w->has_sample = false;
	writer_report(w);
	/* a key must not wait until there are no samples */
	if (w->setup.format->interaction)
		writer_listen(w, 0);
	return 0;
}

/* Its room is free while a sample is written. */
static int take_frame(struct writer *w, const struct frame *frame)
{
	struct sample sample;
	const bool complete = decoder_add(w->decoder, frame, &sample);

	ring_drop(w->ring);
	return complete ? write_sample(w, &sample) : 0;
}

static int look(struct writer *w)
{
	const struct interaction *interaction = w->setup.format->interaction;
	const enum after_look then = interaction->look(&w->sink);
	int rc = then == LOOK_NO_MEMORY ? -ENOMEM : put_text(w);

	w->heard = false;
	if (rc || then != LOOK_STOP)
		return rc;
	interaction->stop(&w->sink);
	return put_text(w);
}

static int finish(struct writer *w)
{
	if (!w->setup.format->finish)
		return 0;
	w->setup.format->finish(&w->sink);
	return put_text(w);
}

/* Frames between samples fill the ring: it is looked at before it is full. */
static void wait_for_frame(struct writer *w)
{
	const uint64_t interval = atomic_load(&w->interval_ns);
	const uint64_t due = atomic_load(&w->pushed_ns) + interval + READING_NS;
	const uint64_t half_full = w->room / 2 * atomic_load(&w->frame_ns);
	const uint64_t now = clock_monotonic();

	if (interval && now < due) {
		writer_listen(w, due - now < half_full ? due - now : half_full);
		return;
	}
	writer_listen(w, w->nap);
	w->nap = writer_clamp(2 * w->nap, SHORTEST_NAP, LONGEST_NAP);
}

static void *run(void *context)
{
	struct writer *w = context;
	int rc = 0;

	signals_unblock_kick();
	while (!rc) {
		/* asked first: what was offered before it was closed is there now */
		const bool closed = atomic_load(&w->closed);
		const struct frame *frame = ring_oldest(w->ring);

		if (w->heard && !closed) {
			rc = look(w);
		} else if (frame) {
			w->nap = SHORTEST_NAP;
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
	decoder_free(w->decoder);
	free(w);
}

static int make(struct writer *w)
{
	const struct writer_setup *setup = &w->setup;
	const struct frame_size size = poller_frame_size(setup->plan);

	w->owner = pthread_self();
	w->nap = SHORTEST_NAP;
	w->remarks.log = setup->log;
	w->heard = setup->format->interaction;
	atomic_store(&w->interval_ns, setup->interval_ns);
	atomic_store(&w->frame_ns, setup->frame_ns);
	atomic_store(&w->pushed_ns, clock_monotonic());
	w->decoder = decoder_new(setup->plan);
	w->room = ring_room_for(size);
	w->ring = ring_new(w->room, size);
	w->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	w->text = open_memstream(&w->bytes, &w->size);
	if (!w->decoder || !w->ring || w->wake_fd < 0 || !w->text)
		return -ENOMEM;
	w->sink = (struct sink){
		.format = setup->format,
		.out = w->text,
		.terminal = isatty(setup->fd),
		.fd = setup->fd,
		.path = setup->path,
		.view = setup->view,
		.target = setup->target,
		.about = setup->about,
		.inputs = {-1, -1},
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
	signals_kick(w->thread);
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

uint64_t writer_lost_units(const struct writer *w)
{
	return w->lost_units;
}

int writer_join(struct writer *w, struct error *err)
{
	pthread_join(w->thread, NULL);
	writer_report(w);
	const int rc = w->failure;

	if (rc)
		writer_report_failure(w, err);
	if (atomic_load(&w->hurried))
		fcntl(w->setup.fd, F_SETFL, w->flags);
	destroy(w);
	return rc;
}
