/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks: events of a known time, such as a link that was trained again or a device that is gone.
 * view_update() makes them with the rows. They belong to the sample after them: outputs print, keep
 * and draw them.
 */
#ifndef CXLMON_MARK_H
#define CXLMON_MARK_H

#include <stddef.h>
#include <stdint.h>

#include "platform/cxl.h"

/* By their names, in JSON and in recordings. */
enum mark_kind {
	MARK_OTHER,  /* "other": of a later version */
	MARK_LINK,   /* "link": its width or speed has changed, or it is down */
	MARK_DEVICE, /* "device": it is gone, or has returned */
	MARK_EVENT,  /* "event": of a CXL device, as the kernel reports it */
	MARK_HEALTH, /* "health": its own, which has changed */
	MARK_KINDS
};

#define MARK_TEXT_SIZE 384 /* an event of a CXL device, and how many there were */
#define MARKS_MOST     32  /* of a sample */

struct mark {
	uint64_t wall_ns; /* since 1970, UTC */
	enum mark_kind kind;
	char device[CXL_NAME_SIZE]; /* "mem0"; "": of none */
	char text[MARK_TEXT_SIZE];  /* printable UTF-8: "link between ... is x8 at 32.0 GT/s" */
};

/* The marks of a sample, in the order in which they were found. */
struct marks {
	struct mark items[MARKS_MOST];
	size_t count;
	size_t more; /* for which there was no room */
};

const char *mark_kind_name(enum mark_kind kind);
/* MARK_OTHER: not known. */
enum mark_kind mark_kind_find(const char *name);

/* Adds one; texts of strangers may be anything. */
__attribute__((format(printf, 5, 6))) void marks_add(struct marks *marks, uint64_t wall_ns,
						     enum mark_kind kind, const char *device,
						     const char *format, ...);
/* Adds those of another sample. */
void marks_append(struct marks *marks, const struct marks *others);

/* "mem0: link between ...". Returns text. */
#define MARK_LINE_SIZE (CXL_NAME_SIZE + 2 + MARK_TEXT_SIZE)
const char *mark_line(const struct mark *mark, char text[MARK_LINE_SIZE]);

#endif
