/* SPDX-License-Identifier: BSD-3-Clause */
/* What recordings of a sweep have beyond those of other runs. */
#ifndef CXLMON_PROBE_SWEEP_SWEEP_BLOCK_H
#define CXLMON_PROBE_SWEEP_SWEEP_BLOCK_H

#include "record/block_kind.h"

/* The option that it adds: the load was its own, from idle to the maximum. */
#define RECORDED_LOAD  "load"
#define RECORDED_SWEEP "sweep"

/* A struct sweep_point, without .counted: the load during the sample. */
extern const struct block_kind sweep_block;

#endif
