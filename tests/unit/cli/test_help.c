/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/common.h"

#include <string.h>

#include "cli/cli_private.h"
#include "cli/options.h"
#include "cli/parse_options.h"
#include "unit.h"

#define MOST_LINES 24
#define MOST_WIDTH 80

static const char *text;

static const char *help_of(const char *topic)
{
	struct error err = {0};
	FILE *out = text_open();

	ck_assert_msg(!help_print(topic, out, &err), "%s", err.text);
	return text = text_close(out);
}

/* Counts lines, each of which must fit. */
static unsigned lines_of(const char *at)
{
	unsigned lines = 0;

	for (; *at; at += strcspn(at, "\n"), at += *at == '\n') {
		const size_t width = strcspn(at, "\n");

		ck_assert_msg(width <= MOST_WIDTH, "%zu columns: %.*s", width, (int)width, at);
		lines++;
	}
	return lines;
}

TEST(test_help_fits_a_small_terminal)
{
	ck_assert_uint_le(lines_of(help_of(NULL)), MOST_LINES);
	assert_contains(text, "Usage: cxlmon [OPTION]... [INTERVAL [COUNT]] [-- COMMAND");
	assert_contains(text, "  -m, --metrics=LIST ");
	assert_contains(text, "      --sim=SPEC ");
	assert_lacks(text, "--backend");
	assert_contains(text, "doctor (can it work?), verify (do both ways agree?),");
	assert_contains(text, "top (who uses CXL? As a table:\nwho, hot), ");
	assert_contains(text, "Developers: register\n");
}

TEST(test_help_names_every_subcommand_and_topic)
{
	help_of(NULL);
	for (const struct subcommand *const *s = subcommands; *s; s++)
		if (*s != &cmd_version)
			assert_contains(text, (*s)->name);
	for (const struct option_row *row = monitor_options; row->name; row++)
		assert_contains(text, row->topic);
	assert_contains(text, "status, keys; all");
}

/* The help on doctor has every check, and the help on serve its options of the monitor. */
TEST(test_what_a_subcommand_knows_itself_is_in_its_help)
{
	FILE *out = text_open();

	subcommand_help(&cmd_doctor, out);
	assert_contains(text_close(out), "\n  perf-events ");
	out = text_open();
	subcommand_help(&cmd_serve, out);
	assert_contains(text_close(out), " --backend, --pid,");
}

/* Returns "--name=ARGUMENT" as help prints it. */
static const char *spelled(const struct option_row *row)
{
	static char name[64];

	snprintf(name, sizeof(name), "--%s%s%s", row->name,
		 row->optional	 ? "[="
		 : row->argument ? "="
				 : "",
		 row->argument ? row->argument : " ");
	return name;
}

TEST(test_every_option_is_explained_in_its_topic)
{
	for (const struct option_row *row = monitor_options; row->name; row++)
		assert_contains(help_of(row->topic), spelled(row));
}

/* Fails unless the help of each row begins with an imperative verb. */
static void expect_verbs(const struct option_row *row)
{
	static const char verbs[] =
		" accept access add choose compare continue count divide draw end exit find freeze "
		"halve keep listen measure omit predict print read record set show simulate sample "
		"spend take use write ";
	char word[32];

	for (; row->name; row++) {
		if (!row->help)
			continue;
		snprintf(word, sizeof(word), " %.*s ", (int)strcspn(row->help, " "), row->help);
		ck_assert_msg(strstr(verbs, word), "--%s: \"%s\" does not begin with a verb",
			      row->name, row->help);
	}
}

TEST(test_the_help_of_every_option_begins_with_a_verb)
{
	expect_verbs(monitor_options);
	for (const struct subcommand *const *s = subcommands; *s; s++)
		if ((*s)->options)
			expect_verbs((*s)->options);
}

TEST(test_all_has_every_option_subcommand_and_exit_status)
{
	help_of("all");
	for (const struct option_row *row = monitor_options; row->name; row++)
		assert_contains(text, spelled(row));
	assert_contains(text, "\nSubcommands (");
	for (const struct subcommand *const *s = subcommands; *s; s++) {
		char row[64];

		snprintf(row, sizeof(row), "\n      %-18s %.20s", (*s)->name, (*s)->purpose);
		assert_contains(text, row);
	}
	assert_contains(text, "Exit status: 0 ");
	assert_contains(text, "\nModels, and keys of SPEC: cxlmon help sim\n");
	assert_lacks(text, "\n  clock ");
	/* a text too long for a failure message */
	ck_assert_ptr_nonnull(strstr(help_of("sim"), "\n  clock "));
	assert_contains(help_of("status"), "Exit status: 0 ");
}

TEST(test_keys_of_the_screen_have_their_tabs)
{
	assert_contains(help_of("keys"), "\n  e          what limits CXL, by all samples");
	assert_contains(text, "\n  s          ports: sort panels by number, or by recent");
	assert_contains(text, "\n  Tab        processes, a process: counts of the ports;");
	assert_contains(help_of("screen"), "\n  q          ");
}

TEST(test_a_topic_that_there_is_not_is_refused_with_those_that_there_are)
{
	struct error err = {0};

	assert_refusal(
		help_print("nothing", stdout, &err), &err,
		"no help on 'nothing': expected output, events, rows, machine, sim, status, keys, "
		"all");
}

TEST(test_a_list_of_names_goes_on_below_the_first)
{
	static const struct option_row row = {OPTION_SIM, .names = sim_spec_model,
					      .help = "simulate @, or a snapshot"};
	FILE *out = text_open();

	option_print_help(&row, out);
	text = text_close(out);
	assert_contains(text, " spr, emr, ");
	assert_contains(text, ",\n                         ");
	lines_of(text);
}

TEST(test_help_of_all_subcommands_and_topics_fits_80_columns)
{
	static const char *const topics[] = {"output", "events", "rows", "machine",
					     "sim",    "status", "all"};

	for (const struct subcommand *const *s = subcommands; *s; s++) {
		FILE *out = text_open();

		subcommand_help(*s, out);
		lines_of(text_close(out));
	}
	for (unsigned i = 0; i < COUNT_OF(topics); i++)
		lines_of(help_of(topics[i]));
}

static const char *printed(const char *help)
{
	FILE *out = text_open();

	help_text(out, help, strlen(help));
	return text_close(out);
}

TEST(test_lines_of_help_that_begin_with_a_letter_are_one_paragraph)
{
	ck_assert_str_eq(printed("Usage: cxlmon\n"
				 "One\n"
				 "two.\n"
				 "\n"
				 "  an example\n"
				 "Three\n"),
			 "Usage: cxlmon\nOne two.\n\n  an example\nThree\n");
	ck_assert_str_eq(
		printed("A paragraph that is longer than a line of 79 columns goes on in the one "
			"that follows.\n"),
		"A paragraph that is longer than a line of 79 columns goes on in the one that\nfollows.\n");
}

TEST(test_a_long_example_goes_on_in_its_second_column)
{
	ck_assert_str_eq(
		printed("  sudo cxlmon who --by=container     containers, of Docker, "
			"Kubernetes and others\n"),
		"  sudo cxlmon who --by=container     containers, of Docker, Kubernetes and\n"
		"                                     others\n");
}
