/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The writer is the output thread. It takes frames (raw readings of counters) from a ring, decodes
 * them to samples, updates the view, and prints. The sampler is the thread that reads counters and
 * pushes frames into the ring. To push one it takes no lock, makes no system call, and never waits
 * for the writer.
 *
 * If the reader of the output is slow, the writer waits. If the disk is full or fails (ENOSPC,
 * EDQUOT, EIO), the writer reports this and retries until writer_close(): once the disk works
 * again, no row is lost or incomplete. Any other error ends the writer; so does a full device
 * (/dev/full). At its end, the writer interrupts the thread that created it, by signals_kick()
 * (linux/run/signals.h).
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
	/* no other program writes to the file, so an incomplete last row may be truncated */
	bool own_file;
	/* process that replaces the file with each sample; NULL: the writer writes to sink.fd */
	struct file_process *replaced;
	/* process that opens the file for writer_reopen(); NULL: the file is never opened again */
	struct file_process *reopened;
	bool continued; /* the open file has a header already, so none is written */
	/* the output is a device that, once full, stays so: /dev/full */
	bool device;
	struct view *view;	 /* used by the writer only, until writer_join() */
	struct summary *summary; /* samples are added to it; NULL: none */
	/*
	 * Called by the writer's thread after each written sample. Also called with NULL before the
	 * sink's finish, unless an error ends the writer. NULL: none.
	 */
	void (*taken)(void *context, const struct sample *sample);
	void *context;
	const struct plan *plan; /* plan by which the frames were read */
	uint64_t interval_ns;	 /* interval of samples; 0: without a pause */
	/* interval of frames; a sample may have several. 0: without a pause */
	uint64_t frame_ns;
	const struct log *log; /* used by both threads */
};

/*
 * Creates a writer without its thread, and prints the header to memory. The caller then calls
 * writer_start() or writer_free(). Returns 0 or a negative errno, such as -E2BIG: the table is too
 * large for the format.
 */
int writer_new(const struct writer_setup *setup, struct writer **out, struct error *err);

/*
 * Starts the thread. Must be called in the thread that called writer_new(). Signals that are
 * blocked in that thread are also blocked in the writer, except SIGNAL_KICK. 0 or a negative errno;
 * after an error the writer is freed.
 */
int writer_start(struct writer *writer, struct error *err);

/* Frees a writer that was not started. */
void writer_free(struct writer *writer);

/* Functions for the sampler and the writer's creator, until writer_join(). None of them waits. */

/* Changes the intervals of samples and frames: see struct writer_setup. */
void writer_set_interval(struct writer *writer, uint64_t interval_ns, uint64_t frame_ns);

/* Returns true if the ring has room for another frame. */
bool writer_has_room(const struct writer *writer);
/* Copies a frame into the ring, which must have room. */
void writer_push(struct writer *writer, const struct frame *frame);
/* Copies the last frame of the run into the ring, which always has room for it. */
void writer_push_last(struct writer *writer, const struct frame *frame);
/*
 * If the output is a table on a terminal, prints a newline before the next sample: the terminal has
 * echoed ^C.
 */
void writer_break_line(struct writer *writer);

/*
 * If the file was renamed, for example by logrotate, makes the writer open it again before the next
 * sample. A new file begins with a header. After a failure, which is reported, the writer still
 * writes to the old file. Does nothing without .reopened.
 */
void writer_reopen(struct writer *writer);

/* Announces that no more frames follow. The writer ends when all samples are written. */
void writer_close(struct writer *writer);
/* Ends the writer (-EAGAIN) if, from now on, the reader reads nothing for one second. Call once. */
void writer_drain(struct writer *writer);
/*
 * Ends the writer (-EAGAIN) as soon as it would wait for the reader; the rest is lost. Call this
 * after writer_drain().
 */
void writer_abort(struct writer *writer);
/* Returns true if the writer has ended: all is written, or an error ended it. */
bool writer_ended(const struct writer *writer);
/*
 * Returns the descriptor of the output, after the writer's end. It differs from sink.fd of the
 * setup if the output was opened again.
 */
int writer_fd(const struct writer *writer);
/* Returns the sum of sample.lost_readings of all samples, after the writer's end. */
uint64_t writer_lost_readings(const struct writer *writer);

/*
 * Waits for the end, and frees the writer. Returns 0, or the negative errno that ended it. -EPIPE:
 * the reader has closed the output. -EAGAIN: the reader did not read in time. Except for -ENOMEM,
 * the error says how many samples are missing from the output.
 */
int writer_join(struct writer *writer, struct error *err);

#endif
