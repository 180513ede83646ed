/* SPDX-License-Identifier: BSD-3-Clause */
/* A whole recording as time series, for the subcommands that draw and compare recordings. */
#ifndef CXLMON_PLAYBACK_SERIES_H
#define CXLMON_PLAYBACK_SERIES_H

#include "cli/playback.h"
#include "report/report_series.h"

/* Initially all zero; freed by playback_series_close(), also after failure. */
struct playback_series {
	struct recording_file file; /* open, as the series point into it */
	struct report report;
	struct error flaw; /* of the recording; code 0: none */
};

/*
 * Reads what is selected of one of the recordings. What is wrong with it is in .flaw: the samples
 * before that were read. As playback_open(), playback_check() and report_read().
 */
int playback_series_read(const struct playback *playback, const char *name,
			 struct playback_series *out, struct error *err);
void playback_series_close(struct playback_series *series);

#endif
