/* SPDX-License-Identifier: BSD-3-Clause */
/* The text tables of who, hot and top. */
#ifndef CXLMON_PROCESS_SHEET_H
#define CXLMON_PROCESS_SHEET_H

#include <stddef.h>
#include <stdio.h>

#include "process/report.h"

#define SHEET_COLUMNS_MOST 80
#define SHEET_LEAD_WIDTH   16		  /* width of sheet_put_lead() */
#define SHEET_PROCESS	   "    PID USER" /* its title */

/* A column, with its number in the current row. */
struct sheet_column {
	char title[16];
	const char *unit;
	int width;	    /* includes the blank before it */
	unsigned rank;	    /* 0: always shown; the highest are left out first */
	const char *format; /* printf format of .number; NULL: "%.*f" */
	unsigned decimals;
	double number; /* NAN: unknown */
};

/* Columns, between a lead and a name. */
struct sheet {
	int lead;     /* width before the columns */
	size_t width; /* characters in a line */
	struct sheet_column at[SHEET_COLUMNS_MOST];
	size_t count;
};

void sheet_add(struct sheet *sheet, const struct sheet_column *columns, size_t count);

/* Leaves out columns, one rank at a time, until the rest fits, with room for a short name. */
void sheet_fit(struct sheet *sheet);

/* Prints two lines of titles and units. above, below: their leads; noun: the title of names. */
void sheet_put_header(const struct sheet *sheet, FILE *out, const char *above, const char *below,
		      const char *noun);

/* Titles of names, by enum row_by up to BY_RESCTRL. */
extern const char *const sheet_nouns[];

/* Prints the lead of a process: its pid and user; or a number of processes. */
void sheet_put_lead(FILE *out, unsigned number, const char *user);

/* Prints the numbers; returns the width of their columns. */
int sheet_put_numbers(const struct sheet *sheet, FILE *out);

/* Prints the numbers, and as much of a name as fits. */
void sheet_put_line(const struct sheet *sheet, FILE *out, const char *name);

#endif
