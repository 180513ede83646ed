/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading recordings, as replay, report and compare do. */
#ifndef CXLMON_CLI_PLAYBACK_H
#define CXLMON_CLI_PLAYBACK_H

#include <stdbool.h>

#include "base/error.h"
#include "cli/common.h"
#include "record/recording_file.h"
#include "show/page/plotted.h"

/*
 * The operands of a subcommand: recordings ("-": standard input), then an interval, which goes to
 * options->session.interval_ns; without it that is 0, for every sample.
 */
struct playback_operands {
	size_t files;
	bool interval;
	const char *missing, *expected; /* texts of errors */
};

/* Takes the operands, and checks them and the output. ERROR_USAGE. */
int playback_begin(struct options *options, const struct playback_operands *operands,
		   struct error *err);

/*
 * ERROR_USAGE where the output is a file that is read, be it one of the operands or of an option:
 * written first, it could not be read any more.
 */
int playback_check_output(const struct options *options, struct error *err);

/* The kinds of blocks that are known beside those of every recording, a line each. */
extern const struct block_kind *const playback_kinds[];

/* Opens one of the recordings, and selects the time given. As recording_file_open(), or
 * ERROR_USAGE.
 */
int playback_open(const struct options *options, const char *name, struct recording_file *file,
		  struct error *err);

/*
 * After all was read: warns of values that may be wrong. ERROR_FAILED where a time was given in
 * which there is no sample.
 */
int playback_check(const struct options *options, const struct recording_file *file,
		   struct error *err);

/* ERROR_USAGE where what was recorded is not a program's, but the load of cxlmon itself. */
int playback_check_program(const struct recording_file *file, struct error *err);

/* With --verbose: says which machine and version of cxlmon the recording is from. */
void playback_describe(const struct options *options, const struct recording_file *file);

/*
 * A whole recording as time series. Initially all zero; freed by playback_series_close(), also
 * after failure.
 */
struct playback_series {
	struct recording_file file; /* open, as the series point into it */
	struct report report;
	struct error flaw; /* damage in the recording; code 0: none */
};

/*
 * Reads what is selected of one of the recordings. What is wrong with it is in .flaw: the samples
 * before that were read. As playback_open(), playback_check() and report_read().
 */
int playback_series_read(const struct options *options, const char *name,
			 struct playback_series *out, struct error *err);
void playback_series_close(struct playback_series *series);

#endif
