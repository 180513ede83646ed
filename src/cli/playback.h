/* SPDX-License-Identifier: BSD-3-Clause */
/* Reading of recordings, for replay, report and compare. */
#ifndef CXLMON_CLI_PLAYBACK_H
#define CXLMON_CLI_PLAYBACK_H

#include <stdbool.h>

#include "base/error.h"
#include "cli/common.h"
#include "cli/progress.h"
#include "record/recording_file.h"
#include "show/page/plotted.h"

/*
 * Operands of a subcommand: recordings ("-": standard input), then an interval, for
 * options->session.interval_ns. Without an interval, it is 0: every sample.
 */
struct playback_operands {
	size_t files;
	bool interval;
	const char *missing, *expected; /* texts of errors */
};

/* Takes the operands, and checks them and the output. ERROR_USAGE: invalid. */
int playback_begin(struct options *options, const struct playback_operands *operands,
		   struct error *err);

/*
 * Checks that the output is not a file to be read, an operand's or an option's: opening it for
 * writing would empty it. ERROR_USAGE: it is.
 */
int playback_check_output(const struct options *options, struct error *err);

/* Kinds of blocks, besides the kinds of every recording. */
extern const struct block_kind *const playback_kinds[];

/*
 * Opens one of the recordings, and selects the given time. Errors as recording_file_open(), or
 * ERROR_USAGE.
 */
int playback_open(const struct options *options, const char *name, struct recording_file *file,
		  struct error *err);

/*
 * Warns of values that may be wrong, after everything was read. ERROR_FAILED: no sample in the
 * given time.
 */
int playback_check(const struct options *options, const struct recording_file *file,
		   struct error *err);

/* Checks that the recording is of a program. ERROR_USAGE: it is of cxlmon's own load. */
int playback_check_program(const struct recording_file *file, struct error *err);

/*
 * Shows on a terminal how much of an opened recording has been read, until
 * playback_progress_end().
 */
struct playback_progress {
	struct progress progress;
	struct recording_file *file;
};

void playback_progress_begin(struct playback_progress *p, const struct options *options,
			     struct recording_file *file);
void playback_progress_end(struct playback_progress *p);

/* Says, with --verbose, which machine and version of cxlmon the recording is from. */
void playback_describe(const struct options *options, const struct recording_file *file);

/*
 * A whole recording as time series. Initially all zero; freed by playback_series_close(), also
 * after failure.
 */
struct playback_series {
	struct recording_file file; /* kept open, because the series point into it */
	struct report report;
	struct error flaw; /* damage in the recording; code 0: none */
};

/*
 * Reads the selected part of a recording. If it is damaged, .flaw says how, and the samples before
 * are read. Errors as playback_open(), playback_check() and report_read().
 */
int playback_series_read(const struct options *options, const char *name,
			 struct playback_series *out, struct error *err);
void playback_series_close(struct playback_series *series);

#endif
