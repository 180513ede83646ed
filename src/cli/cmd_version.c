/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon version: as cxlmon --version. */
#include <stdio.h>

#include "cli/common.h"
#include "cli/subcommands.h"

int cmd_version(int argc, char **argv)
{
	struct common_options options;
	struct error err = {0};
	const int rc = common_parse(argc, argv, NULL, NULL, 0, &options, &err);

	if (!rc && options.help)
		fputs("Usage: cxlmon version\n"
		      "Shows the version, as cxlmon --version does.\n"
		      "\n" HELP_QUIET HELP_VERBOSE HELP_HELP,
		      stdout);
	else if (!rc)
		puts("cxlmon " CXLMON_VERSION);
	return common_finish("version", rc, &err);
}
