/* SPDX-License-Identifier: BSD-3-Clause */
/* The columns of a view: which were asked for, and which rows have them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "metrics/view_private.h"
#include "platform/text.h"

static bool word_is(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && !strncmp(word, name, length);
}

static int refuse_group(const char *word, size_t length, struct error *err)
{
	char names[128];

	for (const struct metric *m = metric_table; m->name; m++)
		if (word_is(word, length, m->name))
			return error_set(err, EXIT_USAGE, -EINVAL,
					 "'%s' is not a metric group, but a metric of group %s: "
					 "expected -m %s",
					 m->name, m->group, m->group);
	metric_group_names(names, sizeof(names));
	return error_set(err, EXIT_USAGE, -EINVAL,
			 "'%.*s' is not a metric group: expected %s or all",
			 (int)(length < QUOTED_SIZE ? length : QUOTED_SIZE), word, names);
}

int view_check_groups(const char *groups, struct error *err)
{
	for (const char *at = groups;; at++) {
		const size_t length = strcspn(at, ",");

		if (!metric_group_exists(at, length) && !word_is(at, length, "all"))
			return refuse_group(at, length, err);
		at += length;
		if (!*at)
			return 0;
	}
}

size_t view_find_column(const struct view *view, const char *name)
{
	for (size_t c = 0; name && c < view->column_count; c++)
		if (!strcmp(view->columns[c]->name, name))
			return c;
	return SIZE_MAX;
}

static size_t custom_count(const struct view_options *options)
{
	return options->custom ? options->custom->count : 0;
}

static void add_groups(struct view *view, const struct view_options *options)
{
	for (const char *at = options->groups; *at; at += strcspn(at, ","), at += *at == ',') {
		const size_t length = strcspn(at, ",");

		for (const struct metric *m = metric_table; m->name; m++)
			if ((word_is(at, length, m->group) || word_is(at, length, "all")) &&
			    view_find_column(view, m->name) == SIZE_MAX &&
			    (m->kind != METRIC_CPU || options->finest == SCOPE_CPU))
				view->columns[view->column_count++] = m;
	}
}

static void add_facts(struct column_facts *facts, const struct selection *selection,
		      const struct metric *metric)
{
	const bool of_kernel = metric_is_of_kernel(metric);
	const bool of_device = view_is_of_devices(selection, metric);
	const bool at_ports = metric->scopes >> SCOPE_PORT & 1;
	const bool number = metric->kind == METRIC_NUMBER && !of_kernel;

	facts->scopes |= number ? metric->scopes : 0;
	facts->of_ports |= number && at_ports && !of_device;
	facts->of_devices |= of_device;
	facts->without_ports |= !at_ports && !of_kernel;
	facts->of_uncore |= !metric->core && !of_kernel;
	facts->of_cores |= metric->core;
	facts->of_nodes |= of_kernel && !at_ports;
	facts->of_kernel_devices |= of_kernel && at_ports;
}

/* Columns stand in the order in which their groups were asked for, then those of the user's own. */
int view_choose_columns(struct view *view, struct selection *selection, struct error *err)
{
	const struct view_options *options = selection->options;
	size_t count = custom_count(options);
	int rc = options->groups ? view_check_groups(options->groups, err) : 0;

	if (rc)
		return rc;
	for (const struct metric *m = metric_table; m->name; m++)
		count++;
	view->columns = calloc(count, sizeof(*view->columns));
	view->source_column = calloc(count, sizeof(*view->source_column));
	if (!view->columns || !view->source_column)
		return error_no_memory(err);
	if (options->groups)
		add_groups(view, options);
	for (size_t i = 0; i < custom_count(options); i++)
		view->columns[view->column_count++] = &options->custom->items[i]->metric;
	for (size_t c = 0; c < view->column_count; c++) {
		view->source_column[c] = view_find_column(view, view->columns[c]->of);
		add_facts(&selection->columns, selection, view->columns[c]);
	}
	return 0;
}

enum scope view_coarsest_scope(unsigned scopes)
{
	for (int s = SCOPE_SYSTEM; s >= 0; s--)
		if (scopes >> s & 1)
			return (enum scope)s;
	return SCOPE_COUNT;
}

static void find_port_event(struct selection *selection, const struct formula *formula,
			    void *context)
{
	const struct event *event;
	bool *found = context;

	(void)selection;
	for (unsigned i = 0; (event = formula_event(formula, i)); i++)
		*found |= view_is_port_pmu_type(event->type) || event->type == PMU_CPMU ||
			  formula->program->operands[i].port >= 0;
}

bool view_columns_need_ports(const struct view *view, struct selection *selection)
{
	bool found = view_columns_at(selection, SCOPE_PORT);

	view_each_formula(view, selection, find_port_event, &found);
	return found;
}
