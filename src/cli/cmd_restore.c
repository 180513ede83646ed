/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon restore: puts back what runs that were killed have left programmed. */
#include <errno.h>
#include <stdio.h>

#include "cli/subcommands.h"
#include "cli/target.h"
#include "session/recovery.h"

static void help(const void *context)
{
	(void)context;
	fputs("Usage: cxlmon restore [OPTION]...\n"
	      "Puts back the registers that a killed cxlmon has left programmed, from the journal that\n"
	      "it kept below /run/cxlmon. The next run does the same by itself.\n"
	      "\n"
	      "      --root=DIR         find dev, sys, proc and run under DIR instead of /\n"
	      "  -h, --help             show this help\n",
	      stdout);
}

static int say(const struct recovery *found, const struct run_dir *dir, struct error *err)
{
	if (found->restored)
		printf("%zu registers of %zu run%s put back\n", found->steps, found->restored,
		       found->restored == 1 ? "" : "s");
	if (found->refused)
		return error_set(err, EXIT_FAILED, -EBADMSG, "%zu journal%s in %s %s not applied",
				 found->refused, found->refused == 1 ? "" : "s", run_dir_path(dir),
				 found->refused == 1 ? "was" : "were");
	if (found->running)
		return error_set(err, EXIT_IN_USE, -EBUSY,
				 "cxlmon (pid %d) is running, and puts back by itself what it has "
				 "programmed",
				 (int)found->running_pid);
	if (!found->restored)
		printf("nothing to put back: no run has left a journal in %s\n", run_dir_path(dir));
	return 0;
}

static int restore(const struct target *target, struct platform *p, void *context,
		   struct error *err)
{
	struct run_dir *dir = NULL;
	struct machine machine;
	struct recovery found;
	int rc = machine_open(p, &machine, err);

	(void)context;
	if (!rc)
		rc = run_dir_open(target->root, &dir, err);
	if (!rc)
		rc = recovery_run(&machine, dir, &found, err);
	if (!rc)
		rc = say(&found, dir, err);
	run_dir_close(dir);
	machine_close(&machine);
	return rc;
}

static int check(const struct target *target, void *context, struct error *err)
{
	(void)context;
	if (!target->sim)
		return 0;
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "restore: a simulated machine ends with its run: nothing is left there");
}

int cmd_restore(int argc, char **argv)
{
	static const struct target_command command = {.help = help, .check = check, .run = restore};

	return target_run(argc, argv, &command);
}
