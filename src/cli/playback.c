/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/playback.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/duration.h"
#include "cli/messages.h"
#include "output/fields.h"
#include "output/output_file.h"
#include "platform/number.h"
#include "platform/text.h"

int playback_set_time(const struct option_row *row, void *time, const char *value,
		      struct error *err)
{
	char name[16];

	snprintf(name, sizeof(name), "--%s", row->name);
	return time_point_parse(name, value, time, err);
}

static int take_operands(struct playback *playback, const char *subcommand,
			 const struct playback_operands *expected, struct error *err)
{
	char **operands = playback->options.operands;
	const size_t count = playback->options.operand_count, files = expected->files;
	const size_t most = files + expected->interval;

	for (size_t i = 0; i < files; i++) {
		playback->files[i] = i < count ? operands[i] : NULL;
		if (!playback->files[i] || !*playback->files[i])
			return error_set(err, EXIT_USAGE, -EINVAL, "%s: %s", subcommand,
					 expected->missing);
	}
	if (most < count)
		return error_set(err, EXIT_USAGE, -EINVAL, "%s: unexpected argument '%s': %s",
				 subcommand, quoted(operands[most]).text, expected->expected);
	return files < count ? interval_parse(operands[files], &playback->interval_ns, err) : 0;
}

static bool is_file(const char *name, const struct stat *file)
{
	struct stat st;

	return !(strcmp(name, "-") ? stat(name, &st) : fstat(STDIN_FILENO, &st)) &&
	       st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

/* Written first, a recording could not be read any more. A device or a pipe may be both. */
static int check_output(const struct playback *playback, struct error *err)
{
	struct stat output;

	if (!playback->options.output || stat(playback->options.output, &output) ||
	    !S_ISREG(output.st_mode))
		return 0;
	for (size_t i = 0; i < PLAYBACK_FILES && playback->files[i]; i++)
		if (is_file(playback->files[i], &output))
			return error_set(err, EXIT_USAGE, -EINVAL,
					 "%s: is the recording that is read, and would be lost: "
					 "choose another name for the output",
					 playback->options.output);
	return 0;
}

int playback_begin(struct playback *playback, const char *subcommand,
		   const struct playback_operands *operands, struct error *err)
{
	const int rc = take_operands(playback, subcommand, operands, err);

	return rc ? rc : check_output(playback, err);
}

/* The scope that it was recorded with; if it does not say, the finest. */
static enum scope recorded_scope(const struct recording_info *about)
{
	enum scope scope = SCOPE_CPU;

	for (size_t i = 0; i < about->option_count; i++)
		if (!strcmp(about->options[i].name, "per"))
			options_scope(about->options[i].value, &scope);
	return scope;
}

static int check_scope(const struct playback *playback, const struct recording_file *file,
		       struct error *err)
{
	const enum scope recorded = recorded_scope(&file->recording.about);

	if (!playback->per || playback->finest >= recorded)
		return 0;
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "%s: was recorded with --per=%s, and has no rows below that", file->name,
			 scope_names[recorded]);
}

static int check_interval(const struct playback *playback, const struct recording_file *file,
			  struct error *err)
{
	const uint64_t recorded_ns = file->recording.about.interval_ns;

	if (!playback->interval_ns || playback->interval_ns >= recorded_ns)
		return 0;
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "%s: has a sample every %.9g s: expected an interval of that or more",
			 file->name, (double)recorded_ns / NS_PER_S);
}

/* A local time that comes twice is said with the offset that tells it from the other one. */
static uint64_t resolve(const struct playback *playback, const char *option,
			const struct time_point *point, uint64_t started_ns, uint64_t otherwise)
{
	const struct log log = messages_log(playback->options.verbosity);
	const struct resolved_time time = time_point_resolve(point, started_ns, otherwise);
	char meant[TIME_POINT_SIZE], other[TIME_POINT_SIZE];

	if (time.twice)
		log_write(&log, LEVEL_NOTE,
			  "%s: this time comes twice, as clocks were set back: %s is taken; the "
			  "other one is %s",
			  option, time_point_text(time.ns, meant),
			  time_point_text(time.twin_ns, other));
	return time.ns;
}

static int select_time(const struct playback *playback, struct recording_file *file,
		       struct error *err)
{
	const uint64_t started_ns = file->recording.about.started_ns;

	tzset();
	file->from_ns = resolve(playback, "--from", &playback->from, started_ns, 0);
	file->to_ns = resolve(playback, "--to", &playback->to, started_ns, UINT64_MAX);
	if (file->from_ns < file->to_ns)
		return 0;
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "--from is not before --to: expected the "
			 "earlier time first");
}

int playback_open(const struct playback *playback, const char *name, struct recording_file *file,
		  struct error *err)
{
	int rc = recording_file_open(name, file, err);

	if (!rc)
		rc = check_scope(playback, file, err);
	if (!rc)
		rc = check_interval(playback, file, err);
	return rc ? rc : select_time(playback, file, err);
}

/* As the run said when it found that out. */
static void warn_of_doubts(const struct playback *playback, const struct recording_file *file)
{
	const struct log log = messages_log(playback->options.verbosity);
	char from[FIELD_TIME_SIZE], to[FIELD_TIME_SIZE], more[48] = "";

	if (!file->doubts)
		return;
	if (file->doubts > 1)
		snprintf(more, sizeof(more), ", and at %" PRIu64 " more times", file->doubts - 1);
	log_write(&log, LEVEL_WARNING,
		  "%s: values after %s and before %s may be wrong%s: another program had changed "
		  "or frozen units",
		  file->name, field_time_text(from, file->doubtful_from_ns),
		  field_time_text(to, file->doubtful_to_ns), more);
}

int playback_check(const struct playback *playback, const struct recording_file *file,
		   struct error *err)
{
	warn_of_doubts(playback, file);
	if (file->selected ||
	    (playback->from.kind == TIME_NOT_GIVEN && playback->to.kind == TIME_NOT_GIVEN))
		return 0;
	return error_set(err, EXIT_FAILED, -ENODATA, "%s: has no sample in the time given",
			 file->name);
}

void playback_describe(const struct playback *playback, const struct recording_file *file)
{
	const struct log log = messages_log(playback->options.verbosity);

	log_write(&log, LEVEL_DETAIL, "%s: recorded by cxlmon %s on %s", file->name,
		  file->recording.about.program, file->recording.about.processor);
}

int playback_open_output(const char *output, bool replaced, struct playback_output *out,
			 struct error *err)
{
	struct sudo_user caller;
	struct stat st;
	int rc = 0;

	*out = (struct playback_output){
		.name = "standard output",
		.out = stdout,
		.fd = STDOUT_FILENO,
		.replaced.directory = -1,
	};
	if (!output)
		return 0;
	rc = sudo_user_find(&caller, err);
	out->name = output;
	out->out = NULL;
	if (rc)
		return rc;
	out->fd = replaced ? output_open_replaced(output, &caller, &out->replaced, err)
			   : output_open(output, &caller, err);
	if (out->fd < 0 || out->replaced.directory >= 0)
		return out->fd < 0 ? out->fd : 0;
	if (fstat(out->fd, &st) || !S_ISREG(st.st_mode) || !ftruncate(out->fd, 0))
		out->out = fdopen(out->fd, "w");
	if (out->out)
		return 0;
	rc = error_set(err, EXIT_FAILED, -errno, "%s: cannot be written: %s", output,
		       strerror(errno));
	close(out->fd);
	return rc;
}

int playback_close_output(struct playback_output *out, struct error *err)
{
	int code = 0;

	if (out->replaced.directory >= 0)
		close(out->replaced.directory);
	if (!out->out)
		return 0;
	if (fflush(out->out) || ferror(out->out))
		code = errno ? errno : EIO;
	if (out->out != stdout && fclose(out->out) && !code)
		code = errno;
	out->out = NULL;
	return code ? error_set(err, EXIT_FAILED, -code, "%s: cannot be written: %s", out->name,
				strerror(code))
		    : 0;
}
