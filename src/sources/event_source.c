/* SPDX-License-Identifier: BSD-3-Clause */
#include "sources/event_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/error.h"

#define READING_EVENTS 16

struct event_reading {
	uint64_t lost; /* lost since the previous reading */
	size_t count;
	struct cxl_event events[READING_EVENTS];
};

static bool read_events(struct source *source, uint64_t wall_ns, void *out)
{
	struct platform *p = source->platform;
	struct event_reading *reading = out;

	reading->count = 0;
	reading->lost = 0;
	while (reading->count < READING_EVENTS &&
	       p->ops->cxl->events_next(p, wall_ns, &reading->events[reading->count],
					&reading->lost))
		reading->count++;
	return reading->count == READING_EVENTS;
}

/* Returns the count of an event's kind and device. NULL: there are too many. */
static struct cxl_event_count *count_of(struct event_source *s, const struct cxl_event *event)
{
	for (size_t i = 0; i < s->count_count; i++)
		if (s->counts[i].last.kind == event->kind &&
		    !strcmp(s->counts[i].last.device, event->device))
			return &s->counts[i];
	return s->count_count < CXL_EVENTS_COUNTS ? &s->counts[s->count_count++] : NULL;
}

static void add_event(struct event_source *s, const struct cxl_event *event, struct marks *marks)
{
	struct cxl_event_count *count = count_of(s, event);

	if (!count) {
		s->lost++;
		return;
	}
	count->last = *event;
	if (count->count++ >= CXL_EVENTS_FIRST)
		return;
	count->marked = count->count;
	marks_add(marks, event->wall_ns, MARK_EVENT, event->device, "%s", event->text);
}

static void mark_doubled(struct cxl_event_count *count, struct marks *marks)
{
	if (count->count < 2 * count->marked)
		return;
	count->marked = count->count;
	if (count->count > CXL_EVENTS_FIRST)
		marks_add(marks, count->last.wall_ns, MARK_EVENT, count->last.device,
			  "%s (%" PRIu64 " of this kind so far)", count->last.text, count->count);
}

static void take_events(struct source *source, const void *reading, uint64_t wall_ns,
			struct marks *marks)
{
	struct event_source *s = (struct event_source *)source;
	const struct event_reading *from = reading;

	(void)wall_ns;
	s->lost += from->lost;
	for (size_t i = 0; i < from->count; i++)
		add_event(s, &from->events[i], marks);
	/* after the last reading of several, one mark is enough for all of them */
	for (size_t i = 0; from->count < READING_EVENTS && i < s->count_count; i++)
		mark_doubled(&s->counts[i], marks);
}

static void tally_events(const struct source *source, struct tallies *out)
{
	const struct event_source *s = (const struct event_source *)source;

	for (size_t i = 0; i < s->count_count; i++) {
		struct tally tally = {.device = s->counts[i].last.device,
				      .count = (double)s->counts[i].count};

		snprintf(tally.kind, sizeof(tally.kind), "%s",
			 cxl_event_names[s->counts[i].last.kind]);
		source_add_tally(out, &tally);
	}
	out->lost_events = s->lost;
}

static const struct source_kind kind = {
	.name = "events", .read = read_events, .take = take_events, .tally = tally_events};

int event_source_open(struct event_source *s, struct platform *p, const struct topology *topology,
		      struct error *err)
{
	const int rc = p->ops->cxl->events_open ? p->ops->cxl->events_open(p, topology, err) : 0;

	if (rc <= 0)
		return rc;
	return source_init(&s->base, &kind, p, sizeof(struct event_reading)) ? error_no_memory(err)
									     : 0;
}
