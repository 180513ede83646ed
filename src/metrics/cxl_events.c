/* SPDX-License-Identifier: BSD-3-Clause */
#include "metrics/cxl_events.h"

#include <stdlib.h>
#include <string.h>

int cxl_events_open(struct cxl_events *events, struct platform *p, const struct topology *topology,
		    struct error *err)
{
	const int rc = p->ops->cxl_events_open ? p->ops->cxl_events_open(p, topology, err) : 0;

	*events = (struct cxl_events){.platform = rc || !p->ops->cxl_events_open ? NULL : p};
	return rc;
}

void cxl_events_free(struct cxl_events *events)
{
	free(events->told);
	*events = (struct cxl_events){.platform = NULL};
}

/* NULL: there are too many kinds and devices. */
static struct cxl_event_count *count_of(struct cxl_events *events, const struct cxl_event *event)
{
	for (size_t i = 0; i < events->count_count; i++)
		if (events->counts[i].kind == event->kind &&
		    !strcmp(events->counts[i].device, event->device))
			return &events->counts[i];
	if (events->count_count == CXL_EVENTS_COUNTS)
		return NULL;
	struct cxl_event_count *added = &events->counts[events->count_count++];

	*added = (struct cxl_event_count){.kind = event->kind};
	memcpy(added->device, event->device, sizeof(added->device));
	return added;
}

static bool is_power_of_2(uint64_t n)
{
	return !(n & (n - 1));
}

/* Without memory it is counted, and not told. */
static void tell(struct cxl_events *events, const struct cxl_event *event, uint64_t count)
{
	if (events->told_count == events->told_room) {
		const size_t room = events->told_room ? 2 * events->told_room : CXL_EVENTS_TOLD;
		struct cxl_event_told *grown = reallocarray(events->told, room, sizeof(*grown));

		if (!grown)
			return;
		events->told = grown;
		events->told_room = room;
	}
	events->told[events->told_count++] =
		(struct cxl_event_told){.event = *event, .count = count};
}

void cxl_events_read(struct cxl_events *events, uint64_t wall_ns)
{
	struct platform *p = events->platform;
	struct cxl_event event;

	events->told_count = 0;
	while (p && p->ops->cxl_events_next(p, wall_ns, &event, &events->lost)) {
		struct cxl_event_count *count = count_of(events, &event);

		if (!count) {
			events->lost++;
			continue;
		}
		count->count++;
		if (count->count <= CXL_EVENTS_TOLD || is_power_of_2(count->count))
			tell(events, &event, count->count);
	}
}
