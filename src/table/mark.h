/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks: events with a known time, such as a retrained link or a device that is gone. view_update()
 * makes them with the rows. They belong to the sample after them: outputs print, keep and draw
 * them.
 */
#ifndef CXLMON_MARK_H
#define CXLMON_MARK_H

#include <stddef.h>
#include <stdint.h>

#include "platform/cxl.h"

/* Kinds of marks, with their names in JSON and in recordings. */
enum mark_kind {
	MARK_OTHER,  /* "other": a kind of a later version */
	MARK_LINK,   /* "link": its width or speed has changed, or it is down */
	MARK_DEVICE, /* "device": it is gone, or has returned */
	MARK_EVENT,  /* "event": an event of a CXL device that the kernel reports */
	MARK_HEALTH, /* "health": a CXL device's health has changed */
	MARK_KINDS
};

#define MARK_TEXT_SIZE 384 /* bytes of an event of a CXL device, with the number of events */
#define MARKS_MOST     32  /* the most marks of a sample */

struct mark {
	uint64_t wall_ns; /* since 1970, UTC */
	enum mark_kind kind;
	char device[CXL_NAME_SIZE]; /* "mem0"; "": no device */
	char text[MARK_TEXT_SIZE];  /* printable UTF-8: "link between ... is x8 at 32.0 GT/s" */
};

/* The marks of a sample, in the order in which they were found. */
struct marks {
	struct mark items[MARKS_MOST];
	size_t count;
	size_t more; /* marks without room */
};

const char *mark_kind_name(enum mark_kind kind);
/* Returns the kind of that name; MARK_OTHER: unknown. */
enum mark_kind mark_kind_find(const char *name);

/* Adds a mark. device and text may come from outside, and are made printable. */
__attribute__((format(printf, 5, 6))) void marks_add(struct marks *marks, uint64_t wall_ns,
						     enum mark_kind kind, const char *device,
						     const char *format, ...);
/* Adds the marks of another sample. */
void marks_append(struct marks *marks, const struct marks *others);

/* Writes "mem0: link between ...". Returns text. */
#define MARK_LINE_SIZE (CXL_NAME_SIZE + 2 + MARK_TEXT_SIZE)
const char *mark_line(const struct mark *mark, char text[MARK_LINE_SIZE]);

#endif
