/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads that read a share of the registers each, at the same time as whoever samples reads the
 * first. They sleep in between: waking them takes as long as some reads of MSRs, and less than
 * those of another socket.
 */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>

#include "poller/poller_parts.h"

struct reader {
	struct poller *poller;
	struct share *share;
	pthread_t thread;
	/* each hands over all that was written before */
	sem_t go, done;
	bool leave; /* instead */
	int bound;  /* once it has begun: 0, or why it is not */
};

struct readers {
	size_t count;
	struct reader readers[];
};

static void wait_for(sem_t *semaphore)
{
	while (sem_wait(semaphore))
		; /* a signal, which is somebody else's */
}

static void *live(void *context)
{
	struct reader *reader = context;
	struct platform *p = reader->poller->platform;

	reader->bound = p->ops->set_affinity(p, reader->share->cpu);
	sem_post(&reader->done);
	for (;;) {
		wait_for(&reader->go);
		if (reader->leave)
			return NULL;
		poller_walk_share(reader->poller, reader->share);
		sem_post(&reader->done);
	}
}

/* With no signal: they are for the thread that samples. */
static int start(struct reader *reader)
{
	sigset_t all, before;

	sem_init(&reader->go, 0, 0);
	sem_init(&reader->done, 0, 0);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	const int rc = pthread_create(&reader->thread, NULL, live, reader);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc)
		return rc;
	wait_for(&reader->done);
	return 0;
}

struct readers *readers_new(struct poller *poller)
{
	const size_t count = poller->share_count - 1;
	struct readers *readers = calloc(1, sizeof(*readers) + count * sizeof(struct reader));
	int rc = 0;

	if (!readers)
		return NULL;
	while (!rc && readers->count < count) {
		struct reader *reader = &readers->readers[readers->count];

		reader->poller = poller;
		reader->share = &poller->shares[readers->count + 1];
		rc = start(reader);
		if (rc)
			break;
		readers->count++;
		rc = reader->bound;
	}
	if (!rc)
		return readers;
	readers_free(readers);
	return NULL;
}

void readers_free(struct readers *readers)
{
	if (!readers)
		return;
	for (size_t i = 0; i < readers->count; i++) {
		struct reader *reader = &readers->readers[i];

		reader->leave = true;
		sem_post(&reader->go);
		pthread_join(reader->thread, NULL);
		sem_destroy(&reader->go);
		sem_destroy(&reader->done);
	}
	free(readers);
}

size_t readers_go(struct readers *readers, size_t shares)
{
	if (!readers)
		return shares;
	for (size_t i = 0; i < readers->count; i++)
		sem_post(&readers->readers[i].go);
	return 1;
}

void readers_wait(struct readers *readers)
{
	for (size_t i = 0; readers && i < readers->count; i++)
		wait_for(&readers->readers[i].done);
}
