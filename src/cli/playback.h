/* SPDX-License-Identifier: BSD-3-Clause */
/* Options and output of the subcommands that read recordings: replay, report and compare. */
#ifndef CXLMON_PLAYBACK_H
#define CXLMON_PLAYBACK_H

#include <stdbool.h>
#include <stdio.h>

#include "cli/time_point.h"
#include "output/replace.h"
#include "output/sink.h"
#include "platform/error.h"
#include "record/recording_file.h"

#define PLAYBACK_FILES	    2
#define PLAYBACK_CONDITIONS 16

enum playback_command {
	PLAYBACK_REPLAY,
	PLAYBACK_REPORT,
	PLAYBACK_COMPARE,
	PLAYBACK_COMMANDS,
};

struct playback {
	const char *files[PLAYBACK_FILES]; /* the recordings; "-": standard input */
	const struct format *format;	   /* NULL: table on a terminal, else csv */
	const char *output;		   /* NULL: standard output */
	bool output_given;		   /* by -o, also as standard output */
	uint64_t interval_ns;		   /* 0: every sample */
	bool per;			   /* was given: */
	enum scope finest;
	struct time_point from, to;
	const char *conditions[PLAYBACK_CONDITIONS]; /* of --fail-if */
	size_t condition_count;
	bool help;
	bool quiet, verbose; /* one of them at most */
};

/* Lines of --help. */
#define HELP_WINDOW                                                                                \
	"      --from=TIME        only samples whose middle is from here on: seconds since the\n"  \
	"                         start, such as 90, or 07:05:28, or 2026-11-22T07:05:28Z\n"       \
	"      --to=TIME          only samples whose middle is before this time\n"

/* argv[0] is the subcommand's name. EXIT_USAGE; strings in *out point into argv. */
int playback_parse(int argc, char **argv, enum playback_command command, struct playback *out,
		   struct error *err);

/* Opens one of the recordings, and selects the time given. As recording_file_open(), or EXIT_USAGE.
 */
int playback_open(const struct playback *playback, const char *name, struct recording_file *file,
		  struct error *err);

/* After all was read: EXIT_FAILED where a time was given in which there is no sample. */
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
