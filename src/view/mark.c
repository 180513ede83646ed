/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/mark.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "platform/cxl.h"

static const char *const names[MARK_KINDS] = {
	[MARK_OTHER] = "other", [MARK_LINK] = "link",	  [MARK_DEVICE] = "device",
	[MARK_EVENT] = "event", [MARK_HEALTH] = "health",
};

const char *mark_kind_name(enum mark_kind kind)
{
	return names[kind];
}

enum mark_kind mark_kind_find(const char *name)
{
	for (unsigned i = 0; i < MARK_KINDS; i++)
		if (!strcmp(names[i], name))
			return (enum mark_kind)i;
	return MARK_OTHER;
}

void marks_add(struct marks *marks, uint64_t wall_ns, enum mark_kind kind, const char *device,
	       const char *format, ...)
{
	char text[2 * MARK_TEXT_SIZE];
	va_list args;

	if (marks->count == MARKS_MOST) {
		marks->more++;
		return;
	}
	struct mark *mark = &marks->items[marks->count++];

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	*mark = (struct mark){.wall_ns = wall_ns, .kind = kind};
	printable(device, mark->device, sizeof(mark->device));
	printable(text, mark->text, sizeof(mark->text));
}

void marks_append(struct marks *marks, const struct marks *others)
{
	marks->more += others->more;
	for (size_t i = 0; i < others->count; i++) {
		if (marks->count == MARKS_MOST)
			marks->more++;
		else
			marks->items[marks->count++] = others->items[i];
	}
}

const char *mark_line(const struct mark *mark, char text[MARK_LINE_SIZE])
{
	snprintf(text, MARK_LINE_SIZE, "%s%s%s", mark->device, *mark->device ? ": " : "",
		 mark->text);
	return text;
}

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
