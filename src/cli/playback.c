/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/playback.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/number.h"
#include "base/text.h"
#include "linux/kernel/clock.h"
#include "output/fields.h"
#include "probe/hot/hot_block.h"
#include "probe/sweep/calibration.h"
#include "probe/sweep/sweep_point.h"
#include "probe/top/top.h"

const struct block_kind *const playback_kinds[] = {
	&hot_block, &sweep_block, &calibration_block, &top_block, NULL,
};

/* Returns how many of the operands are recordings. */
static size_t count_files(const struct options *options, const struct playback_operands *expected)
{
	size_t count = expected->files;

	while (expected->several && count < options->operand_count &&
	       !(expected->interval && reads_as_number(options->operands[count])))
		count++;
	return count;
}

int playback_check_twice(const struct options *options, struct error *err)
{
	for (size_t i = 1; i < options->operand_count; i++)
		for (size_t k = 0; k < i; k++)
			if (!strcmp(options->operands[i], options->operands[k]))
				return error_set(err, ERROR_USAGE, -EINVAL,
						 "%s: '%s' is given twice: expected each recording "
						 "once",
						 options->subcommand->name,
						 quoted(options->operands[i]).text);
	return 0;
}

static bool is_page(const char *name)
{
	const char *end = strrchr(name, '.');

	return end && !strcmp(end, ".html");
}

/*
 * Returns the index of the first operand that is not expected; options->operand_count or more:
 * none. A page among several recordings is meant as the output.
 */
static size_t find_unexpected(const struct options *options,
			      const struct playback_operands *expected, size_t most)
{
	size_t i = expected->several ? 1 : most;

	while (i < most && i < options->operand_count && !is_page(options->operands[i]))
		i++;
	return i;
}

static int take_operands(struct options *options, const struct playback_operands *expected,
			 struct error *err)
{
	const char *name = options->subcommand->name;
	char **operands = options->operands;
	const size_t count = options->operand_count, files = count_files(options, expected);
	const size_t unexpected = find_unexpected(options, expected, files + expected->interval);

	for (size_t i = 0; i < files; i++)
		if (i >= count || !*operands[i])
			return error_set(err, ERROR_USAGE, -EINVAL, "%s: %s", name,
					 expected->missing);
	if (unexpected < count)
		return error_set(err, ERROR_USAGE, -EINVAL, "%s: unexpected argument '%s': %s",
				 name, quoted(operands[unexpected]).text, expected->expected);
	options->operand_count = files;
	if (expected->several && playback_check_twice(options, err))
		return err->code;
	return files < count ? interval_parse(operands[files], &options->session.interval_ns, err)
			     : 0;
}

static bool is_file(const char *name, const struct stat *file)
{
	struct stat st;

	return !(strcmp(name, "-") ? stat(name, &st) : fstat(STDIN_FILENO, &st)) &&
	       st.st_dev == file->st_dev && st.st_ino == file->st_ino;
}

/* Refuses an output that is the recording; a device or a pipe may be both. */
static int check_output(const struct options *options, const char *name, struct error *err)
{
	struct stat output;

	if (!name || !options->output || stat(options->output, &output) ||
	    !S_ISREG(output.st_mode) || !is_file(name, &output))
		return 0;
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "%s: is the recording that is being read: choose another "
			 "name for the output",
			 options->output);
}

int playback_check_output(const struct options *options, struct error *err)
{
	const char *const names[] = {options->recorded, options->weights, options->calibration};
	int rc = 0;

	for (size_t i = 0; !rc && i < options->operand_count; i++)
		rc = check_output(options, options->operands[i], err);
	for (size_t i = 0; !rc && i < sizeof(names) / sizeof(*names); i++)
		rc = check_output(options, names[i], err);
	return rc;
}

int playback_begin(struct options *options, const struct playback_operands *operands,
		   struct error *err)
{
	const int rc = take_operands(options, operands, err);

	return rc ? rc : playback_check_output(options, err);
}

/* Refuses rows or samples finer than the recorded ones. */
static int check_detail(const struct options *options, const struct recording_file *file,
			struct error *err)
{
	const uint64_t interval_ns = options->session.interval_ns;
	const struct recording_info *info = &file->recording.info;
	const char *per = recorded_option(info, "per");
	enum scope recorded = SCOPE_CPU; /* the finest scope, if the recording has none */

	if (per)
		options_scope(per, &recorded);
	if (options->scope_chosen && options->session.view.finest < recorded)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "%s: was recorded with --per=%s, and has no rows below that",
				 file->name, scope_names[recorded]);
	if (interval_ns && interval_ns < info->interval_ns)
		return error_set(
			err, ERROR_USAGE, -EINVAL,
			"%s: has a sample every %.9g s: expected an interval of that or more",
			file->name, (double)info->interval_ns / NS_PER_S);
	return 0;
}

/*
 * Resolves a time. Notes a local time that comes twice, with the offset that tells it from the
 * other.
 */
static uint64_t resolve_time(const struct options *options, const char *option,
			     const struct time_point *point, uint64_t started_ns,
			     uint64_t otherwise)
{
	const struct resolved_time time = time_point_resolve(point, started_ns, otherwise);
	char meant[TIME_POINT_SIZE], other[TIME_POINT_SIZE];

	if (time.twice)
		log_write(&options->log, LEVEL_NOTE,
			  "%s: this time occurs twice, because the clock was set back: %s is "
			  "used; the other is %s",
			  option, time_point_text(time.ns, meant),
			  time_point_text(time.twin_ns, other));
	return time.ns;
}

static int select_time(const struct options *options, struct recording_file *file,
		       struct error *err)
{
	const uint64_t started_ns = file->recording.info.started_ns;

	tzset();
	file->from_ns = resolve_time(options, "--from", &options->from, started_ns, 0);
	file->to_ns = resolve_time(options, "--to", &options->to, started_ns, UINT64_MAX);
	if (file->from_ns < file->to_ns)
		return 0;
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "--from is not before --to: expected the "
			 "earlier time first");
}

int playback_open(const struct options *options, const char *name, struct recording_file *file,
		  struct error *err)
{
	int rc = recording_file_open(name, playback_kinds, file, err);

	if (!rc)
		rc = check_detail(options, file, err);
	return rc ? rc : select_time(options, file, err);
}

static void show_reading(void *context, uint64_t offset)
{
	struct playback_progress *p = context;
	const uint64_t now_ns = clock_monotonic();

	if (progress_is_due(&p->progress, now_ns))
		progress_show(&p->progress,
			      progress_left(&p->progress, now_ns, offset, p->file->size),
			      "reading %s", quoted(p->file->name).text);
}

void playback_progress_begin(struct playback_progress *p, const struct options *options,
			     struct recording_file *file)
{
	*p = (struct playback_progress){.file = file};
	progress_begin(&p->progress, progress_terminal(options->verbosity), &options->log);
	progress_start(&p->progress, clock_monotonic());
	file->watch = show_reading;
	file->context = p;
}

void playback_progress_end(struct playback_progress *p)
{
	p->file->watch = NULL;
	progress_end(&p->progress);
}

int playback_check(const struct options *options, const struct recording_file *file,
		   struct error *err)
{
	char from[FIELD_TIME_SIZE], to[FIELD_TIME_SIZE], more[48] = "";

	if (file->doubts > 1)
		snprintf(more, sizeof(more), ", and at %" PRIu64 " more times", file->doubts - 1);
	/* said as the run itself said it */
	if (file->doubts)
		log_write(&options->log, LEVEL_WARNING,
			  "%s: values after %s and before %s may be wrong%s: another program had "
			  "changed or frozen units",
			  file->name, field_time_text(from, file->doubtful_from_ns),
			  field_time_text(to, file->doubtful_to_ns), more);
	if (file->selected ||
	    (options->from.kind == TIME_NOT_GIVEN && options->to.kind == TIME_NOT_GIVEN))
		return 0;
	return error_set(err, ERROR_FAILED, -ENODATA, "%s: has no sample in the given time",
			 file->name);
}

int playback_check_program(const struct recording_file *file, struct error *err)
{
	const char *load = recorded_option(&file->recording.info, RECORDED_LOAD);

	return load ? error_set(err, ERROR_USAGE, -EINVAL,
				"%s: is a %s: expected the recording of a program", file->name,
				load)
		    : 0;
}

void playback_describe(const struct options *options, const struct recording_file *file)
{

	log_write(&options->log, LEVEL_DETAIL, "%s: recorded by cxlmon %s on %s", file->name,
		  file->recording.info.program, file->recording.info.processor);
}

int playback_series_read(const struct options *options, const char *name,
			 struct playback_series *out, struct error *err)
{
	int rc = playback_open(options, name, &out->file, err);

	if (!rc)
		playback_describe(options, &out->file);
	if (!rc) {
		struct playback_progress progress;

		playback_progress_begin(&progress, options, &out->file);
		rc = report_read(&out->file, &out->report, &out->flaw, err);
		playback_progress_end(&progress);
	}
	return rc ? rc : playback_check(options, &out->file, err);
}

int playback_read_whole(const struct options *options, const char *name,
			struct playback_series *out, struct error *err)
{
	struct options whole = *options;

	whole.session.interval_ns = 0; /* every sample */
	whole.from.kind = whole.to.kind = TIME_NOT_GIVEN;
	whole.scope_chosen = false;
	return playback_series_read(&whole, name, out, err);
}

void playback_series_close(struct playback_series *series)
{
	report_free(&series->report);
	recording_file_close(&series->file);
}
