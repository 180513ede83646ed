/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decodes frames into counts: the events of each counter since the previous frame, and the time
 * that it ran. Decides which raw values are valid, given wrap-around, failed reads, all ones
 * (unit_no_response()), counters written by another program, and units whose clock has stopped. If
 * one counter of a unit is invalid, all are. The poller detects changed controls and frozen units
 * (struct frame_unit), view/counted.c rates above a link's. Accesses no register.
 */
#ifndef CXLMON_DECODER_H
#define CXLMON_DECODER_H

#include "base/error.h"
#include "counts/sample.h"
#include "plan/plan.h"
#include "poller/frame.h"

struct decoder;

/* Creates a decoder. The plan is not owned and must outlive it. NULL: out of memory. */
struct decoder *decoder_new(const struct plan *plan);
void decoder_free(struct decoder *decoder); /* NULL does nothing */

/*
 * Decodes the next frame. Returns true if it ends an interval: *out then holds the counts of that
 * interval, and stays valid until the next call.
 */
bool decoder_add(struct decoder *decoder, const struct frame *frame, struct sample *out);

/*
 * Logs the units that have lost their values in this interval (one message per type and cause), and
 * those that have them again. Each loss is logged once, and so is a delay of the sampling thread.
 * Call after an interval has ended.
 */
void decoder_report(const struct decoder *decoder, const struct log *log);

#endif
