/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the counters at fixed deadlines; between them, reads them if rounds of events
 * rotate, and before a counter could pass half of its range.
 *
 *   poller_start ──> poller_wait ──> poller_read ──> poller_frame ──> (ring, decoder)
 *                        ^───────────────────────────────┘ ──> poller_stop
 *
 * poller.c       when: start, wait, read or skip, stop
 * perf.c         how: rounds of perf events, each read by one system call
 * registers.c    how: registers; starts counting; measures if freezing and reader threads are
 *                worth it
 *   reading.c    one reading: each domain is frozen, read, rotated, unfrozen
 *   rotation.c   programs the next round of a unit
 *   checking.c   compares controls with the values written; finds freezes of other programs
 *   readers.c    a thread for each further socket
 *
 * A frame holds raw values, times and errors. Values are interpreted here only if they decide the
 * next access (checking.c, rotation.c) or the value from which a counter starts (registers.c,
 * rotation.c), or if a reading has no room for a frame (frame.undelivered).
 */
#ifndef CXLMON_POLLER_POLLER_H
#define CXLMON_POLLER_POLLER_H

#include <signal.h>
#include <stdint.h>

#include "plan/perf_events.h"
#include "poller/frame.h"
#include "poller/pmu_state.h"
#include "poller/timetable.h"

struct poller;

/*
 * Makes a poller that counts with registers. pmu is not owned and must outlive the poller.
 * interval_ns is at least 1.
 */
int poller_new(struct pmu_state *pmu, uint64_t interval_ns, struct poller **out, struct error *err);
/* Makes a poller that counts through the kernel. */
int poller_new_perf(struct perf_events *events, uint64_t interval_ns, struct poller **out,
		    struct error *err);
/* Frees a poller, which is stopped if it runs. NULL does nothing. */
void poller_free(struct poller *poller);

/* Returns the lengths of the arrays of a poller's frames. */
struct frame_size poller_frame_size(const struct plan *plan);

/*
 * Sets how long each round counts before the next one. By default each round counts once per
 * interval. Units that rotate between samples only (staggered: struct request, plan/plan.h) ignore
 * it. No effect where no unit rotates within a sample. Call before poller_start().
 */
void poller_set_rotation(struct poller *poller, uint64_t ns);
/*
 * Returns the time from one frame to the next: the shortest of the interval, of a rotation, and of
 * the time that counters may go unread.
 */
uint64_t poller_frame_interval(const struct poller *poller);

/*
 * Changes the interval, at least 1 ns, from now on; no counts are lost. Call from the sampling
 * thread, between poller_start() and poller_stop().
 */
void poller_set_interval(struct poller *poller, uint64_t interval_ns);

/* Allows poller_start() to bind the calling thread to a CPU until it returns. */
void poller_allow_affinity(struct poller *poller);

/*
 * Programs the counters and starts them; the first deadline is one interval later. poller_frame()
 * then has the values from which counting begins: decode it before the next one. On failure, tries
 * to restore all registers.
 */
int poller_start(struct poller *poller, struct error *err);

/*
 * Binds this thread to a CPU of the first socket, because reading an MSR of another CPU interrupts
 * that CPU. Then measures if a sample is faster with a thread on each other socket, and if so
 * starts these threads. Does nothing if the affinity cannot be set. Call from the sampling thread,
 * once, between poller_start() and poller_wait(). poller_stop() ends the threads; this thread
 * stays bound.
 */
void poller_place_readers(struct poller *poller);

/* Returns the current deadlines of samples, which poller_set_interval() changes. */
struct deadlines poller_deadlines(const struct poller *poller);

/* Returns the next action and its time, in ns of the platform's clock. */
enum read_reason poller_next(const struct poller *poller, uint64_t *when);

/*
 * Sleeps until a reading is due, and sets *due to its reason. -EINTR: a signal of *wake came first
 * (wake may be NULL); see clock_ops.sleep_until.
 */
int poller_wait(struct poller *poller, const sigset_t *wake, int *signal_number,
		enum read_reason *due, struct error *err);

/*
 * Reads the counters now, for a reason of poller_wait(); a sample may be taken before its
 * deadline. A unit that cannot be read is marked in the frame. If freeze, rotation or unfreeze of
 * a domain fails with -EIO, because a CPU is offline, or for a CPU's own PMU, all its units are
 * marked; any other failure is returned. A failure to program the counters again after a
 * suspension is also returned. There must be room for the frame, because the frames after a
 * rotation cannot be decoded without it.
 */
int poller_read(struct poller *poller, enum read_reason reason, struct error *err);

/*
 * Skips the reading, because there is no room for its frame: the next frame includes its counts.
 * Reads only for READ_BETWEEN, and counts that reading in frame.undelivered.
 */
void poller_skip(struct poller *poller, enum read_reason reason);

/* Returns the last frame, owned by the poller, and valid until the next reading. */
const struct frame *poller_frame(const struct poller *poller);

/*
 * Restores every register that still holds the value that was written (platform/undo.h). After an
 * error, another call retries only the registers that failed.
 */
int poller_stop(struct poller *poller, struct error *err);

#endif
