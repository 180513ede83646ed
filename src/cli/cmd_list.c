/* SPDX-License-Identifier: BSD-3-Clause */
/* cxlmon list: the metrics and events of a processor, with codes and formulas. */
#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "cli/common.h"
#include "cli/messages.h"
#include "cli/options.h"
#include "cli/subcommands.h"
#include "events/event_catalogue.h"
#include "events/event_parse.h"
#include "events/perfmon_json.h"
#include "metrics/metric.h"
#include "platform/text.h"
#include "session/session.h"
#include "uncore/core_unit.h"
#include "uncore/machine.h"

#define LIST_SCHEMA 1

struct list_options {
	struct common_options common;
	const char *pattern;		       /* NULL: all */
	const char *event_files[OPTIONS_MOST]; /* arguments of --events-from */
	size_t event_file_count;
};

static void help(void)
{
	fputs("Usage: cxlmon list [OPTION]... [PATTERN]\n"
	      "Lists the metrics and events of this processor, or those that match PATTERN: a part of\n"
	      "the name, or a glob (*, ?, []) for the whole name. Case is ignored.\n"
	      "\n"
	      "      --events-from=FILE also list the events of a perfmon JSON file\n" HELP_JSON
		      HELP_COMMON,
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
	rc = common_parse(argc, argv, own, o, 1, &o->common, err);
	if (!rc)
		o->pattern = o->common.operands[0];
	return rc;
}

static bool matches(const char *pattern, const char *name)
{
	if (!pattern)
		return true;
	if (strpbrk(pattern, "*?["))
		return !fnmatch(pattern, name, FNM_CASEFOLD);
	return strcasestr(name, pattern) != NULL;
}

/* The name of a group matches all its metrics. */
static bool metric_matches(const char *pattern, const struct metric *metric)
{
	return matches(pattern, metric->name) || (pattern && !strcasecmp(pattern, metric->group));
}

static const char *unit_of(const struct model *model, const struct event *event)
{
	const struct box *box = model_box(model, event->box);

	return box ? box->name : "core";
}

/* Calls visit for each formula of each metric that matches. */
typedef void metric_visitor(const struct metric *metric, const struct formula *formula,
			    void *context);

static void each_metric(const struct model *model, const char *pattern, metric_visitor *visit,
			void *context)
{
	for (const struct metric *m = metric_table; m->name; m++) {
		const struct formula *formula;

		for (unsigned nth = 0;
		     metric_matches(pattern, m) && (formula = model_formula(model, m->name, nth));
		     nth++)
			visit(m, formula, context);
	}
}

static void print_metric(const struct metric *metric, const struct formula *formula, void *context)
{
	char text[FORMULA_TEXT_SIZE];

	(void)context;
	formula_describe(formula, text, sizeof(text));
	printf("  %-28s %s\n  %-28s = %s%s%s%s\n", metric->name, metric->help, metric->group, text,
	       formula->source ? " (source " : "", formula->source ? formula->source : "",
	       formula->source ? ")" : "");
}

/* As counter= takes it; of the core PMU, as Intel's manual calls it: "0", "fixed 1", "tsc". */
static const char *counter_text(const struct event *event, unsigned i, char *text, size_t size)
{
	if (event->box != BOX_CORE)
		snprintf(text, size, "%u", i);
	else if (i == CORE_COUNTER_TSC)
		snprintf(text, size, "tsc");
	else if (i < CORE_COUNTER_GENERAL)
		snprintf(text, size, "fixed %u", i);
	else
		snprintf(text, size, "%u", i - CORE_COUNTER_GENERAL);
	return text;
}

/* The number of general-purpose counters of a core depends on the CPU. */
static bool on_any_counter(const struct event *event)
{
	return event->box == BOX_CORE &&
	       (event->counters & CORE_COUNTERS_GENERAL) == CORE_COUNTERS_GENERAL;
}

static void print_counters(const struct event *event)
{
	const uint32_t counters =
		on_any_counter(event) ? event->counters & ~CORE_COUNTERS_GENERAL : event->counters;
	const char *separator = "";
	char text[16];

	for (unsigned i = 0; i < 32; i++) {
		if (!(counters >> i & 1))
			continue;
		printf("%s%s", separator, counter_text(event, i, text, sizeof(text)));
		separator = ",";
	}
	if (on_any_counter(event))
		printf("%sany general", separator);
}

static void print_event(const struct model *model, const struct event *event)
{
	printf("  %s\n    %s/event=0x%02x,umask=0x%02x", event->name, unit_of(model, event),
	       event->code, event->umask);
	if (event->umask_ext)
		printf(",umask_ext=0x%08x", event->umask_ext);
	fputs("/ on counters ", stdout);
	print_counters(event);
	printf("%s%s\n", event->help && *event->help ? ": " : "", event->help ? event->help : "");
}

/* Calls visit for each type of unit that matches, and for the core. */
typedef void box_visitor(const char *name, const char *terms, void *context);

static void each_box(const struct model *model, const char *pattern, box_visitor *visit,
		     void *context)
{
	char terms[EVENT_TERMS_SIZE];

	for (const struct box *box = model->boxes; box->name; box++)
		if (!box->ignored && matches(pattern, box->name))
			visit(box->name, event_terms(box_layout(box), terms), context);
	if (matches(pattern, "core"))
		visit("core", event_terms(NULL, terms), context);
}

static void print_box(const char *name, const char *terms, void *context)
{
	(void)context;
	printf("  %-10s %s\n", name, terms);
}

static void print_all(const struct model *model, const struct event_catalogue *catalogue,
		      const char *pattern)
{
	const struct event *event;
	size_t at = 0;

	printf("Metrics of %s:\n", model->name);
	each_metric(model, pattern, print_metric, NULL);
	printf("Events of %s:\n", model->name);
	while ((event = catalogue_next(catalogue, &at)))
		if (matches(pattern, event->name))
			print_event(model, event);
	printf("Units of %s, with the terms of their raw events:\n", model->name);
	each_box(model, pattern, print_box, NULL);
}

static void add_metric(const struct metric *metric, const struct formula *formula, void *context)
{
	json_t *list = context, *events = json_array();
	char text[FORMULA_TEXT_SIZE];

	formula_describe(formula, text, sizeof(text));
	for (unsigned i = 0; i < FORMULA_EVENTS && formula->events[i]; i++)
		json_array_append_new(events, json_string(formula->events[i]));
	json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:s}", "name",
					      metric->name, "group", metric->group, "unit",
					      metric->unit ? metric->unit : "", "formula", text,
					      "source", formula->source ? formula->source : "",
					      "events", events, "help", metric->help));
}

static json_t *event_object(const struct model *model, const struct event *event)
{
	const bool core = event->box == BOX_CORE;
	const unsigned first = core ? CORE_COUNTER_GENERAL : 0, end = core ? CORE_COUNTER_TSC : 32;
	json_t *counters = json_array();

	/* as counter= takes them; fixed counters are chosen automatically */
	for (unsigned i = first; i < end; i++)
		if (event->counters >> i & 1)
			json_array_append_new(counters, json_integer(i - first));
	return json_pack("{s:s, s:s, s:i, s:i, s:I, s:o, s:s}", "name", event->name, "unit",
			 unit_of(model, event), "code", event->code, "umask", event->umask,
			 "umask_ext", (json_int_t)event->umask_ext, "counters", counters, "help",
			 event->help ? event->help : "");
}

static void add_box(const char *name, const char *terms, void *context)
{
	json_t *list = json_array();

	for (size_t length; *terms; terms += length + strspn(terms + length, ", ")) {
		length = strcspn(terms, ",");
		json_array_append_new(list, json_stringn(terms, length));
	}
	json_array_append_new(context, json_pack("{s:s, s:o}", "name", name, "terms", list));
}

static int print_json(const struct model *model, const struct event_catalogue *catalogue,
		      const char *pattern, struct error *err)
{
	json_t *metrics = json_array(), *events = json_array(), *units = json_array();
	const struct event *event;
	size_t at = 0;

	each_metric(model, pattern, add_metric, metrics);
	while ((event = catalogue_next(catalogue, &at)))
		if (matches(pattern, event->name))
			json_array_append_new(events, event_object(model, event));

	each_box(model, pattern, add_box, units);
	json_t *all =
		json_pack("{s:i, s:s, s:o, s:o, s:o}", "schema", LIST_SCHEMA, "model",
			  model->short_name, "metrics", metrics, "events", events, "units", units);
	return common_print_json("list", all, err);
}

static int list(const struct list_options *o, struct error *err)
{
	struct event_catalogue catalogue;
	const struct model *model = NULL;
	const struct log log = messages_log(o->common.quiet, o->common.verbose);
	struct platform *p = NULL;
	int rc = platform_open(o->common.sim, o->common.root, &log, &p, err);

	if (!rc)
		rc = machine_find_model(p, &model, err);
	catalogue_init(&catalogue, model);
	for (size_t i = 0; !rc && i < o->event_file_count; i++)
		rc = perfmon_load(&catalogue, o->event_files[i], NULL, err);
	if (!rc && o->common.json)
		rc = print_json(model, &catalogue, o->pattern, err);
	else if (!rc)
		print_all(model, &catalogue, o->pattern);
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
	return common_finish("list", rc, &err);
}
