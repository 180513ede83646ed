/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/options.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#include "cli/common.h"
#include "cli/options_table.h"
#include "platform/habits.h"
#include "platform/number.h"
#include "platform/text.h"
#include "session/session.h"

#define EXPECTED_TIME "expected seconds such as 1 or 0.5, or 500ms, 100us or 1m"

/* getopt_long() returns this plus the row of a long option, beyond any letter */
#define LONG_BASE 256

bool options_duration(const char *text, double *ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {{"", 1e9}, {"m", 60e9}, {"s", 1e9}, {"ms", 1e6}, {"us", 1e3}};
	const size_t digits = strspn(text, "0123456789.");
	char *end;

	/* strtod() also accepts blanks, signs, exponents, hexadecimal numbers and inf */
	const double number = strtod(text, &end);
	if (!digits || end != text + digits)
		return false;
	for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
		if (strcmp(end, units[i].name))
			continue;
		*ns = number * units[i].ns;
		return true;
	}
	return false;
}

int options_interval(const char *text, uint64_t *ns, struct error *err)
{
	double number;

	if (!options_duration(text, &number))
		return options_usage(err, "not an interval", text, EXPECTED_TIME);
	if (number < (double)SESSION_MIN_INTERVAL_NS || number > (double)SESSION_MAX_INTERVAL_NS)
		return options_usage(err, "interval out of range", text,
				     "expected 100us to 1 year");
	*ns = (uint64_t)round_double(number);
	return 0;
}

int options_count(const char *text, uint64_t *count, struct error *err)
{
	char *end;

	errno = 0;
	*count = strtoull(text, &end, 10);
	if (errno || *end || !isdigit((unsigned char)*text) || !*count)
		return options_usage(err, "not a count of samples", text,
				     "expected a whole number from 1");
	return 0;
}

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
		return hint_at(options_interval(text, &o->interval_ns, err), "not an interval",
			       text, err);
	case 1:
		return hint_at(options_count(text, &o->count, err), "not a count of samples", text,
			       err);
	default:
		return options_usage(err, "unexpected argument", text,
				     "expected at most INTERVAL and COUNT; a command follows --");
	}
}

/* The options as getopt_long() takes them. */
struct getopt_table {
	char letters[2 * OPTION_ROWS_MOST + 3]; /* ":" follows one that takes a value */
	struct option longs[OPTION_ROWS_MOST + 1];
	size_t count;
};

static void add_long(struct getopt_table *table, const char *name, int has_arg)
{
	table->longs[table->count] = (struct option){
		.name = name,
		.has_arg = has_arg,
		.val = LONG_BASE + (int)table->count,
	};
	table->count++;
}

static void make_table(struct getopt_table *table)
{
	char *at;

	*table = (struct getopt_table){.count = 0};
	at = table->letters;
	*at++ = '-'; /* operands are returned in order, as code 1 */
	*at++ = ':'; /* a missing value is told apart from an unknown option */
	for (const struct option_row *row = option_rows; row->name; row++) {
		const bool valued = row->argument && !row->optional;

		add_long(table, row->name,
			 row->optional ? optional_argument
			 : valued      ? required_argument
				       : no_argument);
		if (row->letter)
			*at++ = row->letter;
		if (row->letter && valued)
			*at++ = ':';
	}
	optind = 0; /* resets getopt */
	opterr = 0;
}

int options_operand(int argc, char **argv, unsigned nth, const char *const *valued)
{
	struct getopt_table table;
	unsigned operands = 0;
	int code;

	make_table(&table);
	for (; *valued && table.count < OPTION_ROWS_MOST; valued++)
		add_long(&table, *valued, required_argument);
	while ((code = getopt_long(argc, argv, table.letters, table.longs, NULL)) != -1)
		if (code == 1 && operands++ == nth)
			return optind - 1;
	return argc;
}

static const struct option_row *row_of(int code)
{
	for (size_t i = 0; option_rows[i].name; i++)
		if (code == LONG_BASE + (int)i ||
		    (option_rows[i].letter && code == option_rows[i].letter))
			return &option_rows[i];
	return NULL;
}

/* What only registers have. */
static int check_backend(const struct options *o, struct error *err)
{
	if (o->backend != BACKEND_PERF)
		return 0;
	if (o->ownership == OWNERSHIP_FORCE)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "--force: the kernel shares counters out, so none can be taken "
				 "from others with --backend=perf");
	if (o->freeze == FREEZE_ALWAYS)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "--freeze=always: the kernel freezes no counters while they are "
				 "read with --backend=perf");
	return 0;
}

/* What can't be told before all options are known. */
static int check_output(const struct options *o, struct error *err)
{
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

static int unknown_option(const char *word, int code, const struct option *longs, struct error *err)
{
	const char *hint = habit_hint(HABIT_OPTION, word),
		   *nearest = common_nearest_option(word, longs);

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

static int parse(int argc, char **argv, bool record, struct options *out, struct error *err)
{
	struct getopt_table table;
	unsigned operands = 0;
	bool dashes = false; /* "--" was seen */
	int code, rc = 0;

	*out = (struct options){
		.interval_ns = UINT64_C(1000000000),
		.root = "/",
		.backend = BACKEND_AUTO,
		.record = record,
		.view = {.groups = SESSION_METRICS, .finest = SCOPE_PORT},
	};
	make_table(&table);
	while (!rc) {
		const int word = optind ? optind : 1;
		const struct option_row *row;

		code = getopt_long(argc, argv, table.letters, table.longs, NULL);
		if (code == -1) {
			dashes = optind > word; /* getopt has skipped it */
			break;
		}
		row = row_of(code);
		if (code == 1)
			rc = parse_operand(out, &operands, optarg, err);
		else if (row)
			rc = row->set(out, row->argument ? optarg : row->implied, err);
		else
			rc = unknown_option(argv[word], code, table.longs, err);
	}
	if ((out->event_count || out->metric_count || out->metric_file_count) &&
	    !out->groups_chosen)
		out->view.groups = NULL;
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
	static const char *const none[] = {NULL};
	const int first = options_operand(argc, argv, 0, none);

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
