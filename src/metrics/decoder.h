/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes counts of frames: what was counted between two values of a counter, for how long, and which
 * values are none. All that is to be decided of a value is decided here. No register is touched.
 */
#ifndef CXLMON_DECODER_H
#define CXLMON_DECODER_H

#include "metrics/sample.h"
#include "plan/plan.h"
#include "poller/frame.h"

struct decoder;

/* The plan is not owned and must outlive the decoder. NULL: out of memory. */
struct decoder *decoder_new(const struct plan *plan);
void decoder_free(struct decoder *decoder); /* NULL does nothing */

/*
 * The next frame. Whether it ends an interval: then *out is what was counted since the interval
 * before, until the next call.
 */
bool decoder_add(struct decoder *decoder, const struct frame *frame, struct sample *out);

#endif
