/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon replay: prints the samples of a recording, in any format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common.h"
#include "cli/messages.h"
#include "cli/playback.h"
#include "cli/subcommands.h"
#include "output/replace.h"
#include "record/replay.h"

static void help(void)
{
	fputs("Usage: cxlmon replay FILE [OPTION]... [INTERVAL]\n"
	      "Prints the samples of a recording as the monitor would have printed them. Needs neither\n"
	      "the recorded machine nor root. FILE may still be being written; - is standard input.\n"
	      "With INTERVAL, samples are summed up to rows of that length, such as 10 or 500ms.\n"
	      "\n"
	      "  -f, --format=FMT       output format: table (default on a terminal), csv (default\n"
	      "                         elsewhere), json, openmetrics\n"
	      "      --csv              same as --format=csv\n"
	      "      --json             same as --format=json\n"
	      "  -p, --per=SCOPE        show rows down to this level: cpu, unit (of events), port,\n"
	      "                         socket, system (default: as recorded)\n" HELP_WINDOW
	      "  -o, --output=FILE      write to FILE instead of standard output\n" HELP_QUIET
		      HELP_VERBOSE HELP_HELP "\n"
	      "Exit status 1: the recording is damaged or incomplete; its complete samples were printed.\n",
	      stdout);
}

/* A format that replaces the file with each sample: only the last state is written. */
static int write_last(struct sink *sink, struct replay *replay, const struct file_place *replaced,
		      struct error *err)
{
	char *text = NULL;
	size_t size = 0;
	int rc, written = 0;

	sink->out = open_memstream(&text, &size);
	if (!sink->out)
		return error_no_memory(err);
	while ((rc = replay_next(replay, err)) > 0) {
		rewind(sink->out);
		sink->format->sample(sink, &replay->aggregate.sample);
	}
	if (!fclose(sink->out) && replay->file->selected)
		written = replace_file(replaced, text, size);
	free(text);
	if (written)
		return error_set(err, EXIT_FAILED, written, "%s: cannot be written: %s", sink->path,
				 strerror(-written));
	return rc;
}

static int write_all(struct sink *sink, struct replay *replay, struct error *err)
{
	int rc;

	while ((rc = replay_next(replay, err)) > 0)
		sink->format->sample(sink, &replay->aggregate.sample);
	return rc;
}

static int show(const struct playback *playback, struct replay *replay,
		struct playback_output *output, struct error *err)
{
	const bool terminal = isatty(output->fd);
	struct sink sink = {
		.format = terminal ? &format_table : &format_csv,
		.out = output->out,
		.terminal = terminal,
		.fd = output->fd,
		.path = playback->output,
		.view = &replay->aggregate.view,
		.about = &replay->file->recording.about,
	};

	if (playback->format)
		sink.format = playback->format;
	int rc = sink.format->begin(&sink);
	if (rc)
		error_set(err, EXIT_FAILED, rc, "out of memory");
	else
		rc = output->replaced.directory >= 0
			     ? write_last(&sink, replay, &output->replaced, err)
			     : write_all(&sink, replay, err);
	if (sink.format->end)
		sink.format->end(&sink);
	return rc;
}

static void warn_of_weights(const struct playback *playback, const struct replay *replay)
{
	const struct log log = messages_log(playback->quiet, playback->verbose);

	if (replay->aggregate.unweighted)
		log_write(&log, LEVEL_WARNING,
			  "%s: recorded by an earlier version, which did not record what latencies "
			  "and ratios are divided by: these are empty in rows of several samples",
			  replay->file->name);
}

/* An error in the recording is returned after the samples before it were printed. */
static int show_all(const struct playback *playback, struct replay *replay, struct error *err)
{
	struct playback_output output;
	struct error why;
	int rc = playback_open_output(playback->output,
				      playback->format && playback->format->replaces, &output, err);

	if (rc)
		return rc;
	rc = show(playback, replay, &output, err);
	if (!rc)
		rc = playback_check(playback, replay->file, err);
	warn_of_weights(playback, replay);
	const int closed = playback_close_output(&output, &why);
	if (closed)
		*err = why;
	return closed ? closed : rc;
}

static int play(const struct playback *playback, struct error *err)
{
	struct replay replay = {.file = NULL};
	struct recording_file file;
	int rc = playback_open(playback, playback->files[0], &file, err);

	if (!rc)
		rc = replay_init(&replay, &file, playback->finest, playback->interval_ns, err);
	if (!rc) {
		playback_describe(playback, &file);
		rc = show_all(playback, &replay, err);
	}
	replay_free(&replay);
	recording_file_close(&file);
	return rc;
}

int cmd_replay(int argc, char **argv)
{
	struct playback playback;
	struct error err = {0};
	int rc = playback_parse(argc, argv, PLAYBACK_REPLAY, &playback, &err);

	if (!rc && playback.help)
		help();
	else if (!rc)
		rc = play(&playback, &err);
	return common_finish(argv[0], rc, &err);
}
