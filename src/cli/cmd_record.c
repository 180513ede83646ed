/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon record: the monitor with a recording as its output. */
#include <stdio.h>

#include "cli/common.h"
#include "cli/monitor.h"
#include "cli/subcommands.h"

static const struct option_row rows[] = {
	{OPTION_OUTPUT, .help = "record in FILE"},
	OPTIONS_OF_RECORDING,
	OPTION_SHOW_HELP,
	{.name = NULL},
};

static int record_main(int argc, char **argv)
{
	struct options options;
	struct error err = {0};
	const int rc = options_parse_record(argc, argv, &options, &err);

	if (!rc && options.help)
		subcommand_help(&cmd_record, stdout);
	else if (!rc && options.version)
		puts("cxlmon " CXLMON_VERSION);
	else if (!rc)
		return monitor_run(&options);
	return common_finish("record", rc, &err);
}

const struct subcommand cmd_record = {
	.name = "record",
	.purpose = "record samples in a file",
	.main = record_main,
	.usage =
		"Usage: cxlmon record FILE [OPTION]... [INTERVAL [COUNT]] [-- COMMAND [ARG]...]\n"
		"Records samples in FILE, which must be new or empty (- is standard output). cxlmon\n"
		"replay FILE prints them in any format, cxlmon report FILE draws them. FILE can be read\n"
		"while it is written; a run that is killed loses no complete sample.\n"
		"\n"
		"FILE may stand anywhere among the operands, unless its name reads as a number: then it\n"
		"is written as ./1, or as the value of -o.\n"
		"\n",
	.options = rows,
	.operand = "FILE",
	.monitor = OPTION_NOT_RECORD,
	.notes =
		"\n"
		"Other options are those of the monitor except -f, --csv and --json: see cxlmon help all.\n"
		"\n"
		"  sudo cxlmon record run.cxl 0.1 -- ./work\n",
};
