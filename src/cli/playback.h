/* SPDX-License-Identifier: BSD-3-Clause */
/* Reads recordings, for replay, report, compare and explain. */
#ifndef CXLMON_CLI_PLAYBACK_H
#define CXLMON_CLI_PLAYBACK_H

#include <stdbool.h>

#include "base/error.h"
#include "cli/common.h"
#include "cli/progress.h"
#include "record/recording_file.h"
#include "show/page/plotted.h"

/*
 * Operands that a subcommand takes: recordings ("-": standard input), then an INTERVAL, if it takes
 * one.
 */
struct playback_operands {
	size_t files;  /* number of recordings; the fewest, if there may be several */
	bool interval; /* INTERVAL may follow */
	/* ends of messages: a recording is missing; there are too many operands */
	const char *missing, *expected;
	/*
	 * recordings of other hosts may follow, but not NAME.html; an operand that is a number is
	 * INTERVAL
	 */
	bool several;
};

/*
 * Checks the operands and the output, and sets options->session.interval_ns by INTERVAL (if it is
 * not given, it stays 0: every sample). Then options->operands has only recordings. ERROR_USAGE:
 * invalid.
 */
int playback_begin(struct options *options, const struct playback_operands *operands,
		   struct error *err);

/*
 * Checks that the output is not one of the files to be read (operands, and files of options),
 * because opening it would empty it. ERROR_USAGE: it is one.
 */
int playback_check_output(const struct options *options, struct error *err);

/*
 * Checks that no operand, each the recording of a host, is given twice: sums would count it twice.
 * ERROR_USAGE: one is.
 */
int playback_check_twice(const struct options *options, struct error *err);

/*
 * Kinds of blocks that recordings of sweep, calibration, top and hot have in addition. Ends with
 * NULL.
 */
extern const struct block_kind *const playback_kinds[];

/*
 * Opens a recording, and selects the time of --from and --to. ERROR_USAGE: it has no samples or
 * rows as fine as requested, or --from is not before --to. Other errors as recording_file_open().
 */
int playback_open(const struct options *options, const char *name, struct recording_file *file,
		  struct error *err);

/*
 * Warns of values that may be wrong. Call it after everything was read. ERROR_FAILED (-ENODATA): no
 * sample is in the given time.
 */
int playback_check(const struct options *options, const struct recording_file *file,
		   struct error *err);

/*
 * Checks that a program was recorded. ERROR_USAGE: cxlmon's own load was, as by selftest or sweep.
 */
int playback_check_program(const struct recording_file *file, struct error *err);

/*
 * Progress of reading a recording, shown on a terminal from playback_progress_begin() to
 * playback_progress_end().
 */
struct playback_progress {
	struct progress progress;
	struct recording_file *file;
};

/*
 * Begins, for a file that is then read. file and *p must stay valid until playback_progress_end().
 */
void playback_progress_begin(struct playback_progress *p, const struct options *options,
			     struct recording_file *file);
void playback_progress_end(struct playback_progress *p);

/* Logs, as a detail, the processor and the version of cxlmon that made the recording. */
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
 * Reads the selected part of a recording. If it is damaged, returns 0, and .flaw says how; the
 * samples before the damage are read. Errors as playback_open(), playback_check() and
 * report_read().
 */
int playback_series_read(const struct options *options, const char *name,
			 struct playback_series *out, struct error *err);
void playback_series_close(struct playback_series *series);

#endif
