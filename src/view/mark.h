/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Marks: what happened at a time, beside the values: a link was trained anew, a device is gone.
 * They are made where rows are (view_update()), and belong to the sample after them: outputs say,
 * keep and draw them.
 */
#ifndef CXLMON_MARK_H
#define CXLMON_MARK_H

#include <stddef.h>
#include <stdint.h>

#include "platform/cxl.h"
#include "platform/platform.h"

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

/*
 * Events of CXL devices during a run, as the kernel reports them, counted by kind and device. Of a
 * kind and device the first ones become marks, and then one whenever their number has doubled: a
 * storm of them is a few lines.
 */

#define CXL_EVENTS_FIRST  4  /* of a kind and device, which are marked one by one */
#define CXL_EVENTS_COUNTS 64 /* kinds of all devices; what comes later is counted as lost */

struct cxl_event_count {
	struct cxl_event last;	/* of its kind and device */
	uint64_t count, marked; /* marked: the count at the latest mark */
};

struct cxl_events {
	struct platform *platform; /* not owned; NULL: none are read */
	struct cxl_event_count counts[CXL_EVENTS_COUNTS];
	size_t count_count;
	uint64_t lost; /* that the kernel had no room for, or that are not in counts */
};

/*
 * Opens them, while the process has its rights. None are read where that fails, or where the kernel
 * has none; *err says why.
 */
int cxl_events_open(struct cxl_events *events, struct platform *p, const struct topology *topology,
		    struct error *err);

/* Takes those until a sample of that wall-clock time. */
void cxl_events_read(struct cxl_events *events, uint64_t wall_ns, struct marks *marks);

#endif
