/* SPDX-License-Identifier: BSD-3-Clause */
#include "formula/custom_metric.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "base/text.h"
#include "metrics/metric.h"

#define MOST_DECIMALS 9

/* Columns and keys of all rows or rows of events, and then families about the run. */
static const char *const reserved[] = {
	"schema",
	"time",
	"interval_s",
	"missed",
	"rows",
	"scope",
	"socket",
	"port",
	"pci",
	"memdev",
	"node",
	"type",
	"id",
	"event",
	"count",
	"per_s",
	"cpu",
	"counted_pct",
	"events",
	"up",
	"samples",
	"build_info",
	"missed_deadlines",
	"postponed_samples",
	"lost_readings",
	"frozen_seconds",
};

bool custom_text_is_reserved(const char *name)
{
	for (size_t i = 0; i < sizeof(reserved) / sizeof(reserved[0]); i++)
		if (!strcmp(reserved[i], name))
			return true;
	return false;
}

/* Returns true for endings that OpenMetrics reserves for other kinds of metrics. */
static bool has_reserved_end(const char *name)
{
	static const char *const ends[] = {"_total", "_info", "_created", "_bucket"};
	const size_t length = strlen(name);

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++)
		if (length > strlen(ends[i]) && !strcmp(name + length - strlen(ends[i]), ends[i]))
			return true;
	return false;
}

static int check_name(const char *name, struct error *err)
{
	const size_t length = strlen(name);

	if (!islower((unsigned char)*name) || length > CUSTOM_NAME_MOST ||
	    strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") !=
		    length)
		return error_set(
			err, ERROR_USAGE, -EINVAL,
			"'%s' cannot be the name of a metric: expected a small letter, then "
			"letters, digits and _, %d at most",
			quoted(name).text, CUSTOM_NAME_MOST);
	if (has_reserved_end(name))
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "metric '%s': OpenMetrics reserves names with this ending: "
				 "expected another name",
				 name);
	return 0;
}

static int set_unit(struct custom_text *out, const char *value, struct error *err)
{
	const struct metric_unit *named = metric_unit_of(out->name);
	char names[256];

	out->unit = metric_unit_named(value);
	metric_unit_names(names, sizeof(names));
	if (!out->unit)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "metric '%s': unknown unit '%s': expected one of %s", out->name,
				 quoted(value).text, names);
	if (named && named != out->unit)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "metric '%s': unit=%s, but its name says %s", out->name,
				 out->unit->name, named->name);
	return 0;
}

static int set_scope(struct custom_text *out, const char *value, struct error *err)
{
	for (const char *at = value;; at++) {
		unsigned s = 0;

		while (s < SCOPE_COUNT && !text_same_word(at, scope_names[s]))
			s++;
		if (s == SCOPE_COUNT)
			return error_set(err, ERROR_USAGE, -EINVAL,
					 "metric '%s': unknown scope in '%s': expected cpu, port, "
					 "socket or system, or a list of them",
					 out->name, quoted(value).text);
		out->scopes |= 1U << s;
		at += strcspn(at, ",");
		if (!*at)
			return 0;
	}
}

static int set_decimals(struct custom_text *out, const char *value, struct error *err)
{
	uint64_t number;

	if (!text_number(value, &number) || number > MOST_DECIMALS)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "metric '%s': decimals=%s: expected 0 to %d", out->name,
				 quoted(value).text, MOST_DECIMALS);
	out->decimals = (int)number;
	return 0;
}

/* Sets the help, which all outputs print unchanged. */
static int set_help(struct custom_text *out, const char *value, struct error *err)
{
	out->help = value;
	if (strlen(value) > CUSTOM_HELP_MOST)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "metric '%s': help=: %zu characters: expected %d at most",
				 out->name, strlen(value), CUSTOM_HELP_MOST);
	for (const char *at = value; *at; at++)
		if (*at < ' ' || *at > '~' || *at == '"' || *at == '\\')
			return error_set(
				err, ERROR_USAGE, -EINVAL,
				"metric '%s': help=: expected plain text without \" and \\",
				out->name);
	return 0;
}

static const struct attribute {
	const char *name;
	int (*set)(struct custom_text *out, const char *value, struct error *err);
} attributes[] = {
	{"unit", set_unit},
	{"scope", set_scope},
	{"decimals", set_decimals},
	{"help", set_help},
};

static int set_attribute(struct custom_text *out, char *text, unsigned *seen, struct error *err)
{
	char *value = strchr(text, '=');

	if (value)
		*value++ = '\0';
	text = text_trim(text);
	for (unsigned i = 0; value && i < sizeof(attributes) / sizeof(attributes[0]); i++) {
		if (strcmp(attributes[i].name, text) != 0)
			continue;
		if (*seen & 1U << i)
			return error_set(err, ERROR_USAGE, -EINVAL,
					 "metric '%s': %s= is given twice", out->name, text);
		*seen |= 1U << i;
		return attributes[i].set(out, text_trim(value), err);
	}
	return error_set(
		err, ERROR_USAGE, -EINVAL,
		"metric '%s': unexpected '%s' after its formula: expected ; unit=, scope=, "
		"decimals= or help=",
		out->name, quoted(text).text);
}

int custom_text_parse(char *text, struct custom_text *out, struct error *err)
{
	for (char *at = text; (at = strchr(at, '\t'));)
		*at = ' '; /* the strings are printed on one line */
	char *rest = text, *head = strsep(&rest, ";"), *formula = strchr(head, '=');
	unsigned seen = 0;

	*out = (struct custom_text){.decimals = -1};
	if (!formula)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "'%s' is not a metric: expected NAME = FORMULA; -m chooses groups "
				 "of metrics",
				 quoted(text).text);
	*formula++ = '\0';
	out->name = text_trim(head);
	out->formula = text_trim(formula);
	int rc = check_name(out->name, err);
	while (!rc && rest)
		rc = set_attribute(out, strsep(&rest, ";"), &seen, err);
	if (!out->unit)
		out->unit = metric_unit_of(out->name);
	return rc;
}
