/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/cxl_events.h"

#include <inttypes.h>
#include <string.h>

int cxl_events_open(struct cxl_events *events, struct platform *p, const struct topology *topology,
		    struct error *err)
{
	const int rc = p->ops->cxl->events_open ? p->ops->cxl->events_open(p, topology, err) : 0;

	*events = (struct cxl_events){.platform = rc || !p->ops->cxl->events_next ? NULL : p};
	return rc;
}

/* NULL: there are too many kinds and devices. */
static struct cxl_event_count *count_of(struct cxl_events *events, const struct cxl_event *event)
{
	for (size_t i = 0; i < events->count_count; i++)
		if (events->counts[i].last.kind == event->kind &&
		    !strcmp(events->counts[i].last.device, event->device))
			return &events->counts[i];
	return events->count_count < CXL_EVENTS_COUNTS ? &events->counts[events->count_count++]
						       : NULL;
}

static void add(struct cxl_events *events, const struct cxl_event *event, struct marks *marks)
{
	struct cxl_event_count *count = count_of(events, event);

	if (!count) {
		events->lost++;
		return;
	}
	count->last = *event;
	if (count->count++ >= CXL_EVENTS_FIRST)
		return;
	count->marked = count->count;
	marks_add(marks, event->wall_ns, MARK_EVENT, event->device, "%s", event->text);
}

void cxl_events_read(struct cxl_events *events, uint64_t wall_ns, struct marks *marks)
{
	struct platform *p = events->platform;
	struct cxl_event event;

	while (p && p->ops->cxl->events_next(p, wall_ns, &event, &events->lost))
		add(events, &event, marks);
	for (size_t i = 0; i < events->count_count; i++) {
		struct cxl_event_count *count = &events->counts[i];

		if (count->count < 2 * count->marked)
			continue;
		count->marked = count->count;
		if (count->count > CXL_EVENTS_FIRST)
			marks_add(marks, count->last.wall_ns, MARK_EVENT, count->last.device,
				  "%s (%" PRIu64 " of this kind so far)", count->last.text,
				  count->count);
	}
}
