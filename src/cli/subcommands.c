/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/subcommands.h"

#include <ctype.h>
#include <errno.h>
#include <string.h>

#include "cli/options.h"
#include "platform/habits.h"
#include "platform/text.h"

const struct subcommand *const subcommands[] = {
	&cmd_info,   &cmd_doctor,  &cmd_list,	   &cmd_serve,	&cmd_snapshot, &cmd_record,
	&cmd_replay, &cmd_report,  &cmd_compare,   &cmd_verify, &cmd_selftest, &cmd_sweep,
	&cmd_who,    &cmd_restore, &cmd_allowlist, &cmd_msr,	&cmd_pci,      &cmd_mmio,
	&cmd_help,   &cmd_version, NULL,
};

#define INTERVAL "an interval such as 1, 0.5, 500ms or 100us"

const struct subcommand *subcommand_named(const char *name)
{
	const struct subcommand *const *s = subcommands;

	while (*s && strcmp((*s)->name, name) != 0)
		s++;
	return *s;
}

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
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "'%s' is neither a subcommand nor an interval: %s",
				 quoted(word).text, hint);
	if (nearest.name)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "'%s' is neither a subcommand nor " INTERVAL
				 ": did you mean '%s'?",
				 quoted(word).text, nearest.name);
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "'%s' is neither a subcommand nor an interval: expected a subcommand (see "
			 "cxlmon --help), " INTERVAL ", or -- COMMAND as in: cxlmon -- %s",
			 quoted(word).text, quoted(word).text);
}

/* `cxlmon 1 list`: the monitor would only say that COUNT is a number. */
static int refuse_late_subcommand(const char *name, struct error *err)
{
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "'%s' after an interval is not a count of samples: expected a whole "
			 "number from 1, or the subcommand without an interval: cxlmon %s",
			 name, name);
}

/* The index in argv of an operand, where options may be those of any subcommand. */
static int operand(int argc, char **argv, unsigned nth)
{
	struct option_parser parser;

	option_parser_init(&parser, monitor_options, true);
	for (const struct subcommand *const *s = subcommands; *s; s++)
		for (const struct option_row *row = (*s)->options; row->name; row++)
			if (row->argument)
				option_parser_add(&parser, row);
	return option_parser_operand(&parser, argc, argv, nth);
}

/* An option that the monitor does not have is refused rather than what follows it. */
static bool wrong_option_is_first(int argc, char **argv)
{
	struct option_parser parser;
	const struct option_row *row;
	int code;

	option_parser_init(&parser, monitor_options, true);
	do
		code = option_parser_next(&parser, argc, argv, &row);
	while (code == OPTION_ROW);
	return code == '?';
}

int subcommand_find(int argc, char **argv, const struct subcommand **out, struct error *err)
{
	const int first = operand(argc, argv, 0);
	const int second = operand(argc, argv, 1);
	char *word = argv[first];

	*out = first < argc ? subcommand_named(word) : NULL;
	if (*out) {
		memmove(argv + 2, argv + 1, (size_t)(first - 1) * sizeof(*argv));
		argv[1] = word;
		return 0;
	}
	if (first < argc && !begins_like_an_interval(word))
		return wrong_option_is_first(argc, argv) ? 0 : refuse_word(word, err);
	if (second < argc && subcommand_named(argv[second]))
		return refuse_late_subcommand(argv[second], err);
	return 0;
}
