/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon version: as cxlmon --version. */
#include <stdio.h>

#include "cli/common.h"
#include "cli/subcommands.h"

static int print_version(struct options *options, struct error *err)
{
	(void)options;
	(void)err;
	puts("cxlmon " CXLMON_VERSION);
	return 0;
}

static const struct option_row rows[] = {OPTIONS_MESSAGES, OPTIONS_IGNORED, {.name = NULL}};

const struct subcommand cmd_version = {
	.name = "version",
	.purpose = "show the version",
	.run = print_version,
	.usage = "Usage: cxlmon version\n"
		 "Shows the version, as cxlmon --version does.\n"
		 "\n",
	.options = rows,
};
