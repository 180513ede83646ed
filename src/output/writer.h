/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The output thread, or writer: takes frames (raw readings of counters) from a ring, decodes them
 * to samples, updates the view, and prints. The sampler is the thread that reads counters and
 * pushes frames. It never waits for the writer, takes no lock, and makes no system call to push
 * one.
 *
 * The writer waits for a slow reader of the output. If the disk is full or fails (ENOSPC, EDQUOT,
 * EIO), it reports this and retries the write until writer_close(), so that no row is lost or
 * incomplete once the disk works again. Any other error ends the writer, as does a full device. At
 * its end it kicks the thread that created it (signals_kick()).
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

/* Parameters of a writer. They are copied; everything they point to must outlive the writer. */
struct writer_setup {
	struct sink sink; /* the writer sets .out, .terminal, .inputs and .table */
	const char *name; /* name of the output, for messages */
	/* no other program writes to the file: an incomplete last row may be truncated */
	bool own_file;
	/* process that replaces the file with each sample; NULL: the writer writes to sink.fd */
	struct file_process *replaced;
	/* process that opens the file for writer_reopen(); NULL: it is never opened again */
	struct file_process *reopened;
	bool continued; /* the open file already has a header: none is written */
	/* the output is a device that never has room again once it is full: /dev/full */
	bool device;
	struct view *view;	 /* used by the writer only, until writer_join() */
	struct summary *summary; /* samples are added to it; NULL: none */
	/*
	 * called by the writer's thread after each written sample and, unless an error ends the
	 * writer, with NULL before the sink's finish; NULL: none
	 */
	void (*taken)(void *context, const struct sample *sample);
	void *context;
	const struct plan *plan; /* plan by which the frames were read */
	uint64_t interval_ns;	 /* interval of samples; 0: without a pause */
	/* interval of frames, of which a sample may have several; 0: without a pause */
	uint64_t frame_ns;
	const struct log *log; /* used by both threads */
};

/*
 * Creates a writer, without its thread, and prints the header to memory. Next is writer_start() or
 * writer_free(). Returns 0 or a negative errno, such as -E2BIG: the table is too large for the
 * format. Nothing is to be freed after an error.
 */
int writer_new(const struct writer_setup *setup, struct writer **out, struct error *err);

/*
 * Starts the thread; call it in the thread that called writer_new(). Signals that are blocked in it
 * are also blocked in the writer, except SIGNAL_KICK. After an error the writer is freed.
 */
int writer_start(struct writer *writer, struct error *err);

/* Frees a writer that was not started. */
void writer_free(struct writer *writer);

/* Functions for the sampler and the owner, until writer_join(). None of them waits. */

/* Changes the intervals of samples and frames: see struct writer_setup. */
void writer_set_interval(struct writer *writer, uint64_t interval_ns, uint64_t frame_ns);

/* Returns true if the ring has room for another frame. */
bool writer_has_room(const struct writer *writer);
/* Copies a frame into the ring, which must have room. */
void writer_push(struct writer *writer, const struct frame *frame);
/* Copies the last frame of the run into the ring, which always has room for it. */
void writer_push_last(struct writer *writer, const struct frame *frame);
/*
 * Prints a newline before the next sample, if a table is printed on a terminal: the terminal has
 * echoed ^C in the present line.
 */
void writer_break_line(struct writer *writer);

/*
 * Makes the writer open the file again before the next sample, if it was renamed, for example by
 * logrotate. A new file begins with a header. A failure is reported, and the old file is written to
 * as before. Does nothing without .reopened.
 */
void writer_reopen(struct writer *writer);

/* Announces that no more frames follow. The writer ends when all samples are written. */
void writer_close(struct writer *writer);
/* Ends the writer (-EAGAIN) if from now on the reader reads nothing for one second. Call once. */
void writer_drain(struct writer *writer);
/*
 * After writer_drain(): ends the writer as soon as it would wait for the reader. The rest is lost.
 */
void writer_abort(struct writer *writer);
/* Returns true if the writer has ended, because all is written or because of an error. */
bool writer_ended(const struct writer *writer);
/* Returns the descriptor of the output, another one if it was opened again. Call after the end. */
int writer_fd(const struct writer *writer);
/* Returns the number of failed reads of units in all samples. Call after the end. */
uint64_t writer_failed_reads(const struct writer *writer);

/*
 * Waits for the end, and frees the writer. Returns 0, or the negative errno that ended it: -EPIPE
 * (the reader has closed the output), -EAGAIN (the reader did not read in time), or another. The
 * error says how many samples are missing from the output, except for -ENOMEM.
 */
int writer_join(struct writer *writer, struct error *err);

#endif
