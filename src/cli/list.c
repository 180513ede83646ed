/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/list.h"

#include <errno.h>
#include <fnmatch.h>
#include <string.h>

#include "events/event_list.h"
#include "session/session.h"
#include "sim/sim.h"

#define BLANKS " \t"

int list_search_init(struct list_search *search, char **operands, size_t count, struct error *err)
{
	*search = (struct list_search){.count = 0};
	for (size_t i = 0; i < count; i++) {
		char *save = NULL, *word = strtok_r(operands[i], BLANKS, &save);

		for (; word; word = strtok_r(NULL, BLANKS, &save)) {
			if (search->count == LIST_WORDS)
				return error_set(err, EXIT_USAGE, -EINVAL,
						 "list: too many words: expected %d at most",
						 LIST_WORDS);
			search->words[search->count++] = word;
		}
	}
	return 0;
}

static bool word_matches(const char *word, const char *name, const char *description)
{
	if (strpbrk(word, "*?["))
		return !fnmatch(word, name, FNM_CASEFOLD);
	return strcasestr(name, word) || (description && strcasestr(description, word));
}

static bool matches(const struct list_search *search, const char *name, const char *description,
		    const char *group)
{
	for (size_t i = 0; i < search->count; i++)
		if (!word_matches(search->words[i], name, description) &&
		    (!group || strcasecmp(search->words[i], group) != 0))
			return false;
	return true;
}

bool list_matches_metric(const struct list_search *search, const struct metric *metric)
{
	return matches(search, metric->name, metric->help, metric->group);
}

const char *list_why_not(const struct list_context *list, const struct metric *metric)
{
	const char *name = metric->of ? metric->of : metric_formulas(metric);

	if (metric->kernel_stat || metric->kind == METRIC_CPU ||
	    formulas_find(list->formulas, name, 0))
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

static bool matches_event(const struct list_search *search, const struct model *model,
			  const struct event *event)
{
	return matches(search, event->name, event->help, model ? list_unit_of(model, event) : NULL);
}

static bool matches_name(const struct list_search *search, const char *name)
{
	return matches(search, name, NULL, NULL);
}

const struct event **list_events(const struct list_search *search,
				 const struct event_catalogue *catalogue, size_t *count)
{
	size_t all;
	const struct event **events = catalogue_events(catalogue, &all);

	*count = 0;
	for (size_t i = 0; events && i < all; i++)
		if (matches_event(search, catalogue->model, events[i]))
			events[(*count)++] = events[i];
	return events;
}

void list_each_pmu_type(const struct list_search *search, const struct model *model,
			list_pmu_type_visitor *visit, void *context)
{
	char terms[EVENT_TERMS_SIZE];

	for (const struct pmu_type *pmu_type = model->pmu_types; pmu_type->name; pmu_type++)
		if (!pmu_type->ignored && matches_name(search, pmu_type->name))
			visit(pmu_type->name, event_terms(model, pmu_type->type, terms), context);
	if (model_has_core(model) && matches_name(search, "core"))
		visit("core", event_terms(model, PMU_CORE, terms), context);
	if (matches_name(search, "cpmu"))
		visit("cpmu", event_terms(model, PMU_CPMU, terms), context);
}

const char *list_unit_of(const struct model *model, const struct event *event)
{
	const struct pmu_type *pmu_type = model_pmu_type_of(model, event);

	return pmu_type ? pmu_type->name : "";
}

/* What is wrong with PMUs is said of each event. */
void list_perf_open(struct list_perf *out, const char *sim, const char *root)
{
	const struct log silent = {.write = NULL};

	*out = (struct list_perf){.platform = NULL};
	if (platform_open(sim, root, &silent, &out->platform, &out->error))
		return;
	if (!machine_open_perf(out->platform, &out->machine, &out->error))
		out->error = out->machine.uncore_error;
}

void list_perf_close(struct list_perf *perf)
{
	if (perf->platform)
		machine_close(&perf->machine);
	platform_destroy(perf->platform);
}

static const struct unit *first_unit(const struct machine *machine, const struct event *event)
{
	const struct unit *unit;
	size_t i = 0;

	while ((unit = machine_unit(machine, event->type, i++)))
		if (unit->type == event->type)
			return unit;
	return NULL;
}

const char *list_perf_text(const struct list_perf *perf, const struct event *event,
			   char text[PERF_EVENT_TEXT_SIZE], struct error *why)
{
	const struct unit *unit = first_unit(&perf->machine, event);
	struct perf_event encoded;

	if (!unit && perf->error.code)
		*why = perf->error;
	else if (!unit)
		error_set(why, EXIT_NO_UNIT, -ENODEV, "this kernel has no PMU of its unit");
	if (!unit || perf_unit_encode(unit, event, &encoded, why))
		return NULL;
	return perf_unit_event_text(unit, event, text);
}
