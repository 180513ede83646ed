/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/parse_options.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "base/text.h"
#include "cli/messages.h"
#include "cli/times.h"

#define HELP_INDENT 25 /* of what an option does */
#define NAMES_WIDTH 84 /* of lines that list names */

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
	size_t used = strlen(expected);

	if (row->expected)
		return options_usage(err, row->what, value, row->expected);
	for (const char *const *choice = row->choices; *choice && used < sizeof(expected); choice++)
		used += (size_t)snprintf(expected + used, sizeof(expected) - used, "%s%s",
					 choice == row->choices ? ""
					 : choice[1]		? ", "
								: " or ",
					 *choice);
	return options_usage(err, row->what, value, expected);
}

void option_parser_add(struct option_parser *parser, const struct option_row *row)
{
	const size_t used = strlen(parser->letters), at = parser->count;

	for (size_t i = 0; i < at; i++)
		if (!strcmp(parser->rows[i]->name, row->name))
			return;
	if (at == OPTION_ROWS_MOST)
		return;
	parser->longs[at] = (struct option){
		.name = row->name,
		.has_arg = row->optional   ? optional_argument
			   : row->argument ? required_argument
					   : no_argument,
		.val = OPTION_ROW + (int)at,
	};
	if (row->letter) {
		parser->letters[used] = row->letter;
		parser->letters[used + 1] = row->argument && !row->optional ? ':' : '\0';
	}
	parser->rows[parser->count++] = row;
}

void option_parser_init(struct option_parser *parser, const struct option_row *rows, bool in_order)
{
	*parser = (struct option_parser){.count = 0};
	/* ":" tells a missing value from an unknown option */
	strcpy(parser->letters, in_order ? "-:" : ":");
	for (; rows->name; rows++)
		option_parser_add(parser, rows);
	optind = 0;
	opterr = 0;
}

int option_parser_next(struct option_parser *parser, int argc, char **argv,
		       const struct option_row **row)
{
	const int code = getopt_long(argc, argv, parser->letters, parser->longs, NULL);

	if (code == -1 || code == OPTION_OPERAND || code == '?' || code == ':')
		return code;
	for (size_t i = 0; i < parser->count; i++) {
		*row = parser->rows[i];
		if (code == OPTION_ROW + (int)i || code == (*row)->letter)
			return OPTION_ROW;
	}
	return '?';
}

int option_parser_operand(struct option_parser *parser, int argc, char **argv, unsigned nth)
{
	const struct option_row *row;
	int code;

	while ((code = option_parser_next(parser, argc, argv, &row)) != -1)
		if (code == OPTION_OPERAND && nth-- == 0)
			return optind - 1;
	return argc;
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

static int check(const struct option_row *row, const char *value, struct error *err)
{
	if (row->valid && !row->valid(value))
		return option_refuse(row, value, err);
	return row->check ? row->check(value, err) : 0;
}

static int add_string(const struct option_row *row, struct strings *member, const char *value,
		      struct error *err)
{
	const int rc = check(row, value, err);

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
		return check(row, value, err);
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
	for (size_t i = 0; i < parser->count; i++)
		text_nearest_add(&nearest, parser->rows[i]->name);
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

void option_print_help(const struct option_row *row, FILE *out, int width)
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
	for (; strchr(help, '\n'); help = strchr(help, '\n') + 1)
		fprintf(out, "%.*s\n%*s", (int)strcspn(help, "\n"), help, HELP_INDENT, "");
	wrapped_print(out, help, HELP_INDENT, HELP_INDENT,
		      row->names && !width ? NAMES_WIDTH : width);
}
