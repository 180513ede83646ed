/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the tables that people read, of who, hot and top. */
#ifndef CXLMON_PROCESS_SHEET_H
#define CXLMON_PROCESS_SHEET_H

#include <stddef.h>
#include <stdio.h>

#define SHEET_COLUMNS_MOST 80

/* A column, with the number that a row has in it. */
struct sheet_column {
	char title[12];
	const char *unit;
	int width;	    /* with the blank before it */
	unsigned rank;	    /* 0: always shown; the highest are left out first */
	const char *format; /* as field_column() has it; NULL: "%.*f" */
	unsigned decimals;
	double number; /* NAN: unknown */
};

struct sheet {
	struct sheet_column at[SHEET_COLUMNS_MOST];
	size_t count;
};

__attribute__((format(printf, 3, 4))) void sheet_add(struct sheet *sheet,
						     const struct sheet_column *column,
						     const char *title, ...);

/* Leaves out columns, all of a rank, until the others have room in so many characters. */
void sheet_fit(struct sheet *sheet, size_t width);

/* The characters that all columns need. */
size_t sheet_width(const struct sheet *sheet);

/* Each without an end of line. */
void sheet_put_titles(const struct sheet *sheet, FILE *out);
void sheet_put_units(const struct sheet *sheet, FILE *out);
void sheet_put_numbers(const struct sheet *sheet, FILE *out);

/* Puts up to so many characters of a text; mark stands for the rest. Returns how many. */
int sheet_put_text(FILE *out, const char *text, int most, char mark);

#endif
