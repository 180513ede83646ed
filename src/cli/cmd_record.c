/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon record: the monitor with a recording as its output. */
#include "cli/common.h"

static const struct option_row rows[] = {
	{OPTION_OUTPUT, .help = "record in FILE"},
	OPTIONS_OF_RECORDING,
	OPTION_SHOW_HELP,
	{.name = NULL},
};

const struct subcommand cmd_record = {
	.name = "record",
	.purpose = "record samples in a file",
	.run = monitor_run,
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
