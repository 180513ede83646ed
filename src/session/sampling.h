/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Takes samples from a poller (poller/poller.h) and decodes them, in one thread: for the library.
 */
#ifndef CXLMON_SESSION_SAMPLING_H
#define CXLMON_SESSION_SAMPLING_H

#include "counts/decoder.h"
#include "poller/poller.h"

struct sampling {
	struct poller *poller; /* not owned */
	struct decoder *decoder;
};

/*
 * Begins sampling; call it right after poller_start(). poller and plan must outlive it. 0 or
 * -ENOMEM. Freed by sampling_free(), also after an error.
 */
int sampling_begin(struct sampling *sampling, struct poller *poller, const struct plan *plan,
		   struct error *err);
void sampling_free(struct sampling *sampling); /* does not stop the poller */

/*
 * Sleeps until the next sample is due. Counters that must be read before it, for example to rotate
 * multiplexed events, are read meanwhile. Returns as poller_wait().
 */
int sampling_wait(struct sampling *sampling, const sigset_t *wake, int *signal_number,
		  struct error *err);

/* Returns the time at which to call sampling_dispatch() next, in ns of clock_ops.now. */
uint64_t sampling_next(const struct sampling *sampling);

/*
 * Reads the counters that must be read before the next sample, if that is due by now. Never sleeps.
 * 1: the next sample is due; 0: not yet; or a negative errno.
 */
int sampling_dispatch(struct sampling *sampling, struct platform *p, struct error *err);

/*
 * Takes a sample now, even before its deadline. *out is valid until the next call of a function
 * that reads counters: this one, sampling_wait() or sampling_dispatch(). 0 or a negative errno.
 */
int sampling_take(struct sampling *sampling, struct sample *out, struct error *err);

#endif
