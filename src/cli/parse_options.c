/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/parse_options.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "cli/cli_private.h"
#include "cli/times.h"

int options_usage(struct error *err, const char *what, const char *value, const char *expected)
{
	return error_set(err, ERROR_USAGE, -EINVAL, "%s '%s': %s", what, quoted(value).text,
			 expected);
}

bool option_not_empty(const char *value)
{
	return *value;
}

int option_refuse(const struct option_row *row, const char *value, struct error *err)
{
	char expected[128] = "expected ";
	const size_t used = strlen(expected);

	if (row->expected)
		return options_usage(err, row->what, value, row->expected);
	for (const char *const *choice = row->choices; *choice; choice++)
		text_choice(expected + used, sizeof(expected) - used, *choice, !choice[1]);
	return options_usage(err, row->what, value, expected);
}

static const struct option_row *find_name(const struct option_parser *parser, const char *name,
					  size_t length)
{
	const struct option_row *found = NULL;
	bool unique = true;

	for (const struct option_row *const *table = parser->tables; *table; table++) {
		for (const struct option_row *row = *table; row->name; row++) {
			if (strncmp(row->name, name, length) != 0)
				continue;
			if (!row->name[length])
				return row;
			unique = !found || (unique && !strcmp(found->name, row->name));
			found = found ? found : row;
		}
	}
	return unique ? found : NULL;
}

static const struct option_row *find_letter(const struct option_parser *parser, char letter)
{
	for (const struct option_row *const *table = parser->tables; *table; table++)
		for (const struct option_row *row = *table; row->name; row++)
			if (row->letter == letter)
				return row;
	return NULL;
}

/* Takes a value. value: the rest of the same word; NULL: none, so the next word is taken. */
static enum option_code take_value(struct option_parser *parser, const char *value)
{
	if (!value && parser->next >= parser->argc)
		return OPTION_NO_VALUE;
	parser->value = value ? value : parser->argv[parser->next++];
	return OPTION_ROW;
}

static enum option_code next_name(struct option_parser *parser, const char *name,
				  const struct option_row **row)
{
	const size_t length = strcspn(name, "=");
	const char *value = name[length] ? name + length + 1 : NULL;

	*row = find_name(parser, name, length);
	if (!*row || (value && !(*row)->argument))
		return OPTION_UNKNOWN;
	if (value || ((*row)->argument && !(*row)->optional))
		return take_value(parser, value);
	return OPTION_ROW;
}

static enum option_code next_letter(struct option_parser *parser, const struct option_row **row)
{
	*row = find_letter(parser, *parser->letters++);
	if (!*row)
		return OPTION_UNKNOWN;
	if (!(*row)->argument || (*row)->optional)
		return OPTION_ROW;
	const char *value = *parser->letters ? parser->letters : NULL;
	parser->letters = NULL;
	return take_value(parser, value);
}

enum option_code option_parser_next(struct option_parser *parser, const struct option_row **row)
{
	parser->value = NULL;
	if (parser->letters && *parser->letters)
		return next_letter(parser, row);
	parser->at = parser->next;
	if (parser->at >= parser->argc)
		return OPTION_END;
	const char *word = parser->argv[parser->next++];
	if (!strcmp(word, "--"))
		return OPTION_END;
	if (word[0] == '-' && word[1] == '-')
		return next_name(parser, word + 2, row);
	if (word[0] == '-' && word[1]) {
		parser->letters = word + 1;
		return next_letter(parser, row);
	}
	parser->value = word;
	return OPTION_OPERAND;
}

static int set_choice(const struct option_row *row, int *member, const char *value,
		      struct error *err)
{
	for (int i = 0; row->choices[i]; i++) {
		if (!strcmp(value, row->choices[i])) {
			*member = row->value + i;
			return 0;
		}
	}
	return option_refuse(row, value, err);
}

static int set_integer(const struct option_row *row, int *member, const char *value,
		       struct error *err)
{
	uint64_t number;

	if (!text_number(value, &number) || (double)number > row->most)
		return option_refuse(row, value, err);
	*member = (int)number;
	return 0;
}

static int set_number(const struct option_row *row, double *member, const char *value,
		      struct error *err)
{
	char *end;
	const double number = strtod(value, &end);

	if (!*value || *end || value[strspn(value, "0123456789.")] || !(number >= row->least) ||
	    number > row->most)
		return option_refuse(row, value, err);
	*member = number;
	return 0;
}

static int check_value(const struct option_row *row, const char *value, struct error *err)
{
	if (row->valid && !row->valid(value))
		return option_refuse(row, value, err);
	return row->check ? row->check(value, err) : 0;
}

static int add_string(const struct option_row *row, struct strings *member, const char *value,
		      struct error *err)
{
	const int rc = check_value(row, value, err);

	if (!rc && member->count == (row->times ? row->times : OPTION_STRINGS_MOST))
		return row->what ? option_refuse(row, value, err)
				 : options_usage(err, "too many uses of one option", value,
						 "expected 64 at most");
	return !rc && strings_add(member, value) ? error_no_memory(err) : rc;
}

int option_set(const struct option_row *row, void *options, const char *value, struct error *err)
{
	void *member = (char *)options + row->offset;

	switch (row->type) {
	case OPTION_FLAG:
		*(bool *)member = true;
		return 0;
	case OPTION_VALUE:
		*(int *)member = row->value;
		return 0;
	case OPTION_STRING:
		*(const char **)member = value;
		return check_value(row, value, err);
	case OPTION_STRINGS:
		return add_string(row, member, value, err);
	case OPTION_CHOICE:
		return set_choice(row, member, value, err);
	case OPTION_INTEGER:
		return set_integer(row, member, value, err);
	case OPTION_NUMBER:
		return set_number(row, member, value, err);
	case OPTION_TIME:
		return interval_parse(value, member, err);
	case OPTION_CALL:
		break;
	}
	return row->set(row, member, row->argument ? value : row->implied, err);
}

const char *option_nearest(const struct option_parser *parser, const char *word)
{
	char name[EVENT_NAME_SIZE];

	if (strncmp(word, "--", 2))
		return NULL;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(word + 2, "="), word + 2);
	struct text_nearest nearest = text_nearest_start(name);
	for (const struct option_row *const *table = parser->tables; *table; table++)
		for (const struct option_row *row = *table; row->name; row++)
			text_nearest_add(&nearest, row->name);
	return nearest.name;
}

const char *option_help(const struct option_row *row, char *text, size_t size)
{
	if (!row->names)
		return row->help;
	snprintf(text, size, "%.*s", (int)strcspn(row->help, "@"), row->help);
	for (size_t i = 0; row->names(i); i++)
		text_append(text, size, "%s%s", i ? ", " : "", row->names(i));
	text_append(text, size, "%s", strchr(row->help, '@') + 1);
	return text;
}

void option_print_help(const struct option_row *row, FILE *out)
{
	char name[40], text[OPTION_HELP_SIZE];
	const char *help = option_help(row, text, sizeof(text));

	snprintf(name, sizeof(name), "--%s%s%s%s", row->name,
		 row->optional	 ? "[="
		 : row->argument ? "="
				 : "",
		 row->argument ? row->argument : "", row->optional ? "]" : "");
	if (row->letter)
		fprintf(out, "  -%c, %-18s ", row->letter, name);
	else
		fprintf(out, "      %-18s ", name);
	wrapped_print(out, help, HELP_INDENT, HELP_INDENT, HELP_WIDTH);
}
