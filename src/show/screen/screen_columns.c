/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the columns that are drawn together, and those of the table of sockets. */
#include <stdint.h>

#include "show/screen/screen_model.h"

static bool is_placed(const struct panels *panels, size_t column)
{
	for (size_t i = 0; i < panels->picture_count; i++)
		for (unsigned s = 0; s < panels->pictures[i].count; s++)
			if (panels->pictures[i].columns[s] == column)
				return true;
	return false;
}

/* Returns the columns of a picture, in its order. */
static struct chart find_picture(const struct table *table, enum picture picture)
{
	const struct picture_style *style = &picture_styles[picture];
	struct chart drawn = {.title = style->title, .mirrored = style->mirrored};

	for (const struct important *i = important_metrics; i->name; i++) {
		const size_t c = i->picture == picture ? table_find(table, i->name) : SIZE_MAX;

		if (c != SIZE_MAX && drawn.count < PICTURE_METRICS)
			drawn.columns[drawn.count++] = c;
	}
	return drawn;
}

void panels_find_columns(struct panels *panels)
{
	const struct table *table = panels->table;

	for (enum picture i = PICTURE_NONE + 1; i < PICTURES; i++) {
		const struct chart drawn = find_picture(table, i);

		if (drawn.count)
			panels->pictures[panels->picture_count++] = drawn;
	}
	for (size_t c = 0; c < table->column_count; c++)
		if (!is_placed(panels, c))
			panels->pictures[panels->picture_count++] =
				(struct chart){.columns = {c}, .count = 1};
	for (unsigned i = 0; i < SOCKET_COLUMNS; i++)
		panels->of_sockets[i] = table_find(table, important_at(IMPORTANT_SOCKETS, i + 1));
	panels->cxl_read = table_find(table, "cxl_mem_read_MBps");
	panels->cxl_write = table_find(table, "cxl_mem_write_MBps");
}
