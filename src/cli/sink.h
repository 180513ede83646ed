/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An output format: one file each, and a row in the list of formats. A sink only prints; every
 * number has been made by the view.
 */
#ifndef CXLMON_SINK_H
#define CXLMON_SINK_H

#include <stdbool.h>
#include <stdio.h>

#include "poller/sample.h"
#include "poller/view.h"
#include "uncore/machine.h"

struct sink {
	const struct format *format;
	FILE *out;		 /* not owned */
	bool terminal;		 /* what is written to out is shown on a terminal, */
	int fd;			 /* whose descriptor this is */
	const char *path;	 /* the file that is written to; NULL: standard output */
	const struct view *view; /* not owned */
	uint64_t postponed;	 /* samples, so far: see writer.h */
	void *target;		 /* of a format that doesn't print: where samples go instead */
	void *state;		 /* the format's own; freed by .end */
};

struct format {
	const char *name;
	bool replaces; /* in a file, each sample takes the place of the one before */
	/* 0 or -ENOMEM */
	int (*begin)(struct sink *sink);
	void (*sample)(struct sink *sink, const struct sample *sample);
	void (*end)(struct sink *sink); /* may be NULL */
};

extern const struct format format_table, format_csv, format_json, format_openmetrics;

const struct format *format_find(const char *name); /* NULL: there is none */

#endif
