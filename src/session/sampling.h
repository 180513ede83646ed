/* SPDX-License-Identifier: BSD-3-Clause */
/* Poller and decoder in one thread: for the library, probes, tests and benchmarks. */
#ifndef CXLMON_SESSION_SAMPLING_H
#define CXLMON_SESSION_SAMPLING_H

#include "counts/decoder.h"
#include "poller/poller.h"

struct sampling {
	struct poller *poller; /* not owned */
	struct decoder *decoder;
};

/*
 * Begins sampling; to be called right after poller_start(). Freed by sampling_free(), also after
 * failure.
 */
int sampling_begin(struct sampling *sampling, struct poller *poller, const struct plan *plan,
		   struct error *err);
void sampling_free(struct sampling *sampling);

/* Waits until the next sample is due, as poller_wait() does, and does the rotations before it. */
int sampling_wait(struct sampling *sampling, const sigset_t *wake, int *signal_number,
		  struct error *err);

/* Returns the time of the next work for sampling_dispatch(), in ns of the platform's clock. */
uint64_t sampling_next(const struct sampling *sampling);

/*
 * Does the rotations that are due, without sleeping. 1: the next sample is due; 0: not yet; or a
 * negative errno.
 */
int sampling_dispatch(struct sampling *sampling, struct platform *p, struct error *err);

/*
 * Reads the counters; *out is valid until the next call of this function or of sampling_dispatch().
 */
int sampling_take(struct sampling *sampling, struct sample *out, struct error *err);

#endif
