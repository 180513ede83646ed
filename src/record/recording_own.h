/* SPDX-License-Identifier: BSD-3-Clause */
/* User-defined metrics that are added to a recording whose run did not have them. */
#ifndef CXLMON_RECORDING_OWN_H
#define CXLMON_RECORDING_OWN_H

#include "formula/custom_metric.h"
#include "record/recording.h"

/*
 * Adds a column for each metric, after the shown columns. Values come from the counts of other
 * columns and of rows of events. Call it once: after the header was decoded, and before the first
 * sample. metrics must outlive the recording. After an error *recording can only be freed:
 *
 * - -ENODATA (ERROR_USAGE): the recording lacks an input
 * - -EEXIST (ERROR_USAGE): a column has a metric's name
 * - -ENOMEM
 */
int recording_own_add(struct recording *recording, const struct custom_metrics *metrics,
		      struct error *err);

/*
 * Computes a cell of a metric row for the latest sample. Returns false, and does nothing, if its
 * column was not added by recording_own_add(). .own must not be NULL.
 */
bool recording_own_compute(struct recording *recording, size_t row, size_t column);
/* Frees .own of a recording; called by recording_free(). */
void recording_own_free(struct recording *recording);

#endif
