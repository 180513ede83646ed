/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The decoder turns frames, which have raw values of registers, into counts: the events of each
 * counter in an interval, and the time for which it counted. It decides which raw values are valid,
 * given wrap-around, failed reads, all ones (unit_no_response()), counters written by another
 * program, and units whose clock has stopped. If one counter of a unit is invalid, all are. The
 * poller has detected changed controls and frozen units (struct frame_unit); view/counted.c detects
 * rates above a link's. No register is accessed here.
 */
#ifndef CXLMON_DECODER_H
#define CXLMON_DECODER_H

#include "base/error.h"
#include "counts/sample.h"
#include "plan/plan.h"
#include "poller/frame.h"

struct decoder;

/* Makes a decoder. *plan must outlive it. NULL: out of memory. */
struct decoder *decoder_new(const struct plan *plan);
void decoder_free(struct decoder *decoder); /* NULL does nothing */

/*
 * Decodes the next frame. Returns true if it ends an interval (frame.sample): *out then has the
 * counts of the interval, and is valid until the next call. Otherwise *out is unchanged.
 */
bool decoder_add(struct decoder *decoder, const struct frame *frame, struct sample *out);

/*
 * Logs the units that lost their values in the interval, one message per type and cause, and the
 * units that have them again. Each loss is logged once, and so is a delay of the sampling thread.
 * To be called after decoder_add() has returned true.
 */
void decoder_report(const struct decoder *decoder, const struct log *log);

#endif
