/* SPDX-License-Identifier: BSD-3-Clause */
#include "poller/poller_private.h"

#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdlib.h>

#include "platform/cpus.h"

struct reader {
	struct platform *platform;
	void (*work)(struct socket_job *job);
	struct socket_job *job;
	pthread_t thread;
	/* each post hands over everything that was written before it */
	sem_t go, done;
	bool leave; /* go tells the thread to end */
	int bound;  /* 0 or a negative errno, once the thread has started */
};

struct readers {
	size_t count;
	struct reader readers[];
};

static void wait_for(sem_t *semaphore)
{
	while (sem_wait(semaphore))
		; /* interrupted by a signal for another thread */
}

static void *read_jobs(void *context)
{
	struct reader *reader = context;
	struct platform *p = reader->platform;

	reader->bound = p->ops->cpus->set_affinity(p, reader->job->cpu);
	sem_post(&reader->done);
	for (;;) {
		wait_for(&reader->go);
		if (reader->leave)
			return NULL;
		reader->work(reader->job);
		sem_post(&reader->done);
	}
}

/* Starts a thread, which takes no signals: they are for the thread that samples. */
static int start_reader(struct reader *reader)
{
	sigset_t all, before;

	sem_init(&reader->go, 0, 0);
	sem_init(&reader->done, 0, 0);
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	const int rc = pthread_create(&reader->thread, NULL, read_jobs, reader);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (rc)
		return rc;
	wait_for(&reader->done);
	return 0;
}

struct readers *readers_new(struct platform *p, void (*work)(struct socket_job *job),
			    struct socket_job *jobs, size_t count)
{
	struct readers *readers = calloc(1, sizeof(*readers) + count * sizeof(struct reader));
	int rc = 0;

	if (!readers)
		return NULL;
	while (!rc && readers->count < count) {
		struct reader *reader = &readers->readers[readers->count];

		reader->platform = p;
		reader->work = work;
		reader->job = &jobs[readers->count];
		rc = start_reader(reader);
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

void readers_go(struct readers *readers)
{
	for (size_t i = 0; i < readers->count; i++)
		sem_post(&readers->readers[i].go);
}

void readers_wait(struct readers *readers)
{
	for (size_t i = 0; i < readers->count; i++)
		wait_for(&readers->readers[i].done);
}
