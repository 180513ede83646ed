/* SPDX-License-Identifier: BSD-3-Clause */
/* What recordings of a calibration have beyond those of other runs. */
#ifndef CXLMON_PROBE_SWEEP_CALIBRATION_BLOCK_H
#define CXLMON_PROBE_SWEEP_CALIBRATION_BLOCK_H

#include "record/block_kind.h"

/* What RECORDED_LOAD is then. */
#define RECORDED_CALIBRATION "calibration"

/* A struct calibration_run, which has ended with the sample. */
extern const struct block_kind calibration_block;

#endif
