/* SPDX-License-Identifier: BSD-3-Clause */
/* Recordings in files and pipes, read from front to end. */
#ifndef CXLMON_RECORDING_FILE_H
#define CXLMON_RECORDING_FILE_H

#include "platform/error.h"
#include "record/recording.h"

struct recording_file {
	struct recording recording; /* what has been read so far */
	const char *name;	    /* for messages */

	/* behind it */
	int fd;
	uint8_t *data;	   /* read, and from .start on not taken apart yet */
	size_t start, end; /* in it */
	size_t capacity;
	uint64_t offset; /* of .start in the file */
	bool at_end;	 /* nothing more can be read */
};

/*
 * Opens name ("-": standard input), and reads its header. EXIT_FAILED where it can't be read, is
 * no recording, or ends before there is anything to show. Closed by recording_file_close(), also
 * after failure.
 */
int recording_file_open(const char *name, struct recording_file *out, struct error *err);
void recording_file_close(struct recording_file *file);

/*
 * Reads the next sample: 1, or 0 behind the last one of a whole recording. -EBADMSG where it is
 * damaged, or ends without its end: it is still written, or was cut off; the error says how many
 * samples were whole.
 */
int recording_file_next(struct recording_file *file, struct error *err);

#endif
