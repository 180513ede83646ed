/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The output thread: takes frames from a ring, decodes them, updates the view, formats samples, and
 * writes them. It may be as slow as the reader of the output: the sampler never waits for it, takes
 * no lock, and makes no system call to pass a frame on.
 *
 * The writer waits for a slow reader. If the disk is full or fails (ENOSPC, EDQUOT, EIO), it
 * reports this and retries the write, so that no row is lost or incomplete once the disk works
 * again. Any other error, and a device without room, ends the writer, which then kicks the thread
 * that started it.
 */
#ifndef CXLMON_OUTPUT_WRITER_H
#define CXLMON_OUTPUT_WRITER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/error.h"
#include "output/file_process.h"
#include "output/sink.h"
#include "output/summary.h"
#include "poller/frame.h"

struct writer;

/* Parameters of a writer. Not owned; everything in it must outlive the writer. */
struct writer_setup {
	struct sink sink; /* the writer sets .out, .terminal, .inputs and .view */
	const char *name; /* name of the output, for messages */
	bool own_file; /* no other program writes to it: an incomplete last row may be truncated */
	struct file_process *replaced; /* process that replaces the file with each sample; NULL: fd
					  is written to */
	struct file_process *reopened; /* process for writer_reopen(); NULL: that does nothing */
	bool continued;		       /* the open file already has a header */
	bool device;		 /* a device that never has room again once it is full: /dev/full */
	struct view *view;	 /* used only by the writer, until it is joined */
	struct summary *summary; /* samples are added to it; NULL: none */
	/* called after each sample and, with NULL, before the sink's finish; NULL: none */
	void (*taken)(void *context, const struct sample *sample);
	void *context;
	const struct plan *plan; /* plan of the frames */
	uint64_t interval_ns;	 /* interval of samples; 0: without waiting */
	uint64_t frame_ns;	 /* interval of frames; 0: without waiting */
	const struct log *log;	 /* called from both threads */
};

/* Opens all that the output needs. Next is writer_start() or writer_free(). */
int writer_new(const struct writer_setup *setup, struct writer **out, struct error *err);

/*
 * Starts the thread. At its end it kicks the calling thread (see linux/run/signals.h). Signals that
 * are blocked in the calling thread are also blocked in the writer. The writer is freed after an
 * error.
 */
int writer_start(struct writer *writer, struct error *err);

/* Frees a writer that was not started. */
void writer_free(struct writer *writer);

/* Functions for the sampler. */

/* Changes the intervals of samples and frames. */
void writer_set_interval(struct writer *writer, uint64_t interval_ns, uint64_t frame_ns);

/* Tells if the next frame can be pushed. */
bool writer_has_room(const struct writer *writer);
/* Copies a frame; there must be room. */
void writer_push(struct writer *writer, const struct frame *frame);
/* Copies the last frame, for which there is always room. */
void writer_push_last(struct writer *writer, const struct frame *frame);
/* Begins a new line of a table on a terminal, which has echoed ^C. */
void writer_break_line(struct writer *writer);

/*
 * Opens the file again at its first place before the next sample, unless it is still there:
 * programs such as logrotate rename it. If that fails, it is reported, and the old file is written
 * on. A new file begins with a header.
 */
void writer_reopen(struct writer *writer);

/* Announces that no more samples follow. The writer ends when all are written. */
void writer_close(struct writer *writer);
/* Limits the time that the reader may take for the rest to one second. Call once. */
void writer_drain(struct writer *writer);
/* Ends the writer even if the reader does not read; the rest is lost. */
void writer_abort(struct writer *writer);
/* Tells if the writer has ended, because all is written or because of an error. */
bool writer_ended(const struct writer *writer);
/*
 * Returns the output, which is another descriptor if it was opened again; to be called after the
 * end.
 */
int writer_fd(const struct writer *writer);
/* Returns the number of failed reads of units, in all samples; to be called after the end. */
uint64_t writer_failed_reads(const struct writer *writer);

/*
 * Waits for the end, and frees the writer. 0, or the negative errno that ended it: -EPIPE (the
 * reader has closed the output), -EAGAIN (the reader did not read in time), or another. The error
 * says how many samples are missing from the output.
 */
int writer_join(struct writer *writer, struct error *err);

#endif
