/* SPDX-License-Identifier: BSD-3-Clause */
/* The recording of a sweep while it is written: each sample at once, so that it is kept. */
#ifndef CXLMON_SWEEP_FILE_H
#define CXLMON_SWEEP_FILE_H

#include <stdio.h>

#include "record/block.h"
#include "sweep/sweep.h"

/* Initially {0}. */
struct sweep_file {
	const char *name;
	FILE *file; /* NULL: not open */
	struct bytes bytes;
	uint64_t samples;
};

/*
 * Opens a file ("-": standard output) that must be new or empty, and writes the header. Freed by
 * sweep_file_close(), also after an error. EXIT_USAGE: a terminal; EXIT_PERMISSION: as
 * output_open(); else EXIT_FAILED.
 */
int sweep_file_create(struct sweep_file *out, const char *name, const struct sweep *sweep,
		      struct error *err);

/* point: the load during the sample; NULL: none. */
int sweep_file_put(struct sweep_file *file, const struct sweep *sweep, const struct sample *sample,
		   const struct sweep_point *point, struct error *err);

/* complete: ends the recording. A file that is not open, or was closed, is no error. */
int sweep_file_close(struct sweep_file *file, bool complete, struct error *err);

#endif
