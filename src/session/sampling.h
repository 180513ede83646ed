/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Takes samples from a poller (poller/poller.h) and decodes them, for the library. One thread calls
 * all functions.
 */
#ifndef CXLMON_SESSION_SAMPLING_H
#define CXLMON_SESSION_SAMPLING_H

#include "counts/decoder.h"
#include "poller/poller.h"

struct sampling {
	struct poller *poller;	 /* not owned */
	struct decoder *decoder; /* freed by sampling_free() */
};

/*
 * Begins sampling. Call it right after poller_start(). The poller and the plan must outlive the
 * sampling. Returns 0 or -ENOMEM. The caller frees *sampling by sampling_free(), even after an
 * error.
 */
int sampling_begin(struct sampling *sampling, struct poller *poller, const struct plan *plan,
		   struct error *err);
/* Frees the decoder. Does not stop the poller. */
void sampling_free(struct sampling *sampling);

/*
 * Sleeps until the next sample is due. Meanwhile reads counters that cannot wait for the sample,
 * for example to rotate multiplexed events. Returns 0 or a negative errno. -EINTR: a signal of
 * *wake came first, and *signal_number is its number; *err is not set. wake may be NULL: see
 * clock_ops.sleep_until.
 */
int sampling_wait(struct sampling *sampling, const sigset_t *wake, int *signal_number,
		  struct error *err);

/* Returns the time at which to call sampling_dispatch() next, in ns of clock_ops.now. */
uint64_t sampling_next(const struct sampling *sampling);

/*
 * Reads counters that cannot wait for the next sample, if the time for this has come. Never sleeps.
 * Returns 1: the next sample is due; 0: no sample is due yet; or a negative errno.
 */
int sampling_dispatch(struct sampling *sampling, struct platform *p, struct error *err);

/*
 * Takes a sample now, even before its deadline. *out is valid until the next call of
 * sampling_take(), sampling_wait() or sampling_dispatch(). Returns 0 or a negative errno.
 */
int sampling_take(struct sampling *sampling, struct sample *out, struct error *err);

#endif
