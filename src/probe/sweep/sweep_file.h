/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The recording of a sweep, or of a calibration, while it is written: each sample is written at
 * once, so that it is kept.
 */
#ifndef CXLMON_PROBE_SWEEP_SWEEP_FILE_H
#define CXLMON_PROBE_SWEEP_SWEEP_FILE_H

#include <stdio.h>

#include "record/block_kind.h"
#include "session/session.h"

/* A recording; initially {0}. */
struct sweep_file {
	const char *name;
	const struct session *session;
	FILE *file; /* NULL: not open */
	struct bytes bytes;
	uint64_t samples;
};

/* Contents of the header besides the machine. */
struct sweep_file_info {
	const char *load; /* RECORDED_SWEEP, RECORDED_CALIBRATION */
	uint64_t step_ns;
	const char *sim; /* NULL: real hardware */
	int node;	 /* chosen node; -1: none */
};

/*
 * Opens a file ("-": standard output) that must be new or empty, and writes the header. Freed by
 * sweep_file_close(), also after an error. ERROR_USAGE: a terminal; ERROR_PERMISSION: as
 * output_open(); else ERROR_FAILED.
 */
int sweep_file_create(struct sweep_file *out, const char *name, const struct session *session,
		      const struct sweep_file_info *info, struct error *err);

/* Writes a sample of the session's view, preceded by a block about it; NULL: no block. */
int sweep_file_put(struct sweep_file *file, const struct sample *sample,
		   const struct block_kind *kind, const void *content, struct error *err);

/*
 * Closes the file. complete: ends the recording first. A file that is not open, or was closed, is
 * not an error.
 */
int sweep_file_close(struct sweep_file *file, bool complete, struct error *err);

#endif
