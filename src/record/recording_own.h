/* SPDX-License-Identifier: BSD-3-Clause */
/* User-defined metrics for a recording whose run did not have them. */
#ifndef CXLMON_RECORDING_OWN_H
#define CXLMON_RECORDING_OWN_H

#include "formula/custom_metric.h"
#include "record/recording.h"

/*
 * Adds columns after the shown ones, once, before the first sample. Their values are computed from
 * the counts of the other columns, and from rows of events. The metrics must outlive the recording.
 * -ENODATA (ERROR_USAGE): an input was not counted. -EEXIST (ERROR_USAGE): a column has that name.
 * -ENOMEM. After an error *recording can only be freed.
 */
int recording_own_add(struct recording *recording, const struct custom_metrics *metrics,
		      struct error *err);

/*
 * Computes a cell of the sample that was read. Returns true if its column is one of the added ones.
 */
bool recording_own_compute(struct recording *recording, size_t row, size_t column);
void recording_own_free(struct recording *recording);

#endif
