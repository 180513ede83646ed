/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon help. Without a main() here, as that needs the list of subcommands: see help.h. */
#include "cli/subcommands.h"

static const struct option_row rows[] = {OPTIONS_MESSAGES, OPTIONS_IGNORED, {.name = NULL}};

const struct subcommand cmd_help = {
	.name = "help",
	.purpose = "explain the options of a topic, or a subcommand",
	.usage =
		"Usage: cxlmon help [TOPIC|SUBCOMMAND]\n"
		"Explains the options of a topic, as cxlmon --help=TOPIC does, or a subcommand, as its\n"
		"--help does.\n"
		"\n",
	.options = rows,
	.operands = 1,
};
