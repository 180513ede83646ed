/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon record: the monitor with a recording as its output. */
#include <stdio.h>

#include "cli/common.h"
#include "cli/monitor.h"
#include "cli/subcommands.h"

static void help(void)
{
	fputs("Usage: cxlmon record FILE [OPTION]... [INTERVAL [COUNT]] [-- COMMAND [ARG]...]\n"
	      "Records samples in FILE, which must be new or empty (- is standard output). cxlmon\n"
	      "replay FILE prints them in any format, cxlmon report FILE draws them. FILE can be read\n"
	      "while it is written; a run that is killed loses no complete sample.\n"
	      "\n"
	      "FILE may stand anywhere among the operands, unless its name reads as a number: then it\n"
	      "is written as ./1, or as the value of -o.\n"
	      "\n"
	      "  -o, --output=FILE      record in FILE\n" HELP_HELP "\n"
	      "Other options are those of the monitor except -f, --csv and --json: see cxlmon help all.\n"
	      "\n"
	      "  sudo cxlmon record run.cxl 0.1 -- ./work\n",
	      stdout);
}

int cmd_record(int argc, char **argv)
{
	struct options options;
	struct error err = {0};
	const int rc = options_parse_record(argc, argv, &options, &err);

	if (rc)
		return common_finish("record", rc, &err);
	if (options.help) {
		help();
		return common_finish("record", 0, &err);
	}
	if (options.version) {
		puts("cxlmon " CXLMON_VERSION);
		return common_finish("record", 0, &err);
	}
	return monitor_run(&options);
}
