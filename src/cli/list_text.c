/* SPDX-License-Identifier: BSD-3-Clause */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "cli/cli_private.h"
#include "cli/list.h"
#include "uncore/model/event.h"

#define COUNTERS_SIZE	  160
#define METRIC_WIDTH	  26
#define METRIC_TEXT_SIZE  640 /* size of a metric's title and description */
#define FORMULA_INDENT	  7
#define FORMULA_TEXT_SIZE 1024 /* size of a formula with its source */
#define DETAIL_INDENT	  6    /* indentation of an event's details */
#define TERMS_INDENT	  13
#define GROUP_WIDTH	  7
#define UNIT_WIDTH	  6
#define MOST_NAME_WIDTH	  60 /* longer names shift their line */

static void print_formula(const struct formula *formula, bool first)
{
	char text[FORMULA_TEXT_SIZE] = "";

	text_append(text, sizeof(text), "%s", formula->text);
	if (formula->source)
		text_append(text, sizeof(text), " (source %s)", formula->source);
	if (formula_event(formula, 0)->type == PMU_CPMU)
		text_append(text, sizeof(text), " (by CXL devices with a CPMU)");
	if (formula->program->is_quotient && !formula->same_group)
		text_append(text, sizeof(text), " (multiplexed)");
	if (list_is_of_one_source(formula))
		text_append(text, sizeof(text), " (published by one source only)");
	wrapped_print(stdout, text,
		      printf("    %s ", first			 ? " ="
					: formula->only_compared ? "vs"
								 : "or"),
		      FORMULA_INDENT, wrapped_width());
}

static void print_metric(const struct list *list, const struct metric *m)
{
	const int used = printf("  %-*s %-*s ", METRIC_WIDTH, m->name, GROUP_WIDTH, m->group);
	const char *why_not = list_why_not(list, m);
	const struct formula *formula;
	char text[METRIC_TEXT_SIZE];

	snprintf(text, sizeof(text), "%s%s%s", m->heading ? m->heading : "", m->heading ? ": " : "",
		 m->help);
	wrapped_print(stdout, text, used, used, wrapped_width());
	if (why_not)
		wrapped_print(stdout, why_not, printf("     not measured: "), FORMULA_INDENT,
			      wrapped_width());
	else if (m->source == SOURCE_REGIONS)
		printf("     counted by L3 caches, where firmware has the ACPI table ERDT\n");
	else if (!metric_is_counted(m))
		printf("     read from the kernel\n");
	for (unsigned nth = 0; (formula = formulas_find(&list->formulas, m->name, nth)); nth++)
		print_formula(formula, nth == 0);
}

static bool print_metrics(const struct list *list)
{
	bool any = false;

	for (const struct metric *m = metric_table; m->name; m++) {
		if (!list_has_metric(list, m))
			continue;
		if (!any)
			printf("Metrics of %s:\n", list->model->name);
		any = true;
		print_metric(list, m);
	}
	return any;
}

/*
 * Writes "on counters " and the counters as counter= takes them, and the core PMU's by Intel's
 * names: "0", "fixed 1", "tsc". The number of general-purpose counters depends on the CPU.
 */
static const char *counters_text(const struct event *event, char text[COUNTERS_SIZE])
{
	const bool core = event->type == PMU_CORE;
	const bool any = core && (event->counters & CORE_COUNTERS_GENERAL) == CORE_COUNTERS_GENERAL;
	const uint32_t counters = event->counters & ~(any ? CORE_COUNTERS_GENERAL : 0);
	const char *separator = "on counters ";

	*text = '\0';
	for (unsigned i = 0; i < 32; i++) {
		if (!(counters >> i & 1))
			continue;
		if (core && i == CORE_COUNTER_TSC)
			text_append(text, COUNTERS_SIZE, "%stsc", separator);
		else if (core && i < CORE_COUNTER_GENERAL)
			text_append(text, COUNTERS_SIZE, "%sfixed %u", separator, i);
		else
			text_append(text, COUNTERS_SIZE, "%s%u", separator,
				    core ? i - CORE_COUNTER_GENERAL : i);
		separator = ",";
	}
	if (any)
		text_append(text, COUNTERS_SIZE, "%sany general", separator);
	return text;
}

/* Prints how an event is encoded; the counters that can count it depend on the CPMU. */
static void print_cpmu_encoding(const struct event *event)
{
	const uint64_t events = event->modifiers | event->optional;

	printf("      cpmu/vendor=0x%04x,group=0x%04x,mask=0x%x/%s\n", (unsigned)(events >> 48),
	       (unsigned)(events >> 32 & UINT16_MAX), (unsigned)events,
	       event->optional ? " (bits that the device has)" : "");
}

static void print_encoding(const struct list *list, const struct event *event)
{
	char counters[COUNTERS_SIZE];

	if (event->type == PMU_CPMU) {
		print_cpmu_encoding(event);
		return;
	}
	int used = printf("      %s/event=0x%02x,umask=0x%02x", list_unit_of(list->model, event),
			  event->code, event->umask);
	if (event->umask_ext)
		used += printf(",umask_ext=0x%08x", event->umask_ext);
	fputs("/ ", stdout);
	wrapped_print(stdout, counters_text(event, counters), used + 2, DETAIL_INDENT,
		      wrapped_width());
}

static void print_perf_event(const struct list *list, const struct event *event)
{
	char text[PERF_EVENT_TEXT_SIZE];
	struct error why;

	if (list_perf_text(list, event, text, &why))
		printf("      perf: %s\n", text);
	else if (event->type == PMU_CORE || !list->perf_error.code)
		wrapped_print(stdout, why.text, printf("      not by perf: "), DETAIL_INDENT,
			      wrapped_width());
}

/* Returns the longest name of the matching events of a PMU type. */
static int names_width(const struct list *list, uint16_t pmu_type)
{
	int width = 0;

	for (size_t i = 0; i < list->event_count; i++) {
		const struct event *event = list->events[i];
		const int length = (int)strlen(event->name);

		if (event->type == pmu_type && length > width)
			width = length;
	}
	return width < MOST_NAME_WIDTH ? width : MOST_NAME_WIDTH;
}

static void print_event(const struct list *list, const struct event *event, int width, int line)
{
	const char *help = event->help ? event->help : "";
	const int used = printf("  %-*s %-*s", width, event->name, *help ? UNIT_WIDTH : 0,
				list_unit_of(list->model, event));

	if (*help && (!line || used + 1 < line))
		printf(" %.*s", wrapped_cut(help, line ? line - used - 1 : 0), help);
	putchar('\n');
	if (!list->verbose)
		return;
	if (event->one_source)
		printf("      %s\n", "published by one source only");
	print_encoding(list, event);
	print_perf_event(list, event);
}

/* Prints events by unit, in the order of the units' first events. */
static bool print_events(const struct list *list)
{
	bool printed[UINT16_MAX + 1] = {false}; /* indexed by PMU type */

	if (list->event_count)
		printf("Events of %s:\n", list->model->name);
	for (size_t i = 0; i < list->event_count; i++) {
		const uint16_t pmu_type = list->events[i]->type;

		if (printed[pmu_type])
			continue;
		const int width = names_width(list, pmu_type);
		for (size_t j = i; j < list->event_count; j++)
			if (list->events[j]->type == pmu_type)
				print_event(list, list->events[j], width, wrapped_width());
		printed[pmu_type] = true;
	}
	return list->event_count > 0;
}

bool list_print_text(const struct list *list)
{
	bool any = print_metrics(list);

	any |= print_events(list);
	if (list->pmu_type_count)
		printf("Units of %s, with the terms of their raw events:\n", list->model->name);
	for (size_t i = 0; i < list->pmu_type_count; i++)
		wrapped_print(stdout, list->pmu_types[i].terms,
			      printf("  %-10s ", list->pmu_types[i].name), TERMS_INDENT,
			      wrapped_width());
	if (list->verbose && any && list->perf_error.code)
		wrapped_print(stdout, list->perf_error.text,
			      printf("perf counts no uncore event here: "), 0, wrapped_width());
	return any || list->pmu_type_count;
}
