/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon compare: differences between two recordings, or between hosts. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cli/cli_private.h"
#include "cli/common.h"
#include "cli/playback.h"
#include "show/compare/comparison.h"

#define CONDITIONS 16

struct conditions {
	struct condition all[CONDITIONS];
	size_t count;
};

static int check_output(const struct options *options, struct error *err)
{
	const struct format *format = options->format;

	if (format && options->output_given)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "compare: -o writes an HTML page, not %s: expected one of the two "
				 "options",
				 format->name);
	if (!strcmp(options->operands[0], "-") && !strcmp(options->operands[1], "-"))
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "compare: both recordings are standard input: expected a file");
	return 0;
}

static int write_page(const char *name, const struct comparison *c, struct error *err)
{
	struct common_output output;
	const int rc = common_open_output(name, CONTENTS_EMPTIED, &output, err);

	if (rc)
		return rc;
	compare_page(c, output.out);
	return common_close_output(&output, 0, err);
}

static int print_comparison(const struct options *options, const struct comparison *c,
			    struct error *err)
{
	if (options->output_given)
		return write_page(options->output, c, err);
	if (options->format == &format_json)
		return common_print_json(options, compare_json(c), err);
	if (options->format == &format_csv)
		compare_csv(c, stdout);
	else
		compare_table(c, wrapped_width(), stdout);
	return 0;
}

/*
 * Warns that a condition cannot be decided: because a recording has no value for the pair, or, if
 * pair is NULL, because no row of both has one.
 */
static void warn_of_unknown(const struct condition *condition, const struct compared *pair,
			    const struct log *log)
{
	char text[CONDITION_TEXT_SIZE];

	if (pair)
		log_write(log, LEVEL_WARNING, "--fail-if '%s' cannot be decided: %s",
			  condition->text, condition_describe(condition, pair, text));
	else
		log_write(log, LEVEL_WARNING,
			  "--fail-if '%s' cannot be decided: no row of both recordings has a "
			  "value",
			  condition->text);
}

static void check_condition(const struct condition *condition, const struct comparison *c,
			    const struct log *log, struct error *failure)
{
	char text[CONDITION_TEXT_SIZE];
	bool found = false;
	struct error why;

	for (size_t i = 0; i < c->compared_count; i++) {
		const struct compared *pair = &c->compared[i];
		const enum condition_state state = condition_of(condition, pair);

		found = found || state != CONDITION_OTHER;
		if (state == CONDITION_UNKNOWN)
			warn_of_unknown(condition, pair, log);
		if (state != CONDITION_TRUE)
			continue;
		error_set(&why, ERROR_FAILED, -ERANGE, "--fail-if '%s' holds: %s", condition->text,
			  condition_describe(condition, pair, text));
		messages_keep_last(failure, &why);
	}
	if (!found)
		warn_of_unknown(condition, NULL, log);
}

/*
 * Reports damaged recordings, and conditions of --fail-if that hold, after the output. The last of
 * several failures is in *err, and earlier ones are printed.
 */
static int conclude_comparison(const struct options *options, const struct comparison *c,
			       const struct conditions *conditions, struct error *err)
{
	*err = (struct error){.code = 0};
	for (enum side side = SIDE_A; side < SIDES; side++)
		if (c->sides[side].flaw->code)
			messages_keep_last(err, c->sides[side].flaw);
	for (size_t i = 0; i < conditions->count; i++)
		check_condition(&conditions->all[i], c, &options->log, err);
	return err->code;
}

static int show_comparison(const struct options *options, const struct comparison *c,
			   const struct conditions *conditions, struct error *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < conditions->count; i++)
		rc = condition_check(&conditions->all[i], c, err);
	if (!rc)
		rc = print_comparison(options, c, err);
	/* messages follow the output */
	fflush(stdout);
	return rc ? rc : conclude_comparison(options, c, conditions, err);
}

static int compare_files(const struct options *options, const struct conditions *conditions,
			 struct error *err)
{
	struct playback_series series[SIDES] = {{.report = {.samples = 0}}};
	struct compared_side sides[SIDES];
	struct comparison comparison = {.compared_count = 0};
	int rc = 0;

	for (enum side side = SIDE_A; !rc && side < SIDES; side++) {
		rc = playback_series_read(options, options->operands[side], &series[side], err);
		sides[side] = (struct compared_side){series[side].file.name, &series[side].report,
						     &series[side].flaw};
	}
	if (!rc && comparison_make(sides, options->session.view.finest, &comparison))
		rc = error_no_memory(err);
	if (!rc)
		rc = show_comparison(options, &comparison, conditions, err);
	comparison_free(&comparison);
	for (enum side side = SIDE_A; side < SIDES; side++)
		playback_series_close(&series[side]);
	return rc;
}

static int run_compare(struct options *options, struct error *err)
{
	static const struct playback_operands operands[] = {
		{SIDES, false, "expected two recordings: cxlmon compare A B",
		 "expected two recordings, and -o FILE for the page"},
		{SIDES + 1, false, "no recording: expected cxlmon compare FILE FILE FILE...",
		 "expected two recordings, and -o FILE for the page", true},
	};
	const struct strings *texts = &options->conditions;
	struct conditions conditions = {.count = 0};
	const bool several = options->operand_count > SIDES;
	int rc = playback_begin(options, &operands[several], err);

	if (several)
		return rc ? rc : compare_hosts(options, err);
	if (!rc)
		rc = check_output(options, err);
	for (; !rc && conditions.count < texts->count; conditions.count += !rc)
		rc = condition_parse(texts->at[conditions.count], &conditions.all[conditions.count],
				     err);
	return rc ? rc : compare_files(options, &conditions, err);
}

static const struct option_row rows[] = {
	{OPTION_FORMAT, .choices = options_row_formats,
	 .help = "print as table (default), csv, json"},
	{OPTION_FORMAT_CSV, .help = "print CSV, like --format=csv"},
	{OPTION_FORMAT_JSON, .help = "print one JSON object, like --format=json"},
	{OPTION_MEMBER(STRINGS, conditions), .name = "fail-if", .argument = "CHANGE",
	 .times = CONDITIONS, .what = "too many conditions", .expected = "expected 16 at most",
	 .help = "exit with status 1 if this holds for any row; repeatable.\n"
		 "METRIC.STATISTIC, > or <, and the change from A to B, in percent\n"
		 "of A or in the metric's unit: 'cxl_read_latency_ns.p99>+10%',\n"
		 "'dram_read_MBps.mean<-500'"},
	{OPTION_PER, .help = "compare rows down to this level: cpu, unit (of events), port,\n"
			     "socket, system (default: all)"},
	OPTIONS_OF_TIME,
	{OPTION_OUTPUT, .help = "draw both recordings over each other as an HTML page, instead\n"
				"of printing"},
	OPTIONS_MESSAGES,
	{.name = NULL},
};

const struct subcommand cmd_compare = {
	.name = "compare",
	.purpose = "compare recordings, and say what differs",
	.hint = "samples in a file",
	.run = run_compare,
	.usage =
		"Usage: cxlmon compare A B [OPTION]...\n"
		"       cxlmon compare FILE FILE FILE... [OPTION]...\n"
		"Compares two recordings of cxlmon record, row by row: mean, p50, p95, p99 and\n"
		"max of every metric, the change from A to B, and whether the means differ by\n"
		"more than their spread: by a t-test of the means of 20 equal parts of each, at\n"
		"5 % for all rows together (Holm's correction). It needs 40 samples or more; if\n"
		"it needs more, the output says how many seconds to record. What was measured\n"
		"differently is named first, and is not judged. A or B may be -, standard input.\n"
		"\n"
		"Three or more files, one per host of a job: a table of the hosts' means, with a mark\n"
		"at those that stand out, and the rule. Two hosts are compared as A and B.\n"
		"\n",
	.options = rows,
	.operand = "FILE",
	.notes =
		"\n"
		"Three or more files take only --from, --to, --json and options of messages.\n"
		"Exit status 1: a change of --fail-if holds, or a recording is damaged or incomplete;\n"
		"its complete samples were compared.\n",
	.operands = SIZE_MAX,
};
