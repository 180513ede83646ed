/* SPDX-License-Identifier: BSD-3-Clause */
/* Options and output of the subcommands that read recordings: replay, report and compare. */
#ifndef CXLMON_PLAYBACK_H
#define CXLMON_PLAYBACK_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/options.h"
#include "cli/time_point.h"
#include "output/output_file.h"
#include "output/sink.h"
#include "platform/error.h"
#include "record/recording_file.h"

#define PLAYBACK_FILES 2

struct playback {
	struct options options;
	const char *files[PLAYBACK_FILES]; /* the recordings; "-": standard input */
	uint64_t interval_ns;		   /* 0: every sample */
	bool per;			   /* was given: */
	enum scope finest;
	struct time_point from, to;
	struct option_strings conditions; /* of --fail-if */
};

/* The options of a part of a recording. */
int playback_set_time(const struct option_row *row, void *time, const char *value,
		      struct error *err);
#define OPTION_FROM                                                                                \
	{                                                                                          \
		.name = "from", .argument = "TIME", OPTION_MEMBER(CALL, struct playback, from),    \
		.set = playback_set_time,                                                          \
		.help = "only samples whose middle is from here on: seconds since the\n"           \
			"start, such as 90, or 07:05:28, or 2026-11-22T07:05:28Z"                  \
	}
#define OPTION_TO                                                                                  \
	{                                                                                          \
		.name = "to", .argument = "TIME", OPTION_MEMBER(CALL, struct playback, to),        \
		.set = playback_set_time, .help = "only samples whose middle is before this time"  \
	}

/* The operands of a subcommand: recordings, then an interval. */
struct playback_operands {
	size_t files;
	bool interval;
	const char *missing, *expected; /* of errors */
};

/* Takes the operands, and checks them and the output. EXIT_USAGE. */
int playback_begin(struct playback *playback, const char *subcommand,
		   const struct playback_operands *operands, struct error *err);

/* Opens one of the recordings, and selects the time given. As recording_file_open(), or EXIT_USAGE.
 */
int playback_open(const struct playback *playback, const char *name, struct recording_file *file,
		  struct error *err);

/*
 * After all was read: warns of values that may be wrong. EXIT_FAILED where a time was given in
 * which there is no sample.
 */
int playback_check(const struct playback *playback, const struct recording_file *file,
		   struct error *err);

/* With --verbose: says which machine and version of cxlmon the recording is from. */
void playback_describe(const struct playback *playback, const struct recording_file *file);

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
