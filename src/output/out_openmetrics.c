/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An exposition per sample: on standard output one after the other; a file is replaced. A file
 * whose name ends with .prom is for node_exporter's textfile collector, and gets the older format,
 * which is all that the collector reads.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/openmetrics.h"
#include "output/sink.h"

static int begin(struct sink *sink)
{
	struct openmetrics *state = calloc(1, sizeof(*state));

	sink->state = state;
	return state ? openmetrics_init(state, sink->view) : -ENOMEM;
}

static enum exposition exposition_of(const char *path)
{
	const char *dot = path ? strrchr(path, '.') : NULL;

	return dot && !strcmp(dot, ".prom") ? EXPOSITION_PROMETHEUS : EXPOSITION_OPENMETRICS;
}

static void sample_openmetrics(struct sink *sink, const struct sample *sample)
{
	struct openmetrics *state = sink->state;

	state->skipped = sink->skipped;
	state->interval_ns = sink->about ? sink->about->interval_ns : 0;
	openmetrics_add(state, sink->view, sample);
	openmetrics_render(state, sink->view, exposition_of(sink->path), sink->out);
}

static void end(struct sink *sink)
{
	if (sink->state)
		openmetrics_free(sink->state);
	free(sink->state);
}

const struct format format_openmetrics = {
	.name = "openmetrics",
	.replaces = true,
	.begin = begin,
	.sample = sample_openmetrics,
	.end = end,
};
