/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/playback.h"

#include <errno.h>
#include <getopt.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "cli/common.h"
#include "cli/messages.h"
#include "cli/options_table.h"
#include "output/output_file.h"
#include "platform/number.h"
#include "platform/text.h"

static int choose_format(struct playback *p, const char *name, struct error *err)
{
	p->format = format_find(name);
	return p->format ? 0
			 : options_usage(err, "unknown format", name,
					 "expected table, csv, json or openmetrics");
}

static int choose_output(struct playback *p, const char *name, struct error *err)
{
	p->output = name;
	return *name ? 0 : options_usage(err, "no output file", name, "expected a file name");
}

static int choose_scope(struct playback *p, const char *name, struct error *err)
{
	p->per = true;
	return options_scope(name, &p->finest, err);
}

static int choose_start(struct playback *p, const char *time, struct error *err)
{
	return time_point_parse("--from", time, &p->from, err);
}

static int choose_end(struct playback *p, const char *time, struct error *err)
{
	return time_point_parse("--to", time, &p->to, err);
}

static int set_quiet(struct playback *p, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	p->quiet = true;
	p->verbose = false;
	return 0;
}

static int set_verbose(struct playback *p, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	p->verbose = true;
	p->quiet = false;
	return 0;
}

static int set_help(struct playback *p, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	p->help = true;
	return 0;
}

static const struct playback_option {
	struct option option;
	int (*set)(struct playback *p, const char *value, struct error *err);
	const char *implied; /* passed to set where the option takes no value */
} options[] = {
	{{"help", no_argument, NULL, 'h'}, set_help, NULL},
	{{"quiet", no_argument, NULL, 'q'}, set_quiet, NULL},
	{{"verbose", no_argument, NULL, 'v'}, set_verbose, NULL},
	{{"output", required_argument, NULL, 'o'}, choose_output, NULL},
	{{"from", required_argument, NULL, 'F'}, choose_start, NULL},
	{{"to", required_argument, NULL, 'T'}, choose_end, NULL},
	/* of replay only */
	{{"format", required_argument, NULL, 'f'}, choose_format, NULL},
	{{"csv", no_argument, NULL, 'c'}, choose_format, "csv"},
	{{"json", no_argument, NULL, 'j'}, choose_format, "json"},
	{{"per", required_argument, NULL, 'p'}, choose_scope, NULL},
};

#define OPTIONS	       (sizeof(options) / sizeof(options[0]))
#define REPORT_OPTIONS 6

/* Those of options that have a letter on the command line. */
#define LETTERS	       "hqvo:f:p:"
#define REPORT_LETTERS "hqvo:"

static const struct playback_option *find_option(int code, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (options[i].option.val == code)
			return &options[i];
	return NULL;
}

static int parse_operands(int argc, char **argv, bool replays, struct playback *out,
			  struct error *err)
{
	const int most = replays ? 2 : 1;

	out->file = optind < argc ? argv[optind] : NULL;
	if (out->help)
		return 0;
	if (!out->file || !*out->file)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "%s: no recording: expected cxlmon %s FILE", argv[0], argv[0]);
	if (optind + most < argc && !replays)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "%s: unexpected argument '%s': expected -o FILE for the page",
				 argv[0], quoted(argv[optind + most]).text);
	if (optind + most < argc)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "%s: unexpected argument '%s': see cxlmon %s --help", argv[0],
				 quoted(argv[optind + most]).text, argv[0]);
	return optind + 1 < argc ? options_interval(argv[optind + 1], &out->interval_ns, err) : 0;
}

int playback_parse(int argc, char **argv, bool replays, struct playback *out, struct error *err)
{
	const size_t count = replays ? OPTIONS : REPORT_OPTIONS;
	struct option longs[OPTIONS + 1] = {{0}};
	int code, rc = 0;

	*out = (struct playback){.file = NULL};
	for (size_t i = 0; i < count; i++)
		longs[i] = options[i].option;
	optind = 0; /* makes getopt forget an earlier command line */
	opterr = 0;
	while (!rc && (code = getopt_long(argc, argv, replays ? LETTERS : REPORT_LETTERS, longs,
					  NULL)) != -1) {
		const struct playback_option *option = find_option(code, count);

		rc = option ? option->set(out, optarg ? optarg : option->implied, err)
			    : common_refuse_option(argv[0], argv[optind - 1], longs, err);
	}
	return rc ? rc : parse_operands(argc, argv, replays, out, err);
}

/* The scope that it was recorded with; if it does not say, the finest. */
static enum scope recorded_scope(const struct recording_info *about)
{
	enum scope scope = SCOPE_CPU;

	for (size_t i = 0; i < about->option_count; i++)
		if (!strcmp(about->options[i].name, "per"))
			options_scope(about->options[i].value, &scope, NULL);
	return scope;
}

static int check_scope(const struct playback *playback, const struct recording_info *about,
		       struct error *err)
{
	const enum scope recorded = recorded_scope(about);

	if (!playback->per || playback->finest >= recorded)
		return 0;
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "%s: was recorded with --per=%s, and has no rows below that",
			 playback->file, scope_names[recorded]);
}

static int check_interval(const struct playback *playback, const struct recording_info *about,
			  struct error *err)
{
	if (!playback->interval_ns || playback->interval_ns >= about->interval_ns)
		return 0;
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "%s: has a sample every %.9g s: expected an interval of that or more",
			 playback->file, (double)about->interval_ns / NS_PER_S);
}

static int select_time(const struct playback *playback, struct recording_file *file,
		       struct error *err)
{
	const uint64_t started_ns = file->recording.about.started_ns;

	tzset();
	file->from_ns = time_point_resolve(&playback->from, started_ns, 0);
	file->to_ns = time_point_resolve(&playback->to, started_ns, UINT64_MAX);
	if (file->from_ns < file->to_ns)
		return 0;
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "--from is not before --to: expected the "
			 "earlier time first");
}

int playback_open(const struct playback *playback, struct recording_file *file, struct error *err)
{
	const struct recording_info *about = &file->recording.about;
	int rc = recording_file_open(playback->file, file, err);

	if (!rc)
		rc = check_scope(playback, about, err);
	if (!rc)
		rc = check_interval(playback, about, err);
	return rc ? rc : select_time(playback, file, err);
}

int playback_check(const struct playback *playback, const struct recording_file *file,
		   struct error *err)
{
	if (file->selected ||
	    (playback->from.kind == TIME_NOT_GIVEN && playback->to.kind == TIME_NOT_GIVEN))
		return 0;
	return error_set(err, EXIT_FAILED, -ENODATA, "%s: has no sample in the time given",
			 playback->file);
}

void playback_describe(const struct playback *playback, const struct recording_info *about)
{
	const struct log log = messages_log(playback->quiet, playback->verbose);

	log_write(&log, LEVEL_DETAIL, "%s: recorded by cxlmon %s on %s", playback->file,
		  about->program, about->processor);
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
