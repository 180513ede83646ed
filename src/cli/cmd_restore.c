/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon restore: puts back what runs that were killed have left programmed. */
#include <errno.h>
#include <stdio.h>

#include "cli/messages.h"
#include "cli/subcommands.h"
#include "cli/target.h"
#include "session/recovery.h"

static void help(void)
{
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
	if (found->put_back)
		printf("%zu registers of %zu run%s put back\n", found->steps, found->put_back,
		       found->put_back == 1 ? "" : "s");
	if (found->refused)
		return error_set(err, EXIT_FAILED, -EBADMSG, "%zu journal%s in %s %s not applied",
				 found->refused, found->refused == 1 ? "" : "s", run_dir_path(dir),
				 found->refused == 1 ? "was" : "were");
	if (found->running)
		return error_set(err, EXIT_IN_USE, -EBUSY,
				 "cxlmon (pid %d) is running, and puts back by itself what it has "
				 "programmed",
				 (int)found->running_pid);
	if (!found->put_back)
		printf("nothing to put back: no run has left a journal in %s\n", run_dir_path(dir));
	return 0;
}

static int restore(const struct target *target, struct platform *p, struct error *err)
{
	struct run_dir *dir = NULL;
	struct machine machine;
	struct recovery found;
	int rc = machine_open(p, &machine, err);

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

int cmd_restore(int argc, char **argv)
{
	const struct options options = {.root = "/"};
	const struct log log = messages_log(&options);
	struct platform *p = NULL;
	struct target target;
	struct error err = {0};
	int rc = target_parse(argc, argv, NULL, NULL, 0, &target, &err);

	if (!rc && target.help) {
		help();
		return target_finish(argv[0], 0, &err);
	}
	if (!rc && target.sim)
		rc = error_set(
			&err, EXIT_USAGE, -EINVAL,
			"restore: a simulated machine ends with its run: nothing is left there");
	if (!rc)
		rc = target_open(NULL, target.root, &log, &p, &err);
	if (!rc)
		rc = restore(&target, p, &err);
	platform_destroy(p);
	return target_finish(argv[0], rc, &err);
}
