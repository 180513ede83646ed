/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/list.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "platform/perf.h"
#include "session/session.h"
#include "uncore/models/models.h"

#define BLANKS " \t"

static bool word_matches(const char *word, const char *name, const char *description)
{
	if (strpbrk(word, "*?["))
		return !fnmatch(word, name, FNM_CASEFOLD);
	return strcasestr(name, word) || (description && strcasestr(description, word));
}

static bool list_matches(const struct list *list, const char *name, const char *description,
			 const char *group)
{
	for (size_t i = 0; i < list->word_count; i++)
		if (!word_matches(list->words[i], name, description) &&
		    strcasecmp(list->words[i], group) != 0)
			return false;
	return true;
}

bool list_has_metric(const struct list *list, const struct metric *metric)
{
	return list_matches(list, metric->name, metric->help, metric->group);
}

const char *list_why_not(const struct list *list, const struct metric *metric)
{
	const char *name = metric->of ? metric->of : metric_formulas(metric);

	if (!metric_is_counted(metric) || metric->kind == METRIC_CPU ||
	    formulas_find(&list->formulas, name, 0))
		return NULL;
	return model_why_not(list->model, name);
}

bool list_is_of_one_source(const struct formula *formula)
{
	const struct event *event;

	for (unsigned i = 0; (event = formula_event(formula, i)); i++)
		if (event->one_source)
			return true;
	return false;
}

const char *list_unit_of(const struct model *model, const struct event *event)
{
	const struct pmu_type *pmu_type = model_pmu_type_of(model, event);

	return pmu_type ? pmu_type->name : "";
}

/* Splits the operands at blanks, in place. */
static int split_words(const struct options *options, struct list *list, struct error *err)
{
	for (size_t i = 0; i < options->operand_count; i++) {
		char *save = NULL, *word = strtok_r(options->operands[i], BLANKS, &save);

		for (; word; word = strtok_r(NULL, BLANKS, &save)) {
			if (list->word_count == LIST_WORDS)
				return error_set(err, ERROR_USAGE, -EINVAL,
						 "list: too many words: expected %d at most",
						 LIST_WORDS);
			list->words[list->word_count++] = word;
		}
	}
	return 0;
}

/* Finds the events, whose words include the name of their unit. */
static int find_events(struct list *list)
{
	size_t all;

	list->events = catalogue_events(&list->catalogue, &all);
	for (size_t i = 0; list->events && i < all; i++) {
		const struct event *event = list->events[i];

		if (list_matches(list, event->name, event->help, list_unit_of(list->model, event)))
			list->events[list->event_count++] = event;
	}
	return list->events ? 0 : -ENOMEM;
}

static int add_pmu_type(struct list *list, const char *name, uint16_t type)
{
	struct list_pmu_type *pmu_type;

	if (!list_matches(list, name, NULL, name))
		return 0;
	if (array_room(&list->pmu_types, list->pmu_type_count, 1, sizeof(*pmu_type)))
		return -ENOMEM;
	pmu_type = &list->pmu_types[list->pmu_type_count++];
	pmu_type->name = name;
	event_terms(list->model, type, pmu_type->terms);
	return 0;
}

static int find_pmu_types(struct list *list)
{
	const struct pmu_type *pmu_type = list->model->pmu_types;
	int rc = 0;

	for (; !rc && pmu_type->name; pmu_type++)
		rc = pmu_type->ignored ? 0 : add_pmu_type(list, pmu_type->name, pmu_type->type);
	if (!rc && model_has_core(list->model))
		rc = add_pmu_type(list, "core", PMU_CORE);
	return rc ? rc : add_pmu_type(list, "cpmu", PMU_CPMU);
}

/* Opens PMUs; problems with a PMU are reported for each event. */
static void open_perf(struct list *list)
{
	const struct log silent = {.write = NULL};
	const struct session_options *session = &list->options->session;

	if (!platform_open(session->sim, session->root, &silent, &list->platform,
			   &list->perf_error) &&
	    !machine_open_perf(list->platform, &list->machine, &list->perf_error))
		list->perf_error = list->machine.uncore_error;
}

int list_open(const struct options *options, struct platform *p, struct list *out,
	      struct error *err)
{
	const struct strings *files = &options->session.event_files;
	struct cpu_identity id;

	*out = (struct list){.options = options, .verbose = options->verbosity == VERBOSE};
	int rc = split_words(options, out, err);
	if (!rc)
		rc = machine_find_model(p, &id, &out->model, err);
	if (!rc)
		rc = formulas_read(&out->formulas, out->model, err);
	catalogue_init(&out->catalogue, out->model);
	for (size_t i = 0; !rc && i < files->count; i++)
		rc = perfmon_load(&out->catalogue, files->at[i], NULL, err);
	if (!rc && (options->json || out->verbose))
		open_perf(out);
	if (!rc && (find_events(out) || find_pmu_types(out)))
		rc = error_no_memory(err);
	return rc;
}

void list_close(struct list *list)
{
	if (list->platform)
		machine_close(&list->machine);
	platform_destroy(list->platform);
	free(list->pmu_types);
	free(list->events);
	catalogue_free(&list->catalogue);
	formulas_free(&list->formulas);
}

const char *list_perf_text(const struct list *list, const struct event *event,
			   char text[PERF_EVENT_TEXT_SIZE], struct error *why)
{
	const struct unit *unit;
	struct perf_event encoded;
	size_t i = 0;

	while ((unit = machine_unit(&list->machine, event->type, i++)))
		if (unit->type == event->type)
			break;
	if (!unit && list->perf_error.code)
		*why = list->perf_error;
	else if (!unit)
		error_set(why, ERROR_NO_UNIT, -ENODEV, "this kernel has no PMU for its unit");
	if (!unit || perf_unit_encode(unit, event, &encoded, why))
		return NULL;
	return perf_unit_event_text(unit, event, text);
}
