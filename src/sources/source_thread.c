/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread that reads sources. */
#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

#include "base/error.h"
#include "base/number.h"
#include "counts/sample.h"
#include "platform/clock.h"
#include "poller/timetable.h"
#include "sources/sources_private.h"

/*
 * Lead of readings before samples: the thread reads so long before a sample is due, that its
 * reading is there when the sample is taken. It is twice the longest time so far from the planned
 * begin of a reading to its end, and at least 10 ms.
 */
#define LEAD_LEAST_NS (NS_PER_S / 100)
#define LEAD_PART     4 /* lead is at most this part of the interval */

#define READ_NOW_NS (NS_PER_S / 20)

/* The shortest period of reading files of nodes. */
#define PERIOD_LEAST_NS (NS_PER_S / 100)

/* Number of readings that wait for a slow output: as many as fit in these bytes, within limits. */
#define RING_BYTES ((size_t)64 << 10)
#define RING_MOST  64
#define RING_LEAST 2

struct source_thread {
	struct sources *sources;
	struct platform *platform;
	pthread_t id;
	bool started;
	int wake_fd, read_fd; /* events: a request below was made; a last reading was made */
	pthread_mutex_t lock; /* protects .samples */
	struct deadlines samples;
	_Atomic bool stopping, reading_now;
	uint64_t longest_ns; /* longest time from planned begin to end of a reading; only the thread
				uses it */
	_Atomic uintptr_t reading; /* the source being read; 0: none */
	_Atomic uint64_t since_ns; /* begin of that reading */
};

static void signal_event(int fd)
{
	const uint64_t one = 1;
	const ssize_t ignored = write(fd, &one, sizeof(one));

	(void)ignored; /* it fails only if the event is set already */
}

/* Waits for an event, and clears it. */
static void wait_event(int fd, uint64_t ns)
{
	const struct timespec time = {.tv_sec = (time_t)(ns / NS_PER_S),
				      .tv_nsec = (long)(ns % NS_PER_S)};
	struct pollfd event = {.fd = fd, .events = POLLIN};
	uint64_t count;

	if (ppoll(&event, 1, &time, NULL) > 0) {
		const ssize_t ignored = read(fd, &count, sizeof(count));

		(void)ignored;
	}
}

static uint64_t thread_now(const struct source_thread *t)
{
	return t->platform->ops->clock->now(t->platform);
}

/*
 * Reads a source. If the ring is full it is read later: counters go on, and events wait in the
 * kernel's ring.
 */
static void read_source(struct source_thread *t, struct source *source, double interval_s)
{
	const struct clock_ops *clock = t->platform->ops->clock;
	struct handed_reading *slot;
	bool more = source_is_due(source, clock->wall(t->platform), interval_s);

	for (unsigned i = 0; more && i < READINGS_MOST && (slot = slot_ring_next(source->ring, 0));
	     i++) {
		atomic_store(&t->since_ns, clock->now(t->platform));
		atomic_store(&t->reading, (uintptr_t)source);
		more = source->kind->read(source, clock->wall(t->platform), slot->data);
		atomic_store(&t->reading, 0);
		slot->wall_ns = clock->wall(t->platform);
		slot->at_ns = clock->now(t->platform);
		slot_ring_push(source->ring);
	}
}

/* Reads all sources. planned_ns: the planned begin. */
static void read_all(struct source_thread *t, uint64_t interval_ns, uint64_t planned_ns)
{
	struct source *list[SOURCES];

	sources_list(t->sources, list);
	for (unsigned i = 0; i < SOURCES; i++)
		if (list[i]->ring)
			read_source(t, list[i], (double)interval_ns / NS_PER_S);
	if (thread_now(t) - planned_ns > t->longest_ns)
		t->longest_ns = thread_now(t) - planned_ns;
}

double source_thread_reads_for(const struct source_thread *t, const struct source *source,
			       uint64_t at_ns)
{
	if (!t || atomic_load(&t->reading) != (uintptr_t)source)
		return 0;
	const uint64_t since_ns = atomic_load(&t->since_ns);
	return at_ns > since_ns ? (double)(at_ns - since_ns) / NS_PER_S : 0;
}

static uint64_t lead_of(const struct source_thread *t, uint64_t interval_ns)
{
	const uint64_t wanted =
		2 * t->longest_ns > LEAD_LEAST_NS ? 2 * t->longest_ns : LEAD_LEAST_NS;

	return wanted < interval_ns / LEAD_PART ? wanted : interval_ns / LEAD_PART;
}

/* Returns how many samples from then on (since 1970) are taken before a source is due. */
static uint64_t count_idle_samples(const struct source_thread *t, uint64_t wall_ns,
				   uint64_t interval_ns)
{
	struct source *list[SOURCES];
	uint64_t due_ns = UINT64_MAX;

	sources_list(t->sources, list);
	for (unsigned i = 0; i < SOURCES; i++) {
		if (!list[i]->ring)
			continue;
		const uint64_t ns = source_due_ns(list[i], wall_ns, (double)interval_ns / NS_PER_S);
		due_ns = ns < due_ns ? ns : due_ns;
	}
	return due_ns > wall_ns ? (due_ns - wall_ns - 1) / interval_ns + 1 : 0;
}

/*
 * Waits until the reading for the next sample for which a source is due. Returns false if a request
 * came meanwhile.
 */
static bool wait_for_sample(struct source_thread *t, uint64_t *interval_ns, uint64_t *wake_ns)
{
	const uint64_t wall_ns = t->platform->ops->clock->wall(t->platform), at = thread_now(t);

	pthread_mutex_lock(&t->lock);
	*interval_ns = t->samples.interval;
	*wake_ns = t->samples.next - lead_of(t, *interval_ns);
	t->samples.next +=
		*interval_ns * count_idle_samples(t, wall_ns + *wake_ns - at, *interval_ns);
	const uint64_t due = t->samples.next;
	pthread_mutex_unlock(&t->lock);

	*wake_ns = due - lead_of(t, *interval_ns);
	if (at < *wake_ns) {
		wait_event(t->wake_fd, *wake_ns - at);
		return false;
	}
	pthread_mutex_lock(&t->lock);
	if (t->samples.next == due)
		deadlines_advance(&t->samples, at > due ? at : due);
	pthread_mutex_unlock(&t->lock);
	return true;
}

static void *read_sources(void *context)
{
	struct source_thread *t = context;
	uint64_t interval_ns, wake_ns;

	while (!atomic_load(&t->stopping)) {
		const bool due = wait_for_sample(t, &interval_ns, &wake_ns);
		const bool asked = atomic_exchange(&t->reading_now, false);

		if (due || asked)
			read_all(t, interval_ns, due ? wake_ns : thread_now(t));
		if (asked)
			signal_event(t->read_fd);
	}
	return NULL;
}

static size_t readings_of(size_t size)
{
	const size_t room = RING_BYTES / size;

	if (room < RING_LEAST)
		return RING_LEAST;
	return room < RING_MOST ? room : RING_MOST;
}

/* Makes the rings. Devices and events are read for marks, whatever the columns are. */
static int make_rings(struct source_thread *t)
{
	struct source *list[SOURCES];

	sources_list(t->sources, list);
	for (unsigned i = 0; i < SOURCES; i++) {
		struct source *source = list[i];
		const size_t size = sizeof(struct handed_reading) + source->size;

		if (!source->kind)
			continue;
		if (source == &t->sources->nodes.base)
			source->period_ns = PERIOD_LEAST_NS;
		source->ring = slot_ring_new(readings_of(size), size);
		if (!source->ring)
			return -ENOMEM;
		t->platform = source->platform;
	}
	return 0;
}

static int start_thread(struct source_thread *t)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	const int rc = pthread_create(&t->id, NULL, read_sources, t);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	t->started = !rc;
	return -rc;
}

int sources_start(struct sources *sources, const struct deadlines *samples, struct error *err)
{
	struct source_thread *t = calloc(1, sizeof(*t));

	if (!t)
		return error_no_memory(err);
	sources->thread = t;
	*t = (struct source_thread){.sources = sources,
				    .samples = *samples,
				    .wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
				    .read_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK),
				    .lock = PTHREAD_MUTEX_INITIALIZER};
	int rc = t->wake_fd < 0 || t->read_fd < 0 ? -errno : make_rings(t);

	if (!rc && t->platform)
		rc = start_thread(t);
	return rc ? error_set(err, ERROR_FAILED, rc,
			      "the thread that reads the kernel's files cannot be started: %s",
			      strerror(-rc))
		  : 0;
}

void sources_set_deadlines(struct sources *sources, const struct deadlines *samples)
{
	struct source_thread *t = sources->thread;

	if (!t)
		return;
	pthread_mutex_lock(&t->lock);
	t->samples = *samples;
	pthread_mutex_unlock(&t->lock);
	signal_event(t->wake_fd);
}

void sources_read_now(struct sources *sources)
{
	struct source_thread *t = sources->thread;

	if (!t || !t->started)
		return;
	atomic_store(&t->reading_now, true);
	signal_event(t->wake_fd);
	wait_event(t->read_fd, READ_NOW_NS);
}

void sources_stop(struct sources *sources)
{
	struct source_thread *t = sources->thread;

	if (!t)
		return;
	atomic_store(&t->stopping, true);
	signal_event(t->wake_fd);
}

void source_thread_free(struct source_thread *t)
{
	if (!t)
		return;
	if (t->started)
		pthread_join(t->id, NULL);
	if (t->wake_fd >= 0)
		close(t->wake_fd);
	if (t->read_fd >= 0)
		close(t->read_fd);
	free(t);
}
