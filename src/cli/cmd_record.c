/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon record: the monitor, whose output is a recording. */
#include <stdio.h>

#include "cli/messages.h"
#include "cli/monitor.h"
#include "cli/subcommands.h"
#include "cli/target.h"

static void help(void)
{
	fputs("Usage: cxlmon record FILE [OPTION]... [INTERVAL [COUNT]] [-- COMMAND [ARG]...]\n"
	      "Keeps samples in a file: cxlmon replay FILE shows them again, in any format, and\n"
	      "cxlmon report FILE draws them. FILE must be new or empty; - stands for standard\n"
	      "output. It can be read while it is written, and is whole up to the last sample\n"
	      "whatever ends the run.\n"
	      "\n"
	      "Options are those of the monitor but -f, --csv, --json and -o: cxlmon --help.\n"
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
		return target_finish("record", rc, &err);
	if (options.help) {
		help();
		return target_finish("record", 0, &err);
	}
	if (options.version) {
		puts("cxlmon " CXLMON_VERSION);
		return target_finish("record", 0, &err);
	}
	return monitor_run(&options);
}
