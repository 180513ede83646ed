/* SPDX-License-Identifier: BSD-3-Clause */
#include "table/mark.h"

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
