/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon info: the parts of this machine that can be monitored. */
#include <stdio.h>
#include <stdlib.h>

#include "cli/cli_private.h"
#include "cli/common.h"
#include "show/info/info.h"
#include "show/info/probe.h"

/* Returns EXIT_OK if the chosen backend reaches any unit. */
static int status_of(const struct probe *probe, enum session_backend backend)
{
	const struct error *why =
		backend == BACKEND_PERF ? &probe->kernel_error : &probe->machine_error;

	if (!why->code || (backend == BACKEND_AUTO && !probe->kernel_error.code) ||
	    (backend == BACKEND_PERF ? &probe->kernel : &probe->machine)->cpmu_count)
		return EXIT_OK;
	return (int)exit_status_of(why->kind);
}

static void print_info(const struct probe *probe, bool verbose)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return;
	info_print(out, probe, verbose);
	if (!fclose(out))
		wrapped_lines(stdout, text, wrapped_width());
	free(text);
}

/* Prints the parts. If a part was not found, the output says why. */
static int run_info(struct options *options, struct error *err)
{
	struct probe probe;
	int rc =
		probe_open(options->session.sim, options->session.root, &options->log, &probe, err);

	if (!rc && options->json)
		rc = common_print_json(options, info_json(&probe), err);
	else if (!rc)
		print_info(&probe, options->verbosity == VERBOSE);
	options->status = status_of(&probe, options->session.backend);
	probe_close(&probe);
	return rc;
}

static const struct option_row rows[] = {
	{OPTION_VERBOSE, .help = "show every unit, with the address of its control register"},
	{OPTION_JSON, .help = "print one JSON object"},
	{OPTION_SIM_SHOWN},
	{OPTION_ROOT, .help = HELP_ROOT},
	{OPTION_BACKEND, .help = HELP_BACKEND},
	{OPTION_QUIET, .help = HELP_QUIET},
	OPTION_SHOW_HELP,
	{.name = NULL},
};

const struct subcommand cmd_info = {
	.name = "info",
	.purpose = "show this machine's processor, uncore units and CXL ports",
	.run = run_info,
	.usage = "Usage: cxlmon info [OPTION]...\n"
		 "Shows the processor, uncore units, CXL ports and CPMUs (counters of CXL devices) "
		 "of this\n"
		 "machine. If something cannot be read, the reason is printed instead.\n"
		 "\n",
	.options = rows,
	.notes =
		"\n"
		"Exit status: 0 if there are units or CPMUs, 3 if there are none, 4 if there is no permission to\n"
		"find them; cxlmon doctor shows what to do then.\n",
};
