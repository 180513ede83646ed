/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The recording of a sweep, or of a calibration, while it is written. Each sample is written at
 * once, so a run that ends early loses none.
 */
#ifndef CXLMON_PROBE_SWEEP_SWEEP_FILE_H
#define CXLMON_PROBE_SWEEP_SWEEP_FILE_H

#include <stdio.h>

#include "record/block_kind.h"
#include "session/session.h"

/* A recording; initially {0}. */
struct sweep_file {
	const char *name;	       /* not owned */
	const struct session *session; /* not owned */
	FILE *file;		       /* NULL: not open */
	struct bytes bytes;	       /* room for a block */
	uint64_t samples;	       /* samples written */
};

/* Contents of the header that the session does not have. */
struct sweep_file_info {
	const char *load; /* RECORDED_SWEEP or RECORDED_CALIBRATION */
	uint64_t step_ns; /* time of a step */
	const char *sim;  /* simulated machine; NULL: real hardware */
	int node;	  /* chosen node; -1: none */
};

/*
 * Opens a file ("-": standard output) that must be new or empty, and writes the header. name and
 * session must outlive *out. The caller calls sweep_file_close(), also after an error. ERROR_USAGE:
 * it is a terminal. ERROR_PERMISSION: the user may not write it. ERROR_FAILED: it has contents or
 * cannot be written.
 */
int sweep_file_create(struct sweep_file *out, const char *name, const struct session *session,
		      const struct sweep_file_info *info, struct error *err);

/*
 * Writes a sample with the present values of the session's view. If content is not NULL, writes it
 * before the sample, as a block of this kind.
 */
int sweep_file_put(struct sweep_file *file, const struct sample *sample,
		   const struct block_kind *kind, const void *content, struct error *err);

/*
 * Closes the file, if it is open. rc: result of the run. If that is 0, -EINTR, or -EPIPE (nobody
 * reads its output), first writes the end block: a run that was interrupted is also kept. Returns
 * rc or, for a file that is kept and cannot be written, its error (ERROR_FAILED).
 */
int sweep_file_close(struct sweep_file *file, int rc, struct error *err);

#endif
