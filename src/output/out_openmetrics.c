/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An exposition per sample: consecutive on standard output; in a file, each replaces the last. A
 * file whose name ends with .prom is for node_exporter's textfile collector, and gets the older
 * format, the only one that the collector reads.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "output/openmetrics.h"
#include "output/prometheus.h"
#include "output/sink.h"

struct state {
	struct series series;
	struct openmetrics openmetrics;
};

static int begin_metrics(struct sink *sink)
{
	struct state *state = calloc(1, sizeof(*state));

	sink->state = state;
	if (!state || series_init(&state->series, sink->table))
		return -ENOMEM;
	state->openmetrics.series = &state->series;
	return series_keep_all(&state->series, 0);
}

/* Writes nothing if memory runs out. */
static void render_prometheus(const struct openmetrics *o, FILE *out)
{
	char *text = NULL;
	size_t size = 0;
	FILE *open = open_memstream(&text, &size);

	if (!open)
		return;
	openmetrics_render(o, open);
	const bool whole = !ferror(open);
	if (!fclose(open) && whole)
		prometheus_put(text, size, out);
	free(text);
}

static void sample_openmetrics(struct sink *sink, const struct sample *sample)
{
	struct state *state = sink->state;
	const char *dot = sink->path ? strrchr(sink->path, '.') : NULL;

	state->openmetrics.interval_ns = sink->info ? sink->info->interval_ns : 0;
	series_add(&state->series, 0, 0);
	openmetrics_add(&state->openmetrics, sample);
	if (dot && !strcmp(dot, ".prom"))
		render_prometheus(&state->openmetrics, sink->out);
	else
		openmetrics_render(&state->openmetrics, sink->out);
}

static void end_metrics(struct sink *sink)
{
	struct state *state = sink->state;

	if (state)
		series_free(&state->series);
	free(state);
}

const struct format format_openmetrics = {
	.name = "openmetrics",
	.replaces = true,
	.begin = begin_metrics,
	.sample = sample_openmetrics,
	.end = end_metrics,
};
