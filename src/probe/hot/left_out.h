/* SPDX-License-Identifier: BSD-3-Clause */
/* What is not in the rows of a run, or not as it should be. */
#ifndef CXLMON_PROBE_HOT_LEFT_OUT_H
#define CXLMON_PROBE_HOT_LEFT_OUT_H

#include "base/error.h"
#include "probe/hot/intake.h"

/* Says it in notes, at the end of the run. */
void hot_intake_say_left_out(const struct hot_intake *intake, const struct log *log);

#endif
