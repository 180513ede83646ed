/* SPDX-License-Identifier: BSD-3-Clause */
/* Parsing of the command line: finds its subcommand, and sets struct options by its words. */
#include "cli/common.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cli/cli_private.h"
#include "cli/options.h"

#define INTERVAL "an interval such as 1, 0.5, 500ms or 100us"

/*
 * Returns the index in argv of the first operand from `at` on, after options of any subcommand; or
 * argc.
 */
static int find_operand(int argc, char **argv, int at)
{
#define ITS_OPTIONS(name) cmd_##name.options,
	const struct option_row *const tables[] = {monitor_options,
						   FOR_EACH_SUBCOMMAND(ITS_OPTIONS) NULL};
	struct option_parser parser = {.tables = tables, .argc = argc, .argv = argv, .next = at};
	const struct option_row *row;
	enum option_code code;

	while ((code = option_parser_next(&parser, &row)) != OPTION_END)
		if (code == OPTION_OPERAND)
			return parser.at;
	return argc;
}

const struct subcommand *subcommand_find(int argc, char **argv)
{
	const int at = find_operand(argc, argv, 1);
	char *word = argv[at];
	const struct subcommand *subcommand = at < argc ? subcommand_named(word) : NULL;

	if (!subcommand)
		return &cmd_monitor;
	memmove(argv + 2, argv + 1, (size_t)(at - 1) * sizeof(*argv));
	argv[1] = word;
	return subcommand;
}

/* Operands. */

static bool begins_like_an_interval(const char *word)
{
	return isdigit((unsigned char)word[word[0] == '.']);
}

static int refuse_word(const char *word, struct error *err)
{
	struct text_nearest nearest = text_nearest_start(word);
	const char *hint = habit_hint(HABIT_OPERAND, word);

	for (const struct subcommand *const *s = subcommands; *s; s++)
		text_nearest_add(&nearest, (*s)->name);
	if (hint)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "'%s' is neither a subcommand nor an interval: %s",
				 quoted(word).text, hint);
	if (nearest.name)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "'%s' is neither a subcommand nor " INTERVAL
				 ": did you mean '%s'?",
				 quoted(word).text, nearest.name);
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "'%s' is neither a subcommand nor an interval: expected a subcommand (see "
			 "cxlmon --help), " INTERVAL ", or -- COMMAND as in: cxlmon -- %s",
			 quoted(word).text, quoted(word).text);
}

/*
 * Refuses a word that is not meant as the monitor's INTERVAL or COUNT. A subcommand in place of
 * COUNT gets its own message: the general one only says that COUNT is a number.
 */
static int refuse_operand(bool is_count, const char *word, struct error *err)
{
	if (!is_count && !begins_like_an_interval(word))
		return refuse_word(word, err);
	if (is_count && subcommand_named(word))
		return error_set(
			err, ERROR_USAGE, -EINVAL,
			"'%s' after an interval is not a count of samples: expected a whole "
			"number from 1, or the subcommand without an interval: cxlmon %s",
			word, word);
	return 0;
}

/* Adds to an error what a user of other tools may have meant. */
static int hint_at(int rc, enum habit_place place, const char *what, const char *text,
		   struct error *err)
{
	const char *hint = rc ? habit_hint(place, text) : NULL;

	return hint ? options_usage(err, what, text, hint) : rc;
}

/* Takes the monitor's next operand: INTERVAL, or COUNT after it. */
static int take_time(struct options *o, const char *text, struct error *err)
{
	if (o->count)
		return options_usage(err, "unexpected argument", text,
				     "expected at most INTERVAL and COUNT; a command follows --");
	const bool is_count = o->interval_text;
	const int rc = o->subcommand == &cmd_monitor ? refuse_operand(is_count, text, err) : 0;
	if (rc)
		return rc;
	if (is_count)
		return hint_at(count_parse(text, &o->count, err), HABIT_NUMBER,
			       "not a count of samples", text, err);
	o->interval_text = text;
	return hint_at(interval_parse(text, &o->session.interval_ns, err), HABIT_NUMBER,
		       "not an interval", text, err);
}

static int take_operand(struct options *o, char *text, struct error *err)
{
	if (!o->subcommand->monitor) {
		o->operands[o->operand_count++] = text;
		return 0;
	}
	if (o->record && !o->format && !reads_as_number(text))
		return options_set_recording(o, text, err);
	if (o->explain && !reads_as_number(text)) {
		o->operands[o->operand_count++] = text;
		o->recorded = o->operands[0];
		return *text ? 0 : options_usage(err, "no file", text, "expected a file name");
	}
	return take_time(o, text, err);
}

static int refuse_monitor_option(const struct option_parser *parser, const char *word,
				 enum option_code code, struct error *err)
{
	const char *hint = habit_hint(HABIT_OPTION, word), *nearest = option_nearest(parser, word);

	if (code == OPTION_NO_VALUE)
		return options_usage(err, "no value for option", word,
				     !strcmp(word, "--listen") ? "expected ADDR:PORT"
							       : "see cxlmon --help");
	if (hint)
		return options_usage(err, "not an option here", word, hint);
	if (word[0] == '-' && (isdigit((unsigned char)word[1]) || word[1] == '.'))
		return options_usage(err, "not an interval", word, EXPECTED_TIME);
	if (nearest)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "unknown option '%s': did you mean --%s? see cxlmon --help",
				 quoted(word).text, nearest);
	return options_usage(err, "unknown option", word, "see cxlmon --help");
}

/* Tells a user of top -n 1 where INTERVAL and COUNT stand. Returns 0 if word is not that habit. */
static int refuse_time_option(const struct subcommand *subcommand, const char *word,
			      struct error *err)
{
	static const char program[] = "cxlmon";
	const char *hint = habit_hint(HABIT_TIME, word);
	const char *example = hint ? strstr(hint, program) : NULL;

	if (!example || !strstr(subcommand->usage, "[INTERVAL [COUNT]]"))
		return 0;
	return error_set(err, ERROR_USAGE, -EINVAL, "%s: not an option here '%s': %.*s%s %s%s",
			 subcommand->name, quoted(word).text, (int)(example - hint), hint, program,
			 subcommand->name, example + strlen(program));
}

static bool shows_processes(const struct subcommand *subcommand)
{
	return subcommand == &cmd_top || subcommand->look_of == &cmd_top;
}

static int refuse_subcommand_option(const struct option_parser *parser,
				    const struct subcommand *subcommand, const char *word,
				    struct error *err)
{
	const enum habit_place place =
		shows_processes(subcommand) ? HABIT_PROCESSES : HABIT_SUBCOMMAND;
	const char *hint = habit_hint(place, word), *nearest = option_nearest(parser, word);
	const char *name = subcommand->name;

	if (hint)
		return error_set(err, ERROR_USAGE, -EINVAL, "%s: not an option here '%s': %s", name,
				 quoted(word).text, hint);
	if (nearest && strncmp(word + 2, nearest, strlen(nearest)) != 0)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "%s: unknown option '%s': did you mean --%s? see cxlmon %s --help",
				 name, quoted(word).text, nearest, name);
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "%s: unknown option '%s', or its value is missing: see cxlmon %s --help",
			 name, quoted(word).text, name);
}

static int take_option(const struct option_parser *parser, const struct option_row *row,
		       struct options *o, struct error *err)
{
	const int rc = option_set(row, o, parser->value, err);

	/* the topics whose options choose what is measured, and on which units */
	if (row->topic && (!strcmp(row->topic, "events") || !strcmp(row->topic, "rows")))
		o->measured = o->measured ? o->measured : row->name;
	/* -silent is not an -s with a list of sockets */
	return o->subcommand->monitor ? hint_at(rc, HABIT_OPTION, "not an option here",
						parser->argv[parser->at], err)
				      : rc;
}

static int refuse_option(const struct option_parser *parser, enum option_code code,
			 const struct options *o, struct error *err)
{
	const char *word = parser->argv[parser->at];

	if (o->subcommand->monitor)
		return refuse_monitor_option(parser, word, code, err);
	const int rc = refuse_time_option(o->subcommand, word, err);
	return rc ? rc : refuse_subcommand_option(parser, o->subcommand, word, err);
}

/*
 * Refuses, after an error in an option or INTERVAL of the monitor, a later word that explains it,
 * such as a subcommand that has this option. An unknown option is refused instead of the word after
 * it.
 */
static int refuse_later_word(const struct option_parser *parser, enum option_code code,
			     const struct options *o, int rc, struct error *err)
{
	const int argc = parser->argc;
	char **argv = parser->argv;
	const bool at_interval = argv[parser->at] == o->interval_text;
	bool is_count = o->interval_text;

	if (o->subcommand != &cmd_monitor || o->count || (code == OPTION_OPERAND && !at_interval))
		return rc;
	int at = find_operand(argc, argv, at_interval ? parser->next : parser->at);
	for (; at < argc; at = find_operand(argc, argv, at + 1)) {
		if (!is_count && code != OPTION_ROW && !begins_like_an_interval(argv[at]))
			break;
		if (refuse_operand(is_count, argv[at], err))
			return -EINVAL;
		if (is_count)
			break;
		is_count = true;
	}
	return rc;
}

/* Reads options and operands up to the end or --. */
static int read_words(struct option_parser *parser, struct options *o, struct error *err)
{
	const struct option_row *row;
	enum option_code code;
	int rc = 0;

	while (!rc && (code = option_parser_next(parser, &row)) != OPTION_END) {
		if (code == OPTION_OPERAND)
			rc = take_operand(o, parser->argv[parser->at], err);
		else if (code == OPTION_ROW)
			rc = take_option(parser, row, o, err);
		else
			rc = refuse_option(parser, code, o, err);
	}
	return rc ? refuse_later_word(parser, code, o, rc, err) : 0;
}

/* Reads the words after --: COMMAND, or operands that look like options. */
static int read_rest(struct option_parser *parser, struct options *o, struct error *err)
{
	const struct subcommand *subcommand = o->subcommand;
	const bool dashes = parser->next > parser->at;

	if (!subcommand->monitor && !subcommand->runs_command) {
		while (parser->next < parser->argc)
			o->operands[o->operand_count++] = parser->argv[parser->next++];
		return 0;
	}
	if (parser->next < parser->argc)
		o->command = &parser->argv[parser->next];
	else if (dashes)
		return options_usage(err, "nothing after", "--", "expected a command");
	return 0;
}

/* Options and operands together. */

/* Refuses options that only registers have. */
static int check_backend(const struct options *o, struct error *err)
{
	if (o->session.backend != BACKEND_PERF)
		return 0;
	if (o->session.ownership == OWNERSHIP_FORCE)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--force: with --backend=perf the kernel assigns counters, so "
				 "none can be taken from other programs");
	if (o->session.freeze == FREEZE_ALWAYS)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--freeze=always: with --backend=perf counters cannot be frozen");
	return 0;
}

/* Returns whether CPUs count all chosen metrics. */
static bool chooses_cpus_alone(const struct options *o)
{
	const struct session_options *s = &o->session;

	if (s->events.count || s->metrics.count || s->metric_files.count)
		return false;
	return !o->groups_chosen || view_is_of_cpus(s->view.groups);
}

static bool chooses_rows(const struct options *o)
{
	const struct view_options *view = &o->session.view;

	return view->sockets || view->ports || view->devices || view->nodes ||
	       (o->scope_chosen && view->finest != SCOPE_SYSTEM);
}

/*
 * Checks the options of a process: it has one row, of metrics that CPUs count, and only the kernel
 * can count it.
 */
static int check_process(struct options *o, struct error *err)
{
	struct session_options *s = &o->session;

	if (!s->process && !o->command_alone)
		return 0;
	if (o->command_alone && !o->command)
		return options_usage(err, "no command for", "--pid=command", "expected -- COMMAND");
	if (s->backend == BACKEND_RAW)
		return options_usage(err, "a process is counted by the kernel", "--backend=raw",
				     "expected --backend=perf");
	if (!chooses_cpus_alone(o))
		return options_usage(err, "not all groups are counted by process with", "--pid",
				     "expected -m core, -m stall or both");
	if (chooses_rows(o))
		return options_usage(err, "a process has only one row, of the system, with",
				     "--pid", "expected no other selection");
	s->backend = BACKEND_PERF;
	s->view.finest = SCOPE_SYSTEM;
	if (!o->groups_chosen)
		s->view.groups = o->what_if ? "stall" : "core";
	o->groups_chosen = true;
	return 0;
}

/* Refuses options of another output than the chosen one. */
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
				     "expected csv: only CSV has a header row");
	return 0;
}

static bool chooses_something(const struct session_options *s)
{
	return s->view.groups || s->events.count || s->metrics.count || s->metric_files.count;
}

/* Checks that cxlmon record has a file, which an interval is not, and no other format. */
static int check_recording(const struct options *o, struct error *err)
{
	if (!o->record || o->help || o->version || o->format)
		return 0;
	if (!o->interval_text)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "no recording file: expected cxlmon record FILE");
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "no recording file: '%s' is an interval: expected cxlmon record FILE "
			 "[INTERVAL [COUNT]], or ./%s for a file of that name",
			 quoted(o->interval_text).text, quoted(o->interval_text).text);
}

static int finish_monitor(struct options *o, struct error *err)
{
	struct session_options *s = &o->session;
	int rc = 0;

	s->rotation_ns = (uint64_t)round(o->rotate_ms * 1e6);
	o->groups_chosen = s->view.groups;
	if (!chooses_something(s))
		s->view.groups = METRIC_DEFAULTS;
	if (!o->help && !o->version)
		rc = check_output(o, err);
	if (!rc)
		rc = check_process(o, err);
	if (!rc)
		rc = check_backend(o, err);
	return rc ? rc : check_recording(o, err);
}

static int check_operands(const struct options *o, struct error *err)
{
	const struct subcommand *subcommand = o->subcommand;

	if (o->operand_count <= subcommand->operands)
		return 0;
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "%s: unexpected argument '%s': see cxlmon %s --help", subcommand->name,
			 o->operands[subcommand->operands], subcommand->name);
}

int subcommand_parse(int argc, char **argv, struct options *o, struct error *err)
{
	const struct subcommand *subcommand = o->subcommand;
	const bool monitor = subcommand->monitor;
	const struct option_row *const tables[] = {monitor ? monitor_options : subcommand->options,
						   monitor ? subcommand->options : NULL, NULL};
	struct option_parser parser = {.tables = tables, .argc = argc, .argv = argv, .next = 1};

	o->operands = argv + 1; /* operands are moved here, to follow argv[0] */
	o->record = subcommand->monitor == OPTION_NOT_RECORD;
	o->explain = subcommand->monitor == OPTION_NOT_EXPLAIN;
	if (monitor) {
		o->session.view.finest = SCOPE_PORT;
		o->session.view.regions_instead = true;
		o->session.interval_ns = NS_PER_S;
	}
	int rc = read_words(&parser, o, err);
	if (!rc)
		rc = read_rest(&parser, o, err);
	if (!rc)
		rc = monitor ? finish_monitor(o, err) : check_operands(o, err);
	o->log = messages_log(o->verbosity);
	return rc;
}

static int run_subcommand(struct options *options, struct error *err)
{
	const struct subcommand *subcommand = options->subcommand;
	const bool monitor = subcommand == &cmd_monitor;

	if (options->help && !monitor)
		return help_show(options, subcommand->name, err);
	if (options->help)
		return help_show(options, options->help_topic, err);
	if (!options->version)
		return subcommand->run(options, err);
	options->subcommand = monitor ? &cmd_version : subcommand;
	return cmd_version.run(options, err);
}

int subcommand_main(const struct subcommand *subcommand, int argc, char **argv)
{
	struct options options = options_init(subcommand);
	struct error err = {0};
	int rc = subcommand_parse(argc, argv, &options, &err);

	if (!rc)
		rc = run_subcommand(&options, &err);
	int status = options.status;
	if (rc != -EINTR || status < EXIT_SIGNALLED) {
		const int failed = common_finish(options.subcommand->name, rc, &err);

		status = failed ? failed : status;
	}
	if (subcommand->simulates)
		messages_try_simulation(status, options.session.sim);
	options_free(&options);
	return status;
}
