/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>

#include "cli/messages.h"
#include "cli/monitor.h"
#include "cli/options.h"

int main(int argc, char **argv)
{
	struct options options;
	struct error err = {0};

	if (options_parse(argc, argv, &options, &err)) {
		messages_error(&err);
		return err.status;
	}
	if (options.help) {
		options_help(stdout);
		return EXIT_FINE;
	}
	if (options.version) {
		puts("cxlmon " CXLMON_VERSION);
		return EXIT_FINE;
	}
	return monitor_run(&options);
}
