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
 * Operands that a subcommand takes: recordings ("-": standard input), then perhaps an INTERVAL.
 */
struct playback_operands {
	size_t files;  /* number of recordings; with .several, the least number */
	bool interval; /* INTERVAL may follow */
	/* ends of messages: .missing if a recording is missing, .expected if an operand is extra */
	const char *missing, *expected;
	/*
	 * More recordings, of other hosts, may follow, but not NAME.html; each must be given only
	 * once. With .interval, the first of them that is a number is INTERVAL.
	 */
	bool several;
};

/*
 * Checks the operands and the output, and removes INTERVAL from options->operands, which then has
 * only recordings. Sets options->session.interval_ns to INTERVAL; if it is not given, the member
 * stays 0: every sample. ERROR_USAGE: an operand or the output is invalid.
 */
int playback_begin(struct options *options, const struct playback_operands *operands,
		   struct error *err);

/*
 * Checks that the output is not one of the files to be read (operands, and files of options),
 * because opening the output empties it. ERROR_USAGE: the output is such a file.
 */
int playback_check_output(const struct options *options, struct error *err);

/*
 * Checks that no operand, the recording of a host, is given twice: sums would count that host
 * twice. ERROR_USAGE: an operand is repeated.
 */
int playback_check_twice(const struct options *options, struct error *err);

/*
 * Kinds of blocks that only recordings of sweeps, calibrations, top and hot have. Ends with NULL.
 */
extern const struct block_kind *const playback_kinds[];

/*
 * Opens a recording, and selects the time of --from and --to. ERROR_USAGE: the requested rows or
 * interval are finer than the recorded ones, or --from is not before --to. Other errors as
 * recording_file_open(). Closed by recording_file_close(), even after an error.
 */
int playback_open(const struct options *options, const char *name, struct recording_file *file,
		  struct error *err);

/*
 * Warns of values that may be wrong. Call it after everything was read. ERROR_FAILED (-ENODATA):
 * no sample is in the time of --from and --to.
 */
int playback_check(const struct options *options, const struct recording_file *file,
		   struct error *err);

/*
 * Checks that the recording is of a program. ERROR_USAGE: it is of cxlmon's own load, as by
 * selftest or sweep.
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

/* Begins before the file is read. file and *p must stay valid until playback_progress_end(). */
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
