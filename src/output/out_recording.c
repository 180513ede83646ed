/* SPDX-License-Identifier: BSD-3-Clause */
/* A recording: each sample is written at once, as a block. See record/recording.h. */
#include <errno.h>
#include <stdlib.h>

#include "output/sink.h"

struct recording_state {
	struct bytes bytes;
	uint64_t samples;
};

/* Out of memory: this block is missing. Readers notice by the number of samples at the end. */
static void write_bytes(struct sink *sink)
{
	struct recording_state *state = sink->state;

	if (!state->bytes.failed)
		fwrite(state->bytes.data, 1, state->bytes.size, sink->out);
	state->bytes.size = 0;
	state->bytes.failed = false;
}

static int begin(struct sink *sink)
{
	static const struct recording_info unknown = {.program = "", .processor = ""};
	struct recording_state *state = calloc(1, sizeof(*state));

	sink->state = state;
	if (!state)
		return -ENOMEM;
	recording_put_header(&state->bytes, sink->info ? sink->info : &unknown, sink->view);
	if (state->bytes.failed)
		return -ENOMEM;
	write_bytes(sink);
	return recording_check_size(sink->view);
}

static void sample_recording(struct sink *sink, const struct sample *sample)
{
	struct recording_state *state = sink->state;

	state->samples++;
	recording_put_sample(&state->bytes, sink->view, sample);
	write_bytes(sink);
}

static void finish(struct sink *sink)
{
	struct recording_state *state = sink->state;

	recording_put_end(&state->bytes, state->samples);
	write_bytes(sink);
}

static void end(struct sink *sink)
{
	struct recording_state *state = sink->state;

	if (state)
		bytes_free(&state->bytes);
	free(state);
}

const struct format format_recording = {
	.name = "recording",
	.begin = begin,
	.sample = sample_recording,
	.finish = finish,
	.end = end,
};
