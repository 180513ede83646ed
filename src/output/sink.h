/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An output format: one file each, and a row in the list of formats. A sink only prints; every
 * number has been made by the view.
 */
#ifndef CXLMON_SINK_H
#define CXLMON_SINK_H

#include <stdbool.h>
#include <stdio.h>

#include "metrics/view.h"
#include "poller/sample.h"
#include "record/recording.h"
#include "uncore/machine.h"

struct sink {
	const struct format *format;
	FILE *out;			    /* not owned */
	bool terminal;			    /* what is written to out is shown on a terminal, */
	int fd;				    /* whose descriptor this is */
	const char *path;		    /* the file that is written to; NULL: standard output */
	const struct view *view;	    /* not owned */
	uint64_t postponed;		    /* samples, so far: see writer.h */
	void *target;			    /* what a format needs besides; its header says what */
	const struct recording_info *about; /* of the run; NULL: not known */
	void *state;			    /* the format's own; freed by .end */
	int inputs[2]; /* of a format that listens, set by .begin: descriptors to look at when they
			  are readable; or -1 */
};

enum after_look {
	LOOK_GO_ON,
	LOOK_STOP,	/* .stop is to be called once all is written */
	LOOK_NO_MEMORY, /* it can't go on */
};

/* What a terminal's user does comes to the thread that writes. All may print. */
struct interaction {
	enum after_look (*look)(
		struct sink *sink);	 /* once at first, and when an input is readable */
	void (*stop)(struct sink *sink); /* stops the process until it is continued */
};

struct format {
	const char *name;
	bool replaces; /* in a file, each sample takes the place of the one before */
	/* 0 or -ENOMEM */
	int (*begin)(struct sink *sink);
	void (*sample)(struct sink *sink, const struct sample *sample);
	void (*finish)(struct sink *sink);     /* writes what stands behind the last; may be NULL */
	void (*end)(struct sink *sink);	       /* may be NULL */
	const struct interaction *interaction; /* NULL: it only prints */
};

extern const struct format format_table, format_csv, format_json, format_openmetrics;
/* Has no name: cxlmon record writes it, and the user chooses among the others. */
extern const struct format format_recording;

const struct format *format_find(const char *name); /* NULL: there is none */

#endif
