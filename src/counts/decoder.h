/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decodes frames into counts: how far each counter moved since the frame before, and for how long
 * it ran. Decides which raw values count: wrap-around, failed reads, all ones (unit_no_response()),
 * counters written by another program, a unit whose clock has stopped. If one counter of a unit is
 * invalid, all are. Changed controls and frozen units are detected by the poller (struct
 * frame_unit), rates above a link's in view/counted.c. Accesses no register.
 */
#ifndef CXLMON_DECODER_H
#define CXLMON_DECODER_H

#include "base/error.h"
#include "counts/sample.h"
#include "plan/plan.h"
#include "poller/frame.h"

struct decoder;

/* The plan is not owned and must outlive the decoder. NULL: out of memory. */
struct decoder *decoder_new(const struct plan *plan);
void decoder_free(struct decoder *decoder); /* NULL does nothing */

/*
 * Decodes the next frame. Returns true if it ends an interval: then *out holds the counts of that
 * interval, and stays valid until the next call.
 */
bool decoder_add(struct decoder *decoder, const struct frame *frame, struct sample *out);

/*
 * Logs which units have lost their values in this interval (one message for those of a type and
 * cause), and which have them again. Each loss is logged once, and so is that the sampling thread
 * was held up. Call after an interval has ended.
 */
void decoder_report(const struct decoder *decoder, const struct log *log);

#endif
