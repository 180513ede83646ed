/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common.h"

#include "unit.h"

#define MOST_WORDS 8

static struct options own;
static struct options *const options = &own;
static struct error err;

static const struct option_row rows[] = {
	{.name = "colour", .letter = 'c', .argument = "NAME", OPTION_MEMBER(STRING, device)},
	OPTIONS_COUNTING,
	{OPTION_JSON},
	{.name = NULL},
};

/* Parses words, ended by NULL. */
static int parse(const char *const *words, size_t operands)
{
	static char *argv[MOST_WORDS + 1]; /* options.operands points into it */
	const struct subcommand show = {.name = "show", .options = rows, .operands = operands};
	int argc = 0;

	memset(argv, 0, sizeof(argv));
	own = options_init(&show);
	for (; words[argc]; argc++)
		argv[argc] = (char *)words[argc];
	return subcommand_parse(argc, argv, options, &err);
}

#define PARSE(operands, ...) parse((const char *const[]){"show", __VA_ARGS__, NULL}, operands)

TEST(test_options_that_are_shared_and_of_its_own_may_stand_behind_operands)
{
	ck_assert_int_eq(
		PARSE(1, "pattern", "--sim=spr", "--root", "/tmp", "--json", "-h", "--colour=blue"),
		0);
	ck_assert_uint_eq(options->operand_count, 1);
	ck_assert_str_eq(options->operands[0], "pattern");
	ck_assert_str_eq(options->session.sim, "spr");
	ck_assert_str_eq(options->session.root, "/tmp");
	ck_assert(options->json);
	ck_assert(options->help);
	ck_assert_str_eq(own.device, "blue");
}

TEST(test_without_options_it_is_this_machine_in_text)
{
	ck_assert_int_eq(PARSE(0, "-c", "red"), 0);
	ck_assert_str_eq(own.device, "red");
	ck_assert_ptr_null(options->session.sim);
	ck_assert_str_eq(options->session.root, "/");
	ck_assert(!options->json);
	ck_assert(!options->help);
	ck_assert_int_eq(options->verbosity, NOT_VERBOSE);
	ck_assert_uint_eq(options->operand_count, 0);
}

static const struct {
	const char *words[3];
	const char *says;
} wrong[] = {
	{{"show", "--nonsense"}, "show: unknown option '--nonsense'"},
	{{"show", "-x"},
	 "show: unknown option '-x', or its value is missing: see cxlmon show --help"},
	{{"show", "-xq"}, "show: unknown option '-xq'"},
	{{"show", "-qx"}, "show: unknown option '-qx'"},
	{{"show", "--sim"}, "its value is missing"},
	{{"show", "--root="}, "expected a directory"},
	{{"show", "more"}, "show: unexpected argument 'more'"},
};

TEST_LOOP(test_wrong_usage_is_said, COUNT_OF(wrong))
{
	const char *const words[] = {wrong[_i].words[0], wrong[_i].words[1], NULL};

	ck_assert_int_eq(parse(words, 0), -EINVAL);
	ck_assert_int_eq(err.kind, ERROR_USAGE);
	assert_contains(err.text, wrong[_i].says);
}

/* Scripts rely on exit statuses. */
TEST(test_exit_statuses_are_as_documented)
{
	ck_assert_int_eq(exit_status_of(ERROR_NONE), 0);
	ck_assert_int_eq(exit_status_of(ERROR_FAILED), 1);
	ck_assert_int_eq(exit_status_of(ERROR_USAGE), 2);
	ck_assert_int_eq(exit_status_of(ERROR_NO_UNIT), 3);
	ck_assert_int_eq(exit_status_of(ERROR_PERMISSION), 4);
	ck_assert_int_eq(exit_status_of(ERROR_IN_USE), 5);
	ck_assert_int_eq(exit_status_of(ERROR_CANNOT_RUN), 126);
	ck_assert_int_eq(exit_status_of(ERROR_NOT_FOUND), 127);
	ck_assert_int_eq(EXIT_SIGNALLED, 128);
}
