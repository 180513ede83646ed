/* SPDX-License-Identifier: BSD-3-Clause */
/* Options and output of the subcommands that read a recording: replay and report. */
#ifndef CXLMON_PLAYBACK_H
#define CXLMON_PLAYBACK_H

#include <stdbool.h>
#include <stdio.h>

#include "output/replace.h"
#include "output/sink.h"
#include "platform/error.h"
#include "record/recording.h"

struct playback {
	const char *file;	     /* the recording; "-": standard input */
	const struct format *format; /* NULL: table on a terminal, else csv */
	const char *output;	     /* NULL: standard output */
	bool help;
	bool quiet, verbose; /* one of them at most */
};

/* argv[0] is the subcommand's name. EXIT_USAGE; strings in *out point into argv. */
int playback_parse(int argc, char **argv, bool formats, struct playback *out, struct error *err);

/* With --verbose: says which machine and version of cxlmon the recording is from. */
void playback_describe(const struct playback *playback, const struct recording_info *about);

/* The output of a subcommand. */
struct playback_output {
	const char *name; /* for messages */
	FILE *out;
	int fd;
	struct file_place replaced; /* if it has a directory: to be replaced, and out is NULL */
};

/*
 * replaced: by a format that replaces its file. Closed by playback_close_output(), which also
 * reports earlier failures to write.
 */
int playback_open_output(const char *output, bool replaced, struct playback_output *out,
			 struct error *err);
int playback_close_output(struct playback_output *out, struct error *err);

#endif
