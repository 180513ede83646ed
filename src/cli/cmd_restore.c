/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon restore: restores registers that killed runs left programmed. */
#include <errno.h>
#include <stdio.h>

#include "cli/common.h"
#include "session/session.h"

static int report_recovery(const struct recovery *found, const struct run_dir *dir,
			   struct error *err)
{
	if (found->restored)
		printf("%zu register%s of %zu run%s restored\n", found->steps,
		       found->steps == 1 ? "" : "s", found->restored,
		       found->restored == 1 ? "" : "s");
	if (found->pending)
		return error_set(err, ERROR_FAILED, -ENXIO,
				 "%zu journal%s in %s could not be applied completely, and %s "
				 "kept",
				 found->pending, found->pending == 1 ? "" : "s", run_dir_path(dir),
				 found->pending == 1 ? "is" : "are");
	if (found->refused)
		return error_set(err, ERROR_FAILED, -EBADMSG, "%zu journal%s in %s %s not applied",
				 found->refused, found->refused == 1 ? "" : "s", run_dir_path(dir),
				 found->refused == 1 ? "was" : "were");
	if (found->running && !found->running_pid)
		return error_set(err, ERROR_IN_USE, -EBUSY,
				 "another cxlmon is running (in another container?), and will "
				 "restore its registers itself");
	if (found->running)
		return error_set(err, ERROR_IN_USE, -EBUSY,
				 "cxlmon (pid %d) is running, and will restore its registers "
				 "itself",
				 (int)found->running_pid);
	if (!found->restored)
		printf("nothing to restore: no journal of a killed run in %s\n", run_dir_path(dir));
	return 0;
}

static int recover_registers(struct options *options, struct platform *p, struct error *err)
{
	struct run_dir *dir = NULL;
	struct machine machine;
	struct recovery found = {0};
	int rc = machine_open(p, &machine, err);

	if (!rc)
		rc = run_dir_open(options->session.root, &dir, err);
	if (!rc)
		rc = recovery_run(&machine, dir, &found, err);
	if (!rc)
		rc = report_recovery(&found, dir, err);
	undo_free(&found.live);
	run_dir_close(dir);
	machine_close(&machine);
	return rc;
}

static int run_restore(struct options *options, struct error *err)
{
	if (options->session.sim)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "restore: a simulated machine ends with its run, and has nothing "
				 "to restore");
	return common_with_platform(options, recover_registers, err);
}

static const struct option_row rows[] = {{OPTION_ROOT, .help = HELP_ROOT},
					 OPTIONS_MESSAGES,
					 {OPTION_SIM},
					 {OPTION_JSON},
					 {.name = NULL}};

const struct subcommand cmd_restore = {
	.name = "restore",
	.purpose = "restore registers that a killed run left programmed",
	.run = run_restore,
	.usage = "Usage: cxlmon restore [OPTION]...\n"
		 "Restores the registers that a killed cxlmon left programmed, from its journal "
		 "in\n"
		 "/run/cxlmon. The next run of the monitor also does this.\n"
		 "\n",
	.options = rows,
};
