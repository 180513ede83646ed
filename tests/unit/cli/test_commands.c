/* SPDX-License-Identifier: BSD-3-Clause */
/* What subcommands say when they end, on simulated machines. */
#include <unistd.h>

#include "cli/common.h"
#include "unit.h"

#define MOST_WORDS 5

static const struct {
	const struct subcommand *subcommand;
	const char *words[MOST_WORDS + 1];
	int status;
	const char *says;
} lines[] = {
	{&cmd_list,
	 {"list", "--sim=spr", "UNC_CXLCM_CLOKTICKS"},
	 EXIT_FAILED,
	 "cxlmon: nothing on Sapphire Rapids matches 'UNC_CXLCM_CLOKTICKS': did you mean "
	 "'UNC_CXLCM_CLOCKTICKS'?\n"},
	{&cmd_list,
	 {"list", "--sim=spr", "UNC_CXLCM_CLOKTICKS", "dram"},
	 EXIT_FAILED,
	 "cxlmon: nothing on Sapphire Rapids matches: expected words of names or descriptions; "
	 "cxlmon list without a word shows all\n"},
};

TEST_LOOP(test_a_subcommand_that_fails_says_why, COUNT_OF(lines))
{
	char text[1024] = "", *argv[MOST_WORDS + 1] = {NULL};
	FILE *said = tmpfile();
	const int saved = dup(STDERR_FILENO);
	int argc = 0;

	for (; lines[_i].words[argc]; argc++)
		argv[argc] = (char *)lines[_i].words[argc];
	ck_assert_int_eq(dup2(fileno(said), STDERR_FILENO), STDERR_FILENO);
	const int status = subcommand_main(lines[_i].subcommand, argc, argv);
	dup2(saved, STDERR_FILENO);
	close(saved);
	ck_assert_int_eq(status, lines[_i].status);
	rewind(said);
	text[fread(text, 1, sizeof(text) - 1, said)] = '\0';
	fclose(said);
	ck_assert_str_eq(text, lines[_i].says);
}
