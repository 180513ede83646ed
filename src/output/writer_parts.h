/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of the writer share. Private to it. */
#ifndef CXLMON_WRITER_PARTS_H
#define CXLMON_WRITER_PARTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#include "metrics/decoder.h"
#include "output/remarks.h"
#include "output/writer.h"
#include "platform/number.h"
#include "poller/ring.h"

#define MS	UINT64_C(1000000) /* ns */
#define FOREVER UINT64_MAX

struct writer {
	struct writer_setup setup;
	struct ring *ring;
	pthread_t thread, owner;
	int wake_fd; /* an eventfd: something below has changed */
	int flags;   /* of the output, before it was hurried */

	/* from the owner */
	_Atomic uint64_t pushed_ns;   /* clock_monotonic() when a sample came last */
	_Atomic uint64_t interval_ns; /* as of setup */
	_Atomic uint64_t frame_ns;    /* as of setup */
	atomic_bool break_line, closed, hurried, given_up;
	/* from the writer */
	atomic_bool ended;

	/* the writer's own */
	struct decoder *decoder;
	size_t room; /* frames */
	uint64_t lost_units;
	struct sink sink;
	FILE *text; /* what goes to the output next, in memory */
	char *bytes;
	size_t size, written;
	bool has_sample; /* among the bytes */
	uint64_t nap;
	bool heard; /* an input of the sink is readable */
	struct remarks remarks;
	bool slow_said, disk_said, room_said, disk_full, last_try;
	int failure; /* negative errno, or 0 */
};

/* writer_output.c: how the bytes get out */

/* False where ns have passed before fd (unless it is -1) had room, or somebody woke the writer. */
bool writer_sleep(struct writer *w, int fd, uint64_t ns);
/* Sleeps likewise, until an input of a sink that listens is readable, too. */
void writer_listen(struct writer *w, uint64_t ns);
/* All of them. 0, or the negative errno that ends the writer. */
int writer_put(struct writer *w);
/* After the writer's end: how much is missing. A file keeps no half of a row. */
void writer_report_failure(struct writer *w, struct error *err);
/* Warns once that samples were skipped. */
void writer_report(struct writer *w);

uint64_t writer_clamp(uint64_t value, uint64_t least, uint64_t most);

#endif
