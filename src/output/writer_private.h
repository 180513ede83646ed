/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared by the files of the writer, and private to them. */
#ifndef CXLMON_WRITER_PRIVATE_H
#define CXLMON_WRITER_PRIVATE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "metrics/decoder.h"
#include "output/diagnostics.h"
#include "output/writer.h"
#include "platform/number.h"
#include "poller/frame.h"

#define MS	   UINT64_C(1000000) /* ns */
#define NO_TIMEOUT UINT64_MAX

struct writer {
	struct writer_setup setup;
	struct ring *ring;
	pthread_t thread, owner;
	int wake_fd; /* an eventfd: a request below was made */
	int flags;   /* of the output, before writer_drain() */

	/* set by the owner */
	_Atomic uint64_t pushed_ns;   /* clock_monotonic() of the last sample's push */
	_Atomic uint64_t interval_ns; /* initially from setup */
	_Atomic uint64_t frame_ns;    /* initially from setup */
	atomic_bool break_line, reopening, closed, draining, aborted;
	/* set by the writer */
	atomic_bool ended;

	/* private to the writer's thread */
	struct decoder *decoder;
	size_t capacity; /* of the ring, in frames */
	uint64_t failed_reads;
	struct sink sink;
	FILE *text; /* memory stream of what is written next */
	char *bytes;
	size_t size, written;
	bool has_sample; /* among the bytes */
	uint64_t backoff_ns;
	bool input_ready; /* an input of the sink is readable */
	struct diagnostics diagnostics;
	bool slow_reported, disk_full_reported, recovery_reported, disk_full, last_try;
	int failure; /* negative errno, or 0 */
};

/* writer_output.c: writing bytes */

/* Waits for ns, or until the writer is woken or an input of an interactive sink is readable. */
void writer_wait_input(struct writer *w, uint64_t ns);
/* Writes what was formatted. 0, or the negative errno that ends the writer. */
int writer_flush_text(struct writer *w);
/* After the end: how many samples are missing. Truncates an incomplete last row of a file. */
void writer_explain_failure(struct writer *w, struct error *err);
/* See writer_reopen(). 0, or the negative errno that ends the writer. */
int writer_open_again(struct writer *w);
/* Warns, once, that samples were merged. */
void writer_report(struct writer *w);

uint64_t writer_clamp(uint64_t value, uint64_t least, uint64_t most);

#endif
