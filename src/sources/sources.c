/* SPDX-License-Identifier: BSD-3-Clause */
#include "sources/sources.h"

#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "counts/sample.h"

#define SOURCES 7

/* In the order in which they are read, and in which changes are marked. */
static void list_sources(struct sources *s, struct source *list[SOURCES])
{
	struct source *const all[SOURCES] = {
		&s->nodes.base,	  &s->devices.base, &s->health.base, &s->resctrl.base,
		&s->regions.base, &s->groups.base,  &s->events.base,
	};

	for (unsigned i = 0; i < SOURCES; i++)
		list[i] = all[i];
}

void sources_close(struct sources *s)
{
	struct source *list[SOURCES];

	list_sources(s, list);
	for (unsigned i = 0; i < SOURCES; i++) {
		if (list[i]->kind && list[i]->kind->close)
			list[i]->kind->close(list[i]);
		free(list[i]->reading);
	}
	*s = (struct sources){.sample_ns = 0};
}

/*
 * Whether a source is due: at the first sample of each period, and at all samples that are a period
 * apart, however their clock and this one differ.
 */
static bool is_due(struct source *source, uint64_t wall_ns)
{
	const uint64_t period_ns = source->period_ns;
	const bool early = wall_ns < source->due_ns;
	const bool set_back = early && source->due_ns - wall_ns > period_ns;
	const bool apart = source->sample_s * NS_PER_S >= 0.99 * (double)period_ns;

	if (!period_ns)
		return true;
	if (early && !set_back && !apart)
		return false;
	if (set_back || !source->due_ns)
		source->due_ns = wall_ns + period_ns;
	else if (!early)
		source->due_ns += ((wall_ns - source->due_ns) / period_ns + 1) * period_ns;
	return true;
}

/* A pipe or a ring that never becomes empty is read again for the next sample. */
#define READINGS_MOST 4096

static void read_source(struct source *source, uint64_t wall_ns, struct marks *marks)
{
	bool more = true;

	for (unsigned i = 0; more && i < READINGS_MOST; i++) {
		more = source->kind->read(source, wall_ns, source->reading);
		source->kind->take(source, source->reading, wall_ns, marks);
		source->fresh = true;
	}
}

void sources_read(struct sources *s, const struct sample *sample, struct marks *marks)
{
	const uint64_t wall_ns = sample->wall_ns;
	const double sample_s = s->sample_ns && wall_ns > s->sample_ns
					? (double)(wall_ns - s->sample_ns) / NS_PER_S
					: NAN;
	struct source *list[SOURCES];

	s->sample_ns = wall_ns;
	list_sources(s, list);
	for (unsigned i = 0; i < SOURCES; i++) {
		struct source *source = list[i];

		if (!source->kind)
			continue;
		source->fresh = false;
		source->sample_s = sample_s;
		source->late = sample->late && !source->platform->virtual_clock;
		if (source->kind->age)
			source->kind->age(source);
		/* events have times of their own */
		if (!(source->late && source->kind->inputs) && is_due(source, wall_ns))
			read_source(source, wall_ns, marks);
	}
}

const struct source *source_of_metric(const struct sources *s, const struct metric *metric)
{
	const struct source *source = NULL;

	if (metric->kernel_stat)
		source = kernel_stat_is_of_health(metric->kernel_stat)	 ? &s->health.base
			 : kernel_stat_is_of_device(metric->kernel_stat) ? &s->devices.base
									 : &s->nodes.base;
	else if (metric->region)
		source = &s->regions.base;
	else if (metric->of_groups && metric->kind == METRIC_NUMBER)
		source = &s->groups.base;
	return source && source->kind ? source : NULL;
}

bool sources_can_know(const struct sources *s, enum kernel_stat stat)
{
	if (kernel_stat_is_of_health(stat)) /* devices are asked later */
		return s->health.base.kind;
	return kernel_stat_is_of_device(stat) ? device_source_can_know(&s->devices, stat)
					      : node_source_can_know(&s->nodes, stat);
}
