/* SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <unistd.h>

#include "cli/messages.h"
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

int main(int argc, char **argv)
{
	const struct subcommand *subcommand;
	struct error err = {0};

	occupy_standard_files();
	if (subcommand_find(argc, argv, &subcommand, &err)) {
		messages_error(&err);
		return (int)err.status;
	}
	return subcommand ? subcommand_main(subcommand, argc - 1, argv + 1)
			  : subcommand_main(&cmd_monitor, argc, argv);
}
