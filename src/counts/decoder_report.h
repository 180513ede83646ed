/* SPDX-License-Identifier: BSD-3-Clause */
/* What has happened to units, in words: for messages of the decoder. */
#ifndef CXLMON_DECODER_REPORT_H
#define CXLMON_DECODER_REPORT_H

#include "counts/decoder_state.h"

/* *err says why a unit can't be read. */
void decoder_explain_loss(const struct decoder *decoder, size_t unit, struct error *err);
/* Sets .warning and .note by the news of all units. */
void decoder_describe_news(struct decoder *decoder);

#endif
