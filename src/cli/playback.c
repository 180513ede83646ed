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
	p->output = options_output_file(name);
	p->output_given = true;
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

static int add_condition(struct playback *p, const char *text, struct error *err)
{
	if (p->condition_count == PLAYBACK_CONDITIONS)
		return options_usage(err, "too many conditions", text, "expected 16 at most");
	p->conditions[p->condition_count++] = text;
	return 0;
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

#define REPLAYS	 (1U << PLAYBACK_REPLAY)
#define REPORTS	 (1U << PLAYBACK_REPORT)
#define COMPARES (1U << PLAYBACK_COMPARE)
#define ALL	 (REPLAYS | REPORTS | COMPARES)

static const struct playback_option {
	const char *name;
	char letter; /* 0: none */
	int has_value;
	unsigned commands; /* that have it */
	int (*set)(struct playback *p, const char *value, struct error *err);
	const char *implied; /* passed to set where the option takes no value */
} options[] = {
	{"help", 'h', no_argument, ALL, set_help, NULL},
	{"quiet", 'q', no_argument, ALL, set_quiet, NULL},
	{"verbose", 'v', no_argument, ALL, set_verbose, NULL},
	{"output", 'o', required_argument, ALL, choose_output, NULL},
	{"from", 0, required_argument, ALL, choose_start, NULL},
	{"to", 0, required_argument, ALL, choose_end, NULL},
	{"format", 'f', required_argument, REPLAYS | COMPARES, choose_format, NULL},
	{"csv", 0, no_argument, REPLAYS | COMPARES, choose_format, "csv"},
	{"json", 0, no_argument, REPLAYS | COMPARES, choose_format, "json"},
	{"per", 'p', required_argument, REPLAYS, choose_scope, NULL},
	{"fail-if", 0, required_argument, COMPARES, add_condition, NULL},
};

#define OPTIONS	  (sizeof(options) / sizeof(options[0]))
#define LONG_BASE 256 /* options without a letter are known to getopt by their row, beyond any */

/* What getopt needs to know of the options of a command. */
struct known_options {
	struct option longs[OPTIONS + 1];
	char letters[2 * OPTIONS + 1];
};

static struct known_options options_of(enum playback_command command)
{
	struct known_options known = {.letters = ""};
	size_t count = 0, used = 0;

	for (size_t i = 0; i < OPTIONS; i++) {
		const struct playback_option *o = &options[i];

		if (!(o->commands & 1U << command))
			continue;
		known.longs[count++] = (struct option){o->name, o->has_value, NULL,
						       o->letter ? o->letter : LONG_BASE + (int)i};
		if (o->letter)
			known.letters[used++] = o->letter;
		if (o->letter && o->has_value)
			known.letters[used++] = ':';
	}
	return known;
}

/* code is that of a known option, or '?'. */
static const struct playback_option *find_option(int code)
{
	for (size_t i = 0; i < OPTIONS; i++)
		if (code == LONG_BASE + (int)i || (options[i].letter && code == options[i].letter))
			return &options[i];
	return NULL;
}

/* Operands: recordings, then an interval. */
static const struct {
	int files;
	bool interval;
	const char *missing, *expected;
} operands[PLAYBACK_COMMANDS] = {
	[PLAYBACK_REPLAY] = {1, true, "no recording: expected cxlmon replay FILE",
			     "see cxlmon replay --help"},
	[PLAYBACK_REPORT] = {1, false, "no recording: expected cxlmon report FILE",
			     "expected -o FILE for the page"},
	[PLAYBACK_COMPARE] = {2, false, "expected two recordings: cxlmon compare A B",
			      "expected two recordings, and -o FILE for the page"},
};

static int parse_operands(int argc, char **argv, enum playback_command command,
			  struct playback *out, struct error *err)
{
	const int files = operands[command].files;
	const int most = optind + files + operands[command].interval;

	if (out->help)
		return 0;
	for (int i = 0; i < files; i++) {
		out->files[i] = optind + i < argc ? argv[optind + i] : NULL;
		if (!out->files[i] || !*out->files[i])
			return error_set(err, EXIT_USAGE, -EINVAL, "%s: %s", argv[0],
					 operands[command].missing);
	}
	if (most < argc)
		return error_set(err, EXIT_USAGE, -EINVAL, "%s: unexpected argument '%s': %s",
				 argv[0], quoted(argv[most]).text, operands[command].expected);
	return optind + files < argc
		       ? options_interval(argv[optind + files], &out->interval_ns, err)
		       : 0;
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

	if (!playback->output || stat(playback->output, &output) || !S_ISREG(output.st_mode))
		return 0;
	for (size_t i = 0; i < PLAYBACK_FILES && playback->files[i]; i++)
		if (is_file(playback->files[i], &output))
			return error_set(err, EXIT_USAGE, -EINVAL,
					 "%s: is the recording that is read, and would be lost: "
					 "choose another name for the output",
					 playback->output);
	return 0;
}

int playback_parse(int argc, char **argv, enum playback_command command, struct playback *out,
		   struct error *err)
{
	const struct known_options known = options_of(command);
	int code, rc = 0;

	*out = (struct playback){.output = NULL};
	optind = 0; /* makes getopt forget an earlier command line */
	opterr = 0;
	while (!rc && (code = getopt_long(argc, argv, known.letters, known.longs, NULL)) != -1) {
		const struct playback_option *option = find_option(code);

		rc = option ? option->set(out, optarg ? optarg : option->implied, err)
			    : common_refuse_option(argv[0], argv[optind - 1], known.longs, err);
	}
	if (!rc)
		rc = parse_operands(argc, argv, command, out, err);
	return rc ? rc : check_output(out, err);
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

int playback_check(const struct playback *playback, const struct recording_file *file,
		   struct error *err)
{
	if (file->selected ||
	    (playback->from.kind == TIME_NOT_GIVEN && playback->to.kind == TIME_NOT_GIVEN))
		return 0;
	return error_set(err, EXIT_FAILED, -ENODATA, "%s: has no sample in the time given",
			 file->name);
}

void playback_describe(const struct playback *playback, const struct recording_file *file)
{
	const struct log log = messages_log(playback->quiet, playback->verbose);

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
