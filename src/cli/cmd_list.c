/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon list: the metrics and events of a processor, with codes and formulas. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/common.h"
#include "cli/list_print.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/subcommands.h"
#include "events/perfmon_json.h"
#include "platform/text.h"
#include "session/session.h"
#include "uncore/machine.h"

struct list_options {
	struct common_options common;
	struct list_search search;
	const char *event_files[OPTIONS_MOST]; /* arguments of --events-from */
	size_t event_file_count;
};

static void help(void)
{
	fputs("Usage: cxlmon list [OPTION]... [WORD]...\n"
	      "Lists the metrics and events of this processor, or those that have all WORDs in their\n"
	      "name or description. A WORD with *, ? or [] matches the whole name. Case is ignored.\n"
	      "The name of a metric group or unit (cxl, cpmu) stands for all that it has.\n"
	      "\n"
	      "      --events-from=FILE also list the events of a perfmon JSON file\n" HELP_JSON
		      HELP_SIM HELP_ROOT HELP_BACKEND HELP_QUIET
	      "  -v, --verbose          also print how each event is encoded, here and for perf,\n"
	      "                         and its counters\n" HELP_HELP "\n"
	      "  cxlmon list read latency\n"
	      "  cxlmon list cpmu\n"
	      "\n"
	      "Exit status 1: nothing matches.\n",
	      stdout);
}

static int add_events_from(void *context, const char *value, struct error *err)
{
	struct list_options *o = context;

	if (o->event_file_count == OPTIONS_MOST)
		return error_set(err, EXIT_USAGE, -EINVAL,
				 "list: expected %d --events-from at most", OPTIONS_MOST);
	o->event_files[o->event_file_count++] = value;
	return 0;
}

static int parse(int argc, char **argv, struct list_options *o, struct error *err)
{
	static const struct extra_option own[] = {
		{"events-from", 0, true, add_events_from},
		{.name = NULL},
	};
	int rc;

	*o = (struct list_options){.event_file_count = 0};
	rc = common_parse(argc, argv, own, o, SIZE_MAX, &o->common, err);
	return rc ? rc
		  : list_search_init(&o->search, o->common.operands, o->common.operand_count, err);
}

/* With one word, a name that is like it. */
static int nothing_matches(const struct list_context *list, struct error *err)
{
	const struct list_search *search = list->search;
	const char *nearest =
		search->count == 1 ? catalogue_nearest(list->catalogue, search->words[0]) : NULL;

	if (nearest)
		return error_set(
			err, EXIT_FAILED, -ENOENT, "nothing on %s matches '%s': did you mean '%s'?",
			list->model->name, quoted(search->words[0]).text, quoted(nearest).text);
	return error_set(err, EXIT_FAILED, -ENOENT,
			 "nothing on %s matches: expected words of names or descriptions; cxlmon "
			 "list without any shows all",
			 list->model->name);
}

/* What the monitor says of a machine whose processor is not known: it may have CPMUs. */
static int check_machine(struct platform *p, struct error *err)
{
	struct machine machine;
	int rc = machine_open(p, &machine, err);

	if (!rc && !machine.cpmu_count)
		rc = machine_no_uncore(&machine, err);
	machine_close(&machine);
	return rc;
}

/* Of a processor that is not known, what can be counted is listed, and the rest said. */
static int print_found(const struct list_options *o, const struct list_context *list,
		       struct platform *p, struct error *err)
{
	if (o->common.json)
		return list_print_json(list, err);
	const bool any = list_print_text(list);
	const int rc = list->model->boxes->name ? 0 : check_machine(p, err);

	return rc || any ? rc : nothing_matches(list, err);
}

static int print(const struct list_options *o, struct list_context *list, struct platform *p,
		 struct error *err)
{
	const struct event **events =
		list_events(list->search, list->catalogue, &list->event_count);

	list->events = events;
	const int rc = events ? print_found(o, list, p, err) : error_no_memory(err);
	free(events);
	return rc;
}

static int list(const struct list_options *o, struct error *err)
{
	struct event_catalogue catalogue;
	struct list_perf perf = {.platform = NULL};
	const struct model *model = NULL;
	const struct log log = messages_log(o->common.quiet, o->common.verbose);
	struct cpu_identity id;
	struct platform *p = NULL;
	int rc = platform_open(o->common.sim, o->common.root, &log, &p, err);

	if (!rc)
		rc = machine_find_model(p, &id, &model, err);
	catalogue_init(&catalogue, model);
	for (size_t i = 0; !rc && i < o->event_file_count; i++)
		rc = perfmon_load(&catalogue, o->event_files[i], NULL, err);
	if (!rc && (o->common.json || o->common.verbose))
		list_perf_open(&perf, o->common.sim, o->common.root);
	struct list_context context = {
		.model = model,
		.catalogue = &catalogue,
		.search = &o->search,
		.verbose = o->common.verbose,
		.perf = &perf,
	};
	if (!rc)
		rc = print(o, &context, p, err);
	list_perf_close(&perf);
	catalogue_free(&catalogue);
	platform_destroy(p);
	return rc;
}

int cmd_list(int argc, char **argv)
{
	struct list_options options;
	struct error err = {0};
	int rc = parse(argc, argv, &options, &err);

	if (!rc && options.common.help)
		help();
	else if (!rc)
		rc = list(&options, &err);
	const int status = common_finish("list", rc, &err);
	if (rc)
		messages_try_simulation(&err, options.common.sim);
	return status;
}
