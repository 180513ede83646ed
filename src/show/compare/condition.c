/* SPDX-License-Identifier: BSD-3-Clause */
#include "show/compare/compare_private.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "table/spell.h"

#define EXAMPLES "cxl_read_latency_ns.p99>+10% or dram_read_MBps.mean<-500"

static int refuse_condition(const char *text, const char *what, struct error *err)
{
	return error_set(err, ERROR_USAGE, -EINVAL, "--fail-if '%s': %s: expected such as %s",
			 quoted(text).text, what, EXAMPLES);
}

/* Parses "NAME.STATISTIC"; names of events also have dots. */
static int parse_name(const char *text, size_t length, struct condition *out, struct error *err)
{
	size_t end = length, dot;

	while (end && text[end - 1] == ' ')
		end--;
	for (dot = end; dot && text[dot - 1] != '.';)
		dot--;
	for (out->statistic = 0; out->statistic < STATISTICS; out->statistic++)
		if (strlen(statistic_names[out->statistic]) == end - dot &&
		    !strncmp(statistic_names[out->statistic], text + dot, end - dot))
			break;
	if (dot < 2 || out->statistic == STATISTICS)
		return refuse_condition(text, "no mean, p50, p95, p99 or max of a metric", err);
	if (dot > sizeof(out->name))
		return refuse_condition(text, "no metric has such a long name", err);
	memcpy(out->name, text, dot - 1);
	return 0;
}

/* Parses "+10%" or "-0.5". */
static int parse_limit(const char *limit, struct condition *out, struct error *err)
{
	const char *number = limit + strspn(limit, " ");
	char *end;

	if (*number != '+' && *number != '-')
		return refuse_condition(out->text, "the difference has no sign", err);
	out->limit = strtod(number, &end);
	/* strtod() also accepts exponents, hexadecimal numbers and inf */
	if (end == number || end != number + 1 + strspn(number + 1, "0123456789.") ||
	    !isfinite(out->limit))
		return refuse_condition(out->text, "the difference is not a number", err);
	out->relative = *end == '%';
	if (end[out->relative])
		return refuse_condition(
			out->text, "the difference is neither a number in the metric's unit nor %",
			err);
	return 0;
}

int condition_parse(const char *text, struct condition *out, struct error *err)
{
	const char *relation = strpbrk(text, "<>");

	*out = (struct condition){.text = text};
	if (!relation)
		return refuse_condition(text, "no > or <", err);
	out->above = *relation == '>';
	const int rc = parse_name(text, (size_t)(relation - text), out, err);
	return rc ? rc : parse_limit(relation + 1, out, err);
}

/* Returns whether a table has a name; proposes its names for a mistyped one. */
static bool has_name(const struct table *table, const char *name, struct text_nearest *nearest)
{
	for (size_t c = 0; c < table->column_count; c++) {
		if (table->columns[c].metric->kind != METRIC_NUMBER)
			continue;
		if (!strcmp(table->columns[c].metric->name, name))
			return true;
		text_nearest_add(nearest, table->columns[c].metric->name);
	}
	for (size_t r = table_metric_rows(table); r < table->row_count; r++) {
		if (!strcmp(table->rows[r].event->name, name))
			return true;
		text_nearest_add(nearest, table->rows[r].event->name);
	}
	return false;
}

int condition_check(const struct condition *condition, const struct comparison *comparison,
		    struct error *err)
{
	const struct metric *metric = metric_by_name(condition->name);
	struct text_nearest nearest = text_nearest_start(condition->name);
	const struct quoted text = quoted(condition->text), name = quoted(condition->name);

	if (metric && metric_is_state(metric))
		return error_set(
			err, ERROR_USAGE, -EINVAL,
			"--fail-if '%s': %s is a sum of states, which has no mean, percentile "
			"or maximum: expected another metric",
			text.text, name.text);
	for (enum side side = SIDE_A; side < SIDES; side++)
		if (has_name(comparison->sides[side].report->table, condition->name, &nearest))
			return 0;
	if (metric && metric->kind == METRIC_NUMBER)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "--fail-if '%s': neither recording has %s: expected recordings "
				 "made with -m %s",
				 text.text, name.text, metric->group);
	return error_set(err, ERROR_USAGE, -EINVAL,
			 "--fail-if '%s': neither recording has a metric or event '%s'%s%s%s",
			 text.text, name.text, nearest.name ? ": did you mean '" : "",
			 nearest.name ? nearest.name : "", nearest.name ? "'?" : "");
}

enum condition_state condition_of(const struct condition *condition, const struct compared *pair)
{
	const double a = statistic_of(pair->series[SIDE_A], condition->statistic);
	const double difference = compared_difference(pair, condition->statistic);
	/* percent of A, rather than the difference in percent, which is unknown if A is 0 */
	const double limit =
		condition->relative ? condition->limit / 100 * fabs(a) : condition->limit;

	if (strcmp(plotted_name(pair->series[SIDE_A]), condition->name) != 0)
		return CONDITION_OTHER;
	if (isnan(difference) || pair->verdict == COMPARED_UNLIKE ||
	    pair->verdict == COMPARED_RAISED)
		return CONDITION_UNKNOWN;
	return (condition->above ? difference > limit : difference < limit) ? CONDITION_TRUE
									    : CONDITION_FALSE;
}

const char *condition_describe(const struct condition *condition, const struct compared *pair,
			       char text[CONDITION_TEXT_SIZE])
{
	const enum statistic f = condition->statistic;
	const unsigned decimals = plotted_decimals(pair->series[SIDE_A]);
	char row[LOCATION_SIZE], a[COMPARED_NUMBER_SIZE], b[COMPARED_NUMBER_SIZE];
	char difference[COMPARED_NUMBER_SIZE], pct[COMPARED_NUMBER_SIZE];

	compared_value(statistic_of(pair->series[SIDE_A], f), decimals, a);
	compared_value(statistic_of(pair->series[SIDE_B], f), decimals, b);
	compared_signed(compared_difference(pair, f), decimals, difference);
	compared_pct(compared_difference_pct(pair, f), pct);
	snprintf(text, CONDITION_TEXT_SIZE, "%s, %s: %s is %s in A, %s in B: %s%s%s%s%s",
		 quoted(plotted_name(pair->series[SIDE_A])).text,
		 location_with_unit(pair->series[SIDE_A]->row, true, row), statistic_names[f],
		 *a ? a : "unknown", *b ? b : "unknown",
		 *difference ? difference : "no difference known", *pct ? " (" : "", pct,
		 *pct ? " %)" : "",
		 pair->verdict == COMPARED_UNLIKE ? ", but measured differently"
		 : pair->verdict == COMPARED_RAISED
			 ? ", but an estimate: reads of DRAM may have raised it"
			 : "");
	return text;
}
