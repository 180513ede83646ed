/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The decoder computes counts from frames, which hold raw values of registers. Counts are the
 * events of each counter in an interval, from one sample to the next, and the time for which the
 * counter counted. Counters may wrap. The decoder accesses no register.
 *
 * If one counter of a unit (a block of counters) is invalid, all its counters are. Causes:
 * - a read failed, or returned all ones (unit_no_response())
 * - another program wrote to a counter, changed the unit's controls, or froze the unit
 * - the unit's clock has stopped
 * - a counter has reached the end of its range and stopped (saturated)
 *
 * The poller detects failed reads, changed and frozen units, and sockets in which no clock ticks
 * (struct frame_unit). The decoder detects the other causes. view/counted.c detects rates that are
 * too high for a link.
 */
#ifndef CXLMON_DECODER_H
#define CXLMON_DECODER_H

#include "base/error.h"
#include "counts/sample.h"
#include "plan/plan.h"
#include "poller/frame.h"

struct decoder;

/* Makes a decoder of a plan, which must outlive the decoder. Returns NULL if memory runs out. */
struct decoder *decoder_new(const struct plan *plan);
void decoder_free(struct decoder *decoder); /* NULL does nothing */

/*
 * Decodes the next frame. If the frame ends an interval (frame.sample), returns true: *out has the
 * interval's counts, and is valid until the next call. Otherwise returns false, and *out is
 * unchanged.
 */
bool decoder_add(struct decoder *decoder, const struct frame *frame, struct sample *out);

/*
 * Logs news of the interval that decoder_add() has just ended:
 * - units that can no longer be read: a message for each type of units and error
 * - changes, stops, writes or saturation of units: a message for each kind that began
 * - a delay of the sampling thread that makes values uncertain: one message in a run
 * - units that count again or can be read again: one message, the text of sample.note
 */
void decoder_report(const struct decoder *decoder, const struct log *log);

#endif
