/* SPDX-License-Identifier: BSD-3-Clause */
#include "sources/sources_private.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "base/number.h"
#include "counts/sample.h"

void sources_close(struct sources *s)
{
	struct source *list[SOURCES];

	sources_stop(s);
	source_thread_free(s->thread);
	sources_list(s, list);
	for (unsigned i = 0; i < SOURCES; i++) {
		if (list[i]->kind && list[i]->kind->close)
			list[i]->kind->close(list[i]);
		slot_ring_free(list[i]->ring);
		free(list[i]->reading);
	}
	*s = (struct sources){.sample_ns = 0};
}

static void read_in_step(struct source *source, uint64_t wall_ns, struct marks *marks)
{
	bool more = true;

	for (unsigned i = 0; more && i < READINGS_MOST; i++) {
		more = source->kind->read(source, wall_ns, source->reading);
		source->kind->take(source, source->reading, wall_ns, marks);
		source->fresh = true;
	}
}

#define SILENT_PERIODS 3

/* Reports once that a reading takes long, and once that it has ended. */
static void report_slow(struct source *source, const struct source_thread *thread, uint64_t at_ns,
			double longest_s)
{
	const struct log *log = &source->platform->log;
	const bool slow = source_thread_reads_for(thread, source, at_ns) > longest_s;

	if (slow && !source->reported)
		log_write(log, LEVEL_WARNING,
			  "%s: the kernel has not answered for %g s: their values are unknown "
			  "until it does",
			  source->kind->name, longest_s);
	else if (!slow && source->reported && source->fresh)
		log_write(log, LEVEL_WARNING, "%s: the kernel answers again", source->kind->name);
	else
		return;
	source->reported = slow;
}

static void take_handed(struct sources *s, struct source *source, const struct sample *sample,
			struct marks *marks)
{
	const double longest_s =
		SILENT_PERIODS * fmax((double)source->period_ns / NS_PER_S, source->sample_s);
	const struct handed_reading *handed;

	while ((handed = slot_ring_oldest(source->ring)) && handed->at_ns <= sample->at_ns) {
		source->kind->take(source, handed->data, handed->wall_ns, marks);
		source->fresh = true;
		slot_ring_drop(source->ring);
	}
	if (source->fresh || !source->taken_ns)
		source->taken_ns = sample->at_ns;
	source->silent = (double)(sample->at_ns - source->taken_ns) / NS_PER_S > longest_s;
	report_slow(source, s->thread, sample->at_ns, longest_s);
}

void sources_update(struct sources *s, const struct sample *sample, struct marks *marks)
{
	const uint64_t wall_ns = sample->wall_ns;
	const double sample_s = s->sample_ns && wall_ns > s->sample_ns
					? (double)(wall_ns - s->sample_ns) / NS_PER_S
					: NAN;
	struct source *list[SOURCES];

	s->sample_ns = wall_ns;
	sources_list(s, list);
	for (unsigned i = 0; i < SOURCES; i++) {
		struct source *source = list[i];

		if (!source->kind)
			continue;
		source->fresh = false;
		source->sample_s = sample_s;
		if (source->kind->age)
			source->kind->age(source);
		if (source->ring)
			take_handed(s, source, sample, marks);
		else if (source_is_due(source, wall_ns, sample_s))
			read_in_step(source, wall_ns, marks);
	}
}

int sources_make_tallies(const struct sources *s, struct tallies *out)
{
	out->room = s->devices.count * (AER_SEVERITIES + AER_KINDS_MOST) + CXL_EVENTS_COUNTS;
	out->items = calloc(out->room, sizeof(*out->items));
	return out->items ? 0 : -ENOMEM;
}

void sources_tally(struct sources *s, struct tallies *out)
{
	struct source *list[SOURCES];

	out->count = 0;
	sources_list(s, list);
	for (unsigned i = 0; i < SOURCES; i++)
		if (list[i]->kind && list[i]->kind->tally)
			list[i]->kind->tally(list[i], out);
}

const struct source *source_of_metric(const struct sources *s, const struct metric *metric)
{
	const struct source *const sources[SOURCE_IDS] = {
		[SOURCE_NODES] = &s->nodes.base,   [SOURCE_DEVICES] = &s->devices.base,
		[SOURCE_HEALTH] = &s->health.base, [SOURCE_REGIONS] = &s->regions.base,
		[SOURCE_GROUPS] = &s->groups.base,
	};
	const struct source *source = sources[metric->source];

	return source && source->kind && metric->kind == METRIC_NUMBER ? source : NULL;
}

bool sources_can_know(const struct sources *s, const struct metric *metric)
{
	const enum kernel_stat stat = (enum kernel_stat)metric->number;

	switch (metric->source) {
	case SOURCE_NODES:
		return node_source_can_know(&s->nodes, stat);
	case SOURCE_DEVICES:
		return device_source_can_know(&s->devices, stat);
	case SOURCE_REGIONS:
		return region_counters_know(&s->regions.counters,
					    (enum memory_region)metric->number);
	case SOURCE_GROUPS:
		return s->groups.count > 0;
	default: /* devices are asked later */
		return source_of_metric(s, metric);
	}
}
