/* SPDX-License-Identifier: BSD-3-Clause */
/* What replay and report share: a recording to read, and a place to write to. */
#ifndef CXLMON_PLAYBACK_H
#define CXLMON_PLAYBACK_H

#include <stdbool.h>
#include <stdio.h>

#include "output/sink.h"
#include "platform/error.h"

struct playback {
	const char *file;	     /* the recording; "-": standard input */
	const struct format *format; /* NULL: by where the output goes */
	const char *output;	     /* NULL: standard output */
	bool help;
};

/* argv[0] is the subcommand's name. EXIT_USAGE; strings in *out point into argv. */
int playback_parse(int argc, char **argv, bool formats, struct playback *out, struct error *err);

/* Where the output goes. */
struct playback_output {
	const char *name; /* for messages */
	FILE *out;
	int fd;
	bool file; /* a regular one, which is empty now */
};

/* Closed by playback_close_output(), which is where a write that failed is told. */
int playback_open_output(const char *output, struct playback_output *out, struct error *err);
int playback_close_output(struct playback_output *out, struct error *err);

#endif
