/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A mark: an event at a known time, such as a retrained link or a device that is gone. A mark
 * belongs to the sample in which it was found. This sample ends after the mark's time.
 */
#ifndef CXLMON_MARK_H
#define CXLMON_MARK_H

#include <stddef.h>
#include <stdint.h>

#include "platform/cxl.h"

/* Kinds of marks, with their names in JSON and in recordings. */
enum mark_kind {
	MARK_OTHER,  /* "other": any other event */
	MARK_LINK,   /* "link": a link's width or speed has changed, or the link is down */
	MARK_DEVICE, /* "device": a CXL device is gone, or has returned */
	MARK_EVENT,  /* "event": the kernel reports an event of a CXL device */
	MARK_HEALTH, /* "health": a CXL device's health has changed */
	MARK_KINDS
};

#define MARK_TEXT_SIZE 384 /* bytes of the longest text, with NUL */
#define MARKS_MOST     32  /* most marks kept for a sample */

/* An event at a known time. */
struct mark {
	uint64_t wall_ns; /* ns since 1970, UTC */
	enum mark_kind kind;
	char device[CXL_NAME_SIZE]; /* "mem0"; "": no device */
	char text[MARK_TEXT_SIZE];  /* printable UTF-8: "link between ... is x8 at 32.0 GT/s" */
};

/* The marks of a sample, in the order in which they were found. */
struct marks {
	struct mark items[MARKS_MOST];
	size_t count;
	size_t more; /* number of marks that were dropped because .items was full */
};

/* Returns the kind's name: "link". */
const char *mark_kind_name(enum mark_kind kind);
/* Returns the kind with this name; MARK_OTHER: none. */
enum mark_kind mark_kind_find(const char *name);

/*
 * Adds a mark. If it has no room, counts it in .more. device: the name; "": none. Device and
 * text are made printable, and cut off if too long.
 */
__attribute__((format(printf, 5, 6))) void marks_add(struct marks *marks, uint64_t wall_ns,
						     enum mark_kind kind, const char *device,
						     const char *format, ...);
/*
 * Appends copies of other marks. Counts in .more the marks that have no room. Adds others->more.
 */
void marks_append(struct marks *marks, const struct marks *others);

/* Writes "mem0: link between ..."; without a device, only the mark's text. Returns text. */
#define MARK_LINE_SIZE (CXL_NAME_SIZE + 2 + MARK_TEXT_SIZE)
const char *mark_line(const struct mark *mark, char text[MARK_LINE_SIZE]);

#endif
