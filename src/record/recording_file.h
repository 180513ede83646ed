/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading of recordings from files and pipes, in order. */
#ifndef CXLMON_RECORDING_FILE_H
#define CXLMON_RECORDING_FILE_H

#include "platform/error.h"
#include "record/recording.h"

struct recording_file {
	struct recording recording; /* decoded so far */
	const char *name;	    /* for messages */
	/* only samples whose middle is from here on, and before there, are read; ns since 1970 */
	uint64_t from_ns, to_ns;
	uint64_t selected; /* samples that were */
	/* of the last sample: its length by the wall clock */
	uint64_t length_ns;
	/* how many times samples before one were found to be doubtful; the first: ns since 1970 */
	uint64_t doubts, doubtful_from_ns, doubtful_to_ns;

	/* private */
	int fd;
	uint8_t *data;	   /* read, but not decoded yet: from .start to .end */
	size_t start, end; /* in data */
	size_t capacity;
	uint64_t offset;   /* of .start in the file */
	bool at_end;	   /* nothing more can be read */
	uint64_t ended_ns; /* the end of the last sample */
};

/*
 * Opens name ("-": standard input), decodes its header, and selects all samples. EXIT_FAILED: it
 * cannot be read, is not a recording, or ends within the header. Closed by recording_file_close(),
 * also after an error.
 */
int recording_file_open(const char *name, struct recording_file *out, struct error *err);
void recording_file_close(struct recording_file *file);

/*
 * Reads the next sample that is selected. 1: done; 0: end of a complete recording, or of what is
 * selected: nothing is read beyond that. -EBADMSG: damaged, or without an
 * end block: still being written, or truncated; the message has the number of intact samples.
 */
int recording_file_next(struct recording_file *file, struct error *err);

#endif
