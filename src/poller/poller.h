/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * When registers are read: at fixed deadlines, and between them where groups of events rotate.
 *
 *   poller_start ──> poller_wait ──> poller_read ──> poller_frame ──> (ring, decoder)
 *                        ^───────────────────────────────┘ ──> poller_stop
 *
 * poller.c     when: start, wait, read or skip, stop
 * starting.c   how counting begins; what is measured and chosen then: freezing, threads
 * reading.c    one reading: each domain is frozen, read, rotated, thawed
 * rotation.c   another group of a unit counts
 * checking.c   units that stand still, controls that are not ours any more
 * readers.c    a thread for each further socket
 * Nothing here judges what was read: a frame holds raw values, times and errors.
 */
#ifndef CXLMON_POLLER_H
#define CXLMON_POLLER_H

#include <signal.h>
#include <stdint.h>

#include "plan/programming.h"
#include "poller/frame.h"
#include "poller/timetable.h"

struct poller;

/* What is programmed is not owned and must outlive the poller. interval_ns is at least 1. */
int poller_new(struct programming *programming, uint64_t interval_ns, struct poller **out,
	       struct error *err);
/* Stops it where that was not done. NULL does nothing. */
void poller_free(struct poller *poller);

/* How long the arrays of its frames are. */
struct frame_size poller_frame_size(const struct plan *plan);

/*
 * How long a group counts before the next one does; otherwise each group of a unit counts once in
 * an interval. To be called before poller_start().
 */
void poller_set_rotation(struct poller *poller, uint64_t ns);
/* The time from one frame to the next: the rotation's, or else the interval. */
uint64_t poller_frame_interval(const struct poller *poller);

/*
 * Samples come at another interval from now on, at least 1 ns; nothing that was counted is lost.
 * From the thread that waits for them, between poller_start() and poller_stop().
 */
void poller_set_interval(struct poller *poller, uint64_t interval_ns);

/* The thread that calls poller_start() may be bound to a CPU until that returns. */
void poller_allow_affinity(struct poller *poller);

/*
 * Programs the counters and starts them; the first deadline is one interval later. The frame is
 * where counting begins, and must reach whoever decodes the next ones.
 */
int poller_start(struct poller *poller, struct error *err);

/*
 * Has registers read where they are: an MSR of another CPU than the reader's takes an interrupt
 * there, and one of another socket takes longest. Binds this thread to a CPU of the first socket,
 * and starts a thread bound to a CPU of each other one if that takes less time, which is measured.
 * Does nothing where CPUs can't be chosen. For the thread that samples, once, between
 * poller_start() and poller_wait(). poller_stop() ends the threads; the binding stays.
 */
void poller_place_readers(struct poller *poller);

/*
 * Sleeps until a reading is due, and says in *due which. -EINTR where a signal of *wake came first
 * (wake may be NULL); see platform_ops.sleep_until.
 */
int poller_wait(struct poller *poller, const sigset_t *wake, int *signal_number,
		enum read_reason *due, struct error *err);

/*
 * Reads the counters now, for a rotation or for a sample, which may also come before its deadline.
 * A unit that can't be read is marked in the frame. Fails only where a freeze or a thaw does. There
 * must be room for the frame: after a rotation nobody could decode the next ones without it.
 */
int poller_read(struct poller *poller, enum read_reason reason, struct error *err);

/* Reads nothing, as there is no room for a frame: counters go on, and the next frame covers it. */
void poller_skip(struct poller *poller, enum read_reason reason);

/* What was read last; owned by the poller, and valid until it reads again. */
const struct frame *poller_frame(const struct poller *poller);

/* Restores every register. Does nothing the second time. */
int poller_stop(struct poller *poller, struct error *err);

#endif
