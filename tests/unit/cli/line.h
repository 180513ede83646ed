/* SPDX-License-Identifier: BSD-3-Clause */
/* Command lines from the words that tests write. */
#ifndef CXLMON_TEST_CLI_LINE_H
#define CXLMON_TEST_CLI_LINE_H

#define MAX_WORDS 10

/* Words of a command line after the program's name, ended by NULL. */
struct line {
	char *argv[MAX_WORDS + 2];
	int argc;
};

static inline struct line line_of(const char *const words[MAX_WORDS])
{
	struct line line = {.argv = {(char *)"cxlmon"}, .argc = 1};

	while (line.argc <= MAX_WORDS && words[line.argc - 1]) {
		line.argv[line.argc] = (char *)words[line.argc - 1];
		line.argc++;
	}
	return line;
}

#endif
