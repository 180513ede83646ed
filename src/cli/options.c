/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cli/duration.h"
#include "platform/habits.h"
#include "platform/number.h"
#include "platform/text.h"
#include "session/session.h"

/* A number, also with a unit, is meant as INTERVAL or COUNT. */
static bool reads_as_number(const char *text)
{
	char *end;

	strtod(text, &end);
	if (end == text || isalpha((unsigned char)*text))
		return false;
	while (isalpha((unsigned char)*end) && end[-1] != '.')
		end++;
	return !*end;
}

/* After an error: what a user of other tools may have meant. */
static int hint_at(int rc, const char *what, const char *text, struct error *err)
{
	const char *hint = rc ? habit_hint(HABIT_NUMBER, text) : NULL;

	return hint ? options_usage(err, what, text, hint) : rc;
}

/* operands: the number of INTERVAL and COUNT so far */
static int parse_operand(struct options *o, unsigned *operands, const char *text, struct error *err)
{
	if (o->record && !o->format && !reads_as_number(text))
		return options_set_recording(o, text, err);
	switch ((*operands)++) {
	case 0:
		o->interval_text = text;
		return hint_at(interval_parse(text, &o->session.interval_ns, err),
			       "not an interval", text, err);
	case 1:
		return hint_at(count_parse(text, &o->count, err), "not a count of samples", text,
			       err);
	default:
		return options_usage(err, "unexpected argument", text,
				     "expected at most INTERVAL and COUNT; a command follows --");
	}
}

/* What only registers have. */
static int check_backend(const struct options *o, struct error *err)
{
	if (o->session.backend != BACKEND_PERF)
		return 0;
	if (o->session.ownership == OWNERSHIP_FORCE)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "--force: the kernel shares counters out, so none can be taken "
				 "from others with --backend=perf");
	if (o->session.freeze == FREEZE_ALWAYS)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "--freeze=always: the kernel freezes no counters while they are "
				 "read with --backend=perf");
	return 0;
}

/* What can't be told before all options are known. */
static int check_output(const struct options *o, struct error *err)
{
	if (!o->record && (o->host || o->notes.count))
		return options_usage(err, "only a recording has", o->host ? "--host" : "--note",
				     "expected cxlmon record FILE");
	if (o->append && o->record)
		return options_usage(err, "record takes no option", "--append",
				     "expected a new FILE for each recording");
	if (o->append && !o->output)
		return options_usage(err, "no file for option", "--append", "expected -o FILE");
	if (o->append && o->format && o->format->replaces)
		return options_usage(err, "no option for this format", "--append",
				     "expected table, csv or json, since each sample replaces the "
				     "file");
	if (o->no_header && o->format && o->format != &format_csv)
		return options_usage(err, "no option for this format", "--no-header",
				     "expected csv, which alone has a header row");
	return 0;
}

static int unknown_option(const struct option_parser *parser, const char *word, int code,
			  struct error *err)
{
	const char *hint = habit_hint(HABIT_OPTION, word), *nearest = option_nearest(parser, word);

	if (code == ':')
		return options_usage(err, "no value for option", word, "see cxlmon --help");
	if (hint)
		return options_usage(err, "not an option here", word, hint);
	if (word[0] == '-' && (isdigit((unsigned char)word[1]) || word[1] == '.'))
		return options_usage(err, "not an interval", word, EXPECTED_TIME);
	if (nearest)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "unknown option '%s': did you mean --%s? see cxlmon --help",
				 quoted(word).text, nearest);
	return options_usage(err, "unknown option", word, "see cxlmon --help");
}

/* -silent is no -s with a list of sockets. */
static int option_failed(int rc, const char *word, struct error *err)
{
	const char *hint = rc ? habit_hint(HABIT_OPTION, word) : NULL;

	return hint ? options_usage(err, "not an option here", word, hint) : rc;
}

/* Options and operands up to a command. dashes: "--" was seen. */
static int parse_words(int argc, char **argv, struct options *o, bool *dashes, struct error *err)
{
	struct option_parser parser;
	unsigned operands = 0;
	int rc = 0;

	option_parser_init(&parser, monitor_options, true);
	while (!rc) {
		const int word = optind ? optind : 1;
		const struct option_row *row;
		const int code = option_parser_next(&parser, argc, argv, &row);

		*dashes = code == -1 && optind > word; /* getopt has skipped it */
		if (code == -1)
			break;
		if (code == OPTION_OPERAND)
			rc = parse_operand(o, &operands, optarg, err);
		else if (code == OPTION_ROW)
			rc = option_failed(option_set(row, o, optarg, err), argv[word], err);
		else
			rc = unknown_option(&parser, argv[word], code, err);
	}
	return rc;
}

/* What open_session() takes, of what is kept elsewhere. */
static void complete_session(struct options *o)
{
	struct session_options *s = &o->session;

	s->events = o->events.at;
	s->event_count = o->events.count;
	s->event_files = o->event_files.at;
	s->event_file_count = o->event_files.count;
	s->metrics = o->metrics.at;
	s->metric_count = o->metrics.count;
	s->metric_files = o->metric_files.at;
	s->metric_file_count = o->metric_files.count;
	s->rotation_ns = (uint64_t)round(o->rotate_ms * 1e6);
	o->groups_chosen = s->view.groups;
	if (!s->view.groups && !s->event_count && !s->metric_count && !s->metric_file_count)
		s->view.groups = SESSION_METRICS;
}

static int parse(int argc, char **argv, bool record, struct options *out, struct error *err)
{
	bool dashes = false;
	int rc;

	*out = (struct options){
		.session = {.root = "/",
			    .backend = BACKEND_AUTO,
			    .view.finest = SCOPE_PORT,
			    .interval_ns = NS_PER_S},
		.record = record,
	};
	rc = parse_words(argc, argv, out, &dashes, err);
	complete_session(out);
	if (!rc && optind < argc)
		out->command = &argv[optind];
	else if (!rc && dashes)
		rc = options_usage(err, "nothing after", "--", "expected a command");
	if (!rc && !out->help && !out->version)
		rc = check_output(out, err);
	return rc ? rc : check_backend(out, err);
}

int options_parse(int argc, char **argv, struct options *out, struct error *err)
{
	return parse(argc, argv, false, out, err);
}

static int refuse_without_file(int argc, char **argv, struct error *err)
{
	struct option_parser parser;

	option_parser_init(&parser, monitor_options, true);
	const int first = option_parser_operand(&parser, argc, argv, 0);

	if (first == argc)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "no recording file: expected cxlmon record FILE");
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "no recording file: '%s' is an interval: expected cxlmon record FILE "
			 "[INTERVAL [COUNT]], or ./%s for a file of that name",
			 quoted(argv[first]).text, quoted(argv[first]).text);
}

int options_parse_record(int argc, char **argv, struct options *out, struct error *err)
{
	const int rc = parse(argc, argv, true, out, err);

	if (rc || out->help || out->version || out->format)
		return rc;
	return refuse_without_file(argc, argv, err);
}
