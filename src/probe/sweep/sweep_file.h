/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The recording of a sweep, or of a calibration, while it is written: each sample at once, so that
 * it is kept.
 */
#ifndef CXLMON_PROBE_SWEEP_SWEEP_FILE_H
#define CXLMON_PROBE_SWEEP_SWEEP_FILE_H

#include <stdio.h>

#include "record/block_kind.h"
#include "session/session.h"

/* Initially {0}. */
struct sweep_file {
	const char *name;
	const struct session *session;
	FILE *file; /* NULL: not open */
	struct bytes bytes;
	uint64_t samples;
};

/* What its header has beside the machine, and what is shown of it. */
struct sweep_file_info {
	const char *load; /* RECORDED_SWEEP, RECORDED_CALIBRATION */
	uint64_t step_ns;
	const char *sim; /* NULL: real hardware */
	int node;	 /* that was chosen; -1: none */
};

/*
 * Opens a file ("-": standard output) that must be new or empty, and writes the header. Freed by
 * sweep_file_close(), also after an error. ERROR_USAGE: a terminal; ERROR_PERMISSION: as
 * output_open(); else ERROR_FAILED.
 */
int sweep_file_create(struct sweep_file *out, const char *name, const struct session *session,
		      const struct sweep_file_info *info, struct error *err);

/* Of the session's view, and before it what is known of the sample; NULL: nothing. */
int sweep_file_put(struct sweep_file *file, const struct sample *sample,
		   const struct block_kind *kind, const void *content, struct error *err);

/* complete: ends the recording. A file that is not open, or was closed, is no error. */
int sweep_file_close(struct sweep_file *file, bool complete, struct error *err);

#endif
