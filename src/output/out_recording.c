/* SPDX-License-Identifier: BSD-3-Clause */
/* A recording: each sample is written at once, as a block. See record/recording.h. */
#include <errno.h>
#include <stdlib.h>

#include "output/sink.h"

/*
 * Writes a block. If out of memory, the block is missing, which readers notice by the number of
 * samples at the end.
 */
static int write_bytes(struct sink *sink, struct bytes *bytes)
{
	const int rc = bytes->failed ? -ENOMEM : 0;

	if (!rc)
		fwrite(bytes->data, 1, bytes->size, sink->out);
	bytes_free(bytes);
	return rc;
}

/* Begins a recording; .state is the number of samples. */
static int begin_recording(struct sink *sink)
{
	static const struct recording_info unknown = {.program = "", .processor = ""};
	struct bytes bytes = {.data = NULL};

	sink->state = calloc(1, sizeof(uint64_t));
	if (!sink->state)
		return -ENOMEM;
	recording_put_header(&bytes, sink->info ? sink->info : &unknown, sink->table);
	const int rc = write_bytes(sink, &bytes);
	return rc ? rc : recording_check_size(sink->table);
}

static void sample_recording(struct sink *sink, const struct sample *sample)
{
	struct bytes bytes = {.data = NULL};

	++*(uint64_t *)sink->state;
	recording_put_sample(&bytes, sink->table, sample, sink->target);
	write_bytes(sink, &bytes);
}

static void finish_recording(struct sink *sink)
{
	struct bytes bytes = {.data = NULL};

	recording_put_end(&bytes, *(uint64_t *)sink->state);
	write_bytes(sink, &bytes);
}

static void end_recording(struct sink *sink)
{
	free(sink->state);
}

const struct format format_recording = {
	.name = "recording",
	.begin = begin_recording,
	.sample = sample_recording,
	.finish = finish_recording,
	.end = end_recording,
};
