/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Decodes frames into counts: how far each counter moved since the frame before, and for how long
 * it ran. All judgement of raw values is here: wrap-around, failed reads, counters that another
 * program has changed. Accesses no register.
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
 * Says which units have no values since this interval, those of one type together, and which have
 * some again. Each loss is said once. Called after an interval has ended.
 */
void decoder_report(const struct decoder *decoder, const struct log *log);

#endif
