/* SPDX-License-Identifier: BSD-3-Clause */
#include "process/sheet.h"

#include "base/text.h"
#include "output/fields.h"

#define PID_WIDTH  7
#define USER_WIDTH (SHEET_LEAD_WIDTH - PID_WIDTH - 1)
/* longest name of a program, with the blank before it */
#define NAME_WIDTH 16

const char *const sheet_nouns[] = {"COMMAND", "CGROUP", "CONTAINER", "VM", "USER", "GROUP"};

void sheet_add(struct sheet *sheet, const struct sheet_column *columns, size_t count)
{
	for (size_t i = 0; i < count && sheet->count < SHEET_COLUMNS_MOST; i++)
		sheet->at[sheet->count++] = columns[i];
}

/* Returns the number of characters that a line with a short name needs. */
static size_t line_width(const struct sheet *sheet)
{
	size_t width = (size_t)sheet->lead + NAME_WIDTH;

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

void sheet_fit(struct sheet *sheet)
{
	unsigned rank;

	while (line_width(sheet) > sheet->width && (rank = highest_rank(sheet))) {
		size_t kept = 0;

		for (size_t i = 0; i < sheet->count; i++)
			if (sheet->at[i].rank < rank)
				sheet->at[kept++] = sheet->at[i];
		sheet->count = kept;
	}
}

void sheet_put_header(const struct sheet *sheet, FILE *out, const char *above, const char *below,
		      const char *noun)
{
	fprintf(out, "%-*s", sheet->lead, above);
	for (size_t i = 0; i < sheet->count; i++)
		fprintf(out, "%*s", sheet->at[i].width, sheet->at[i].title);
	fprintf(out, "\n%-*s", sheet->lead, below);
	for (size_t i = 0; i < sheet->count; i++)
		fprintf(out, "%*s", sheet->at[i].width, sheet->at[i].unit);
	fprintf(out, " %s\n", noun);
}

/* Prints at most that many characters; "+" replaces the rest. Returns the number printed. */
static int put_text(FILE *out, const char *text, int most)
{
	const int all = text_columns(text);
	const size_t bytes = text_beginning(text, all > most ? most - 1 : most);

	if (all <= most) {
		fputs(text, out);
		return all;
	}
	fprintf(out, "%.*s+", (int)bytes, text);
	return most;
}

void sheet_put_lead(FILE *out, unsigned number, const char *user)
{
	fprintf(out, "%*u ", PID_WIDTH, number);
	const int put = put_text(out, user, USER_WIDTH);
	fprintf(out, "%*s", USER_WIDTH - put, "");
}

int sheet_put_numbers(const struct sheet *sheet, FILE *out)
{
	int used = 0;

	for (size_t i = 0; i < sheet->count; i++) {
		const struct sheet_column *column = &sheet->at[i];

		field_column(out, column->number, column->width,
			     column->format ? column->format : "%.*f", column->decimals);
		used += column->width;
	}
	return used;
}

void sheet_put_line(const struct sheet *sheet, FILE *out, const char *name)
{
	const size_t used = line_width(sheet);

	sheet_put_numbers(sheet, out);
	putc(' ', out);
	put_text(out, name, NAME_WIDTH - 1 + (int)(sheet->width > used ? sheet->width - used : 0));
	putc('\n', out);
}
