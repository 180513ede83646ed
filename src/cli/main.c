/* SPDX-License-Identifier: BSD-3-Clause */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

static int print_and_exit(void (*print)(FILE *out))
{
	print(stdout);
	return fflush(stdout) || ferror(stdout) ? EXIT_FAILED : EXIT_OK;
}

static void print_version(FILE *out)
{
	fputs("cxlmon " CXLMON_VERSION "\n", out);
}

int main(int argc, char **argv)
{
	struct options options;
	struct error err = {0};

	occupy_standard_files();
	for (const struct subcommand *s = subcommands; argc > 1 && s->name; s++)
		if (!strcmp(argv[1], s->name))
			return s->run(argc - 1, argv + 1);
	if (options_parse(argc, argv, &options, &err)) {
		messages_error(&err);
		return err.status;
	}
	if (options.help)
		return print_and_exit(options_help);
	if (options.version)
		return print_and_exit(print_version);
	return monitor_run(&options);
}
