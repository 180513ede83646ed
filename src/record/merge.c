/* SPDX-License-Identifier: BSD-3-Clause */
#include "record/merge.h"

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"

static const struct table *table_of(const struct merged_host *host)
{
	return &host->replay->aggregate.table;
}

int merge_add(struct merge *m, struct replay *replay, const char *name)
{
	if (array_room(&m->hosts, m->count, 1, sizeof(*m->hosts)))
		return -ENOMEM;
	m->hosts[m->count++] = (struct merged_host){.replay = replay, .name = name};
	return 0;
}

/* Returns the column of this name, which is added if there is none. SIZE_MAX: no memory. */
static size_t merged_column(struct table *merged, const struct column *column)
{
	const size_t known = table_find(merged, column->metric->name);
	const size_t at = known == SIZE_MAX ? merged->column_count : known;

	if (known == SIZE_MAX &&
	    array_room(&merged->columns, merged->column_count, 1, sizeof(*merged->columns)))
		return SIZE_MAX;
	/* a recording in which nothing can fill a column has no heading for it */
	if (known == SIZE_MAX || !table_heading(merged, at))
		merged->columns[at] = *column;
	merged->column_count += known == SIZE_MAX;
	return at;
}

static int merge_columns(struct table *merged, struct merged_host *host)
{
	const struct table *table = table_of(host);

	host->columns = calloc(table->column_count + 1, sizeof(*host->columns));
	if (!host->columns)
		return -ENOMEM;
	for (size_t c = 0; c < table->column_count; c++) {
		host->columns[c] = merged_column(merged, &table->columns[c]);
		if (host->columns[c] == SIZE_MAX)
			return -ENOMEM;
	}
	return 0;
}

/* Makes room for the rows of each host. */
static int make_rows(struct merge *m)
{
	const size_t columns = m->table.column_count;
	size_t most = 0;

	for (size_t i = 0; i < m->count; i++)
		if (table_of(&m->hosts[i])->row_count > most)
			most = table_of(&m->hosts[i])->row_count;
	m->table.rows = calloc(most + 1, sizeof(*m->table.rows));
	m->table.values = calloc((most + 1) * columns + 1, sizeof(*m->table.values));
	return m->table.rows && m->table.values ? 0 : -ENOMEM;
}

/* Shows the rows of a host. Rows of events have the unknown values of the last row. */
static void show_rows(struct merge *m, const struct merged_host *host)
{
	const struct table *from = table_of(host);
	struct table *table = &m->table;
	const size_t columns = table->column_count;

	table->host = host->name;
	table->row_count = from->row_count;
	table->event_rows = from->event_rows;
	for (size_t i = 0; i < (table_metric_rows(table) + 1) * columns; i++)
		table->values[i] = value_unknown;
	for (size_t r = 0; r < from->row_count; r++) {
		const bool is_event = r >= table_metric_rows(table);
		struct row *row = &table->rows[r];

		*row = from->rows[r];
		row->values = is_event ? table_unknown(table) : table->values + r * columns;
		for (size_t c = 0; !is_event && c < from->column_count; c++)
			row->values[host->columns[c]] = from->rows[r].values[c];
	}
}

/* Reads a host's next row. An error ends only this host; -ENOMEM: no memory. */
static int read_ahead(struct merged_host *host)
{
	const int rc = replay_next(host->replay, &host->flaw);

	host->is_ready = rc > 0;
	return rc == -ENOMEM ? rc : 0;
}

/* Refuses recordings with rows of events among others: their rows have other fields. */
static int check_events(const struct merge *m, struct error *err)
{
	const struct merged_host *first = &m->hosts[0];

	for (size_t i = 1; i < m->count; i++) {
		const struct merged_host *host = &m->hosts[i];
		const bool has_events = table_of(host)->event_rows > 0;

		if (has_events != (table_of(first)->event_rows > 0))
			return error_set(
				err, ERROR_USAGE, -EINVAL,
				"%s has rows of events, and %s has none: expected "
				"recordings with the same -e",
				has_events ? host->replay->file->name : first->replay->file->name,
				has_events ? first->replay->file->name : host->replay->file->name);
	}
	return 0;
}

int merge_begin(struct merge *m, struct error *err)
{
	int rc = check_events(m, err);

	if (rc)
		return rc;
	for (size_t i = 0; !rc && i < m->count; i++) {
		const int width = text_columns(m->hosts[i].name);

		m->table.host_width = width > m->table.host_width ? width : m->table.host_width;
		rc = merge_columns(&m->table, &m->hosts[i]);
	}
	if (!rc)
		rc = make_rows(m);
	if (!rc)
		show_rows(m, &m->hosts[0]);
	for (size_t i = 0; !rc && i < m->count; i++)
		rc = read_ahead(&m->hosts[i]);
	m->last = m->count;
	return rc ? error_no_memory(err) : 0;
}

/* Returns the host with the earliest row; NULL: all have ended. */
static struct merged_host *earliest_host(const struct merge *m)
{
	struct merged_host *earliest = NULL;

	for (size_t i = 0; i < m->count; i++) {
		struct merged_host *host = &m->hosts[i];

		if (host->is_ready &&
		    (!earliest || host->replay->aggregate.sample.wall_ns <
					  earliest->replay->aggregate.sample.wall_ns))
			earliest = host;
	}
	return earliest;
}

int merge_next(struct merge *m, struct error *err)
{
	/* the rows of the last sample point into its replay, which is only read ahead now */
	if (m->last < m->count && read_ahead(&m->hosts[m->last]))
		return error_no_memory(err);
	const struct merged_host *host = earliest_host(m);
	if (!host)
		return 0;
	m->last = (size_t)(host - m->hosts);
	m->sample = &host->replay->aggregate.sample;
	m->table.marks.count = m->table.marks.more = 0;
	marks_append(&m->table.marks, &host->replay->aggregate.table.marks);
	show_rows(m, host);
	return 1;
}

void merge_free(struct merge *m)
{
	for (size_t i = 0; i < m->count; i++)
		free(m->hosts[i].columns);
	free(m->hosts);
	table_free(&m->table);
	*m = (struct merge){.count = 0};
}
