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
 * Operands that a subcommand takes: recordings ("-": standard input), and perhaps an INTERVAL after
 * them.
 */
struct playback_operands {
	size_t files;  /* number of recordings; with .several, the least number */
	bool interval; /* INTERVAL may follow */
	/*
	 * Ends of messages. .missing: there are too few recordings, or a name is empty. .expected:
	 * an operand is not expected.
	 */
	const char *missing, *expected;
	/*
	 * Recordings of other hosts may follow the first .files ones. If .interval is set, the
	 * first of the following operands that is a number is INTERVAL. No recording may be given
	 * twice, and only the first may end with ".html".
	 */
	bool several;
};

/*
 * Checks the operands and the output. Removes INTERVAL from options->operands, and sets
 * options->session.interval_ns to it (without INTERVAL, it stays 0: every sample). Returns 0 or
 * -EINVAL (ERROR_USAGE): an operand or the output is invalid.
 */
int playback_begin(struct options *options, const struct playback_operands *operands,
		   struct error *err);

/*
 * Checks that the output is not also an input (an operand, or a file of an option): opening the
 * output empties it. Returns 0 or -EINVAL (ERROR_USAGE): it is an input.
 */
int playback_check_output(const struct options *options, struct error *err);

/*
 * Checks that no operand is given twice: sums over hosts would count that host twice. Returns 0 or
 * -EINVAL (ERROR_USAGE): one is.
 */
int playback_check_twice(const struct options *options, struct error *err);

/* Kinds of blocks in recordings of sweep, top and hot, besides samples. Ends with NULL. */
extern const struct block_kind *const playback_kinds[];

/*
 * Opens a recording, and selects the time between --from and --to. Returns 0 or a negative errno.
 * ERROR_USAGE: the requested rows or interval are finer than the recorded ones, or --from is not
 * before --to. Other errors as recording_file_open(). Closed by recording_file_close(), also after
 * an error.
 */
int playback_open(const struct options *options, const char *name, struct recording_file *file,
		  struct error *err);

/*
 * Logs a warning if values may be wrong, because another program had changed or frozen units. Call
 * it after all was read. If --from or --to is given, and no sample is between them, returns
 * -ENODATA (ERROR_FAILED). Otherwise returns 0, also for a recording without samples.
 */
int playback_check(const struct options *options, const struct recording_file *file,
		   struct error *err);

/*
 * Checks that the recorded load was a program's. Returns 0 or -EINVAL (ERROR_USAGE): cxlmon made
 * the load itself, as by sweep.
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

/* Begins. Call it before the file is read. file and *p must not move until the end. */
void playback_progress_begin(struct playback_progress *p, const struct options *options,
			     struct recording_file *file);
void playback_progress_end(struct playback_progress *p);

/* Logs, as a detail, the recording's processor and version of cxlmon. */
void playback_describe(const struct options *options, const struct recording_file *file);

/*
 * A recording as series. Initially zero; freed by playback_series_close(), also after failure.
 */
struct playback_series {
	struct recording_file file; /* open, because the report points into it */
	struct report report;
	struct error flaw; /* damage of the recording; .code 0: none */
};

/*
 * Reads the selected part of a recording. If the recording is damaged, returns 0 with the samples
 * before the damage, and sets .flaw. Errors as playback_open(), report_read() and playback_check().
 */
int playback_series_read(const struct options *options, const char *name,
			 struct playback_series *out, struct error *err);
/*
 * Reads all of a recording that is not the program's, such as a calibration, as
 * playback_series_read() does. The options choose time and rows of the program's recording only.
 */
int playback_read_whole(const struct options *options, const char *name,
			struct playback_series *out, struct error *err);
void playback_series_close(struct playback_series *series);

#endif
