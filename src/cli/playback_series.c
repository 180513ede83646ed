/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/playback_series.h"

int playback_series_read(const struct playback *playback, const char *name,
			 struct playback_series *out, struct error *err)
{
	int rc = playback_open(playback, name, &out->file, err);

	if (!rc)
		playback_describe(playback, &out->file);
	if (!rc)
		rc = report_read(&out->file, &out->report, &out->flaw, err);
	return rc ? rc : playback_check(playback, &out->file, err);
}

void playback_series_close(struct playback_series *series)
{
	report_free(&series->report);
	recording_file_close(&series->file);
}
