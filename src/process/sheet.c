/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/sheet.h"

#include <stdarg.h>

#include "base/text.h"
#include "output/fields.h"

void sheet_add(struct sheet *sheet, const struct sheet_column *column, const char *title, ...)
{
	va_list values;

	if (sheet->count == SHEET_COLUMNS_MOST)
		return;
	struct sheet_column *added = &sheet->at[sheet->count++];
	*added = *column;
	va_start(values, title);
	vsnprintf(added->title, sizeof(added->title), title, values);
	va_end(values);
}

size_t sheet_width(const struct sheet *sheet)
{
	size_t width = 0;

	for (size_t i = 0; i < sheet->count; i++)
		width += (size_t)sheet->at[i].width;
	return width;
}

static unsigned highest_rank(const struct sheet *sheet)
{
	unsigned rank = 0;

	for (size_t i = 0; i < sheet->count; i++)
		rank = sheet->at[i].rank > rank ? sheet->at[i].rank : rank;
	return rank;
}

void sheet_fit(struct sheet *sheet, size_t width)
{
	unsigned rank;

	while (sheet_width(sheet) > width && (rank = highest_rank(sheet))) {
		size_t kept = 0;

		for (size_t i = 0; i < sheet->count; i++)
			if (sheet->at[i].rank < rank)
				sheet->at[kept++] = sheet->at[i];
		sheet->count = kept;
	}
}

void sheet_put_titles(const struct sheet *sheet, FILE *out)
{
	for (size_t i = 0; i < sheet->count; i++)
		fprintf(out, "%*s", sheet->at[i].width, sheet->at[i].title);
}

void sheet_put_units(const struct sheet *sheet, FILE *out)
{
	for (size_t i = 0; i < sheet->count; i++)
		fprintf(out, "%*s", sheet->at[i].width, sheet->at[i].unit);
}

void sheet_put_numbers(const struct sheet *sheet, FILE *out)
{
	for (size_t i = 0; i < sheet->count; i++) {
		const struct sheet_column *column = &sheet->at[i];

		field_column(out, column->number, column->width,
			     column->format ? column->format : "%.*f", column->decimals);
	}
}

int sheet_put_text(FILE *out, const char *text, int most, char mark)
{
	const int all = text_columns(text);
	const size_t bytes = text_beginning(text, all > most ? most - 1 : most);

	if (all <= most) {
		fputs(text, out);
		return all;
	}
	fprintf(out, "%.*s%c", (int)bytes, text, mark);
	return most;
}
