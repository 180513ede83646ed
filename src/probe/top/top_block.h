/* SPDX-License-Identifier: BSD-3-Clause */
/* What recordings of the screen have of processes, if it watched them. */
#ifndef CXLMON_PROBE_TOP_TOP_BLOCK_H
#define CXLMON_PROBE_TOP_TOP_BLOCK_H

#include "record/block_kind.h"

#define TOP_RECORDED_MOST 128 /* rows of an update, the first ones; sums are of all processes */

/* A struct top_update: the last one before the sample. */
extern const struct block_kind top_block;

#endif
