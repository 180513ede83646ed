/* SPDX-License-Identifier: BSD-3-Clause */
/* Columns of the text tables of who, hot and top. */
#ifndef CXLMON_PROCESS_SHEET_H
#define CXLMON_PROCESS_SHEET_H

#include <stddef.h>
#include <stdio.h>

#define SHEET_COLUMNS_MOST 80

/* A column, with its number in the current row. */
struct sheet_column {
	char title[12];
	const char *unit;
	int width;	    /* includes the blank before it */
	unsigned rank;	    /* 0: always shown; the highest are left out first */
	const char *format; /* printf format of .number; NULL: "%.*f" */
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

/*
 * Leaves out columns, one rank at a time, until the rest fits into width characters.
 */
void sheet_fit(struct sheet *sheet, size_t width);

/* Returns the number of characters that all columns need. */
size_t sheet_width(const struct sheet *sheet);

/* Print titles, units or numbers, without an end of line. */
void sheet_put_titles(const struct sheet *sheet, FILE *out);
void sheet_put_units(const struct sheet *sheet, FILE *out);
void sheet_put_numbers(const struct sheet *sheet, FILE *out);

/*
 * Prints at most that many characters of a text; mark replaces the rest. Returns the number
 * printed.
 */
int sheet_put_text(FILE *out, const char *text, int most, char mark);

#endif
