/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "cli/messages.h"
#include "cli/monitor.h"
#include "cli/options.h"
#include "cli/subcommands.h"

static const struct {
	const char *name;
	int (*run)(int argc, char **argv);
} subcommands[] = {
	{"list", cmd_list},
};

int main(int argc, char **argv)
{
	struct options options;
	struct error err = {0};

	for (size_t i = 0; i < sizeof(subcommands) / sizeof(subcommands[0]); i++)
		if (argc > 1 && !strcmp(argv[1], subcommands[i].name))
			return subcommands[i].run(argc - 1, argv + 1);
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
