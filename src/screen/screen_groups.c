/* SPDX-License-Identifier: BSD-3-Clause */
/* Of which metric groups the screen shows something, and what it says of the others. */
#include <stdio.h>
#include <string.h>

#include "screen/screen.h"
#include "screen/screen_model.h"

#define NAMES_SIZE 128 /* of groups in a message */

static bool is_chosen(const char *groups, const char *group)
{
	const size_t length = strlen(group);

	for (const char *at = groups; *at; at += strcspn(at, ","), at += *at == ',') {
		const size_t word = strcspn(at, ",");

		if ((word == length && !strncmp(at, group, length)) ||
		    (word == strlen("all") && !strncmp(at, "all", word)))
			return true;
	}
	return false;
}

bool screen_shows_groups(const char *groups)
{
	for (const struct metric *m = metric_table; m->name; m++)
		if (panels_have(m) && is_chosen(groups, m->group))
			return true;
	return false;
}

static bool shows_some_of(const struct view *view, const char *group)
{
	for (size_t c = 0; c < view->column_count; c++)
		if (!strcmp(view->columns[c]->group, group) && panels_have(view->columns[c]))
			return true;
	return false;
}

static bool can_be_known(const struct view *view, size_t c)
{
	return view->columns[c]->kind == METRIC_NUMBER && !view->never_known[c];
}

void screen_report_hidden(const struct log *log, const struct view *view)
{
	const char *last = "";
	char names[NAMES_SIZE] = "";
	size_t used = 0;

	for (size_t c = 0; c < view->column_count && used < sizeof(names); c++) {
		const char *group = view->columns[c]->group;

		if (!can_be_known(view, c) || shows_some_of(view, group) || !strcmp(group, last))
			continue;
		used += (size_t)snprintf(names + used, sizeof(names) - used, "%s%s",
					 used ? ", " : "", group);
		last = group; /* its columns follow each other */
	}
	if (used)
		log_write(log, LEVEL_NOTE,
			  "not on the screen: %s; --plain prints a table, which has it", names);
}
