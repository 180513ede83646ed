/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Samples at fixed deadlines: freeze, take the time, read, unfreeze; deltas of what was read.
 *
 *   poller_start ──> poller_wait ──> poller_sample ──┐
 *                        ^───────────────────────────┘ ──> poller_stop
 */
#ifndef CXLMON_POLLER_H
#define CXLMON_POLLER_H

#include <signal.h>
#include <stdint.h>

#include "plan/plan.h"
#include "poller/sample.h"

struct poller;

/* The plan is not owned and must outlive the poller. */
int poller_new(struct plan *plan, uint64_t interval_ns, struct poller **out, struct error *err);
/*
 * How long a group counts before the next has its turn; without it, each has one turn in an
 * interval. To be called before poller_start().
 */
void poller_set_turn(struct poller *poller, uint64_t rotate_ns);
/* Stops it where that was not done. */
void poller_free(struct poller *poller);

/*
 * Samples come at another interval from now on, at least 1 ns; nothing that was counted is lost.
 * From the thread that waits for them, between poller_start() and poller_stop().
 */
void poller_set_interval(struct poller *poller, uint64_t interval_ns);

/* The thread that calls poller_start() may be bound to a CPU until that returns. */
void poller_let_bind(struct poller *poller);

/* Programs the counters and takes the first reading; the first deadline is one interval later. */
int poller_start(struct poller *poller, struct error *err);

/*
 * Has registers read where they are: an MSR of another CPU than the reader's takes an interrupt
 * there, and one of another socket takes longest. Binds this thread to a CPU of the first socket,
 * and starts a thread bound to a CPU of each other one, where that takes less time, which is tried.
 * Does nothing where CPUs can't be chosen. For the thread that samples, once, between
 * poller_start() and poller_wait(). poller_stop() ends the threads; the binding stays.
 */
void poller_place_readers(struct poller *poller);

/*
 * Sleeps until the next deadline; groups of events take their turns meanwhile. -EINTR where a
 * signal of *wake came first (wake may be NULL); see platform_ops.sleep_until.
 */
int poller_wait(struct poller *poller, const sigset_t *wake, int *signal_number, struct error *err);

/*
 * Reads the counters now: what they have counted since the reading before is made of it by
 * deltas_count(), be it in another thread. Its arrays are the poller's, until it reads again. A
 * unit that can't be read is counted in lost_units, and *trouble (its code is 0 and its text empty
 * otherwise) says why. Fails only where a freeze or an unfreeze does.
 */
int poller_read(struct poller *poller, struct reading *out, struct error *trouble,
		struct error *err);

/* The same, with its counts. For one poller it is either this or poller_read(). */
int poller_sample(struct poller *poller, struct sample *out, struct error *trouble,
		  struct error *err);

/*
 * Gives what was just read back, since nobody has room for it: what it counted, lost and missed
 * becomes part of the next one, which then covers both intervals, and has missed a deadline where
 * this one had served it. Nothing is lost but the row.
 */
void poller_postpone(struct poller *poller, const struct sample *sample);

/* Puts every register back. Does nothing the second time. */
int poller_stop(struct poller *poller, struct error *err);

#endif
