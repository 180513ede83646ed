/* SPDX-License-Identifier: BSD-3-Clause */
#include <jansson.h>
#include <string.h>

#include "cli/common.h"
#include "cli/list.h"
#include "table/spell.h"
#include "uncore/model/event.h"

#define LIST_SCHEMA 1

static json_t *scopes_of(const struct metric *metric)
{
	static const enum row_kind kinds[] = {ROW_NODE, ROW_GROUP,  ROW_CPU,
					      ROW_PORT, ROW_SOCKET, ROW_SYSTEM};
	json_t *scopes = json_array();

	for (unsigned i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (metric->rows >> kinds[i] & 1)
			json_array_append_new(scopes, json_string(row_kind_names[kinds[i]]));
	return scopes;
}

/* Returns the name of the family's samples in OpenMetrics; null: none. */
static json_t *series_of(const struct family *family)
{
	return family->name
		       ? json_sprintf("cxlmon_%s%s", family->name, family->counter ? "_total" : "")
		       : json_null();
}

static json_t *formula_object(const struct metric *metric, const struct formula *formula)
{
	json_t *events = json_array();
	const struct event *event;

	for (unsigned i = 0; (event = formula_event(formula, i)); i++)
		json_array_append_new(events, json_string(event->name));
	return json_pack("{s:s, s:s, s:s, s:i, s:o, s:s, s:s, s:b, s:b, s:o, s:s}", "name",
			 metric->name, "group", metric->group, "unit", unit_text(metric),
			 "decimals", (int)metric->decimals, "scopes", scopes_of(metric), "formula",
			 formula->text, "source", formula->source ? formula->source : "",
			 "one_source", list_is_of_one_source(formula), "cross_check",
			 formula->cross_check || formula->only_compared, "events", events, "help",
			 metric->help);
}

/* Encodes the metrics, an object for each formula. */
static json_t *metrics_of(const struct list *list)
{
	json_t *metrics = json_array();

	for (const struct metric *m = metric_table; m->name; m++) {
		const struct formula *formula;

		for (unsigned nth = 0; list_has_metric(list, m) &&
				       (formula = formulas_find(&list->formulas, m->name, nth));
		     nth++)
			json_array_append_new(metrics, formula_object(m, formula));
	}
	return metrics;
}

/* Encodes all metrics, in the order of CSV's columns. */
static json_t *columns_of(const struct list *list)
{
	json_t *columns = json_array();

	for (const struct metric *m = metric_table; m->name; m++)
		if (list_has_metric(list, m))
			json_array_append_new(
				columns,
				json_pack("{s:s, s:s, s:s, s:o, s:o, s:s?, s:s, s:s?}", "name",
					  m->name, "group", m->group, "unit", unit_text(m),
					  "scopes", scopes_of(m), "openmetrics",
					  series_of(&m->family), "source_of", m->of, "help",
					  m->help, "not_measured", list_why_not(list, m)));
	return columns;
}

static json_t *event_object(const struct list *list, const struct event *event)
{
	const bool core = event->type == PMU_CORE;
	const unsigned first = core ? CORE_COUNTER_GENERAL : 0, end = core ? CORE_COUNTER_TSC : 32;
	const uint64_t events = event->modifiers | event->optional;
	json_t *counters = json_array();
	char text[PERF_EVENT_TEXT_SIZE];
	struct error why;

	/* numbers that counter= takes; fixed counters are chosen automatically */
	for (unsigned i = first; i < end; i++)
		if (event->type != PMU_CPMU && event->counters >> i & 1)
			json_array_append_new(counters, json_integer(i - first));
	json_t *object =
		json_pack("{s:s, s:s, s:i, s:i, s:I, s:o, s:s?, s:b, s:s}", "name", event->name,
			  "unit", list_unit_of(list->model, event), "code", event->code, "umask",
			  event->umask, "umask_ext", (json_int_t)event->umask_ext, "counters",
			  counters, "perf", list_perf_text(list, event, text, &why), "one_source",
			  event->one_source, "help", event->help ? event->help : "");
	if (event->type == PMU_CPMU) {
		json_object_set_new(object, "vendor", json_integer((json_int_t)(events >> 48)));
		json_object_set_new(object, "group",
				    json_integer((json_int_t)(events >> 32 & UINT16_MAX)));
		json_object_set_new(object, "mask",
				    json_integer((json_int_t)(events & UINT32_MAX)));
	}
	return object;
}

static json_t *pmu_type_object(const struct list_pmu_type *pmu_type)
{
	const char *terms = pmu_type->terms;
	json_t *list = json_array();

	for (size_t length; *terms; terms += length + strspn(terms + length, ", ")) {
		length = strcspn(terms, ",");
		json_array_append_new(list, json_stringn(terms, length));
	}
	return json_pack("{s:s, s:o}", "name", pmu_type->name, "terms", list);
}

int list_print_json(const struct list *list, struct error *err)
{
	json_t *events = json_array(), *units = json_array();

	for (size_t i = 0; i < list->event_count; i++)
		json_array_append_new(events, event_object(list, list->events[i]));
	for (size_t i = 0; i < list->pmu_type_count; i++)
		json_array_append_new(units, pmu_type_object(&list->pmu_types[i]));
	json_t *all = json_pack("{s:i, s:s, s:o, s:o, s:o, s:o}", "schema", LIST_SCHEMA, "model",
				list->model->short_name, "columns", columns_of(list), "metrics",
				metrics_of(list), "events", events, "units", units);
	return common_print_json(list->options, all, err);
}
