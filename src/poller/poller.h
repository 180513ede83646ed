/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads the counters of a plan (plan/plan.h) at fixed deadlines. Between deadlines it reads them
 * when units change to the next round of events, and before a counter could pass half of its range.
 * One thread, the sampling thread, calls all functions. A function that returns int returns 0 or a
 * negative errno.
 *
 *   poller_start ──> poller_wait ──> poller_read ──> poller_frame ──> (ring, decoder)
 *                        ^───────────────────────────────┘ ──> poller_stop
 *
 * poller.c       decides when to read: start, wait, read or skip, stop
 * perf.c         reads rounds of perf events, each by one system call
 * registers.c    programs registers and starts counting; measures if freezing and reader threads
 *                are worth it
 *   reading.c    one reading: each domain is frozen, read, rotated, unfrozen
 *   rotation.c   programs the next round of a unit
 *   controls.c   reads registers that show whether another program has taken or frozen a unit
 *   checking.c   detects units that another program has frozen, or whose controls it has changed
 *   readers.c    a thread for each further socket
 *
 * A frame holds raw values, times and errors, which counts/decoder.h interprets.
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
 * Makes a poller that counts with registers. pmu must outlive it. interval_ns, at least 1, is the
 * time between deadlines. -ENOMEM: *out is NULL. Freed by poller_free().
 */
int poller_new(struct pmu_state *pmu, uint64_t interval_ns, struct poller **out, struct error *err);
/* Makes a poller that counts through the kernel, like poller_new(). events must outlive it. */
int poller_new_perf(struct perf_events *events, uint64_t interval_ns, struct poller **out,
		    struct error *err);
/* Frees a poller, which is stopped if it runs. NULL does nothing. */
void poller_free(struct poller *poller);

/* Returns the lengths of the arrays in frames of a plan's poller. */
struct frame_size poller_frame_size(const struct plan *plan);

/*
 * Sets how long each round counts before the next one. By default a unit's rounds share an interval
 * equally. Has no effect on units that rotate only between samples (plan_unit.staggered). Call it
 * before poller_start().
 */
void poller_set_rotation(struct poller *poller, uint64_t ns);
/*
 * Returns the time from one frame to the next, in ns: the shortest of the interval, the time
 * between rotations, and the time that counters may go unread.
 */
uint64_t poller_frame_interval(const struct poller *poller);

/*
 * Changes the interval, at least 1 ns, from the last deadline on; no counts are lost. Call it
 * between poller_start() and poller_stop().
 */
void poller_set_interval(struct poller *poller, uint64_t interval_ns);

/* Allows poller_start() to bind the calling thread to a CPU while that function runs. */
void poller_allow_affinity(struct poller *poller);

/*
 * Programs the counters and starts them; the first deadline is one interval later. poller_frame()
 * then has the values from which counting begins: decode it before the next one. After an error it
 * has tried to restore all registers; poller_stop() tries again.
 */
int poller_start(struct poller *poller, struct error *err);

/*
 * Binds this thread to a CPU of the first socket, because reading an MSR of another CPU interrupts
 * that CPU. Measures if a sample is faster with a thread on each other socket. If so, starts these
 * threads; poller_stop() ends them. This thread stays bound. If the affinity cannot be set, or the
 * kernel counts, does nothing. Call it at most once, between poller_start() and poller_wait().
 */
void poller_place_readers(struct poller *poller);

/* Returns the deadlines of samples; poller_set_interval() and poller_read() change them. */
struct deadlines poller_deadlines(const struct poller *poller);

/* Returns the reason for the next reading, and sets *when to its time, in ns of clock_ops.now. */
enum read_reason poller_next(const struct poller *poller, uint64_t *when);

/*
 * Sleeps until a reading is due, and sets *due to its reason. -EINTR: a signal of *wake came first,
 * and *signal_number is its number; *err is not set. wake may be NULL: see clock_ops.sleep_until.
 */
int poller_wait(struct poller *poller, const sigset_t *wake, int *signal_number,
		enum read_reason *due, struct error *err);

/*
 * Reads the counters into the frame now, for a reason of poller_wait(); a sample may be taken
 * before its deadline. The frame must then be delivered: without it, frames after a rotation cannot
 * be decoded.
 *
 * A unit that cannot be read is marked in the frame, and the result is 0. A domain (units that one
 * write freezes) may fail to freeze, rotate or unfreeze. Its units are then marked if the domain is
 * a CPU's PMU, or if the error is -EIO or an offline CPU; any other error is returned. After a
 * suspension, the counters are programmed again; if that fails, its error is returned.
 */
int poller_read(struct poller *poller, enum read_reason reason, struct error *err);

/*
 * Skips a reading whose frame has no room in the ring: the next frame includes its counts. If
 * the reason is READ_BETWEEN, reads the counters and adds their counts to frame.undelivered.
 */
void poller_skip(struct poller *poller, enum read_reason reason);

/* Returns the last frame, owned by the poller, and valid until the next reading. */
const struct frame *poller_frame(const struct poller *poller);

/*
 * Stops counting, and restores every register that still holds the value that this run wrote
 * (platform/undo.h). If the poller is not running, does nothing. After an error, another call
 * retries only the registers that failed.
 */
int poller_stop(struct poller *poller, struct error *err);

#endif
