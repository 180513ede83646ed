/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The thread that shows samples: it takes frames from a ring, decodes them, updates the view,
 * formats, and writes. It may be as slow as whoever reads the output; the thread that takes the
 * frames never waits for it, nor for a lock, nor makes a system call to hand a frame over.
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
#include "poller/frame.h"

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
	const struct plan *plan; /* whose frames these are */
	uint64_t interval_ns;	 /* from one sample to the next; 0: as fast as they are made */
	uint64_t frame_ns;	 /* from one frame to the next; 0: likewise */
	const struct log *log;	 /* called from both threads */
};

/*
 * The caller's thread is the one to nudge (see signals.h); the signals that it holds are held in
 * the writer's as well.
 */
int writer_start(const struct writer_setup *setup, struct writer **out, struct error *err);

/* From the thread that takes the frames: */

/* From now on samples and frames come at other intervals. */
void writer_set_interval(struct writer *writer, uint64_t interval_ns, uint64_t frame_ns);

/* Whether there is room for the next frame. */
bool writer_has_room(const struct writer *writer);
/* Copies a frame; there must be room. */
void writer_push(struct writer *writer, const struct frame *frame);
/* Likewise; there is always room for the last one. */
void writer_push_last(struct writer *writer, const struct frame *frame);
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
/* How often a unit could not be read, in all samples; once it has ended. */
uint64_t writer_failed_reads(const struct writer *writer);

/*
 * Waits for its end, and frees it. 0, or the negative errno that ended it: -EPIPE (the reader has
 * gone), -EAGAIN (it did not read, and was hurried), or another. The error says how many samples
 * are missing from the output.
 */
int writer_join(struct writer *writer, struct error *err);

#endif
