/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon info: the parts of this machine that can be monitored. */
#include <stdio.h>

#include "cli/common.h"
#include "cli/messages.h"
#include "cli/subcommands.h"
#include "info/info.h"
#include "info/probe.h"

static void help(void)
{
	fputs("Usage: cxlmon info [OPTION]...\n"
	      "Shows the processor, uncore units, CXL ports and CPMUs (counters of CXL devices) of this\n"
	      "machine. Where something can't be read, the reason is printed instead.\n"
	      "\n"
	      "  -v, --verbose          show every unit, with the address of its control register\n" HELP_JSON
		      HELP_SIM HELP_ROOT HELP_BACKEND HELP_QUIET HELP_HELP "\n"
	      "Exit status: 0 if there are units or CPMUs, 3 if there are none, 4 if there is no permission to\n"
	      "find them; cxlmon doctor shows what to do then.\n",
	      stdout);
}

/* Whether there are units that the chosen backend reaches. */
static int status_of(const struct probe *probe, enum session_backend backend)
{
	const struct error *why =
		backend == BACKEND_PERF ? &probe->kernel_error : &probe->machine_error;

	if (!why->code || (backend == BACKEND_AUTO && !probe->kernel_error.code) ||
	    (backend == BACKEND_PERF ? &probe->kernel : &probe->machine)->cpmu_count)
		return EXIT_OK;
	return (int)why->status;
}

/* Why something was not found is part of the output. */
static int info(const struct common_options *options, int *status, struct error *err)
{
	const struct log log = messages_log(options->quiet, options->verbose);
	struct probe probe;
	int rc = probe_open(options->sim, options->root, &log, &probe, err);

	if (!rc && options->json)
		rc = common_print_json("info", info_json(&probe), err);
	else if (!rc)
		info_print(stdout, &probe, options->verbose);
	*status = status_of(&probe, options->backend);
	probe_close(&probe);
	return rc;
}

int cmd_info(int argc, char **argv)
{
	struct common_options options;
	struct error err = {0};
	int status = EXIT_OK, rc = common_parse(argc, argv, NULL, NULL, 0, &options, &err);

	if (!rc && options.help)
		help();
	else if (!rc)
		rc = info(&options, &status, &err);
	rc = common_finish("info", rc, &err);
	return rc ? rc : status;
}
