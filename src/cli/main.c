/* SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/common.h"
#include "cli/help.h"
#include "cli/messages.h"
#include "cli/monitor.h"
#include "cli/options.h"
#include "cli/subcommands.h"

/*
 * A descriptor below 3 that is closed would be given to the first device that is opened, and what
 * is printed would be written into its registers. Reading and writing these fails instead.
 */
static void occupy_standard_files(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

static int show_version(void)
{
	struct error err = {0};

	puts("cxlmon " CXLMON_VERSION);
	return common_finish("version", 0, &err);
}

static int fail(const struct error *err)
{
	messages_error(err);
	return (int)err->status;
}

int main(int argc, char **argv)
{
	const struct subcommand *subcommand = NULL;
	struct options options;
	struct error err = {0};

	occupy_standard_files();
	if (subcommand_find(argc, argv, &subcommand, &err))
		return fail(&err);
	if (subcommand)
		return subcommand == &cmd_help ? help_main(argc - 1, argv + 1)
					       : subcommand_main(subcommand, argc - 1, argv + 1);
	if (options_parse(argc, argv, &options, &err))
		return fail(&err);
	if (options.help)
		return help_show(options.help_topic);
	if (options.version)
		return show_version();
	return monitor_run(&options);
}
