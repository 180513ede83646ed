/* SPDX-License-Identifier: BSD-3-Clause */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <sys/resource.h>
#include <unistd.h>
#ifdef CXLMON_STATIC
#include <nss.h>
#include <string.h>

#include "show/http/message.h"
#endif

#include "cli/cli_private.h"
#include "cli/command.h"
#include "cli/common.h"

#define STACK_BYTES (1 << 20) /* several times the stack of any thread */

/*
 * Opens closed descriptors below 3, so that reading and writing them fails. Otherwise the first
 * opened device would get the number, and output would be written into its registers.
 */
static void occupy_standard_files(void)
{
	for (int fd = 0; fd < 3; fd++)
		if (fcntl(fd, F_GETFD) < 0)
			open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

#ifdef CXLMON_STATIC
/*
 * Makes glibc look up users only in files. Otherwise it would load libraries of this machine, which
 * belong to another glibc.
 */
static void look_up_users_in_files(void)
{
	__nss_configure_lookup("passwd", "files");
	__nss_configure_lookup("group", "files");
	__nss_configure_lookup("initgroups", "files");
}
#endif

/*
 * Raises a stack limit that `ulimit -s` has set too low: the first thread's stack grows up to it.
 */
static int ensure_stack(struct error *err)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_STACK, &limit) || limit.rlim_cur >= STACK_BYTES)
		return 0;
	if (limit.rlim_max < STACK_BYTES)
		return error_set(err, ERROR_FAILED, -ENOMEM,
				 "the stack is limited to %ju KiB, and %d are needed: ulimit -s %d",
				 (uintmax_t)limit.rlim_max / 1024, STACK_BYTES / 1024,
				 STACK_BYTES / 1024);
	limit.rlim_cur = STACK_BYTES;
	setrlimit(RLIMIT_STACK, &limit);
#ifdef __GLIBC__
	pthread_attr_t attributes;

	/* threads' stacks are as large as the limit was when the program began */
	pthread_attr_init(&attributes);
	pthread_attr_setstacksize(&attributes, STACK_BYTES);
	pthread_setattr_default_np(&attributes);
	pthread_attr_destroy(&attributes);
#endif
	return 0;
}

int main(int argc, char **argv)
{
	struct error err = {0};

#ifdef CXLMON_STATIC
	look_up_users_in_files();
	if (argc && !strcmp(argv[0], HTTP_PROGRAM))
		return http_main();
#endif
	occupy_standard_files();
	command_check_pmi();
	if (ensure_stack(&err)) {
		messages_error(&err);
		return (int)exit_status_of(err.kind);
	}
	const struct subcommand *subcommand = subcommand_find(argc, argv);
	const int named = subcommand != &cmd_monitor;
	return subcommand_main(subcommand, argc - named, argv + named);
}
