/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon replay: prints the samples of a recording, in any format. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/common.h"
#include "cli/messages.h"
#include "cli/playback.h"
#include "cli/subcommands.h"
#include "output/replace.h"
#include "record/recording_file.h"

static void help(void)
{
	fputs("Usage: cxlmon replay FILE [OPTION]...\n"
	      "Prints the samples of a recording as the monitor would have printed them. Needs neither\n"
	      "the recorded machine nor root. FILE may still be being written; - is standard input.\n"
	      "\n"
	      "  -f, --format=FMT       output format: table (default on a terminal), csv (default\n"
	      "                         elsewhere), json, openmetrics\n"
	      "      --csv              same as --format=csv\n"
	      "      --json             same as --format=json\n"
	      "  -o, --output=FILE      write to FILE instead of standard output\n" HELP_QUIET
		      HELP_VERBOSE HELP_HELP "\n"
	      "Exit status 1: the recording is damaged or incomplete; its complete samples were printed.\n",
	      stdout);
}

/* A format that replaces the file with each sample: only the last state is written. */
static int write_last(struct sink *sink, struct recording_file *file,
		      const struct file_place *replaced, struct error *err)
{
	char *text = NULL;
	size_t size = 0;
	int rc, written = 0;

	sink->out = open_memstream(&text, &size);
	if (!sink->out)
		return error_no_memory(err);
	while ((rc = recording_file_next(file, err)) > 0) {
		rewind(sink->out);
		sink->format->sample(sink, &file->recording.sample);
	}
	if (!fclose(sink->out) && file->recording.samples)
		written = replace_file(replaced, text, size);
	free(text);
	if (written)
		return error_set(err, EXIT_FAILED, written, "%s: cannot be written: %s", sink->path,
				 strerror(-written));
	return rc;
}

static int write_all(struct sink *sink, struct recording_file *file, struct error *err)
{
	int rc;

	while ((rc = recording_file_next(file, err)) > 0)
		sink->format->sample(sink, &file->recording.sample);
	return rc;
}

static int show(const struct playback *playback, struct recording_file *file,
		struct playback_output *output, struct error *err)
{
	const bool terminal = isatty(output->fd);
	struct sink sink = {
		.format = terminal ? &format_table : &format_csv,
		.out = output->out,
		.terminal = terminal,
		.fd = output->fd,
		.path = playback->output,
		.view = &file->recording.view,
		.about = &file->recording.about,
	};

	if (playback->format)
		sink.format = playback->format;
	int rc = sink.format->begin(&sink);
	if (rc)
		error_set(err, EXIT_FAILED, rc, "out of memory");
	else
		rc = output->replaced.directory >= 0
			     ? write_last(&sink, file, &output->replaced, err)
			     : write_all(&sink, file, err);
	if (sink.format->end)
		sink.format->end(&sink);
	return rc;
}

/* An error in the recording is returned after the samples before it were printed. */
static int replay(const struct playback *playback, struct error *err)
{
	struct playback_output output;
	struct recording_file file;
	struct error why;
	int rc = recording_file_open(playback->file, &file, err);

	if (!rc)
		rc = playback_open_output(playback->output,
					  playback->format && playback->format->replaces, &output,
					  err);
	if (!rc) {
		playback_describe(playback, &file.recording.about);
		rc = show(playback, &file, &output, err);
		const int closed = playback_close_output(&output, &why);
		if (closed) {
			rc = closed;
			*err = why;
		}
	}
	recording_file_close(&file);
	return rc;
}

int cmd_replay(int argc, char **argv)
{
	struct playback playback;
	struct error err = {0};
	int rc = playback_parse(argc, argv, true, &playback, &err);

	if (!rc && playback.help)
		help();
	else if (!rc)
		rc = replay(&playback, &err);
	return common_finish(argv[0], rc, &err);
}
