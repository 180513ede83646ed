/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon replay: prints the samples of a recording, in any format. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli_private.h"
#include "cli/common.h"
#include "cli/playback.h"
#include "cli/replayed.h"
#include "output/diagnostics.h"
#include "output/summary.h"
#include "probe/hot/hot_block.h"
#include "probe/hot/print.h"
#include "record/recording_file.h"

/* Shows a sample. summary NULL: no summary is wanted. */
static void show_sample(struct sink *sink, const struct replay *replay, const struct log *log,
			struct summary *summary)
{
	diagnostics_say_marks(log, &replay->aggregate.table.marks, true);
	sink->format->sample(sink, &replay->aggregate.sample);
	if (summary)
		summary_add(summary, &replay->aggregate.sample);
}

/* Writes only the last state, for a format that replaces the file with each sample. */
static int write_last(struct sink *sink, struct replay *replay, const struct log *log,
		      struct summary *summary, const struct file_place *replaced, struct error *err)
{
	char *text = NULL;
	size_t size = 0;
	int rc, written = 0;

	sink->out = open_memstream(&text, &size);
	if (!sink->out)
		return error_no_memory(err);
	while ((rc = replay_next(replay, err)) > 0) {
		rewind(sink->out);
		show_sample(sink, replay, log, summary);
	}
	if (!fclose(sink->out) && replay->file->selected)
		written = replace_file(replaced, text, size);
	free(text);
	return written ? output_cannot_write(sink->path, written, err) : rc;
}

static int show_hot(const struct hot_format *format, struct recording_file *file,
		    const struct common_output *output, struct error *err)
{
	const struct winsize size = common_table_size(output->fd);
	struct hot_sheet sheet = {.out = output->out, .width = size.ws_col, .height = size.ws_row};
	int rc;

	if (format->begin)
		format->begin(&sheet);
	for (; (rc = recording_file_next(file, err)) > 0; sheet.reports++) {
		const struct process_report *report = hot_recorded(&file->recording);

		hot_recorded_sum_up(&file->recording);
		if (report)
			format->report(&sheet, report);
	}
	const struct process_report *run = hot_recorded_run(&file->recording);
	if (run && format->sums_up)
		format->report(&sheet, run);
	return rc;
}

static int show_replay(const struct options *options, struct replay *replay,
		       struct summary *summary, struct common_output *output, struct error *err)
{
	struct recording_info info = replay->file->recording.info;
	struct sink sink = {
		.format = common_row_format(options, output->fd),
		.out = output->out,
		.terminal = isatty(output->fd),
		.fd = output->fd,
		.path = options->output,
		.table = &replay->aggregate.table,
		.info = &info,
	};

	const struct hot_format *hot = replay_format_of_hot(replay->file, sink.format);
	if (hot)
		return show_hot(hot, replay->file, output, err);
	if (options->session.interval_ns)
		info.interval_ns = options->session.interval_ns;
	int rc = sink.format->begin(&sink);
	if (rc)
		error_set(err, ERROR_FAILED, rc, "out of memory");
	else if (output->replaced.directory >= 0)
		rc = write_last(&sink, replay, &options->log, summary, &output->replaced, err);
	else
		while ((rc = replay_next(replay, err)) > 0)
			show_sample(&sink, replay, &options->log, summary);
	if (sink.format->end)
		sink.format->end(&sink);
	return rc;
}

/* Prints all samples, and then returns an error of the recording. */
static int show_all(const struct options *options, struct replay *replay, struct summary *summary,
		    struct error *err)
{
	struct common_output output;
	struct error why;
	const bool replaces = options->format && options->format->replaces;
	int rc = common_open_output(options->output,
				    replaces ? CONTENTS_REPLACED : CONTENTS_EMPTIED, &output, err);

	if (rc)
		return rc;
	rc = show_replay(options, replay, summary, &output, err);
	if (!rc)
		rc = playback_check(options, replay->file, err);
	const int closed = common_close_output(&output, 0, &why);
	if (closed)
		*err = why;
	return closed ? closed : rc;
}

/* Returns whether only the summary is printed, without rows: --summary without another output. */
static bool is_summary_alone(const struct options *options)
{
	return options->summary == SUMMARY_ALWAYS && !options->format && !options->output_given &&
	       !options->screen;
}

static int sum_up(struct options *options, struct replay *replay, struct summary *summary,
		  struct error *err)
{
	struct playback_progress progress;
	int rc;

	playback_progress_begin(&progress, options, replay->file);
	while ((rc = replay_next(replay, err)) > 0) {
		diagnostics_say_marks(&progress.progress.log, &replay->aggregate.table.marks, true);
		summary_add(summary, &replay->aggregate.sample);
	}
	playback_progress_end(&progress);
	return rc ? rc : playback_check(options, replay->file, err);
}

static int show_on_screen(struct options *options, struct replay *replay, struct error *err)
{
	const int rc = replay_screen(options, replay, err);

	return rc ? rc : playback_check(options, replay->file, err);
}

static int play_recording(struct options *options, struct error *err)
{
	struct summary *summary = NULL;
	char processor[RECORDED_PROCESSOR_SIZE];
	const bool alone = is_summary_alone(options);
	struct replayed replayed;
	struct replay *replay = &replayed.replay;
	int rc = replay_open(options, options->operands[0], &replayed, err);

	if (!rc && options->summary == SUMMARY_ALWAYS &&
	    summary_new(&replay->aggregate.table, SUMMARY_WHOLE, &summary))
		rc = error_no_memory(err);
	if (!rc) {
		playback_describe(options, &replayed.file);
		rc = options->screen ? show_on_screen(options, replay, err)
		     : alone	     ? sum_up(options, replay, summary, err)
				     : show_all(options, replay, summary, err);
	}
	if (summary)
		messages_summary(summary,
				 recorded_processor(&replayed.file.recording.info, processor),
				 replay->elapsed_ns, alone ? stdout : stderr,
				 common_table_size(alone ? STDOUT_FILENO : STDERR_FILENO).ws_col);
	summary_free(summary);
	replay_close(&replayed);
	return rc;
}

static int run_replay(struct options *options, struct error *err)
{
	static const struct playback_operands operands = {
		1, true, "no recording: expected cxlmon replay FILE", "see cxlmon replay --help",
		true};
	int rc = playback_begin(options, &operands, err);

	if (!rc && options->operand_count > 1)
		return replay_hosts(options, err);
	if (!rc && options->screen)
		rc = replay_screen_check(options, err);
	return rc ? rc : play_recording(options, err);
}

static const struct option_row rows[] = {
	{OPTION_FORMAT, .choices = options_formats, .names = options_more_formats,
	 .help = "print as table (default on a terminal), csv (default\n"
		 "elsewhere), @"},
	{OPTION_FORMAT_CSV, .help = "print CSV, like --format=csv"},
	{OPTION_FORMAT_JSON, .help = "print JSON Lines, like --format=json"},
	{OPTION_METRICS, .argument = "LIST",
	 .help = "show these of the recorded metric groups, in this order (default all)"},
	{OPTION_METRIC, .help = "add a custom metric, NAME = FORMULA, of counted events"},
	{OPTION_METRICS_FROM, .help = "add the custom metrics of FILE"},
	{OPTION_PER, .help = "show rows down to this level: cpu, unit (of events), port,\n"
			     "socket, system (default: as recorded)"},
	OPTIONS_OF_TIME,
	{OPTION_OUTPUT, .help = "write to FILE instead of standard output"},
	{OPTION_SUMMARY, .help = "print a summary instead of rows; with -f or -o both, the\n"
				 "summary on standard error"},
	{OPTION_MEMBER(FLAG, screen), .name = "screen",
	 .help = "show the samples on the live screen, as fast as they were taken"},
	OPTIONS_MESSAGES,
	{.name = NULL},
};

const struct subcommand cmd_replay = {
	.name = "replay",
	.purpose = "print the samples of a recording, in any format",
	.run = run_replay,
	.usage =
		"Usage: cxlmon replay FILE... [OPTION]... [INTERVAL]\n"
		"Prints the samples of a recording as the monitor would have printed them. Needs neither\n"
		"the recorded machine nor root. FILE may still be being written; - is standard input.\n"
		"With INTERVAL, samples are summed up to rows of that length, such as 10 or 500ms.\n"
		"Samples of several files, one per host, come in the order of time, with their host.\n"
		"\n",
	.options = rows,
	.operand = "FILE",
	.notes =
		"\n"
		"Exit status 1: a recording is damaged or incomplete; its complete samples were printed.\n",
	.operands = SIZE_MAX,
};
