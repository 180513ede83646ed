/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The thread that shows samples: it takes readings from a ring, makes deltas of them, updates the
 * view, formats, and writes.
 * It may be as slow as whoever reads the output; the thread that takes the samples never waits for
 * it, nor for a lock, nor makes a system call to hand a sample over.
 *
 * A reader that doesn't read is waited for. A disk that is full or fails (ENOSPC, EDQUOT, EIO) is
 * reported and tried again, so that no row is torn or lost when there is room again. Anything else
 * ends the writer, which nudges the thread that started it.
 */
#ifndef CXLMON_WRITER_H
#define CXLMON_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "output/sink.h"
#include "platform/error.h"
#include "platform/log.h"

struct writer;

/* Nothing of it is owned, and all of it must outlive the writer. */
struct writer_setup {
	int fd;
	const char *name; /* of the output, for messages */
	const char *path; /* of the file; NULL: standard output */
	bool own_file;	  /* nobody else writes there: a torn row may be cut off at the end */
	bool replaces;	  /* each sample takes the place of the file */
	const struct format *format;
	void *target;	   /* of the format's sink */
	struct view *view; /* the writer's alone until it has been joined */
	const struct recording_info *about;
	const struct plan *plan; /* whose readings these are */
	uint64_t interval_ns;	 /* from one sample to the next; 0: as fast as they are made */
	const struct log *log;	 /* called from both threads */
};

/*
 * The caller's thread is the one to nudge (see signals.h); the signals that it holds are held in
 * the writer's as well.
 */
int writer_start(const struct writer_setup *setup, struct writer **out, struct error *err);

/* From the thread that takes the samples: */

/* From now on samples come at another interval. */
void writer_set_interval(struct writer *writer, uint64_t interval_ns);

/* Copies a reading. False: there is no room for it now. */
bool writer_offer(struct writer *writer, const struct reading *reading);
/* Likewise; there is always room for the last one. */
void writer_offer_last(struct writer *writer, const struct reading *reading);
/* A sample was postponed for want of room: the user will be told. */
void writer_count_postponed(struct writer *writer);
uint64_t writer_postponed(const struct writer *writer);
/* The user will be told. The first such text is kept; standard error may be slow, too. */
void writer_warn(struct writer *writer, const char *text);
/* A terminal, if the output is one, has echoed ^C: a table goes on in a new line. */
void writer_break_line(struct writer *writer);

/* No more samples come. The writer ends when all is written, and nudges. */
void writer_close(struct writer *writer);
/* From here on the reader has a second to go on reading. Call once. */
void writer_hurry(struct writer *writer);
/* What is not written by now is given up, if the reader doesn't read. */
void writer_give_up(struct writer *writer);
/* Whether it has ended, by itself or because it could not go on. */
bool writer_ended(const struct writer *writer);

/*
 * Waits for its end, and frees it. 0, or the negative errno that ended it: -EPIPE (the reader has
 * gone), -EAGAIN (it did not read, and was hurried), or another. The error says how many samples
 * are missing from the output.
 */
int writer_join(struct writer *writer, struct error *err);

#endif
