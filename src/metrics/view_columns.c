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

static bool has_column(const struct view *view, const struct metric *metric)
{
	for (size_t c = 0; c < view->column_count; c++)
		if (view->columns[c] == metric)
			return true;
	return false;
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
			    !has_column(view, m) &&
			    (m->kind != METRIC_CPU || options->finest == SCOPE_CPU))
				view->columns[view->column_count++] = m;
	}
}

/* Columns stand in the order in which their groups were asked for, then those of the user's own. */
int view_choose_columns(struct view *view, const struct view_options *options, struct error *err)
{
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
	for (size_t c = 0; c < view->column_count; c++)
		view->source_column[c] = view_find_column(view, view->columns[c]->of);
	return 0;
}

static bool is_at(const struct metric *metric, enum scope scope)
{
	return metric->kind == METRIC_NUMBER && !metric->node_stat && metric->scopes >> scope & 1;
}

bool view_columns_at(const struct view *view, enum scope scope)
{
	for (size_t c = 0; c < view->column_count; c++)
		if (is_at(view->columns[c], scope))
			return true;
	return false;
}

bool view_columns_of_ports(const struct view *view, const struct selection *selection)
{
	for (size_t c = 0; c < view->column_count; c++)
		if (is_at(view->columns[c], SCOPE_PORT) &&
		    !view_is_of_devices(selection, view->columns[c]))
			return true;
	return false;
}

static void find_port_event(struct selection *selection, const struct formula *formula,
			    void *context)
{
	const struct event *event;
	bool *found = context;

	for (unsigned i = 0; (event = view_formula_event(selection, formula, i)); i++)
		*found |= view_is_port_box(event->box) || event->box == BOX_CPMU ||
			  formula_port(formula, i) >= 0;
}

bool view_columns_need_ports(const struct view *view, struct selection *selection)
{
	bool found = view_columns_at(view, SCOPE_PORT);

	view_each_formula(view, selection, find_port_event, &found);
	return found;
}

/* Whether some column of sockets is not a sum over ports. */
bool view_columns_without_ports(const struct view *view)
{
	for (size_t c = 0; c < view->column_count; c++)
		if (!(view->columns[c]->scopes >> SCOPE_PORT & 1) && !view->columns[c]->node_stat)
			return true;
	return false;
}

/* Whether rows of devices have some column. */
bool view_columns_of_devices(const struct view *view, const struct selection *selection)
{
	for (size_t c = 0; c < view->column_count; c++)
		if (view_is_of_devices(selection, view->columns[c]))
			return true;
	return false;
}
