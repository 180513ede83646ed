/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon info: what this machine has to monitor. */
#include <stdio.h>

#include "cli/subcommands.h"
#include "cli/target.h"
#include "info/info.h"
#include "info/probe.h"

static void help(void)
{
	fputs("Usage: cxlmon info [OPTION]...\n"
	      "Shows what this machine has: its processor, its uncore units and its CXL ports. What\n"
	      "can't be read is said in its place.\n"
	      "\n"
	      "  -v, --verbose          every unit by itself, with the address of its control\n" TARGET_HELP
	      "  -h, --help             show this help\n"
	      "\n"
	      "Exit status: 0 where there are units, 3 where there are none, 4 where they may not be\n"
	      "seen; cxlmon doctor says what to do then.\n",
	      stdout);
}

static int set_verbose(void *context, const char *value, struct error *err)
{
	(void)value;
	(void)err;
	*(bool *)context = true;
	return 0;
}

/* What was not found has been said where it would stand. */
static int info(const struct target *target, bool all, int *status, struct error *err)
{
	struct probe probe;
	int rc = probe_open(target->sim, target->root, &probe, err);

	if (!rc && target->json)
		rc = target_print_json("info", info_json(&probe), err);
	else if (!rc)
		info_print(stdout, &probe, all);
	*status = probe.machine_error.code ? (int)probe.machine_error.status : EXIT_OK;
	probe_close(&probe);
	return rc;
}

int cmd_info(int argc, char **argv)
{
	static const struct own_option own[] = {
		{"verbose", 'v', false, set_verbose},
		{.name = NULL},
	};
	struct target target;
	struct error err = {0};
	bool all = false;
	int status = EXIT_OK, rc = target_parse(argc, argv, own, &all, 0, &target, &err);

	if (!rc && target.help)
		help();
	else if (!rc)
		rc = info(&target, all, &status, &err);
	rc = target_finish("info", rc, &err);
	return rc ? rc : status;
}
