/* SPDX-License-Identifier: BSD-3-Clause */
/* Metrics of the user's own of a recording whose run did not have them. */
#ifndef CXLMON_RECORDING_OWN_H
#define CXLMON_RECORDING_OWN_H

#include "formula/custom_metric.h"
#include "record/recording.h"

/*
 * Adds columns behind those that are shown, once, before the first sample: their values follow from
 * what was counted for the other columns, and from rows of events. The metrics must outlive the
 * recording. -ENODATA (ERROR_USAGE): what was not counted; -EEXIST (ERROR_USAGE): a column has that
 * name. -ENOMEM. After an error *recording can only be freed.
 */
int recording_own_add(struct recording *recording, const struct custom_metrics *metrics,
		      struct error *err);

/* Computes a cell of a sample that was read. Returns whether its column is one of these. */
bool recording_own_compute(struct recording *recording, size_t row, size_t column);
void recording_own_free(struct recording *recording);

#endif
