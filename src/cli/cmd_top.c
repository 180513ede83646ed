/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon top: who uses CXL memory, live: the screen's page of processes; elsewhere a table. */
#include <errno.h>
#include <string.h>

#include "cli/common.h"
#include "show/screen/screen.h"

/* The table of what is sampled, or where that is not possible, of memory alone. */
static int print_table(struct options *o, const struct cxl_node_choice *choice, struct error *err)
{
	int rc = common_check_nodes(o, choice, err);

	if (rc)
		return rc;
	o->format = &format_table;
	log_write(&o->log, LEVEL_NOTE,
		  "no screen%s: a table follows; for programs: cxlmon hot --csv, cxlmon who --csv",
		  o->plain		 ? ""
		  : o->operand_count > 1 ? " with a COUNT"
					 : " here");
	rc = cmd_hot.run(o, err);
	if (!rc || (err->kind != ERROR_NO_UNIT && err->kind != ERROR_PERMISSION))
		return rc;
	log_write(&o->log, LEVEL_WARNING, "memory alone is shown: %s", err->text);
	return cmd_who.run(o, err);
}

static int run_top(struct options *o, struct error *err)
{
	const struct cxl_node_choice choice = {.nodes = o->session.view.nodes,
					       .devices = o->session.view.devices};
	int rc;

	if (o->plain || o->operand_count > 1 || !screen_supported(&o->log))
		return print_table(o, &choice, err);
	o->session.interval_ns = NS_PER_S;
	rc = common_take_interval(o, err);
	if (rc)
		return rc;
	/* ports are those of all nodes */
	o->session.view.nodes = o->session.view.devices = NULL;
	o->session.view.finest = SCOPE_PORT;
	o->top.choice = choice;
	o->top.first = true;
	return monitor_run(o, err);
}

static const struct option_row rows[] = {
	OPTIONS_PROCESSES,
	{OPTION_MEMBER(FLAG, plain), .name = "plain",
	 .help = "print a table, as where there is no terminal"},
	OPTIONS_COUNTING,
	{.name = NULL},
};

const struct subcommand cmd_top = {
	.name = "top",
	.purpose = "show who uses CXL memory, live: processes, and ports",
	.hint = "who uses CXL?",
	.run = run_top,
	.usage =
		"Usage: cxlmon top [OPTION]... [INTERVAL [COUNT]]\n"
		"Shows, live, which processes have memory on CXL nodes, and what they read from there, by\n"
		"sampled loads. Tab changes to what the ports count, and back; ? explains keys and columns.\n"
		"\n",
	.options = rows,
	.notes =
		"\n"
		"  sudo cxlmon top                    every second\n"
		"  cxlmon top --sim=gnr               simulated processes\n"
		"\n"
		"Where loads can't be sampled, it shows memory alone, and says why. For programs:\n"
		"cxlmon hot and cxlmon who, which print CSV and JSON.\n",
	.operands = 2,
};
