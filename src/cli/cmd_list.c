/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon list: prints the metrics and events of a processor, with codes and formulas. */
#include <errno.h>

#include "base/text.h"
#include "cli/common.h"
#include "cli/list.h"
#include "uncore/machine.h"

/* Reports that nothing matches; for a single word, with a similar name. */
static int nothing_matches(const struct list *list, struct error *err)
{
	const char *nearest =
		list->word_count == 1 ? catalogue_nearest(&list->catalogue, list->words[0]) : NULL;

	if (nearest)
		return error_set(err, ERROR_FAILED, -ENOENT,
				 "nothing on %s matches '%s': did you mean '%s'?",
				 list->model->name, quoted(list->words[0]).text,
				 quoted(nearest).text);
	return error_set(err, ERROR_FAILED, -ENOENT,
			 "nothing on %s matches: expected words of names or descriptions; cxlmon "
			 "list without a word shows all",
			 list->model->name);
}

/* Reports an unknown processor as the monitor does: the machine may still have CPMUs. */
static int check_machine(struct platform *p, struct error *err)
{
	struct machine machine;
	int rc = machine_open(p, &machine, err);

	if (!rc && !machine.cpmu_count)
		rc = machine_no_uncore(&machine, err);
	machine_close(&machine);
	return rc;
}

/* Prints the events that can be counted; if the processor is unknown, then reports that. */
static int print_list(const struct list *list, struct platform *p, struct error *err)
{
	if (list->options->json)
		return list_print_json(list, err);
	const bool any = list_print_text(list);
	const int rc = list->model->pmu_types->name ? 0 : check_machine(p, err);

	return rc || any ? rc : nothing_matches(list, err);
}

static int print_all(struct options *options, struct platform *p, struct error *err)
{
	struct list found;
	int rc = list_open(options, p, &found, err);

	if (!rc)
		rc = print_list(&found, p, err);
	list_close(&found);
	return rc;
}

static int run_list(struct options *options, struct error *err)
{
	return common_with_platform(options, print_all, err);
}

static const struct option_row rows[] = {
	{OPTION_EVENTS_FROM, .help = "add the events of a perfmon JSON file"},
	{OPTION_JSON, .help = "print one JSON object"},
	{OPTION_SIM_SHOWN},
	{OPTION_ROOT, .help = HELP_ROOT},
	{OPTION_BACKEND, .help = HELP_BACKEND},
	{OPTION_QUIET, .help = HELP_QUIET},
	{OPTION_VERBOSE, .help = "print how each event is encoded, here and for perf,\n"
				 "and its counters"},
	OPTION_SHOW_HELP,
	{.name = NULL},
};

const struct subcommand cmd_list = {
	.name = "list",
	.purpose = "list the metrics and events of this processor",
	.run = run_list,
	.usage = "Usage: cxlmon list [OPTION]... [WORD]...\n"
		 "Lists the metrics and events of this processor, or those that have all WORDs in "
		 "their\n"
		 "name or description. A WORD with *, ? or [] matches the whole name. Case is "
		 "ignored.\n"
		 "The name of a metric group or unit (cxl, cpmu) lists everything in it.\n"
		 "\n",
	.options = rows,
	.notes = "\n"
		 "  cxlmon list read latency\n"
		 "  cxlmon list cpmu\n"
		 "\n"
		 "Exit status 1: nothing matches.\n",
	.operands = SIZE_MAX,
	.simulates = true,
};
