/* SPDX-License-Identifier: BSD-3-Clause */
#include "view/view_groups.h"

#include <errno.h>

#include "view/view_select.h"

static int open_sources(struct view *view, const struct selection *selection, struct error *err)
{
	const struct view_options *options = selection->options;

	if (options->finest > SCOPE_PORT)
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "metrics of '" GROUPS_GROUP "' exist for groups of tasks only: "
				 "expected --per=port");
	if (options->sockets || view_selects_ports(options))
		return error_set(err, ERROR_USAGE, -EINVAL,
				 "groups of tasks are counted in all sockets together: expected no "
				 "--socket, --port, --device or --node");
	return group_source_open(&view->sources.groups, selection->machine->platform, err);
}

int view_open_groups(struct view *view, const struct selection *selection, bool with_units,
		     bool named, struct error *err)
{
	bool wanted = false;
	struct error why;

	for (size_t c = 0; c < table_all_columns(&view->table); c++)
		wanted |= view->table.columns[c].metric->source == SOURCE_GROUPS;
	if (!wanted || !open_sources(view, selection, &why))
		return 0;
	if (why.code == -ENOMEM || !with_units) {
		*err = why;
		return why.code;
	}
	if (named)
		log_write(&selection->machine->platform->log, LEVEL_WARNING,
			  "group " GROUPS_GROUP " stays empty: %s", why.text);
	return 0;
}
